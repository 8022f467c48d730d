"""What is kept for a record: keys of access classes, and fields of the graph that are malformed."""

from datetime import UTC, datetime

import pytest

from mapgraph_neo.entries import NOBODY, class_key, moment, principals_of, scope_of

CLAUSES: list[tuple[str, ...]] = [
    (),
    (NOBODY,),
    ("user:a",),
    (NOBODY, "user:a"),
    ("user:a\nuser:b",),
    ("user:a", "user:b"),
]


def test_no_two_sets_of_clauses_share_a_key() -> None:
    """Least of all the class of everybody, without clauses, and that of nobody."""
    assert len({class_key(each) for each in CLAUSES}) == len(CLAUSES)
    assert principals_of(NOBODY) == ("",)


@pytest.mark.parametrize("value", [None, "team:a", 7, [], ["team:a", 7], ["team:a", None]])
def test_what_is_no_scope_admits_nobody(value: object) -> None:
    assert not scope_of(value)


def test_a_scope_is_taken_as_it_stands() -> None:
    assert scope_of(["team:b", "team:a"]) == ("team:b", "team:a")


@pytest.mark.parametrize("value", ["2999-01-01", 7, datetime(2999, 1, 1)])  # noqa: DTZ001
def test_what_is_no_time_has_ended(value: object) -> None:
    assert moment(value) == datetime.fromtimestamp(0, UTC)


def test_a_time_is_taken_as_it_stands() -> None:
    end = datetime(2999, 1, 1, tzinfo=UTC)

    assert (moment(end), moment(None)) == (end, None)
