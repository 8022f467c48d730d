"""Shows people what is fetched and started: bars on a terminal only, sentences always."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from mapgraph_cli.demo.timeline import Timeline
from mapgraph_cli.output import tell

DOWNLOADS = "downloads"


class DemoReporter:
    """A reporter of the private server that counts the time of downloads."""

    def __init__(self, timeline: Timeline) -> None:
        """Count to ``timeline``."""
        self._timeline = timeline

    def say(self, text: str) -> None:
        """Tell one sentence on standard error."""
        tell(text)

    @contextmanager
    def progress(self, title: str, total: int) -> Generator[Callable[[int], None]]:
        """Show a bar on a terminal, and measure."""
        with self._timeline.stage(DOWNLOADS):
            if not sys.stderr.isatty():
                yield lambda _count: None
                return
            with _bar(title, total) as advance:
                yield advance


@contextmanager
def _bar(title: str, total: int) -> Generator[Callable[[int], None]]:
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
