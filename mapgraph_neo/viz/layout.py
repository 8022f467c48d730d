"""Places the nodes of a lineage in columns: sources left, what came from them right of them.

The width and height of a card and the gaps between cards are in CSS pixels.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from mapgraph_neo.model import Lineage, LineageEdge
from mapgraph_neo.vocabulary import LINEAGE_EDGES, EdgeType, NodeLabel

CARD_WIDTH, CARD_HEIGHT = 214, 52
COLUMN_GAP, SLICE_GAP, ROW_GAP, BAND_GAP = 76, 24, 15, 72
LONGEST_COLUMN = 16  # cards; a longer column becomes several slices side by side
WIDEST = 4_000  # what is wider goes on in a band below
ASPECT = 1.6  # width to height of a drawing that was folded into bands
SWEEPS = 4  # each moves the cards of a column towards their neighbours in the others


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Where each node stands (left, top), and how large the whole is."""

    places: Mapping[str, tuple[int, int]]
    width: int
    height: int


def flow(edge: LineageEdge) -> tuple[str, str] | None:
    """Return (earlier, later) of an edge that carries lineage or use, else ``None``."""
    if edge.type in LINEAGE_EDGES:
        return edge.target, edge.source
    if edge.type == EdgeType.USED_FOR_ACTION:
        return edge.source, edge.target
    return None


def place(lineage: Lineage) -> Drawing:
    """Return the drawing of a lineage; linear in its size, also for cycles planted by hand."""
    pairs = [pair for edge in lineage.edges if (pair := flow(edge)) is not None]
    columns, aside = _columns(lineage, pairs)
    _untangle(columns, pairs)
    bands = _bands(columns)
    width = max((_width(band) for band in bands), default=CARD_WIDTH)
    places: dict[str, tuple[int, int]] = {}
    top = _place_aside(places, aside, width)
    for band in bands:
        top += _place_band(places, band, top) + BAND_GAP
    bottom = max((upper for _, upper in places.values()), default=0) + CARD_HEIGHT
    return Drawing(places=places, width=width, height=bottom)


def _columns(
    lineage: Lineage, pairs: Sequence[tuple[str, str]]
) -> tuple[list[list[str]], list[str]]:
    """Return the columns, and the nodes beside the flow (writers, administrators)."""
    depth = _depths([node.id for node in lineage.nodes], pairs)
    inside = {node for pair in pairs for node in pair} | {lineage.root}
    actions = {node.id for node in lineage.nodes if node.label is NodeLabel.ACTION}
    last = 1 + max((depth[node] for node in inside - actions if node in depth), default=0)
    columns: dict[int, list[str]] = defaultdict(list)
    aside: list[str] = []
    for node in lineage.nodes:
        if node.id not in inside:
            aside.append(node.id)
        elif node.id in actions:
            columns[last].append(node.id)  # actions end the story
        else:
            columns[depth[node.id]].append(node.id)
    return [columns[number] for number in sorted(columns)], aside


def _depths(ids: Iterable[str], pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return how many steps each node is from its farthest source; what is on a cycle goes last."""
    below: dict[str, list[str]] = defaultdict(list)
    waits: dict[str, int] = dict.fromkeys(ids, 0)
    for earlier, later in pairs:
        below[earlier].append(later)
        waits[later] += 1
    depth = dict.fromkeys(waits, 0)
    ready = [node for node, count in waits.items() if count == 0]
    for node in ready:
        for later in below[node]:
            depth[later] = max(depth[later], depth[node] + 1)
            waits[later] -= 1
            if waits[later] == 0:
                ready.append(later)
    return depth


def _untangle(columns: list[list[str]], pairs: Sequence[tuple[str, str]]) -> None:
    """Order each column by the mean place of its neighbours, so that few lines cross."""
    near: dict[str, list[str]] = defaultdict(list)
    for earlier, later in pairs:
        near[earlier].append(later)
        near[later].append(earlier)
    where = {
        node: _middle(index, column) for column in columns for index, node in enumerate(column)
    }
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            means = {
                node: sum(where[other] for other in near[node]) / len(near[node])
                if near[node]
                else where[node]
                for node in column
            }
            column.sort(key=means.__getitem__)
            where.update((node, _middle(index, column)) for index, node in enumerate(column))


def _middle(index: int, column: Sequence[str]) -> float:
    return index - (len(column) - 1) / 2


Column = list[list[str]]
"""A column as its slices, which stand side by side."""


def _bands(columns: Sequence[Sequence[str]]) -> list[list[Column]]:
    """Return the columns in bands: one, or as many as make a wide drawing fit a screen."""
    sliced = [_slices(column) for column in columns]
    whole = _width(sliced)
    if whole <= WIDEST:
        return [sliced] if sliced else []
    widest = max(WIDEST, round(sqrt(whole * (_height(sliced) + BAND_GAP) * ASPECT)))
    bands: list[list[Column]] = [[]]
    for column in sliced:
        if bands[-1] and _width([*bands[-1], column]) > widest:
            bands.append([])
        bands[-1].append(column)
    return bands


def _slices(column: Sequence[str]) -> Column:
    rows = LONGEST_COLUMN
    if len(column) > 2 * LONGEST_COLUMN:
        rows = max(LONGEST_COLUMN, ceil(sqrt(len(column) * 2)))
    return [list(column[start : start + rows]) for start in range(0, len(column), rows)]


def _width(columns: Sequence[Column]) -> int:
    slices = sum(len(column) for column in columns)
    return slices * (CARD_WIDTH + SLICE_GAP) + len(columns) * (COLUMN_GAP - SLICE_GAP) - COLUMN_GAP


def _height(columns: Sequence[Column]) -> int:
    rows = max(len(part) for column in columns for part in column)
    return rows * (CARD_HEIGHT + ROW_GAP) - ROW_GAP


def _place_band(places: dict[str, tuple[int, int]], columns: Sequence[Column], top: int) -> int:
    """Place columns side by side below ``top``, centred; return their height."""
    height = _height(columns)
    left = 0
    for column in columns:
        for part in column:
            start = top + (height - _height([[part]])) // 2
            for index, node in enumerate(part):
                places[node] = (left, start + index * (CARD_HEIGHT + ROW_GAP))
            left += CARD_WIDTH + SLICE_GAP
        left += COLUMN_GAP - SLICE_GAP
    return height


def _place_aside(places: dict[str, tuple[int, int]], nodes: Sequence[str], width: int) -> int:
    """Place nodes in rows as wide as the drawing; return where the next band begins."""
    across = max(1, (width + SLICE_GAP) // (CARD_WIDTH + SLICE_GAP))
    for index, node in enumerate(nodes):
        row, column = divmod(index, across)
        places[node] = (
            column * (CARD_WIDTH + SLICE_GAP),
            row * (CARD_HEIGHT + ROW_GAP),
        )
    rows = ceil(len(nodes) / across)
    return rows * (CARD_HEIGHT + ROW_GAP) - ROW_GAP + BAND_GAP if nodes else 0
