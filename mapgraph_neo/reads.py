"""Records what leaves to an agent, in the transaction of its proof and before it leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mapgraph_neo.audit import ALLOWED, EMPTY
from mapgraph_neo.context import canonical, new_key
from mapgraph_neo.graph import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """What an agent reads in a task, by which act, and the query that found it, if any."""

    agent: str
    task: str
    ids: Sequence[str]
    act: str
    target: str
    query: Mapping[str, object] | None = None
    detail: Mapping[str, object]


def record_reads(tx: Transaction, tenant: str, reads: Reads) -> None:
    """Record the reads, the query and the audit record: none of them without the others."""
    tx.run(
        "record/hand_out",
        tenant=tenant,
        agent=reads.agent,
        task=reads.task,
        ids=list(reads.ids),
        query=reads.query,
        audit={
            "id": new_key("audit"),
            "act": reads.act,
            "target": reads.target,
            "outcome": ALLOWED if reads.ids else EMPTY,
            "detail": canonical(reads.detail),
        },
    )
