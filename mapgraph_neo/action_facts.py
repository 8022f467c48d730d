"""The host's facts of an action: how risky it is and whom it reaches, from registry and policy.

The agent's own words can only raise the risk and only add to the audience (SPEC 6).
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import cast

from mapgraph_neo.errors import InputError
from mapgraph_neo.names import MAX_NAME_BYTES, node_id
from mapgraph_neo.policy import Policy
from mapgraph_neo.policy_parts import ANY_TOOL, ArgumentOp, ArgumentRule
from mapgraph_neo.vocabulary import RISK_ORDER, NodeLabel, RiskLevel

EXTERNAL = "external:"
_RECIPIENT_KINDS = ("user:", "agent:", "team:", "role:")
NO_EVIDENCE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """What the registry says of a tool; the defaults are those of one that it does not hold."""

    name: str
    registered: bool
    risk: str = RiskLevel.CRITICAL
    answer: bool = False
    sends: bool = False
    audience_from: tuple[str, ...] = ()
    evidence: str = "required"

    @property
    def is_answer(self) -> bool:
        """Whether its call is an answer; an unregistered tool's never is."""
        return self.registered and self.answer is True

    @property
    def reaches_others(self) -> bool:
        """Whether it sends something, so that it must have an audience."""
        return self.sends or bool(self.audience_from)


def effective_risk(
    policy: Policy,
    tool: ToolFacts,
    declared: str | None,
    arguments: Mapping[str, object],
) -> RiskLevel:
    """Return the highest of the declared, the registered, the policy's and the arguments' risk.

    A word that is no risk level counts as critical, wherever it comes from. The arguments are
    values of JSON, checked for form and size before.
    """
    name = node_id(NodeLabel.TOOL, tool.name, "tool")
    found = [RiskLevel.CRITICAL if not tool.registered else _level(tool.risk)]
    if declared is not None:
        found.append(_level(declared))
    found += [policy.tool_risks[key] for key in (name, ANY_TOOL) if key in policy.tool_risks]
    found += [
        rule.risk
        for rule in policy.argument_rules
        if rule.tool in (name, ANY_TOOL) and _applies(rule, arguments)
    ]
    return max(found, key=RISK_ORDER.index)


def evidence_needed(tool: ToolFacts, risk: RiskLevel) -> bool:
    """Return whether the action needs evidence: always, but for a low risk tool that says none."""
    exempt = tool.registered and tool.evidence == NO_EVIDENCE and risk is RiskLevel.LOW
    return not exempt


def audience(
    tool: ToolFacts,
    arguments: Mapping[str, object],
    declared: Iterable[str],
    known: Callable[[str], bool] | Collection[str],
) -> tuple[str, ...]:
    """Return everyone that the action reaches, sorted.

    Args:
        tool: Its ``audience_from`` names the arguments that hold recipients, as dotted paths.
        arguments: Those of the call.
        declared: Further recipients in the agent's word. They only add: where the tool's rule
            finds nobody in the arguments, the recipients are unknown and nobody is returned.
        known: Which ids of users, agents, teams and roles the tenant holds; any other name is
            ``external:NAME``.

    Raises:
        InputError: A recipient is empty, too long or holds control characters.

    """
    holds = known if callable(known) else known.__contains__
    found = {
        _recipient(leaf, holds, path)
        for path in tool.audience_from
        for value in _at(arguments, path)
        for leaf in _leaves(value, keys=True)
        if leaf is not None
    }
    if tool.audience_from and not found:
        return ()
    return tuple(sorted(found | {_recipient(name, holds, "audience") for name in declared}))


def _level(word: object) -> RiskLevel:
    return RiskLevel(word) if word in list(RiskLevel) else RiskLevel.CRITICAL


def _recipient(value: object, known: Callable[[str], bool], field: str) -> str:
    name = value if isinstance(value, str) else str(value)
    if not name.strip() or not name.isprintable() or len(name.encode()) > MAX_NAME_BYTES:
        message = f"{field}: a recipient must be a name of at most {MAX_NAME_BYTES} bytes"
        raise InputError(message)
    if name.startswith(_RECIPIENT_KINDS) and known(name):
        return name
    return name if name.startswith(EXTERNAL) else EXTERNAL + name


def _at(arguments: object, path: str) -> list[object]:
    """Return every value at a dotted path, through lists, also where a key itself holds dots."""
    found: list[object] = []
    todo: list[tuple[object, str]] = [(arguments, path)]
    while todo:
        value, rest = todo.pop()
        if isinstance(value, Mapping):
            for key, inner in cast("Mapping[object, object]", value).items():
                if key == rest:
                    found.append(inner)
                elif rest.startswith(f"{key}."):
                    todo.append((inner, rest.removeprefix(f"{key}.")))
        elif _is_list(value):
            todo += [(inner, rest) for inner in cast("Collection[object]", value)]
    return found


def _leaves(value: object, *, keys: bool = False) -> Iterator[object]:
    """Return every text, number, boolean and null in ``value``, with ``keys`` also its keys."""
    todo = [value]
    while todo:
        here = todo.pop()
        if isinstance(here, Mapping):
            mapping = cast("Mapping[object, object]", here)
            todo += [*mapping, *mapping.values()] if keys else mapping.values()
        elif _is_list(here):
            todo += cast("Collection[object]", here)
        else:
            yield here


def _is_list(value: object) -> bool:
    collection = isinstance(value, Sequence | set | frozenset)
    return collection and not isinstance(value, str | bytes | bytearray)


def _applies(rule: ArgumentRule, arguments: Mapping[str, object]) -> bool:
    """Whether a rule matches; in doubt it does, since a rule can only raise the risk."""
    values = _at(arguments, rule.argument)
    if rule.op is ArgumentOp.PRESENT:
        return bool(values)
    return any(_compares(rule, leaf) for value in values for leaf in _leaves(value))


def _compares(rule: ArgumentRule, leaf: object) -> bool:
    match rule.op:
        case ArgumentOp.EQUALS:
            return isinstance(leaf, bool) is isinstance(rule.value, bool) and leaf == rule.value
        case ArgumentOp.CONTAINS:
            return str(rule.value).casefold() in str(leaf).casefold()
        case ArgumentOp.MATCHES_GLOB:
            return fnmatchcase(str(leaf).casefold(), str(rule.value).casefold())
        case _:  # greater_than
            return not _number(leaf) <= cast("float", rule.value)


def _number(leaf: object) -> float:
    """Return ``leaf`` as a number; what is none is NaN, which is never small enough."""
    if isinstance(leaf, int | float):
        return leaf
    try:
        return float(str(leaf))
    except ValueError:
        return math.nan
