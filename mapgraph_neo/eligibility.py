"""Stage 2, eligibility: CanRead by the ancestry path query; the only maker of a proof."""

from collections.abc import Sequence
from dataclasses import dataclass

from mapgraph_neo.context import Context, unknown_tenant
from mapgraph_neo.errors import GraphTimeoutError, UnknownNodeError
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.holdings import Holdings, all_holdings, holdings
from mapgraph_neo.model import Check, Explanation
from mapgraph_neo.names import label_of
from mapgraph_neo.vocabulary import NodeLabel, Reason, Right

READABLE = (NodeLabel.MEMORY, NodeLabel.CLAIM, NodeLabel.MESSAGE, NodeLabel.RESOURCE)
RECORDS = (NodeLabel.MEMORY, NodeLabel.CLAIM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """A record that one agent was proved to be allowed to read."""

    id: str
    seq: int
    kind: NodeLabel
    text: str | None
    content_hash: str | None
    verifiable: bool


def prove(
    tx: Transaction,
    context: Context,
    held: Holdings,
    ids: Sequence[str] = (),
    *,
    seqs: Sequence[int] = (),
) -> list[Proved]:
    """Return which of these the agent may read now; what is not shown is not returned.

    Args:
        tx: The open transaction.
        context: The tenant.
        held: What the agent holds, found in the same transaction.
        ids: Records by id.
        seqs: Records by the numbers of their entries.

    """
    if not (ids or seqs) or not held.may(Right.READ):
        return []
    rows = tx.run(
        "eligibility/prove",
        tenant=context.tenant,
        agent=held.agent,
        principals=sorted(held.principals),
        ids=list(dict.fromkeys(ids)),
        seqs=list(seqs),
    )
    return [_proved(row) for row in rows]


def check(context: Context, agent: str, record: str) -> Check:
    """Return whether ``agent`` may read ``record`` now, with the operator's reason.

    Raises:
        NotRegisteredError: No such agent.

    """
    found = explain(context, agent, record, witness=False)
    return Check(allowed=found.allowed, reason=found.reason, epoch=found.epoch)


def explain(context: Context, agent: str, record: str, *, witness: bool = True) -> Explanation:
    """Return whether, why, and the path to the first ancestor that closes ``record``.

    Raises:
        NotRegisteredError: No such agent.

    """
    try:
        return context.graph.read(lambda tx: _explain(tx, context, agent, record, witness=witness))
    except GraphTimeoutError:
        return Explanation(allowed=False, reason=Reason.UNPROVED, epoch=-1)


def eligible(context: Context, agent: str) -> tuple[str, ...]:
    """Return every memory and claim that ``agent`` may read now, oldest first; never cut.

    Raises:
        NotRegisteredError: No such agent.

    """

    def work(tx: Transaction) -> tuple[str, ...]:
        held = holdings(tx, context.tenant, agent)
        if not held.may(Right.READ):
            return ()
        rows = tx.run(
            "eligibility/eligible_memories",
            tenant=context.tenant,
            agent=agent,
            principals=sorted(held.principals),
        )
        return tuple(rows[0]["ids"])

    return context.graph.read(work)


def readers(context: Context, record: str) -> tuple[str, ...]:
    """Return every agent that may read ``record`` now, sorted.

    Raises:
        UnknownNodeError: The tenant holds no such record.

    """

    def work(tx: Transaction) -> tuple[str, ...]:
        if label_of(record) not in READABLE or not tx.run(
            "record/read_details", tenant=context.tenant, ids=[record]
        ):
            message = f"id: `{record}` is no record of tenant `{context.tenant}`"
            raise UnknownNodeError(message)
        rows = tx.run("eligibility/clauses", tenant=context.tenant, ids=[record])
        if not rows:
            return ()
        clauses = [frozenset(clause) for clause in rows[0]["clauses"]]
        agents = tx.run("authority/agents", tenant=context.tenant)[0]["ids"]
        return tuple(
            sorted(
                held.agent
                for held in all_holdings(tx, context.tenant, agents)
                if held.may(Right.READ)
                and all(not clause.isdisjoint(held.principals) for clause in clauses)
            )
        )

    return context.graph.read(work)


def epoch_of(tx: Transaction, context: Context) -> int:
    """Return the tenant's epoch.

    Raises:
        NotRegisteredError: The tenant was never initialised.

    """
    rows = tx.run("record/tenant", tenant=context.tenant)
    if not rows:
        raise unknown_tenant(context.tenant)
    return int(rows[0]["epoch"])


def _explain(
    tx: Transaction, context: Context, agent: str, record: str, *, witness: bool
) -> Explanation:
    epoch = epoch_of(tx, context)
    held = holdings(tx, context.tenant, agent)
    no = Explanation(allowed=False, reason=Reason.UNKNOWN, epoch=epoch)
    if label_of(record) not in READABLE or not tx.run(
        "record/read_details", tenant=context.tenant, ids=[record]
    ):
        return no
    if not held.may(Right.READ):
        return Explanation(allowed=False, reason=Reason.INACTIVE_AGENT, epoch=epoch)
    if prove(tx, context, held, [record]):
        return Explanation(allowed=True, reason=Reason.ALLOWED, epoch=epoch)
    rows = tx.run(
        "eligibility/why_not",
        tenant=context.tenant,
        agent=agent,
        principals=sorted(held.principals),
        id=record,
    )
    if not rows:
        return Explanation(allowed=False, reason=Reason.UNPROVED, epoch=epoch)
    first = rows[0]
    path = _witness(tx, context, record, first["id"]) if witness else ()
    return Explanation(allowed=False, reason=Reason(first["reason"]), epoch=epoch, witness=path)


def _witness(tx: Transaction, context: Context, record: str, above: str) -> tuple[str, ...]:
    if above == record:
        return (record,)
    rows = tx.run("lineage/witness", tenant=context.tenant, id=record, above=above)
    return tuple(rows[0]["path"]) if rows else (record, above)


def _proved(row: Row) -> Proved:
    return Proved(
        id=row["id"],
        seq=row["seq"],
        kind=NodeLabel(row["kind"]),
        text=row["text"],
        content_hash=row["content_hash"],
        verifiable=row["verifiable"],
    )
