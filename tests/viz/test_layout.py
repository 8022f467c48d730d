"""Where the cards of a drawing stand."""

from itertools import combinations, pairwise

import pytest

from mapgraph_neo.model import Lineage, LineageEdge, LineageNode
from mapgraph_neo.viz.layout import CARD_HEIGHT, CARD_WIDTH, Drawing, flow, place
from mapgraph_neo.vocabulary import NodeLabel


def node(name: str, label: NodeLabel = NodeLabel.MEMORY) -> LineageNode:
    return LineageNode(id=name, label=label, caption=name, state="active")


def derived(child: str, parent: str) -> LineageEdge:
    return LineageEdge(type="DERIVED_FROM", source=child, target=parent)


def lineage(nodes: list[LineageNode], edges: list[LineageEdge], root: str) -> Lineage:
    return Lineage(root=root, nodes=tuple(nodes), edges=tuple(edges))


def no_overlap(drawing: Drawing) -> bool:
    return all(
        abs(a[0] - b[0]) >= CARD_WIDTH or abs(a[1] - b[1]) >= CARD_HEIGHT
        for a, b in combinations(drawing.places.values(), 2)
    )


def test_what_came_later_stands_further_right() -> None:
    ids = ["res:a", "mem:b", "mem:c"]
    drawn = place(
        lineage(
            [node(each) for each in ids],
            [derived("mem:b", "res:a"), derived("mem:c", "mem:b")],
            "mem:c",
        )
    )

    assert drawn.places["res:a"][0] < drawn.places["mem:b"][0] < drawn.places["mem:c"][0]


def test_actions_stand_in_the_last_column() -> None:
    nodes = [node("mem:a"), node("mem:b"), node("act:x", NodeLabel.ACTION)]
    used = LineageEdge(type="USED_FOR_ACTION", source="mem:a", target="act:x")
    drawn = place(lineage(nodes, [derived("mem:b", "mem:a"), used], "act:x"))

    assert drawn.places["act:x"][0] > drawn.places["mem:b"][0]


def test_writers_stand_above_the_flow() -> None:
    nodes = [node("mem:a"), node("agent:w", NodeLabel.AGENT)]
    written = LineageEdge(type="WRITTEN_BY", source="mem:a", target="agent:w")
    drawn = place(lineage(nodes, [written], "mem:a"))

    assert drawn.places["agent:w"][1] < drawn.places["mem:a"][1]
    assert flow(written) is None


def test_one_node_is_a_drawing() -> None:
    drawn = place(lineage([node("mem:a")], [], "mem:a"))

    assert drawn.places == {"mem:a": (0, 0)}
    assert (drawn.width, drawn.height) == (CARD_WIDTH, CARD_HEIGHT)


def test_a_planted_cycle_is_drawn() -> None:
    ids = ["mem:a", "mem:b", "mem:c"]
    edges = [derived(child, parent) for child, parent in pairwise([*ids, "mem:a"])]

    assert set(place(lineage([node(each) for each in ids], edges, "mem:a")).places) == set(ids)


@pytest.mark.parametrize("shape", ["fan", "chain", "layers"])
def test_two_thousand_nodes_fit_a_screen(shape: str) -> None:
    ids = [f"mem:{number}" for number in range(2_000)]
    parents = {
        "fan": lambda _: 0,
        "chain": lambda number: number - 1,
        "layers": lambda number: max(0, number - 100),
    }[shape]
    edges = [derived(ids[number], ids[parents(number)]) for number in range(1, 2_000)]
    drawn = place(lineage([node(each) for each in ids], edges, ids[0]))

    assert len(drawn.places) == 2_000
    assert 0.4 < drawn.width / drawn.height < 4
    columns: dict[int, list[int]] = {}
    for left, top in drawn.places.values():
        columns.setdefault(left, []).append(top)
    for tops in columns.values():
        assert all(below - above >= CARD_HEIGHT for above, below in pairwise(sorted(tops)))


def test_cards_do_not_overlap() -> None:
    ids = [f"mem:{number}" for number in range(60)]
    edges = [derived(ids[number], ids[number // 3]) for number in range(1, 60)]

    assert no_overlap(place(lineage([node(each) for each in ids], edges, ids[0])))
