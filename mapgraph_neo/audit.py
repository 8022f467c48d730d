"""Keeps who did what, when, to what, and how it ended; ids and reasons, never content."""

from dataclasses import dataclass
from datetime import datetime

from mapgraph_neo.context import Context, canonical, new_key
from mapgraph_neo.graph import Transaction

ALLOWED = "allowed"
REFUSED = "refused"
EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One kept record."""

    id: str
    at: datetime
    actor: str
    act: str
    target: str
    outcome: str
    detail: str
    epoch: int | None


def append(
    tx: Transaction,
    tenant: str,
    *,
    actor: str,
    act: str,
    target: str,
    outcome: str = ALLOWED,
    detail: object = None,
) -> None:
    """Keep one record in the caller's transaction, so that neither is without the other."""
    tx.run(
        "audit/append",
        tenant=tenant,
        id=new_key("audit"),
        actor=actor,
        act=act,
        target=target,
        outcome=outcome,
        detail=canonical(detail or {}),
    )


def refused(context: Context, *, actor: str, act: str, target: str, reason: str) -> None:
    """Keep a refusal, in a transaction of its own: the refused one was rolled back."""
    context.graph.write(
        lambda tx: append(
            tx,
            context.tenant,
            actor=actor,
            act=act,
            target=target,
            outcome=REFUSED,
            detail={"reason": reason},
        )
    )


def records(
    context: Context, *, actor: str | None = None, act: str | None = None, limit: int = 100
) -> list[AuditRecord]:
    """Return kept records, newest first."""
    rows = context.graph.read(
        lambda tx: tx.run("audit/records", tenant=context.tenant, actor=actor, act=act, limit=limit)
    )
    return [AuditRecord(**row) for row in rows]
