"""Every error that the package raises on purpose.

::

    MapGraphError
    ├── SettingsError              a setting is missing, unknown or out of range
    ├── PolicyError                the policy file is unreadable or invalid; names the line
    ├── StatementError             a shipped .cypher file is missing or malformed
    ├── InputError                 an argument was refused before anything was written
    │   ├── InvalidNameError            a name or id that cannot be one
    │   └── LimitError             larger than a documented limit
    ├── UnknownNodeError           an id that the tenant does not hold, or that may not be read
    ├── ExistsError                the name is taken; names are never reused
    ├── RefusedError               the caller lacks the right, or the record forbids it
    │   ├── NotRegisteredError     no such agent or administrator
    │   └── ActionNotAllowedError  the gate did not allow the action; carries the decision
    ├── GraphError                 Neo4j could not answer
    │   ├── GraphUnavailableError  no connection; trying later may help
    │   ├── GraphTimeoutError      the time limit was reached; nothing was decided
    │   └── SchemaError            the schema is absent, half done, newer or altered
    ├── SidecarError               the vector sidecar cannot answer
    ├── EmbeddingError             the embedder failed, or its vectors cannot be used
    ├── ServerError                the private Neo4j server cannot be started or stopped
    └── ClosedError                the handle was closed
"""


class MapGraphError(Exception):
    """Base of every error that mapgraph-neo raises on purpose."""


class SettingsError(MapGraphError):
    """A setting is missing, unknown or out of range."""


class PolicyError(MapGraphError):
    """The policy file cannot be read or breaks a rule of its schema."""


class StatementError(MapGraphError):
    """A shipped .cypher file is missing or malformed."""


class InputError(MapGraphError):
    """An argument was refused before anything was written; the message names the field."""


class InvalidNameError(InputError):
    """A name or id that cannot be one."""


class LimitError(InputError):
    """Something is larger than a documented limit."""


class UnknownNodeError(MapGraphError):
    """No such record for this caller: unreadable and unknown are the same answer to an agent."""


class ExistsError(MapGraphError):
    """The name is taken already, by something else; names are never reused."""


class RefusedError(MapGraphError):
    """The caller lacks the right, checked in the store; the refusal is audited."""


class NotRegisteredError(RefusedError):
    """No agent, user or tenant of that name is registered and active."""


class ActionNotAllowedError(RefusedError):
    """The gate did not allow the action.

    Attributes:
        decision: The decision that stopped it.

    """

    def __init__(self, message: str, decision: object) -> None:
        """Carry ``decision`` beside the message."""
        super().__init__(message)
        self.decision = decision


class GraphError(MapGraphError):
    """Neo4j could not answer."""


class GraphUnavailableError(GraphError):
    """No connection to Neo4j, or it refused the login; trying later may help."""


class GraphTimeoutError(GraphError):
    """The time limit of a query was reached; nothing was decided."""


class SchemaError(GraphError):
    """The schema is absent, half done, altered, or of a newer release."""


class SidecarError(MapGraphError):
    """The vector sidecar cannot answer; it is rebuilt from the graph."""


class EmbeddingError(MapGraphError):
    """The embedder failed, or gave vectors that cannot be used."""


class ServerError(MapGraphError):
    """The private Neo4j server cannot be started, stopped or found."""


class ClosedError(MapGraphError):
    """The handle was closed; open a new one."""
