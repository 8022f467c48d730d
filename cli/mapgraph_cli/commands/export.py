"""``mapgraph export``: write the tenant as an execution log."""

from pathlib import Path
from typing import Annotated

import typer

from mapgraph_cli.options import SETUP, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "export", panel=SETUP)
def export(
    session: Session,
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A new NDJSON file.")],
) -> None:
    """Write the tenant as a log that `ingest` reads; it holds all content, for its owner alone."""
    with session.connect() as graph:
        report = session.administer(graph).export(file)
    session.output.one(report)
