"""One start of a server: configuration, first password, process, and the wait until it answers."""

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mapgraph_neo.errors import ServerError
from mapgraph_neo.private_files import make_private_folder
from mapgraph_neo.server.config import (
    ARGUMENTS,
    server_arguments,
    setup_arguments,
    write_configuration,
)
from mapgraph_neo.server.files import PRIVATE_UMASK, write_private
from mapgraph_neo.server.java import Java, clean_environment
from mapgraph_neo.server.ports import free_ports
from mapgraph_neo.server.probe import answers
from mapgraph_neo.server.process import CONSOLE, find_process, listens, spawn
from mapgraph_neo.server.state import ServerState, save_state

FOLDERS = ("conf", "data", "logs", "run", "import", "plugins")
_SETUP = "conf/setup.args"
_SYSTEM_DATABASE = "data/databases/system"  # from here on the first password is in the store
_SETUP_SECONDS = 300
_STARTS = 3  # a port that was free may be taken before the server gets to it
_POLL_SECONDS = 0.15
_SHOWN_LINES = 12
_PORT_TAKEN = ("already in use", "BindException")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a server is run with."""

    java: Java
    classpath: Sequence[Path]
    entry_point: str


class _PortTakenError(ServerError):
    """Somebody else took the port after it was found free."""


def has_store(home: Path) -> bool:
    """Return whether a server has ever run in ``home``."""
    return (home / _SYSTEM_DATABASE).exists()


def launch(home: Path, state: ServerState, kit: Kit, *, fixed: bool, seconds: float) -> ServerState:
    """Start the server of ``home`` and return its state once it answers a query.

    Args:
        home: The folder of the server.
        state: What it is to be; ports that are taken by now are changed, unless ``fixed``.
        kit: Java and jars.
        fixed: Whether other ports would be wrong.
        seconds: How long to wait.

    Raises:
        ServerError: It ended, or did not answer in time.

    """
    make_private_folder(home)
    for folder in FOLDERS:
        make_private_folder(home / folder)
    save_state(home, state)  # before the password is used: killed here, nothing is locked out
    write_configuration(home, state)
    if not has_store(home):
        _set_first_password(home, state, kit)
    for last in (*[False] * (_STARTS - 1), True):
        try:
            return _start(home, state, kit, seconds)
        except _PortTakenError:
            if last or fixed:
                raise
            bolt, http = free_ports([None, None])
            state = replace(state, bolt=bolt, http=http)
    raise AssertionError  # the last round returns or raises


def wait_ready(home: Path, state: ServerState, seconds: float, *, seen: int = 0) -> None:
    """Return once the server answers a query.

    Args:
        home: The folder of the server.
        state: Its state.
        seconds: How long to wait.
        seen: How much of its console was written before this start.

    Raises:
        ServerError: It ended, or did not answer in time.

    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        process = find_process(home, state.pid)
        if process is None:
            raise _ended(home, seen)
        if listens(process, state.bolt, state.http) and answers(state):
            return
        time.sleep(_POLL_SECONDS)
    message = (
        f"the server `{state.name}` does not answer after {seconds:g} s, but still runs; "
        f"wait (`mapgraph server status`), read {home / CONSOLE}, or stop it"
    )
    raise ServerError(message)


def _start(home: Path, state: ServerState, kit: Kit, seconds: float) -> ServerState:
    write_configuration(home, state)
    arguments = server_arguments(home, state, kit.java, kit.classpath, kit.entry_point)
    write_private(home / ARGUMENTS, arguments)
    console = home / CONSOLE
    seen = console.stat().st_size if console.is_file() else 0
    child = spawn(kit.java.path, home)
    state = replace(state, pid=child.pid)
    save_state(home, state)
    wait_ready(home, state, seconds, seen=seen)
    return state


def _ended(home: Path, seen: int) -> ServerError:
    console = home / CONSOLE
    text = console.read_bytes()[seen:].decode(errors="replace") if console.is_file() else ""
    shown = "\n".join(text.splitlines()[-_SHOWN_LINES:])
    message = f"the server ended while it started; {console} ends with:\n{shown}"
    if any(words in text for words in _PORT_TAKEN):
        return _PortTakenError(message)
    return ServerError(message)


def _set_first_password(home: Path, state: ServerState, kit: Kit) -> None:
    """Give the new store its password, by Neo4j's own tool; the arguments are in a private file."""
    arguments = home / _SETUP
    write_private(arguments, setup_arguments(state, kit.classpath))
    folders = {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    try:
        done = subprocess.run(  # noqa: S603 - our own words, no shell
            [str(kit.java.path), f"@{arguments}"],
            env=clean_environment() | folders,
            capture_output=True,
            text=True,
            timeout=_SETUP_SECONDS,
            check=False,
            umask=PRIVATE_UMASK,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"the first password could not be set: {error}"
        raise ServerError(message) from None
    finally:
        arguments.unlink(missing_ok=True)
    if done.returncode:
        said = (done.stdout + done.stderr).replace(state.password, "***")[-500:].strip()
        message = f"the first password could not be set: {said}"
        raise ServerError(message)
