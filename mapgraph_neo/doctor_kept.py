"""Compares what is kept for one record with what its lineage is worth; free of I/O."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mapgraph_neo.entries import Values, class_key
from mapgraph_neo.graph import Row
from mapgraph_neo.sidecar_rows import EntryRow, read_rows
from mapgraph_neo.vocabulary import NodeLabel

TOLERANCE = 1e-9

Difference = tuple[str, str]
"""The finding that it belongs to, and what differs."""
Classes = Mapping[int, tuple[str, ...]]
"""Access classes that are what their keys say: number to clauses."""


def differences(
    row: Row, values: Values, trust: float, classes: Classes, *, aging: bool
) -> Iterator[Difference]:
    """Yield what differs in the entry and marks of a record.

    Args:
        row: The record and its entry, from ``doctor/records``.
        values: What should be kept, worked out from its lineage.
        trust: What ranking should go by.
        classes: The access classes.
        aging: Whether trust ages, so that what is kept may be more than it is worth now.

    """
    entry: Row = row["entry"]
    number = entry["class"]
    kept = classes.get(number) if type(number) is int else None
    if kept is None:
        yield "access", "without its access class"
    elif set(kept) != set(values.clauses):
        wider = not set(kept).issuperset(values.clauses)
        yield "access", "wider than what it came from" if wider else "narrower than it should be"
    if entry["expires_ms"] != values.expires_ms:
        yield "expiry", "not the earliest of the lineage"
    if not _is_trust(entry, values, trust, aging=aging):
        yield "trust", "not what the lineage is worth"
    live = not values.affected and not row["revoked"] and not row["erased"]
    if row["pending"] is None and entry["live"] is not live:  # an import sets it when complete
        yield "liveness", "live, but kept as closed" if live else "closed, but kept as live"
    if row["affected"] is not values.affected:
        yield "marks", "affected, but unmarked" if values.affected else "marked, but not affected"


def proper_class(number: object, key: object, clauses: object) -> bool:
    """Return whether an access class is what its key says."""
    return (
        type(number) is int
        and isinstance(clauses, list)
        and all(isinstance(each, str) for each in clauses)
        and class_key(clauses) == key
    )


def usable_vectors(
    rows: Sequence[Row], vectors: Mapping[int, bytes], dimension: int | None
) -> set[int]:
    """Return the numbers of the records whose vectors retrieval would take."""
    if dimension is None:
        return set()
    given = [
        EntryRow(row["seq"], 1, 0, None, 0.0, 0.0, True, vectors.get(row["seq"]), parts)  # noqa: FBT003
        for row in rows
        if type(parts := row["entry"]["parts"]) is int
    ]
    fits = read_rows(given, dimension).entries
    return set(fits["seq"][fits["parts"] > 0].tolist())


def wrong_vectors(row: Row, vectors: bytes | None, *, usable: bool) -> str | None:
    """Return what is wrong with the vectors of a record, or ``None``."""
    if row["erased"]:
        return None if vectors is None else "vectors of what was erased"
    if row["kind"] == NodeLabel.MESSAGE:
        return None if row["entry"]["parts"] == 0 else "vectors of a message"
    if usable:
        return None
    return "no vectors" if vectors is None else "vectors that cannot be used"


def _is_trust(entry: Row, values: Values, trust: float, *, aging: bool) -> bool:
    path = values.path
    same = _at_least if aging else _same  # what ages is kept as it was, and graded anew
    return (
        _same(entry["floor"], path.si)
        and _same(entry["reliability"], path.writer)
        and same(entry["sif"], path.sif)
        and same(entry["trust"], trust)
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(kept: Any, now: float) -> bool:  # noqa: ANN401 - whatever stands in the graph
    return _is_number(kept) and abs(kept - now) <= TOLERANCE


def _at_least(kept: Any, now: float) -> bool:  # noqa: ANN401 - whatever stands in the graph
    return _is_number(kept) and now - TOLERANCE <= kept <= 1.0
