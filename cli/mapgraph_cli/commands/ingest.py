"""``mapgraph ingest``: record an execution log."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mapgraph_cli.options import SETUP, command
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
        with _progress() as tell:
            report = admin.ingest(file, progress=tell)
    session.output.one(report)


@contextmanager
def _progress() -> Generator[Callable[[str, int, int], None] | None]:
    """Show a bar for each stage, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - help must be fast
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID  # noqa: PLC0415

    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        stages: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in stages:
                stages[stage] = bars.add_task(stage, total=total)
            bars.update(stages[stage], completed=done, total=total)

        yield tell
