"""Files that only their owner may touch: written whole or not at all, locked between processes."""

import contextlib
import os
import stat
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FOLDER_MODE = 0o700
FILE_MODE = 0o600
OTHERS = 0o077
POLL_SECONDS = 0.05


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and what is missing above it, for the owner alone."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        with contextlib.suppress(FileExistsError):
            missing.mkdir(mode=FOLDER_MODE)
    if os.name == "posix":
        folder.chmod(FOLDER_MODE)


def create(path: Path) -> IO[bytes]:
    """Open a new file for writing, for the owner alone."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _FLAGS, FILE_MODE), "wb")


def open_private(path: Path) -> BufferedReader:
    """Open a file for reading, if it is a plain one that only its owner may touch.

    Raises:
        PermissionError: Another user owns it or may touch it, or it is no plain file.

    """
    file = os.fdopen(os.open(path, os.O_RDONLY | _FLAGS), "rb")
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode) or not _private(status):
        file.close()
        message = f"{path.name} is not private to its owner"
        raise PermissionError(message)
    return file


def is_private_folder(folder: Path) -> bool:
    """Return whether ``folder`` is a real folder that only its owner, this user, may touch."""
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and _private(status)


def write_durably(path: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Create ``path`` by ``write``; on return it is on the disk, on an error it is gone."""
    try:
        with create(path) as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def replace_durably(temporary: Path, path: Path) -> None:
    """Let ``temporary`` take the place of ``path`` in one step that survives a crash."""
    temporary.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def locked(path: Path, seconds: float) -> Generator[bool]:
    """Hold the lock file ``path``; ``False`` if another process still holds it after ``seconds``.

    The system lets go of it when the process ends, however it ends.
    """
    number = os.open(path, os.O_RDWR | os.O_CREAT | _FLAGS, FILE_MODE)
    try:
        deadline = time.monotonic() + seconds
        held = _try_lock(number)
        while not held and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            held = _try_lock(number)
        yield held
    finally:
        os.close(number)


def _private(status: os.stat_result) -> bool:
    if os.name != "posix":
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & OTHERS


def _try_lock(number: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
