"""The sidecar: eligible first, exact, progressive, idempotent, and stable under threads."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mapgraph_neo import sidecar_vectors
from mapgraph_neo.errors import EmbeddingError, SidecarError
from mapgraph_neo.sidecar import Candidate, Eligible, EntryRow, Sidecar

DIMENSION = 8
NOW = 1_000
NONE = np.empty(0, np.int64)
ALICE = frozenset({"agent:alice", "team:a"})
CLASSES = {0: [("team:a",)], 1: [("team:b",)], 2: [("team:a",), ("team:b",)], 3: []}


def unit(*numbers: float) -> NDArray[np.float32]:
    vector = np.zeros(DIMENSION, np.float32)
    vector[: len(numbers)] = numbers
    return vector / np.linalg.norm(vector)


def random_units(count: int, seed: int = 0) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def row(seq: int, *vectors: NDArray[np.float32], **changes: object) -> EntryRow:
    known = EntryRow(
        seq=seq,
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


# Eligible


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
        Eligible(object(), sidecar._store, sidecar._store.view, np.array([0]))
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


# Rank


@dataclass(frozen=True)
class Stored:
    vectors: list[NDArray[np.float32]]
    trust: float
    access_class: int


STEP = st.integers(-2, 2).map(float)
VECTOR = st.tuples(STEP, STEP, STEP).filter(any).map(lambda numbers: unit(*numbers))
STORED = st.builds(
    Stored,
    vectors=st.lists(VECTOR, max_size=3),
    trust=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    access_class=st.sampled_from([0, 1, 3]),
)


@settings(deadline=None, max_examples=150)
@given(
    stored=st.lists(STORED, max_size=40),
    query=VECTOR,
    sizes=st.lists(st.integers(0, 9), min_size=1, max_size=8),
    order=st.randoms(use_true_random=False),
    batch=st.integers(1, 64),
)
def test_ranking_equals_brute_force(  # noqa: PLR0913
    monkeypatch_module: pytest.MonkeyPatch,
    stored: list[Stored],
    query: NDArray[np.float32],
    sizes: list[int],
    order: Any,  # noqa: ANN401
    batch: int,
) -> None:
    monkeypatch_module.setattr("mapgraph_neo.sidecar_rank.SMALLEST_BATCH", batch)
    rows = [
        row(seq, *each.vectors, trust=each.trust, access_class=each.access_class)
        for seq, each in enumerate(stored)
    ]
    order.shuffle(rows)
    sidecar = Sidecar("model", DIMENSION)
    sidecar.apply([], CLASSES, 1)
    for start in range(0, len(rows), 7):
        sidecar.apply(rows[start : start + 7], {}, 1)
    right: list[tuple[float, int, float]] = []
    for seq, each in enumerate(stored):
        if each.access_class != 1:
            cosine = max((float(query @ vector) for vector in each.vectors), default=0.0)
            right.append((-max(0.0, cosine) * each.trust, seq, cosine))
    ranking = sidecar.rank(query, eligible(sidecar))

    for _ in range(2):  # a ranking can be gone through again
        cursor, found = ranking.start(), list[Candidate]()
        for size in [*sizes, 1000]:
            upcoming = cursor.next_bound()
            taken = cursor.take(size)
            assert not taken or upcoming == taken[0].bound
            found += taken
        assert cursor.next_bound() is None
        assert cursor.take(5) == []
        assert sorted(each.seq for each in found) == sorted(seq for _, seq, _ in right)
        keys = [(-each.bound, each.seq) for each in found]
        assert keys == sorted(keys)
        expected = {seq: (-bound, cosine) for bound, seq, cosine in right}
        for each in found:
            assert each.bound == pytest.approx(expected[each.seq][0], abs=1e-6)
            assert each.similarity == pytest.approx(expected[each.seq][1], abs=1e-6)


@pytest.fixture(scope="module")
def monkeypatch_module() -> Any:  # noqa: ANN401
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def test_zeros_fill_in_the_order_of_seqs() -> None:
    sidecar = filled([row(seq, unit(-1)) for seq in range(300)] + [row(300, unit(1))])
    cursor = sidecar.rank(unit(1), eligible(sidecar)).start()

    assert [each.seq for each in cursor.take(5)] == [300, 0, 1, 2, 3]
    assert [each.seq for each in cursor.take(290)] == list(range(4, 294))
    assert [each.seq for each in cursor.take(50)] == list(range(294, 300))
    assert cursor.take(1) == []


def test_far_away_records_of_a_scoped_agent_are_all_found() -> None:
    near = [row(seq, unit(1, 0.01), access_class=1) for seq in range(5_000)]
    far = [row(10_000 + seq, unit(-1, 0.1 * seq)) for seq in range(7)]
    sidecar = filled(near + far)

    assert len(sidecar.rank(unit(1), eligible(sidecar)).start().take(5)) == 5
    assert len(sidecar.rank(unit(1), eligible(sidecar)).start().take(10)) == 7


def test_nothing_that_is_not_eligible_changes_a_bit() -> None:
    vectors = random_units(40_000, seed=3)
    mine = [row(seq, vectors[seq]) for seq in range(0, 40_000, 400)]
    others = [row(seq, vectors[seq], access_class=1) for seq in range(40_000) if seq % 400]
    alone, crowded = filled(mine), filled(mine + others)
    query = random_units(1, seed=4)[0]

    assert ranked(alone, query) == ranked(crowded, query)
    everybody = {each.seq: each for each in ranked(crowded, query, principals=ALICE | {"team:b"})}
    assert all(everybody[each.seq] == each for each in ranked(alone, query))


def test_kept_trust_of_another_policy_does_not_bound() -> None:
    sidecar = filled([row(1, unit(1), trust=0.1), row(2, unit(1, 1), trust=7.0)])
    found = eligible(sidecar)

    valid = sidecar.rank(unit(1), found).start().take(9)
    stale = sidecar.rank(unit(1), found, trust_valid=False).start().take(9)
    assert [each.seq for each in valid] == [2, 1]
    assert valid[0].bound == valid[0].similarity == pytest.approx(0.7071, abs=1e-4)
    assert [(each.seq, each.bound == each.similarity) for each in stale] == [(1, True), (2, True)]


def test_the_best_part_of_a_record_counts() -> None:
    sidecar = filled([row(1, unit(-1), unit(0, 1), unit(1)), row(2, unit(1, 1))])
    assert [each.seq for each in ranked(sidecar, unit(1))] == [1, 2]
    assert ranked(sidecar, unit(-1))[0].similarity == 1.0


def test_when_a_hit_is_settled() -> None:
    sidecar = filled([row(seq, unit(1), trust=trust) for seq, trust in ((3, 0.9), (5, 0.4))])
    cursor = sidecar.rank(unit(1), eligible(sidecar)).start()
    cursor.take(1)

    assert cursor.next_bound() == 0.4
    assert cursor.settles(0.41, 9)
    assert cursor.settles(0.4, 3)
    assert not cursor.settles(0.4, 9)
    assert not cursor.settles(0.39, 3)
    cursor.take(1)
    assert cursor.settles(0.0, 9)


@pytest.mark.parametrize(
    "query",
    [
        np.zeros(DIMENSION),
        np.full(DIMENSION, np.nan),
        np.full(DIMENSION, np.inf),
        np.full(DIMENSION, 1e38),
        np.full(DIMENSION, 1e-40),
        np.ones(DIMENSION),
        np.eye(DIMENSION - 1)[0],
        np.eye(DIMENSION),
        np.float32(1),
        ["a"] * DIMENSION,
        [[1.0], [1.0, 2.0]],
        [],
    ],
)
def test_an_odd_query_is_refused(query: Any) -> None:  # noqa: ANN401
    sidecar = filled([row(1, unit(1))])
    with pytest.raises(EmbeddingError):
        sidecar.rank(query, eligible(sidecar))


@pytest.mark.parametrize("kind", [np.float64, ">f4", "<f4", np.float16])
def test_any_real_type_and_layout_of_query_gives_the_same(kind: Any) -> None:  # noqa: ANN401
    sidecar = filled([row(seq, vector) for seq, vector in enumerate(random_units(50))])
    plain = unit(1)
    strided = np.zeros((DIMENSION, 2), kind)
    strided[0, 0] = 1.0

    assert ranked(sidecar, plain) == ranked(sidecar, strided[:, 0])


# Apply


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
    sidecar = filled([row(1, unit(1), access_class=3, **changes), row(2, unit(1))])
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


def test_readers_and_writers_together() -> None:
    vectors = random_units(64, seed=9)
    sidecar = filled([row(seq, vectors[seq % 64], trust=1.0) for seq in range(200)])
    stop, problems = threading.Event(), list[str]()

    def write(first: int) -> None:
        for number in range(60):
            base = 1_000 + 20 * number + 10_000 * first
            rows = [row(base + at, vectors[at], access_class=at % 2, trust=1.0) for at in range(20)]
            sidecar.apply(rows, {10 + 2 * number + first: [("team:a",)]}, number)
            flip = row(first, epoch=2 + number, live=bool(number % 2), trust=1.0)
            sidecar.apply([flip], {}, number)
            sidecar.forget([100 + number])

    def read() -> None:
        while not stop.is_set():
            found = eligible(sidecar)
            seqs = found.seqs()
            hits = sidecar.rank(vectors[5], found).start().take(len(seqs) + 1)
            if sorted(each.seq for each in hits) != seqs.tolist():
                problems.append("not the eligible set")
            if any(seq >= 1_000 and seq % 20 % 2 for seq in seqs.tolist()):
                problems.append("of another class")
            if not hits or hits[0].similarity < 0.999:
                problems.append("the best is missing")

    def guarded(work: Any, *arguments: object) -> None:  # noqa: ANN401
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001 - reported below
            problems.append(repr(error))

    readers = [threading.Thread(target=guarded, args=(read,)) for _ in range(4)]
    writers = [threading.Thread(target=guarded, args=(write, first)) for first in (0, 1)]
    for thread in readers + writers:
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()

    assert not problems
    assert len(sidecar) == 200 + 2 * 60 * 20
