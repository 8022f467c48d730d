"""The withheld signal: whether something relevant was kept from an agent in its task (SPEC 6)."""

import numpy as np

from mapgraph_neo.context import Context
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings
from mapgraph_neo.sync import Synchroniser
from mapgraph_neo.vocabulary import Right

RELEVANT = 0.35
"""Cosine from which a record counts as relevant to a query (our own choice)."""


def withheld(
    tx: Transaction, context: Context, synchroniser: Synchroniser, agent: str, task: str
) -> int:
    """Return how many records the agent may not read stand among the best of its queries."""
    if context.policy.exclusion_signal == "off":
        return 0
    rows = tx.run("gate/queries", tenant=context.tenant, agent=agent, task=task)
    if not rows:
        return 0
    held = holdings(tx, context.tenant, agent, (Right.READ,))
    synced = synchroniser.sync(tx)
    sidecar = synchroniser.sidecar
    eligible = sidecar.eligible(held.principals, synced.now_ms, synced.excluded, 0.0)
    found: set[int] = set()
    for row in rows:
        vector = np.frombuffer(row["vector"], dtype="<f4")
        found.update(sidecar.withheld(vector, eligible, row["k"], least=RELEVANT))
    return len(found)
