"""Authorization for shared agent memory: lineage policy on Neo4j (MAP-Graph, arXiv 2608.10509)."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mapgraph_neo.admin import AdminHandle
    from mapgraph_neo.agent import AgentHandle
    from mapgraph_neo.embedding import Embedder
    from mapgraph_neo.engine import MapGraph
    from mapgraph_neo.errors import (
        ActionNotAllowedError,
        ClosedError,
        EmbeddingError,
        ExistsError,
        GraphError,
        GraphTimeoutError,
        GraphUnavailableError,
        InputError,
        InvalidNameError,
        LimitError,
        MapGraphError,
        NotRegisteredError,
        PolicyError,
        RefusedError,
        SchemaError,
        ServerError,
        SettingsError,
        SidecarError,
        StatementError,
        UnknownNodeError,
    )
    from mapgraph_neo.events import event_schema
    from mapgraph_neo.model import (
        Check,
        Decision,
        DoctorReport,
        Evidence,
        Explanation,
        Finding,
        Hit,
        Lineage,
        LineageEdge,
        LineageNode,
        Obligation,
        Record,
        Retrieval,
        RevocationReport,
    )
    from mapgraph_neo.policy import Policy, load_policy
    from mapgraph_neo.profile import Profile, Step, profiled
    from mapgraph_neo.statement import Statement, load_statement, statement_names
    from mapgraph_neo.vocabulary import (
        EdgeType,
        EvidenceRole,
        NodeLabel,
        Outcome,
        Reason,
        RevocationKind,
        Right,
        RiskLevel,
        Rule,
        Standing,
        VerificationOutcome,
    )

__version__ = "0.1.0"

__all__ = [
    "ActionNotAllowedError",
    "AdminHandle",
    "AgentHandle",
    "Check",
    "ClosedError",
    "Decision",
    "DoctorReport",
    "EdgeType",
    "Embedder",
    "EmbeddingError",
    "Evidence",
    "EvidenceRole",
    "ExistsError",
    "Explanation",
    "Finding",
    "GraphError",
    "GraphTimeoutError",
    "GraphUnavailableError",
    "Hit",
    "InputError",
    "InvalidNameError",
    "LimitError",
    "Lineage",
    "LineageEdge",
    "LineageNode",
    "MapGraph",
    "MapGraphError",
    "NodeLabel",
    "NotRegisteredError",
    "Obligation",
    "Outcome",
    "Policy",
    "PolicyError",
    "Profile",
    "Reason",
    "Record",
    "RefusedError",
    "Retrieval",
    "RevocationKind",
    "RevocationReport",
    "Right",
    "RiskLevel",
    "Rule",
    "SchemaError",
    "ServerError",
    "SettingsError",
    "SidecarError",
    "Standing",
    "Statement",
    "StatementError",
    "Step",
    "UnknownNodeError",
    "VerificationOutcome",
    "event_schema",
    "load_policy",
    "load_statement",
    "profiled",
    "statement_names",
]

_HOMES = {
    "admin": ("AdminHandle",),
    "agent": ("AgentHandle",),
    "embedding": ("Embedder",),
    "engine": ("MapGraph",),
    "errors": (
        "ActionNotAllowedError",
        "ClosedError",
        "EmbeddingError",
        "ExistsError",
        "GraphError",
        "GraphTimeoutError",
        "GraphUnavailableError",
        "InputError",
        "InvalidNameError",
        "LimitError",
        "MapGraphError",
        "NotRegisteredError",
        "PolicyError",
        "RefusedError",
        "SchemaError",
        "ServerError",
        "SettingsError",
        "SidecarError",
        "StatementError",
        "UnknownNodeError",
    ),
    "events": ("event_schema",),
    "model": (
        "Check",
        "Decision",
        "DoctorReport",
        "Evidence",
        "Explanation",
        "Finding",
        "Hit",
        "Lineage",
        "LineageEdge",
        "LineageNode",
        "Obligation",
        "Record",
        "Retrieval",
        "RevocationReport",
    ),
    "policy": (
        "Policy",
        "load_policy",
    ),
    "profile": (
        "Profile",
        "Step",
        "profiled",
    ),
    "statement": (
        "Statement",
        "load_statement",
        "statement_names",
    ),
    "vocabulary": (
        "EdgeType",
        "EvidenceRole",
        "NodeLabel",
        "Outcome",
        "Reason",
        "RevocationKind",
        "Right",
        "RiskLevel",
        "Rule",
        "Standing",
        "VerificationOutcome",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for on its first use: the driver and numpy are slow to import."""
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(f"mapgraph_neo.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
