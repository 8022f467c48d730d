"""Tells people how far long work is: bars on a terminal only, on standard error."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from mapgraph_cli.output import tell


class TerminalReporter:
    """A reporter of the private server; everything goes to standard error."""

    def say(self, text: str) -> None:
        """Tell one sentence."""
        tell(text)

    @contextmanager
    def progress(self, title: str, total: int) -> Generator[Callable[[int], None], None, None]:
        """Show a bar on a terminal, nothing elsewhere."""
        if not sys.stderr.isatty():
            yield lambda _count: None
            return
        from rich.console import Console  # noqa: PLC0415 - help must be fast
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            DownloadColumn,
            Progress,
            TransferSpeedColumn,
        )

        columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
            task = bars.add_task(title, total=total)
            yield lambda count: bars.advance(task, count)


@contextmanager
def stages() -> Generator[Callable[[str, int, int], None] | None]:
    """Show a bar for each stage of a long call: its name, how far it is, and of how much."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - help must be fast
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID  # noqa: PLC0415

    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        known: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in known:
                known[stage] = bars.add_task(stage, total=total)
            bars.update(known[stage], completed=done, total=total)

        yield tell
