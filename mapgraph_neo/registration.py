"""Turns what an administrator gives into sources to register; refuses what cannot be one."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from mapgraph_neo.context import Context, check_own_scope, check_time
from mapgraph_neo.errors import InputError
from mapgraph_neo.names import check_name, check_scope, node_id, principal_of
from mapgraph_neo.registry import Source
from mapgraph_neo.vocabulary import DEFAULT_RIGHTS, NodeLabel, Right, RiskLevel, Standing

E = TypeVar("E", bound=StrEnum)


def user_source(
    name: str, teams: Iterable[str], roles: Iterable[str], standing: str, key: str | None
) -> Source:
    """Return a user to register."""
    return Source(
        id=node_id(NodeLabel.USER, name, "user"),
        kind=NodeLabel.USER,
        facts={
            "teams": groups("team", teams, "teams"),
            "roles": groups("role", roles, "roles"),
            "standing": one_of(Standing, standing, "standing").value,
            "scope": ["*"],
        },
        key=checked_key(key),
    )


def agent_source(
    name: str,
    user: str | None,
    delegator: str | None,
    scopes: Iterable[str],
    rights: Iterable[str] | None,
    standing: str,
    key: str | None,
) -> Source:
    """Return an agent to register under one user or one agent that may delegate."""
    if (user is None) == (delegator is None):
        message = "user: an agent needs either a user or a delegator"
        raise InputError(message)
    authority = (
        node_id(NodeLabel.USER, user, "user")
        if user is not None
        else node_id(NodeLabel.AGENT, delegator, "delegator")
    )
    identity = node_id(NodeLabel.AGENT, name, "agent")
    if identity == authority:
        message = "delegator: an agent cannot authorise itself"
        raise InputError(message)
    return Source(
        id=identity,
        kind=NodeLabel.AGENT,
        facts={"standing": one_of(Standing, standing, "standing").value, "scope": []},
        authority=authority,
        scopes=tuple(check_scope(scopes, "scopes", delegated=True)),
        rights=checked_rights(rights, agent=True),
        key=checked_key(key),
    )


def tool_source(
    context: Context,
    name: str,
    given: Mapping[str, object],
    owner: str | None,
    key: str | None,
) -> Source:
    """Return a tool to register."""
    risk = one_of(RiskLevel, given["risk"], "risk")
    evidence = given["evidence"]
    if evidence not in ("required", "none"):
        message = f"evidence: `{evidence}` is none of required, none"
        raise InputError(message)
    if evidence == "none" and risk is not RiskLevel.LOW:
        message = "evidence: only a tool of low risk may do without"
        raise InputError(message)
    names = given["audience_from"]
    if isinstance(names, str) or not isinstance(names, Iterable):
        message = "audience_from: a list of argument names is needed"
        raise InputError(message)
    found = [check_name(each, "audience_from") for each in names]  # pyright: ignore[reportUnknownVariableType]
    return Source(
        id=node_id(NodeLabel.TOOL, name, "tool"),
        kind=NodeLabel.TOOL,
        facts={
            "risk": risk.value,
            "answer": _flag(given["answer"], "answer"),
            "source_class": checked_class(context, given["source_class"]),
            "sends": _flag(given["sends"], "sends") or bool(found),
            "audience_from": found,
            "evidence": evidence,
            "scope": ["*"],
        },
        authority=None if owner is None else node_id(NodeLabel.USER, owner, "owner"),
        key=checked_key(key),
    )


def resource_source(
    context: Context,
    name: str,
    scope: Iterable[str],
    source_class: str,
    owner: str | None,
    expires_at: datetime | None,
    key: str | None,
) -> Source:
    """Return a resource to register."""
    found = check_own_scope(scope, context)
    return Source(
        id=node_id(NodeLabel.RESOURCE, name, "resource"),
        kind=NodeLabel.RESOURCE,
        facts={
            "scope": found,
            "source_class": checked_class(context, source_class),
            "expires_at": check_time(expires_at, "expires_at"),
        },
        authority=None if owner is None else node_id(NodeLabel.USER, owner, "owner"),
        key=checked_key(key),
    )


def groups(kind: str, names: Iterable[str], field: str) -> list[str]:
    """Return team or role names as principals, sorted and without repeats."""
    if isinstance(names, str):
        message = f"{field}: a list of names is needed, not one string"
        raise InputError(message)
    return sorted({principal_of(kind, name, field) for name in names})


def checked_rights(rights: Iterable[str] | None, *, agent: bool) -> tuple[str, ...]:
    """Return rights, sorted; an agent's are read, write and act when none are given."""
    if rights is None:
        return tuple(sorted(right.value for right in DEFAULT_RIGHTS)) if agent else ()
    if isinstance(rights, str):
        message = "rights: a list of rights is needed, not one string"
        raise InputError(message)
    return tuple(sorted({one_of(Right, right, "rights").value for right in rights}))


def checked_class(context: Context, name: object) -> str:
    """Return a source class that the policy file knows."""
    classes = context.policy.source.classes
    if not isinstance(name, str) or name not in classes:
        message = f"source_class: `{name}` is none of {', '.join(classes)}"
        raise InputError(message)
    return name


def checked_key(key: str | None) -> str | None:
    """Return the caller's own id of a call."""
    return None if key is None else check_name(key, "key")


def one_of(kind: type[E], value: object, field: str) -> E:
    """Return ``value`` as a member of a closed set.

    Raises:
        InputError: It is none; the message lists them.

    """
    try:
        return kind(value)
    except ValueError:
        message = f"{field}: `{value}` is none of {', '.join(kind)}"
        raise InputError(message) from None


def _flag(value: object, field: str) -> bool:
    if not isinstance(value, bool):
        message = f"{field}: true or false is needed"
        raise InputError(message)
    return value
