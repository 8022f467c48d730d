"""The variant that must fail: winners are taken as ranked, without the proof and the grading."""

from collections.abc import Iterable, Sequence
from typing import Any

from mapgraph_neo.context import Context
from mapgraph_neo.eligibility import Proved
from mapgraph_neo.grading import Grade
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import Holdings
from mapgraph_neo.vocabulary import NodeLabel

BY_SEQ = """
UNWIND $seqs AS seq
MATCH (entry:_Entry {tenant: $tenant, seq: seq})
RETURN entry.id AS id, seq
"""


def ids_of(tx: Transaction, tenant: str, seqs: Sequence[int]) -> list[str]:
    """The ids of entries, whatever their state; no statement of ours hands them out."""
    inner: Any = tx
    while not hasattr(inner, "_transaction"):
        inner = inner._tx
    return [row["id"] for row in inner._transaction.run(BY_SEQ, tenant=tenant, seqs=list(seqs))]


def prove(
    tx: Transaction,
    context: Context,
    held: Holdings,
    ids: Sequence[str] = (),
    *,
    seqs: Sequence[int] = (),
) -> list[Proved]:
    """Believe that all of these may be read."""
    del held
    wanted = [*ids, *ids_of(tx, context.tenant, seqs)]
    return [
        Proved(
            id=row["id"],
            seq=row["properties"]["seq"],
            kind=NodeLabel(row["kind"]),
            text=row["properties"]["text"],
            content_hash=row["properties"]["content_hash"],
            verifiable=False,
        )
        for row in tx.run("record/nodes", tenant=context.tenant, ids=wanted)
    ]


def grade(
    tx: Transaction, context: Context, ids: Sequence[str], *, verified: Iterable[str] = ()
) -> dict[str, Grade]:
    """Trust all of ``ids`` wholly."""
    del tx, context, verified
    return dict.fromkeys(ids, Grade(rho=1.0, floor=1.0, independent=0))
