"""The operating system's side of a server: find, start and end its process.

A process is ours when its command line names the argument file of the server's own folder, so
neither a process id that was given to somebody else, nor one that was never written down because
we were killed, leads to the wrong process.
"""

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from mapgraph_neo.server.config import ARGUMENTS
from mapgraph_neo.server.extras import local_extra
from mapgraph_neo.server.files import PRIVATE_UMASK
from mapgraph_neo.server.java import clean_environment

if TYPE_CHECKING:
    import psutil

CONSOLE = "logs/console.log"
_CONSOLE_BYTES = 5_000_000  # a larger one is set aside at the next start
_KILL_SECONDS = 10.0

# Children that still run when this process goes on without them; held so that they can be reaped.
_children: list[subprocess.Popen[bytes]] = []


def find_process(home: Path, pid: int | None) -> "psutil.Process | None":
    """Return the running process of the server in ``home``, first looked for at ``pid``."""
    with local_extra():
        import psutil  # noqa: PLC0415 - an optional package
    mark = _mark(home)
    if pid is not None:
        try:
            process = psutil.Process(pid)
            if mark in process.cmdline():
                return process
        except psutil.Error:
            pass
    for process in psutil.process_iter():
        try:
            if mark in process.cmdline():
                return process
        except psutil.Error:
            continue
    return None


def listens(process: "psutil.Process", *ports: int) -> bool:
    """Return whether this very process listens on ``ports``: only then may it see a password."""
    import psutil  # noqa: PLC0415 - here already, or there would be no process

    try:
        found = process.net_connections("inet")
    except psutil.Error:
        return False
    return {each.laddr.port for each in found if each.status == psutil.CONN_LISTEN} >= set(ports)


def spawn(java: Path, home: Path) -> subprocess.Popen[bytes]:
    """Start the server of ``home``, on its own: it outlives us, and our terminal."""
    console = home / CONSOLE
    if console.is_file() and console.stat().st_size > _CONSOLE_BYTES:
        console.replace(console.with_suffix(".log.1"))
    with os.fdopen(os.open(console, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as log:
        child = subprocess.Popen(  # noqa: S603 - our own words, no shell
            [str(java), _mark(home)],
            cwd=home,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=os.name == "posix",
            creationflags=_detached(),
            umask=PRIVATE_UMASK,
        )
    _children.append(child)
    return child


def end_process(process: "psutil.Process", seconds: float) -> bool:
    """End the process; return whether it closed its store itself, not killed after ``seconds``."""
    import psutil  # noqa: PLC0415 - here already, or there would be no process

    try:
        process.terminate()  # on Windows this kills; the next start then recovers the store
        process.wait(seconds)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        process.kill()
        process.wait(_KILL_SECONDS)
        return False
    finally:
        _reap()
    return True


def _reap() -> None:
    _children[:] = [child for child in _children if child.poll() is None]


def _mark(home: Path) -> str:
    return f"@{home / ARGUMENTS}"


def _detached() -> int:
    if os.name != "nt":
        return 0
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return int(group | getattr(subprocess, "DETACHED_PROCESS", 0))
