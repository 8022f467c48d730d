from typing import Any

import pytest

from mapgraph_neo.context import caption, checked_json, content_hash
from mapgraph_neo.errors import InputError, InvalidNameError, LimitError
from mapgraph_neo.names import check_scope


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_json_is_measured_before_it_is_kept() -> None:
    assert checked_json({"b": 1, "a": [True, None]}, "f", size=100, depth=3) == (
        '{"a":[true,null],"b":1}'
    )
    assert checked_json(nested(3), "f", size=100, depth=3)
    for value, size, depth in (
        (nested(4), 100, 3),
        (nested(100_000), 100, 3),
        ({"a": "x" * 100}, 100, 3),
    ):
        with pytest.raises(LimitError, match=r"^f: "):
            checked_json(value, "f", size=size, depth=depth)


def test_a_value_that_holds_itself_is_refused() -> None:
    value: dict[str, Any] = {}
    value["self"] = value

    with pytest.raises(LimitError):
        checked_json(value, "f", size=100, depth=10)


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": b"x"}, {"a": "\ud800"}])
def test_what_json_has_no_word_for_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        checked_json(value, "f", size=100, depth=3)


@pytest.mark.parametrize("scope", [None, 7, "team:a", b"team:a"])
def test_a_scope_is_a_list(scope: object) -> None:
    with pytest.raises(InvalidNameError, match="a list of principals"):
        check_scope(scope, "scope")


def test_captions_are_one_short_line() -> None:
    assert caption("a\n b") == "a b"
    assert len(caption("x" * 100)) == 40


def test_hashes_are_keyed() -> None:
    assert content_hash("k1", "text") != content_hash("k2", "text")
    assert content_hash("k1", "text") == content_hash("k1", "text")
