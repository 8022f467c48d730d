"""The closed sets of names: labels, edge types, states, rights, risks, outcomes, reasons.

Nothing else may spell one of these words as a string; every set is closed, so a value
outside it is refused where it enters.
"""

from enum import StrEnum


class NodeLabel(StrEnum):
    """The eight node labels, as they stand in the graph."""

    USER = "User"
    AGENT = "Agent"
    TOOL = "Tool"
    RESOURCE = "Resource"
    MESSAGE = "Message"
    MEMORY = "Memory"
    CLAIM = "Claim"
    ACTION = "Action"


def label_read(value: object) -> NodeLabel:
    """Return a label as the graph has it; what has none of ours is no source and no record."""
    return NodeLabel(value) if value in _LABELS else NodeLabel.ACTION


_LABELS = frozenset(label.value for label in NodeLabel)


class EdgeType(StrEnum):
    """The ten edge types, as they stand in the graph."""

    AUTHORIZED_BY = "AUTHORIZED_BY"
    OBSERVED_FROM = "OBSERVED_FROM"
    FORWARDED_TO = "FORWARDED_TO"
    DERIVED_FROM = "DERIVED_FROM"
    SUMMARIZED_FROM = "SUMMARIZED_FROM"
    WRITTEN_BY = "WRITTEN_BY"
    READ_BY = "READ_BY"
    VERIFIED_BY = "VERIFIED_BY"
    INVALIDATED_BY = "INVALIDATED_BY"
    USED_FOR_ACTION = "USED_FOR_ACTION"


LINEAGE_EDGES = (EdgeType.OBSERVED_FROM, EdgeType.DERIVED_FROM, EdgeType.SUMMARIZED_FROM)
"""The three edge types that carry restriction and trust; all others carry neither."""

_RECORDS = frozenset({NodeLabel.MEMORY, NodeLabel.CLAIM, NodeLabel.MESSAGE})
_ACTORS = frozenset({NodeLabel.AGENT, NodeLabel.USER, NodeLabel.TOOL})

ENDPOINTS: dict[EdgeType, tuple[frozenset[NodeLabel], frozenset[NodeLabel]]] = {
    EdgeType.AUTHORIZED_BY: (
        frozenset({NodeLabel.AGENT, NodeLabel.TOOL, NodeLabel.RESOURCE, NodeLabel.ACTION}),
        frozenset({NodeLabel.USER, NodeLabel.AGENT}),  # Agent only as the target of an Agent
    ),
    EdgeType.OBSERVED_FROM: (
        _RECORDS,
        frozenset({NodeLabel.RESOURCE, NodeLabel.TOOL, NodeLabel.USER}),
    ),
    EdgeType.FORWARDED_TO: (frozenset({NodeLabel.MESSAGE}), frozenset({NodeLabel.AGENT})),
    EdgeType.DERIVED_FROM: (_RECORDS, _RECORDS | {NodeLabel.RESOURCE}),
    EdgeType.SUMMARIZED_FROM: (
        frozenset({NodeLabel.MEMORY, NodeLabel.MESSAGE}),
        _RECORDS | {NodeLabel.RESOURCE},
    ),
    EdgeType.WRITTEN_BY: (_RECORDS | {NodeLabel.ACTION}, _ACTORS),
    EdgeType.READ_BY: (_RECORDS | {NodeLabel.RESOURCE}, frozenset({NodeLabel.AGENT})),
    EdgeType.VERIFIED_BY: (frozenset({NodeLabel.MEMORY, NodeLabel.CLAIM}), _ACTORS),
    EdgeType.INVALIDATED_BY: (
        _RECORDS | {NodeLabel.RESOURCE, NodeLabel.TOOL, NodeLabel.USER},
        frozenset({NodeLabel.USER, NodeLabel.AGENT}),
    ),
    EdgeType.USED_FOR_ACTION: (
        frozenset({NodeLabel.MEMORY, NodeLabel.CLAIM, NodeLabel.RESOURCE, NodeLabel.TOOL}),
        frozenset({NodeLabel.ACTION}),
    ),
}
"""From which labels to which labels each edge type may lead (SPEC 2)."""


class StateLabel(StrEnum):
    """Marker labels beside the eight, so that a state has a colour in Browser."""

    REVOKED = "Revoked"
    AFFECTED = "Affected"


class DeclaredBy(StrEnum):
    """Who said that a parent is a parent."""

    HOST = "host"
    AGENT = "agent"
    READ_SET = "read_set"


class Right(StrEnum):
    """What a principal may do; rights intersect along a chain of delegation."""

    READ = "read"
    WRITE = "write"
    ACT = "act"
    DELEGATE = "delegate"
    VERIFY = "verify"
    APPROVE = "approve"
    INVALIDATE = "invalidate"
    REVOKE = "revoke"
    ADMINISTER = "administer"


DEFAULT_RIGHTS = (Right.READ, Right.WRITE, Right.ACT)
USER_RIGHTS = (Right.READ, Right.WRITE, Right.ACT, Right.DELEGATE)
"""What every active user holds without a grant; the rest must be granted."""


class Standing(StrEnum):
    """How well a user or agent is known."""

    NEW = "new"
    ESTABLISHED = "established"
    COMPROMISED = "compromised"


class RevocationKind(StrEnum):
    """Why a source was withdrawn; every kind closes reading, the gate tells them apart."""

    ACCESS = "access"
    RELIABILITY = "reliability"
    ERASURE = "erasure"
    INVALID = "invalid"  # one record declared wrong; the gate treats it as reliability


class VerificationOutcome(StrEnum):
    """What a verifier found."""

    CONFIRMED = "confirmed"
    FAILED = "failed"


class EvidenceRole(StrEnum):
    """Whether evidence only justifies an action or its content goes into the arguments."""

    EVIDENCE = "evidence"
    PARAMETER = "parameter"


class RiskLevel(StrEnum):
    """How much harm a wrong action can do."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


RISK_ORDER = (RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH, RiskLevel.CRITICAL)


class Outcome(StrEnum):
    """What the gate says about a proposed action."""

    ALLOW = "Allow"
    BLOCK = "Block"
    REVERIFY = "Reverify"
    REDACT = "Redact"
    ASK_USER = "AskUser"


class Rule(StrEnum):
    """The determining rule of a decision: the first that matched."""

    AFFECTED = "R1"
    PERMISSION = "R2"
    TRUST = "R3"
    OTHERWISE = "R4"
    EVALUATION_ERROR = "evaluation-error"
    EVIDENCE_NOT_RETRIEVED = "evidence-not-retrieved"
    NO_RIGHT = "no-right"
    AUDIENCE_MISSING = "audience-missing"


class Reason(StrEnum):
    """Why a memory may or may not be read. Operators see these; agents see NOT_READABLE."""

    ALLOWED = "allowed"
    NOT_READABLE = "not-readable"  # all that an agent is ever told
    INACTIVE_AGENT = "inactive-agent"  # no active chain with the right, or compromised
    UNKNOWN = "unknown"  # no such record
    PENDING = "pending"  # belongs to an import that is not finished
    MALFORMED = "malformed"  # missing or mistyped field, missing parent, forbidden edge, cycle
    REVOKED = "revoked"
    INVALIDATED = "invalidated"
    EXPIRED = "expired"
    SCOPE = "scope"  # an ancestor does not admit the agent
    UNPROVED = "unproved"  # time-out or limit: nothing was shown, so the answer is no
