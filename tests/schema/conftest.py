"""A graph on a server of each line, without any schema of ours."""

from collections.abc import Iterator

import pytest
from private_servers import private_settings  # noqa: F401 - a fixture

from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.settings import GraphSettings


@pytest.fixture
def graph(private_settings: GraphSettings) -> Iterator[Neo4jGraph]:  # noqa: F811
    """Empty before and after, rules included; others share the server."""
    graph = Neo4jGraph(private_settings)
    _empty(graph)
    yield graph
    _empty(graph)
    graph.close()


def _empty(graph: Neo4jGraph) -> None:
    query = graph.driver.execute_query
    query("MATCH (n) DETACH DELETE n")
    for row in query("SHOW CONSTRAINTS YIELD name").records:
        query(f"DROP CONSTRAINT `{row['name']}`")
    for row in query("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'").records:
        query(f"DROP INDEX `{row['name']}`")
