"""Path trust, three times: kept by the engine, by a statement in Cypher, by one pass in Python."""

from typing import Any

import neo4j

from mapgraph_neo.policy import Policy
from mapgraph_neo.statement import load_statement
from mapgraph_neo.trust import TrustEdge, TrustNode, TrustWriter, path_trust
from mapgraph_neo.vocabulary import EdgeType, NodeLabel

CLOSE = 1e-9
RECORDS = ("Memory", "Claim", "Message")
STEPS = "OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM"
NODES = """
MATCH (n:MapNode {tenant: $tenant}) WHERE NOT n:Agent AND NOT n:Action
RETURN n.id AS id, n.seq AS seq, [l IN labels(n) WHERE l <> 'MapNode' AND l <> 'Revoked'
  AND l <> 'Affected'][0] AS label, n.integrity AS integrity, n.source_class AS source_class,
  n.standing AS standing, COLLECT { MATCH (n)-[:WRITTEN_BY]->(w)
    RETURN [[l IN labels(w) WHERE l IN ['User', 'Agent', 'Tool']][0],
      coalesce(w.standing, w.source_class), w.id] } AS writers
"""
EDGES = f"""
MATCH (n:MapNode {{tenant: $tenant}})-[e:{STEPS}]->(p)
RETURN n.id AS child, p.id AS parent, type(e) AS type
"""


def numbers(policy: Policy) -> dict[str, Any]:
    """Return the numbers of a policy as the statement takes them."""
    moved = policy.transformation
    return {
        "source": dict(policy.source.classes),
        "record": policy.source.unknown_record,
        "users": {
            "established": policy.source.users.established,
            "new": policy.source.users.new,
        },
        "integrity": {
            "intact": policy.integrity.intact,
            "incomplete": policy.integrity.incomplete,
        },
        "steps": {
            "OBSERVED_FROM": moved.observed,
            "DERIVED_FROM": moved.derived,
            "SUMMARIZED_FROM": moved.summarized,
        },
        "human": policy.writer.human,
        "host": policy.writer.host,
        "agents": {"established": policy.writer.agent, "new": policy.writer.new_agent},
    }


def differing(driver: neo4j.Driver, tenant: str, policy: Policy) -> list[str]:
    """Return the records of a tenant on whose path trust the three do not agree."""
    nodes = [
        TrustNode(
            id=row["id"],
            seq=row["seq"],
            label=NodeLabel(row["label"]),
            integrity=row["integrity"],
            revoked=False,
            source_class=row["source_class"],
            standing=row["standing"],
            writers=[
                TrustWriter(kind.lower(), state, name) for kind, state, name in row["writers"]
            ],
        )
        for row in driver.execute_query(NODES, tenant=tenant).records
    ]
    edges = [
        TrustEdge(child=row["child"], parent=row["parent"], type=EdgeType(row["type"]))
        for row in driver.execute_query(EDGES, tenant=tenant).records
    ]
    alone = path_trust(nodes, edges, policy)
    records = {node.id for node in nodes if node.label in RECORDS}
    rows = driver.execute_query(
        load_statement("admin/path_trust").text,  # type: ignore[arg-type]
        tenant=tenant,
        ids=sorted(records),
        numbers=numbers(policy),
    ).records
    wrong = records ^ {row["id"] for row in rows}
    for row in rows:
        path = alone[row["id"]]
        for name, value in (("sif", path.sif), ("floor", path.si), ("reliability", path.writer)):
            if not abs(row[name] - value) <= CLOSE or not abs(row[f"kept_{name}"] - value) <= CLOSE:
                wrong.add(row["id"])
    return sorted(wrong)
