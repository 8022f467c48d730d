"""Path trust: how far a record can be trusted, from the paths that lead to it.

``S * I * F`` of a record is the minimum over all paths from a root to it (SPEC 4). The
factors are never negative, so the minimum is worked out node by node, parents first, in one
pass; paths are never listed. What is missing, mistyped, not finite or outside [0, 1] is 0.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mapgraph_neo.policy import Policy
from mapgraph_neo.policy_parts import MAX_FACTOR
from mapgraph_neo.vocabulary import LINEAGE_EDGES, EdgeType, NodeLabel, Standing

SECONDS_A_DAY = 86_400.0
_RECORDS = frozenset({NodeLabel.MEMORY, NodeLabel.CLAIM, NodeLabel.MESSAGE})


class TrustWriter(NamedTuple):
    """Who wrote a record: kind (user, agent, tool, host) and standing, or class of a tool."""

    kind: str
    state: str | None
    id: str | None = None


class TrustNode(NamedTuple):
    """What trust needs to know of a node."""

    id: str
    seq: int
    label: NodeLabel
    integrity: str
    revoked: bool
    source_class: str | None = None
    standing: str | None = None
    writers: Sequence[tuple[str, str | None] | TrustWriter] = ()


class TrustEdge(NamedTuple):
    """A lineage edge from a child to what it came from, and how long ago that was."""

    child: str
    parent: str
    type: EdgeType
    age_seconds: float = 0.0


class PathTrust(NamedTuple):
    """The least of ``S * I * F``, of ``S * I`` and of ``A`` over all paths to a node.

    ``source_class`` is set on tools and resources only: the class whose half-life counts for
    the edges that point at them.
    """

    sif: float
    si: float
    writer: float
    source_class: str | None = None


NOTHING = PathTrust(0.0, 0.0, 0.0)
"""The trust of what is malformed."""


def unit(value: object) -> float:
    """Return ``value`` if it is a finite number in [0, 1], else 0."""
    if isinstance(value, float):
        return value if 0.0 <= value <= 1.0 else 0.0  # NaN compares false
    return 1.0 if type(value) is int and value == 1 else 0.0


def path_trust(
    nodes: Iterable[TrustNode],
    edges: Iterable[TrustEdge],
    policy: Policy,
    *,
    own_users: frozenset[str] = frozenset(),
) -> dict[str, PathTrust]:
    """Return the path trust of every node of a lineage, in one pass over it.

    Args:
        nodes: The nodes, in any order; whole ancestries.
        edges: The lineage edges between them, in any order.
        policy: Where the numbers come from.
        own_users: The acting agent's own users, at the gate only: one that is established
            counts as ``own_user`` of the policy.

    """
    listed = list(nodes)
    above: dict[str, list[TrustEdge]] = {}
    for edge in edges:
        above.setdefault(edge.child, []).append(edge)
    times = Counter(node.id for node in listed)
    found = {node.id: NOTHING for node in listed}
    numbered = [node for node in listed if times[node.id] == 1 and type(node.seq) is int]
    seqs: dict[str, int] = {}
    for node in sorted(numbered, key=lambda each: each.seq):
        links = above.get(node.id, ())
        # INVARIANT: a parent is older than its child, so it was worked out before it.
        parents = [
            (found[link.parent], link)
            for link in links
            if seqs.get(link.parent, node.seq) < node.seq
        ]
        if len(parents) == len(links):
            found[node.id] = extend(node, parents, policy, own_users=own_users)
        seqs[node.id] = node.seq
    return found


def extend(
    node: TrustNode,
    above: Sequence[tuple[PathTrust, TrustEdge]],
    policy: Policy,
    *,
    own_users: frozenset[str] = frozenset(),
) -> PathTrust:
    """Return the path trust of one node from that of its parents.

    Args:
        node: The node.
        above: The path trust of each parent, with the edge that leads to it; none for a root.
        policy: Where the numbers come from.
        own_users: As in ``path_trust``.

    """
    whole = _integrity(node, policy)
    writer = _reliability(node, policy)
    if not above:
        source = whole * _source(node, policy, own_users)
        return PathTrust(source, source, writer, _aging_class(node))
    if node.label not in _RECORDS:
        return NOTHING
    sif = si = 1.0
    for parent, edge in above:
        if edge.child != node.id or edge.type not in LINEAGE_EDGES:
            return NOTHING
        sif = min(sif, unit(parent.sif) * _step(edge, parent, policy))
        si = min(si, unit(parent.si))
        writer = min(writer, unit(parent.writer))
    return PathTrust(whole * sif, whole * si, writer)


def rho(path: PathTrust, verification_factor: float, *, permitted: bool = True) -> float:
    """Return ``clip01(S * I * F * P * V * A)``; no factor lifts a source that is worth nothing.

    Args:
        path: The path trust of the record.
        verification_factor: V, from ``verification.factor``; 1 for an unverified record.
        permitted: P, whether the agent may read the record now.

    """
    if permitted is not True or not _is_number(verification_factor):
        return 0.0
    if not 0.0 <= verification_factor <= MAX_FACTOR:
        return 0.0
    return min(1.0, unit(path.sif) * unit(path.writer) * verification_factor)


def score(similarity: float, trust: float) -> float:
    """Return what ranks: ``max(0, cosine) * rho``, in [0, 1]; NaN counts as 0."""
    return min(1.0, similarity) * unit(trust) if similarity > 0.0 else 0.0


def grade(
    record: str,
    lineage: tuple[Iterable[TrustNode], Iterable[TrustEdge]],
    policy: Policy,
    *,
    verification_factor: float = 1.0,
    own_users: frozenset[str] = frozenset(),
) -> float:
    """Return rho of one readable record from the nodes and edges of its lineage; 0 if absent."""
    paths = path_trust(*lineage, policy, own_users=own_users)
    return rho(paths.get(record, NOTHING), verification_factor)


def _source(node: TrustNode, policy: Policy, own_users: frozenset[str]) -> float:
    """Return S of a root: its own, or for a record without ancestors that of its worst writer."""
    if node.label in (NodeLabel.TOOL, NodeLabel.RESOURCE):
        return _of_class(node.source_class, policy)
    if node.label is NodeLabel.USER:
        return _of_user(node.standing, policy, own=node.id in own_users)
    if node.label not in _RECORDS:
        return 0.0
    return min((_of_writer(writer, policy, own_users) for writer in node.writers), default=0.0)


def _of_writer(writer: Sequence[str | None], policy: Policy, own_users: frozenset[str]) -> float:
    kind, state, *rest = writer
    if kind == "user":
        return _of_user(state, policy, own=bool(own_users.intersection(rest)))
    if kind == "tool":
        return _of_class(state, policy)
    return policy.source.unknown_record if kind in ("agent", "host") else 0.0


def _of_class(name: object, policy: Policy) -> float:
    return policy.source.classes.get(name, 0.0) if isinstance(name, str) else 0.0


def _of_user(standing: object, policy: Policy, *, own: bool) -> float:
    users = policy.source.users
    if standing == Standing.ESTABLISHED:
        return policy.source.own_user if own else users.established
    return users.new if standing == Standing.NEW else 0.0


def _integrity(node: TrustNode, policy: Policy) -> float:
    """Return I of one node; unknown words and anything but ``revoked=False`` are 0."""
    if node.revoked is not False:
        return 0.0
    if node.integrity == "intact":
        return policy.integrity.intact
    return policy.integrity.incomplete if node.integrity == "incomplete" else 0.0


def _reliability(node: TrustNode, policy: Policy) -> float:
    """Return A of one node; a source has no writer, a record without one is malformed."""
    if node.label not in _RECORDS:
        return 1.0
    return min((_of_author(writer, policy) for writer in node.writers), default=0.0)


def _of_author(writer: Sequence[str | None], policy: Policy) -> float:
    kind, state, *_ = writer
    known = policy.writer
    if kind in ("host", "tool"):
        return known.host
    if kind not in ("user", "agent"):
        return 0.0
    if state == Standing.ESTABLISHED:
        return known.human if kind == "user" else known.agent
    if state == Standing.NEW:
        return known.human if kind == "user" else known.new_agent
    return 0.0


def _step(edge: TrustEdge, parent: PathTrust, policy: Policy) -> float:
    """Return F of one edge, with the half-life of the class of the source that it points at."""
    kept = policy.transformation
    factor = kept.derived
    if edge.type != EdgeType.DERIVED_FROM:
        factor = kept.observed if edge.type == EdgeType.OBSERVED_FROM else kept.summarized
    days = policy.half_life_days.get(parent.source_class) if parent.source_class else None
    if days is None:
        return factor
    age = edge.age_seconds
    if not _is_number(age) or not math.isfinite(age):
        return 0.0
    return factor * 0.5 ** (max(0.0, age) / (days * SECONDS_A_DAY))


def _aging_class(node: TrustNode) -> str | None:
    aging = node.label in (NodeLabel.TOOL, NodeLabel.RESOURCE)
    return node.source_class if aging and isinstance(node.source_class, str) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
