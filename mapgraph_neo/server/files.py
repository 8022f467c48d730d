"""Files and folders that only their owner may open."""

import os
import secrets
from pathlib import Path

PRIVATE_UMASK = 0o077 if os.name == "posix" else -1  # for child processes; -1 leaves it
_PRIVATE_FILE = 0o600
_PRIVATE_FOLDER = 0o700


def private_folder(path: Path) -> Path:
    """Return ``path``, made with all above it if need be; one that exists stays as it is."""
    path.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    return path


def close_folder(path: Path) -> Path:
    """Return ``path``, made if need be and closed to everybody but its owner; it must be ours."""
    private_folder(path)
    if os.name == "posix":
        path.chmod(_PRIVATE_FOLDER)
    return path


def write_private(path: Path, text: str) -> None:
    """Write ``path`` at once or not at all; it is never open to others, not even for a moment."""
    half = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with os.fdopen(os.open(half, flags, _PRIVATE_FILE), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
