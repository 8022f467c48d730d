"""The expectations of a policy test, one form for each; what is absent is not looked at."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from mapgraph_neo.policy_tests.part import Ids, Part
from mapgraph_neo.vocabulary import Outcome, Reason, RiskLevel, Rule

MANY = 100
Unit = Annotated[float, Field(ge=0.0, le=1.0)]


class Listed(Part):
    """A list of ids: all of it, or what must and must not be in it; order does not count."""

    exactly: Ids | None = None
    contains: Ids | None = None
    lacks: Ids | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        given = [self.exactly, self.contains, self.lacks]
        if given == [None] * 3 and not self._says_more():
            message = "one of `exactly`, `contains` and `lacks` is needed"
            raise ValueError(message)
        return self

    def _says_more(self) -> bool:
        return False


class Check(Part):
    """Whether an agent may read a record now; the operator's answer and the agent's own."""

    agent: str
    id: str
    allowed: bool
    reason: Reason | None = None


class Explain(Part):
    """Why an agent may or may not read a record."""

    agent: str
    id: str
    allowed: bool | None = None
    reason: Reason | None = None
    witness: Ids | None = Field(None, description="The whole path, from the record upwards.")
    through: str | None = Field(None, description="A node that the path must pass.")


class Retrieve(Listed):
    """What an agent retrieves."""

    agent: str
    task: str | None = None
    query: str = "anything"
    k: int = MANY
    in_order: bool = Field(
        default=False, description="Whether `exactly` is the ranking, best first."
    )
    complete: bool | None = None
    trust: dict[str, Unit] = Field(default={}, description="The path trust of records found.")
    text: dict[str, str] = Field(default={}, description="The texts of records found.")

    def _says_more(self) -> bool:
        return bool(self.complete is not None or self.trust or self.text)


class Receive(Listed):
    """Which messages an agent receives."""

    agent: str
    task: str | None = None


class Eligible(Listed):
    """Which memories and claims an agent may read now."""

    agent: str


class Readers(Listed):
    """Which agents may read a record now."""

    id: str


class Related(Listed):
    """What came from a node."""

    id: str


class Lineage(Related):
    """What a node came from, itself included, and how each node stands."""

    states: dict[str, Literal["active", "revoked", "affected", "erased"]] = Field(default={})

    def _says_more(self) -> bool:
        return bool(self.states)


class Gate(Part):
    """An agent proposes an action, and what the gate says; ``id`` names the decision."""

    agent: str
    task: str | None = None
    tracing: bool = False
    id: str | None = None
    tool: str
    arguments: dict[str, Any] | None = None
    evidence: Ids = ()
    parameters: dict[str, Ids] | None = None
    audience: Ids = ()
    declared_risk: str | None = None
    key: str | None = None

    outcome: Outcome
    rule: Rule | None = None
    risk: RiskLevel | None = Field(None, description="The risk that counted.")
    trust: Unit | None = None
    at_least: Unit | None = Field(None, description="The least trust that the gate may find.")
    at_most: Unit | None = Field(None, description="The most trust that the gate may find.")
    unsupported: bool | None = None
    targets: Ids | None = Field(None, description="The ids that the obligations name.")
    says: str | None = Field(None, description="What the reason must say, among other words.")


class Decisions(Listed):
    """Which decisions are stored; by the names of the steps that asked for them."""

    agent: str | None = None
    outcome: Outcome | None = None
    state: str | None = None
    source: str | None = Field(None, description="Only those that stand on this node.")


class Audit(Part):
    """How many records of the audit there are of an act."""

    actor: str | None = None
    act: str | None = None
    target: str | None = None
    outcome: str | None = None
    count: int | None = Field(None, ge=0, description="Exactly so many; one or more when absent.")
