"""Where the tests find a Neo4j: an address in the environment, else a private server of their own.

Tests never wipe: each works in tenants of its own. ``--neo4j=docker`` asks for testcontainers.
The processes of one run (``-n 2``) share the private server.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mapgraph_neo.errors import MapGraphError
from mapgraph_neo.server import DEFAULT_VERSION, LocalServer, StartOptions
from mapgraph_neo.settings import GraphSettings, load_graph_settings

SHARED = "MAPGRAPH_TEST_SERVER_DIR"
PATIENCE = 300.0  # seconds for one query on a machine that is busy with other tests
NO_SERVER = "no Neo4j for the tests"


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("neo4j")
    group.addoption("--neo4j", default="auto", choices=("auto", "uri", "local", "docker"))
    group.addoption(
        "--neo4j-version", default=os.environ.get("MAPGRAPH_TEST_NEO4J_VERSION", DEFAULT_VERSION)
    )


def found(kind: str, version: str) -> Iterator[GraphSettings]:
    """Yield where a server is, and end it afterwards if it was started here."""
    given = os.environ.get("MAPGRAPH_TEST_NEO4J_URI")
    if kind == "uri" or (kind == "auto" and given):
        yield load_graph_settings(
            uri=given,
            username=os.environ.get("MAPGRAPH_TEST_NEO4J_USERNAME"),
            password=os.environ.get("MAPGRAPH_TEST_NEO4J_PASSWORD"),
            query_seconds=PATIENCE,
        )
    elif kind == "docker":
        yield from _docker(version)
    else:
        yield from _local(version)


def _docker(version: str) -> Iterator[GraphSettings]:
    from testcontainers.community.neo4j import Neo4jContainer  # noqa: PLC0415 - on request only

    with Neo4jContainer(f"neo4j:{version}") as server:
        yield load_graph_settings(
            uri=server.get_connection_url(), username=server.username, password=server.password
        )


def _local(version: str) -> Iterator[GraphSettings]:
    """Start the server of this run, or find it started by another process of the run."""
    address = _server(Path(os.environ[SHARED])).start(
        StartOptions(version=version, heap="768m", pagecache="128m")
    )
    yield load_graph_settings(
        uri=address.uri,
        username=address.username,
        password=address.password,
        query_seconds=PATIENCE,
    )


def _server(folder: Path) -> LocalServer:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAPGRAPH_SERVER_DIR", str(folder))
        return LocalServer("tests")


def share(config: pytest.Config) -> None:
    """Name the folder of the run's server; the process that named it ends the server."""
    if SHARED in os.environ:
        return
    folder = Path(tempfile.mkdtemp(prefix="mapgraph-tests-"))
    os.environ[SHARED] = str(folder)

    def end() -> None:
        del os.environ[SHARED]
        if any(folder.iterdir()):
            _server(folder).destroy()
        shutil.rmtree(folder, ignore_errors=True)

    config.add_cleanup(end)


def settings_or_skip(kind: str, version: str) -> Iterator[GraphSettings]:
    """Yield where a server is; without one fail in CI, else skip with one line."""
    try:
        yield from found(kind, version)
    except MapGraphError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{NO_SERVER}: {error}")
