"""``mapgraph audit``: who did what and what was refused."""

from typing import Annotated

import typer

from mapgraph_cli.options import DECISIONS, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "audit", panel=DECISIONS, lists=True)
def audit(
    session: Session,
    *,
    actor: Annotated[str | None, typer.Option("--actor", help="Only of this one.")] = None,
    act: Annotated[str | None, typer.Option("--act", help="Only this act, such as revoke.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many at most.")] = 100,
) -> None:
    """List what was done and what was refused, newest first; ids and reasons, never content."""
    with session.connect() as graph:
        session.administer(graph)
        found = graph.audit(actor=actor, act=act, limit=limit)
    rows = [
        {
            "at": each.at,
            "actor": each.actor,
            "act": each.act,
            "target": each.target,
            "outcome": each.outcome,
            "detail": "" if each.detail == "{}" else each.detail,
        }
        for each in found
    ]
    session.output.many(found, rows, nothing="no record")
    if len(found) == limit:
        session.output.note(f"the newest {limit}; give --limit for more")
