"""Neo4j servers of both lines that a test may empty or break; started here when first asked for.

``MAPGRAPH_TEST_PRIVATE_SERVERS`` may name a file of lines ``VERSION URI PASSWORD`` instead:
servers that hold nothing of worth.
"""

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server import LocalServer, StartOptions
from mapgraph_neo.settings import GraphSettings, load_graph_settings

LINES = ("2026.08.1", "5.26.30")


@cache
def settings_of(version: str) -> GraphSettings:
    """Where the private server of ``version`` is; it is stopped when Python ends."""
    if listing := os.environ.get("MAPGRAPH_TEST_PRIVATE_SERVERS"):
        for line in Path(listing).read_text(encoding="utf-8").splitlines():
            fields = line.split()
            if fields[:1] == [version]:
                return load_graph_settings(uri=fields[1], username="neo4j", password=fields[2])
    return _start(version)


def _start(version: str) -> GraphSettings:
    folder = Path(tempfile.mkdtemp(prefix="mapgraph-private-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAPGRAPH_SERVER_DIR", str(folder))
        server = LocalServer("line-" + version.replace(".", "-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.destroy)
    address = server.start(StartOptions(version=version, heap="384m", pagecache="64m"))
    return load_graph_settings(
        uri=address.uri, username=address.username, password=address.password
    )


@pytest.fixture(scope="session", params=LINES)
def private_settings(request: pytest.FixtureRequest) -> GraphSettings:
    """Each line in turn."""
    try:
        return settings_of(request.param)
    except ServerError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no private Neo4j {request.param}: {error}")
