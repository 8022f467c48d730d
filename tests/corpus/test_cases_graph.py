"""Cases about what stands in the graph: planted faults, cycles, depth, width, edges."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest

from mapgraph_neo import InputError, LimitError, Outcome

if TYPE_CHECKING:
    from conftest import News

pytestmark = pytest.mark.neo4j

SOON = 60.0
"""Seconds; on a machine without other work these take less than one."""


@contextmanager
def soon() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < SOON


@pytest.mark.parametrize("planted", [None, "true", 1, "false"], ids=repr)
def test_t05_a_flag_that_is_missing_or_mistyped_closes(news: "News", planted: object) -> None:
    news.cypher(
        "MATCH (n:MapNode {tenant: $tenant, id: 'mem:wire'}) SET n.revoked = $value", value=planted
    )

    assert news.closed("mem:story") == "malformed"
    assert news.closed("mem:wire") == "malformed"
    assert news.graph.descendants("mem:wire") == ("mem:story",)


@pytest.mark.parametrize("planted", ["team:press", "*", None, [], [1]], ids=repr)
def test_t06_a_scope_that_is_no_list_of_words_admits_nobody(news: "News", planted: object) -> None:
    news.cypher(
        "MATCH (n:MapNode {tenant: $tenant, id: 'res:wire'}) SET n.scope = $value", value=planted
    )

    assert news.closed("mem:story") in ("malformed", "scope")
    with pytest.raises(InputError):
        news.graph.as_agent("desk").remember("x", scope="team:press")  # a string is no list


CYCLES = {
    "itself": ["mem:story"],
    "two": ["mem:wire", "mem:story"],
    "three": ["mem:wire", "mem:story", "mem:late"],
}


@pytest.mark.parametrize("withdrawn", [False, True], ids=["sound", "one-revoked"])
@pytest.mark.parametrize("members", CYCLES.values(), ids=CYCLES)
def test_t09_a_planted_cycle_is_closed_and_ends(
    news: "News", members: list[str], *, withdrawn: bool
) -> None:
    late = {"event": "derive", "id": "mem:late", "text": "Late", "writer": "agent:desk"}
    below = {"event": "derive", "id": "mem:below", "text": "Below", "writer": "agent:desk"}
    news.ingest({**late, "parents": ["mem:story"]}, {**below, "parents": ["mem:story"]})
    news.cypher(
        "MATCH (first:MapNode {tenant: $tenant, id: $first}), "
        "(last:MapNode {tenant: $tenant, id: $last}) SET first.parents = first.parents + 1 "
        "CREATE (first)-[:DERIVED_FROM {at: datetime(), declared_by: 'host'}]->(last)",
        first=members[0],
        last=members[-1],
    )
    if withdrawn:
        with soon():
            news.admin.revoke(members[-1], kind="reliability")

    with soon():
        for each in (*members, "mem:below"):
            assert news.closed(each) in ("malformed", "revoked")
        assert "mem:below" in news.graph.descendants(members[0])
        assert {n.id for n in news.graph.lineage("mem:below").nodes} >= set(members)


def test_t09_no_write_can_make_a_cycle(news: "News") -> None:
    same = {"event": "derive", "id": "mem:self", "text": "x", "writer": "agent:desk"}
    first = {**same, "id": "mem:first", "parents": ["mem:second"]}
    second = {**same, "id": "mem:second", "parents": ["mem:first"]}

    for events in ([{**same, "parents": ["mem:self"]}], [first, second]):
        with pytest.raises(InputError):
            news.ingest(*events)
    assert news.cypher("MATCH (n:Memory {tenant: $tenant}) RETURN count(n) AS n")[0]["n"] == 2


def test_t10_a_cycle_beside_a_revoked_source_leaves_nothing_behind(news: "News") -> None:
    news.ingest(
        {
            "event": "derive",
            "id": "mem:late",
            "text": "Late",
            "writer": "agent:desk",
            "parents": ["mem:story"],
        }
    )
    news.cypher(
        "MATCH (a:MapNode {tenant: $tenant, id: 'mem:story'}), "
        "(b:MapNode {tenant: $tenant, id: 'mem:late'}) SET a.parents = a.parents + 1 "
        "CREATE (a)-[:DERIVED_FROM {at: datetime(), declared_by: 'host'}]->(b)"
    )
    done = news.admin.revoke("res:wire")
    with soon():
        assert news.closed("mem:late") in ("malformed", "revoked")
        assert news.closed("mem:wire") == "revoked"

    assert done.id is not None
    news.admin.undo(done.id, reason="it was right")
    news.open("mem:wire")
    assert news.closed("mem:late") == "malformed"
    news.cypher(
        "MATCH (a:MapNode {tenant: $tenant, id: 'mem:story'})-[e:DERIVED_FROM]->"
        "({id: 'mem:late'}) SET a.parents = a.parents - 1 DELETE e"
    )
    assert news.graph.check("desk", "mem:story").allowed
    assert news.graph.check("desk", "mem:late").allowed


def chain(length: int) -> Iterator[dict[str, object]]:
    for number in range(length):
        parent = f"mem:c{number - 1}" if number else "mem:wire"
        yield {
            "event": "derive",
            "id": f"mem:c{number}",
            "text": f"Step {number}",
            "writer": "agent:desk",
            "parents": [parent],
        }


def test_t11_c47_a_chain_is_judged_by_its_root_at_any_length(news: "News") -> None:
    news.graph.ingest(chain(1_000))
    ends = ["mem:c25", "mem:c50", "mem:c499", "mem:c999"]
    for each in ends:
        assert news.graph.check("desk", each).allowed
        assert news.graph.explain("fan", each).witness[-1] == "res:wire"

    with soon():
        done = news.admin.revoke("res:wire", kind="reliability")
    assert done.affected == 1_002
    assert max(done.by_depth) == 1_001
    with soon():
        for each in ends:
            assert news.graph.check("desk", each).reason == "revoked"
        assert news.graph.eligible("desk") == ()
        assert len(news.graph.as_agent("desk").retrieve("Step 999")) == 0
        assert len(news.graph.explain("desk", "mem:c999").witness) == 1_002


@pytest.mark.slow
def test_t11_ten_thousand_hops_are_right(news: "News") -> None:
    news.graph.ingest(chain(10_000))

    with soon():
        assert news.graph.check("desk", "mem:c9999").allowed
        assert not news.graph.check("fan", "mem:c9999").allowed
        assert len(news.graph.eligible("desk")) == 10_002  # a list in linear time
    news.admin.revoke("res:wire")
    assert not news.graph.check("desk", "mem:c9999").allowed
    assert news.graph.eligible("desk") == ()


def test_t13_wide_scopes_and_many_reads(news: "News") -> None:
    limit = news.graph.policy.limits.scope_principals
    wide = [f"team:t{number}" for number in range(limit - 1)]
    news.admin.register_resource("wide", scope=[*wide, "team:press"], source_class="internal")
    desk = news.graph.as_agent("desk", task="many")
    note = desk.observe("For very many", source="res:wide")
    with pytest.raises(InputError):
        news.admin.register_resource("wider", scope=[*wide, "team:press", "team:one-too-many"])
    news.cypher(
        "MATCH (n:MapNode {tenant: $tenant, id: 'mem:wire'}), "
        "(a:MapNode {tenant: $tenant, id: 'agent:desk'}) UNWIND range(1, 20000) AS number "
        "CREATE (n)-[:READ_BY {at: datetime(), task: 't' + number, content_hash: 'x'}]->(a)"
    )

    with soon():
        news.open(note)
        assert news.closed(note, to="agent:fan") == "scope"
        assert note in desk.remember("More", parents=[note]) or note in news.graph.eligible("desk")


@pytest.mark.parametrize("place", [0, 300, 599], ids=["first", "middle", "last"])
def test_t14_one_bad_parent_of_many(news: "News", place: int) -> None:
    say = {"event": "observe", "text": "x", "writer": "agent:desk", "source": "res:wire"}
    parents = [f"mem:p{number:04}" for number in range(600)]
    news.ingest(
        *({**say, "id": each} for each in parents),
        {
            "event": "derive",
            "id": "mem:all",
            "text": "All",
            "writer": "agent:desk",
            "parents": parents,
        },
    )
    assert news.graph.check("desk", "mem:all").allowed

    news.admin.revoke(parents[place])

    assert news.closed("mem:all") == "revoked"
    assert news.graph.explain("desk", "mem:all").witness == ("mem:all", parents[place])


OTHER_EDGES = [
    ("mem:lone", "FORWARDED_TO", "agent:desk"),
    ("mem:lone", "WRITTEN_BY", "user:tom"),
    ("mem:lone", "READ_BY", "agent:fan"),
    ("mem:lone", "VERIFIED_BY", "user:tom"),
    ("mem:lone", "USED_FOR_ACTION", "act:one"),
    ("mem:lone", "AUTHORIZED_BY", "user:tom"),
]


def test_t20_edges_that_are_no_provenance_carry_nothing(news: "News") -> None:
    news.ingest(
        {"event": "remember", "id": "mem:lone", "text": "Alone", "writer": "agent:desk"},
        {
            "event": "action",
            "id": "act:one",
            "agent": "desk",
            "tool": "answer",
            "evidence": ["mem:wire"],
        },
    )
    for source, kind, target in OTHER_EDGES:
        news.cypher(
            "MATCH (a:MapNode {tenant: $tenant, id: $source}), "
            "(b:MapNode {tenant: $tenant, id: $target}) "
            f"CREATE (a)-[:{kind} {{at: datetime(), task: 't', content_hash: 'x'}}]->(b)",
            source=source,
            target=target,
        )
    news.admin.revoke("user:tom", kind="reliability")
    news.admin.revoke("res:wire", kind="reliability")

    assert news.graph.check("desk", "mem:lone").allowed
    assert news.graph.descendants("user:tom") == ()


@pytest.mark.parametrize("kind", ["OBSERVED_FROM", "DERIVED_FROM", "SUMMARIZED_FROM"])
def test_t20_provenance_that_was_planted_closes(news: "News", kind: str) -> None:
    news.ingest({"event": "remember", "id": "mem:lone", "text": "Alone", "writer": "agent:desk"})
    news.cypher(
        "MATCH (a:MapNode {tenant: $tenant, id: 'mem:lone'}), "
        "(b:MapNode {tenant: $tenant, id: 'res:wire'}) "
        f"CREATE (a)-[:{kind} {{at: datetime(), declared_by: 'host'}}]->(b)"
    )
    assert news.closed("mem:lone") == "malformed"
    news.cypher("MATCH (a:MapNode {tenant: $tenant, id: 'mem:lone'}) SET a.parents = 1")
    if news.graph.check("desk", "mem:lone").allowed:  # now it is what an import could have made
        news.admin.revoke("res:wire")
    assert not news.graph.check("desk", "mem:lone").allowed


@pytest.mark.parametrize(
    "planted",
    ["2199-01-01T00:00:00Z", 4_000_000_000, datetime(2199, 1, 1), date(2199, 1, 1)],  # noqa: DTZ001
    ids=["text", "number", "no-zone", "day"],
)
def test_t72_a_time_of_another_type_closes(news: "News", planted: Any) -> None:  # noqa: ANN401
    desk = news.graph.as_agent("desk")
    with pytest.raises(InputError):
        desk.observe("x", source="res:wire", expires_at=planted)
    news.cypher(
        "MATCH (n:MapNode {tenant: $tenant, id: 'mem:wire'}) SET n.expires_at = $value",
        value=planted,
    )

    assert news.closed("mem:story") == "malformed"


def test_c35_a_record_without_its_properties_is_open_to_nobody(news: "News") -> None:
    news.cypher("CREATE (:MapNode:Memory {tenant: $tenant, id: 'mem:bare', seq: 1000000})")
    news.cypher(
        "CREATE (:MapNode:Memory {tenant: $tenant, id: 'mem:half', seq: 1000001, revoked: false, "
        "scope: ['*'], text: 'Half', parents: 0})"
    )

    assert news.closed("mem:bare") == "malformed"
    desk = news.graph.as_agent("desk", task="t")
    assert "mem:half" not in {hit.id for hit in desk.retrieve("Half", k=100)}  # it has no hash
    said = desk.propose("answer", evidence=["mem:bare"])
    assert said.outcome is Outcome.BLOCK


def test_c47_a_mesh_with_a_billion_paths_ends(news: "News") -> None:
    events: list[dict[str, object]] = []
    above = ["mem:wire"]
    for layer in range(30):
        here = [f"mem:m{layer}-{side}" for side in "ab"]
        events += [
            {"event": "derive", "id": i, "text": i, "writer": "agent:desk", "parents": above}
            for i in here
        ]
        above = here
    news.ingest(*events)

    with soon():
        desk = news.graph.as_agent("desk", task="t")
        (hit,) = [hit for hit in desk.retrieve("mem:m29-a", k=100) if hit.id == "mem:m29-a"]
        assert hit.trust == pytest.approx(0.9 * 0.95**30 * 0.98)
        assert desk.propose("pay", evidence=["mem:m29-a"]).outcome is Outcome.ASK_USER
        assert len(news.graph.lineage("mem:m29-a").nodes) >= 61
        assert news.graph.explain("fan", "mem:m29-a").witness[-1] == "res:wire"
    with soon():
        assert news.admin.revoke("res:wire").affected == 62
    assert news.closed("mem:m29-a") == "revoked"


def test_c47_one_source_with_many_children(news: "News") -> None:
    count = 1_500
    say = {"event": "observe", "text": "x", "writer": "agent:desk", "source": "res:wire"}
    news.graph.ingest({**say, "id": f"mem:w{number}"} for number in range(count))

    with soon():
        plan = news.admin.revoke("res:wire", dry_run=True)
        done = news.admin.revoke("res:wire")
    assert plan.affected == done.affected == count + 2
    assert news.graph.eligible("desk") == ()
    cut = news.graph.lineage("res:wire")
    assert len(cut.nodes) <= news.graph.policy.limits.lineage_nodes + count
    assert done.complete


def test_t87_limits_are_told_before_anything_is_written(news: "News") -> None:
    desk = news.graph.as_agent("desk")
    limits = news.graph.policy.limits
    before = news.cypher("MATCH (n:MapNode {tenant: $tenant}) RETURN count(n) AS n")
    deep: dict[str, Any] = {}
    for _ in range(1_000):
        deep = {"a": deep}
    for wrong in (
        lambda: desk.remember("x" * (limits.text_bytes + 1)),
        lambda: desk.remember("x", metadata={str(n): n for n in range(limits.metadata_keys + 1)}),
        lambda: desk.remember("x", metadata={"a": "x" * limits.metadata_bytes}),
        lambda: desk.remember("x", metadata=deep),
        lambda: desk.derive("x", parents=[f"mem:{n}" for n in range(limits.parents + 1)]),
        lambda: desk.remember("x", scope=[f"team:{n}" for n in range(limits.scope_principals + 1)]),
        lambda: desk.propose("answer", evidence=[f"mem:{n}" for n in range(limits.evidence + 1)]),
        lambda: desk.propose("answer", arguments={"a": "x" * limits.arguments_bytes}),
        lambda: news.ingest(
            {"event": "remember", "id": "mem:ok", "text": "x", "writer": "agent:desk"},
            {
                "event": "remember",
                "id": "mem:long",
                "text": "x" * (limits.text_bytes + 1),
                "writer": "agent:desk",
            },
        ),
    ):
        with pytest.raises(InputError) as caught:
            wrong()
        assert isinstance(caught.value, LimitError) or "limit" in str(caught.value)
    after = news.cypher("MATCH (n:MapNode {tenant: $tenant}) RETURN count(n) AS n")
    assert after == before


def test_t76_times_at_the_ends_of_the_calendar(news: "News") -> None:
    desk = news.graph.as_agent("desk", task="t")
    far = desk.observe("Far", source="res:wire", expires_at=datetime(9999, 12, 31, tzinfo=UTC))
    old = desk.observe("Old", source="res:wire", expires_at=datetime(1970, 1, 1, tzinfo=UTC))
    first = desk.observe("First", source="res:wire", expires_at=datetime(1, 1, 2, tzinfo=UTC))

    news.open(far)
    assert news.closed(old) == "expired"
    assert news.closed(first) == "expired"
    folded = datetime.fromisoformat("2026-10-25T02:30:00+01:00")  # the second of the two
    assert desk.observe("Folded", source="res:wire", expires_at=folded)
