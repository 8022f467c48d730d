"""``python -m benchmarks.reliability scale``: a long chain, a wide fan, very many parents."""

import argparse
import json
import secrets
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from mapgraph_neo import MapGraph

from .world import ADMINISTRATOR, open_tenant  # isort: skip - it names the folder of the tests

from grown import READER, STRANGER, events  # isort: skip

T = TypeVar("T")
TOLD = 0.1  # seconds


class Run:
    """Asks and compares; counts what is not as it must be."""

    def __init__(self, graph: MapGraph) -> None:
        """Begin with nothing wrong."""
        self.graph = graph
        self.seconds: dict[str, float] = {}
        self.wrong: list[str] = []

    def timed(self, name: str, work: Callable[[], T]) -> T:
        """Run ``work`` and keep how long it took."""
        began = time.perf_counter()
        result = work()
        self.seconds[name] = round(time.perf_counter() - began, 2)
        print(f"{name}: {self.seconds[name]} s", file=sys.stderr)
        return result

    def expect(self, what: str, found: object, wanted: object) -> None:
        """Keep it if the two differ."""
        if found != wanted:
            self.wrong.append(f"{what}: {found!r}, expected {wanted!r}")

    def look(self, when: str, ends: list[str], total: int) -> None:
        """Ask in every way who may read what; ``total`` is what the reader may read."""
        graph = self.graph
        for end in ends:
            for agent, wanted in ((READER, total > 0), (STRANGER, False)):
                what = f"{when}, {agent} {end}"
                found = self.timed(f"check, {what}", lambda a=agent, e=end: graph.check(a, e))
                self.expect(f"check, {what}", found.allowed, wanted)
                self.expect(f"explain, {what}", graph.explain(agent, end).allowed, wanted)
            readers = {READER} if total else set[str]()
            self.expect(f"readers, {when} {end}", set(graph.readers(end)), readers)
        listed = self.timed(f"eligible, {when}", lambda: graph.eligible(READER))
        self.expect(f"eligible, {when}", len(listed), total)
        self.expect(f"eligible of a stranger, {when}", graph.eligible(STRANGER), ())
        desk = graph.as_agent(READER)
        hits = self.timed(f"retrieve, {when}", lambda: desk.retrieve("Note 7", k=10))
        self.expect(f"retrieve, {when}", len(hits), min(10, total))


def run(argv: list[str]) -> int:
    """Run it; 1 if any answer is not as it must be."""
    parser = argparse.ArgumentParser(prog="benchmarks.reliability scale", description=__doc__)
    parser.add_argument("--hops", type=int, default=10_000)
    parser.add_argument("--children", type=int, default=100_000)
    parser.add_argument("--parents", type=int, default=5_000)
    given = parser.parse_args(argv)
    total = given.hops + given.children + 1
    ends = [f"mem:c{given.hops - 1}", f"mem:w{given.children - 1}", "mem:all"]
    with open_tenant(f"scale-{secrets.token_hex(4)}") as graph:
        graph.init(ADMINISTRATOR)
        test = Run(graph)
        written = events(given.hops, given.children, given.parents)
        test.timed("ingest", lambda: graph.ingest(written))
        root = graph.as_admin(ADMINISTRATOR)
        test.look("at first", ends, total)
        done = test.timed("revoke", lambda: root.revoke("res:wire", kind="reliability"))
        test.expect("affected", done.affected, total)
        test.look("revoked", ends, 0)
        test.timed("undo", lambda: root.undo(done.id or "", reason="it was right"))
        test.look("undone", ends, total)
    slow = {name: seconds for name, seconds in test.seconds.items() if seconds > TOLD}
    print(json.dumps({"records": total, "wrong": test.wrong, "seconds": slow}, indent=2))
    return 1 if test.wrong else 0
