"""Values that pass between the stages and out to callers; frozen, and free of I/O."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from mapgraph_neo.vocabulary import EvidenceRole, NodeLabel, Outcome, Reason, RiskLevel, Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory or claim that was proved readable, with its grade.

    ``similarity`` is the cosine in [-1, 1], ``trust`` the path trust in [0, 1], and
    ``score = max(0, similarity) * trust`` (SPEC 4).
    """

    id: str
    text: str
    score: float
    similarity: float
    trust: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """The hits of one retrieval, best first, and the epoch they hold for.

    ``complete`` is false when a limit was reached or a rescope is still being worked off,
    so that more might have been found.
    """

    hits: tuple[Hit, ...]
    epoch: int
    complete: bool

    def __iter__(self) -> Iterator[Hit]:
        """Iterate over the hits."""
        return iter(self.hits)

    def __len__(self) -> int:
        """Return how many hits there are."""
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        """Return one hit by its rank, the best being 0."""
        return self.hits[index]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record or resource that was read by its id."""

    id: str
    label: NodeLabel
    text: str | None
    writer: str | None
    created_at: datetime
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Whether an agent may read a record, why, and the epoch of the answer."""

    allowed: bool
    reason: Reason
    epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A check with its witness: the path from the record to the first blocking ancestor."""

    allowed: bool
    reason: Reason
    epoch: int
    witness: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation:
    """What the caller must do before or while it acts."""

    outcome: Outcome
    targets: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence of a proposed action."""

    id: str
    role: EvidenceRole


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The gate's answer. ``id`` is the id of the Action node that keeps it."""

    id: str
    outcome: Outcome
    rule: Rule
    obligations: tuple[Obligation, ...]
    trust: float | None
    threshold: float
    risk: RiskLevel
    epoch: int
    policy: str
    reason: str
    agent: str
    task: str
    tool: str
    evidence: tuple[Evidence, ...] = ()
    unsupported: bool = False
    state: str = "decided"  # decided, pending, approved, rejected, started, done, failed
    at: datetime | None = None

    @property
    def allowed(self) -> bool:
        """Whether the action may be executed as it stands."""
        return self.outcome is Outcome.ALLOW


@dataclass(frozen=True, slots=True, kw_only=True)
class RevocationReport:
    """What a revocation did, or with ``dry_run`` would do."""

    id: str | None
    target: str
    kind: str
    affected: int
    by_kind: Mapping[str, int] = field(default_factory=dict[str, int])
    by_depth: Mapping[int, int] = field(default_factory=dict[int, int])
    agents: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    epoch: int = 0
    complete: bool = True
    already: bool = False  # the same revocation stood before; nothing was changed


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageNode:
    """A node of a lineage, as an operator sees it."""

    id: str
    label: NodeLabel
    caption: str
    state: str  # active, revoked, affected, erased
    properties: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageEdge:
    """An edge of a lineage."""

    type: str
    source: str
    target: str
    properties: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """A node with all it came from; cut at a limit, then ``complete`` is false."""

    root: str
    nodes: tuple[LineageNode, ...]
    edges: tuple[LineageEdge, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that ``doctor`` looked at; ``ok`` is false when it drifted.

    ``count`` is how much drifted and ``ids`` some of it; ``fix`` says what a fix does about it,
    ``person`` what only a person can do. Both are empty where there is nothing to do.
    """

    name: str
    ok: bool
    detail: str = ""
    count: int = 0
    ids: tuple[str, ...] = ()
    fix: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorReport:
    """What ``doctor`` found, at which epoch.

    ``plan`` is what a fix would do now, ``fixed`` what this one did before the report was made.
    ``steady`` is false when others wrote all the while, so that a finding may be a change that was
    only half seen.
    """

    tenant: str
    healthy: bool
    epoch: int
    findings: tuple[Finding, ...]
    plan: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    steady: bool = True
