"""Ranking within the eligible: exact, progressive, repeatable, blind to everything else."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_entries import (
    ALICE,
    CLASSES,
    DIMENSION,
    eligible,
    filled,
    random_units,
    ranked,
    row,
    unit,
)
from numpy.typing import NDArray

from mapgraph_neo.errors import EmbeddingError
from mapgraph_neo.sidecar import Candidate, Sidecar


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


@settings(deadline=None, max_examples=80)
@given(
    stored=st.lists(STORED, max_size=40),
    query=VECTOR,
    sizes=st.lists(st.integers(0, 9), min_size=1, max_size=8),
    order=st.randoms(use_true_random=False),
    batch=st.integers(1, 64),
)
def test_ranking_equals_brute_force(
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
