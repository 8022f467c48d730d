"""``mapgraph undo`` and ``invalidate``: take a revocation back, declare one record wrong."""

from typing import Annotated

import typer

from mapgraph_cli.options import CONTAINMENT, Key, command
from mapgraph_cli.revocations import facts
from mapgraph_cli.session import Session

app = typer.Typer()
Why = Annotated[str, typer.Option("--reason", help="Why, for the audit.", show_default=False)]


@command(app, "undo", panel=CONTAINMENT)
def undo(
    session: Session,
    revocation: Annotated[str, typer.Argument(metavar="ID", help="A revocation, `rev:...`.")],
    *,
    reason: Why,
) -> None:
    """Undo a revocation; restores what no other one covers. An erasure cannot be undone."""
    with session.connect() as graph:
        report = session.administer(graph).undo(revocation, reason=reason)
    session.output.one(report, {"undone": revocation} | facts(report))


@command(app, "invalidate", panel=CONTAINMENT)
def invalidate(
    session: Session,
    record: Annotated[str, typer.Argument(metavar="ID", help="The record that is wrong.")],
    *,
    reason: Why,
    key: Key = None,
) -> None:
    """Declare one record wrong; what came from it is contained as after a revocation."""
    with session.connect() as graph:
        report = session.administer(graph).invalidate(record, reason=reason, key=key)
    session.output.one(report, facts(report))
