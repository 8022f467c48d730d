"""Starts that go wrong, with a made-up Java that ends at once or never answers."""

import socket
from pathlib import Path

import psutil
import pytest

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server.java import Java
from mapgraph_neo.server.launch import Kit, launch
from mapgraph_neo.server.ports import free_ports
from mapgraph_neo.server.process import end_process, find_process
from mapgraph_neo.server.state import ServerState, load_state

SETUP = 'case "$1" in *setup.args) exit 0;; esac\n'


@pytest.fixture
def state() -> ServerState:
    bolt, http = free_ports([None, None])
    return ServerState(
        name="one",
        version="2026.08.1",
        password="word",  # noqa: S106 - made up
        heap="64m",
        pagecache="8m",
        bolt=bolt,
        http=http,
    )


def kit(folder: Path, script: str) -> Kit:
    java = folder / "java"
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o700)
    return Kit(java=Java(path=java, major=25), classpath=[folder], entry_point="Main")


def test_one_that_ends_says_what_it_said(tmp_path: Path, state: ServerState) -> None:
    broken = kit(tmp_path, SETUP + "echo it broke; exit 3")

    with pytest.raises(ServerError, match=r"(?s)ended while it started.*console\.log.*it broke"):
        launch(tmp_path / "one", state, broken, fixed=False, seconds=30)


def test_a_port_taken_meanwhile_is_changed(tmp_path: Path, state: ServerState) -> None:
    taken = kit(tmp_path, SETUP + "echo Address localhost:1 is already in use; exit 1")

    with pytest.raises(ServerError, match="already in use"):
        launch(tmp_path / "one", state, taken, fixed=False, seconds=30)

    tried = (tmp_path / "one" / "logs" / "console.log").read_text().count("already in use")
    assert tried == 3
    last = load_state(tmp_path / "one")
    assert last is not None
    assert last.bolt != state.bolt


def test_a_port_asked_for_is_not_changed(tmp_path: Path, state: ServerState) -> None:
    taken = kit(tmp_path, SETUP + "echo Address localhost:1 is already in use; exit 1")

    with pytest.raises(ServerError, match="already in use"):
        launch(tmp_path / "one", state, taken, fixed=True, seconds=30)

    tried = (tmp_path / "one" / "logs" / "console.log").read_text().count("already in use")
    assert tried == 1


def test_a_first_password_that_cannot_be_set_is_not_shown(
    tmp_path: Path, state: ServerState
) -> None:
    broken = kit(tmp_path, "echo cannot set word; exit 1")

    with pytest.raises(ServerError, match=r"could not be set: cannot set \*\*\*$"):
        launch(tmp_path / "one", state, broken, fixed=False, seconds=30)

    assert not (tmp_path / "one" / "conf" / "setup.args").exists()


def test_one_that_answers_to_nothing_is_left_running_and_said_so(
    tmp_path: Path, state: ServerState
) -> None:
    home = tmp_path / "one"
    mute = kit(tmp_path, SETUP + "while :; do sleep 0.1; done")

    with pytest.raises(ServerError, match="does not answer after 1 s, but still runs"):
        launch(home, state, mute, fixed=False, seconds=1)

    found = load_state(home)
    assert found is not None
    process = find_process(home, found.pid)
    assert process is not None
    assert end_process(process, 10)
    assert find_process(home, found.pid) is None


def test_one_that_does_not_end_is_killed(tmp_path: Path, state: ServerState) -> None:
    home = tmp_path / "one"
    stubborn = kit(tmp_path, SETUP + "trap '' TERM; while :; do sleep 0.1; done")
    with pytest.raises(ServerError):
        launch(home, state, stubborn, fixed=False, seconds=0.5)
    process = find_process(home, None)
    assert process is not None

    assert not end_process(process, 0.3)
    assert not psutil.pid_exists(process.pid) or process.status() == psutil.STATUS_ZOMBIE


def test_a_stranger_on_its_port_is_not_taken_for_it(tmp_path: Path, state: ServerState) -> None:
    """Nobody even connects to it, let alone tells it the password."""
    home = tmp_path / "one"
    mute = kit(tmp_path, SETUP + "while :; do sleep 0.1; done")
    with socket.socket() as bolt, socket.socket() as http:
        for stranger, port in ((bolt, state.bolt), (http, state.http)):
            stranger.bind(("127.0.0.1", port))
            stranger.listen()
            stranger.settimeout(0.01)
        with pytest.raises(ServerError, match="does not answer"):
            launch(home, state, mute, fixed=True, seconds=1)
        for stranger in (bolt, http):
            with pytest.raises(TimeoutError):
                stranger.accept()

    process = find_process(home, None)
    assert process is not None
    end_process(process, 10)
