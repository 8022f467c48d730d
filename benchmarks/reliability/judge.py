"""The judge of a load run: plain Python over the logs, knows nothing of the engine.

A call that began after another one returned must honour it; of calls that overlap nothing is
asked. So each withdrawal closes what came from it from the moment when it had returned until its
undoing was called, and for every answer that gives its epoch or a later one; each membership
holds from the end of one change to the beginning of the next.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .world import Facts

Line = Mapping[str, Any]
FOREVER = 2**63


@dataclass(frozen=True, kw_only=True)
class Span:
    """From when to when, and from which epoch on, a node was surely withdrawn."""

    start: int
    end: int
    epoch: int


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a run did and what was wrong with it."""

    retrievals: int
    items: int
    derived: int
    revoked: int
    undone: int
    memberships: int
    errors: tuple[str, ...]
    stale: tuple[str, ...]
    unpermitted: tuple[str, ...]


def judge(facts: Facts, lines: Sequence[Line]) -> Verdict:
    """Return the verdict over the whole log."""
    parents = dict(facts.parents)
    parents.update((x["id"], x["parents"]) for x in lines if x["kind"] == "derive" and "id" in x)
    above = _ancestors(parents)
    closed = _closed(lines)
    teams = _teams(facts, lines)
    stale: list[str] = []
    unpermitted: list[str] = []
    reads = [line for line in lines if line["kind"] == "retrieve" and "ids" in line]
    for line in reads:
        allowed = teams[line["agent"]]
        possible = {
            team
            for start, end, names in allowed
            if start < line["to"] and line["from"] < end
            for team in names
        }
        for record in line["ids"]:
            where = f"{line['agent']} got {record} in {line['from']}..{line['to']}"
            if any(
                (span.start < line["from"] or span.epoch <= line["epoch"]) and line["to"] < span.end
                for node in above.get(record, ())
                for span in closed.get(node, ())
            ):
                stale.append(where)
            scopes = {facts.scopes[n] for n in above.get(record, ()) if n in facts.scopes}
            if not scopes <= possible:
                unpermitted.append(where)
    kinds = [line["kind"] for line in lines if "error" not in line]
    return Verdict(
        retrievals=len(reads),
        items=sum(len(line["ids"]) for line in reads),
        derived=kinds.count("derive"),
        revoked=kinds.count("revoke"),
        undone=kinds.count("undo"),
        memberships=kinds.count("membership"),
        errors=tuple(line["error"] for line in lines if "error" in line),
        stale=tuple(stale),
        unpermitted=tuple(unpermitted),
    )


def open_at_the_end(facts: Facts, lines: Sequence[Line]) -> dict[str, set[str]]:
    """Return for each reader what it may read when all is done."""
    parents = dict(facts.parents)
    parents.update((x["id"], x["parents"]) for x in lines if x["kind"] == "derive" and "id" in x)
    above = _ancestors(parents)
    closed = {
        node for node, spans in _closed(lines).items() if any(span.end == FOREVER for span in spans)
    }
    last = {agent: spans[-1][2] for agent, spans in _teams(facts, lines).items()}
    return {
        agent: {
            record
            for record, nodes in above.items()
            if not record.startswith("res:")
            and not nodes & closed
            and {facts.scopes[n] for n in nodes if n in facts.scopes} <= set(names)
        }
        for agent, names in last.items()
    }


def _ancestors(parents: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return every node with all it came from, itself included."""
    found: dict[str, frozenset[str]] = {}

    def walk(node: str) -> frozenset[str]:
        if node not in found:
            found[node] = frozenset({node}).union(*(walk(each) for each in parents.get(node, ())))
        return found[node]

    for node in parents:
        walk(node)
    return found


def _closed(lines: Iterable[Line]) -> dict[str, list[Span]]:
    """Return for each withdrawn node the spans in which it was surely closed."""
    spans: dict[str, list[Span]] = defaultdict(list)
    undone = {x["id"]: x["from"] for x in lines if x["kind"] == "undo" and "error" not in x}
    for line in lines:
        if line["kind"] == "revoke" and "id" in line:
            end = undone.get(line["id"], FOREVER)
            span = Span(start=line["to"], end=end, epoch=line["epoch"])
            spans[line["target"]].append(span)
    return spans


def _teams(facts: Facts, lines: Iterable[Line]) -> dict[str, list[tuple[int, int, list[str]]]]:
    """Return for each agent the spans in which it may have held which teams."""
    changes = sorted(
        (x for x in lines if x["kind"] == "membership" and "teams" in x), key=lambda x: x["from"]
    )
    spans: dict[str, list[tuple[int, int, list[str]]]] = {}
    for agent, teams in facts.teams.items():
        mine = [line for line in changes if line["agent"] == agent]
        starts = [(0, teams), *((line["from"], line["teams"]) for line in mine)]
        ends = [*(line["to"] for line in mine), FOREVER]
        spans[agent] = [(s, e, names) for (s, names), e in zip(starts, ends, strict=True)]
    return spans
