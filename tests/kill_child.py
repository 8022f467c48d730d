"""A process that does one thing and kills itself at one seam of it, as kill -9 would.

``python kill_child.py TENANT DEED before|after STATEMENT``, for ``integration/test_kills.py``.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from bridge import ToyEmbedder
from seams import Hold, Seams, seams_of

from mapgraph_neo import MapGraph


class Death(Hold):
    """A seam that nobody comes back from."""

    def stop(self) -> NoReturn:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class DeadlySeams(Seams):
    """Seams that kill."""

    def put(self, when: str, statement: str) -> None:
        where = self._before if when == "before" else self._after
        where[statement] = Death(statement)


def revoke(graph: MapGraph) -> None:
    graph.as_admin("alice").revoke("res:q3", reason="poisoned")


def erase(graph: MapGraph) -> None:
    graph.as_admin("alice").revoke("res:q3", reason="asked", kind="erasure")


def undo(graph: MapGraph) -> None:
    admin = graph.as_admin("alice")
    admin.undo(admin.revoke("res:q3", reason="poisoned").id or "", reason="it was not")


def rescope(graph: MapGraph) -> None:
    graph.as_admin("alice").rescope("res:q3", scope=["team:other"])


def derive(graph: MapGraph) -> None:
    writer = graph.as_agent("writer", task="k", tracing=True)
    note = next(each for each in graph.eligible("writer") if each.startswith("mem:note"))
    writer.derive("derived late", parents=[note], key="derived-late")


def ingest(graph: MapGraph) -> None:
    graph.ingest(
        [
            {"event": "resource", "id": "res:new", "scope": ["*"], "source_class": "internal"},
            *(
                {
                    "event": "observe",
                    "id": f"mem:new-{number}",
                    "source": "res:new",
                    "writer": "agent:writer",
                    "text": f"new {number}",
                }
                for number in range(20)
            ),
        ]
    )


def retrieve(graph: MapGraph) -> None:
    graph.as_agent("reader", task="k").retrieve("note", k=10)


DEEDS: dict[str, Callable[[MapGraph], None]] = {
    each.__name__: each for each in (revoke, erase, undo, rescope, derive, ingest, retrieve)
}


def main(tenant: str, deed: str, when: str, statement: str) -> int:
    graph = MapGraph.connect(tenant=tenant, embedder=ToyEmbedder())
    seams_of(graph, DeadlySeams).put(when, statement)
    DEEDS[deed](graph)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
