"""A tenant that went out as a log and came in again answers alike."""

import json
import stat
from pathlib import Path

import neo4j
import pytest
from bridge import ADMINISTRATOR, Bridge, ToyEmbedder
from strategies import random_history

from mapgraph_neo import AgentHandle, InputError, MapGraph, RefusedError
from mapgraph_neo.settings import GraphSettings

SEEDS = range(60, 65)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_copy_of_a_history_answers_alike(
    neo4j_settings: GraphSettings,
    neo4j_driver: neo4j.Driver,
    tenant: str,
    tmp_path: Path,
    seed: int,
) -> None:
    bridge = Bridge(neo4j_settings, neo4j_driver, tenant)
    assert bridge.run(random_history(seed)) == []
    file = tmp_path / "log.ndjson"
    report = bridge.engine.export(file)
    assert report.events == len(file.read_text(encoding="utf-8").splitlines())
    with MapGraph.connect(
        graph_settings=neo4j_settings,
        driver=neo4j_driver,
        tenant=f"{tenant}-copy",
        embedder=ToyEmbedder(),
    ) as copy:
        copy.init(ADMINISTRATOR)
        copy._graph._settings = bridge.graph._settings  # the same moved clock
        assert copy.ingest(file).recorded == report.events
        agents = [n for n in bridge.oracle.nodes if bridge.oracle.label(n) == "Agent"]
        for agent in agents:
            assert copy.eligible(agent) == bridge.engine.eligible(agent)
            for record in bridge.records():
                node = bridge.ids.get(record, record)
                old, new = bridge.engine.check(agent, node), copy.check(agent, node)
                assert (new.allowed, new.reason) == (old.allowed, old.reason), (agent, node)
            first = bridge.engine.as_agent(agent, task="x")
            second = copy.as_agent(agent, task="x")
            if bridge.engine.eligible(agent):
                assert ranked(second) == ranked(first)


def ranked(agent: AgentHandle) -> list[tuple[str, float]]:
    hits = agent.retrieve("note:1", k=50).hits
    return sorted((hit.id, round(hit.trust, 6)) for hit in hits)


def test_a_file_is_new_and_for_its_owner_alone(
    neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str, tmp_path: Path
) -> None:
    graph = MapGraph.connect(
        graph_settings=neo4j_settings, driver=neo4j_driver, tenant=tenant, embedder=ToyEmbedder()
    )
    graph.init("alice")
    admin = graph.as_admin("alice")
    admin.register_user("bob")
    admin.register_agent("reader", user="bob", scopes=["@user"])
    admin.register_resource("page", scope=["*"])
    note = graph.as_agent("reader", task="t").observe("private words", source="res:page")
    admin.revoke("res:page", reason="asked", kind="erasure")
    file = tmp_path / "log.ndjson"
    with pytest.raises(RefusedError, match="administer"):
        graph.as_admin("bob").export(file)
    assert not file.exists()
    admin.export(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    events = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert "private words" not in file.read_text(encoding="utf-8")
    assert next(e for e in events if e.get("id") == note)["text"] == "(erased)"
    with pytest.raises(InputError, match="cannot be written"):
        admin.export(file)
    assert graph.audit(act="export")
