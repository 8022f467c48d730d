"""The policy: every number and option that decides, validated, frozen and versioned.

The numbers stand in ``policy_default.toml`` and nowhere else; a file of the operator is merged
over it. ``Policy.version`` tells two contents apart, so a decision can name what it went by.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Self, cast

from pydantic import AfterValidator, Field, ValidationError, model_validator

from mapgraph_neo.policy_file import PolicyFile, Where, parse_policy, read_policy_file
from mapgraph_neo.policy_parts import (
    TABLE,
    ArgumentRule,
    ClassName,
    ExclusionSignal,
    GateOptions,
    IntegrityTrust,
    Limits,
    Part,
    Risk,
    SourceTrust,
    Thresholds,
    TransformationTrust,
    UndeclaredParents,
    Unit,
    VerificationTrust,
    WriterTrust,
    freeze,
    tool_ids,
)

DEFAULT_FILE = "policy_default.toml"

_NAMED_KEY = re.compile(r"`([a-z_.]+)`")


class Policy(Part):
    """All that decides, as one frozen value."""

    declared: Annotated[str, Field(alias="version", pattern=r"^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$")]
    trust_floor: Unit
    undeclared_parents: Annotated[UndeclaredParents, Field(strict=False)]
    exclusion_signal: Annotated[ExclusionSignal, Field(strict=False)]
    source: SourceTrust
    integrity: IntegrityTrust
    transformation: TransformationTrust
    half_life_days: Annotated[
        Mapping[ClassName, Annotated[float, Field(gt=0.0, le=1e6)]],
        AfterValidator(freeze),
        TABLE,
    ]
    verification: VerificationTrust
    writer: WriterTrust
    thresholds: Thresholds
    gate: GateOptions
    tool_risks: Annotated[Mapping[str, Risk], AfterValidator(tool_ids), TABLE]
    argument_rules: Annotated[tuple[ArgumentRule, ...], Field(strict=False)] = ()
    limits: Limits

    @model_validator(mode="after")
    def _known_classes(self) -> Self:
        for name in self.half_life_days:
            if name not in self.source.classes:
                message = f"`half_life_days.{name}`: no such source class"
                raise ValueError(message)
        return self

    @cached_property
    def version(self) -> str:
        """The declared version and a digest of the content: ``1+0123456789ab``."""
        text = json.dumps(self.content(), sort_keys=True, separators=(",", ":"), allow_nan=False)
        return f"{self.declared}+{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    def content(self) -> dict[str, Any]:
        """Return the whole policy as plain values, named as in a file."""
        return self.model_dump(mode="json", by_alias=True)


def load_policy(path: str | Path | None = None) -> Policy:
    """Return the default policy, or the file at ``path`` merged over it.

    Args:
        path: A file of TOML, or of YAML if it ends in ``.yaml`` or ``.yml``.

    Raises:
        PolicyError: It cannot be read or breaks a rule; names the file, the line and the key.

    """
    if path is None:
        return _default_policy()
    return policy_of(read_policy_file(Path(path)))


def policy_of(given: PolicyFile) -> Policy:
    """Return what a file holds, merged over the default policy.

    Raises:
        PolicyError: It breaks a rule; names the file, the line and the key.

    """
    return _validated(given, _merged(_default_file().data, given.data))


def policy_schema() -> dict[str, Any]:
    """Return the JSON Schema of a policy file, in which every key may be left out."""
    schema = Policy.model_json_schema(by_alias=True)
    for part in (schema, *schema["$defs"].values()):
        if part.get("title") != ArgumentRule.__name__:
            part.pop("required", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


@cache
def _default_file() -> PolicyFile:
    text = (files("mapgraph_neo") / DEFAULT_FILE).read_text(encoding="utf-8")
    return parse_policy(DEFAULT_FILE, text, is_yaml=False)


@cache
def _default_policy() -> Policy:
    return _validated(_default_file(), _default_file().data)


def _merged(base: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """Return ``over`` laid over ``base``; tables are joined, everything else is replaced."""
    result = dict(base)
    for key, value in over.items():
        below = base.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            result[key] = _merged(
                cast("Mapping[str, object]", below), cast("Mapping[str, object]", value)
            )
        else:
            result[key] = value
    return result


def _validated(file: PolicyFile, data: Mapping[str, object]) -> Policy:
    try:
        return Policy.model_validate(data)
    except ValidationError as error:
        first, *others = error.errors(include_url=False, include_context=False)
        where: Where = tuple(first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            message = "no such key"
        elif isinstance(first["input"], str | int | float):
            message += f", not `{first['input']}`"
        rest = f" (and {len(others)} more)" if others else ""
        file.fail(_pointed(file, where, message), message[:1].lower() + message[1:] + rest)


def _pointed(file: PolicyFile, where: Where, message: str) -> Where:
    """Return the first key that ``message`` names and the file holds, else ``where``."""
    named = [(*where, *name.split(".")) for name in _NAMED_KEY.findall(message)]
    return next((each for each in named if each in file.lines), where)
