"""What a person is told while a server is fetched and started; the default tells nothing."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Reporter(Protocol):
    """Where sentences and progress for people go; the command line writes them to stderr."""

    def say(self, text: str) -> None:
        """Tell one sentence."""
        ...

    def progress(self, title: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Open a progress bar of ``total`` bytes; call what it gives with each bytes count."""
        ...


class SilentReporter:
    """Tells nothing."""

    def say(self, text: str) -> None:
        """Drop ``text``."""

    @contextmanager
    def progress(self, title: str, total: int) -> Generator[Callable[[int], None], None, None]:
        """Show nothing."""
        del title, total
        yield lambda _count: None
