"""Turns the logs of two sets into events of our execution log, with the scopes a run declares.

The neutral graph of a set is not looked at: the events come from the raw log, so that engine and
oracle are fed by two conversions that know nothing of each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.field.data import Fields

Event = dict[str, Any]

TASK = "log"
TEXT = 200  # characters of a text that are kept, as in the neutral graphs
PEOPLE = ("user", "customer", "human")
EVERYBODY = ("*",)
SILENT = ("auditor", "outsider")
"""Agents that ask, and take no part in a log: one in both teams, one in none."""
LIBRARIAN = "agent:librarian"


@dataclass
class Log:
    """The events of one log, and what its scopes and agents hold for the oracle."""

    events: list[Event] = field(default_factory=list[Event])
    scopes: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    holds: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def agent(self, name: str, teams: Sequence[str]) -> None:
        """Register an agent under a user of its own who is in ``teams``."""
        user = f"user:of {name}"
        self.events += [
            {"event": "user", "id": user, "teams": list(teams)},
            {"event": "agent", "id": f"agent:{name}", "user": user, "scopes": ["@user"]},
        ]
        self.holds[f"agent:{name}"] = frozenset({f"agent:{name}", user, "*", "public", *teams})


def is_person(name: str) -> bool:
    """Return whether a log means a person by this name."""
    return name.lower().startswith(PEOPLE)


def writer_of(name: str) -> str:
    """Return the id of who wrote a message."""
    return f"user:{name}" if is_person(name) else f"agent:{name.removeprefix('agent:')}"


def text_of(event: Fields) -> str:
    """Return the beginning of a text; a log may leave it empty."""
    return str(event.get("text") or "")[:TEXT].strip() or "(empty)"


def read_by_all(log: Fields) -> Log:
    """Return a log whose every message is read by all later speakers, as reads in one task.

    The import joins what a speaker has read to what it says. Each message is also kept as a
    memory ``mem:`` of the same name, so that the sets of eligible memories show who may read it.
    """
    made = Log()
    speakers = list(dict.fromkeys(str(e["from"] or "agent") for e in log["events"]))
    named = dict.fromkeys([*speakers, *(str(e["to"]) for e in log["events"] if e["to"])])
    agents = [name for name in named if not is_person(name)]
    team = {name: f"team:{number % 2}" for number, name in enumerate(agents)}
    for name in agents:
        made.agent(name, [team[name]])
    made.agent(SILENT[0], ["team:0", "team:1"])
    made.agent(SILENT[1], [])
    made.events += [{"event": "user", "id": writer_of(name)} for name in named if is_person(name)]
    seen: dict[str, set[str]] = {name: set() for name in speakers}
    said: list[str] = []
    for number, event in enumerate(log["events"]):
        name = str(event["from"] or "agent")
        scope = _scope(number, len(log["events"]), team.get(name, "team:0"))
        if scope is not None or is_person(name) or not said:
            made.scopes[event["id"]] = scope or EVERYBODY
        made.events += _said(event, name, [e for e in said if e not in seen[name]], made.scopes)
        said.append(f"msg:{event['id']}")
        seen[name].update(said)
    return made


def _scope(number: int, count: int, team: str) -> tuple[str, ...] | None:
    """Narrow two messages of a log: to the team of the speaker, and to both teams."""
    if number == count // 3:
        return (team,)
    return ("team:0", "team:1") if number == count * 2 // 3 else None


def _said(
    event: Fields, name: str, unread: Sequence[str], scopes: dict[str, tuple[str, ...]]
) -> list[Event]:
    node, writer = event["id"], writer_of(name)
    made: list[Event] = []
    message: Event = {"event": "message", "id": node, "text": text_of(event), "writer": writer}
    if not is_person(name):
        message["task"] = TASK
        if unread:
            made.append({"event": "read", "id": unread, "agent": writer, "task": TASK})
    if event["to"]:
        message["to"] = [writer_of(event["to"])]
    if node in scopes:
        message["scope"] = scopes[node]
    kept: Event = {"event": "remember", "id": node, "text": text_of(event), "writer": writer}
    return [*made, message, {**kept, "parents": [f"msg:{node}"]}]


def tool_runs(logs: Sequence[Fields]) -> Log:
    """Return many runs of agents with tools, that read memories of one another.

    What a run has seen is given as the parents of what it says. A result is a resource that the
    team of the run's agent may read. What an action stands on is written down as a memory first,
    ``mem:`` with the name of the action, since a message cannot be evidence.
    """
    made = Log()
    agents = sorted({str(log["agent"]) for log in logs})
    for name in agents:
        made.agent(name, [f"team:{name}"])
    made.agent(SILENT[0], [f"team:{name}" for name in agents])
    made.agent(SILENT[1], [])
    made.agent("planner", [])
    made.agent(LIBRARIAN.removeprefix("agent:"), [])
    made.events.append({"event": "user", "id": "user:user"})
    known: set[str] = set()
    for number, log in enumerate(logs):
        run = _Run(made, number, f"agent:{log['agent']}", known)
        for event in log["events"]:
            run.add(event)
    return made


@dataclass
class _Run:
    made: Log
    number: int
    agent: str
    known: set[str]
    context: list[str] = field(default_factory=list[str])

    def add(self, event: Fields) -> None:
        """Write the events of one step."""
        kind, node = event["type"], f"{self.number}.{event['id']}"
        if kind in ("message", "plan"):
            self._message(event, node)
        elif kind == "memory_read":
            self._memory(event)
        elif kind == "action":
            self._action(event, node)
        elif kind == "tool_result":
            self._result(event, node)

    def _message(self, event: Fields, node: str) -> None:
        writer = writer_of(str(event.get("from") or "agent"))
        person = writer.startswith("user:")
        made = _written("message", node, event, writer, [] if person else self.context)
        if not made["parents"]:
            made["scope"] = EVERYBODY
        if event.get("to"):
            made["to"] = [writer_of(event["to"])]
        self.made.events.append(made)
        self.context.append(f"msg:{node}")

    def _memory(self, event: Fields) -> None:
        node = f"mem:{event['memory_id']}"
        if node not in self.known:
            self.known.add(node)
            made = _written("remember", node, event, LIBRARIAN, [])
            self.made.events.append({**made, "scope": EVERYBODY})
        read = {"event": "read", "id": [node], "agent": self.agent, "task": f"run {self.number}"}
        self.made.events.append(read)
        self.context.append(node)

    def _action(self, event: Fields, node: str) -> None:
        tool = self._tool(event)
        made = _written("remember", node, event, self.agent, self.context)
        action = {"event": "action", "id": node, "agent": self.agent, "tool": tool}
        self.made.events += [
            made if self.context else {**made, "scope": EVERYBODY},
            {**action, "evidence": [f"mem:{node}"]},
        ]

    def _result(self, event: Fields, node: str) -> None:
        scope = (f"team:{self.agent.removeprefix('agent:')}",)
        self.made.scopes[node] = scope
        made = _written("observe", node, event, self.agent, [])
        del made["parents"]
        self.made.events += [
            {"event": "resource", "id": node, "scope": scope, "source_class": "external"},
            {**made, "source": [f"res:{node}", self._tool(event)]},
        ]
        self.context.append(f"mem:{node}")

    def _tool(self, event: Fields) -> str:
        tool = f"tool:{event.get('tool')}"
        if tool not in self.known:
            self.known.add(tool)
            made = {"event": "tool", "id": tool, "risk": "medium", "source_class": "external"}
            self.made.events.append(made)
        return tool


def _written(kind: str, node: str, event: Fields, writer: str, parents: Sequence[str]) -> Event:
    made: Event = {"event": kind, "id": node, "text": text_of(event), "writer": writer}
    return {**made, "parents": list(parents), "tracing": True}
