"""Withdraws sources and undoes it: preview, apply, mark what came from them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from mapgraph_neo.access_classes import AccessClasses
from mapgraph_neo.authority import Act, Actor, perform
from mapgraph_neo.context import Context, Turn
from mapgraph_neo.entries import principals_of
from mapgraph_neo.errors import InputError, RefusedError, UnknownNodeError
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import all_holdings
from mapgraph_neo.model import RevocationReport
from mapgraph_neo.names import label_of
from mapgraph_neo.rework import work_off
from mapgraph_neo.vocabulary import NodeLabel, RevocationKind, Right

REVOCABLE = (
    NodeLabel.USER,
    NodeLabel.TOOL,
    NodeLabel.RESOURCE,
    NodeLabel.MESSAGE,
    NodeLabel.MEMORY,
    NodeLabel.CLAIM,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to withdraw, how, why and for which window."""

    target: str
    kind: RevocationKind
    reason: str
    since: datetime | None = None
    until: datetime | None = None
    key: str | None = None

    @property
    def windowed(self) -> bool:
        """Whether only edges inside a window are tainted."""
        return self.since is not None or self.until is not None


def preview(context: Context, actor: str, request: Request) -> RevocationReport:
    """Return what a revocation would do; changes nothing.

    Raises:
        RefusedError: The actor neither owns the source nor holds the right.
        UnknownNodeError: The tenant holds no such source.

    """

    def work(tx: Transaction, turn: Turn, _: Actor) -> RevocationReport:
        report = _report(tx, context, request, None, turn.epoch)
        return replace(report, already=_standing(tx, context, request) is not None)

    act = _act(actor, request, name="revoke-dry-run", bump=False)
    return perform(context, act, work)


def revoke(context: Context, actor: str, request: Request) -> RevocationReport:
    """Withdraw a source. When this returns, nothing that came from it is handed out anywhere.

    Repeating it with the same kind and window changes nothing, and returns the revocation that
    stands with ``already`` set.

    Raises:
        RefusedError: The actor neither owns the source nor holds the right.
        UnknownNodeError: The tenant holds no such source.

    """

    def work(tx: Transaction, _turn: Turn, _: Actor) -> tuple[str, bool]:
        standing = _standing(tx, context, request)
        if standing is not None:
            return standing, True
        rows = tx.run(
            "revocation/revoke_source",
            tenant=context.tenant,
            id=request.target,
            by=actor,
            kind=request.kind.value,
            reason=request.reason,
            since=request.since,
            until=request.until,
        )
        if not rows:
            raise _unknown(request.target, context.tenant)
        return str(rows[0]["id"]), False

    act = _act(actor, request, name=_name(request), bump=False)
    revocation, already = perform(context, act, work)
    report = context.graph.read(lambda tx: _report(tx, context, request, revocation, None))
    work_off(context)
    return replace(report, already=already)


def undo(context: Context, actor: str, revocation: str, reason: str) -> RevocationReport:
    """Undo a revocation: restores what no other revocation covers; the history stays.

    Raises:
        RefusedError: The actor neither owns the source nor holds the right.
        UnknownNodeError: No such revocation.
        InputError: It is an erasure, which cannot be undone.

    """
    found = context.graph.read(
        lambda tx: tx.run("revocation/find", tenant=context.tenant, id=revocation)
    )
    if not found:
        message = f"id: `{revocation}` is no revocation of tenant `{context.tenant}`"
        raise UnknownNodeError(message)
    row = found[0]
    if row["kind"] == RevocationKind.ERASURE.value:
        message = f"id: `{revocation}` is an erasure; its content is gone and cannot come back"
        raise InputError(message)
    if row["undone"]:
        message = f"id: `{revocation}` was undone already"
        raise InputError(message)
    right = Right.INVALIDATE if row["kind"] == RevocationKind.INVALID.value else Right.REVOKE

    def work(tx: Transaction, turn: Turn, who: Actor) -> int:
        if who.id.startswith("agent:"):
            message = f"`{who.id}` is an agent; agents never undo"
            raise RefusedError(message)
        tx.run("revocation/undo", tenant=context.tenant, id=revocation, by=who.id, reason=reason)
        return turn.epoch

    act = Act(
        actor=actor, name="undo", target=revocation, right=right, owned=row["root"], bump=False
    )
    perform(context, act, work)
    work_off(context)
    request = Request(target=row["root"], kind=RevocationKind(row["kind"]), reason=reason)
    return context.graph.read(lambda tx: _report(tx, context, request, revocation, None))


def _act(actor: str, request: Request, *, name: str, bump: bool) -> Act:
    right = Right.INVALIDATE if request.kind is RevocationKind.INVALID else Right.REVOKE
    return Act(
        actor=actor,
        name=name,
        target=request.target,
        right=right,
        owned=request.target,
        key=request.key,
        bump=bump,
    )


def _name(request: Request) -> str:
    return "invalidate" if request.kind is RevocationKind.INVALID else "revoke"


def _standing(tx: Transaction, context: Context, request: Request) -> str | None:
    """Return the revocation of the same kind and window that stands already, if there is one."""
    rows = tx.run("revocation/revocations", tenant=context.tenant, id=request.target)
    same = (request.kind.value, request.since, request.until)
    for row in rows:
        if (row["kind"], row["since"], row["until"]) == same:
            return str(row["id"])
    return None


def _report(
    tx: Transaction,
    context: Context,
    request: Request,
    revocation: str | None,
    epoch: int | None,
) -> RevocationReport:
    if label_of(request.target) not in REVOCABLE:
        raise _unknown(request.target, context.tenant)
    rows = tx.run(
        "revocation/blast_radius",
        tenant=context.tenant,
        id=request.target,
        since=request.since,
        until=request.until,
    )
    if not rows:
        raise _unknown(request.target, context.tenant)
    row = rows[0]
    if epoch is None:
        epoch = int(tx.run("record/tenant", tenant=context.tenant)[0]["epoch"])
    return RevocationReport(
        id=revocation,
        target=request.target,
        kind=request.kind.value,
        affected=row["affected"],
        by_kind=dict(row["by_kind"]),
        by_depth=dict(row["by_depth"]),
        agents=_losing(tx, context, row),
        actions=tuple(row["actions"]),
        pending=tuple(row["pending"]),
        epoch=epoch,
    )


def _losing(tx: Transaction, context: Context, row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the agents that may read any of the classes that a revocation closes."""
    numbers: list[int] = row["classes"]
    if not numbers:
        return ()
    classes = AccessClasses()
    for found in tx.run("sync/classes", tenant=context.tenant, numbers=numbers):
        classes.add(found["number"], [principals_of(clause) for clause in found["clauses"]])
    agents = tx.run("authority/agents", tenant=context.tenant)[0]["ids"]
    wanted = np.asarray(numbers, dtype=np.int64)
    return tuple(
        sorted(
            held.agent
            for held in all_holdings(tx, context.tenant, agents)
            if held.principals and bool(classes.admits(wanted, held.principals).any())
        )
    )


def _unknown(target: str, tenant: str) -> UnknownNodeError:
    return UnknownNodeError(
        f"id: tenant `{tenant}` holds no source `{target}`; nothing was changed"
    )
