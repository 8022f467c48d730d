"""Entries for tests of the sidecar: small vectors, four access classes, one agent."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.sidecar import Candidate, Eligible, EntryRow, Sidecar

DIMENSION = 8
NOW = 1_000
ALICE = frozenset({"agent:alice", "team:a"})
CLASSES = {0: [("team:a",)], 1: [("team:b",)], 2: [("team:a",), ("team:b",)], 3: []}


def unit(*numbers: float) -> NDArray[np.float32]:
    vector = np.zeros(DIMENSION, np.float32)
    vector[: len(numbers)] = numbers
    return vector / np.linalg.norm(vector)


def random_units(count: int, seed: int = 0) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def row(number: int, *vectors: NDArray[np.float32], **changes: object) -> EntryRow:
    known = EntryRow(
        seq=number,
        epoch=1,
        access_class=0,
        expires_ms=None,
        trust=0.5,
        floor=0.5,
        live=True,
        vectors=b"".join(vector.astype("<f4").tobytes() for vector in vectors) or None,
        parts=len(vectors),
    )
    return known._replace(**cast("Any", changes))


def filled(rows: Sequence[EntryRow]) -> Sidecar:
    sidecar = Sidecar("model", DIMENSION)
    sidecar.apply(rows, CLASSES, 1)
    return sidecar


def eligible(
    sidecar: Sidecar,
    principals: frozenset[str] = ALICE,
    excluded: Sequence[int] = (),
    floor: float = 0.3,
) -> Eligible:
    return sidecar.eligible(principals, NOW, np.array(excluded, np.int64), floor)


def ranked(sidecar: Sidecar, query: NDArray[np.float32], **how: object) -> list[Candidate]:
    found = eligible(sidecar, **cast("Any", how))
    return sidecar.rank(query, found).start().take(10**6)
