"""Plans are kept (`replan=skip`): one made for a nearly empty database must serve a grown one.

The server counts what each statement touches, nested subqueries included, and the most memory
that it held. Both grow with the records, never with their square.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import neo4j
import pytest
from bridge import ToyEmbedder
from grown import events
from private_servers import LINES

import mapgraph_neo.graph
from mapgraph_neo import MapGraph
from mapgraph_neo.graph import Row, native
from mapgraph_neo.settings import GraphSettings
from mapgraph_neo.statement import Access, load_statement

# On the current line; `test_statements` looks at the plans of both.
pytestmark = [
    pytest.mark.neo4j,
    pytest.mark.slow,
    pytest.mark.parametrize("private_settings", LINES[:1], indirect=True),
]

LENGTH = 1_000  # of a chain, and as many beside each other
HITS_EACH = 120  # for each record of the tenant; the heaviest statement takes about 60
BYTES_EACH = 16_000  # for each record; the heaviest statement takes about 5,000


class Profile:
    """What each statement cost at most: units of work of the store, and bytes."""

    def __init__(self) -> None:
        self.hits: dict[str, int] = defaultdict(int)
        self.memory: dict[str, int] = defaultdict(int)

    def add(self, name: str, plan: dict[str, Any]) -> None:
        self.hits[name] = max(self.hits[name], _hits(plan))
        self.memory[name] = max(self.memory[name], plan["args"].get("GlobalMemory", 0))


def _hits(plan: dict[str, Any]) -> int:
    return plan["args"].get("DbHits", 0) + sum(_hits(child) for child in plan.get("children", ()))


@pytest.fixture
def profile(monkeypatch: pytest.MonkeyPatch) -> Profile:
    """Every statement is profiled, with plans kept as always."""
    found = Profile()

    def run(self: Any, name: str, **parameters: object) -> Sequence[Row]:  # noqa: ANN401
        statement = load_statement(name)
        if "clock_offset" in statement.parameters:
            parameters["clock_offset"] = 0
        text = "CYPHER replan=skip PROFILE\n" + statement.text
        result = self._transaction.run(text, parameters)
        rows = [native(dict(record.items())) for record in result]
        plan = result.consume().profile
        if plan is not None and statement.access is not Access.SCHEMA:
            found.add(name, plan)
        return rows

    monkeypatch.setattr(mapgraph_neo.graph._DriverTransaction, "run", run)
    return found


@pytest.fixture
def world(
    private_settings: GraphSettings, driver: neo4j.Driver, tenant: str
) -> Iterator[Callable[[int], MapGraph]]:
    """A tenant with a chain and a fan of so many records, on a server that knows no plan yet."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    driver.execute_query("CALL db.clearQueryCaches()")

    def make(length: int) -> MapGraph:
        graph = MapGraph.connect(
            graph_settings=private_settings.model_copy(update={"query_seconds": 300}),
            driver=driver,
            tenant=f"{tenant}-{length}",
            embedder=ToyEmbedder(),
        )
        graph.init("root")
        graph.ingest(events(length, length, min(length, 500)))
        return graph

    yield make
    driver.execute_query("MATCH (n) DETACH DELETE n")


def _use(graph: MapGraph, length: int) -> None:
    """Ask everything that may walk far, of an agent that may read all and of one that may not."""
    desk, root = graph.as_agent("desk", task="t"), graph.as_admin("root")
    for record in (f"mem:c{length - 1}", "mem:all"):
        assert graph.check("desk", record).allowed
        assert not graph.check("fan", record).allowed
        assert graph.explain("desk", record).allowed
        assert not graph.explain("fan", record).allowed
        assert set(graph.readers(record)) == {"agent:desk"}
        assert len(graph.lineage(record).nodes) > min(length, 500)
    assert len(graph.eligible("desk")) == 2 * length + 1
    assert graph.eligible("fan") == ()
    assert len(desk.retrieve("Note 3", k=5)) == 5
    desk.remember("Of the last", parents=[f"mem:c{length - 1}"])
    assert len(graph.descendants("res:wire")) == 2 * length + 2
    done = root.revoke("res:wire", kind="reliability")
    assert done.affected == 2 * length + 2
    assert done.id is not None
    assert graph.eligible("desk") == ()
    assert len(desk.retrieve("Note 3", k=5)) == 0
    root.undo(done.id, reason="it was right")
    assert len(graph.eligible("desk")) == 2 * length + 2
    root.set_standing("agent:desk", "new")


def test_a_plan_of_an_empty_database_serves_a_grown_one(
    profile: Profile, world: Callable[[int], MapGraph]
) -> None:
    _use(world(3), 3)
    profile.hits.clear()
    profile.memory.clear()

    _use(world(LENGTH), LENGTH)

    records = 2 * LENGTH
    assert {n: h for n, h in profile.hits.items() if h > records * HITS_EACH} == {}
    assert {n: m for n, m in profile.memory.items() if m > records * BYTES_EACH} == {}
    assert profile.hits["eligibility/eligible_memories"] > records  # that it counts at all
    assert profile.memory["rework/batch"] > records


def test_a_profile_tells_of_a_step_that_begins_anew_for_each_record(
    profile: Profile, world: Callable[[int], MapGraph], driver: neo4j.Driver
) -> None:
    graph = world(LENGTH)
    result = driver.execute_query(
        "PROFILE MATCH (n:Memory {tenant: $t}) "
        "MATCH (n)<-[:OBSERVED_FROM|DERIVED_FROM|SUMMARIZED_FROM*0..]-(m) "
        "RETURN count(DISTINCT m) AS n",
        t=graph.tenant,
    )
    assert result.summary.profile is not None
    profile.add("planted", result.summary.profile)

    assert profile.hits["planted"] > 2 * LENGTH * HITS_EACH
