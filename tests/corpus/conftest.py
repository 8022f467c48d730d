"""A small newsroom in a tenant of its own, for the cases that data alone cannot say."""

from typing import Any

import neo4j
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import AdminHandle, MapGraph
from mapgraph_neo.settings import GraphSettings

START: list[dict[str, object]] = [
    {"event": "user", "id": "user:ida", "teams": ["press"]},
    {"event": "user", "id": "user:tom", "teams": ["sport"]},
    {"event": "agent", "id": "agent:desk", "user": "user:ida", "scopes": ["@user"]},
    {"event": "agent", "id": "agent:fan", "user": "user:tom", "scopes": ["@user"]},
    {"event": "tool", "id": "tool:answer", "risk": "low", "answer": True},
    {"event": "tool", "id": "tool:pay", "risk": "high"},
    {"event": "resource", "id": "res:wire", "scope": ["team:press"], "source_class": "internal"},
    {
        "event": "observe",
        "id": "mem:wire",
        "text": "A bridge is closed",
        "writer": "agent:desk",
        "source": "res:wire",
    },
    {
        "event": "derive",
        "id": "mem:story",
        "text": "How to get to work",
        "writer": "agent:desk",
        "parents": ["mem:wire"],
    },
]


class News:
    """The newsroom: agent ``desk`` reads everything, agent ``fan`` nothing."""

    def __init__(self, graph: MapGraph, driver: neo4j.Driver) -> None:
        self.graph = graph
        self.driver = driver

    @property
    def admin(self) -> AdminHandle:
        return self.graph.as_admin("root")

    def ingest(self, *events: dict[str, object]) -> None:
        self.graph.ingest(events)

    def cypher(self, query: str, **given: object) -> list[dict[str, Any]]:
        """Run a statement by hand, as somebody with the password of the database could."""
        rows = self.driver.execute_query(query, tenant=self.graph.tenant, **given)  # type: ignore[arg-type]
        return [row.data() for row in rows.records]

    def closed(self, record: str, *, to: str = "agent:desk") -> str:
        """Return the reason for which a record is closed, on every path that there is."""
        agent = self.graph.as_agent(to)
        assert record not in self.graph.eligible(to)
        assert record not in {hit.id for hit in agent.retrieve("anything", k=500)}
        assert not agent.check(record).allowed
        assert to not in self.graph.readers(record)
        found = self.graph.explain(to, record)
        assert found.allowed is False
        return found.reason.value

    def open(self, record: str, *, to: str = "agent:desk") -> None:
        """See that a record is open on every path that there is."""
        assert record in self.graph.eligible(to)
        assert record in {hit.id for hit in self.graph.as_agent(to).retrieve("anything", k=500)}
        assert self.graph.check(to, record).allowed
        assert to in self.graph.readers(record)


@pytest.fixture
def news(neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str) -> News:
    graph = MapGraph.connect(
        graph_settings=neo4j_settings, driver=neo4j_driver, tenant=tenant, embedder=ToyEmbedder()
    )
    graph.init("root")
    graph.ingest(START)
    return News(graph, neo4j_driver)
