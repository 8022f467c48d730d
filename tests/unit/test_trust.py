# ruff: noqa: ANN401 - tests hand over what the types forbid
import math
import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapgraph_neo.policy import Policy, load_policy
from mapgraph_neo.policy_parts import MAX_FACTOR
from mapgraph_neo.trust import (
    NOTHING,
    PathTrust,
    TrustEdge,
    TrustNode,
    TrustWriter,
    extend,
    grade,
    path_trust,
    rho,
    score,
    unit,
)
from mapgraph_neo.vocabulary import EdgeType, NodeLabel

POLICY = load_policy()
AGENT = TrustWriter("agent", "established", "agent:a")
SEEN, DERIVED, SUMMED = EdgeType.OBSERVED_FROM, EdgeType.DERIVED_FROM, EdgeType.SUMMARIZED_FROM
NOT_NUMBERS = [math.nan, math.inf, -math.inf, -0.1, 1.0000001, "1", None, True, [1], 10**400]


def resource(seq: int, source_class: str | None = "internal", **more: Any) -> TrustNode:
    facts = {"integrity": "intact", "revoked": False} | more
    return TrustNode(f"res:{seq}", seq, NodeLabel.RESOURCE, source_class=source_class, **facts)


def memory(seq: int, writers: Sequence[Any] = (AGENT,), **more: Any) -> TrustNode:
    facts = {"integrity": "intact", "revoked": False} | more
    return TrustNode(f"mem:{seq}", seq, NodeLabel.MEMORY, writers=writers, **facts)


def user(seq: int, standing: str | None = "established") -> TrustNode:
    return TrustNode(f"user:{seq}", seq, NodeLabel.USER, "intact", False, standing=standing)  # noqa: FBT003 - a named tuple


def link(child: TrustNode, parent: TrustNode, kind: EdgeType, age: Any = 0.0) -> TrustEdge:
    return TrustEdge(child.id, parent.id, kind, age)


def alone(node: TrustNode, policy: Policy = POLICY, own: Iterable[str] = ()) -> float:
    return rho(path_trust([node], [], policy, own_users=frozenset(own))[node.id], 1.0)


def aging(tmp_path: Path) -> Policy:
    path = tmp_path / "p.toml"
    path.write_text("[half_life_days]\nexternal = 10\n")
    return load_policy(path)


@pytest.mark.parametrize("name", POLICY.source.classes)
def test_a_resource_is_trusted_as_its_class(name: str) -> None:
    assert alone(resource(1, name)) == POLICY.source.classes[name]


@pytest.mark.parametrize("name", [None, "", "Internal", "lab", 1, ["internal"]])
def test_a_class_that_the_policy_does_not_know_is_nothing(name: Any) -> None:
    assert alone(resource(1, name)) == 0.0


def test_a_user_is_trusted_as_its_standing() -> None:
    standings = ("established", "new", "compromised", None, "Established", 1)

    assert [alone(user(1, s)) for s in standings] == [0.75, 0.4, 0, 0, 0, 0]  # type: ignore[arg-type]


def test_the_own_user_counts_at_the_gate_and_only_if_established() -> None:
    assert alone(user(1), own=["user:7", "user:1"]) == 1.0
    assert alone(user(1), own=["user:2"]) == 0.75
    assert alone(user(1, "new"), own=["user:1"]) == 0.4
    assert alone(user(1, "compromised"), own=["user:1"]) == 0.0


def test_a_record_without_ancestors_is_trusted_as_its_writer() -> None:
    found = {
        ("agent", "established"): 0.4 * 0.98,
        ("agent", "new"): 0.4 * 0.9,
        ("agent", "compromised"): 0.0,
        ("agent", None): 0.0,
        ("user", "established"): 0.75,
        ("user", "new"): 0.4,
        ("user", "compromised"): 0.0,
        ("tool", "external"): 0.65,
        ("tool", "poisoned"): 0.0,
        ("tool", None): 0.0,
        ("host", None): 0.4,
        ("stranger", "established"): 0.0,
    }

    for writer, value in found.items():
        assert alone(memory(1, [writer])) == pytest.approx(value, abs=1e-12), writer
    assert alone(memory(1, [])) == 0.0
    assert alone(memory(1, [("user", "established"), ("user", "new")])) == 0.4


def test_a_record_of_the_own_user_counts_as_the_own_user() -> None:
    own = memory(1, [TrustWriter("user", "established", "user:u")])

    assert alone(own, own=["user:u"]) == 1.0
    assert alone(own, own=["user:v"]) == 0.75
    assert alone(own) == 0.75
    assert alone(memory(1, [("user", "established")]), own=["user:u"]) == 0.75
    assert alone(memory(1, [TrustWriter("user", "new", "user:u")]), own=["user:u"]) == 0.4


def test_factors_multiply_along_a_path() -> None:
    source, note, brief = resource(1), memory(2), memory(3)
    edges = [link(note, source, SEEN), link(brief, note, SUMMED)]
    found = path_trust([source, note, brief], edges, POLICY)

    assert found["mem:2"] == PathTrust(0.9, 0.9, 0.98)
    assert found["mem:3"].sif == pytest.approx(0.81)
    assert found["mem:3"].si == pytest.approx(0.9)
    assert rho(found["mem:3"], 1.1) == pytest.approx(0.81 * 0.98 * 1.1)
    assert grade("mem:3", ([source, note, brief], edges), POLICY) == pytest.approx(0.81 * 0.98)
    assert grade("mem:9", ([source, note, brief], edges), POLICY) == 0.0


def test_the_weakest_path_counts_not_the_shortest() -> None:
    good, bad, far, note = resource(1), resource(2, "untrusted"), memory(3), memory(4)
    edges = [link(far, bad, SEEN), link(note, good, SEEN), link(note, far, DERIVED)]
    found = path_trust([note, far, bad, good], edges, POLICY)

    assert found["mem:4"].sif == pytest.approx(0.2 * 0.95)
    assert found["mem:4"].si == pytest.approx(0.2)


def test_the_floor_ignores_transformation() -> None:
    nodes = [resource(1), *(memory(seq) for seq in range(2, 202))]
    edges = [link(b, a, DERIVED) for a, b in pairwise(nodes)]
    last = path_trust(nodes, edges, POLICY)["mem:201"]

    assert last.si == pytest.approx(0.9)
    assert last.sif == pytest.approx(0.9 * 0.95**200)


def test_integrity_multiplies_over_the_nodes() -> None:
    def through(**more: Any) -> PathTrust:
        source, note = resource(1, **more), memory(2)
        return path_trust([source, note], [link(note, source, SEEN)], POLICY)["mem:2"]

    assert through(integrity="incomplete").si == pytest.approx(0.45)
    assert through(integrity="mismatch").si == 0.0
    assert through(integrity="INTACT").si == 0.0
    assert through(integrity=None).si == 0.0
    assert through(revoked=True).si == 0.0
    assert through(revoked=None).si == 0.0
    assert through(revoked=0).si == 0.0


def test_the_least_reliable_writer_of_the_lineage_counts() -> None:
    first, second = memory(1, [("agent", "new")]), memory(2)
    edges = [link(second, first, DERIVED)]

    assert path_trust([first, second], edges, POLICY)["mem:2"].writer == 0.9
    spoilt = first._replace(writers=[("user", "established"), ("agent", "compromised")])
    assert path_trust([spoilt, second], edges, POLICY)["mem:2"].writer == 0.0


def test_malformed_lineage_is_worth_nothing() -> None:
    source, note = resource(1), memory(2)
    loop = [link(note, memory(3), DERIVED), link(memory(3), note, DERIVED)]
    cases = [
        ([note], [link(note, source, SEEN)]),  # missing parent
        ([source, note], [link(note, source, EdgeType.READ_BY)]),  # no edge of lineage
        ([source._replace(seq=2), note], [link(note, source, SEEN)]),  # not older
        ([source._replace(seq=3), note], [link(note, source, SEEN)]),  # younger
        ([source._replace(seq="1"), note], [link(note, source, SEEN)]),  # type: ignore[arg-type]
        ([source._replace(seq=True), note], [link(note, source, SEEN)]),
        ([source, source, note], [link(note, source, SEEN)]),  # twice
        ([note], [link(note, note, DERIVED)]),  # its own parent
        ([note, memory(3)], loop),
    ]

    for nodes, edges in cases:
        assert path_trust(nodes, edges, POLICY)["mem:2"] == NOTHING


def test_each_part_of_what_is_malformed_is_zero() -> None:
    robot = TrustWriter("robot", "established", "robot:r")
    action = TrustNode("act:1", 1, NodeLabel.ACTION, "intact", False)  # noqa: FBT003 - a named tuple

    assert PathTrust(0.0, 0.0, 0.0) == NOTHING
    assert extend(memory(1, ()), [], POLICY) == NOTHING
    assert extend(memory(1, [robot]), [], POLICY) == NOTHING
    assert extend(memory(1, [AGENT, robot]), [], POLICY) == NOTHING
    assert extend(action, [], POLICY)[:2] == (0.0, 0.0)
    assert extend(action._replace(writers=[AGENT]), [], POLICY)[:2] == (0.0, 0.0)


def test_only_a_tool_or_a_resource_has_a_class_that_ages() -> None:
    class_of = {
        node: extend(node, [], POLICY).source_class
        for node in (
            resource(1, "external"),
            resource(2)._replace(source_class=1),  # type: ignore[arg-type]
            memory(3)._replace(source_class="external"),
            user(4)._replace(source_class="external"),
        )
    }

    assert list(class_of.values()) == ["external", None, None, None]


def test_a_source_has_no_parents_and_an_action_is_no_source() -> None:
    source, other = resource(1), resource(2)
    action = TrustNode("act:1", 3, NodeLabel.ACTION, "intact", False)  # noqa: FBT003 - a named tuple

    assert path_trust([source, other], [link(other, source, SEEN)], POLICY)["res:2"] == NOTHING
    assert alone(action) == 0.0


def test_a_class_with_a_half_life_ages(tmp_path: Path) -> None:
    policy = aging(tmp_path)
    day = 86_400.0

    def after(age: Any, source_class: str = "external") -> PathTrust:
        source, note = resource(1, source_class), memory(2)
        return path_trust([source, note], [link(note, source, SEEN, age)], policy)["mem:2"]

    assert after(0.0).sif == pytest.approx(0.65)
    assert after(10 * day).sif == pytest.approx(0.325)
    assert after(20 * day).sif == pytest.approx(0.1625)
    assert after(20 * day).si == pytest.approx(0.65)
    assert after(1e300).sif == 0.0
    assert after(-day).sif == pytest.approx(0.65)
    assert after(1000 * day, "internal").sif == pytest.approx(0.9)
    for odd in (math.nan, math.inf, None, "1", True):
        assert after(odd).sif == 0.0


def test_one_record_is_worked_out_like_the_whole() -> None:
    source, note, brief = resource(1), memory(2), memory(3)
    edges = [link(note, source, SEEN), link(brief, note, SUMMED), link(brief, source, DERIVED)]
    whole = path_trust([source, note, brief], edges, POLICY)
    parents = [(whole["mem:2"], edges[1]), (whole["res:1"], edges[2])]

    assert extend(brief, parents, POLICY) == whole["mem:3"]
    assert extend(brief, [(whole["mem:2"], edges[0])], POLICY) == NOTHING


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_what_is_no_number_in_range_counts_as_zero(value: Any) -> None:
    assert unit(value) == 0.0
    assert rho(PathTrust(value, 1.0, 1.0), 1.0) == 0.0
    assert rho(PathTrust(1.0, 1.0, value), 1.0) == 0.0
    note = memory(2)
    edge = TrustEdge("mem:2", "x", SEEN)
    assert extend(note, [(PathTrust(value, value, 1.0), edge)], POLICY)[:2] == (0.0, 0.0)
    assert extend(note, [(PathTrust(1.0, 1.0, value), edge)], POLICY).writer == 0.0


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.1, 2.1, "1", None, True])
def test_a_verification_factor_out_of_range_is_zero(value: Any) -> None:
    assert rho(PathTrust(1.0, 1.0, 1.0), value) == 0.0


def test_any_verification_factor_of_a_policy_counts() -> None:
    path = PathTrust(0.4, 0.4, 1.0)

    assert [rho(path, factor) for factor in (0.0, 0.25, 1.0, MAX_FACTOR)] == [0.0, 0.1, 0.4, 0.8]
    assert unit(1) == 1.0


def test_what_is_not_old_does_not_age(tmp_path: Path) -> None:
    root = resource(1, "external")
    child = memory(2)
    policy = aging(tmp_path)
    edge = TrustEdge(child.id, root.id, SEEN)
    now = [(extend(root, [], policy), edge._replace(age_seconds=age)) for age in (0.0, -9.0)]

    assert edge.age_seconds == 0.0
    assert {extend(child, [above], policy).sif for above in now} == {0.65}


def test_rho_is_clipped_and_needs_permission() -> None:
    path = PathTrust(0.95, 0.95, 1.0)

    assert rho(path, 1.2) == 1.0
    assert rho(path, 1.2, permitted=False) == 0.0
    assert rho(path, 1.0, permitted=1) == 0.0  # type: ignore[arg-type]
    assert rho(PathTrust(0.0, 0.0, 1.0), 1.2) == 0.0
    assert rho(PathTrust(-0.0, 0.0, 1.0), 1.0) == 0.0


def test_a_score_is_never_negative_nor_above_one() -> None:
    assert score(0.5, 0.8) == 0.4
    assert score(-0.5, 0.8) == score(math.nan, 0.8) == score(0.5, math.nan) == 0.0
    assert score(1.0000001, 1.0) == 1.0


@st.composite
def lineages(draw: st.DrawFn) -> tuple[list[TrustNode], list[TrustEdge]]:
    classes = st.sampled_from(list(POLICY.source.classes))
    nodes = [resource(seq, draw(classes)) for seq in range(1, draw(st.integers(1, 3)) + 1)]
    edges: list[TrustEdge] = []
    for seq in range(len(nodes) + 1, len(nodes) + draw(st.integers(1, 7)) + 1):
        word = st.sampled_from(["established", "new"])
        whole = st.sampled_from(["intact", "intact", "incomplete"])
        node = memory(seq, [("agent", draw(word))], integrity=draw(whole))
        parents = st.lists(st.sampled_from(nodes), max_size=3, unique_by=lambda n: n.id)
        kinds = st.sampled_from([SEEN, DERIVED, SUMMED])
        edges += [link(node, parent, draw(kinds)) for parent in draw(parents)]
        nodes.append(node)
    return nodes, edges


def by_listing_paths(nodes: list[TrustNode], edges: list[TrustEdge], end: str) -> list[float]:
    """Return S * I * F of every path from a root to ``end``, one by one."""
    factor = {SEEN: 1.0, DERIVED: 0.95, SUMMED: 0.9}
    whole = {"intact": 1.0, "incomplete": 0.5}
    node = next(node for node in nodes if node.id == end)
    here = whole[node.integrity]
    above = [edge for edge in edges if edge.child == end]
    if not above:
        return [here * POLICY.source.classes.get(node.source_class or "unknown", 0.0)]
    return [
        here * factor[edge.type] * value
        for edge in above
        for value in by_listing_paths(nodes, edges, edge.parent)
    ]


@settings(max_examples=50)
@given(lineages())
def test_it_is_the_minimum_over_all_paths(lineage: tuple[list[TrustNode], list[TrustEdge]]) -> None:
    nodes, edges = lineage
    found = path_trust(nodes, edges, POLICY)

    for node in nodes:
        assert found[node.id].sif == pytest.approx(min(by_listing_paths(nodes, edges, node.id)))


@settings(max_examples=50)
@given(lineages(), st.randoms(use_true_random=False))
def test_order_does_not_matter(
    lineage: tuple[list[TrustNode], list[TrustEdge]], chance: random.Random
) -> None:
    nodes, edges = lineage
    mixed_nodes, mixed_edges = list(nodes), [*edges, *edges]
    chance.shuffle(mixed_nodes)
    chance.shuffle(mixed_edges)

    assert path_trust(mixed_nodes, mixed_edges, POLICY) == path_trust(nodes, edges, POLICY)


@settings(max_examples=50)
@given(lineages(), st.data())
def test_one_more_parent_never_raises_rho(
    lineage: tuple[list[TrustNode], list[TrustEdge]], data: st.DataObject
) -> None:
    nodes, edges = lineage
    child = data.draw(st.sampled_from([n for n in nodes if n.label is NodeLabel.MEMORY]))
    if not any(edge.child == child.id for edge in edges):
        return  # a root becomes another record with its first parent
    parent = data.draw(st.sampled_from([n for n in nodes if n.seq < child.seq]))
    before = path_trust(nodes, edges, POLICY)
    after = path_trust(nodes, [*edges, link(child, parent, SEEN)], POLICY)

    for node in nodes:
        assert rho(after[node.id], 1.2) <= rho(before[node.id], 1.2)
        assert 0.0 <= rho(after[node.id], 1.2) <= 1.0


def test_wide_meshes_and_long_chains_end() -> None:
    layers = [[memory(layer * 20 + i + 1) for i in range(20)] for layer in range(20)]
    nodes = [node for layer in layers for node in layer]
    edges = [
        link(child, parent, SEEN)
        for above, below in pairwise(layers)
        for child in below
        for parent in above
    ]
    chain = [memory(seq) for seq in range(1, 10_001)]
    steps = [link(b, a, SEEN) for a, b in pairwise(chain)]

    assert path_trust(nodes, edges, POLICY)["mem:400"].sif == pytest.approx(0.4)
    assert path_trust(chain, steps, POLICY)["mem:10000"].sif == pytest.approx(0.4)
