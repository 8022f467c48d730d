"""Real logs through ``ingest``: ancestry, eligible sets and revocations beside the plain oracle.

``python -m benchmarks.field.lineage [--limit N]`` takes the Who&When logs, each in a tenant of its
own, and the Agent Security Bench runs in one, as they share memories; differences must be 0.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.field import data
from benchmarks.field.lineage_cases import Case, asb_case, whowhen_case
from benchmarks.field.tenants import OPERATOR, Differences, Way, options, table, way_of
from mapgraph_neo import MapGraph, NodeLabel

SHARED_REVOKED = 5  # memories of many runs that are really revoked, the most read first
EVIDENCE = (NodeLabel.MESSAGE, NodeLabel.MEMORY, NodeLabel.RESOURCE, NodeLabel.TOOL)
HEADS = ("set", "logs", "events", "events/s", "edges", "largest", "compared", "differences", "s")


@dataclass(kw_only=True)
class Result:
    """What one set gave."""

    name: str
    logs: int
    events: int = 0
    writing: float = 0.0
    edges: int = 0
    largest: int = 0
    seconds: float = 0.0
    differences: Differences

    def row(self) -> tuple[object, ...]:
        """Return it as a row of the table."""
        rate = round(self.events / self.writing) if self.writing else 0
        return (
            self.name,
            self.logs,
            self.events,
            rate,
            self.edges,
            self.largest,
            self.differences.compared,
            len(self.differences.found),
            round(self.seconds),
        )


def whowhen(way: Way, limit: int | None = None) -> Result:
    """Run the logs in which every message is read by all later speakers."""
    logs = data.spread(data.records("whowhen"), limit)
    graphs = data.spread(data.neutral("whowhen"), limit)
    result = Result(name="whowhen", logs=len(logs), differences=Differences())
    for number, (log, graph) in enumerate(zip(logs, graphs, strict=True)):
        _told(result.name, number, len(logs))
        _run(way, whowhen_case(log, graph), result)
    return result


def asb(way: Way, limit: int | None = None) -> Result:
    """Run the tool-using agents that read memories of one another, in one tenant."""
    logs = data.spread([each for each in data.records("asb") if "events" in each], limit)
    graphs = data.spread(data.neutral("asb"), limit)
    result = Result(name="asb", logs=len(logs), differences=Differences())
    _run(way, asb_case(logs, graphs), result)
    return result


def _run(way: Way, case: Case, result: Result) -> None:
    begin = time.perf_counter()
    with way.open(result.name) as graph:
        result.events += len(case.log.events)
        result.writing += _ingest(graph, case)
        result.edges += sum(len(each) for each in case.plain.parents.values())
        differences = result.differences
        _ancestry(graph, case, differences)
        _eligible(graph, case, differences, "at first")
        for source in case.previewed:
            _preview(graph, case, source, differences)
        for source in case.revoked[:SHARED_REVOKED]:
            _revoke(graph, case, source, differences)
    result.largest = max(result.largest, *(len(case.plain.above(each)) for each in case.leaves))
    result.seconds += time.perf_counter() - begin


def _ingest(graph: MapGraph, case: Case) -> float:
    """Write the events to a file, import it, and return how long the import took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.ndjson"
        lines = (json.dumps(event, ensure_ascii=False) for event in case.log.events)
        path.write_text("\n".join(lines), encoding="utf-8")
        begin = time.perf_counter()
        graph.ingest(path)
        return time.perf_counter() - begin


def _ancestry(graph: MapGraph, case: Case, differences: Differences) -> None:
    for source in case.sources:
        node = case.main[source]
        differences.same(f"descendants({node})", graph.descendants(node), case.below(source))
    for leaf in case.leaves:
        node = case.main[leaf]
        found = graph.lineage(node)
        shown = {each.id for each in found.nodes if each.label in EVIDENCE} - {node}
        differences.same(f"lineage({node})", shown - case.added, case.above(leaf))
        differences.equal(f"lineage({node}).complete", found.complete, wanted=True)


def _eligible(
    graph: MapGraph, case: Case, differences: Differences, when: str, only: Iterable[str] = ()
) -> None:
    for agent in only or case.log.holds:
        differences.same(
            f"eligible({agent}) {when}", graph.eligible(agent), case.memories_for(agent)
        )


def _preview(graph: MapGraph, case: Case, source: str, differences: Differences) -> None:
    node = case.main[source]
    plan = graph.as_admin(OPERATOR).revoke(node, kind="access", reason="field", dry_run=True)
    below = case.below(source)
    differences.equal(f"revoke({node}).affected", plan.affected, len(below))
    differences.same(f"revoke({node}).actions", plan.actions, case.actions_below(source))
    differences.same(f"revoke({node}).agents", plan.agents, case.losing(source))


def _revoke(graph: MapGraph, case: Case, source: str, differences: Differences) -> None:
    """Revoke, compare every eligible set and the marks of the lineages below, and undo."""
    node = case.main[source]
    admin = graph.as_admin(OPERATOR)
    done = admin.revoke(node, kind="reliability", reason="field")
    case.plain.revoked.add(source)
    differences.equal(f"revoke({node}) really", done.affected, len(case.below(source)))
    _eligible(graph, case, differences, f"after revoking {node}")
    reached = {*case.below(source), *case.actions_below(source)}
    for leaf in case.leaves_of(source):
        found = graph.lineage(case.main[leaf])
        marked = {each.id for each in found.nodes if each.state == "affected"}
        shown = {each.id for each in found.nodes} - case.actions_below(source)
        differences.same(f"affected above {case.main[leaf]}", marked, reached & shown)
    case.plain.revoked.discard(source)
    if done.id is not None:
        admin.undo(done.id, reason="field")
    _eligible(graph, case, differences, f"after undoing {node}", list(case.log.holds)[:1])


def _told(name: str, number: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"{name} {number + 1} of {of}", end="\r", file=sys.stderr)


def run(way: Way, limit: int | None = None) -> Sequence[Result]:
    """Run both sets and print the table."""
    results = (whowhen(way, limit), asb(way, limit))
    table(HEADS, [each.row() for each in results])
    for each in results:
        each.differences.show()
    return results


def main() -> int:
    """Run the command; 1 if anything differs."""
    given = options(__doc__).parse_args()
    results = run(way_of(given), given.limit)
    return 1 if any(each.differences.found for each in results) else 0


if __name__ == "__main__":
    sys.exit(main())
