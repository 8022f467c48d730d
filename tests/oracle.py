"""The oracle: path trust, retrieval and the gate (SPEC 4 to 6) over its graph and records.

What the engine must answer, in plain Python; clear before fast. It shares no code with the
engine, so that the two can be held against each other. Every operation is told its ids and,
where time matters, ``now``; nothing here reads a clock.
"""

import math
from collections.abc import Mapping
from datetime import datetime
from itertools import combinations
from typing import Any, NamedTuple

from oracle_graph import RECORDS, Edge, Names, RefusedError
from oracle_records import Facts, RecordGraph

__all__ = ["TRUST", "Edge", "Facts", "Gate", "Oracle", "RefusedError"]

TRUST: dict[str, Any] = {  # SPEC 4 and 6
    "class": {"internal_verified": 0.95, "internal": 0.90, "partner": 0.75, "external": 0.65}
    | {"unknown": 0.40, "untrusted": 0.20, "poisoned": 0.0},
    "user": {"established": 0.75, "new": 0.40, "compromised": 0.0},
    "own_user": 1.00,
    "writer": {"established": 0.98, "new": 0.90, "compromised": 0.0},
    "integrity": {"intact": 1.0, "incomplete": 0.5, "mismatch": 0.0},
    "edge": {"OBSERVED_FROM": 1.00, "DERIVED_FROM": 0.95, "SUMMARIZED_FROM": 0.90},
    "confirmed": (1.00, 1.10, 1.20),
    "failed": 0.50,
    "floor": 0.30,
    "threshold": {"answer": 0.30, "low": 0.30, "medium": 0.60, "high": 0.85, "critical": 0.85},
}


class Gate(NamedTuple):
    """What the host fixes about an action."""

    risk: str = "critical"
    answer: bool = False
    sends: bool = False
    audience: Names = ()
    evidence_needed: bool = True  # False: the tool says `evidence: none`
    traced: bool = False
    critical_allowed: bool = False  # the policy lets verified evidence pass a critical action


class Oracle(RecordGraph):
    """One tenant. Operations raise RefusedError; so do questions about unknown agents."""

    def __init__(
        self,
        administrator: str = "user:root",
        undeclared: str = "read_set",
        numbers: Mapping[str, Any] = TRUST,
    ) -> None:
        super().__init__(administrator, undeclared)
        self.numbers = numbers

    # Path trust (SPEC 4)

    def trust(self, record: str, own_users: Names = ()) -> float:
        """Rho without P, which is CanRead; ``own_users`` of the acting agent, at the gate only."""
        weakest = self._weakest(record, own_users, transformed=True)
        product = weakest * self._verified(record) * self._reliability(record)
        return min(1.0, max(0.0, product)) if math.isfinite(product) else 0.0

    def rho(self, agent: str, record: str, now: datetime) -> float:
        """Path trust with all its factors."""
        return self.trust(record) if self.can_read(agent, record, now) else 0.0

    def floor(self, record: str) -> float:
        """S * I of the weakest path: what the trust floor is compared with."""
        return self._weakest(record, (), transformed=False)

    def _weakest(self, record: str, own_users: Names, *, transformed: bool) -> float:
        lineage = self.lineage(record)
        if any(self.malformed(n) for n in lineage):
            return 0.0
        worth: dict[str, float] = {}
        factor = self.numbers["edge"]
        for node in sorted(lineage, key=lambda n: self.nodes[n]["seq"]):  # parents first
            worth[node] = self._integrity(node) * min(
                [worth[e.parent] * (factor[e.type] if transformed else 1.0) for e in self.up[node]]
                if self.up.get(node)
                else [self._source(node, own_users)]
            )
        return worth[record]

    def _integrity(self, node: str) -> float:
        stated = self.numbers["integrity"].get(self.nodes[node].get("integrity"), 0.0)
        return 0.0 if self.closed(node) else stated

    def _source(self, node: str, own_users: Names) -> float:
        """S: of a source; of a record that came from nothing, by who wrote it."""
        found, label = self.nodes[node], self.label(node)
        if label in RECORDS:
            return min([self._source(w, own_users) for w in found["writers"]], default=0.0)
        if label == "Agent":
            return self.numbers["class"]["unknown"]
        if label == "User":
            own = node in own_users and found["standing"] == "established"
            return self.numbers["own_user"] if own else self.numbers["user"][found["standing"]]
        return self.numbers["class"].get(found["source_class"], 0.0)

    def _reliability(self, record: str) -> float:
        """A: the least reliable among the writers of a record and its ancestors."""
        least = 1.0
        for node in self.lineage(record):
            writers = self.nodes[node]["writers"]
            if self.label(node) in RECORDS and not writers:
                return 0.0
            for writer in writers:
                standing = self.nodes[writer].get("standing", "established")
                if self.label(writer) == "Agent" or standing == "compromised":
                    least = min(least, self.numbers["writer"][standing])
        return least

    def _last_words(self, record: str) -> dict[str, dict[str, Any]]:
        """Return the last verification by each verifier, of the present content only."""
        found = self.verifications.get(record, [])
        return {v["by"]: v for v in found if v["of"] == self.content(record)}

    def _verified(self, record: str) -> float:
        """V; a failure wins until the same verifier takes it back."""
        if any(v["outcome"] != "confirmed" for v in self._last_words(record).values()):
            return self.numbers["failed"]
        return self.numbers["confirmed"][self.voices(record)]

    def voices(self, record: str) -> int:
        """How many independent verifiers confirm a record: none, one, or two for more."""
        words = self._last_words(record).values()
        writers = set[str]().union(*[self._above(w) for w in self.nodes[record]["writers"]])
        found = [self._above(v["by"]) for v in words if self._counts(record, v)]
        found = [above for above in found if not above & writers]
        apart = any(not one & other for one, other in combinations(found, 2))
        return 2 if apart else min(1, len(found))

    def _above(self, principal: str) -> set[str]:
        """Itself and whom it ever acted for: to withdraw a link makes nobody independent."""
        above: list[str] = [principal]
        for here in above:  # grows while it is walked
            links = [g.to for g in self.grants.values() if g.principal == here and g.to]
            above += [to for to in links if to not in above]
        return set(above)

    def _counts(self, record: str, word: Mapping[str, Any]) -> bool:
        """Whether it is a confirmation, by somebody established, on evidence from elsewhere."""
        by, related = word["by"], self.lineage(record) | self.descendants(record)
        outside = [e for e in word["evidence"] if e in self.nodes and e not in related]
        answerable = any(self.label(n) == "User" for n in self._above(by))
        known = self.nodes[by].get("standing", "established") == "established"
        supported = any(not self.withdrawn(e) for e in outside)
        return word["outcome"] == "confirmed" and answerable and known and supported

    # Retrieval (SPEC 5)

    def retrieve(
        self, agent: str, similarities: Mapping[str, float], k: int, now: datetime
    ) -> list[tuple[str, float]]:
        """Return the best ``k`` eligible ids with their scores: score descending, oldest first."""
        found = [n for n in self.eligible(agent, now) if n in similarities]
        found = [n for n in found if self.floor(n) >= self.numbers["floor"]]
        score = {n: max(0.0, similarities[n]) * self.trust(n) for n in found}
        return sorted(score.items(), key=lambda s: (-s[1], self.nodes[s[0]]["seq"]))[:k]

    # The gate (SPEC 6)

    def decide(
        self, agent: str, task: str | None, evidence: Mapping[str, str], now: datetime, gate: Gate
    ) -> tuple[str, str]:
        """Return outcome and rule for evidence given as id: role."""
        seen = self.seen.get((agent, task), {})
        items = set(evidence) if gate.traced else {*evidence, *seen}
        if not self.active(agent, "act", now):
            return "Block", "no-right"
        if any(e not in seen or seen[e] != self.content(e) for e in items):
            return "Block", "evidence-not-retrieved"
        if gate.sends and not gate.audience:
            return "Block", "audience-missing"
        return self._rules(agent, items, evidence, now, gate)

    def _rules(
        self, agent: str, items: set[str], roles: Mapping[str, str], now: datetime, gate: Gate
    ) -> tuple[str, str]:
        risk = gate.risk if gate.risk in self.numbers["threshold"] else "critical"
        high = not gate.answer and risk in {"high", "critical"}
        threshold = self.numbers["threshold"]["answer" if gate.answer else risk]
        own = self.own_users(agent, now)
        named = {e for e in items if roles.get(e) == "parameter"}
        spoken = named if gate.traced else items  # their content may reach the audience
        causes = {e: self.withdrawn(e) | self._poisoned(e) for e in items}
        hidden = {e for e in items if not self.can_read(agent, e, now)}
        hidden |= {e for e in spoken for to in gate.audience if not self.admits(e, to, now)}

        def trusted(rest: set[str]) -> bool:
            return bool(rest) and all(self.trust(e, own) >= threshold for e in rest)

        bad = {e for e in items if causes[e]}
        if bad:
            wrong = set[str]().union(*causes.values()) <= {"reliability", "invalid"}
            passes = trusted(items - bad) and not (items - bad) & hidden
            return ("Reverify" if gate.answer and wrong and passes else "Block"), "R1"
        if hidden:
            redact = not high and not hidden & named and trusted(items - hidden)
            return ("Redact" if redact else "Block"), "R2"
        needed = gate.evidence_needed or risk != "low"
        if not items and gate.answer:
            return "Allow", "R3"  # marked unsupported
        if (items or needed) and not trusted(items):
            return ("AskUser" if high else "Reverify"), "R3"
        verified = all(self.voices(e) and self._verified(e) > 1 for e in items)
        if risk == "critical" and not gate.answer and not (verified and gate.critical_allowed):
            return "AskUser", "R4"
        return "Allow", "R4"

    def _poisoned(self, record: str) -> set[str]:
        classes = {self.nodes[n].get("source_class") for n in self.lineage(record)}
        return {"reliability"} if "poisoned" in classes else set()
