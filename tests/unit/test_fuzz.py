"""Hostile files: whatever is in a log or a policy file, it is taken whole or refused by name."""

import json
import tempfile
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapgraph_neo import InputError, PolicyError
from mapgraph_neo.errors import LimitError
from mapgraph_neo.events import event_schema
from mapgraph_neo.ingest_plan import plan
from mapgraph_neo.policy import DEFAULT_FILE, Policy, load_policy, policy_of
from mapgraph_neo.policy_file import parse_policy

if TYPE_CHECKING:
    from mapgraph_neo.context import Context

CONTEXT = cast("Context", SimpleNamespace(policy=load_policy(), tenant="t"))
DEFAULT = (files("mapgraph_neo") / DEFAULT_FILE).read_text(encoding="utf-8")
KINDS = sorted(event_schema()["discriminator"]["mapping"])
FIELDS = sorted({name for each in event_schema()["$defs"].values() for name in each["properties"]})
NASTY = st.sampled_from(
    [
        "",
        " ",
        "*",
        "@user",
        "public",
        "user:",
        "user:a\nteam:b",
        "mem:1' OR 1=1 //",
        "}) DETACH DELETE (n",
        "$tenant",
        "a" * 300,
        "\x00",
        "\ud800",
        "\u202e",
        "\uff21\uff22",
        "team:a,team:b",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59+14:00",
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    NASTY,
    st.text(max_size=20),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
EVENTS = st.fixed_dictionaries(
    {"event": st.sampled_from(KINDS)},
    optional={name: st.one_of(LEAVES, JSON) for name in FIELDS if name != "event"},
)


def planned(log: Path | list[Any]) -> bool:
    """Return whether a log is taken; anything but a refusal by name is a fault."""
    try:
        plan(CONTEXT, log)
    except (InputError, LimitError):
        return False
    return True


@given(st.lists(st.one_of(EVENTS, JSON), max_size=6))
@settings(max_examples=50, deadline=None)
def test_any_events_are_taken_or_refused(events: list[Any]) -> None:
    planned(events)


@given(st.binary(max_size=400))
@settings(max_examples=100, deadline=None)
def test_any_bytes_are_taken_or_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.ndjson"
        path.write_bytes(content)
        planned(path)


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "user", "id": "user:a", "id": "user:b"}',
        "[" * 100_000,
        '{"event": "user", "id": "user:a", "teams": ' + "[" * 5_000 + "]" * 5_000 + "}",
        '{"event": "user", "id": ' + "9" * 5_000 + "}",
        '{"event": "user", "id": NaN}',
        "\ufeff{}",
        "null",
        '{"event": "user", "id": "user:\\ud800"}',
    ],
)
def test_a_line_made_to_break_a_parser_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text(line + "\n", encoding="utf-8")
    assert not planned(path)


def taken(text: str, *, is_yaml: bool) -> Policy | None:
    """Return the policy of a text, or ``None`` when it is refused."""
    try:
        return policy_of(parse_policy("policy", text, is_yaml=is_yaml))
    except PolicyError:
        return None


@given(st.text(max_size=300), st.booleans())
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_policy_or_refused(text: str, is_yaml: bool) -> None:  # noqa: FBT001
    taken(text, is_yaml=is_yaml)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_damaged_policy_is_whole_or_refused(data: st.DataObject) -> None:
    """Cut, doubled and overwritten lines of the shipped file: never a half-read one."""
    lines = DEFAULT.splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at : at + 1] = data.draw(
            st.sampled_from([[], [lines[at]] * 2, [lines[at][: len(lines[at]) // 2]], ["= 1"]])
        )
    found = taken("\n".join(lines), is_yaml=False)
    if found is not None:
        numbers = json.dumps(found.model_dump(mode="json"))
        assert "NaN" not in numbers
        assert "Infinity" not in numbers


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a, *a]",
        "&a [" + "*a," * 100 + "]",
        "!!python/object/apply:os.system ['true']",
        "x: !!binary aGVsbG8=",
        "a: 1\n" * 3,
        "{" * 500,
        "thresholds: {low: .nan}",
        "thresholds: {low: .inf}",
    ],
)
def test_yaml_made_to_break_a_parser_is_refused(text: str) -> None:
    assert taken(text, is_yaml=True) is None
