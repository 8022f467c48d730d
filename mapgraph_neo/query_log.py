"""Keeps the vectors of a task's queries, so that the gate can know that something was withheld."""

from mapgraph_neo.context import Context
from mapgraph_neo.graph import Transaction


def keep_query(
    tx: Transaction, context: Context, agent: str, task: str, query: tuple[bytes, int]
) -> None:
    """Keep the vector of a query for its task, if the policy wants the signal at all."""
    if context.policy.exclusion_signal != "off":
        vector, k = query
        tx.run(
            "record/keep_query", tenant=context.tenant, agent=agent, task=task, vector=vector, k=k
        )
