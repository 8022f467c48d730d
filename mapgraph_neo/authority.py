"""Administrative acts: the right is checked in the store, in the act's own transaction."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from mapgraph_neo import audit
from mapgraph_neo.context import Context, Turn, take_turn
from mapgraph_neo.errors import MapGraphError, NotRegisteredError, RefusedError
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings
from mapgraph_neo.record import first_answer, save_answer
from mapgraph_neo.vocabulary import Right

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """An authenticated principal with what it may do now."""

    id: str
    rights: frozenset[str]
    principals: frozenset[str]

    def may(self, right: Right) -> bool:
        """Return whether it holds ``right`` now."""
        return right.value in self.rights


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One administrative act: who, what for the audit, to what, and which right it takes.

    ``owned`` names the node whose owner may act without the right.
    """

    actor: str
    name: str
    target: str
    right: Right
    owned: str | None = None
    key: str | None = None
    bump: bool = True
    numbers: int = 0


def perform(context: Context, act: Act, work: Callable[[Transaction, Turn, Actor], T]) -> T:
    """Run ``work`` under the tenant's lock if the actor may act; audit it, also when refused.

    Raises:
        RefusedError: The actor lacks the right; nothing was changed, the refusal is audited.
        NotRegisteredError: No such actor or tenant.

    """

    def unit(tx: Transaction) -> T:
        turn = take_turn(tx, context, bump=act.bump, count=act.numbers)
        actor = who(tx, context.tenant, act.actor)
        if act.key is not None:
            first = first_answer(tx, context.tenant, act.actor, act.key)
            if first is not None:
                raise _RepeatedError(first)
        _require(tx, context.tenant, actor, act)
        result = work(tx, turn, actor)
        audit.append(tx, context.tenant, actor=act.actor, act=act.name, target=act.target)
        if act.key is not None:
            save_answer(tx, context.tenant, act.actor, act.key, result)
        return result

    try:
        return context.graph.write(unit)
    except _RepeatedError as repeated:
        return repeated.answer  # type: ignore[return-value]
    except RefusedError as error:
        audit.refused(context, actor=act.actor, act=act.name, target=act.target, reason=str(error))
        raise


def permit(context: Context, actor: str, name: str, target: str) -> None:
    """Audit that ``actor`` does what takes the right to administer and is done outside of here.

    Raises:
        RefusedError: The actor lacks the right; the refusal is audited.
        NotRegisteredError: No such actor or tenant.

    """
    act = Act(actor=actor, name=name, target=target, right=Right.ADMINISTER, bump=False)
    perform(context, act, lambda _tx, _turn, who: who.id)


class _RepeatedError(MapGraphError):
    """The call carried a key that was answered before; nothing is changed."""

    def __init__(self, answer: object) -> None:
        super().__init__("repeated")
        self.answer = answer


def who(tx: Transaction, tenant: str, actor: str) -> Actor:
    """Return the actor with its rights.

    Raises:
        NotRegisteredError: No such user or agent.
        RefusedError: It is revoked or compromised.

    """
    if actor.startswith("agent:"):
        held = holdings(tx, tenant, actor, tuple(Right))
        return Actor(id=actor, rights=held.rights, principals=held.principals)
    rows = tx.run("authority/user", tenant=tenant, user=actor)
    if not rows:
        message = f"`{actor}` is not registered in tenant `{tenant}`"
        raise NotRegisteredError(message)
    row = rows[0]
    if not row["active"]:
        message = f"`{actor}` is revoked or compromised"
        raise RefusedError(message)
    return Actor(id=actor, rights=frozenset(row["rights"]), principals=frozenset(row["principals"]))


def owners(tx: Transaction, tenant: str, node: str) -> frozenset[str]:
    """Return the users that own ``node``; nobody when it does not exist."""
    rows = tx.run("authority/owners", tenant=tenant, id=node)
    return frozenset(rows[0]["users"]) if rows else frozenset()


def _require(tx: Transaction, tenant: str, actor: Actor, act: Act) -> None:
    if actor.may(act.right):
        return
    if act.owned is not None and actor.id in owners(tx, tenant, act.owned):
        return
    message = f"`{actor.id}` holds no right `{act.right}` in tenant `{tenant}`"
    raise RefusedError(message)
