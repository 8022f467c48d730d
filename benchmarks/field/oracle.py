"""The plain oracle: who may read what, and what a revocation reaches, by walking sets.

It imports nothing from the project and knows nodes and edges only in the neutral form of the field
data: nodes with an id and a type, edges with a type, a source and a target in lower case.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

BACK = ("derived_from", "summarized_from", "observed_from")
USED = "used_for_action"
WRITTEN = "written_by"
EVERYBODY = frozenset({"*"})

Ids = set[str]


def _links() -> defaultdict[str, Ids]:
    return defaultdict(set)


@dataclass
class Plain:
    """One execution graph with the scopes and holdings that a run declares for it."""

    kinds: dict[str, str] = field(default_factory=dict[str, str])
    parents: defaultdict[str, Ids] = field(default_factory=_links)
    children: defaultdict[str, Ids] = field(default_factory=_links)
    writers: defaultdict[str, Ids] = field(default_factory=_links)
    scopes: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    holds: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    revoked: Ids = field(default_factory=set[str])

    def add(self, nodes: Mapping[str, Any], edges: Iterable[Mapping[str, Any]]) -> None:
        """Add a neutral graph; nodes that are there already stay."""
        for node, facts in nodes.items():
            self.kinds.setdefault(node, facts["type"])
        for edge in edges:
            kind, source, target = edge["type"], edge["src"], edge["dst"]
            if kind in BACK:
                self._link(source, target)
            elif kind == USED:
                self._link(target, source)
            elif kind == WRITTEN:
                self.writers[source].add(target)

    def _link(self, child: str, parent: str) -> None:
        self.parents[child].add(parent)
        self.children[parent].add(child)

    def above(self, node: str) -> Ids:
        """Return everything that ``node`` came from, at any depth."""
        return _walk(self.parents, node)

    def below(self, node: str) -> Ids:
        """Return everything that came from ``node``, at any depth, actions too."""
        return _walk(self.children, node)

    def admits(self, agent: str, node: str) -> bool:
        """Return whether the node's own scope lets the agent in; its writer is let in."""
        scope = self.scopes.get(node, EVERYBODY)
        return bool(scope & self.holds[agent]) or agent in self.writers.get(node, ())

    def can_read(self, agent: str, node: str) -> bool:
        """Return whether every node of the lineage stands and lets the agent in."""
        lineage = self.above(node) | {node}
        return not lineage & self.revoked and all(self.admits(agent, each) for each in lineage)

    def readers(self, node: str) -> Ids:
        """Return every agent that may read ``node``."""
        return {agent for agent in self.holds if self.can_read(agent, node)}

    def readable(self, agent: str, kinds: Iterable[str]) -> Ids:
        """Return every node of ``kinds`` that the agent may read.

        Closed is what is closed itself, and everything below it: one walk for all of them.
        """
        wanted = set(kinds)
        closed = {
            node for node in self.kinds if node in self.revoked or not self.admits(agent, node)
        }
        closed |= _walk(self.children, *closed)
        return {node for node, kind in self.kinds.items() if kind in wanted} - closed


def _walk(links: Mapping[str, Ids], *starts: str) -> Ids:
    found: Ids = set()
    waiting = list(starts)
    while waiting:
        fresh = links.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found
