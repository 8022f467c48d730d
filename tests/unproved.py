"""The variant that must fail: winners are taken as ranked, without the proof and the grading."""

from collections.abc import Sequence

from mapgraph_neo.context import Context
from mapgraph_neo.eligibility import Proved
from mapgraph_neo.grading import Grade
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import Holdings
from mapgraph_neo.vocabulary import NodeLabel


def prove(tx: Transaction, context: Context, held: Holdings, ids: Sequence[str]) -> list[Proved]:
    """Believe that all of ``ids`` may be read."""
    del held
    rows = tx.run("record/nodes", tenant=context.tenant, ids=list(ids))
    return [
        Proved(
            id=row["id"],
            seq=row["properties"]["seq"],
            kind=NodeLabel(row["kind"]),
            text=row["properties"]["text"],
            content_hash=row["properties"]["content_hash"],
            verifiable=False,
        )
        for row in rows
    ]


def grade(tx: Transaction, context: Context, ids: Sequence[str]) -> dict[str, Grade]:
    """Trust all of ``ids`` wholly."""
    del tx, context
    return dict.fromkeys(ids, Grade(rho=1.0, floor=1.0, independent=0))
