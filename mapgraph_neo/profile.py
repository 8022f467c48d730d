"""Where the time of one call goes: steps, measured only while somebody looks."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True)
class Step:
    """One kind of step: how often it ran, and its own seconds, without the steps inside it."""

    name: str
    calls: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Profile:
    """The steps of the calls made within ``with profiled() as profile``, in order of first use."""

    steps: dict[str, Step] = field(default_factory=dict[str, Step])
    inside: list[float] = field(default_factory=list[float])

    @property
    def seconds(self) -> float:
        """All steps together."""
        return sum(step.seconds for step in self.steps.values())


_current: ContextVar[Profile | None] = ContextVar("mapgraph_profile", default=None)


@contextmanager
def profiled() -> Generator[Profile]:
    """Measure what this thread does inside."""
    profile = Profile()
    token = _current.set(profile)
    try:
        yield profile
    finally:
        _current.reset(token)


@contextmanager
def step(name: str) -> Generator[None]:
    """Count what is done inside as one step, if anybody looks."""
    profile = _current.get()
    if profile is None:
        yield
        return
    found = profile.steps.setdefault(name, Step(name=name))
    profile.inside.append(0.0)
    begin = time.perf_counter()
    try:
        yield
    finally:
        took = time.perf_counter() - begin
        found.calls += 1
        found.seconds += took - profile.inside.pop()
        if profile.inside:
            profile.inside[-1] += took
