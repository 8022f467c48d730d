"""The events of an execution log: one closed model for each, and the JSON Schema of them."""

import json
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from mapgraph_neo.errors import InputError

Text = Annotated[str, Field(min_length=1)]
Ids = tuple[str, ...]
Many = str | tuple[str, ...]
By = Annotated[
    str, Field(validation_alias=AliasChoices("by", "actor", "user", "agent", "verifier"))
]


class Event(BaseModel):
    """What every event may carry: the log's own time, and the task."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)

    occurred_at: AwareDatetime | None = None
    task: str | None = None


class UserEvent(Event):
    """A user appeared."""

    event: Literal["user"]
    id: str
    teams: Ids = ()
    roles: Ids = ()
    standing: str = "established"


class AgentEvent(Event):
    """An agent was started for a user, or by an agent that may delegate."""

    event: Literal["agent"]
    id: str
    user: str | None = None
    delegator: str | None = None
    scopes: Ids = ()
    rights: Ids | None = None
    standing: str = "established"


class ToolEvent(Event):
    """A tool became available."""

    event: Literal["tool"]
    id: str
    risk: str = "critical"
    answer: bool = False
    source_class: str = "unknown"
    sends: bool = False
    audience_from: Ids = ()
    evidence: str = "required"
    owner: str | None = None


class ResourceEvent(Event):
    """A resource became known; without a scope nobody may read it."""

    event: Literal["resource"]
    id: str
    scope: Ids = ()
    source_class: str = "unknown"
    owner: str | None = None
    expires_at: AwareDatetime | None = None


class MembershipEvent(Event):
    """The teams and roles of a user changed."""

    event: Literal["membership"]
    id: str | None = None
    user: str
    teams: Ids | None = None
    roles: Ids | None = None


class GrantEvent(Event):
    """Somebody was granted scopes and rights."""

    event: Literal["grant"]
    id: str | None = None
    principal: str
    scopes: Ids = ()
    rights: Ids | None = None
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    via: str | None = None


class _Written(Event):
    """What every written record carries; what it came from besides by another type of edge, too."""

    id: str
    text: Text
    writer: str
    scope: Ids | None = None
    expires_at: AwareDatetime | None = None
    metadata: dict[str, Any] | None = None
    tracing: bool = False
    observed: Ids = ()
    derived: Ids = ()
    summarized: Ids = ()


class MessageEvent(_Written):
    """A message was sent; its writer is a user, agent or tool."""

    event: Literal["message"]
    to: Many = ()
    parents: Ids = ()
    source: Many = ()


class ObserveEvent(_Written):
    """A memory was observed from resources, tools or users."""

    event: Literal["observe"]
    source: Many


class RememberEvent(_Written):
    """A memory was written."""

    event: Literal["remember"]
    parents: Ids = ()


class DeriveEvent(_Written):
    """A memory was derived from others."""

    event: Literal["derive"]
    parents: Ids


class SummarizeEvent(_Written):
    """A memory was summarised from others."""

    event: Literal["summarize"]
    parents: Ids


class ClaimEvent(_Written):
    """A claim was made."""

    event: Literal["claim"]
    parents: Ids = ()


class ReadEvent(Event):
    """An agent read records in a task."""

    event: Literal["read"]
    id: Many
    agent: str


class VerifyEvent(Event):
    """A record was verified."""

    event: Literal["verify"]
    id: str
    by: By
    outcome: str = "confirmed"
    evidence: Ids = ()


class RevokeEvent(Event):
    """A source was withdrawn; ``revocation_id`` is what an ``undo`` may refer to."""

    event: Literal["revoke"]
    id: str
    by: By
    kind: str = "access"
    reason: str = ""
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    revocation_id: str | None = None


class InvalidateEvent(Event):
    """One record was declared wrong."""

    event: Literal["invalidate"]
    id: str
    by: By
    reason: str = ""
    revocation_id: str | None = None


class UndoEvent(Event):
    """A revocation was undone: by its id, or the ones that stand on the node ``id``."""

    event: Literal["undo"]
    id: str | None = None
    by: By
    revocation_id: str | None = None
    reason: str = ""


class ActionEvent(Event):
    """An action was taken on evidence; ``outcome`` is what became of it, by the log."""

    event: Literal["action"]
    id: str
    agent: str
    tool: str
    evidence: Ids = ()
    parameters: Ids = ()
    outcome: str = "Allow"
    risk: str = "critical"


AnyEvent = Annotated[
    UserEvent
    | AgentEvent
    | ToolEvent
    | ResourceEvent
    | MembershipEvent
    | GrantEvent
    | MessageEvent
    | ObserveEvent
    | RememberEvent
    | DeriveEvent
    | SummarizeEvent
    | ClaimEvent
    | ReadEvent
    | VerifyEvent
    | RevokeEvent
    | InvalidateEvent
    | UndoEvent
    | ActionEvent,
    Field(discriminator="event"),
]
Written = MessageEvent | ObserveEvent | RememberEvent | DeriveEvent | SummarizeEvent | ClaimEvent

_EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def parse_event(value: object, place: str) -> AnyEvent:
    """Return one event of a log.

    Raises:
        InputError: It is none; the message names the place and the field.

    """
    try:
        if isinstance(value, str | bytes):
            event = _EVENTS.validate_json(value)
            json.loads(value, object_pairs_hook=_once)  # pydantic would keep the last of two
            return event
        return _EVENTS.validate_python(value)
    except _TwiceError as error:
        message = f"{place}: {error}: given twice"
        raise InputError(message) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "event"
        message = f"{place}: {where}: {first['msg']}"
        raise InputError(message) from None


class _TwiceError(Exception):
    """A field stands twice in one object, and readers differ in which of them they take."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found


def event_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of a log."""
    schema = _EVENTS.json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One event of a mapgraph-neo execution log (NDJSON)",
        **schema,
    }
