"""The parts of a policy: the shape of each section of the file, and what may stand in it."""

from collections.abc import Mapping
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    model_validator,
)

from mapgraph_neo.errors import InvalidNameError
from mapgraph_neo.names import node_id
from mapgraph_neo.vocabulary import RISK_ORDER, NodeLabel, RiskLevel

MAX_FACTOR = 2.0  # no verification may count for more
SOURCE_CLASSES = (
    "internal_verified",
    "internal",
    "partner",
    "external",
    "unknown",
    "untrusted",
    "poisoned",
)
"""The source classes that every policy has (SPEC 4); a policy may add others."""
ANY_TOOL = "*"


class UndeclaredParents(StrEnum):
    """What happens to records that an agent has read and does not name as parents."""

    READ_SET = "read_set"
    REJECT = "reject"
    NONE = "none"


class ExclusionSignal(StrEnum):
    """Who learns that something relevant was withheld from an agent."""

    OFF = "off"
    OPERATOR = "operator"
    DECISION = "decision"


class ArgumentOp(StrEnum):
    """How an argument rule compares."""

    EQUALS = "equals"
    CONTAINS = "contains"
    MATCHES_GLOB = "matches_glob"
    GREATER_THAN = "greater_than"
    PRESENT = "present"


def _positive_zero(value: float) -> float:
    return value + 0.0  # -0.0 would give equal policies two versions


def freeze(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a sorted copy of a table that cannot be changed."""
    return MappingProxyType(dict(sorted(value.items())))


def _tool_id(name: str) -> str:
    try:
        return name if name == ANY_TOOL else node_id(NodeLabel.TOOL, name, "tool")
    except InvalidNameError as error:
        raise ValueError(str(error)) from None


def tool_ids(risks: Mapping[str, RiskLevel]) -> Mapping[str, RiskLevel]:
    """Return the table with whole tool ids as keys.

    Raises:
        ValueError: No tool names, or one of them twice.

    """
    found = {_tool_id(name): risk for name, risk in risks.items()}
    if len(found) != len(risks):
        message = "a tool stands twice, with and without `tool:`"
        raise ValueError(message)
    return freeze(found)


TABLE = PlainSerializer(dict, return_type=dict[str, Any])
"""Writes a frozen table as a plain one."""
Unit = Annotated[float, Field(ge=0.0, le=1.0), AfterValidator(_positive_zero)]
Zero = Annotated[float, Field(ge=0.0, le=0.0), AfterValidator(_positive_zero)]
Factor = Annotated[float, Field(ge=0.0, le=MAX_FACTOR), AfterValidator(_positive_zero)]
Limit = Annotated[int, Field(ge=1, le=100_000_000)]
ClassName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Risk = Annotated[RiskLevel, Field(strict=False)]


class Part(BaseModel):
    """A frozen, strict section: no unknown key, no converted type, no NaN or infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class UserTrust(Part):
    """Source trust of a user by standing."""

    established: Unit
    new: Unit
    compromised: Zero


class SourceTrust(Part):
    """S: how far the root of a path is trusted."""

    own_user: Unit
    unknown_record: Unit
    users: UserTrust
    classes: Annotated[Mapping[ClassName, Unit], AfterValidator(freeze), TABLE]

    @model_validator(mode="after")
    def _named(self) -> Self:
        if missing := [name for name in SOURCE_CLASSES if name not in self.classes]:
            message = f"`classes.{missing[0]}` is missing"
            raise ValueError(message)
        if self.classes["poisoned"] != 0.0:
            message = "`classes.poisoned` must be 0"
            raise ValueError(message)
        return self


class IntegrityTrust(Part):
    """I: how far a node of a path is whole."""

    intact: Unit
    incomplete: Unit
    mismatch: Zero
    invalidated: Zero


class TransformationTrust(Part):
    """F: what each kind of edge keeps."""

    observed: Unit
    derived: Unit
    summarized: Unit


class VerificationTrust(Part):
    """V: what verification of the present content adds or takes."""

    none: Factor
    one: Factor
    several: Factor
    failed: Unit

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _check_order(self, ("failed", "none", "one", "several"))
        return self


class WriterTrust(Part):
    """A: how reliable the writer is."""

    human: Unit
    host: Unit
    agent: Unit
    new_agent: Unit
    compromised: Zero


class Thresholds(Part):
    """The least path trust that passes rule R3."""

    answer: Unit
    low: Unit
    medium: Unit
    high: Unit
    critical: Unit

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        _check_order(self, tuple(risk.value for risk in RISK_ORDER))
        return self

    def least(self, risk: RiskLevel, *, answer: bool) -> float:
        """Return the threshold of an answer, or of an action with this risk."""
        return self.answer if answer else cast("float", getattr(self, risk.value))


class GateOptions(Part):
    """Options of the gate."""

    critical_allow_verified: bool
    approval_minutes: Annotated[int, Field(ge=1, le=525_600)]


class ArgumentRule(Part):
    """Raises the risk of an action by what one argument holds."""

    tool: Annotated[str, AfterValidator(_tool_id)]
    argument: Annotated[str, Field(min_length=1, max_length=1_000)]
    op: Annotated[ArgumentOp, Field(strict=False)]
    value: str | bool | int | float | None = None
    risk: Risk

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        texts = (ArgumentOp.CONTAINS, ArgumentOp.MATCHES_GLOB)
        number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        message = ""
        if self.op is ArgumentOp.PRESENT:
            message = "" if self.value is None else "`present` takes no value"
        elif self.op is ArgumentOp.GREATER_THAN:
            message = "" if number else "`greater_than` needs a number as value"
        elif self.op in texts:
            given = isinstance(self.value, str) and self.value
            message = "" if given else f"`{self.op}` needs a text as value"
        elif self.value is None:
            message = "`equals` needs a value"
        if message:
            raise ValueError(message)
        return self


class Limits(Part):
    """How large things may be; reaching one is an error or an explicit incomplete answer."""

    text_bytes: Limit
    metadata_keys: Limit
    metadata_bytes: Limit
    metadata_depth: Limit
    arguments_bytes: Limit
    arguments_depth: Limit
    parents: Limit
    scope_principals: Limit
    evidence: Limit
    audience: Limit
    batch_events: Limit
    retrieve_k: Limit
    lineage_nodes: Limit


def _check_order(part: Part, names: tuple[str, ...]) -> None:
    for lower, upper in pairwise(names):
        if getattr(part, lower) > getattr(part, upper):
            message = f"`{lower}` must not exceed `{upper}`"
            raise ValueError(message)
