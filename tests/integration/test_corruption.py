"""Corruption by raw Cypher: what is wrong with a node or an edge closes all that stands on it.

Every case has a branch of its own in one tenant: a source, a note of it, a brief of the note, and
a claim of the brief. All are corrupted, then every question is asked once.
"""

from dataclasses import dataclass

import neo4j
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import MapGraph
from mapgraph_neo.settings import GraphSettings

RECORDS = ("note", "brief", "claim")
LATER = "datetime() + duration('PT1H')"
EARLIER = "datetime() - duration('PT1H')"
DERIVED = "DELETE up CREATE (note)-[:DERIVED_FROM {at: datetime()}]->"
OPEN = "scope: ['*'], revoked: false, parents: 0})"
INVALID = "CREATE (note)-[:INVALIDATED_BY {id: 'rev:x', kind: 'access', at: datetime()"

# What is done to `source`, `note`, `brief` or `claim` of a branch, by the first that it closes.
CASES: dict[str, tuple[str, ...]] = {
    "nothing": (
        "SET note.caption = 'odd'",
        "SET note.expires_at = " + LATER,
        "SET note.scope = ['team:other', 'team:finance']",
        INVALID + ", undone_at: datetime()}]->(:Odd)",
        INVALID + ", since: " + LATER + "}]->(:Odd)",
        INVALID + ", until: " + EARLIER + "}]->(:Odd)",
        "SET source.scope = ['*']",
        "SET source.scope = ['public']",
    ),
    "note": (
        # the source
        "REMOVE source.revoked",
        "SET source.revoked = true",
        "SET source.scope = []",
        "SET source.tenant = $tenant + '-else'",
        "DETACH DELETE source",
        "REMOVE source:MapNode",
        "SET source:Agent",
        "REMOVE source:Resource",
        "REMOVE source:Resource SET source:Agent",
        "REMOVE source:Resource SET source:Memory",
        "REMOVE source:Resource SET source:Action",
        "SET source.parents = 1",
        "REMOVE source.seq",
        "SET source.expires_at = " + EARLIER,
        "CREATE (source)-[:INVALIDATED_BY {id: 'rev:y', kind: 'access', at: datetime()}]->(:Odd)",
        # a window over the edge from the note to the source
        "CREATE (source)-[:INVALIDATED_BY {since: " + EARLIER + ", until: " + LATER + "}]->(:Odd)",
        "CREATE (source)-[:INVALIDATED_BY {since: " + EARLIER + "}]->(:Odd)",
        "CREATE (source)-[:INVALIDATED_BY {until: " + LATER + "}]->(:Odd)",
        "CREATE (source)-[:INVALIDATED_BY {until: " + LATER + ", since: 'x'}]->(:Odd)",
        # the note
        "REMOVE note.revoked",
        "SET note.revoked = 'false'",
        "SET note.revoked = 0",
        "SET note.revoked = [false]",
        "SET note.revoked = true",
        "REMOVE note.scope",
        "SET note.scope = 'team:finance'",
        "SET note.scope = ['team:financ']",
        "SET note.scope = [1]",
        "SET note.scope = true",
        "SET note.scope = ['team:other']",
        "SET note.scope = ['Team:finance']",
        "SET note.scope = ['team:finance ']",
        "REMOVE note.seq",
        "SET note.seq = toString(note.seq)",
        "SET note.seq = 0.25 - note.seq",
        "SET note.seq = source.seq - 0.125",
        "REMOVE note.parents",
        "SET note.parents = '1'",
        "SET note.parents = 0",
        "SET note.parents = 2",
        "SET note.expires_at = 'tomorrow'",
        "SET note.expires_at = 99999999999999",
        "SET note.expires_at = localdatetime() + duration('P1D')",
        "SET note.expires_at = date() + duration('P9D')",
        "SET note.expires_at = " + EARLIER,
        "SET note.pending = 'import:1'",
        "SET note.pending = false",
        "SET note.tenant = $tenant + '-else'",
        "REMOVE note.tenant",
        "SET note:Agent",
        "SET note:Claim",
        "SET note:User",
        "REMOVE note:Memory",
        "REMOVE note:Memory SET note:Action",
        INVALID + "}]->(:Odd)",
        INVALID + ", undone_at: 'yes'}]->(:Odd)",
        INVALID + ", undone_at: true}]->(:Odd)",
        INVALID + ", since: 'x'}]->(:Odd)",
        INVALID + ", until: 5}]->(:Odd)",
        "CREATE (note)-[:INVALIDATED_BY]->(note)",
        # its edges
        "DELETE up",
        "REMOVE up.at",
        "SET up.at = 'now'",
        "SET up.occurred_at = 'then'",
        "CREATE (note)-[:OBSERVED_FROM {at: datetime()}]->(source)",
        "CREATE (note)-[:OBSERVED_FROM {at: datetime()}]->(:Odd) SET note.parents = 2",
        "CREATE (note)-[:DERIVED_FROM {at: datetime()}]->(note) SET note.parents = 2",
        "CREATE (note)-[:DERIVED_FROM {at: datetime()}]->(brief) SET note.parents = 2",
        "CREATE (note)-[:DERIVED_FROM {at: datetime()}]->(claim) SET note.parents = 2",
        "DELETE up CREATE (note)-[:OBSERVED_FROM {at: datetime()}]->(other)",
        "DELETE up CREATE (note)-[:SUMMARIZED_FROM {at: datetime()}]->(tool)",
        "DELETE up CREATE (note)-[:DERIVED_FROM {at: datetime()}]->(tool)",
        "DELETE up CREATE (note)-[:DERIVED_FROM {at: datetime()}]->(agent)",
        DERIVED + "(:MapNode:Resource {tenant: $tenant + '-odd', seq: 1, " + OPEN,
        DERIVED + "(:Resource {tenant: $tenant, seq: 1, " + OPEN,
        DERIVED + "(:MapNode {tenant: $tenant, id: $id + 'x', " + OPEN,
    ),
    "brief": (
        "SET brief.revoked = true",
        "SET brief.seq = note.seq - 0.5",
        "SET brief.scope = []",
        "CREATE (note)-[:INVALIDATED_BY {since: " + EARLIER + ", until: " + LATER + "}]->(:Odd)",
        "REMOVE brief:Memory SET brief:Claim",
    ),
    "claim": (
        "SET claim.revoked = true",
        "CREATE (claim)-[:SUMMARIZED_FROM {at: datetime()}]->(note) SET claim.parents = 2",
        "SET claim.pending = 'import:2'",
    ),
}


@dataclass(frozen=True, kw_only=True)
class Branch:
    """One case: what is done, and what stays open."""

    name: str
    cypher: str
    still_open: frozenset[str]


def branches() -> list[Branch]:
    found: list[Branch] = []
    for first, cases in CASES.items():
        left = RECORDS if first == "nothing" else RECORDS[: RECORDS.index(first)]
        for cypher in cases:
            number = len(found)
            ids = frozenset(
                f"{'claim' if each == 'claim' else 'mem'}:{each}-{number}" for each in left
            )
            found.append(Branch(name=str(number), cypher=cypher, still_open=ids))
    return found


BRANCHES = branches()


@pytest.fixture(scope="module")
def graph(neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver) -> MapGraph:
    graph = MapGraph.connect(
        graph_settings=neo4j_settings,
        driver=neo4j_driver,
        tenant=f"corrupt-{neo4j.time.DateTime.now().to_native().timestamp():.0f}",
        embedder=ToyEmbedder(),
    )
    graph.init("alice")
    written = {"writer": "agent:writer"}
    events: list[dict[str, object]] = [
        {"event": "user", "id": "user:bob", "teams": ["finance"]},
        {"event": "user", "id": "user:carol", "teams": ["finance"]},
        {"event": "agent", "id": "agent:reader", "user": "user:bob", "scopes": ["@user"]},
        {"event": "agent", "id": "agent:writer", "user": "user:carol", "scopes": []},
        {"event": "tool", "id": "tool:web", "risk": "low", "source_class": "internal"},
        {"event": "resource", "id": "res:other", "scope": ["*"]},
        {"event": "observe", "id": "mem:other", "source": "res:other", "text": "other", **written},
    ]
    for each in BRANCHES:
        note, brief = f"mem:note-{each.name}", f"mem:brief-{each.name}"
        events += [
            {"event": "resource", "id": f"res:{each.name}", "scope": ["team:finance"]},
            {
                "event": "observe",
                "id": note,
                "source": f"res:{each.name}",
                "scope": ["team:finance"],
                "text": f"note {each.name}",
                **written,
            },
            {"event": "summarize", "id": brief, "parents": [note], "text": "brief", **written},
            {
                "event": "claim",
                "id": f"claim:claim-{each.name}",
                "parents": [brief],
                "text": "claim",
                **written,
            },
        ]
    graph.ingest(events)
    assert len(graph.eligible("reader")) == 3 * len(BRANCHES) + 1
    graph.as_agent("reader", task="warm").retrieve("note", k=10)  # the cache knows them as sound
    for each in BRANCHES:
        neo4j_driver.execute_query(
            """
            MATCH (source:MapNode {tenant: $tenant, id: 'res:' + $name})<-[up:OBSERVED_FROM]-(note)
            MATCH (brief:MapNode {tenant: $tenant, id: 'mem:brief-' + $name})
            MATCH (claim:MapNode {tenant: $tenant, id: 'claim:claim-' + $name})
            MATCH (other:MapNode {tenant: $tenant, id: 'mem:other'})
            MATCH (tool:MapNode {tenant: $tenant, id: 'tool:web'})
            MATCH (agent:MapNode {tenant: $tenant, id: 'agent:reader'})
            """
            + each.cypher,  # type: ignore[arg-type] - these very cases
            tenant=graph.tenant,
            name=each.name,
            id=f"odd:{each.name}",
        )
    return graph


def expected() -> set[str]:
    return {"mem:other"}.union(*(each.still_open for each in BRANCHES))


def named(ids: set[str]) -> list[str]:
    """Return what was done in the branches of ``ids``."""
    numbers = {int(each.rpartition("-")[2]) for each in ids if each != "mem:other"}
    return [BRANCHES[number].cypher for number in sorted(numbers)]


def test_listing(graph: MapGraph) -> None:
    # A source that somebody relabels is a record of its own, without text; nothing below it is.
    found = {each for each in graph.eligible("reader") if not each.startswith("res:")}
    assert named(found - expected()) == []
    assert named(expected() - found) == []


def test_retrieval(graph: MapGraph) -> None:
    """The cache still offers all of them: the proof alone stands between."""
    reader = graph.as_agent("reader", task="t")
    found: set[str] = set()
    for query in ("note", "brief", "claim"):
        found |= {hit.id for hit in reader.retrieve(query, k=100)}
    assert found
    assert named(found - expected()) == []


@pytest.mark.parametrize("number", range(len(BRANCHES)))
def test_each(graph: MapGraph, number: int) -> None:
    branch = BRANCHES[number]
    for kind in RECORDS:
        record = f"{'claim' if kind == 'claim' else 'mem'}:{kind}-{number}"
        answer = graph.explain("reader", record)
        assert answer.allowed is (record in branch.still_open), (branch.cypher, kind)
        if not answer.allowed:
            assert answer.reason.value != "allowed"
        try:
            readers = graph.readers(record)
        except Exception as error:  # noqa: BLE001 - it may not be a record any more
            assert type(error).__name__ == "UnknownNodeError"  # noqa: PT017
            readers = ()
        assert ("agent:reader" in readers) is (record in branch.still_open), branch.cypher
