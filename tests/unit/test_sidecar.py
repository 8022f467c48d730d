"""The sidecar: eligible first, idempotent, closed in doubt, and stable under threads."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from made_entries import (
    CLASSES,
    DIMENSION,
    NOW,
    eligible,
    filled,
    random_units,
    ranked,
    row,
    unit,
)
from numpy.typing import NDArray

from mapgraph_neo import sidecar_vectors
from mapgraph_neo.errors import SidecarError
from mapgraph_neo.sidecar import Candidate, Eligible, Sidecar


def test_what_is_eligible() -> None:
    sidecar = filled(
        [
            row(1, unit(1)),
            row(2, unit(1), access_class=1),
            row(3, unit(1), access_class=2),
            row(4, unit(1), access_class=3),
            row(5, unit(1), access_class=99),
            row(6, unit(1), live=False),
            row(7, unit(1), expires_ms=NOW),
            row(8, unit(1), expires_ms=NOW + 1),
            row(9, unit(1), floor=0.29),
            row(10, unit(1), floor=0.3),
            row(11, unit(1)),
            row(12),
        ]
    )
    found = eligible(sidecar, excluded=[11, 11, 77, -1])

    assert found.seqs().tolist() == [1, 4, 8, 10, 12]
    assert 8 in found
    assert 7 not in found
    assert len(eligible(sidecar, frozenset())) == 0
    assert len(eligible(sidecar, floor=float("nan"))) == 0
    assert eligible(sidecar, frozenset({"team:a", "team:b"})).seqs().tolist() == [
        *(1, 2, 3, 4, 8, 10, 11, 12)
    ]


def test_only_a_sidecar_makes_eligible_records() -> None:
    sidecar = filled([row(1, unit(1))])
    found = eligible(sidecar)

    with pytest.raises(TypeError, match="only a sidecar"):
        Eligible(object(), sidecar._store, sidecar._store.view, np.array([0]), found._asked)
    with pytest.raises(SidecarError, match="another"):
        filled([row(1, unit(1))]).rank(unit(1), found)


def test_an_empty_set_never_reaches_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar = filled([row(1, unit(1), access_class=1), row(2)])

    def fail(*_: object) -> None:
        pytest.fail("the index was called")

    monkeypatch.setattr(sidecar_vectors, "inner_products", fail)
    monkeypatch.setattr(sidecar_vectors, "_faiss", fail)

    assert ranked(sidecar, unit(1)) == [Candidate(2, 0.0, 0.0)]
    assert ranked(sidecar, unit(1), principals=frozenset({"team:none"})) == []
    assert ranked(Sidecar("model", DIMENSION), unit(1)) == []


def test_excluding_what_is_not_known_excludes_nothing() -> None:
    sidecar = filled([row(seq, unit(1)) for seq in range(3)])
    assert eligible(sidecar, excluded=[-1, 77, 2**62]).seqs().tolist() == [0, 1, 2]


# Apply


def test_seqs_are_found_in_whatever_order_they_came() -> None:
    sidecar = Sidecar("model", DIMENSION)
    for seq in (50, 20, 70, 60, 10):
        sidecar.apply([row(seq, unit(1)), row(seq + 1, unit(1))], CLASSES, 1)
    sidecar.apply([row(seq, unit(1), epoch=2, live=False) for seq in (10, 51, 60)], {}, 2)

    assert len(sidecar) == 10
    assert sidecar.missing([10, 11, 12, 20, 50, 60, 71, 72]) == [12, 72]
    assert eligible(sidecar, excluded=[21, 70]).seqs().tolist() == [11, 20, 50, 61, 71]


def test_newest_epoch_wins_in_any_order() -> None:
    rows = [row(1, unit(1), epoch=epoch, live=epoch == 3) for epoch in (2, 3, 1)]
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)):
        one_by_one = Sidecar("model", DIMENSION)
        for at in order:
            one_by_one.apply([rows[at]], CLASSES, 0)
        together = filled([rows[at] for at in order])
        for sidecar in (one_by_one, together):
            assert eligible(sidecar).seqs().tolist() == [1]
            assert len(sidecar) == 1


def test_applying_again_changes_nothing() -> None:
    rows = [row(1, unit(1)), row(2, unit(0, 1), unit(1, 1))]
    sidecar = filled(rows)
    before = ranked(sidecar, unit(1))
    view, size = sidecar._store.view, sidecar.vector_bytes

    again = sidecar.apply(rows, CLASSES, 1)
    stale = sidecar.apply([row(1, unit(-1), epoch=0, live=False)], {}, 0)

    assert (again.added, again.changed, again.stale) == (0, 2, 0)
    assert (stale.added, stale.changed, stale.stale) == (0, 0, 1)
    assert sidecar._store.view is view
    assert sidecar.vector_bytes == size
    assert sidecar.epoch == 1
    assert ranked(sidecar, unit(1)) == before


def test_one_seq_never_has_two_vectors() -> None:
    sidecar = filled([row(1, unit(1)), row(2, unit(0, 0, 1))])
    sidecar.apply([row(1, unit(0, 1), epoch=1)], {}, 1)
    assert ranked(sidecar, unit(1))[0].similarity == 1.0
    sidecar.apply([row(1, unit(0, 1), epoch=2)], {}, 2)

    assert [each.seq for each in ranked(sidecar, unit(0, 1))] == [1, 2]
    assert ranked(sidecar, unit(0, 1))[0].similarity == 1.0
    assert ranked(sidecar, unit(1))[0].similarity == 0.0


def test_vectors_may_come_later_and_stay_when_a_row_brings_none() -> None:
    sidecar = filled([row(1), row(2, unit(0, 1))])
    assert sidecar.missing([1, 2, 3]) == [1, 3]
    assert sidecar.known([1, 2, 3]).tolist() == [False, True, False]
    sidecar.apply([row(1, unit(1))], {}, 1)
    sidecar.apply([row(1, epoch=2, trust=1.0, parts=1)], {}, 2)

    assert sidecar.missing([1, 2]) == []
    assert ranked(sidecar, unit(1))[0] == Candidate(1, 1.0, 1.0)
    assert sidecar.unknown_classes([0, 3, 4]) == {4}


@pytest.mark.parametrize(
    ("vectors", "parts"),
    [
        (np.zeros(DIMENSION), 1),
        (np.full(DIMENSION, np.nan), 1),
        (np.full(DIMENSION, -np.inf), 1),
        (np.full(DIMENSION, 1e38), 1),
        (np.full(DIMENSION, 1e-40), 1),
        (np.ones(DIMENSION), 1),
        (np.eye(DIMENSION - 1)[0], 1),
        (np.eye(DIMENSION)[0], 2),
        (np.eye(DIMENSION)[0], 0),
        (np.eye(DIMENSION)[0], -1),
        (np.eye(DIMENSION)[:2] * [[1], [3]], 2),
        (np.empty(0), 1),
    ],
)
def test_malformed_vectors_leave_the_record_without_one(
    vectors: NDArray[np.float64], parts: int
) -> None:
    odd = row(1, vectors=vectors.astype("<f4").tobytes(), parts=parts)
    sidecar = Sidecar("model", DIMENSION)
    applied = sidecar.apply([odd, row(2, unit(1)), row(3, unit(0, 1))], CLASSES, 1)

    assert applied.refused == (1,)
    assert sidecar.missing([1, 2, 3]) == [1]
    assert ranked(sidecar, unit(1)) == [
        Candidate(2, 1.0, 0.5),
        Candidate(1, 0.0, 0.0),
        Candidate(3, 0.0, 0.0),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"access_class": None},
        {"access_class": -1},
        {"access_class": 3.0},
        {"expires_ms": "never"},
        {"expires_ms": -5},
        {"live": 1},
        {"live": None},
        {"live": "true"},
        {"floor": None},
        {"floor": float("nan")},
        {"floor": "1"},
        {"seq": -1},
        {"seq": 2**63},
        {"seq": True},
        {"epoch": None},
    ],
)
def test_a_malformed_row_is_closed_and_harms_no_other(changes: dict[str, object]) -> None:
    sidecar = filled([row(1, unit(1), **{"access_class": 3, **changes}), row(2, unit(1))])
    assert eligible(sidecar).seqs().tolist() == [2]


@pytest.mark.parametrize("trust", [float("nan"), float("inf"), -1.0, "1", None, True])
def test_a_malformed_trust_counts_as_nothing(trust: object) -> None:
    sidecar = filled([row(1, unit(1), trust=trust)])
    assert ranked(sidecar, unit(1)) == [Candidate(1, 1.0, 0.0)]


def test_large_seqs_stay_apart() -> None:
    seqs = [2**53, 2**53 + 1, 2**62, 0, 2**31, 2**32]
    sidecar = filled([row(seq, unit(1)) for seq in seqs])
    assert [each.seq for each in ranked(sidecar, unit(1))] == sorted(seqs)


def test_a_class_with_two_meanings_stops_everything() -> None:
    sidecar = filled([row(1, unit(1))])
    with pytest.raises(SidecarError, match="two meanings"):
        sidecar.apply([row(2, unit(1))], {0: [("team:z",)]}, 2)
    assert len(sidecar) == 1
    assert sidecar.epoch == 1


# Forget


def test_what_is_forgotten_is_gone_from_memory_and_stays_away() -> None:
    vectors = random_units(3)
    sidecar = filled([row(seq, vectors[seq]) for seq in range(3)])
    sidecar.forget([1, 1, 40])
    blocks = sidecar._store._vectors._blocks

    assert not any(vectors[1].tobytes() in block[:9].tobytes() for block in blocks)
    assert vectors[2].tobytes() in blocks[0][:9].tobytes()
    sidecar.apply([row(1, vectors[1], epoch=9), row(40, vectors[0], epoch=9)], {}, 9)
    assert eligible(sidecar).seqs().tolist() == [0, 2]
    assert sidecar.missing([1, 40]) == []
    assert not any(vectors[1].tobytes() in block[:9].tobytes() for block in blocks)


# Blocks and threads


def test_blocks_grow_without_moving() -> None:
    blocks = sidecar_vectors.VectorBlocks(DIMENSION)
    vectors = random_units(2 * sidecar_vectors.BLOCK + 5)
    assert blocks.append(vectors[:10]) == 0
    held = blocks._blocks[0]
    assert blocks.append(vectors[10:]) == 10
    places = np.array([0, sidecar_vectors.BLOCK - 1, sidecar_vectors.BLOCK, len(vectors) - 1])

    assert blocks._blocks[0] is held
    assert len(blocks) == len(vectors)
    assert np.array_equal(blocks.gather(places[::-1]), vectors[places[::-1]])
    everything = np.arange(len(vectors))
    query = unit(1, 2, 3)
    found = blocks.similarities(query, everything)
    np.testing.assert_allclose(found, vectors @ query, atol=1e-6)
    shuffled = np.random.default_rng(1).permutation(everything)
    assert np.array_equal(blocks.similarities(query, shuffled), found[shuffled])
    with pytest.raises(IndexError):
        sidecar_vectors.inner_products(query, vectors, np.array([-1]), np.empty(1, np.float32))
    with pytest.raises(IndexError):
        sidecar_vectors.inner_products(
            query, vectors, np.array([len(vectors)]), np.empty(1, np.float32)
        )


def write(sidecar: Sidecar, vectors: NDArray[np.float32], first: int) -> None:
    for number in range(60):
        base = 1_000 + 20 * number + 10_000 * first
        rows = [row(base + at, vectors[at], access_class=at % 2, trust=1.0) for at in range(20)]
        sidecar.apply(rows, {10 + 2 * number + first: [("team:a",)]}, number)
        flip = row(first, epoch=2 + number, live=bool(number % 2), trust=1.0)
        sidecar.apply([flip], {}, number)
        sidecar.forget([100 + number])


def problem_seen(sidecar: Sidecar, query: NDArray[np.float32]) -> str | None:
    found = eligible(sidecar)
    seqs = found.seqs()
    hits = sidecar.rank(query, found).start().take(len(seqs) + 1)
    if sorted(each.seq for each in hits) != seqs.tolist():
        return "not the eligible set"
    if any(seq >= 1_000 and seq % 20 % 2 for seq in seqs.tolist()):
        return "of another class"
    return None if hits and hits[0].similarity > 0.999 else "the best is missing"


def test_readers_and_writers_together() -> None:
    vectors = random_units(64, seed=9)
    sidecar = filled([row(seq, vectors[seq % 64], trust=1.0) for seq in range(200)])
    problems: list[str] = []
    with ThreadPoolExecutor(6) as pool:
        writers = [pool.submit(write, sidecar, vectors, first) for first in (0, 1)]

        def read() -> None:
            while not all(writer.done() for writer in writers):
                problem = problem_seen(sidecar, vectors[5])
                problems.extend([problem] if problem else [])

        readers = [pool.submit(read) for _ in range(4)]
        for each in writers + readers:
            each.result()

    assert not problems
    assert len(sidecar) == 200 + 2 * 60 * 20


FORK = """
import os, warnings
import numpy as np
from mapgraph_neo import sidecar_vectors
sidecar_vectors._workers = lambda: 2
blocks = sidecar_vectors.VectorBlocks(8)
blocks.append(np.eye(8, dtype=np.float32)[np.arange(20_000) % 8])
query, places = np.eye(8, dtype=np.float32)[3], np.arange(20_000)
assert blocks.similarities(query, places).sum() == 2_500  # by a second thread
warnings.simplefilter("ignore")
child = os.fork()
if child == 0:
    os._exit(int(blocks.similarities(query, places).sum() != 2_500))
os._exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forking is POSIX")
def test_a_forked_child_can_rank() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", FORK], check=True, timeout=30, env=environment)
