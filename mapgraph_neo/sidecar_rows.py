"""Rows of the graph become arrays: checked one by one, newest first, malformed ones closed."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

NO_EXPIRY = 2**63 - 1
UNIT_TOLERANCE = 1e-3
"""How far the length of a vector may be from 1; float32 rounding stays within 1e-6."""

ENTRY = np.dtype(
    [
        ("seq", "<i8"),
        ("epoch", "<i8"),
        ("access_class", "<i8"),
        ("expires_ms", "<i8"),
        ("trust", "<f8"),
        ("floor", "<f8"),
        ("live", "?"),
        ("erased", "?"),
        ("parts", "<i8"),
    ]
)
"""One entry without its vectors; ``parts`` is how many vectors it has."""


class EntryRow(NamedTuple):
    """One ``_Entry`` of the graph: a record's class, expiry, trust and vectors.

    ``vectors`` are ``parts`` unit vectors end to end, little-endian float32; ``None`` leaves
    what is known. ``floor`` is the minimum of S * I, compared with the trust floor.
    """

    seq: int
    epoch: int
    access_class: int
    expires_ms: int | None
    trust: float
    floor: float
    live: bool
    vectors: bytes | None = None
    parts: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows as arrays, by access class and seq, one row for each seq."""

    entries: NDArray[Any]  # of ENTRY; parts counts the vectors that were given and are sound
    vectors: Floats
    refused: tuple[int, ...]  # whose vectors cannot be used


def read_rows(rows: Iterable[EntryRow], dimension: int) -> Batch:
    """Return ``rows`` as a batch; of several rows of one seq the newest, then the last, counts.

    A row without a usable seq and epoch is left out. A row with any other malformed value is
    closed. Malformed vectors are refused whole: the record then has none.
    """
    newest: dict[int, EntryRow] = {}
    for row in rows:
        if _whole(row.seq) and _whole(row.epoch):
            known = newest.get(row.seq)
            if known is None or row.epoch >= known.epoch:
                newest[row.seq] = row if _sound(row) else _closed(row)
    chosen = sorted(newest.values(), key=lambda row: (row.access_class, row.seq))
    parts, vectors, refused = _read_vectors(chosen, dimension)
    entries = np.zeros(len(chosen), ENTRY)
    for name in ("seq", "epoch", "access_class", "live"):
        entries[name] = [getattr(row, name) for row in chosen]
    ends = [NO_EXPIRY if row.expires_ms is None else row.expires_ms for row in chosen]
    entries["expires_ms"] = ends
    entries["trust"] = [_unit(row.trust) for row in chosen]
    entries["floor"] = [_unit(row.floor) for row in chosen]
    entries["parts"] = parts
    return Batch(entries, vectors, refused)


def _read_vectors(rows: list[EntryRow], dimension: int) -> tuple[Ints, Floats, tuple[int, ...]]:
    """Return how many vectors each row has, all of them in order, and the seqs refused."""
    width = dimension * 4
    fits = [_fits(row, width) for row in rows]
    parts = np.array([row.parts if fit else 0 for row, fit in zip(rows, fits, strict=True)], int)
    whole = b"".join(row.vectors or b"" for row, fit in zip(rows, fits, strict=True) if fit)
    vectors = np.frombuffer(whole, "<f4").reshape(-1, dimension).astype(np.float32, copy=False)
    owners = np.repeat(np.arange(len(rows)), parts)
    bad = ~_unit_length(vectors)
    if bad.any():
        parts[np.unique(owners[bad])] = 0
        vectors = np.ascontiguousarray(vectors[parts[owners] > 0])
    refused = (np.array([row.vectors is not None for row in rows], np.bool_)) & (parts == 0)
    return parts, vectors, tuple(rows[at].seq for at in np.flatnonzero(refused).tolist())


def _fits(row: EntryRow, width: int) -> bool:
    vectors: object = row.vectors
    if not isinstance(vectors, bytes | bytearray) or not _whole(row.parts):
        return False
    return row.parts > 0 and len(vectors) == row.parts * width


def _unit_length(vectors: Floats) -> NDArray[np.bool_]:
    """Return which vectors have the length 1; infinite and NaN ones have not."""
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.einsum("ij,ij->i", vectors, vectors)
        return np.abs(np.sqrt(squares) - 1.0) <= UNIT_TOLERANCE


def _sound(row: EntryRow) -> bool:
    return (
        _whole(row.access_class)
        and (row.expires_ms is None or _whole(row.expires_ms))
        and type(row.live) is bool
    )


def _closed(row: EntryRow) -> EntryRow:
    return row._replace(access_class=0, expires_ms=0, live=False)


def _whole(value: object) -> bool:
    return type(value) is int and 0 <= value < NO_EXPIRY


def _unit(value: object) -> float:
    """Return ``value`` within [0, 1]; what is no number counts as 0."""
    if type(value) is not float and type(value) is not int:
        return 0.0
    return min(1.0, max(0.0, value)) if math.isfinite(value) else 0.0
