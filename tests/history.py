"""Histories as plain data: what one is, how the oracle performs it, what it covers.

A history is a list of operations, each a dict: ``op``, ``clock`` (seconds the clock was moved
before it) and the operation's arguments as ``oracle.py`` names them, with two differences. Ids
are handles (``mem:7``, ``grant:3``, ``rev:9``), which a test maps to the engine's own. Times are
seconds from the operation's own now and end in ``_in`` (``expires_in`` for ``expires_at``).

The clock moves in steps of four hours and every time lies at least an hour off those steps, so
that the seconds which a test itself takes never matter.
"""

import hashlib
import inspect
import math
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from oracle import Gate, Oracle, RefusedError

Operation = dict[str, Any]
History = list[Operation]
START = datetime.fromisoformat("2026-01-01T00:00:00+00:00")  # any will do
HOUR = 3600
STEP = 4 * HOUR
USERS = ("user:u0", "user:u1", "user:u2")
TEAMS = ("team:a", "team:b", "team:c")
ROLES = ("role:x", "role:y")
TASKS = ("t0", "t1", "t2", "t3", "t4", "t5")
GOOD_CLASSES = ("internal_verified", "internal", "partner", "external")
CLASSES = (*GOOD_CLASSES, "unknown", "untrusted", "poisoned")
ACTIONS: dict[str, dict[str, Any]] = {  # tools that act, as register_tool takes them
    "tool:answer": {"risk": "low", "answer": True},
    "tool:note": {"risk": "low"},
    "tool:mail": {"risk": "medium", "audience_from": ["to"]},
    "tool:pay": {"risk": "high"},
    "tool:wipe": {"risk": "critical"},
}
REQUIRED = (  # each in a tenth of the histories at least
    "delegation",
    "diamonds",
    "windows",
    "undo",
    "expiry",
    "rescope",
    "membership",
    "read_set",
)
TIMES = ("expires", "occurred", "valid_from", "valid_to", "since", "until")
_AT = {"expires": "expires_at", "occurred": "occurred_at"}


def toy_vector(text: str, dimension: int = 8) -> list[float]:
    """Embed a text as a unit vector that has nothing to do with its meaning."""
    digest = hashlib.sha256(text.encode()).digest()
    raw = [digest[2 * i] * 256 + digest[2 * i + 1] - 32767.5 for i in range(dimension)]
    length = math.sqrt(sum(x * x for x in raw))
    return [x / length for x in raw]


def similarity(one: str, other: str) -> float:
    return sum(x * y for x, y in zip(toy_vector(one), toy_vector(other), strict=True))


def arguments(op: Operation, now: datetime) -> dict[str, Any]:
    """Return an operation's arguments with its times made absolute."""
    found: dict[str, Any] = {k: v for k, v in op.items() if k not in {"op", "clock"}}
    for name in TIMES:
        if f"{name}_in" in found:
            offset = timedelta(seconds=found.pop(f"{name}_in"))
            found[_AT.get(name, name)] = now + offset
    return found


def perform(oracle: Oracle, op: Operation, start: datetime) -> Any:  # noqa: ANN401 - as the method
    """Do one operation to the oracle and return its answer; ``start`` is the history's time 0.

    Raises:
        RefusedError: The engine must refuse it too.

    """
    now = start + timedelta(seconds=op["clock"])
    given = arguments(op, now)
    if op["op"] in _SPECIAL:
        return _SPECIAL[op["op"]](oracle, given, now)
    if op["op"] == "register_tool":
        given = {"node": op["node"], "source_class": op["source_class"]}
    method = getattr(oracle, op["op"])
    timed = "now" in inspect.signature(method).parameters
    return method(**given, now=now) if timed else method(**given)


def replay(history: Iterable[Operation], start: datetime) -> tuple[Oracle, list[Operation]]:
    """Return the oracle after a history, and the operations that were refused."""
    oracle, refused = Oracle(), list[Operation]()
    for op in history:
        try:
            perform(oracle, op, start)
        except RefusedError:
            refused.append(op)
    return oracle, refused


def _nothing(oracle: Oracle, given: Operation, now: datetime) -> None:
    del oracle, given, now


def _retrieve(oracle: Oracle, given: Operation, now: datetime) -> list[tuple[str, float]]:
    texts = {n: found["text"] for n, found in oracle.nodes.items() if "text" in found}
    cosines = {n: similarity(given["query"], text) for n, text in texts.items()}
    hits = oracle.retrieve(given["agent"], cosines, given["k"], now)
    for node, _ in hits:
        oracle.read(given["agent"], node, now, given["task"])
    return hits


def gate_of(given: Operation) -> Gate:
    """Return what the host fixes about a `propose` operation."""
    tool = ACTIONS[given["tool"]]
    return Gate(
        risk=tool["risk"],
        answer=tool.get("answer", False),
        sends="audience_from" in tool,
        audience=given["audience"],
        traced=given["tracing"],
    )


def _propose(oracle: Oracle, given: Operation, now: datetime) -> tuple[str, str]:
    evidence = given["evidence"]
    return oracle.decide(given["agent"], given["task"], evidence, now, gate_of(given))


def _ingest(oracle: Oracle, given: Operation, now: datetime) -> None:
    facts = {k: v for k, v in given.items() if k != "event"}
    getattr(oracle, given["event"])(**facts, host=True, now=now)


_SPECIAL = {"advance": _nothing, "retrieve": _retrieve, "propose": _propose, "ingest": _ingest}


def features(history: History) -> set[str]:
    """Return what a history really exercises, for the report of coverage."""
    oracle, refused = replay(history, START)
    now = START + timedelta(seconds=history[-1]["clock"])
    failed = {id(op) for op in refused}
    done = {op["op"] for op in history if id(op) not in failed}
    edges = [edge for up in oracle.up.values() for edge in up]
    windows = [replace(r, undone=False) for r in oracle.revocations.values() if r.windowed]
    ended = [n for n, f in oracle.nodes.items() if f.get("expires_at") and f["expires_at"] <= now]
    chained = [g for g in oracle.grants.values() if g.to and oracle.label(g.to) == "Agent"]
    timed = [op for op in history if {"valid_from_in", "valid_to_in"} & set(op)]
    found = {
        "delegation": any(oracle.active(g.principal, "read", now) for g in chained),
        "diamonds": any(_is_diamond(oracle, n) for n in oracle.up),
        "windows": any(w.taints(e) for w in windows for e in oracle.down.get(w.target, [])),
        "expiry": any(oracle.up.get(n) or oracle.down.get(n) for n in ended),
        "membership": "set_membership" in done,
        "read_set": any(e.declared_by == "read_set" for e in edges),
        "validity": bool(timed),
        "refused": bool(refused),
        "affected": bool(oracle.affected()),
    }
    plain = done - {"advance", "set_membership"}
    return {name for name, holds in found.items() if holds} | plain


def _is_diamond(oracle: Oracle, record: str) -> bool:
    """Whether two ways lead from a record to one ancestor."""
    above = [oracle.lineage(edge.parent) for edge in oracle.up[record]]
    return any(one & other for one, other in combinations(above, 2))


def shares(history: History) -> list[float]:
    """Return for each agent which share of memories and claims it may read at the end."""
    oracle, _ = replay(history, START)
    now = START + timedelta(seconds=history[-1]["clock"])
    records = [n for n in oracle.nodes if oracle.label(n) in {"Memory", "Claim"}]
    agents = [n for n in oracle.nodes if oracle.label(n) == "Agent"]
    return [len(oracle.eligible(a, now)) / len(records) for a in agents] if records else []
