"""Measures where the time of the demo went."""

import time
from collections.abc import Generator
from contextlib import contextmanager


class Timeline:
    """Seconds by stage, in the order in which the stages began."""

    def __init__(self) -> None:
        """Start the clock."""
        self._started = time.monotonic()
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Count the time of the body to ``name``, and what is measured inside it only there."""
        self.seconds.setdefault(name, 0.0)
        began, inside = time.monotonic(), sum(self.seconds.values())
        try:
            yield
        finally:
            nested = sum(self.seconds.values()) - inside
            self.seconds[name] += time.monotonic() - began - nested

    @property
    def total(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    def line(self) -> str:
        """Return one line that says where the time went, and the share of the downloads."""
        parts = [f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items()]
        total = self.total
        share = self.seconds.get("downloads", 0.0) / total if total else 0.0
        return f"{', '.join(parts)}; {total:.1f} s in all, {share:.0%} of it downloads"
