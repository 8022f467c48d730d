"""The first step: one run of the tests with every mutant of a read beside the statement itself.

Whenever a test has a statement sent, its mutants are sent with the same parameters, each in a
transaction of its own. A test in which the rows differ is a candidate to kill the mutant; whether
it does is the second step's to say, which plants the mutant and runs that test.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import neo4j
import pytest
from neo4j.exceptions import Neo4jError

from mapgraph_neo import graph as graph_module

from .mutant import Mutant

CANDIDATES = 4  # tests for each mutant; then it is sent no more
CALLS = 12  # of one mutant with different parameters in one test
SECONDS = 20


class Watch:
    """A plugin of pytest."""

    def __init__(self, mutants: Sequence[Mutant], driver: neo4j.Driver) -> None:
        """Begin with every mutant alive."""
        self._driver = driver  # to the server that the tests use
        self.differing: dict[str, list[str]] = defaultdict(list)  # mutant -> tests
        self.calling: dict[str, set[str]] = defaultdict(set)  # statement -> tests
        self.seconds: dict[str, float] = defaultdict(float)  # test -> what it took unwatched
        self.failed: list[str] = []
        self._open: dict[str, list[Mutant]] = defaultdict(list)
        for mutant in mutants:
            self._open[mutant.place].append(mutant)
        self._test = ""
        self._sent: dict[str, set[str]] = defaultdict(set)
        self._beside = 0.0
        self._shipped = graph_module._DriverTransaction.run  # pyright: ignore[reportPrivateUsage]

    def pytest_configure(self) -> None:
        watch, shipped = self, self._shipped

        def run(self: Any, name: str, **parameters: object) -> Sequence[Mapping[str, Any]]:  # noqa: ANN401
            rows = shipped(self, name, **parameters)
            watch.look(self, name, parameters)
            return rows

        graph_module._DriverTransaction.run = run  # type: ignore[method-assign]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._test = item.nodeid
        self._sent.clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
        self.seconds[report.nodeid] += report.duration
        if report.when == "call":
            self.seconds[report.nodeid] -= self._beside
            self._beside = 0.0

    def look(self, sender: Any, name: str, parameters: Mapping[str, object]) -> None:  # noqa: ANN401
        """Send the mutants of a statement that was just sent, and compare."""
        self.calling[name].add(self._test)
        live = self._open.get(name)
        key = repr(sorted(parameters.items()))
        if not live or key in self._sent[name] or len(self._sent[name]) >= CALLS:
            return
        self._sent[name].add(key)
        began = time.monotonic()
        given = dict(parameters)
        if "clock_offset" in graph_module.load_statement(name).parameters:
            given["clock_offset"] = sender._clock_offset
        right = _rows(self._driver, graph_module.load_statement(name).text, given)
        for mutant in list(live):
            if self._test in self.differing[mutant.name]:
                continue
            if _rows(self._driver, mutant.text, given) != right:
                self.differing[mutant.name].append(self._test)
                if len(self.differing[mutant.name]) == CANDIDATES:
                    live.remove(mutant)
        self._beside += time.monotonic() - began


def _rows(driver: neo4j.Driver, text: str, given: Mapping[str, object]) -> object:
    query = neo4j.Query("CYPHER replan=skip\n" + text, timeout=SECONDS)  # type: ignore[arg-type]
    try:
        with driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
            return [dict(row.items()) for row in session.run(query, dict(given))]
    except Neo4jError as error:
        return error.code
