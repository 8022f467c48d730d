"""The form of a policy test: what may stand in the file, and the JSON Schema of it."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from mapgraph_neo.events import event_schema
from mapgraph_neo.policy_tests import steps_act as act
from mapgraph_neo.policy_tests import steps_expect as expect
from mapgraph_neo.policy_tests.moments import PATTERN, TIME_FIELDS
from mapgraph_neo.policy_tests.part import Part

ErrorName = Literal[
    "ActionNotAllowedError",
    "EmbeddingError",
    "ExistsError",
    "InputError",
    "InvalidNameError",
    "LimitError",
    "NotRegisteredError",
    "RefusedError",
    "UnknownNodeError",
]
MAX_STEPS = 10_000


class Step(Part):
    """One step: exactly one act or expectation, under its name."""

    about: str | None = Field(None, description="What this step shows; told when it fails.")
    refused: ErrorName | None = Field(
        None, description="The step must be refused with this error, or one derived from it."
    )
    says: str | None = Field(None, description="What the refusal must say, among other words.")

    observe: act.Observe | None = None
    remember: act.Remember | None = None
    derive: act.Derive | None = None
    summarize: act.Derive | None = None
    claim: act.Remember | None = None
    send: act.Send | None = None
    read: act.Read | None = None
    execute: act.Execute | None = None
    ingest: tuple[dict[str, Any], ...] | None = None
    register_user: act.RegisterUser | None = None
    register_agent: act.RegisterAgent | None = None
    register_tool: act.RegisterTool | None = None
    register_resource: act.RegisterResource | None = None
    grant: act.Grant | None = None
    withdraw: act.Withdraw | None = None
    set_membership: act.SetMembership | None = None
    set_standing: act.SetStanding | None = None
    reclassify: act.Reclassify | None = None
    rescope: act.Rescope | None = None
    verify: act.Verify | None = None
    invalidate: act.Invalidate | None = None
    revoke: act.Revoke | None = None
    undo: act.Undo | None = None
    approve: act.Approve | None = None
    reject: act.Reject | None = None
    wait: act.Wait | None = None

    check: expect.Check | None = None
    explain: expect.Explain | None = None
    retrieve: expect.Retrieve | None = None
    receive: expect.Receive | None = None
    eligible: expect.Eligible | None = None
    readers: expect.Readers | None = None
    lineage: expect.Lineage | None = None
    descendants: expect.Related | None = None
    gate: expect.Gate | None = None
    decisions: expect.Decisions | None = None
    audit: expect.Audit | None = None

    @model_validator(mode="after")
    def _one_only(self) -> Self:
        found = [name for name in DOINGS if getattr(self, name) is not None]
        if len(found) != 1:
            what = f"holds {' and '.join(found)}" if found else "holds neither"
            message = f"a step is exactly one act or expectation, this one {what}"
            raise ValueError(message)
        if self.says is not None and self.refused is None:
            message = "`says` belongs to `refused`"
            raise ValueError(message)
        return self

    @property
    def name(self) -> str:
        """What is done or expected."""
        return next(name for name in DOINGS if getattr(self, name) is not None)

    @property
    def body(self) -> Any:  # noqa: ANN401 - any of the forms above
        """What stands under the name."""
        return getattr(self, self.name)

    @property
    def expects(self) -> bool:
        """Whether the step can fail for what the product answers."""
        body = self.body
        return (
            self.refused is not None
            or self.name in EXPECTATIONS
            or getattr(body, "report", None) is not None
        )


_BESIDE = ("about", "refused", "says")
DOINGS = tuple(name for name in Step.model_fields if name not in _BESIDE)
EXPECTATIONS = DOINGS[DOINGS.index("check") :]


class PolicyTest(Part):
    """A whole file."""

    name: str = Field("", description="What the test shows, in one sentence.")
    administrator: str = Field("admin", description="The user that acts where no other is named.")
    policy: str | dict[str, Any] | None = Field(
        None, description="A policy file, by its path from this file, or what differs in it."
    )
    events: tuple[dict[str, Any], ...] = Field(
        (), description="The execution log that the test begins with, in the form of ingest."
    )
    steps: tuple[Step, ...] = Field(max_length=MAX_STEPS, json_schema_extra={"minItems": 1})

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not any(step.expects for step in self.steps):
            message = "`steps`: a test without an expectation shows nothing"
            raise ValueError(message)
        return self


def policy_test_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a policy test."""
    schema = PolicyTest.model_json_schema()
    event = _timed(event_schema())
    parts: dict[str, Any] = {**event.pop("$defs"), **schema.pop("$defs")}
    event.pop("$schema")
    parts["Event"] = {**event, "title": "One event, as in an execution log"}
    events = {"type": "array", "items": {"$ref": "#/$defs/Event"}}
    schema["properties"]["events"] = {**schema["properties"]["events"], **events}
    parts["Step"] = _step(parts["Step"], events)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "A policy test of mapgraph-neo",
        "$defs": parts,
    }


def _step(schema: dict[str, Any], events: Mapping[str, object]) -> dict[str, Any]:
    """Return the schema of a step, which holds exactly one doing."""
    properties: dict[str, Any] = {}
    for name, each in schema["properties"].items():
        forms = [form for form in each.get("anyOf", [each]) if form.get("type") != "null"]
        properties[name] = events if name == "ingest" else forms[0]
        if "description" in each:
            properties[name] = {**forms[0], "description": each["description"]}
    return {
        **schema,
        "properties": properties,
        "oneOf": [{"required": [name]} for name in DOINGS],
    }


def _timed(value: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """Return the schema of an event in which a time may be relative."""
    if isinstance(value, list):
        return [_timed(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {str(key): _timed(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    for name in TIME_FIELDS & found.get("properties", {}).keys():
        found["properties"][name]["anyOf"].append({"type": "string", "pattern": PATTERN})
    return found
