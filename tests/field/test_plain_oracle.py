"""The plain oracle and the rewriting of permission models, without a server and without data."""

import pytest

from benchmarks.field.fga import InexpressibleError, Store
from benchmarks.field.oracle import Plain


@pytest.fixture
def plain() -> Plain:
    """Two sources, a message from one, a memory from both, an action on it."""
    nodes = {
        "open": {"type": "Resource"},
        "secret": {"type": "Resource"},
        "note": {"type": "Message"},
        "brief": {"type": "Memory"},
        "act": {"type": "Action"},
    }
    edges = [
        {"type": "derived_from", "src": "note", "dst": "open"},
        {"type": "summarized_from", "src": "brief", "dst": "note"},
        {"type": "observed_from", "src": "brief", "dst": "secret"},
        {"type": "used_for_action", "src": "brief", "dst": "act"},
        {"type": "written_by", "src": "note", "dst": "agent:a"},
        {"type": "read_by", "src": "secret", "dst": "agent:b"},
    ]
    made = Plain()
    made.add(nodes, edges)
    made.scopes = {"secret": frozenset({"team:x"}), "note": frozenset({"team:x"})}
    made.holds = {"agent:a": frozenset({"*"}), "agent:b": frozenset({"*", "team:x"})}
    return made


def test_above_and_below_follow_the_lineage_only(plain: Plain) -> None:
    assert plain.above("act") == {"brief", "note", "open", "secret"}
    assert plain.below("open") == {"note", "brief", "act"}
    assert plain.below("secret") == {"brief", "act"}
    assert plain.above("open") == set()


def test_every_ancestor_must_let_a_reader_in_and_a_writer_reads_what_it_wrote(
    plain: Plain,
) -> None:
    assert plain.readers("note") == {"agent:a", "agent:b"}
    assert plain.readers("brief") == {"agent:b"}
    assert plain.readable("agent:a", ["Message", "Memory", "Resource"]) == {"open", "note"}


def test_a_revocation_closes_the_source_and_all_below(plain: Plain) -> None:
    plain.revoked.add("open")

    assert plain.readers("brief") == set()
    assert plain.readable("agent:b", ["Resource", "Message", "Memory"]) == {"secret"}


def test_the_two_ways_to_ask_agree_and_a_cycle_ends(plain: Plain) -> None:
    plain.add({}, [{"type": "derived_from", "src": "open", "dst": "brief"}])

    assert "brief" in plain.above("brief")
    for agent in plain.holds:
        one = {node for node in plain.kinds if plain.can_read(agent, node)}
        assert plain.readable(agent, set(plain.kinds.values())) == one


MODEL = {
    "group": {"member": ("direct", ["user", "group#member"])},
    "doc": {
        "owner": ("direct", ["user"]),
        "viewer": ("or", ("direct", ["user", "group#member"]), ("rel", "owner")),
        "both": ("and", ("rel", "viewer"), ("rel", "owner")),
        "most": ("not", ("rel", "viewer"), ("rel", "owner")),
    },
}


def tuples(*lines: str) -> list[dict[str, str]]:
    """Return tuples written as ``subject relation object``."""
    return [dict(zip(("user", "relation", "object"), line.split(), strict=True)) for line in lines]


def test_a_union_widens_a_clause_and_an_intersection_is_two() -> None:
    store = Store(MODEL, tuples("user:a owner doc:1", "group:g#member viewer doc:1"))
    viewer = frozenset({"user:user.a", "team:group:g#member"})

    assert store.clauses("doc:1", "viewer") == {viewer}
    assert store.clauses("doc:1", "both") == {viewer, frozenset({"user:user.a"})}


def test_nested_usersets_become_memberships_and_a_cycle_adds_nobody() -> None:
    store = Store(
        MODEL,
        tuples(
            "group:inner#member member group:outer",
            "group:outer#member member group:inner",
            "user:a member group:inner",
            "user:b owner doc:1",
            "group:outer#member viewer doc:1",
        ),
    )
    store.clauses("doc:1", "viewer")
    teams = store.teams()

    assert teams["user:a"] == {"team:group:inner#member", "team:group:outer#member"}
    assert teams["user:b"] == set()


def test_what_takes_something_away_is_refused() -> None:
    with pytest.raises(InexpressibleError):
        Store(MODEL, []).clauses("doc:1", "most")
    with pytest.raises(InexpressibleError):
        Store(MODEL, []).clauses("doc:1", "no-such-relation")
