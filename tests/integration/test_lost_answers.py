"""T38: the commit happened, its answer was lost; calling again changes nothing more."""

from collections.abc import Iterator

import pytest
from bridge import ToyEmbedder
from cutting_proxy import CuttingProxy

from mapgraph_neo import GraphError, MapGraph
from mapgraph_neo.settings import GraphSettings


@pytest.fixture
def proxy(neo4j_settings: GraphSettings) -> Iterator[CuttingProxy]:
    with CuttingProxy(neo4j_settings.uri) as proxy:
        yield proxy


@pytest.fixture
def graph(
    proxy: CuttingProxy, neo4j_settings: GraphSettings, tenant: str, neo4j_driver: object
) -> Iterator[MapGraph]:
    del neo4j_driver  # the schema stands
    with MapGraph.connect(
        graph_settings=neo4j_settings.model_copy(update={"uri": proxy.uri}),
        tenant=tenant,
        embedder=ToyEmbedder(),
    ) as graph:
        graph.init("alice")
        admin = graph.as_admin("alice")
        admin.register_user("bob")
        admin.register_agent("writer", user="bob", scopes=["@user"])
        admin.register_resource("page", scope=["*"], source_class="internal")
        yield graph


def test_a_write_with_a_key_is_made_once(graph: MapGraph, proxy: CuttingProxy) -> None:
    writer = graph.as_agent("writer", task="t")
    proxy.arm()
    with pytest.raises(GraphError):
        writer.observe("said once", source="res:page", key="call-1")
    made = writer.observe("said once", source="res:page", key="call-1")
    assert proxy.cuts == 1
    assert graph.eligible("writer") == (made,)


def test_a_revocation_is_made_once(graph: MapGraph, proxy: CuttingProxy) -> None:
    note = graph.as_agent("writer", task="t").observe("poison", source="res:page")
    admin = graph.as_admin("alice")
    proxy.arm()
    with pytest.raises(GraphError):
        admin.revoke("res:page", reason="poisoned")
    assert not graph.check("writer", note).allowed
    again = admin.revoke("res:page", reason="poisoned")
    assert (proxy.cuts, again.already) == (1, True)
    admin.undo(again.id or "", reason="it was not")
    assert graph.check("writer", note).allowed


def test_a_decision_whose_start_was_lost_is_not_started_again(
    graph: MapGraph, proxy: CuttingProxy
) -> None:
    """Whether the action ran is not known: it must not run twice."""
    graph.as_admin("alice").register_tool("answer", risk="low", answer=True)
    writer = graph.as_agent("writer", task="t")
    note = writer.observe("fact", source="res:page")
    decision = writer.propose("answer", arguments={"text": "x"}, evidence=[note])
    ran: list[str] = []
    proxy.arm()
    with pytest.raises(GraphError):
        writer.execute(decision.id, run=lambda text: ran.append(text))  # noqa: PLW0108
    with pytest.raises(Exception, match="started"):
        writer.execute(decision.id, run=lambda text: ran.append(text))  # noqa: PLW0108
    assert ran == []
