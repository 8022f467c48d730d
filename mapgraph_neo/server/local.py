"""A private Neo4j Community server: start, stop, status, logs, destroy."""

import secrets
import shutil
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mapgraph_neo.errors import ServerError
from mapgraph_neo.private_files import locked
from mapgraph_neo.server.files import ensure_folder
from mapgraph_neo.server.jars import fetch_jars
from mapgraph_neo.server.java import find_java
from mapgraph_neo.server.launch import Kit, has_store, launch, wait_ready
from mapgraph_neo.server.locks import load_lock
from mapgraph_neo.server.overlay import browser_overlay
from mapgraph_neo.server.paths import DEFAULT_NAME, cache_root, check_server_name, servers_root
from mapgraph_neo.server.plan import check_same, plan_start
from mapgraph_neo.server.probe import LoginRefusedError, answers
from mapgraph_neo.server.process import CONSOLE, end_process, find_process, listens
from mapgraph_neo.server.report import Reporter, SilentReporter
from mapgraph_neo.server.state import STATE_FILE, ServerState, load_state, save_state
from mapgraph_neo.server.values import ServerAddress, ServerStatus, StartOptions

if TYPE_CHECKING:
    import psutil

STOP_SECONDS = 60.0
_AT_ONCE_SECONDS = 0.3
_PATIENCE_SECONDS = 900.0  # for another command on the same server, which may be downloading
_LEAVING = "destroyed"


class LocalServer:
    """One private server, by name. Commands that change it wait for one another."""

    def __init__(self, name: str = DEFAULT_NAME, *, reporter: Reporter | None = None) -> None:
        """Name the server; nothing is made or started.

        Raises:
            InvalidNameError: It cannot be a name.

        """
        self.name = check_server_name(name)
        self._root = servers_root()
        self.home = self._root / self.name
        self._reporter = reporter or SilentReporter()

    def start(self, options: StartOptions | None = None) -> ServerAddress:
        """Start the server, or find it running, and return its address once it answers.

        Raises:
            InputError: A size is none.
            ServerError: It cannot be started; the message says what to do.

        """
        options = options or StartOptions()
        with self._alone():
            state = load_state(self.home)
            process = find_process(self.home, state.pid if state else None)
            if state is not None and process is not None:
                check_same(state, options)
                state = replace(state, pid=process.pid)
                save_state(self.home, state)
                wait_ready(self.home, state, options.seconds)
            else:
                state = self._launch(plan_start(self.home, state, options), options)
        return _address(state)

    def stop(self, seconds: float = STOP_SECONDS) -> bool:
        """Stop the server; return whether it ran.

        Raises:
            ServerError: It cannot be stopped.

        """
        with self._alone():
            state = load_state(self.home)
            ran = self._end(state.pid if state else None, seconds)
            if state is not None and state.pid is not None:
                save_state(self.home, replace(state, pid=None))
            return ran

    def destroy(self) -> bool:
        """Stop the server and delete it with all its data; return whether there was one.

        Raises:
            ServerError: The folder is not one that we made.

        """
        with self._alone():
            there = self.home.is_dir()
            if there:
                ours = (self.home / STATE_FILE).is_file() or has_store(self.home)
                if self.home.is_symlink() or not ours:
                    message = f"{self.home} is no private server's folder; nothing was deleted"
                    raise ServerError(message)
                self._end(None, STOP_SECONDS)
                # Renamed first: killed half way, no half server is left under its name.
                self.home.rename(self._root / f"{self.name}.{_LEAVING}-{secrets.token_hex(4)}")
            for left in self._root.glob(f"{self.name}.{_LEAVING}-*"):
                shutil.rmtree(left)
            return there

    def status(self) -> ServerStatus:
        """Return what the server is doing; waits for nobody."""
        state = load_state(self.home)
        if state is None:
            return ServerStatus(name=self.name, state="absent", home=str(self.home))
        found = ServerStatus(
            name=self.name,
            state="stopped" if state.pid is None else "crashed",
            home=str(self.home),
            version=state.version,
            uri=state.uri,
            browser=state.browser_login,
            username=state.username,
            heap=state.heap,
            pagecache=state.pagecache,
        )
        process = find_process(self.home, state.pid)
        if process is None:
            return found
        with process.oneshot():
            return replace(
                found,
                state=_doing(state, process),
                pid=process.pid,
                memory_mb=round(process.memory_info().rss / 1e6),
                uptime_s=round(time.time() - process.create_time()),
            )

    def logs(self, lines: int) -> list[str]:
        """Return the last ``lines`` lines that the server wrote."""
        if lines < 1 or not self.log_file.is_file():
            return []
        return self.log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]

    @property
    def log_file(self) -> Path:
        """The file that the server writes its messages to."""
        return self.home / CONSOLE

    def address(self) -> ServerAddress | None:
        """Return the address of the server, if it is its own process that listens there."""
        state = load_state(self.home)
        if state is None:
            return None
        process = find_process(self.home, state.pid)
        if process is None or not listens(process, state.bolt):
            return None
        return _address(state)

    @contextmanager
    def _alone(self) -> Generator[None, None, None]:
        lock = ensure_folder(self._root) / f"{self.name}.lock"
        try:
            with ExitStack() as stack:
                if not stack.enter_context(locked(lock, _AT_ONCE_SECONDS)):
                    self._reporter.say(f"another command works on `{self.name}`; waiting for it")
                    if not stack.enter_context(locked(lock, _PATIENCE_SECONDS)):
                        message = f"another command still works on `{self.name}`; try later"
                        raise ServerError(message)
                yield
        except OSError as error:
            message = f"the server `{self.name}` cannot be worked on: {error}"
            raise ServerError(message) from error

    def _launch(self, wanted: ServerState, options: StartOptions) -> ServerState:
        lock = load_lock(wanted.version)
        java = find_java(lock)
        jars = fetch_jars(lock, cache_root(), self._reporter, offline=options.offline)
        browser = next(path for path in jars if path.name == lock.browser.filename)
        pages = browser_overlay(lock.browser, browser, cache_root())
        kit = Kit(
            java=java,
            classpath=[pages, *(jar for jar in jars if jar != browser)],
            entry_point=lock.entry_point,
        )
        self._reporter.say(f"starting Neo4j Community {lock.version} as `{self.name}`")
        fixed = options.bolt is not None or options.http is not None
        return launch(self.home, wanted, kit, fixed=fixed, seconds=options.seconds)

    def _end(self, pid: int | None, seconds: float) -> bool:
        process = find_process(self.home, pid)
        if process is not None and not end_process(process, seconds):
            self._reporter.say(
                f"`{self.name}` did not close in {seconds:g} s and was killed; nothing that was "
                "committed is lost, the next start recovers it"
            )
        return process is not None


def _address(state: ServerState) -> ServerAddress:
    return ServerAddress(
        name=state.name,
        uri=state.uri,
        username=state.username,
        password=state.password,
        browser=state.browser_login,
        version=state.version,
    )


def _doing(state: ServerState, process: "psutil.Process") -> str:
    try:
        ready = listens(process, state.bolt, state.http) and answers(state)
    except LoginRefusedError:
        return "locked-out"
    return "running" if ready else "starting"
