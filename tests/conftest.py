"""What every test may ask for: a server, a graph on it, a tenant, a clean environment."""

import os
import secrets
import signal
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest
from hypothesis import settings
from neo4j_server import add_options, settings_or_skip, share

from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.schema import migrate
from mapgraph_neo.settings import GraphSettings

os.environ["MAPGRAPH_TESTING"] = "1"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that children can be interrupted
# CI repeats the same examples, so that it fails for a change only; people get new ones each time.
settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")
PRIVATE = ("tests/cypher/test_growth.py", "tests/cypher/test_statements.py", "tests/schema/")
LONG = ("tests/server/", "tests/integration/")
KEPT = (
    "MAPGRAPH_TEST",
    "MAPGRAPH_HISTORIES",
    "MAPGRAPH_SEED",
    "MAPGRAPH_FIELD",
    "MAPGRAPH_CACHE_DIR",  # where the jars lie, from where they come, and what runs them
    "MAPGRAPH_MAVEN_REPOSITORY",
    "MAPGRAPH_JAVA",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    share(config)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first."""
    items.sort(
        key=lambda item: (
            not item.nodeid.startswith(PRIVATE),
            not item.nodeid.startswith(LONG),
            item.nodeid.startswith("tests/unit/"),
        )
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:  # noqa: ANN401
    """Give each process whole files; what may break servers stays in one, which starts them."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - only in a parallel run

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "servers" if nodeid.startswith(PRIVATE) else nodeid.partition("::")[0]

    return ByFile(config, log)


@pytest.fixture(autouse=True)
def _clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No setting and no private server of the person who runs the tests reaches them."""
    for name in list(os.environ):
        if name.startswith(("NEO4J_", "MAPGRAPH_")) and not name.startswith(KEPT):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MAPGRAPH_SERVER_DIR", str(tmp_path_factory.getbasetemp() / "no-servers"))


@pytest.fixture(scope="session")
def neo4j_settings(request: pytest.FixtureRequest) -> Iterator[GraphSettings]:
    """Where the server of the session is."""
    option = request.config.getoption
    yield from settings_or_skip(option("--neo4j"), option("--neo4j-version"))


@pytest.fixture(scope="session")
def neo4j_driver(neo4j_settings: GraphSettings) -> Iterator[neo4j.Driver]:
    """A driver of the tests' own, on a migrated database."""
    graph = Neo4jGraph(neo4j_settings)
    migrate(graph)
    graph.close()
    password = neo4j_settings.password.get_secret_value()
    with neo4j.GraphDatabase.driver(
        neo4j_settings.uri,
        auth=(neo4j_settings.username, password),
        notifications_min_severity="OFF",
        warn_notification_severity="OFF",
    ) as driver:
        yield driver


@pytest.fixture(scope="session")
def graph(neo4j_settings: GraphSettings) -> Iterator[Neo4jGraph]:
    """A graph on a migrated database."""
    graph = Neo4jGraph(neo4j_settings)
    migrate(graph)
    yield graph
    graph.close()


@pytest.fixture
def tenant() -> str:
    """A tenant that no other test knows."""
    return f"test-{secrets.token_hex(6)}"
