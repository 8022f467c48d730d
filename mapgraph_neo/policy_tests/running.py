"""Runs policy tests: each in a tenant of its own, which is removed afterwards whatever happened."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from mapgraph_neo import errors
from mapgraph_neo.context import Context
from mapgraph_neo.embedding import Embedder
from mapgraph_neo.engine import MapGraph
from mapgraph_neo.errors import GraphError, MapGraphError
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.policy import Policy
from mapgraph_neo.policy_tests.acting import Wrong, perform
from mapgraph_neo.policy_tests.expecting import ask
from mapgraph_neo.policy_tests.model import EXPECTATIONS, Step
from mapgraph_neo.policy_tests.moments import with_times
from mapgraph_neo.policy_tests.reading import TestFile, TestFileError
from mapgraph_neo.policy_tests.stage import Stage
from mapgraph_neo.settings import Settings, load_settings

TENANT = "policy-test-"  # as in cypher/admin/remove_test_tenant.cypher
REMOVE_BATCH = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One thing that is not as the test says, and where the test says it."""

    line: int
    step: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """What came of one file."""

    __test__ = False  # no test class of pytest

    file: str
    name: str
    steps: int
    seconds: float
    failures: tuple[Failure, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all was as the test says."""
        return not self.failures


def unread(error: TestFileError) -> TestResult:
    """Return the result of a file that is no policy test."""
    failure = Failure(line=error.line, step="file", message=error.said)
    path = error.path
    return TestResult(file=str(path), name=path.stem, steps=0, seconds=0.0, failures=(failure,))


Look = Callable[[Stage], None]
"""Called with what a test left behind, before its tenant is removed."""


class Runner:
    """Runs tests on one graph, with one embedder.

    Args:
        graph: Where the tenants are made; its schema is set up if need be.
        embedder: What turns texts into vectors.
        policy: The policy of tests that name none.
        look: What else to do with each tenant before it is removed.

    """

    def __init__(
        self, graph: Neo4jGraph, embedder: Embedder, policy: Policy, look: Look | None = None
    ) -> None:
        """Take what all tests share."""
        self._graph = graph
        self._embedder = embedder
        self._policy = policy
        self._look = look

    def run(self, file: TestFile) -> TestResult:
        """Run one test and remove its tenant.

        Raises:
            GraphError: Neo4j cannot answer.

        """
        began = time.monotonic()
        tenant = f"{TENANT}{secrets.token_hex(8)}"
        context = Context(
            graph=self._graph,
            tenant=tenant,
            policy=file.policy or self._policy,
            embedder=self._embedder,
        )
        try:
            failures = self._play(file, context, load_settings(tenant=tenant))
        finally:
            remove_tenant(self._graph, tenant)
        return TestResult(
            file=str(file.path),
            name=file.test.name or file.path.stem,
            steps=len(file.test.steps),
            seconds=time.monotonic() - began,
            failures=tuple(failures),
        )

    def _play(self, file: TestFile, context: Context, settings: Settings) -> list[Failure]:
        test = file.test
        stage = Stage(
            graph=MapGraph(self._graph, context, settings),
            context=context,
            administrator=test.administrator,
            start=datetime.now(UTC),
        )
        try:
            stage.graph.init(test.administrator)
            stage.graph.ingest([with_times(event, stage.start) for event in test.events])
        except GraphError:
            raise
        except MapGraphError as error:
            return [Failure(line=file.line("events"), step="events", message=str(error))]
        failures = _steps(stage, file)
        if self._look is not None:
            self._look(stage)
        return failures


def _steps(stage: Stage, file: TestFile) -> list[Failure]:
    failures: list[Failure] = []
    for number, step in enumerate(file.test.steps):
        wrong, goes_on = _step(stage, step)
        line = file.line("steps", number)
        label = f"{step.name}: {step.about}" if step.about else step.name
        failures += [Failure(line=line, step=label, message=stage.told(each)) for each in wrong]
        if not goes_on:
            rest = len(file.test.steps) - number - 1
            if rest:
                last = failures[-1]
                text = f"{last.message}; the {rest} steps after it were not run"
                failures[-1] = replace(last, message=text)
            break
    return failures


def _step(stage: Stage, step: Step) -> tuple[Wrong, bool]:
    """Return what is wrong, and whether the steps after it can be run."""
    is_question = step.name in EXPECTATIONS
    try:
        wrong = (ask if is_question else perform)(stage, step.name, step.body)
    except GraphError:
        raise
    except (MapGraphError, ValueError) as error:
        return _refused(step, error)
    if step.refused is not None:
        return [f"was not refused, though {step.refused} was expected"], is_question
    return wrong, True


def _refused(step: Step, error: Exception) -> tuple[Wrong, bool]:
    kind = type(error).__name__
    if step.refused is None:
        return [f"{kind}: {error}"], step.name in EXPECTATIONS
    if not isinstance(error, getattr(errors, step.refused)):
        return [f"was refused with {kind} ({error}), not with {step.refused}"], True
    if step.says is not None and step.says not in str(error):
        return [f"was refused with `{error}`, which does not say `{step.says}`"], True
    return [], True


def remove_tenant(graph: Neo4jGraph, tenant: str) -> None:
    """Remove all of a tenant that a test made."""
    while graph.write(
        lambda tx: tx.run("admin/remove_test_tenant", tenant=tenant, batch=REMOVE_BATCH), admin=True
    )[0]["removed"]:
        pass
