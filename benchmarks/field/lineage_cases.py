"""Pairs the events of logs with the plain oracle on their neutral graphs, and the names of both."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.field.data import Fields
from benchmarks.field.logs import Log, read_by_all, tool_runs
from benchmarks.field.oracle import Plain

RECORDS = ("Message", "Memory")
PREVIEWED_TOOLS = 5


@dataclass(kw_only=True)
class Case:
    """One tenant's worth: ``main`` and ``kept`` are the engine's names of neutral nodes.

    ``kept`` names the memory that stands for a node in sets of eligible memories, where the
    conversion had to add one.
    """

    log: Log
    plain: Plain = field(default_factory=Plain)
    main: dict[str, str] = field(default_factory=dict[str, str])
    kept: dict[str, str] = field(default_factory=dict[str, str])
    sources: list[str] = field(default_factory=list[str])  # descendants are compared
    leaves: list[str] = field(default_factory=list[str])  # whole lineages are compared
    previewed: list[str] = field(default_factory=list[str])
    revoked: list[str] = field(default_factory=list[str])

    @property
    def added(self) -> set[str]:
        """Return the names of all memories that the conversion added."""
        return set(self.kept.values())

    def above(self, node: str) -> set[str]:
        """Return what a node came from, in the engine's names."""
        return {self.main[each] for each in self.plain.above(node)}

    def below(self, node: str) -> set[str]:
        """Return the records that came from a node, in the engine's names."""
        below = self.plain.below(node)
        records = {self.main[each] for each in below if self.plain.kinds[each] in RECORDS}
        return records | {self.kept[each] for each in below | {node} if each in self.kept}

    def actions_below(self, node: str) -> set[str]:
        """Return the actions that stood on a node."""
        below = self.plain.below(node)
        return {self.main[each] for each in below if self.plain.kinds[each] == "Action"}

    def leaves_of(self, node: str) -> list[str]:
        """Return the leaves that came from a node."""
        below = self.plain.below(node)
        return [each for each in self.leaves if each in below]

    def memories_for(self, agent: str) -> set[str]:
        """Return the memories that an agent may read, in the engine's names."""
        found: set[str] = set()
        for node in self.plain.readable(agent, (*RECORDS, "Action")):
            found.update(name for name in (self.main[node], self.kept.get(node)) if name)
        return {name for name in found if name.startswith("mem:")}

    def losing(self, node: str) -> set[str]:
        """Return the agents that may read anything that a revocation of ``node`` closes."""
        reach = self.plain.below(node) - self.plain.revoked
        if node in self.kept:
            reach.add(node)
        kinds = (*RECORDS, "Action")
        return {agent for agent in self.log.holds if reach & self.plain.readable(agent, kinds)}


def whowhen_case(log: Fields, graph: Any) -> Case:  # noqa: ANN401 - the data's own class
    """Return the case of one log: all messages are compared, three previewed, one revoked."""
    case = Case(log=read_by_all(log))
    case.plain.add(graph.nodes, graph.edges)
    writers = {f"{graph.gid}#{event['id']}": event["from"] for event in log["events"]}
    for event in log["events"]:
        node = f"{graph.gid}#{event['id']}"
        case.main[node], case.kept[node] = f"msg:{event['id']}", f"mem:{event['id']}"
        if event["id"] in case.log.scopes:
            case.plain.scopes[node] = frozenset(case.log.scopes[event["id"]])
    for node in list(case.plain.writers):
        case.plain.writers[node] = {f"agent:{name}" for name in case.plain.writers[node]}
    case.plain.holds = case.log.holds
    case.sources = list(case.main)
    case.leaves = list({name: node for node, name in writers.items()}.values())
    count = len(case.sources)
    case.previewed = [case.sources[place] for place in sorted({0, count // 3, count * 2 // 3})]
    case.revoked = [case.sources[count // 2]]
    return case


def asb_case(logs: Sequence[Fields], graphs: Sequence[Any]) -> Case:
    """Return the case of all runs: memories that were shared, tools, first and last steps."""
    case = Case(log=tool_runs(logs))
    tools: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    for number, (log, graph) in enumerate(zip(logs, graphs, strict=True)):
        case.plain.add(graph.nodes, graph.edges)
        case.main.update(_names(graph, number))
        for event in log["events"]:
            if event["type"] == "tool_result":
                tools[f"tool:{event.get('tool')}"] += 1
                scope = case.log.scopes[f"{number}.{event['id']}"]
                case.plain.scopes[f"{graph.gid}#{event['id']}"] = frozenset(scope)
            elif event["type"] == "memory_read":
                shared[event["memory_id"]] += 1
        first, *_ = list(_steps(case, graph, "Message"))
        case.sources.append(first)
        case.leaves += list(_steps(case, graph, "Action"))[-1:] or [first]
    for node, kind in case.plain.kinds.items():
        if kind == "Action":
            case.kept[node] = case.main[node].replace("act:", "mem:", 1)
    case.plain.holds = case.log.holds
    case.plain.writers.clear()  # what an agent writes here is open to all, or has no writer
    by_use = [name for name, _ in shared.most_common()]
    case.sources += [*by_use, *tools]
    case.previewed = [*by_use, *(name for name, _ in tools.most_common(PREVIEWED_TOOLS))]
    case.revoked = by_use or list(tools)[:1]
    return case


def _names(graph: Any, number: int) -> dict[str, str]:  # noqa: ANN401 - the data's own class
    """Return the engine's names of the nodes of one run."""
    prefixes = {"Message": "msg", "Memory": "mem", "Resource": "res", "Action": "act"}
    found: dict[str, str] = {}
    for node, facts in graph.nodes.items():
        kind, own, name = facts["type"], f"{graph.gid}#", str(node)
        if kind in prefixes:
            inside = name.startswith(own)
            bare = name.removeprefix(own).removesuffix("/mem")
            found[name] = f"{prefixes[kind]}:{number}.{bare}" if inside else f"mem:{bare}"
        else:
            found[name] = name
    return found


def _steps(case: Case, graph: Any, kind: str) -> Iterator[str]:  # noqa: ANN401 - as above
    """Yield the nodes of a kind that one run made, in order."""
    return (str(node) for node in graph.nodes if case.plain.kinds[node] == kind)
