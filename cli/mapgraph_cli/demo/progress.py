"""Shows people what is fetched and started, as elsewhere, and measures how long it took."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from mapgraph_cli.demo.timeline import Timeline
from mapgraph_cli.progress import TerminalReporter

DOWNLOADS = "downloads"


class DemoReporter(TerminalReporter):
    """A reporter of the private server that counts the time of downloads."""

    def __init__(self, timeline: Timeline) -> None:
        """Count to ``timeline``."""
        super().__init__()
        self._timeline = timeline

    @contextmanager
    def progress(self, title: str, total: int) -> Generator[Callable[[int], None], None, None]:
        """Show a bar on a terminal, and measure."""
        with self._timeline.stage(DOWNLOADS), super().progress(title, total) as advance:
            yield advance
