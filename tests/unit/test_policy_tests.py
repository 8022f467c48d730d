"""The form of policy tests: their schema is shipped, and every step has somebody who does it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from mapgraph_neo.policy_tests import acting, expecting, policy_test_schema
from mapgraph_neo.policy_tests.model import DOINGS, EXPECTATIONS
from mapgraph_neo.policy_tests.moments import moment

ROOT = Path(__file__).parents[2]
START = datetime(2026, 1, 31, 12, tzinfo=UTC)


def test_the_shipped_schema_is_that_of_the_model() -> None:
    shipped = (ROOT / "mapgraph_neo" / "policy_test.schema.json").read_text(encoding="utf-8")

    assert shipped == json.dumps(policy_test_schema(), indent=2) + "\n"
    Draft202012Validator.check_schema(policy_test_schema())


@pytest.mark.parametrize("file", ["examples/policy-test.yaml", "tests/corpus"])
def test_every_test_of_ours_follows_the_schema(file: str) -> None:
    path = ROOT / file
    validator = Draft202012Validator(policy_test_schema())
    for each in [path] if path.is_file() else path.glob("*.yaml"):
        document: Any = yaml.load(each.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506
        wrong = [e.message for e in validator.iter_errors(plain(document))]
        assert wrong == [], each.name


def plain(value: Any) -> Any:  # noqa: ANN401 - any YAML
    """Return text as the value that YAML 1.2 sees in it."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    try:
        return json.loads(value) if value not in ("NaN", "Infinity") else value
    except ValueError:
        return value


def test_every_step_is_done_by_somebody() -> None:
    assert set(expecting._QUESTIONS) == set(EXPECTATIONS)
    assert set(acting._ACTS) == set(DOINGS) - set(EXPECTATIONS)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("now", START),
        ("+2h", START + timedelta(hours=2)),
        ("-1.5d", START - timedelta(days=1.5)),
        ("+250ms", START + timedelta(milliseconds=250)),
        ("2026-01-31T14:00:00+02:00", START),
        ("2026-01-31T12:00:00Z", START),
    ],
)
def test_a_time_is_what_it_says(text: str, wanted: datetime) -> None:
    assert moment(text, START) == wanted


@pytest.mark.parametrize(
    "text", ["", "2h", "+2 h", "+2y", "tomorrow", "2026-01-31T12:00:00", "+9e9d"]
)
def test_a_time_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        moment(text, START)
    with pytest.raises(ValueError, match="outside the calendar"):
        moment("+99999999999d", START)
