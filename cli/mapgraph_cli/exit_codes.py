"""The exit statuses of ``mapgraph``, and which of our errors ends in which."""

from enum import IntEnum

from mapgraph_neo.errors import (
    EmbeddingError,
    ExistsError,
    GraphError,
    InputError,
    PolicyError,
    RefusedError,
    SettingsError,
    SidecarError,
    StatementError,
    UnknownNodeError,
)
from mapgraph_neo.vocabulary import Outcome


class ExitCode(IntEnum):
    """What a caller of the command may rely on."""

    DONE = 0  # done; Allow; readable
    FAILED = 1
    USAGE = 2  # wrong usage, or a setting is missing or cannot be used
    REFUSED_INPUT = 3
    DENIED = 4  # Block, not readable, no right
    NEEDS_SOMEONE = 5  # Reverify, Redact, AskUser
    NO_ANSWER = 6  # Neo4j or the index cannot answer: nothing was decided
    DRIFT = 7  # doctor found drift
    INTERRUPTED = 130  # 128 + SIGINT
    PIPE_CLOSED = 141  # 128 + SIGPIPE


_BY_ERROR: tuple[tuple[type[Exception], ExitCode], ...] = (
    (SettingsError, ExitCode.USAGE),
    (InputError, ExitCode.REFUSED_INPUT),
    (PolicyError, ExitCode.REFUSED_INPUT),
    (StatementError, ExitCode.REFUSED_INPUT),
    (UnknownNodeError, ExitCode.REFUSED_INPUT),
    (ExistsError, ExitCode.REFUSED_INPUT),
    (RefusedError, ExitCode.DENIED),
    (GraphError, ExitCode.NO_ANSWER),
    (SidecarError, ExitCode.NO_ANSWER),
    (EmbeddingError, ExitCode.NO_ANSWER),
)


def of_error(error: Exception) -> ExitCode:
    """Return the status for one of our errors; any other is a failure."""
    return next((code for kind, code in _BY_ERROR if isinstance(error, kind)), ExitCode.FAILED)


def of_outcome(outcome: Outcome) -> ExitCode:
    """Return the status for what the gate said."""
    match outcome:
        case Outcome.ALLOW:
            return ExitCode.DONE
        case Outcome.BLOCK:
            return ExitCode.DENIED
        case Outcome.REVERIFY | Outcome.REDACT | Outcome.ASK_USER:
            return ExitCode.NEEDS_SOMEONE


def of_answer(*, allowed: bool) -> ExitCode:
    """Return the status for whether a record may be read."""
    return ExitCode.DONE if allowed else ExitCode.DENIED
