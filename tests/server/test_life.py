"""The life of one private server: two starts at once, use, kill -9, another start, destruction.

The tests of this file run in order on one server: starting one takes seconds.
"""

import json
import os
import re
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from importlib.resources import files
from pathlib import Path

import neo4j
import psutil
import pytest
from neo4j.exceptions import AuthError, Neo4jError

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server import LocalServer, ServerAddress, StartOptions, find_running
from mapgraph_neo.server.probe import LoginRefusedError, answers
from mapgraph_neo.server.state import load_state, save_state

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]
OPTIONS = ("--heap", "384m", "--pagecache", "64m", "--json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("life")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAPGRAPH_SERVER_DIR", str(folder))
        server = LocalServer()
    yield folder
    server.destroy()


@pytest.fixture(scope="module")
def started(folder: Path, request: pytest.FixtureRequest) -> list[dict[str, object]]:
    """What two commands say that start the same server at the same time."""
    version = ("--version", str(request.config.getoption("--neo4j-version")))
    pair = [command(folder, "start", *version, *OPTIONS) for _ in range(2)]
    try:
        documents = [each.communicate(timeout=600) for each in pair]
    finally:
        for each in pair:
            each.kill()
            each.wait()
    told = [errors for _, errors in documents]
    if any(each.returncode for each in pair):
        if os.environ.get("CI"):
            pytest.fail(str(told))
        pytest.skip(f"no private Neo4j: {told}")
    return [json.loads(document) for document, _ in documents]


@pytest.fixture
def server(
    started: list[dict[str, object]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> LocalServer:
    assert started
    monkeypatch.setenv("MAPGRAPH_SERVER_DIR", str(folder))
    return LocalServer()


@pytest.fixture
def address(server: LocalServer) -> ServerAddress:
    found = server.address()
    assert found is not None
    return found


def command(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "mapgraph_cli", "server", *arguments],
        env=os.environ | {"MAPGRAPH_SERVER_DIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def query(address: ServerAddress, text: str, **parameters: object) -> list[neo4j.Record]:
    login = (address.username, address.password)
    with neo4j.GraphDatabase.driver(
        address.uri, auth=login, notifications_min_severity="OFF", warn_notification_severity="OFF"
    ) as driver:
        return driver.execute_query(text, parameters).records  # type: ignore[arg-type]


def test_two_starts_at_once_are_one_server(
    started: list[dict[str, object]], server: LocalServer
) -> None:
    assert [each["state"] for each in started] == ["running", "running"]
    assert len({each["pid"] for each in started}) == 1
    assert find_running() == server.address()


def test_nobody_else_may_look_inside(server: LocalServer) -> None:
    paths = [server.home, *server.home.rglob("*")]

    assert len(paths) > 20
    assert [str(p) for p in paths if stat.S_IMODE(p.lstat().st_mode) & 0o077] == []


def test_the_password_is_in_no_process_list(server: LocalServer, address: ServerAddress) -> None:
    process = psutil.Process(server.status().pid)

    assert address.password not in " ".join(process.cmdline())
    assert address.password not in str(process.environ())
    assert address.password not in "".join(server.logs(1000))
    assert len(process.cmdline()) == 2
    assert not (server.home / "conf" / "setup.args").exists()


def test_it_listens_on_loopback_only(server: LocalServer) -> None:
    listening = [
        each.laddr
        for each in psutil.Process(server.status().pid).net_connections("inet")
        if each.status == psutil.CONN_LISTEN
    ]

    assert len(listening) == 2
    assert {each.ip.removeprefix("::ffff:") for each in listening} == {"127.0.0.1"}


def test_without_the_password_nobody_gets_in(address: ServerAddress, server: LocalServer) -> None:
    with pytest.raises(AuthError):
        query(replace(address, password="neo4j"), "RETURN 1")  # noqa: S106 - the well-known one
    state = load_state(server.home)
    assert state is not None
    with pytest.raises(LoginRefusedError, match="NEO4J_PASSWORD"):
        answers(replace(state, password="another"))  # noqa: S106 - a wrong one


@pytest.mark.parametrize("url", ["file:///x.csv", "http://127.0.0.1:9/x.csv"])
def test_queries_load_neither_files_nor_pages(address: ServerAddress, url: str) -> None:
    with pytest.raises(Neo4jError, match=r"(?i)not allowed|disallowed|blocked|configuration"):
        query(address, "LOAD CSV FROM $url AS row RETURN row", url=url)


@pytest.mark.parametrize("page", ["", "mapgraph/guide.html", "mapgraph/style.grass"])
def test_the_browser_is_served_with_our_pages(address: ServerAddress, page: str) -> None:
    pages, _, login = address.browser.partition("?")
    assert login == f"dbms={address.uri.replace('//', f'//{address.username}@')}"
    with urllib.request.urlopen(pages + page) as answer:  # noqa: S310 - http, ours
        assert answer.status == 200
        if page:
            ours = files("mapgraph_neo.server") / "browser" / page.rpartition("/")[2]
            assert answer.read() == ours.read_bytes()


def test_every_query_of_the_guide_is_one(address: ServerAddress) -> None:
    guide = (files("mapgraph_neo.server") / "browser" / "guide.html").read_text(encoding="utf-8")
    found = [unescape(q) for q in re.findall(r"<pre [^>]*>(.*?)</pre>", guide, re.DOTALL)]

    for text in found[1:]:  # the first sets the parameters
        query(address, text, tenant="default", id="res:q3-report")


def test_another_start_finds_it_running(server: LocalServer) -> None:
    before = server.status().pid

    assert server.start() == server.address()
    assert server.status().pid == before
    with pytest.raises(ServerError, match="runs already, with heap 384m"):
        server.start(StartOptions(heap="1g"))


def test_a_process_id_that_was_never_written_down_is_found_again(server: LocalServer) -> None:
    state = load_state(server.home)
    assert state is not None
    save_state(server.home, replace(state, pid=None))

    assert server.status().state == "running"
    assert server.status().pid == state.pid
    server.start()
    assert load_state(server.home) == state


def test_after_kill_9_and_with_its_port_taken_it_starts_offline_with_its_data(
    server: LocalServer, address: ServerAddress
) -> None:
    query(address, "CREATE (:Kept {word: 'committed'})")
    process = psutil.Process(server.status().pid)
    process.kill()
    _gone(process)
    assert server.status().state == "crashed"
    assert find_running() is None

    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(taken, int(address.uri.rpartition(":")[2]))
        taken.listen()
        again = server.start(StartOptions(offline=True))

    assert again.uri != address.uri
    assert again.password == address.password
    assert query(again, "MATCH (k:Kept) RETURN k.word AS word")[0]["word"] == "committed"


def test_destroying_asks_first(server: LocalServer, folder: Path) -> None:
    asked = command(folder, "destroy", "--json")

    document, told = asked.communicate(timeout=60)
    assert asked.returncode == 2
    assert json.loads(document)["error"]["exit"] == 2
    assert "--yes" in told
    assert server.status().state == "running"


def test_stopped_it_says_so(server: LocalServer, folder: Path) -> None:
    assert server.stop()
    assert not server.stop()

    told = command(folder, "status", "--json")
    document, _ = told.communicate(timeout=60)
    assert told.returncode == 6
    assert json.loads(document)["state"] == "stopped"
    assert find_running() is None


def test_destroyed_nothing_is_left(server: LocalServer, folder: Path) -> None:
    gone = command(folder, "destroy", "--yes", "--json")

    document, _ = gone.communicate(timeout=60)
    assert gone.returncode == 0
    assert json.loads(document)["state"] == "absent"
    assert [path.name for path in folder.iterdir()] == ["default.lock"]
    assert server.logs(10) == []


def _bind(taken: socket.socket, port: int) -> None:
    """Take ``port`` as soon as the last thread of the killed process has let go of it."""
    end = time.monotonic() + 10
    while True:
        try:
            taken.bind(("127.0.0.1", port))
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return


def _gone(process: psutil.Process) -> None:
    """Wait until nobody runs under this id; whoever started it need not have noticed."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                return
        except psutil.NoSuchProcess:
            return
        time.sleep(0.05)
    pytest.fail("it does not die")
