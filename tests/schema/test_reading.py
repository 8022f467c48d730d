"""The typed model reads what the statements wrote."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from neomodel import db

from mapgraph_neo import nodes
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.settings import GraphSettings

pytestmark = pytest.mark.neo4j

WRITE = """
CREATE (m:MapNode:Memory:Affected {tenant: 't', id: 'mem:1', seq: 2, text: 'words', revoked: false,
  scope: ['*'], created_at: datetime('2026-01-02T03:04:05Z')})
CREATE (r:MapNode:Resource:Revoked {tenant: 't', id: 'res:1', seq: 1, scope: ['team:a']})
CREATE (m)-[:OBSERVED_FROM {at: datetime('2026-01-02T03:04:05Z'), declared_by: 'host'}]->(r)
"""


@pytest.fixture
def _model(graph: Neo4jGraph, private_settings: GraphSettings) -> Iterator[None]:
    graph.driver.execute_query(WRITE)
    nodes.use(
        uri=private_settings.uri,
        username=private_settings.username,
        password=private_settings.password.get_secret_value(),
    )
    yield
    db.driver.close()


@pytest.mark.usefixtures("_model")
def test_nodes_edges_and_marks_are_read() -> None:
    memory = nodes.Memory.nodes.get(tenant="t", node_id="mem:1")
    (source,) = memory.observed_from.all()

    assert (memory.text, memory.scope, memory.revoked) == ("words", ["*"], False)
    assert memory.created_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert isinstance(source, nodes.Resource)
    assert memory.observed_from.relationship(source).declared_by == "host"
    assert sorted(memory.labels()) == ["Affected", "MapNode", "Memory"]
