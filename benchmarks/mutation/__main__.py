"""``python -m benchmarks.mutation cypher|python``: which planted faults the tests find.

Two steps. Every mutant of a read is sent beside its statement in one run of the tests; where rows
differ, that test is a candidate. Then each mutant is planted in a process of its own and its
candidates run until one fails. A survivor is named; one that cannot be told from the original by
any store that the engine can have is justified in ``equivalent.toml``.
"""

import argparse
import json
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import neo4j
import pytest

from mapgraph_neo.settings import load_graph_settings
from mapgraph_neo.statement import Access, load_statement

from . import cypher_mutants, kill, python_mutants, watch
from .mutant import Mutant

HERE = Path(__file__).parent
READERS = (
    "tests/corpus",
    "tests/integration/test_corruption.py",
    "tests/integration/test_main_job.py",
    "tests/integration/test_attacks.py",
    "tests/integration/test_races.py",
    "tests/property",
)
WRITE_TESTS = 60  # candidates of a mutant of a write, quickest first
MODULE_TESTS = {
    "gate": ["tests/unit/test_gate.py", "tests/unit/test_oracle_gate.py"],
    "trust": ["tests/unit/test_trust.py"],
    "verification": ["tests/unit/test_verification.py"],
    "action_facts": ["tests/unit/test_action_facts.py"],
    "access_classes": ["tests/unit/test_access_classes.py"],
}


def _mutants(only: str) -> list[Mutant]:
    return [
        mutant
        for name in cypher_mutants.STATEMENTS
        if name.startswith(only)
        for mutant in cypher_mutants.mutants(name, load_statement(name).text)
    ]


def _watched(mutants: list[Mutant], tests: Sequence[str]) -> watch.Watch:
    """Run the tests with the mutants of reads beside them."""
    settings = load_graph_settings()
    reads = [m for m in mutants if load_statement(m.place).access is Access.READ]
    auth = (settings.username, settings.password.get_secret_value())
    with neo4j.GraphDatabase.driver(
        settings.uri,
        auth=auth,
        notifications_min_severity="OFF",
        warn_notification_severity="OFF",
    ) as driver:
        watching = watch.Watch(reads, driver)
        code = pytest.main(["-q", "--no-cov", "-p", "no:cacheprovider", *tests], plugins=[watching])
    if code != pytest.ExitCode.OK:
        print(f"the tests fail without any mutant: {watching.failed}", file=sys.stderr)
        sys.exit(1)
    return watching


def _keep(watching: watch.Watch) -> dict[str, dict[str, list[str]]]:
    quick = {
        name: sorted(tests, key=lambda test: watching.seconds[test])
        for name, tests in watching.calling.items()
    }
    return {"differing": dict(watching.differing), "calling": quick}


def _trials(mutants: list[Mutant], found: dict[str, dict[str, list[str]]]) -> Iterator[kill.Trial]:
    for mutant in mutants:
        if load_statement(mutant.place).access is Access.READ:
            tests = found["differing"].get(mutant.name, [])
        else:
            tests = found["calling"].get(mutant.place, [])[:WRITE_TESTS]
        yield kill.Trial(mutant=mutant, kind="statement", tests=tests)


def _module_trials(only: str) -> Iterator[kill.Trial]:
    for name in python_mutants.MODULES:
        if name.startswith(only):
            for mutant in python_mutants.mutants(name):
                yield kill.Trial(mutant=mutant, kind="module", tests=MODULE_TESTS[name])


def _judge(trials: list[kill.Trial], workers: int, out: Path | None) -> int:
    """Plant each mutant; print the score, and name the survivors."""
    listing = HERE / "equivalent.toml"
    same: dict[str, str] = tomllib.loads(listing.read_text(encoding="utf-8"))["equivalent"]
    results: dict[str, str] = {}
    shown = sys.stderr.isatty()
    for trial, killer in kill.run(trials, workers=workers):
        results[trial.mutant.name] = killer
        if shown:
            print(f"\r{len(results)} of {len(trials)}", end="", file=sys.stderr)
        if out is not None:
            out.write_text(json.dumps(results, indent=1), encoding="utf-8")
    totals: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    survivors: list[str] = []
    for mutant in (trial.mutant for trial in trials):
        totals[mutant.place] += 1
        if results[mutant.name]:
            killed[mutant.place] += 1
        elif mutant.name in same:
            alike[mutant.place] += 1
        else:
            survivors.append(mutant.name)
    print("\n| where | mutants | killed | equivalent | survive |\n|---|---|---|---|---|")
    for place, total in totals.items():
        left = total - killed[place] - alike[place]
        print(f"| {place} | {total} | {killed[place]} | {alike[place]} | {left} |")
    told = totals.total() - alike.total()
    print(f"\nscore: {killed.total()} of {told} ({killed.total() / max(told, 1):.1%})")
    for name in survivors:
        print(f"survives: {name}")
    wrong = [name for name in same if results.get(name)]
    for name in wrong:
        print(f"killed by {results[name]}, though said to be equivalent: {name}")
    return 1 if survivors or wrong else 0


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("what", choices=["cypher", "python"])
    parser.add_argument("--only", default="", help="statements or modules that begin so")
    parser.add_argument(
        "--candidates", type=Path, help="keep the first step here, or take it from here"
    )
    parser.add_argument("--results", type=Path, help="write mutant -> killer here")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tests", nargs="+", default=READERS, help="where killers are sought")
    given = parser.parse_args()
    os.environ.setdefault("CI", "true")  # the same examples each time
    if given.what == "python":
        return _judge(list(_module_trials(given.only)), given.workers, given.results)
    settings = load_graph_settings()
    os.environ["MAPGRAPH_TEST_NEO4J_URI"] = settings.uri
    os.environ["MAPGRAPH_TEST_NEO4J_PASSWORD"] = settings.password.get_secret_value()
    mutants = _mutants(given.only)
    if given.candidates and given.candidates.exists():
        found = json.loads(given.candidates.read_text(encoding="utf-8"))
    else:
        found = _keep(_watched(mutants, given.tests))
        if given.candidates:
            given.candidates.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return _judge(list(_trials(mutants, found)), given.workers, given.results)


if __name__ == "__main__":
    sys.exit(main())
