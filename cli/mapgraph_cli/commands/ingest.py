"""``mapgraph ingest``: record an execution log."""

from pathlib import Path
from typing import Annotated

import typer

from mapgraph_cli.options import SETUP, command
from mapgraph_cli.progress import stages
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "ingest", panel=SETUP)
def ingest(
    session: Session,
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, readable=True, help="NDJSON, an event a line."),
    ],
) -> None:
    """Record an execution log; validated whole first, and a replay changes nothing."""
    with session.connect() as graph:
        admin = session.administer(graph)
        with stages() as tell:
            report = admin.ingest(file, progress=tell)
    session.output.one(report)
