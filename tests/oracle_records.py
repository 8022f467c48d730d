"""The oracle's records: who may read, write and send what (SPEC 3).

Plain Python; clear before fast. It shares no code with the engine.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypedDict, Unpack

from oracle_authority import Authority
from oracle_graph import ENDPOINTS, RECORDS, SOURCES, Edge, Names, need, well_timed

WHY_NONE = ("inactive-agent", "unknown")
WHY_NOT = ("pending", "malformed", "revoked", "invalidated", "expired", "scope")
EVERYBODY = {"*", "public"}


class Facts(TypedDict, total=False):
    """What every way of writing a record takes beside writer and parents."""

    task: str | None
    scope: Names | None
    expires_at: datetime | None
    occurred_at: datetime | None
    text: str
    tracing: bool  # the parents are the host's finding, and complete
    host: bool  # a line of the host's log: a fact, of which only the structure is checked


class RecordGraph(Authority):
    """The execution graph with its records, read sets and verifications."""

    def __init__(self, administrator: str = "user:root", undeclared: str = "read_set") -> None:
        super().__init__(administrator)
        self.undeclared = undeclared  # parents that were not given: read_set, reject or none
        self.seen: dict[tuple[str, str | None], dict[str, str]] = {}  # (agent, task): id: hash
        self.sent: dict[str, list[str]] = {}  # recipient: messages it has not read yet
        self.verifications: dict[str, list[dict[str, Any]]] = {}

    # CanRead (SPEC 3)

    def reasons(self, agent: str, record: str, now: datetime) -> set[str]:
        """Every reason why not, over the whole lineage; `allowed` alone when there is none."""
        matched = self._matched(agent, now)
        if not matched:
            return {"inactive-agent"}
        if record not in self.nodes:
            return {"unknown"}
        found = [self._against(n, agent, matched, now) for n in self.lineage(record)]
        return set[str]().union(*found) or {"allowed"}

    def _matched(self, agent: str, now: datetime) -> set[str]:
        """What a scope may name to admit an agent; nothing unless it is active."""
        active = self.active(agent, "read", now)
        return self.principals(agent, now) | EVERYBODY if active else set()

    def reason(self, agent: str, record: str, now: datetime) -> str:
        found = self.reasons(agent, record, now)
        return next((r for r in WHY_NONE + WHY_NOT if r in found), "allowed")

    def can_read(self, agent: str, record: str, now: datetime) -> bool:
        return self.reasons(agent, record, now) == {"allowed"}

    def eligible(self, agent: str, now: datetime) -> set[str]:
        """Return memories and claims; whatever speaks against a node spoils all that it led to."""
        matched = self._matched(agent, now)
        spoiled = {n for n in self.nodes if self._against(n, agent, matched, now)}
        spoiled |= self.walk(spoiled, self.down, "child")
        found = {n for n in self.nodes if self.label(n) in {"Memory", "Claim"}}
        return found - spoiled if matched else set()

    def readers(self, record: str, now: datetime) -> set[str]:
        agents = [n for n in self.nodes if self.label(n) == "Agent"]
        return {a for a in agents if self.can_read(a, record, now)}

    def _against(self, node: str, agent: str, matched: set[str], now: datetime) -> set[str]:
        """What speaks against one node of a lineage, with the edges that lead on from it."""
        found, up = self.nodes[node], self.up.get(node, [])
        kinds = self.kinds(node).union(*map(self.taints, up))
        if found.get("pending") is not None:
            return {"pending"}
        reasons = {"invalidated", "revoked"} if "invalid" in kinds else set[str]()
        reasons |= {"revoked"} if kinds or self.closed(node) else set()
        if self.malformed(node):
            return reasons | {"malformed"}
        expires = found.get("expires_at")
        reasons |= {"expired"} if expires is not None and expires <= now else set()
        admitted = matched.intersection(found["scope"]) or agent in found["writers"]
        return reasons if admitted else reasons | {"scope"}

    def malformed(self, node: str) -> bool:
        found, up = self.nodes[node], self.up.get(node, [])
        scope, expires = found.get("scope"), found.get("expires_at")
        return not (
            found["label"] in SOURCES | RECORDS
            and type(found.get("seq")) is int
            and type(found.get("revoked")) is bool
            and isinstance(scope, list)
            and all(isinstance(s, str) for s in scope)  # type: ignore[reportUnknownVariableType]
            and (expires is None or well_timed(expires))
            and type(found.get("parents")) is int
            and found["parents"] == len(up)
            and all(self._sound(edge) for edge in up)
        )

    def _sound(self, edge: Edge) -> bool:
        """Every cycle has an edge that leads to nothing earlier, so it is not sound."""
        child, parent = self.nodes[edge.child], self.nodes[edge.parent]
        children, parents = ENDPOINTS[edge.type]
        later, earlier = child.get("seq"), parent.get("seq")
        ordered = type(later) is int and type(earlier) is int and earlier < later
        placed = child["label"] in children and parent["label"] in parents
        return ordered and placed and well_timed(edge.time)

    def admits(self, record: str, recipient: str, now: datetime) -> bool:
        """Whether every own scope in a lineage admits somebody an action reaches (SPEC 6)."""
        if self.label(recipient) == "Agent" and self.active(recipient, "read", now):
            matched = self._matched(recipient, now)
        elif self.in_force(recipient, "User"):
            matched = self.holdings(recipient, now) | EVERYBODY
        elif recipient.startswith(("team:", "role:")) or recipient == "*":
            matched = {recipient} | EVERYBODY
        else:  # outside the tenant, unknown or no longer active
            matched = {recipient if recipient.startswith("external:") else "", "public"}
        lineage = self.lineage(record)
        if record not in self.nodes or any(self.malformed(n) for n in lineage):
            return False
        found = [self.nodes[n] for n in lineage]
        return all(matched.intersection(n["scope"]) or recipient in n["writers"] for n in found)

    # Writing and reading (SPEC 3)

    def may_write(self, writer: str, parents: Iterable[str], now: datetime) -> bool:
        if not self.active(writer, "write", now):
            return False
        return all(self.can_read(writer, p, now) for p in parents)

    def read_set(self, agent: str, task: str | None) -> set[str]:
        return set(self.seen.get((agent, task), {}))

    def observe(
        self, node: str, writer: str, source: str, now: datetime, **facts: Unpack[Facts]
    ) -> None:
        """Remember what a source said; never joined with the read set, the source is the host's."""
        self._write(node, "OBSERVED_FROM", writer, [source], now, facts | {"tracing": True})

    def remember(
        self, node: str, writer: str, now: datetime, parents: Names = (), **facts: Unpack[Facts]
    ) -> None:
        self._write(node, "DERIVED_FROM", writer, parents, now, facts)

    derive = claim = remember  # a claim is told by its id

    def summarize(
        self, node: str, writer: str, now: datetime, parents: Names = (), **facts: Unpack[Facts]
    ) -> None:
        self._write(node, "SUMMARIZED_FROM", writer, parents, now, facts)

    def send(
        self,
        node: str,
        writer: str,
        to: str,
        now: datetime,
        parents: Names = (),
        **facts: Unpack[Facts],
    ) -> None:
        need(self.label(to) == "Agent", "no such recipient")
        joined = self._undeclared(writer, parents, facts)
        host, above = facts.get("host"), [*parents, *joined]
        reads = self.active(to, "read", now) and all(self.can_read(to, p, now) for p in above)
        need(host or reads, "the recipient may not read the lineage")
        self._write(node, "DERIVED_FROM", writer, parents, now, facts)
        if not above and facts.get("scope") is None:
            self.nodes[node]["scope"] = [writer, to]
        self.sent.setdefault(to, []).append(node)

    def _undeclared(self, writer: str, parents: Names, facts: Facts) -> list[str]:
        """Return what the writer read or wrote in the task but does not name."""
        logged = facts.get("host") and facts.get("task") is None
        if facts.get("tracing") or logged or self.undeclared == "none":
            return []
        found = self.read_set(writer, facts.get("task")).difference(parents)
        need(not found or self.undeclared != "reject", "parents that were read but not given")
        return sorted(found)

    def _write(
        self, node: str, kind: str, writer: str, parents: Names, now: datetime, facts: Facts
    ) -> None:
        host, wrote = facts.get("host", False), {"Agent", "User", "Tool"}
        joined = self._undeclared(writer, parents, facts)
        need(self.label(writer) in (wrote if host else {"Agent"}), "no such writer")
        declared = "host" if host or facts.get("tracing") else "agent"
        up = [(kind, p, declared) for p in dict.fromkeys(parents)]
        up += [("DERIVED_FROM", p, "read_set") for p in joined]
        for edge, parent, _ in up:
            need(self.label(parent) in ENDPOINTS[edge][1], "unknown, or no such parent")
        need(
            host or self.may_write(writer, [p for _, p, _ in up], now), "not readable, or no right"
        )
        scope, expires = facts.get("scope"), facts.get("expires_at")
        alone = [] if self.label(writer) == "Tool" else [writer]
        default = ["*"] if up else alone
        text = facts.get("text", "")
        self._add(node, default if scope is None else scope, expires_at=expires, text=text)
        self.nodes[node] |= {"writers": [writer], "parents": len(up)}
        for edge, parent, by in up:
            self._connect(Edge(edge, node, parent, now, facts.get("occurred_at"), by))
        if self.label(writer) == "Agent":
            self._saw(writer, facts.get("task"), node)

    def _saw(self, agent: str, task: str | None, node: str) -> None:
        self.seen.setdefault((agent, task), {})[node] = self.content(node)

    def content(self, node: str) -> str:
        return self.nodes[node].get("content_hash", node)

    def read(self, agent: str, node: str, now: datetime, task: str | None = None) -> None:
        """Hand out a record or resource and record it (READ_BY)."""
        need(self.label(node) in RECORDS | {"Resource"}, "unknown, or nothing to read")
        need(self.can_read(agent, node, now), "not readable")
        self._saw(agent, task, node)
        if node in self.sent.get(agent, []):
            self.sent[agent].remove(node)

    def receive(self, agent: str, now: datetime, task: str | None = None) -> list[str]:
        """Hand out the messages that the agent has not read yet and may read now."""
        found = [m for m in self.sent.get(agent, []) if self.can_read(agent, m, now)]
        for message in found:
            self.read(agent, message, now, task)
        return found

    def verify(
        self, node: str, by: str, outcome: str, now: datetime, *, evidence: Names = ()
    ) -> None:
        need(self.label(node) in {"Memory", "Claim"}, "neither memory nor claim")
        delegated = self.label(by) == "Agent" and self.active(by, "verify", now)
        need(delegated or self.may(by, "verify", now), "no right to verify")
        fact = {"by": by, "outcome": outcome, "evidence": evidence, "of": self.content(node)}
        self.verifications.setdefault(node, []).append(fact)
