"""A disk without room: what was answered stays, what was not is told, and nothing is allowed."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from bridge import ToyEmbedder

from mapgraph_neo import MapGraph
from mapgraph_neo.errors import GraphError
from mapgraph_neo.server import LocalServer, StartOptions
from mapgraph_neo.settings import GraphSettings

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]
NO_MOUNT = "no file system of its own can be mounted here"
WRITES = 4_000
ROOM = 300_000  # bytes that are left
LONG = "word " * 12_000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 160 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=160m", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if not made or made.returncode:
        pytest.skip(NO_MOUNT)
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607 - as mount


@pytest.fixture
def server(disk: Path) -> Iterator[LocalServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAPGRAPH_SERVER_DIR", str(disk / "servers"))
        server = LocalServer("full")
    yield server
    server.destroy()


def connect(server: LocalServer) -> MapGraph:
    address = server.start(StartOptions(heap="384m", pagecache="64m"))
    settings = GraphSettings(
        uri=address.uri,
        username=address.username,
        password=address.password,
        retry_seconds=3,
        query_seconds=60,
    )
    return MapGraph.connect(graph_settings=settings, embedder=ToyEmbedder())


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("wb") as file:
        while (left := shutil.disk_usage(disk).free - ROOM) > 0:
            file.write(bytes(min(left, 1 << 20)))
            file.flush()
    return filler


def test_nothing_is_lost_or_allowed_when_the_disk_is_full(disk: Path, server: LocalServer) -> None:
    graph = connect(server)
    graph.init("root")
    admin = graph.as_admin("root")
    admin.register_user("ida", teams=["press"])
    admin.register_agent("desk", user="ida", scopes=["@user"])
    admin.register_tool("answer", risk="low", answer=True)
    admin.register_resource("wire", scope=["team:press"], source_class="internal")
    desk = graph.as_agent("desk", task="t")
    known = [desk.observe("Before", source="res:wire")]

    filler = fill(disk)
    with pytest.raises(GraphError) as told:
        known.extend(desk.observe(f"{n} {LONG}", source="res:wire") for n in range(WRITES))
    with pytest.raises(GraphError):
        desk.propose("answer", evidence=known[:1])
    graph.close()
    filler.unlink()
    server.stop()
    again = connect(server)

    assert 1 < len(known) < WRITES
    assert str(told.value).startswith("Neo4j refused: ")
    eligible = again.eligible("desk")
    assert set(known) <= set(eligible)
    assert len(eligible) <= len(known) + 1  # the one whose answer never came may stand
    assert again.as_agent("desk").retrieve("Before", k=1)
    again.close()
