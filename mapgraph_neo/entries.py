"""What is kept for each record so that ranking is fast: clauses, earliest expiry, path trust.

Everything here is a cache of what the ancestry path query proves; it is worked out parents
first, by the same code for a single write, an import and a change that is worked off.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, cast

from mapgraph_neo.context import milliseconds
from mapgraph_neo.names import EVERYBODY, PUBLIC
from mapgraph_neo.policy import Policy
from mapgraph_neo.trust import PathTrust, TrustEdge, TrustNode, TrustWriter, extend, rho
from mapgraph_neo.vocabulary import DeclaredBy, EdgeType, NodeLabel, label_read

NOBODY = ""
"""A clause without principals: no reader satisfies it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Who wrote a record: id, label and standing (or class, of a tool)."""

    id: str
    kind: NodeLabel
    standing: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """One parent as the graph holds it: own facts of a source, kept values of a record."""

    id: str
    seq: int
    kind: NodeLabel
    scope: tuple[str, ...] | None
    expires_at: datetime | None
    source_class: str | None
    standing: str | None
    integrity: str | None
    closed: bool
    clauses: tuple[str, ...] | None
    expires_ms: int | None
    path: PathTrust | None
    windows: tuple[tuple[datetime | None, datetime | None], ...] = ()

    def taints(self, at: datetime | None) -> bool:
        """Return whether an edge of that time falls into the window of a revocation."""
        return any(
            at is None or ((since is None or since <= at) and (until is None or at < until))
            for since, until in self.windows
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An edge of lineage from a record to one parent."""

    parent: str
    type: EdgeType
    declared_by: DeclaredBy = DeclaredBy.HOST
    at: datetime | None = None
    occurred_at: datetime | None = None
    tainted: bool = False
    age_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """The facts of a record itself."""

    id: str
    seq: int
    kind: NodeLabel
    scope: tuple[str, ...]
    writers: tuple[Writer, ...]
    integrity: str
    expires_at: datetime | None
    revoked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """What is kept for a record."""

    clauses: tuple[str, ...]
    expires_ms: int | None
    path: PathTrust
    affected: bool

    @property
    def trust(self) -> float:
        """Path trust without verification, in [0, 1]."""
        return rho(self.path, 1.0)


def work_out(
    own: Own, links: Sequence[Link], known: Mapping[str, Parent], policy: Policy
) -> Values:
    """Return what is to be kept for ``own``, from its links and the parents they lead to."""
    clauses = {_clause(own.scope, own.writers)}
    ends = [milliseconds(own.expires_at)]
    above: list[tuple[PathTrust, TrustEdge]] = []
    affected = False
    for link in links:
        parent = known[link.parent]
        clauses.update(_clauses_of(parent))
        ends.append(parent.expires_ms if parent.path else milliseconds(parent.expires_at))
        affected = affected or parent.closed or link.tainted or parent.taints(link.at)
        edge = TrustEdge(
            child=own.id, parent=parent.id, type=link.type, age_seconds=link.age_seconds
        )
        above.append((parent.path or source_path(parent, policy), edge))
    return Values(
        clauses=tuple(sorted(clause for clause in clauses if clause is not None)),
        expires_ms=min((end for end in ends if end is not None), default=None),
        path=extend(_trust_node(own), above, policy),
        affected=affected,
    )


def kept_trust(path: PathTrust, policy: Policy, verified: bool) -> float:  # noqa: FBT001
    """Return the path trust that ranking goes by: the most that a record can be worth.

    What verification adds depends on the verifiers' standing and evidence, so a verified record
    is kept with the most that it can add; each proof grades anew.
    """
    return rho(path, policy.verification.several if verified else 1.0)


def as_parent(own: Own, values: Values) -> Parent:
    """Return a record that was just worked out as the parent of the next one."""
    return Parent(
        id=own.id,
        seq=own.seq,
        kind=own.kind,
        scope=own.scope,
        expires_at=own.expires_at,
        source_class=None,
        standing=None,
        integrity=own.integrity,
        closed=values.affected or own.revoked,
        clauses=values.clauses,
        expires_ms=values.expires_ms,
        path=values.path,
    )


def parent_of(row: Mapping[str, Any]) -> Parent:
    """Return a parent from a row of ``record/parents`` or ``rework/batch``."""
    kept = row["sif"] is not None
    return Parent(
        id=row["id"],
        seq=row["seq"],
        kind=label_read(row["kind"]),
        scope=scope_of(row["scope"]),
        expires_at=moment(row["expires_at"]),
        source_class=row["source_class"],
        standing=row["standing"],
        integrity=row["integrity"],
        closed=row["closed"],
        clauses=None if row["clauses"] is None else tuple(row["clauses"]),
        expires_ms=row["expires_ms"],
        path=PathTrust(sif=row["sif"], si=row["floor"], writer=row["reliability"])
        if kept
        else None,
        windows=tuple((since, until) for since, until in row.get("windows", ())),
    )


def link_of(row: Mapping[str, Any], now: datetime) -> Link:
    """Return the edge to a parent from a row of ``rework/batch`` or ``doctor/records``."""
    at = row["at"]
    timed = isinstance(at, datetime) and at.utcoffset() is not None
    return Link(
        parent=row["id"],
        type=EdgeType(row["type"]),
        tainted=row["tainted"],
        age_seconds=max(0.0, (now - at).total_seconds()) if timed else 0.0,
    )


def scope_of(value: object) -> tuple[str, ...] | None:
    """Return a scope; ``None``, which is nobody, for what is no list of principals."""
    if not isinstance(value, list):
        return None
    principals = cast("list[object]", value)
    return tuple(str(each) for each in principals) if _all_text(principals) else None


def moment(value: object) -> datetime | None:
    """Return when something ends; what is no zoned time counts as ended long ago."""
    if value is None:
        return None
    if isinstance(value, datetime) and value.utcoffset() is not None:
        return value
    return datetime.fromtimestamp(0, UTC)


def with_values(parent: Parent, fresh: Parent | None) -> Parent:
    """Return ``parent`` with values that were worked out in this very batch, if there are any."""
    if fresh is None:
        return parent
    return replace(
        parent,
        clauses=fresh.clauses,
        expires_ms=fresh.expires_ms,
        path=fresh.path,
        closed=fresh.closed,
    )


def class_key(clauses: Iterable[str]) -> str:
    """Return the key of the access class with these clauses."""
    # Each clause is led in: no clause at all is everybody, the one clause NOBODY is nobody.
    return hashlib.sha256("".join(f"\x1e{each}" for each in clauses).encode()).hexdigest()


def principals_of(clause: str) -> tuple[str, ...]:
    """Return the principals of a clause, of which a reader must hold one."""
    return tuple(clause.split("\n"))


def source_path(parent: Parent, policy: Policy) -> PathTrust:
    """Return the path trust of a source; a record without kept values counts as nothing."""
    if parent.kind in (NodeLabel.MESSAGE, NodeLabel.MEMORY, NodeLabel.CLAIM):
        return PathTrust(sif=0.0, si=0.0, writer=0.0)
    node = TrustNode(
        id=parent.id,
        seq=parent.seq,
        label=parent.kind,
        integrity=parent.integrity or "",
        revoked=False,
        source_class=parent.source_class,
        standing=parent.standing,
    )
    return extend(node, [], policy)


def _all_text(values: Iterable[object]) -> bool:
    return all(isinstance(each, str) for each in values)


def _trust_node(own: Own) -> TrustNode:
    return TrustNode(
        id=own.id,
        seq=own.seq,
        label=own.kind,
        integrity=own.integrity,
        revoked=False,
        writers=tuple(
            TrustWriter(writer.kind.lower(), writer.standing, writer.id) for writer in own.writers
        ),
    )


def _clauses_of(parent: Parent) -> Iterable[str | None]:
    if parent.kind in (NodeLabel.MESSAGE, NodeLabel.MEMORY, NodeLabel.CLAIM):
        return [NOBODY] if parent.clauses is None else parent.clauses
    return [NOBODY if parent.scope is None else _clause(parent.scope, ())]


def _clause(scope: Iterable[str], writers: Iterable[Writer]) -> str | None:
    """Return one clause, or ``None`` for one that every active agent satisfies."""
    agents = [writer.id for writer in writers if writer.kind is NodeLabel.AGENT]
    principals = sorted({*scope, *agents})
    if EVERYBODY in principals or PUBLIC in principals:
        return None
    return "\n".join(principals) if principals else NOBODY
