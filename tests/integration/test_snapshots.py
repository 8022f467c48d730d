"""A process starts from the snapshot of the one before; what was erased is never on disk again."""

import logging
from pathlib import Path

import neo4j
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import MapGraph
from mapgraph_neo.settings import GraphSettings


class Host:
    """One process after the other on the same tenant, with the same folder."""

    def __init__(self, settings: GraphSettings, driver: neo4j.Driver, tenant: str) -> None:
        self._made = (settings, driver, tenant)

    def start(self) -> MapGraph:
        settings, driver, tenant = self._made
        return MapGraph.connect(
            graph_settings=settings, driver=driver, tenant=tenant, embedder=ToyEmbedder()
        )


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAPGRAPH_SIDECAR_DIR", str(tmp_path / "sidecars"))
    return tmp_path / "sidecars"


@pytest.fixture
def host(
    neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str, base: Path
) -> Host:
    assert not base.exists()
    host = Host(neo4j_settings, neo4j_driver, tenant)
    with host.start() as graph:
        graph.init("alice")
        admin = graph.as_admin("alice")
        admin.register_user("bob")
        admin.register_agent("reader", user="bob", scopes=["@user"])
        admin.register_resource("page", scope=["*"], source_class="internal")
        reader = graph.as_agent("reader")
        for number in range(5):
            reader.observe(f"note {number}", source="res:page")
    return host


def found(graph: MapGraph) -> set[str]:
    return {hit.text for hit in graph.as_agent("reader").retrieve("note", k=20)}


def vectors(base: Path) -> list[Path]:
    return sorted(base.rglob("*-vectors-*.npy"))


ALL = {f"note {number}" for number in range(5)}


def test_the_next_process_starts_from_the_snapshot_and_learns_what_came_after(
    host: Host, base: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with host.start() as graph:
        assert found(graph) == ALL
    assert len(vectors(base)) == 1
    with host.start() as graph:
        graph.as_agent("reader").observe("note 5", source="res:page")
    caplog.set_level(logging.INFO, logger="mapgraph_neo")
    with host.start() as graph:
        assert found(graph) == {*ALL, "note 5"}
    assert "snapshot of the sidecar: loaded" in caplog.text


def test_a_revoke_made_while_no_process_ran_is_honoured_at_the_first_call(host: Host) -> None:
    with host.start() as graph:
        assert found(graph) == ALL
    with host.start() as graph:
        graph.as_admin("alice").revoke("res:page", reason="poisoned")
    with host.start() as graph:
        assert found(graph) == set()


def test_an_erasure_by_any_process_deletes_the_snapshot_at_once(host: Host, base: Path) -> None:
    with host.start() as graph:
        assert found(graph) == ALL
    with host.start() as graph:
        graph.as_admin("alice").revoke("res:page", reason="asked by the person", kind="erasure")
        assert vectors(base) == []


def test_a_process_that_read_before_an_erasure_saves_nothing_of_it(host: Host, base: Path) -> None:
    with host.start() as reading:
        assert found(reading) == ALL
        with host.start() as graph:
            graph.as_admin("alice").revoke("res:page", reason="asked", kind="erasure")
    assert all(not file.read_bytes()[128:].strip(b"\0") for file in vectors(base))


def test_an_altered_snapshot_is_not_served(
    host: Host, base: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with host.start() as graph:
        assert found(graph) == ALL
    file = vectors(base)[0]
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    caplog.set_level(logging.INFO, logger="mapgraph_neo")
    with host.start() as graph:
        assert found(graph) == ALL
    assert "altered" in caplog.text
