"""Seams: a graph that lets a test hold one thread before a statement, or after a commit."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from mapgraph_neo import MapGraph
from mapgraph_neo.graph import Graph, Row, Transaction

T = TypeVar("T")
SECONDS = 30.0
"""How long anything waits before the test fails."""


class Hold:
    """One place where the thread that comes first stops until the test lets it go on."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._reached = threading.Event()
        self._released = threading.Event()

    def stop(self) -> None:
        """Called by the thread that came here."""
        if self._reached.is_set():
            return  # only the first one is held
        self._reached.set()
        assert self._released.wait(SECONDS), f"nobody released `{self.name}`"

    def reached(self) -> None:
        """Wait until a thread is held here."""
        assert self._reached.wait(SECONDS), f"nobody came to `{self.name}`"

    def release(self) -> None:
        self._released.set()


class Seams:
    """A graph around the real one; what is not held passes through."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._before: dict[str, Hold] = {}
        self._after: dict[str, Hold] = {}

    def before(self, statement: str) -> Hold:
        """Hold the first thread that is about to send ``statement``, inside its transaction."""
        return self._before.setdefault(statement, Hold(f"before {statement}"))

    def after(self, statement: str) -> Hold:
        """Hold the first thread whose transaction sent ``statement`` and is committed."""
        return self._after.setdefault(statement, Hold(f"after {statement}"))

    def read(self, work: Callable[[Transaction], T]) -> T:
        return self._run(self._graph.read, work)

    def write(self, work: Callable[[Transaction], T]) -> T:
        return self._run(self._graph.write, work)

    def _run(self, run: Callable[[Callable[[Transaction], T]], T], work: Callable[..., T]) -> T:
        sent: list[str] = []
        found = run(lambda tx: work(_Watched(tx, self._before, sent)))
        for name in sent:
            if name in self._after:
                self._after[name].stop()
        return found


class _Watched:
    def __init__(self, tx: Transaction, before: dict[str, Hold], sent: list[str]) -> None:
        self._tx = tx
        self._before = before
        self._sent = sent

    def run(self, name: str, **parameters: object) -> Sequence[Row]:
        if name in self._before:
            self._before[name].stop()
        self._sent.append(name)
        return self._tx.run(name, **parameters)


S = TypeVar("S", bound=Seams)


def seams_of(graph: MapGraph, kind: type[S] = Seams) -> S:
    """Put seams into everything that ``graph`` hands out from now on."""
    found = kind(graph._graph)
    graph._context = replace(graph._context, graph=found)
    graph._synchroniser = None
    return found


class Thread:
    """A call in a thread of its own; ``result`` waits and raises what it raised."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._found: Any = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def result(self) -> Any:  # noqa: ANN401 - whatever the call returns
        self._thread.join(SECONDS)
        assert not self._thread.is_alive(), "the call did not end"
        if self._error is not None:
            raise self._error
        return self._found

    @property
    def waits(self) -> bool:
        """Whether it is still at work a moment later."""
        self._thread.join(0.3)
        return self._thread.is_alive()

    def _work(self) -> None:
        try:
            self._found = self._call()
        except BaseException as error:  # noqa: BLE001 - handed on by ``result``
            self._error = error
