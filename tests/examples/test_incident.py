"""The log of the demo: valid, whole, and as its README tells."""

import json
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from mapgraph_cli.demo.incident import find_incident
from mapgraph_neo.events import event_schema, parse_event

EXAMPLES = Path(__file__).parents[2] / "examples"
LOG = EXAMPLES / "incident.ndjson"


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]


def test_every_line_is_an_event() -> None:
    for number, line in enumerate(LOG.read_bytes().splitlines(), start=1):
        parse_event(line, f"line {number}")


def test_it_is_of_the_promised_size(events: list[dict[str, Any]]) -> None:
    kinds = Counter(event["event"] for event in events)
    teams = {team for event in events for team in event.get("teams", ())}

    assert 60 <= len(events) <= 100
    assert kinds["agent"] == 4
    assert len(teams) == 3
    assert f"{len(events)} events" in (EXAMPLES / "README.md").read_text(encoding="utf-8")


def test_every_kind_of_event_occurs(events: list[dict[str, Any]]) -> None:
    known = set(event_schema()["discriminator"]["mapping"])

    assert {event["event"] for event in events} == known


def test_times_never_go_back(events: list[dict[str, Any]]) -> None:
    times = [event["occurred_at"] for event in events]

    assert times == sorted(times)


def test_the_demo_finds_it(events: list[dict[str, Any]]) -> None:
    with ExitStack() as stack:
        found = find_incident(stack)

        assert found.path.read_bytes() == LOG.read_bytes()
    assert (found.events, found.agents, found.teams) == (len(events), 4, 3)
