# ruff: noqa: ANN401 - tests hand over what the types forbid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapgraph_neo.errors import InvalidNameError
from mapgraph_neo.names import (
    LABEL,
    PREFIX,
    any_id,
    check_name,
    check_principal,
    check_scope,
    label_of,
    new_id,
    node_id,
    principal_of,
)
from mapgraph_neo.vocabulary import NodeLabel

NO_NAMES = [
    None, "", 1, True, b"x", ["x"], "*", "public", "@user", " x", "x ", "\tx", "x\n", "a\x00b",
    "a\x7fb", "a\x85b", "a\u200bb", "a\u200db", "\ufeffa", "a\u202eb", "a\u2066b", "a\u2028b",
    "a\ud800b", "e\u0301", "\u212b", "x" * 129, "ü" * 65, "\u00a0x", "x\u3000", "a\ue000b",
]  # fmt: skip
NAMES = ["x", "a b", "a:b:c", "a|b", "a#b", "a,b", "a'b", '"', "`", "é", "日本", "😀", "$p", "}//"]


@pytest.mark.parametrize("name", NO_NAMES, ids=repr)
def test_what_is_no_name_is_refused_and_the_field_named(name: Any) -> None:
    with pytest.raises(InvalidNameError, match=r"^who: "):
        check_name(name, "who")
    for label in NodeLabel:
        with pytest.raises(InvalidNameError):
            node_id(label, name, "who")
    with pytest.raises(InvalidNameError):
        node_id(NodeLabel.USER, f"user:{name}" if isinstance(name, str) else name, "who")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_kept_as_it_is(name: str) -> None:
    assert check_name(name, "who") == name
    for label, prefix in PREFIX.items():
        assert node_id(label, name, "who") == f"{prefix}:{name}"
        assert node_id(label, f"{prefix}:{name}", "who") == f"{prefix}:{name}"


def test_names_up_to_128_bytes_are_names() -> None:
    assert check_name("x" * 128, "who")
    assert check_name("ü" * 64, "who")


def test_one_name_is_another_id_under_each_label() -> None:
    assert len({node_id(label, "x1", "who") for label in NodeLabel}) == 8


@pytest.mark.parametrize("label", NodeLabel)
def test_the_prefix_of_another_kind_is_refused(label: NodeLabel) -> None:
    for other, prefix in PREFIX.items():
        if other is not label:
            with pytest.raises(InvalidNameError, match=f"is not a {label} id"):
                node_id(label, f"{prefix}:x", "who")
    assert node_id(label, "other:x", "who") == f"{PREFIX[label]}:other:x"


def test_any_id_takes_whole_ids_of_the_kinds_asked_for() -> None:
    assert any_id("mem:1", "id") == "mem:1"
    assert any_id("mem:a:b", "id", [NodeLabel.MEMORY]) == "mem:a:b"
    for odd in ("1", "mem:", "mem: 1", "team:x", "Mem:1", ":x", "memx:1"):
        with pytest.raises(InvalidNameError):
            any_id(odd, "id")
    with pytest.raises(InvalidNameError, match="must start with one of claim:"):
        any_id("mem:1", "id", [NodeLabel.CLAIM])


def test_label_of_and_new_id_agree() -> None:
    for label in NodeLabel:
        fresh = new_id(label)
        assert label_of(fresh) is label
        assert any_id(fresh, "id") == fresh
        assert fresh != new_id(label)
    assert set(LABEL) == set(PREFIX.values())


def test_a_scope_is_sorted_and_without_repeats() -> None:
    given_scope = ["user:b", "team:a", "user:b", "*", "public", "external:acme"]

    assert check_scope(given_scope, "scope") == ["*", "external:acme", "public", "team:a", "user:b"]
    assert check_scope([], "scope") == []
    assert check_scope(["@user"], "scope", delegated=True) == ["@user"]


@pytest.mark.parametrize(
    "scope",
    [
        "user:a", b"user:a", ["a"], ["@user"], ["user:"], ["user: a"], ["tool:x"], ["User:a"],
        [None], [1], ["*", ""], [["user:a"]], ["external:*"], ["user:public"], ["team:\u200bx"],
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_scope_is_refused(scope: Any) -> None:
    with pytest.raises(InvalidNameError, match=r"^scope: "):
        check_scope(scope, "scope")


def test_a_principal_is_a_whole_name() -> None:
    for kind in ("user", "agent", "team", "role", "external"):
        assert check_principal(f"{kind}:x", "who") == f"{kind}:x"
    for odd in ("x", "tool:x", "*", "team:", "team: x"):
        with pytest.raises(InvalidNameError):
            check_principal(odd, "who")


def test_a_bare_team_or_role_gets_its_kind() -> None:
    assert principal_of("team", "x", "teams") == "team:x"
    assert principal_of("team", "team:x", "teams") == "team:x"
    assert principal_of("role", "a:b", "roles") == "role:a:b"
    for odd in ("role:x", "user:x", "mem:1", "", "*", "team:"):
        with pytest.raises(InvalidNameError):
            principal_of("team", odd, "teams")


@given(st.text(max_size=140))
def test_any_text_is_one_unchanged_name_or_refused(text: str) -> None:
    try:
        found = node_id(NodeLabel.AGENT, text, "who")
    except InvalidNameError:
        return
    assert found in (text, f"agent:{text}")
    assert node_id(NodeLabel.AGENT, found, "who") == found
