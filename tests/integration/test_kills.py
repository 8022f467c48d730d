"""Kill -9 at every seam of every deed: afterwards it is done whole or not at all, and heals."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import neo4j
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import MapGraph
from mapgraph_neo.settings import GraphSettings

TESTS = Path(__file__).parents[1]
NOTE, BRIEF, OTHER = "mem:note-q3", "mem:brief-q3", "mem:note-q4"
ALL = {NOTE, BRIEF, OTHER}

SEAMS = [
    ("revoke", "before", "revocation/revoke_source"),
    ("revoke", "before", "audit/append"),
    ("revoke", "after", "revocation/revoke_source"),
    ("revoke", "before", "rework/mark_affected"),
    ("revoke", "after", "rework/mark_affected"),
    ("revoke", "after", "rework/finish"),
    ("erase", "after", "revocation/revoke_source"),
    ("erase", "before", "rework/erase"),
    ("erase", "after", "rework/erase"),
    ("undo", "before", "revocation/undo"),
    ("undo", "after", "revocation/undo"),
    ("undo", "before", "rework/apply"),
    ("undo", "after", "rework/apply"),
    ("rescope", "before", "authority/set_source"),
    ("rescope", "after", "authority/set_source"),
    ("rescope", "after", "rework/apply"),
    ("derive", "before", "record/write"),
    ("derive", "before", "record/save_key"),
    ("derive", "after", "record/write"),
    ("ingest", "before", "record/write"),
    ("ingest", "before", "record/save_keys"),
    ("ingest", "after", "record/write"),
    ("ingest", "after", "record/open_records"),
    ("retrieve", "after", "sync/changes"),
    ("retrieve", "before", "eligibility/prove"),
    ("retrieve", "before", "record/hand_out"),
]


@pytest.fixture
def world(neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str) -> MapGraph:
    graph = MapGraph.connect(
        graph_settings=neo4j_settings, driver=neo4j_driver, tenant=tenant, embedder=ToyEmbedder()
    )
    graph.init("alice")
    observed = {"event": "observe", "writer": "agent:writer"}
    graph.ingest(
        [
            {"event": "user", "id": "user:bob", "teams": ["finance"]},
            {"event": "agent", "id": "agent:reader", "user": "user:bob", "scopes": ["@user"]},
            {"event": "agent", "id": "agent:writer", "user": "user:bob", "scopes": ["@user"]},
            {"event": "resource", "id": "res:q3", "scope": ["team:finance"]},
            {"event": "resource", "id": "res:q4", "scope": ["team:finance"]},
            {**observed, "id": NOTE, "source": "res:q3", "text": "note of q3"},
            {**observed, "id": OTHER, "source": "res:q4", "text": "note of q4"},
            {
                "event": "summarize",
                "id": BRIEF,
                "parents": [NOTE],
                "text": "brief of q3",
                "writer": "agent:writer",
            },
        ]
    )
    return graph


@pytest.mark.parametrize(("deed", "when", "statement"), SEAMS)
def test_killed_at(
    world: MapGraph,
    neo4j_settings: GraphSettings,
    tenant: str,
    deed: str,
    when: str,
    statement: str,
) -> None:
    died = subprocess.run(
        [sys.executable, str(TESTS / "kill_child.py"), tenant, deed, when, statement],
        env={
            **os.environ,
            "PYTHONPATH": str(TESTS),
            "NEO4J_URI": neo4j_settings.uri,
            "NEO4J_USERNAME": neo4j_settings.username,
            "NEO4J_PASSWORD": neo4j_settings.password.get_secret_value(),
        },
        check=False,
        capture_output=True,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()[-2000:]

    closed = world.check("reader", NOTE).allowed is False
    before = set(world.eligible("reader"))
    reader = world.as_agent("reader", task="after")  # heals what was left
    assert world.work_off() == 0
    eligible = set(world.eligible("reader"))
    assert before == eligible
    assert {hit.id for hit in reader.retrieve("note", k=50)} == eligible
    assert all(world.check("reader", each).allowed for each in eligible)

    new = {each for each in eligible if each not in ALL}
    assert len(new) in {"derive": (0, 1), "ingest": (0, 20)}.get(deed, (0,))
    committed = when == "after" or statement.startswith("rework/")
    if deed in ("revoke", "erase", "rescope"):
        assert closed is committed
    if deed == "undo":
        assert closed is (statement == "revocation/undo" and when == "before")
    assert eligible - new == (ALL - {NOTE, BRIEF} if closed else ALL)
    marked = {
        n.id for n in world.lineage(BRIEF).nodes if n.state in ("affected", "revoked", "erased")
    }
    assert (BRIEF in marked) is (closed and deed != "rescope")
    if deed == "erase" and closed:
        assert "note of q3" not in str(world.lineage(BRIEF))


def test_every_deed_is_killed_at_every_statement_that_changes_the_graph() -> None:
    """A statement that a deed sends and that is not listed here is none that matters."""
    listed = {statement for _, _, statement in SEAMS}
    for folder in ("revocation", "rework"):
        writes = {
            f"{folder}/{path.stem}"
            for path in sorted((TESTS.parent / "cypher" / folder).glob("*.cypher"))
            if "// Access\n//   write" in path.read_text(encoding="utf-8")
        }
        assert writes - listed <= {"rework/touch"}
