"""Doctor on a database whose rules were dropped: it tells them, and what got in meanwhile."""

import pytest
from bridge import ToyEmbedder

from mapgraph_neo import MapGraph
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.schema import rules
from mapgraph_neo.settings import GraphSettings

TWICE = """
MATCH (n:MapNode {tenant: 'default', id: $id})
CREATE (m:MapNode:Memory) SET m = properties(n)
CREATE (m)-[:WRITTEN_BY {at: datetime()}]->(:MapNode:Agent {tenant: 'default', id: 'agent:reader'})
"""


@pytest.fixture
def world(private_settings: GraphSettings, graph: Neo4jGraph) -> MapGraph:
    """An administrator, an agent and its memory, on a server that holds nothing else."""
    made = MapGraph.connect(
        graph_settings=private_settings, driver=graph.driver, embedder=ToyEmbedder()
    )
    made.init("alice")
    made.as_admin("alice").register_agent("reader", user="alice", scopes=["@user"])
    return made


def test_dropped_rules_and_what_they_let_in_are_told(world: MapGraph, graph: Neo4jGraph) -> None:
    memory = world.as_agent("reader").remember("only once")
    assert world.doctor().healthy
    for rule in rules():
        if rule.label == "MapNode" and rule.kind == "constraint":
            graph.driver.execute_query(f"DROP CONSTRAINT {rule.name}")  # type: ignore[arg-type]
    graph.driver.execute_query(TWICE, id=memory)

    report = world.doctor(fix=True)

    found = {each.name: each for each in report.findings if not each.ok}
    assert {"schema", "duplicates"} <= set(found)
    assert found["schema"].count == 2
    assert memory in found["duplicates"].ids
    assert "agent:reader" in found["duplicates"].ids


def test_a_database_without_our_schema_is_told_so(
    private_settings: GraphSettings, graph: Neo4jGraph
) -> None:
    bare = MapGraph.connect(
        graph_settings=private_settings, driver=graph.driver, embedder=ToyEmbedder()
    )

    report = bare.doctor(fix=True)

    assert [(each.name, each.ok) for each in report.findings] == [
        ("schema", False),
        ("tenant", False),
    ]
    assert (report.healthy, report.epoch) == (False, -1)
