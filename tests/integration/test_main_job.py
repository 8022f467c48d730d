"""The main job, end to end, on a real Neo4j: record, retrieve, gate, revoke, undo, erase."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import neo4j
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import (
    ActionNotAllowedError,
    AdminHandle,
    InputError,
    MapGraph,
    NotRegisteredError,
    Outcome,
    Reason,
    RefusedError,
    Rule,
    UnknownNodeError,
    load_statement,
)
from mapgraph_neo.settings import GraphSettings


@pytest.fixture
def world(neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str) -> MapGraph:
    """Two teams, three agents, one scoped source."""
    graph = MapGraph.connect(
        graph_settings=neo4j_settings, driver=neo4j_driver, tenant=tenant, embedder=ToyEmbedder()
    )
    graph.init("alice")
    admin = graph.as_admin("alice")
    admin.register_user("bob", teams=["finance"])
    admin.register_user("carol", teams=["sales"])
    admin.register_agent("reader", user="bob", scopes=["team:finance"])
    admin.register_agent("writer", user="bob", scopes=[])
    admin.register_agent("outsider", user="carol", scopes=["@user"])
    admin.register_tool("web.fetch", risk="low", source_class="external")
    admin.register_tool("answer", risk="low", answer=True)
    admin.register_tool("email.send", risk="high", audience_from=["to"])
    admin.register_resource("q3", scope=["team:finance"], source_class="internal")
    return graph


@pytest.fixture
def admin(world: MapGraph) -> AdminHandle:
    return world.as_admin("alice")


def brief_of(world: MapGraph) -> tuple[Any, str, str]:
    reader = world.as_agent("reader", task="t-1")
    note = reader.observe("Revenue fell 4 %", source="res:q3")
    return reader, note, reader.summarize("A weak quarter", parents=[note])


def test_only_who_satisfies_every_ancestor_reads(world: MapGraph) -> None:
    reader, note, brief = brief_of(world)

    assert {hit.id for hit in reader.retrieve("quarter")} == {note, brief}
    assert world.eligible("reader") == (note, brief)
    assert world.readers(brief) == ("agent:reader",)
    for other in ("writer", "outsider"):
        assert len(world.as_agent(other).retrieve("quarter")) == 0
        assert world.eligible(other) == ()
        found = world.explain(other, brief)
        assert (found.allowed, found.reason) == (False, Reason.SCOPE)
        assert found.witness == (brief, note, "res:q3")


def test_unreadable_and_unknown_are_the_same_to_an_agent(world: MapGraph) -> None:
    _, note, _ = brief_of(world)
    outsider = world.as_agent("outsider")

    errors = []
    for wanted in (note, "mem:never-was"):
        with pytest.raises(UnknownNodeError) as caught:
            outsider.read(wanted)
        errors.append(str(caught.value).replace(wanted, "X"))
        assert outsider.check(wanted).reason is Reason.NOT_READABLE
    assert errors[0] == errors[1]


def test_a_revocation_reaches_everything_and_undo_restores_it(
    world: MapGraph, admin: AdminHandle
) -> None:
    reader, note, brief = brief_of(world)
    decision = reader.propose("answer", arguments={"text": "weak"}, evidence=[brief])
    plan = admin.revoke("res:q3", kind="access", reason="contract ended", dry_run=True)
    assert len(reader.retrieve("quarter")) == 2

    done = admin.revoke("res:q3", kind="access", reason="contract ended")

    assert (plan.affected, done.affected) == (2, 2)
    assert done.agents == ("agent:reader",)
    assert decision.id in done.actions
    assert len(reader.retrieve("quarter")) == 0
    assert world.explain("reader", brief).witness == (brief, note, "res:q3")
    assert world.descendants("res:q3") == (note, brief)
    with pytest.raises(ActionNotAllowedError):
        reader.execute(decision.id, run=lambda text: text)
    again = admin.revoke("res:q3", kind="access", reason="contract ended")
    assert again.id == done.id

    assert done.id is not None
    admin.undo(done.id, reason="wrong contract")
    assert len(reader.retrieve("quarter")) == 2
    with pytest.raises(InputError):
        admin.undo(done.id, reason="twice")


def test_the_pasted_statement_is_honoured_at_the_very_next_call(
    world: MapGraph, neo4j_driver: neo4j.Driver
) -> None:
    reader, _, brief = brief_of(world)
    assert len(reader.retrieve("quarter")) == 2

    neo4j_driver.execute_query(
        load_statement("revocation/revoke_source").text,  # type: ignore[arg-type]
        tenant=world.tenant,
        id="res:q3",
        by="user:alice",
        kind="reliability",
        reason="by hand",
        since=None,
        until=None,
        clock_offset=0,
    )

    assert len(reader.retrieve("quarter")) == 0
    assert world.check("reader", brief).reason is Reason.REVOKED


def test_the_five_outcomes(world: MapGraph, admin: AdminHandle) -> None:
    reader, note, brief = brief_of(world)
    admin.register_tool("draft", risk="medium")
    admin.register_resource("page", scope=["*"], source_class="unknown")
    allow = reader.propose("answer", arguments={"text": "x"}, evidence=[brief])
    block = reader.propose("email.send", arguments={"to": ["user:carol"]}, evidence=[note])
    ask = reader.propose("email.send", arguments={"to": ["user:bob"]}, evidence=[note])
    weak = world.as_agent("reader", task="t-weak")
    rumour = weak.observe("A rumour", source="res:page")
    reverify = weak.propose("draft", arguments={"text": "x"}, evidence=[rumour])
    mixed = world.as_agent("reader", task="t-mixed", tracing=True)
    mixed.read(brief)
    public = mixed.observe("Shown to all", source="tool:web.fetch", scope=["*"])
    admin.set_membership("bob", teams=[])
    redact = mixed.propose("answer", arguments={"text": "x"}, evidence=[brief, public])

    assert (allow.outcome, allow.rule) == (Outcome.ALLOW, Rule.OTHERWISE)
    assert (block.outcome, block.rule) == (Outcome.BLOCK, Rule.PERMISSION)
    assert (ask.outcome, ask.rule) == (Outcome.ASK_USER, Rule.TRUST)
    assert (reverify.outcome, reverify.rule) == (Outcome.REVERIFY, Rule.TRUST)
    assert (redact.outcome, redact.rule) == (Outcome.REDACT, Rule.PERMISSION)
    assert redact.obligations[0].targets == (brief,)
    stored = {each.id for each in world.decisions(agent="reader")}
    assert stored == {each.id for each in (allow, block, ask, reverify, redact)}


def test_an_approval_is_for_one_action_once(world: MapGraph, admin: AdminHandle) -> None:
    reader, note, _ = brief_of(world)
    decision = reader.propose("email.send", arguments={"to": ["user:bob"]}, evidence=[note])
    with pytest.raises(RefusedError):
        world.as_admin("carol").approve(decision.id)
    with pytest.raises(ActionNotAllowedError):
        reader.execute(decision.id, run=lambda to: to)
    assert [each.id for each in admin.pending()] == [decision.id]

    world.as_admin("bob").approve(decision.id)

    with pytest.raises(InputError):
        world.as_admin("bob").approve(decision.id)
    ran: list[object] = []

    def send(to: list[str]) -> None:
        ran.append(to)

    def once(_: int) -> bool:
        try:
            reader.execute(decision.id, run=send)
        except ActionNotAllowedError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(once, range(8))) == 1
    assert ran == [["user:bob"]]


def test_erasure_leaves_no_content(
    world: MapGraph, admin: AdminHandle, neo4j_driver: neo4j.Driver
) -> None:
    canary = "CANARY-7731-ZZ"
    reader = world.as_agent("reader", task="t-erase")
    note = reader.observe(f"The code is {canary}", source="res:q3")
    brief = reader.summarize(f"Code {canary}", parents=[note])
    reader.propose("answer", arguments={"text": canary}, evidence=[brief])

    done = admin.revoke(note, kind="erasure", reason="request of the person")

    rows = neo4j_driver.execute_query(
        "MATCH (n {tenant: $tenant}) UNWIND keys(n) AS key "
        "WITH n, key WHERE toStringOrNull(n[key]) CONTAINS $canary RETURN labels(n) AS l, key",
        tenant=world.tenant,
        canary=canary,
    ).records
    assert [row.data() for row in rows] == []
    left = neo4j_driver.execute_query(
        "MATCH (e:_Entry {tenant: $tenant}) WHERE e.vectors IS NOT NULL RETURN count(e) AS n",
        tenant=world.tenant,
    ).records[0]["n"]
    assert left == 0
    assert done.id is not None
    with pytest.raises(InputError):
        admin.undo(done.id, reason="no")


def test_agents_reach_no_administration(world: MapGraph) -> None:
    _, note, _ = brief_of(world)
    agent = world.as_admin("agent:reader")

    for act in (
        lambda: agent.register_user("mallory"),
        lambda: agent.verify(note),
        lambda: agent.grant("agent:reader", scopes=["team:sales"]),
        lambda: agent.rescope("res:q3", ["*"]),
    ):
        with pytest.raises(RefusedError):
            act()
    refused = [each.act for each in world.audit(actor="agent:reader") if each.outcome == "refused"]
    assert sorted(refused) == ["grant", "register", "rescope", "verify"]


def test_who_is_not_registered_is_an_error_everywhere(world: MapGraph) -> None:
    for call in (
        lambda: world.as_agent("nobody"),
        lambda: world.check("nobody", "mem:x"),
        lambda: world.eligible("nobody"),
        lambda: world.as_admin("nobody"),
    ):
        with pytest.raises(NotRegisteredError):
            call()
    for name in ("", " ", "*", "public", "tool:web.fetch", "a\x00b"):
        with pytest.raises(InputError):
            world.as_agent(name)


def test_expiry_counts_at_the_call(world: MapGraph) -> None:
    reader = world.as_agent("reader", task="t-expiry")
    soon = datetime.now(UTC) + timedelta(hours=1)
    note = reader.observe("Valid for an hour", source="res:q3", expires_at=soon)
    brief = reader.summarize("Short", parents=[note])
    graph = world._graph
    moved = graph._settings.model_copy(update={"clock_offset_ms": 7_200_000})
    graph._settings = moved

    assert world.check("reader", brief).reason is Reason.EXPIRED
    assert len(reader.retrieve("valid")) == 0
    assert world.eligible("reader") == ()


def test_naming_one_harmless_parent_launders_nothing(world: MapGraph) -> None:
    _reader, note, _ = brief_of(world)
    fresh = world.as_agent("reader", task="t-launder")
    harmless = fresh.observe("The sky is blue", source="tool:web.fetch")
    fresh.read(note)
    laundered = fresh.remember("It fell", parents=[harmless])

    assert world.explain("outsider", laundered).witness[-1] == "res:q3"
    assert world.explain("outsider", harmless).reason is Reason.ALLOWED


def test_the_same_key_changes_nothing(world: MapGraph) -> None:
    reader = world.as_agent("reader", task="t-key")

    first = reader.observe("Once", source="res:q3", key="call-1")
    again = reader.observe("Once", source="res:q3", key="call-1")

    assert first == again
    assert world.eligible("reader") == (first,)


def test_the_same_window_twice_is_one_revocation_and_one_undo_lifts_it(
    world: MapGraph, admin: AdminHandle
) -> None:
    """Found by history 1056: the second mark outlived the undo of the first."""
    reader, note, _ = brief_of(world)
    now = datetime.now(UTC)
    window = {"since": now - timedelta(hours=1), "until": now + timedelta(hours=1)}
    first = admin.revoke("res:q3", reason="feed was wrong", kind="reliability", **window)
    again = admin.revoke("res:q3", reason="feed was wrong", kind="reliability", **window)
    other = admin.revoke("res:q3", reason="feed was wrong", kind="access", **window)
    assert (first.already, again.already, other.already) == (False, True, False)
    assert again.id == first.id != other.id
    admin.undo(other.id or "", reason="one kind too many")
    assert world.check("reader", note).reason is not None
    admin.undo(first.id or "", reason="the feed was right")
    assert world.check("reader", note).allowed
    assert reader.retrieve("Revenue")
