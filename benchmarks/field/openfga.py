"""Authorisation decisions of OpenFGA's sample stores, asked of ``check`` and ``readers``.

``python -m benchmarks.field.openfga [--limit N]``. Each relation of an object is one memory derived
from one resource for each clause (see ``fga``). A store with conditions is left out and counted: a
permission that depends on the request cannot be imported by ignoring the condition.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.field import data
from benchmarks.field.data import Fields
from benchmarks.field.fga import Store, agent_id, type_role, user_id
from benchmarks.field.logs import Event
from benchmarks.field.tenants import Way, options, table, way_of
from mapgraph_neo import MapGraph

SCRIBE = "agent:scribe"
HEADS = ("store", "decisions", "allow", "check", "readers", "false allow", "clauses", "left out")


@dataclass(kw_only=True)
class Result:
    """What one store gave; ``left_out`` decisions depend on conditions."""

    store: str
    decisions: int = 0
    allow: int = 0
    check: int = 0
    readers: int = 0
    false_allow: int = 0
    clauses: int = 0
    left_out: int = 0

    def row(self) -> tuple[object, ...]:
        """Return it as a row of the table."""
        return (
            self.store,
            self.decisions,
            self.allow,
            self.check,
            self.readers,
            self.false_allow,
            self.clauses,
            self.left_out,
        )

    @property
    def right(self) -> bool:
        """Whether every decision came out as its authors say, both ways."""
        return self.check == self.readers == self.decisions and not self.false_allow


def stores(way: Way, limit: int | None = None) -> list[Result]:
    """Ask every decision of every store."""
    by_store: dict[str, list[Fields]] = defaultdict(list)
    for each in data.decisions():
        by_store[each["store"]].append(each)
    return [_store(way, name, by_store[name]) for name in data.spread(sorted(by_store), limit)]


def _store(way: Way, name: str, decisions: Sequence[Fields]) -> Result:
    result = Result(store=name)
    worlds: dict[str, list[Fields]] = defaultdict(list)
    for each in decisions:
        if each["features"]["conditions"]:
            result.left_out += 1
        else:
            worlds[json.dumps(each["tuples"], sort_keys=True)].append(each)
    for asked in worlds.values():
        with way.open("openfga") as graph:
            _world(graph, asked, result)
    return result


def _world(graph: MapGraph, asked: Sequence[Fields], result: Result) -> None:
    """Record one set of tuples as users, teams, scopes and derivations, and ask."""
    store = Store(data.parse_model(asked[0]["model"]), asked[0]["tuples"])
    wanted = sorted({(each["object"], each["relation"]) for each in asked})
    records: list[Event] = []
    for node, relation in wanted:
        clauses = sorted(sorted(each) for each in store.clauses(node, relation))
        records += _relation(f"{node}#{relation}", clauses)
        result.clauses = max(result.clauses, len(clauses))
    graph.ingest([*_people(store, asked), *records])
    for each in asked:
        _ask(graph, each, result)


def _people(store: Store, asked: Sequence[Fields]) -> list[Event]:
    """Return everyone as a user, with an agent that holds what the user holds."""
    teams = store.teams()
    made: list[Event] = [
        {"event": "user", "id": "user:scribe"},
        {"event": "agent", "id": SCRIBE, "user": "user:scribe"},
    ]
    for subject in sorted({*store.subjects(), *(each["user"] for each in asked)}):
        user, role = user_id(subject), type_role(subject.partition(":")[0])
        groups = sorted(teams.get(subject, ()))
        made += [
            {"event": "user", "id": user, "teams": groups, "roles": [role]},
            {"event": "agent", "id": agent_id(subject), "user": user, "scopes": ["@user"]},
        ]
    return made


def _relation(name: str, clauses: Sequence[Sequence[str]]) -> list[Event]:
    """Return a resource for each clause, and the memory that is derived from all of them."""
    sources = [f"res:{name}/{number}" for number in range(len(clauses))]
    made: list[Event] = [
        {"event": "resource", "id": source, "scope": clause, "source_class": "internal"}
        for source, clause in zip(sources, clauses, strict=True)
    ]
    record = {"event": "derive", "id": f"mem:{name}", "text": name, "writer": SCRIBE}
    return [*made, {**record, "parents": sources, "tracing": True}]


def _ask(graph: MapGraph, asked: Fields, result: Result) -> None:
    agent, record = agent_id(asked["user"]), f"mem:{asked['object']}#{asked['relation']}"
    expected = bool(asked["expect"])
    checked = graph.check(agent, record).allowed
    listed = agent in graph.readers(record)
    result.decisions += 1
    result.allow += expected
    result.check += checked == expected
    result.readers += listed == expected
    result.false_allow += (checked or listed) and not expected


def run(way: Way, limit: int | None = None) -> Sequence[Result]:
    """Run the stores and print the table."""
    results = stores(way, limit)
    rows = [each.row() for each in results]
    numbers = [[int(str(cell)) for cell in row[1:]] for row in rows]
    sums = [sum(column) for column in zip(*numbers, strict=True)]
    sums[5] = max(each.clauses for each in results)
    table(HEADS, [*rows, ("all", *sums)])
    return results


def main() -> int:
    """Run the command; 1 if any decision is wrong."""
    given = options(__doc__).parse_args()
    return 0 if all(each.right for each in run(way_of(given), given.limit)) else 1


if __name__ == "__main__":
    sys.exit(main())
