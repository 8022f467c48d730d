"""Which bases are kept: the last of each agent, within a bound on all of them together."""

import numpy as np
import pytest

from mapgraph_neo import bases
from mapgraph_neo.bases import Bases, Basis
from mapgraph_neo.sidecar import EntryRow, Sidecar

NOTHING = np.empty(0, np.int64)


def sidecar_of(count: int) -> Sidecar:
    sidecar = Sidecar("toy", 4)
    rows = [EntryRow(seq, 1, 0, 1000 + seq, 1.0, 1.0, True) for seq in range(count)]  # noqa: FBT003
    sidecar.apply(rows, {0: []}, 1)
    return sidecar


def basis_of(sidecar: Sidecar, now_ms: int = 0) -> Basis:
    return Basis(eligible=sidecar.eligible(frozenset({"a"}), now_ms, NOTHING, 0.0), pending=False)


def test_the_agent_not_asked_for_longest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bases, "KEPT_RECORDS", 20)
    kept, basis = Bases(), basis_of(sidecar_of(10))
    for agent in ("one", "two"):
        kept.keep(agent, basis)
    kept.get("one")
    kept.keep("three", basis)

    assert [kept.get(agent) is not None for agent in ("one", "two", "three")] == [True, False, True]


def test_a_newer_basis_takes_the_place_of_the_older(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bases, "KEPT_RECORDS", 20)
    kept, basis = Bases(), basis_of(sidecar_of(10))
    kept.keep("one", basis)
    for _ in range(5):
        newest = basis_of(sidecar_of(10))
        kept.keep("two", newest)

    assert kept.get("one") is basis
    assert kept.get("two") is newest


def test_one_that_is_larger_than_the_bound_is_kept_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bases, "KEPT_RECORDS", 5)
    kept, basis = Bases(), basis_of(sidecar_of(10))
    kept.keep("one", basis)
    kept.keep("two", basis)
    assert (kept.get("one"), kept.get("two")) == (None, basis)


def test_eligible_records_hold_until_something_moves() -> None:
    sidecar = sidecar_of(3)
    held = frozenset({"a"})
    former = sidecar.eligible(held, 10, NOTHING, 0.0)

    def again(principals: frozenset[str] = held, now_ms: int = 10, floor: float = 0.0) -> bool:
        found = sidecar.eligible(principals, now_ms, NOTHING, floor, former=former)
        return found is former

    assert again()
    assert again(now_ms=999)
    assert not again(now_ms=1000)  # the first one expires: ends are exclusive
    assert not again(now_ms=9)  # the clock went back: what had expired may be open
    assert not again(principals=frozenset({"a", "b"}))
    assert not again(floor=0.5)
    assert sidecar.eligible(held, 10, np.array([1]), 0.0, former=former) is not former


@pytest.mark.parametrize("change", ["entry", "class", "erased"])
def test_eligible_records_do_not_outlive_a_change(change: str) -> None:
    sidecar = sidecar_of(3)
    held = frozenset({"a"})
    former = sidecar.eligible(held, 10, NOTHING, 0.0)
    if change == "entry":
        sidecar.apply([EntryRow(1, 2, 0, 1001, 1.0, 1.0, False)], {}, 2)  # noqa: FBT003
    elif change == "class":
        sidecar.apply([], {1: [("b",)]}, 2)
    else:
        sidecar.forget([1])
    assert sidecar.eligible(held, 10, NOTHING, 0.0, former=former) is not former
