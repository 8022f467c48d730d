"""``mapgraph verify``: record that a memory or claim was confirmed, or failed."""

from typing import Annotated

import typer

from mapgraph_cli.options import CONTAINMENT, Key, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "verify", panel=CONTAINMENT)
def verify(
    session: Session,
    record: Annotated[str, typer.Argument(metavar="ID", help="A memory or claim.")],
    *,
    outcome: Annotated[str, typer.Option("--outcome", help="confirmed or failed.")] = "confirmed",
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="ID", help="What it was checked against; repeatable."),
    ] = None,
    key: Key = None,
) -> None:
    """Record that the present content of a record was confirmed or failed."""
    with session.connect() as graph:
        admin = session.administer(graph)
        done = admin.verify(record, outcome=outcome, evidence=evidence or (), key=key)
    session.output.one({"id": done, "outcome": outcome})
