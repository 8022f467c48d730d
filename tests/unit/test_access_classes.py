"""Access classes: conjunctions of clauses, closed whenever in doubt."""

import threading
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapgraph_neo.access_classes import CACHED_AGENTS, MAX_NUMBER, AccessClasses
from mapgraph_neo.errors import SidecarError

PRINCIPALS = st.sampled_from(["team:a", "team:b", "role:c", "agent:d", "*"])
CLAUSES = st.lists(st.lists(PRINCIPALS, max_size=3).map(tuple), max_size=4)
CLASSES = st.dictionaries(st.integers(0, 30), CLAUSES, max_size=12)
HELD = st.frozensets(PRINCIPALS, max_size=4)


def reference(clauses: list[tuple[str, ...]], held: frozenset[str]) -> bool:
    return bool(held) and all(any(each in held for each in clause) for clause in clauses)


@settings(deadline=None, max_examples=60)
@given(CLASSES, st.lists(HELD, min_size=1, max_size=4))
def test_equals_the_definition(
    classes: dict[int, list[tuple[str, ...]]], agents: list[frozenset[str]]
) -> None:
    known = AccessClasses()
    for number, clauses in classes.items():  # asked in between: answers are added to, not redone
        known.add(number, clauses)
        known.satisfied(agents[0])

    for held in agents:
        answer = known.satisfied(held)
        assert len(answer) == max(classes, default=-1) + 1
        for number in range(len(answer)):
            right = number in classes and reference(classes[number], held)
            assert answer[number] == right


def test_a_class_without_clauses_is_for_every_agent_but_nobody() -> None:
    known = AccessClasses()
    known.add(0, [])

    assert known.satisfied(frozenset({"agent:x"})).tolist() == [True]
    assert known.satisfied(frozenset()).tolist() == [False]


@pytest.mark.parametrize(
    "clauses", [[()], [("",)], ["ab"], "ab", None, [None], [("a", None)], [("a", 1)], 7]
)
def test_a_mistyped_clause_is_satisfied_by_nobody(clauses: object) -> None:
    known = AccessClasses()
    known.add(0, cast("Any", clauses))

    assert not known.satisfied(frozenset({"a", "b", "ab", ""})).any()


def test_names_compare_whole_and_exactly() -> None:
    known = AccessClasses()
    known.add(0, [("team:finance",)])

    for held in ("team:fin", "team:finance2", "TEAM:FINANCE", "finance", "*", "public"):
        assert not known.satisfied(frozenset({held})).any()
    assert known.satisfied(frozenset({"team:finance"})).all()


def test_an_unknown_number_is_not_satisfied() -> None:
    known = AccessClasses()
    known.add(3, [])
    held = frozenset({"agent:x"})

    assert known.admits([-1, 0, 3, 4, 2**40], held).tolist() == [False, False, True, False, False]
    assert 3 in known
    assert 4 not in known


def test_a_number_keeps_its_meaning() -> None:
    known = AccessClasses()
    known.add(1, [("a", "b"), ("c",)])
    known.add(1, [["c"], ["b", "a", "b"]])

    with pytest.raises(SidecarError, match="two meanings"):
        known.add(1, [("a",)])
    assert known.items() == [(1, (("a", "b"), ("c",)))]


@pytest.mark.parametrize("number", [-1, MAX_NUMBER + 1, True, 1.0, "1", None])
def test_a_number_that_cannot_be_one_is_refused(number: object) -> None:
    known = AccessClasses()
    with pytest.raises(SidecarError, match="whole number"):
        known.add_all({cast("int", number): []})
    assert len(known) == 0


def test_several_classes_are_learnt_together_or_not_at_all() -> None:
    known = AccessClasses()
    known.add(1, [("a",)])

    with pytest.raises(SidecarError):
        known.add_all({0: [], 1: []})
    assert len(known) == 1


def test_an_answer_cannot_be_changed() -> None:
    known = AccessClasses()
    known.add(0, [("a",)])
    answer = known.satisfied(frozenset({"b"}))

    with pytest.raises(ValueError, match="read-only"):
        answer[0] = True
    assert known.satisfied(frozenset({"b"})) is answer


def test_learning_and_asking_at_once() -> None:
    known = AccessClasses()
    wrong: list[int] = []
    held = frozenset({"even"})

    def learn(first: int) -> None:
        for number in range(first, 400, 2):
            known.add(number, [("even",) if number % 2 == 0 else ("odd",)])

    def ask() -> None:
        while len(known) < 400:
            answer = known.satisfied(held)
            wrong.extend(np.flatnonzero(answer[1::2]).tolist())

    threads = [threading.Thread(target=learn, args=(first,)) for first in (0, 1)]
    threads += [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not wrong
    assert known.satisfied(held).sum() == 200


@pytest.mark.parametrize("clauses", ["", b"", "team:a", b"team:a", None, 7])
def test_a_class_whose_clauses_are_no_list_is_satisfied_by_nobody(clauses: object) -> None:
    known = AccessClasses()
    known.add_all({1: cast("list[list[str]]", clauses)})
    assert not known.satisfied(frozenset({"team:a", "*", "public", ""})).any()


def test_numbers_that_are_not_known_are_not_admitted_beside_the_first() -> None:
    known = AccessClasses()
    known.add(0, [("a",)])
    assert known.admits([0, 99, -1], frozenset({"a"})).tolist() == [True, False, False]


def test_the_highest_number_can_be_one() -> None:
    known = AccessClasses()
    known.add(MAX_NUMBER, [("a",)])
    assert MAX_NUMBER in known


def test_no_more_answers_are_kept_than_agents_are_asked_for() -> None:
    known = AccessClasses()
    known.add(0, [("a",)])
    for number in range(CACHED_AGENTS + 3):
        known.satisfied(frozenset({f"agent:{number}"}))
    assert len(known._cache) == CACHED_AGENTS
