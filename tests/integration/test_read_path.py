"""The warm read path: one transaction, and never an older answer than a fresh process gives."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import neo4j
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import AdminHandle, MapGraph, Retrieval, sync
from mapgraph_neo.graph import Graph, Row, Transaction
from mapgraph_neo.settings import GraphSettings

WARM = [
    "eligibility/principals",
    "sync/changes",
    "eligibility/prove",
    "lineage/trust_graph",
    "record/hand_out",
]


class Counting:
    """A graph that keeps what was sent, by transaction."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.sent: list[list[str]] = []

    def read(self, work: Callable[[Transaction], object]) -> object:
        return self._graph.read(lambda tx: work(self._noted(tx)))

    def write(self, work: Callable[[Transaction], object]) -> object:
        return self._graph.write(lambda tx: work(self._noted(tx)))

    def _noted(self, tx: Transaction) -> Transaction:
        names: list[str] = []
        self.sent.append(names)

        class Noted:
            def run(self, name: str, **parameters: object) -> Sequence[Row]:
                names.append(name)
                return tx.run(name, **parameters)

        return Noted()


@pytest.fixture
def opened(
    neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str
) -> Callable[[], MapGraph]:
    def open_it() -> MapGraph:
        return MapGraph.connect(
            graph_settings=neo4j_settings,
            driver=neo4j_driver,
            tenant=tenant,
            embedder=ToyEmbedder(),
        )

    return open_it


@pytest.fixture
def world(opened: Callable[[], MapGraph]) -> MapGraph:
    graph = opened()
    graph.init("alice")
    admin = graph.as_admin("alice")
    admin.register_user("bob", teams=["finance"])
    admin.register_agent("reader", user="bob", scopes=["@user"])
    admin.register_agent("writer", user="bob", scopes=["@user"])
    for name in ("q3", "q4"):
        admin.register_resource(name, scope=["team:finance"], source_class="internal")
        writer = graph.as_agent("writer", task=f"write-{name}", tracing=True)
        note = writer.observe(f"note of {name}", source=f"res:{name}")
        writer.summarize(f"brief of {name}", parents=[note])
    return graph


def answer(graph: MapGraph) -> Retrieval:
    return graph.as_agent("reader", task="t").retrieve("note", k=10)


def test_a_warm_retrieval_is_one_transaction(world: MapGraph) -> None:
    counting = Counting(world._context.graph)
    world._context = replace(world._context, graph=counting)  # type: ignore[arg-type]
    reader = world.as_agent("reader", task="t")
    reader.retrieve("note", k=10)
    counting.sent.clear()
    found = reader.retrieve("brief", k=10)

    assert len(found.hits) == 4
    assert counting.sent == [WARM]


def other_record(admin: AdminHandle, graph: MapGraph) -> None:
    del admin
    graph.as_agent("writer", task="w", tracing=True).observe("note of more", source="res:q3")


def other_teams(admin: AdminHandle, graph: MapGraph) -> None:
    del graph
    admin.set_membership("user:bob", teams=["sales"])


def wider_teams(admin: AdminHandle, graph: MapGraph) -> None:
    admin.register_resource("sales", scope=["team:sales"], source_class="internal")
    admin.register_user("dora", teams=["sales"])
    admin.register_agent("seller", user="dora", scopes=["@user"])
    graph.as_agent("seller", task="s", tracing=True).observe("note of sales", source="res:sales")
    admin.set_membership("user:bob", teams=["finance", "sales"])


def revoked(admin: AdminHandle, graph: MapGraph) -> None:
    del graph
    admin.revoke("res:q3", reason="contract ended")


def undone(admin: AdminHandle, graph: MapGraph) -> None:
    done = admin.revoke("res:q3", reason="contract ended")
    answer(graph)
    admin.undo(done.id, reason="wrong contract")


def narrowed(admin: AdminHandle, graph: MapGraph) -> None:
    del graph
    admin.rescope("res:q4", ["team:board"])


def erased(admin: AdminHandle, graph: MapGraph) -> None:
    del graph
    admin.revoke("res:q4", kind="erasure", reason="asked for")


def verified(admin: AdminHandle, graph: MapGraph) -> None:
    record = graph.eligible("reader")[0]
    admin.verify(record, outcome="failed")


CHANGES = [
    other_record,
    other_teams,
    wider_teams,
    revoked,
    undone,
    narrowed,
    erased,
    verified,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.__name__)
def test_a_warm_process_answers_as_a_fresh_one(
    world: MapGraph,
    opened: Callable[[], MapGraph],
    change: Callable[[AdminHandle, MapGraph], None],
) -> None:
    before = answer(world)
    other = opened()
    change(other.as_admin("alice"), other)

    warm, fresh = answer(world), answer(opened())
    assert warm.hits == fresh.hits
    assert warm.complete
    assert fresh.complete
    assert (change is undone) == (warm.hits == before.hits)


def test_what_expires_leaves_the_warm_answer(
    neo4j_settings: GraphSettings, world: MapGraph, opened: Callable[[], MapGraph]
) -> None:
    writer = world.as_agent("writer", task="w", tracing=True)
    soon = datetime.now(UTC) + timedelta(hours=1)
    writer.observe("note for now", source="res:q3", expires_at=soon)
    reader = opened()
    assert len(answer(reader)) == 5
    moved = neo4j_settings.model_copy(update={"clock_offset_ms": 7_200_000})
    later = MapGraph.connect(graph_settings=moved, tenant=world.tenant, embedder=ToyEmbedder())
    later._synchroniser = reader._synchroniser  # the same process, two hours later
    assert "note for now" not in {hit.text for hit in answer(later)}
    assert len(answer(later)) == 4
    later.close()


def test_epochs_are_read_again_until_a_late_read_has_seen_them_whole(
    world: MapGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(sync, "monotonic", lambda: clock[0])
    synchroniser = sync.Synchroniser(world._context)
    read: list[int] = []

    class Noted:
        def __init__(self, tx: Transaction) -> None:
            self._tx = tx

        def run(self, name: str, **parameters: object) -> Sequence[Row]:
            rows = self._tx.run(name, **parameters)
            if name == "sync/changes":
                read.append(len(rows[0]["entries"]))
            return rows

    for moment in (0.0, 1.0, 9.0, 11.0, 12.0):
        clock[0] = 1000.0 + moment
        world._context.graph.read(lambda tx: synchroniser.sync(Noted(tx)))
    assert read == [4, 4, 4, 4, 0]
    other_record(world.as_admin("alice"), world)
    world._context.graph.read(lambda tx: synchroniser.sync(Noted(tx)))
    assert read[-1] == 1
