"""What Hypothesis draws: whole histories, and lineages as somebody may write them by hand."""

from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from history import START, History, features, perform, replay, shares
from hypothesis import strategies as st
from operations import write_history

__all__ = [
    "READERS",
    "START",
    "Graph",
    "History",
    "features",
    "histories",
    "lineage_graphs",
    "perform",
    "random_history",
    "replay",
    "shares",
]


def random_history(seed: int, size: int = 40) -> History:
    """Return the history of a seed: the same for the same seed, size and code."""
    return write_history(Random(seed), size)  # noqa: S311 - made-up data want no secrecy


@st.composite
def histories(draw: st.DrawFn, least: int = 30, most: int = 50) -> History:
    """Histories that Hypothesis can shrink."""
    size = draw(st.integers(least, most))
    return write_history(draw(st.randoms(use_true_random=False)), size)


# Lineages planted by hand

Nodes = list[dict[str, Any]]
Graph = dict[str, Nodes]
READERS = ("agent:a0", "agent:a1")  # of which one writes each record
SCOPES = (["*"], ["*"], ["public"], ["team:a"], ["team:a", "team:b"], ["team:b"], [])
BELOW = {  # which edges may lead from a record to what
    "mem": ("DERIVED_FROM", "SUMMARIZED_FROM"),
    "msg": ("DERIVED_FROM", "SUMMARIZED_FROM"),
    "claim": ("DERIVED_FROM",),
}
WRONG: dict[str, tuple[Any, ...]] = {  # None: the property is missing
    "revoked": (None, "true", 1, "false"),
    "scope": (None, "team:a", "*", [1, 2]),
    "parents": (None, "1", 1.0, 7),
    "expires_at": ("2999-01-01T00:00:00Z", 7, datetime(2999, 1, 1), date(2999, 1, 1)),  # noqa: DTZ001 - wrong on purpose
    "seq": (None, "12"),
    "integrity": (None, 1, "whole", "incomplete", "mismatch"),
}


@st.composite
def lineage_graphs(draw: st.DrawFn, now: datetime, most: int = 12) -> Graph:
    """Draw resources and records with their edges, and up to three faults planted in them.

    Users, agents and tools are the caller's to register: `user:root` and READERS. Nodes carry the
    properties that decide; the caller adds tenant, creation time and content hash.
    """
    nodes: Nodes = []
    edges: Nodes = []
    for number in range(draw(st.integers(1, 3))):
        source = {"source_class": draw(st.sampled_from(("internal", "external", "untrusted")))}
        nodes.append(_planted(f"res:g{number}", "Resource", len(nodes), draw) | source)
    labels = {"mem": "Memory", "claim": "Claim", "msg": "Message"}
    for number in range(draw(st.integers(2, most))):
        kind = draw(st.sampled_from(("mem", "mem", "mem", "claim", "msg")))
        record = _planted(f"{kind}:g{number}", labels[kind], len(nodes), draw)
        above = _some(draw, nodes, (0, 1, 1, 2, 2, 3))
        for parent in above:
            observed = parent["label"] == "Resource" and draw(st.booleans())
            edge = "OBSERVED_FROM" if observed else draw(st.sampled_from(BELOW[kind]))
            age = timedelta(hours=draw(st.sampled_from((1, 5, 9, 13))))
            edges.append(_edge(edge, record["id"], parent["id"], now - age))
        record["parents"] = len(above)
        edges.append(_edge("WRITTEN_BY", record["id"], draw(st.sampled_from(READERS)), now))
        nodes.append(record)
    for _ in range(draw(st.sampled_from((0, 1, 1, 2, 3)))):
        _PLANT[draw(st.sampled_from(sorted(_PLANT)))](draw, nodes, edges, now)
    return {"nodes": nodes, "edges": edges}


def _some(draw: st.DrawFn, pool: Nodes, sizes: tuple[int, ...]) -> Nodes:
    size = min(len(pool), draw(st.sampled_from(sizes)))
    by_id = st.lists(
        st.sampled_from(pool), min_size=size, max_size=size, unique_by=lambda n: n["id"]
    )
    return draw(by_id)


def _planted(node: str, label: str, number: int, draw: st.DrawFn) -> dict[str, Any]:
    common = {"id": node, "label": label, "seq": 1000 + number, "revoked": False, "parents": 0}
    return common | {"scope": list(draw(st.sampled_from(SCOPES))), "integrity": "intact"}


def _edge(kind: str, child: str, parent: str, at: datetime) -> dict[str, Any]:
    return {"type": kind, "child": child, "parent": parent, "at": at}


def _lineage(edges: Nodes) -> Nodes:
    return [e for e in edges if e["type"].endswith("_FROM")]


def _plant_cycle(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    """Let an ancestor come from its own descendant, rather over three edges or more."""
    above: dict[str, dict[str, int]] = {}  # record: ancestor: how many edges away
    for edge in _lineage(edges):
        found = above.setdefault(edge["child"], {})
        for node, steps in {edge["parent"]: 0, **above.get(edge["parent"], {})}.items():
            found[node] = max(steps + 1, found.get(node, 0))
    pairs = [(n, a, far) for n, found in above.items() for a, far in found.items() if a in above]
    longer = [pair for pair in pairs if pair[2] > 1]
    if pairs:
        late, early, _ = draw(st.sampled_from(longer or pairs))
        _close(draw, nodes, edges, _edge("DERIVED_FROM", early, late, now))


def _plant_loop(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    node = draw(st.sampled_from([n["id"] for n in nodes if n["label"] != "Resource"]))
    _close(draw, nodes, edges, _edge("DERIVED_FROM", node, node, now))


def _close(draw: st.DrawFn, nodes: Nodes, edges: Nodes, edge: dict[str, Any]) -> None:
    """Add an edge that should not be; now and then the child says that it has it."""
    edges.append(edge)
    child = next(n for n in nodes if n["id"] == edge["child"])
    if draw(st.booleans()) and isinstance(child.get("parents"), int):
        child["parents"] += 1


def _plant_field(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    del edges, now
    node, field = draw(st.sampled_from(nodes)), draw(st.sampled_from(sorted(WRONG)))
    value = draw(st.sampled_from(WRONG[field]))
    node.pop(field, None)
    if value is not None:
        node[field] = value


def _plant_time(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    """Give an edge a time of its own: a good one, none, or no time at all."""
    del nodes
    good = {"occurred_at": now - timedelta(hours=draw(st.sampled_from((5, 13))))}
    wrong = ({"at": None}, {"at": "2026-01-01"}, {"at": 7}, {"occurred_at": "yesterday"}, good)
    if _lineage(edges):
        draw(st.sampled_from(_lineage(edges))).update(draw(st.sampled_from(wrong)))


def _plant_type(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    """Give an edge another type or another end, right or not."""
    del nodes, now
    other = ({"type": "OBSERVED_FROM"}, {"type": "SUMMARIZED_FROM"}, {"parent": "user:root"})
    if _lineage(edges):
        draw(st.sampled_from(_lineage(edges))).update(draw(st.sampled_from(other)))


def _plant_pending(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    del edges, now
    draw(st.sampled_from(nodes))["pending"] = "import:1"


def _plant_flag(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    del edges, now
    draw(st.sampled_from(nodes))["revoked"] = True


def _plant_mark(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    """Withdraw a node by an edge of which the flag knows nothing."""
    del now
    facts = {"target": draw(st.sampled_from(nodes))["id"], "undone": draw(st.booleans())}
    kind = draw(st.sampled_from(("access", "reliability", "invalid")))
    edges.append({"type": "INVALIDATED_BY", "id": f"rev:{len(edges)}", "kind": kind} | facts)


def _plant_window(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    _plant_mark(draw, nodes, edges, now)
    since, until = draw(st.sampled_from(((None, 3), (7, None), (7, 3), (11, 7))))
    ends = {"since": since, "until": until}
    edges[-1] |= {k: now - timedelta(hours=hours) for k, hours in ends.items() if hours}


def _plant_expiry(draw: st.DrawFn, nodes: Nodes, edges: Nodes, now: datetime) -> None:
    del edges
    hours = draw(st.sampled_from((-1, 1)))
    draw(st.sampled_from(nodes))["expires_at"] = now + timedelta(hours=hours)


_PLANT = {
    "cycle": _plant_cycle,
    "loop": _plant_loop,
    "field": _plant_field,
    "time": _plant_time,
    "type": _plant_type,
    "flag": _plant_flag,
    "pending": _plant_pending,
    "edge": _plant_mark,
    "window": _plant_window,
    "expired": _plant_expiry,
}
