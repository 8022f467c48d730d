"""Finds the log of the incident, and says what is in it."""

import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError

NAME = "incident.ndjson"


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """The log as it was found."""

    path: Path
    events: int
    agents: int
    teams: int
    records: int


def find_incident(stack: ExitStack) -> Incident:
    """Return the log: inside the wheel, or in ``examples/`` of a checkout.

    Raises:
        CommandError: It is in neither place.

    """
    packaged = files("mapgraph_cli.demo") / NAME
    if packaged.is_file():
        return _read(stack.enter_context(as_file(packaged)))
    checkout = Path(__file__).parents[3] / "examples" / NAME
    if checkout.is_file():
        return _read(checkout)
    message = f"{NAME} is not in this installation; install mapgraph-neo again"
    raise CommandError(message, ExitCode.FAILED)


def _read(path: Path) -> Incident:
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    kinds = Counter(event["event"] for event in events)
    teams = {team for event in events for team in event.get("teams") or ()}
    return Incident(
        path=path,
        events=len(events),
        agents=kinds["agent"],
        teams=len(teams),
        records=sum(1 for event in events if "text" in event),
    )
