"""The server's own small uses of private files."""

import os
import secrets
from pathlib import Path
from typing import IO

from mapgraph_neo.private_files import make_private_folder, replace_durably, write_durably

PRIVATE_UMASK = 0o077 if os.name == "posix" else -1  # for child processes; -1 leaves it


def ensure_folder(path: Path) -> Path:
    """Return ``path``, made private if it is missing; one that exists may be the person's own."""
    if not path.is_dir():
        make_private_folder(path)
    return path


def write_private(path: Path, text: str) -> None:
    """Write ``path`` whole or not at all; nobody else can open it, not even for a moment."""
    half = path.with_name(f".{path.name}.{secrets.token_hex(4)}")

    def write(file: IO[bytes]) -> None:
        file.write(text.encode())

    write_durably(half, write)
    replace_durably(half, path)
