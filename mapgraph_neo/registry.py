"""Registers users, agents, tools and resources, and sets what they hold and are known for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mapgraph_neo.authority import Act, Actor, perform
from mapgraph_neo.context import Context, Turn, caption, content_hash, new_key
from mapgraph_neo.drafts import edge_row, write
from mapgraph_neo.errors import ExistsError, InputError, RefusedError, UnknownNodeError
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings
from mapgraph_neo.names import label_of
from mapgraph_neo.rework import RECOMPUTE, RENEW, work_off
from mapgraph_neo.vocabulary import EdgeType, NodeLabel, Right, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A user, agent, tool or resource that is about to be registered."""

    id: str
    kind: NodeLabel
    facts: Mapping[str, object]
    authority: str | None = None  # the user or agent that AUTHORIZED_BY leads to
    scopes: tuple[str, ...] = ()
    rights: tuple[str, ...] = ()
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Scopes and rights for a user or agent, from one time to another (exclusive)."""

    principal: str
    scopes: tuple[str, ...]
    rights: tuple[str, ...]
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    via: str | None = None
    key: str | None = None


def register(context: Context, actor: str, source: Source) -> str:
    """Register ``source`` and return its id; the same again changes nothing.

    Raises:
        ExistsError: The name is taken with other facts; names are never reused.
        UnknownNodeError: The user, delegator or owner does not exist.
        RefusedError: No right to administer, or the delegator may not delegate.

    """

    def work(tx: Transaction, turn: Turn, _: Actor) -> str:
        found = tx.run("record/nodes", tenant=context.tenant, ids=[source.id])
        if found:
            _same(tx, context, source, found[0]["properties"])
            return source.id
        _check_authority(tx, context, source)
        write_source(tx, context.tenant, turn, source, turn.seq + 1)
        return source.id

    act = Act(
        actor=actor,
        name="register",
        target=source.id,
        right=Right.ADMINISTER,
        key=source.key,
        numbers=1,
    )
    return perform(context, act, work)


def write_source(tx: Transaction, tenant: str, turn: Turn, source: Source, seq: int) -> None:
    """Write the node of ``source`` and the edge to who authorises it."""
    write(
        tx,
        tenant,
        nodes=[source_row(source, turn, seq)],
        edges=authority_rows(source, turn.now),
    )


def source_row(
    source: Source, turn: Turn, seq: int, *, occurred_at: datetime | None = None
) -> dict[str, object]:
    """Return the node of ``source`` as a row of ``record/write``."""
    name = source.id.partition(":")[2]
    properties: dict[str, object] = {
        "id": source.id,
        "seq": seq,
        "created_at": turn.now,
        "caption": caption(name),
        "content_hash": content_hash(turn.hash_key, source.id),
        "revoked": False,
        "parents": 0,
        "integrity": "intact",
    }
    facts = {**source.facts, "occurred_at": occurred_at}
    properties.update((k, v) for k, v in facts.items() if v is not None)
    return {"kind": source.kind.value, "properties": properties}


def authority_rows(
    source: Source, at: datetime, *, occurred_at: datetime | None = None
) -> list[dict[str, object]]:
    """Return the edge from ``source`` to who authorises it, if anybody does."""
    if source.authority is None:
        return []
    return [
        grant_row(
            source.id,
            source.authority,
            at,
            scopes=source.scopes,
            rights=source.rights,
            occurred_at=occurred_at,
        )
    ]


def grant_row(  # noqa: PLR0913 - the columns of an edge
    source: str,
    target: str,
    at: datetime,
    *,
    scopes: Sequence[str],
    rights: Sequence[str],
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    occurred_at: datetime | None = None,
    grant: str | None = None,
) -> dict[str, object]:
    """Return one edge AUTHORIZED_BY as a row of ``record/write``."""
    return edge_row(
        EdgeType.AUTHORIZED_BY,
        source,
        target,
        at,
        id=grant or new_key("grant"),
        scopes=list(scopes),
        rights=list(rights),
        valid_from=valid_from or occurred_at or at,
        valid_to=valid_to,
        occurred_at=occurred_at,
    )


def grant(context: Context, actor: str, given: Grant) -> str:
    """Grant scopes and rights to a user or agent and return the grant's id.

    Raises:
        UnknownNodeError: No such principal.
        InputError: It is not clear through whom an agent should hold it.

    """

    def work(tx: Transaction, turn: Turn, who: Actor) -> str:
        found = tx.run("record/nodes", tenant=context.tenant, ids=[given.principal])
        if not found:
            message = f"principal: `{given.principal}` is not registered"
            raise UnknownNodeError(message)
        if given.principal.startswith("agent:"):
            return _grant_agent(tx, context, turn, given)
        row = {
            "id": new_key("grant"),
            "principal": given.principal,
            "scopes": list(given.scopes),
            "rights": list(given.rights),
            "valid_from": given.valid_from or turn.now,
            "valid_to": given.valid_to,
            "by": who.id,
            "at": turn.now,
        }
        tx.run("authority/write_grant", tenant=context.tenant, grant=row)
        return str(row["id"])

    act = Act(
        actor=actor,
        name="grant",
        target=given.principal,
        right=Right.ADMINISTER,
        key=given.key,
    )
    return perform(context, act, work)


def withdraw(context: Context, actor: str, grant_id: str) -> str:
    """Withdraw a grant; repeating it changes nothing.

    Raises:
        UnknownNodeError: No such grant.

    """

    def work(tx: Transaction, _: Turn, __: Actor) -> str:
        if not tx.run("authority/withdraw_grant", tenant=context.tenant, id=grant_id):
            message = f"grant: `{grant_id}` is no grant of tenant `{context.tenant}`"
            raise UnknownNodeError(message)
        return grant_id

    act = Act(actor=actor, name="withdraw", target=grant_id, right=Right.ADMINISTER)
    return perform(context, act, work)


def set_membership(
    context: Context,
    actor: str,
    user: str,
    *,
    teams: Sequence[str] | None,
    roles: Sequence[str] | None,
) -> str:
    """Set the teams and roles of a user; it counts at the next call of every process.

    Raises:
        UnknownNodeError: No such user.

    """

    def work(tx: Transaction, _: Turn, __: Actor) -> str:
        rows = tx.run(
            "authority/set_membership",
            tenant=context.tenant,
            user=user,
            teams=None if teams is None else list(teams),
            roles=None if roles is None else list(roles),
        )
        if not rows:
            message = f"user: `{user}` is not registered"
            raise UnknownNodeError(message)
        return user

    act = Act(actor=actor, name="set_membership", target=user, right=Right.ADMINISTER)
    return perform(context, act, work)


def set_source(
    context: Context,
    actor: str,
    node: str,
    *,
    name: str,
    kinds: tuple[NodeLabel, ...],
    standing: Standing | None = None,
    source_class: str | None = None,
    scope: Sequence[str] | None = None,
) -> str:
    """Set a fact of a source and work out again what came from it.

    A narrower scope closes at once; a wider one may arrive late, and until then answers say
    ``complete=False``.

    Raises:
        UnknownNodeError: No such node.
        InputError: It is of a kind that has no such fact.

    """
    if label_of(node) not in kinds:
        message = f"id: `{node}` is a {label_of(node)}; `{name}` takes {', '.join(kinds)}"
        raise InputError(message)

    def work(tx: Transaction, _: Turn, __: Actor) -> str:
        found = tx.run("record/nodes", tenant=context.tenant, ids=[node])
        if found and found[0]["properties"].get("parents") != 0:
            message = f"id: `{node}` has parents; only a source can be set by `{name}`"
            raise InputError(message)
        rows = tx.run(
            "authority/set_source",
            tenant=context.tenant,
            id=node,
            standing=None if standing is None else standing.value,
            source_class=source_class,
            scope=None if scope is None else list(scope),
        )
        if not rows:
            message = f"id: `{node}` is not registered"
            raise UnknownNodeError(message)
        # What a writer wrote is found by no walk from it: every record is worked out again.
        mode = RENEW if standing is not None else RECOMPUTE
        started = [{"id": new_key("work"), "root": node, "mode": mode}]
        tx.run("record/start_rework", tenant=context.tenant, work=started)
        return node

    act = Act(actor=actor, name=name, target=node, right=Right.ADMINISTER)
    result = perform(context, act, work)
    work_off(context)
    return result


def _grant_agent(tx: Transaction, context: Context, turn: Turn, given: Grant) -> str:
    links = tx.run("authority/links", tenant=context.tenant, agent=given.principal)
    targets = sorted({row["target"] for row in links})
    via = given.via or (targets[0] if len(targets) == 1 else None)
    if via is None:
        message = (
            f"via: `{given.principal}` is authorised by {', '.join(targets) or 'nobody'}; "
            "say through whom it should hold this"
        )
        raise InputError(message)
    _check_delegator(tx, context, via)
    grant_id = new_key("grant")
    row = grant_row(
        given.principal,
        via,
        turn.now,
        scopes=given.scopes,
        rights=given.rights,
        valid_from=given.valid_from,
        valid_to=given.valid_to,
        grant=grant_id,
    )
    write(tx, context.tenant, edges=[row])
    return grant_id


def _check_authority(tx: Transaction, context: Context, source: Source) -> None:
    if source.authority is None:
        return
    if not tx.run("record/nodes", tenant=context.tenant, ids=[source.authority]):
        message = f"`{source.authority}` is not registered"
        raise UnknownNodeError(message)
    _check_delegator(tx, context, source.authority)


def _check_delegator(tx: Transaction, context: Context, via: str) -> None:
    if not via.startswith("agent:"):
        return
    held = holdings(tx, context.tenant, via, (Right.DELEGATE,))
    if not held.may(Right.DELEGATE):
        message = f"`{via}` holds no right `delegate`, so nothing can be delegated through it"
        raise RefusedError(message)


def _same(tx: Transaction, context: Context, source: Source, found: Mapping[str, Any]) -> None:
    """Accept a repeated registration with the same facts and refuse any other."""
    facts = {key: value for key, value in source.facts.items() if value is not None}
    differing = [key for key, value in facts.items() if found.get(key) != value]
    if source.kind is NodeLabel.AGENT:
        links = tx.run("authority/links", tenant=context.tenant, agent=source.id)
        first = links[0] if links else None
        if first is None or (first["target"], first["scopes"], first["rights"]) != (
            source.authority,
            list(source.scopes),
            list(source.rights),
        ):
            differing.append("its grant")
    if differing:
        message = (
            f"`{source.id}` is registered already with another {', '.join(sorted(differing))}; "
            "names are never reused, change it by its own command"
        )
        raise ExistsError(message)
