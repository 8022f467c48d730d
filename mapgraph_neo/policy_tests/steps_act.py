"""The acts of a policy test, one form for each; fields are named as the arguments of the methods.

Where an act makes something, ``id`` (or ``revocation_id``) is the name by which later steps speak
of it; the store gives it an id of its own.
"""

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from mapgraph_neo.policy_tests.moments import Moment
from mapgraph_neo.policy_tests.part import Ids, Many, Part

MAX_WAIT = 30.0


class _Agent(Part):
    agent: str
    task: str | None = None
    tracing: bool = False


class _Write(_Agent):
    id: str | None = None
    text: str
    scope: Ids | None = None
    metadata: dict[str, Any] | None = None
    key: str | None = None


class Observe(_Write):
    """An agent observes from a source."""

    source: Many
    expires_at: Moment | None = None


class Remember(_Write):
    """An agent remembers or claims something."""

    parents: Ids = ()
    expires_at: Moment | None = None


class Derive(_Write):
    """An agent derives from or sums up its parents."""

    parents: Ids
    expires_at: Moment | None = None


class Send(_Write):
    """An agent sends a message."""

    to: Many
    parents: Ids = ()


class Read(_Agent):
    """An agent reads one record by its id."""

    id: str


class Execute(_Agent):
    """An agent carries out what the gate allowed; a function of the test stands for the tool."""

    id: str
    arguments: dict[str, Any] | None = Field(None, description="What the tool must be called with.")


class _Admin(Part):
    by: str | None = Field(None, description="Who acts; the administrator when absent.")


class RegisterUser(_Admin):
    """A user is registered."""

    name: str
    teams: Ids | None = None
    roles: Ids | None = None
    standing: str | None = None
    key: str | None = None


class RegisterAgent(_Admin):
    """An agent is registered."""

    name: str
    user: str | None = None
    delegator: str | None = None
    scopes: Ids | None = None
    rights: Ids | None = None
    standing: str | None = None
    key: str | None = None


class RegisterTool(_Admin):
    """A tool is registered."""

    name: str
    risk: str | None = None
    answer: bool | None = None
    source_class: str | None = None
    sends: bool | None = None
    audience_from: Ids | None = None
    evidence: str | None = None
    owner: str | None = None
    key: str | None = None


class RegisterResource(_Admin):
    """A resource is registered."""

    name: str
    scope: Ids | None = None
    source_class: str | None = None
    owner: str | None = None
    expires_at: Moment | None = None
    key: str | None = None


class Grant(_Admin):
    """A user or agent is granted scopes and rights."""

    id: str | None = None
    principal: str
    scopes: Ids = ()
    rights: Ids | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    via: str | None = None
    key: str | None = None


class Withdraw(_Admin):
    """A grant is withdrawn: by the name of its step, or the one an agent was registered with."""

    id: str | None = None
    agent: str | None = Field(None, description="The agent whose registration is withdrawn.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.id is None) == (self.agent is None):
            message = "either `id` or `agent` is needed"
            raise ValueError(message)
        return self


class SetMembership(_Admin):
    """The teams and roles of a user are set; what is absent stays as it is."""

    user: str
    teams: Ids | None = None
    roles: Ids | None = None


class SetStanding(_Admin):
    """A user or agent is known for new, established or compromised."""

    id: str
    standing: str


class Reclassify(_Admin):
    """A tool or resource gets another class."""

    id: str
    source_class: str


class Rescope(_Admin):
    """A source gets another scope."""

    id: str
    scope: Ids


class Verify(_Admin):
    """A record is verified."""

    id: str
    outcome: str = "confirmed"
    evidence: Ids = ()
    key: str | None = None


class Report(Part):
    """What a revocation, its preview or its undo must report; what is absent is not looked at."""

    affected: int | None = None
    by_kind: dict[str, int] | None = None
    by_depth: dict[int, int] | None = None
    agents: Ids | None = None
    actions: Ids | None = None
    pending: Ids | None = None
    already: bool | None = None
    complete: bool | None = None


class _Contains(_Admin):
    id: str
    reason: str = "policy test"
    key: str | None = None
    revocation_id: str | None = None
    report: Report | None = None


class Invalidate(_Contains):
    """One record is declared wrong."""


class Revoke(_Contains):
    """A source is withdrawn."""

    kind: str = "access"
    since: Moment | None = None
    until: Moment | None = None
    dry_run: bool = False


class Undo(_Admin):
    """A revocation is undone."""

    revocation_id: str
    reason: str = "policy test"
    report: Report | None = None


class Approve(_Admin):
    """A decision is approved."""

    id: str


class Reject(_Admin):
    """A decision is rejected."""

    id: str
    reason: str | None = None


class Wait(Part):
    """Nothing happens for a while, so that something expires."""

    seconds: Annotated[float, Field(gt=0, le=MAX_WAIT)]
