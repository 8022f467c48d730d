"""Where reads go: on a cluster to the leader alone, since a follower may know of no revocation."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import neo4j
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import MapGraph
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.settings import GraphSettings


class Listening:
    """The real driver; keeps how sessions were asked for and where their work was sent."""

    def __init__(self, driver: neo4j.Driver) -> None:
        self._driver = driver
        self.modes: list[str] = []
        self.sent: list[str] = []
        self.managers: list[Any] = []

    @contextmanager
    def session(self, **config: Any) -> Iterator["Listening.Session"]:  # noqa: ANN401 - the driver's
        self.modes.append(config["default_access_mode"])
        self.managers.append(config["bookmark_manager"])
        with self._driver.session(**config) as session:
            yield Listening.Session(session, self.sent)

    class Session:
        """A session that notes which way a managed transaction takes."""

        def __init__(self, session: neo4j.Session, sent: list[str]) -> None:
            self._session = session
            self._sent = sent

        def execute_read(self, work: Any) -> Any:  # noqa: ANN401 - the driver's
            self._sent.append("read")
            return self._session.execute_read(work)

        def execute_write(self, work: Any) -> Any:  # noqa: ANN401 - the driver's
            self._sent.append("write")
            return self._session.execute_write(work)


def routed(settings: GraphSettings) -> GraphSettings:
    return settings.model_copy(update={"uri": settings.uri.replace("bolt://", "neo4j://")})


@pytest.mark.parametrize("cluster", [True, False])
def test_reads_of_a_cluster_go_to_the_leader(
    neo4j_settings: GraphSettings,
    cluster: bool,  # noqa: FBT001
) -> None:
    settings = routed(neo4j_settings) if cluster else neo4j_settings
    auth = (settings.username, settings.password.get_secret_value())
    with neo4j.GraphDatabase.driver(settings.uri, auth=auth) as driver:
        listening = Listening(driver)
        graph = Neo4jGraph(settings, driver=listening)  # type: ignore[arg-type]
        graph.read(lambda tx: tx.run("schema/applied_migrations"))
        graph.read(lambda tx: tx.run("schema/applied_migrations"))

    assert listening.sent == (["write"] * 2 if cluster else ["read"] * 2)
    assert listening.modes == [neo4j.WRITE_ACCESS if cluster else neo4j.READ_ACCESS] * 2
    assert (listening.managers[0] is not None) is cluster
    assert listening.managers[0] is listening.managers[1]


def test_the_engine_works_over_a_routed_address(neo4j_settings: GraphSettings, tenant: str) -> None:
    with MapGraph.connect(
        graph_settings=routed(neo4j_settings), tenant=tenant, embedder=ToyEmbedder()
    ) as graph:
        graph.init("alice")
        admin = graph.as_admin("alice")
        admin.register_user("bob", teams=["finance"])
        admin.register_agent("reader", user="bob", scopes=["@user"])
        admin.register_resource("q3", scope=["team:finance"], source_class="internal")
        reader = graph.as_agent("reader", task="t")
        note = reader.observe("note of q3", source="res:q3")
        assert [hit.id for hit in reader.retrieve("note", k=5)] == [note]
        admin.revoke("res:q3", reason="contract ended")
        assert reader.retrieve("note", k=5).hits == ()
