"""The oracle's graph: what came from what, and what is withdrawn (SPEC 2 and 7).

Plain Python over a dict of nodes; clear before fast. It shares no code with the engine.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

Names = Collection[str]
LABELS = {"user": "User", "agent": "Agent", "tool": "Tool", "res": "Resource"} | {
    "msg": "Message",
    "mem": "Memory",
    "claim": "Claim",
}
RECORDS = {"Memory", "Claim", "Message"}
SOURCES = {"Resource", "Tool", "User"}
ENDPOINTS = {  # the three edges that carry restriction and trust
    "OBSERVED_FROM": (RECORDS, SOURCES),
    "DERIVED_FROM": (RECORDS, RECORDS | {"Resource"}),
    "SUMMARIZED_FROM": ({"Memory", "Message"}, RECORDS | {"Resource"}),
}


class RefusedError(Exception):
    """The operation changes nothing; the engine must refuse it too."""


def need(condition: object, otherwise: str) -> None:
    if not condition:
        raise RefusedError(otherwise)


def well_timed(value: object) -> bool:
    return isinstance(value, datetime) and value.tzinfo is not None


class Edge(NamedTuple):
    """A lineage edge, from the later thing to what it came from."""

    type: str
    child: str
    parent: str
    at: Any
    occurred_at: Any = None
    declared_by: str = "host"

    @property
    def time(self) -> Any:  # noqa: ANN401 - a planted edge may carry anything
        return self.at if self.occurred_at is None else self.occurred_at


@dataclass
class Revocation:
    """INVALIDATED_BY: without a window it closes its target, with one the edges in the window."""

    target: str
    kind: str
    since: datetime | None = None
    until: datetime | None = None
    undone: bool = False

    @property
    def windowed(self) -> bool:
        return self.since is not None or self.until is not None

    def taints(self, edge: Edge) -> bool:
        """Whether an edge lies in the window; one without a time lies in every window."""
        timed = well_timed(edge.time)
        early = timed and self.since is not None and edge.time < self.since
        late = timed and self.until is not None and edge.time >= self.until
        return self.windowed and not self.undone and not early and not late


class ExecutionGraph:
    """Nodes, lineage edges and revocations of one tenant, with nothing checked."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self.up: dict[str, list[Edge]] = {}  # the lineage edges of a child
        self.down: dict[str, list[Edge]] = {}  # the lineage edges that point at a parent
        self.revocations: dict[str, Revocation] = {}
        self.against: dict[str, list[Revocation]] = {}  # the same by target

    def _add(self, node: str, scope: Names, **properties: object) -> None:
        need(node not in self.nodes, "names are never reused")
        common = {"id": node, "label": LABELS[node.partition(":")[0]], "seq": len(self.nodes) + 1}
        state = {"scope": list(scope), "revoked": False, "parents": 0, "writers": []}
        self.nodes[node] = common | state | {"integrity": "intact"} | properties

    def label(self, node: str | None) -> str:
        return self.nodes[node]["label"] if node in self.nodes else ""

    def _set(self, node: str, labels: set[str], **properties: object) -> None:
        need(self.label(node) in labels, "unknown, or not of that kind")
        self.nodes[node] |= properties

    def plant(self, nodes: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]) -> None:
        """Take nodes and edges as somebody wrote them into the database by hand, unchecked."""
        for node in nodes:
            self.nodes[node["id"]] = {"writers": []} | dict(node)
        for edge in edges:
            facts = {key: value for key, value in edge.items() if key != "type"}
            if edge["type"] == "WRITTEN_BY":
                self.nodes[edge["child"]]["writers"].append(edge["parent"])
            elif edge["type"] == "INVALIDATED_BY":
                self._note(facts.pop("id"), Revocation(**facts))
            elif edge["type"] in ENDPOINTS:
                self._connect(Edge(**edge))

    def _connect(self, edge: Edge) -> None:
        self.up.setdefault(edge.child, []).append(edge)
        self.down.setdefault(edge.parent, []).append(edge)

    def _note(self, node: str, revocation: Revocation) -> None:
        self.revocations[node] = revocation
        self.against.setdefault(revocation.target, []).append(revocation)

    def walk(self, starts: Iterable[str], edges: Mapping[str, list[Edge]], end: str) -> set[str]:
        """Return what edges lead to from ``starts``, in any number of steps but none."""
        found: set[str] = set()
        stack = list(starts)
        while stack:
            for edge in edges.get(stack.pop(), []):
                there: str = getattr(edge, end)
                if there not in found:
                    found.add(there)
                    stack.append(there)
        return found

    def ancestors(self, node: str) -> set[str]:
        return self.walk([node], self.up, "parent")

    def lineage(self, node: str) -> set[str]:
        return {node} | self.ancestors(node)

    def descendants(self, node: str) -> set[str]:
        return self.walk([node], self.down, "child")

    def kinds(self, node: str) -> set[str]:
        """Why a node itself is withdrawn."""
        return {r.kind for r in self.against.get(node, []) if not r.windowed and not r.undone}

    def closed(self, node: str) -> bool:
        """Whether a node is withdrawn; should flag and edge ever disagree, either closes."""
        return self.nodes[node].get("revoked") is True or bool(self.kinds(node))

    def taints(self, edge: Edge) -> set[str]:
        """Why an edge is withdrawn: the kinds of the windows that it lies in."""
        return {r.kind for r in self.against.get(edge.parent, []) if r.taints(edge)}

    def withdrawn(self, node: str) -> set[str]:
        """Why a node or anything that it came from is withdrawn; an unexplained flag is access."""
        found: set[str] = set()
        for here in self.lineage(node):
            unexplained = {"access"} if self.closed(here) and not self.kinds(here) else set[str]()
            found |= self.kinds(here).union(unexplained, *map(self.taints, self.up.get(here, [])))
        return found

    def affected(self) -> set[str]:
        """Return the records behind a withdrawn node, or behind an edge in a window."""
        edges = [edge for up in self.up.values() for edge in up]
        first = {e.child for e in edges if self.closed(e.parent) or self.taints(e)}
        return first | self.walk(first, self.down, "child")
