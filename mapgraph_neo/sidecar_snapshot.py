"""Snapshots of the sidecar on disk: whole, private and of one tenant and model, or not served.

A snapshot is a manifest and the files that it names. The files of each save have fresh names and
the manifest is replaced last, so a crash leaves the snapshot before or the one after. Anything
that does not fit is refused with a reason; the sidecar is then rebuilt from the graph.
"""

import hashlib
import hmac
import json
import math
import re
import secrets
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from mapgraph_neo.errors import SidecarError
from mapgraph_neo.private_files import (
    is_private_folder,
    locked,
    make_private_folder,
    open_private,
    replace_durably,
    write_durably,
)
from mapgraph_neo.processors import available_processors
from mapgraph_neo.sidecar import Sidecar
from mapgraph_neo.sidecar_rows import ENTRY

FORMAT = 1
MANIFEST = "manifest.json"
LOCK = "lock"
LOAD_WAIT_SECONDS = 10.0
HEADER = (1, 0)  # of .npy files

OURS = re.compile(r"[0-9a-f]{16}-(classes\.json|entries\.npy|vectors-\d+\.npy|manifest\.json)")
FLOAT = np.dtype("<f4")

Digests = dict[str, str]

_UNREADABLE = (
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RecursionError,
    SidecarError,
    TypeError,
    ValueError,
)
"""What reading a file that is not what it claims to be can end in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose vectors they are: a snapshot of another owner is never read."""

    tenant: str
    database: str
    identity: str
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A sidecar from its snapshot, or ``None`` with the reason why it must be rebuilt."""

    sidecar: Sidecar | None
    reason: str


class _RefusedError(Exception):
    """The snapshot does not fit; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshots:
    """The snapshots that this process may keep below ``base`` of one tenant of one database."""

    base: Path
    tenant: str
    database: str

    def owner(self, identity: str, dimension: int) -> Owner:
        """Return the owner of the snapshot for one embedding model."""
        return Owner(
            tenant=self.tenant, database=self.database, identity=identity, dimension=dimension
        )

    def folder(self, owner: Owner) -> Path:
        """Return the folder of the owner's snapshot."""
        return self._folder() / _digest(owner.identity, owner.dimension)

    def discard(self) -> None:
        """Delete all of them, as after an erasure.

        Raises:
            SidecarError: One cannot be deleted, or another process keeps it locked.

        """
        folder = self._folder()
        if folder.exists():
            for each in sorted(folder.iterdir()):
                discard(each)

    def _folder(self) -> Path:
        return self.base / _digest(self.tenant, self.database)


def _digest(*parts: str | int) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def save(folder: Path, owner: Owner, sidecar: Sidecar, *, key: bytes = b"") -> bool:
    """Save ``sidecar``; ``False`` and nothing done if another process is saving just now.

    ``key`` seals the manifest: only who knows it can make a snapshot that :func:`load` takes.

    Raises:
        SidecarError: It cannot be written; the snapshot before is still there.

    """
    if (sidecar.identity, sidecar.dimension) != (owner.identity, owner.dimension):
        message = f"the sidecar is of model `{sidecar.identity}`, not of `{owner.identity}`"
        raise SidecarError(message)
    with _disk_errors("saved"):
        make_private_folder(folder)
        with locked(folder / LOCK, 0.0) as held:
            if held:
                _save(folder, owner, sidecar, key)
            return held


def load(folder: Path, owner: Owner, *, key: bytes = b"", newest: int | None = None) -> Loaded:
    """Return the owner's sidecar if its snapshot is whole, private, sealed by ``key`` and its own.

    ``newest`` is the epoch of the graph: a snapshot from later was made by a graph that was
    restored since, and is refused.
    """
    try:
        if not (folder / MANIFEST).exists():
            return Loaded(sidecar=None, reason="there is no snapshot")
        if not is_private_folder(folder):
            return Loaded(sidecar=None, reason="the folder is not private to its owner")
        with locked(folder / LOCK, LOAD_WAIT_SECONDS) as held:
            if not held:
                return Loaded(sidecar=None, reason="another process is writing it")
            return Loaded(sidecar=_load(folder, owner, key, newest), reason="loaded")
    except _RefusedError as error:
        return Loaded(sidecar=None, reason=str(error))
    except _UNREADABLE as error:
        return Loaded(sidecar=None, reason=f"it cannot be read: {error}")


def discard(folder: Path) -> None:
    """Delete the snapshot, as after an erasure; harmless if there is none.

    Raises:
        SidecarError: It cannot be deleted, or another process keeps it locked.

    """
    if not folder.exists():
        return
    with _disk_errors("deleted"), locked(folder / LOCK, LOAD_WAIT_SECONDS) as held:
        if not held:
            message = "the snapshot cannot be deleted: another process is using it"
            raise SidecarError(message)
        (folder / MANIFEST).unlink(missing_ok=True)
        _sweep(folder)


def _save(folder: Path, owner: Owner, sidecar: Sidecar, key: bytes) -> None:
    _sweep(folder)
    prefix = secrets.token_hex(8)
    try:
        manifest = _write_files(folder, prefix, owner, sidecar)
        manifest["seal"] = _seal(manifest, key)
        temporary = folder / f"{prefix}-manifest.json"
        write_durably(temporary, lambda file: _write_json(file, manifest))
        replace_durably(temporary, folder / MANIFEST)
    finally:
        _sweep(folder)


def _write_files(folder: Path, prefix: str, owner: Owner, sidecar: Sidecar) -> dict[str, Any]:
    epoch, entries, blocks = sidecar.dump()
    classes = sidecar.classes.items()
    digests: Digests = {}
    _write(folder / f"{prefix}-classes.json", lambda file: _write_json(file, classes), digests)
    _write(folder / f"{prefix}-entries.npy", lambda file: _write_array(file, entries), digests)
    for number, block in enumerate(blocks):
        name = f"{prefix}-vectors-{number:05}.npy"
        _write(folder / name, lambda file, block=block: _write_array(file, block), digests)
    return {"format": FORMAT, **asdict(owner), "epoch": epoch, "files": digests}


def _write(path: Path, write: Callable[[IO[bytes]], None], digests: Digests) -> None:
    """Write a file and note its SHA-256."""
    write_durably(path, write)
    with open_private(path) as file:
        digests[path.name] = hashlib.file_digest(file, "sha256").hexdigest()


def _write_json(file: IO[bytes], value: object) -> None:
    file.write(json.dumps(value).encode())


def _write_array(file: IO[bytes], array: NDArray[Any]) -> None:
    npy.write_array(file, array, version=HEADER, allow_pickle=False)


def _load(folder: Path, owner: Owner, key: bytes, newest: int | None) -> Sidecar:
    manifest = _manifest(folder, owner, key)
    epoch, digests = manifest["epoch"], manifest["files"]
    if newest is not None and epoch > newest:
        message = f"it is of epoch {epoch}, the graph of {newest}: the graph was restored"
        raise _RefusedError(message)
    sidecar = Sidecar(owner.identity, owner.dimension)
    names = sorted(digests)
    classes = next((name for name in names if name.endswith("-classes.json")), "")
    sidecar.classes.add_all(dict(json.loads(_read_bytes(folder / classes, digests[classes]))))
    entries = next((name for name in names if name.endswith("-entries.npy")), "")

    def block(name: str) -> NDArray[np.float32]:
        return _read_array(folder / name, digests[name], FLOAT, (owner.dimension,))

    with ThreadPoolExecutor(available_processors()) as pool:
        sidecar.restore(
            epoch,
            _read_array(folder / entries, digests[entries], ENTRY, ()),
            pool.map(block, [name for name in names if "-vectors-" in name]),
        )
    return sidecar


def _manifest(folder: Path, owner: Owner, key: bytes) -> dict[str, Any]:
    """Return the manifest if it is sealed by ``key``, of this format and of ``owner``."""
    with open_private(folder / MANIFEST) as file:
        manifest = json.loads(file.read())
    seal = manifest.pop("seal")
    if not hmac.compare_digest(seal, _seal(manifest, key)):
        message = "the manifest was altered, or is of another graph"
        raise _RefusedError(message)
    if manifest["format"] != FORMAT:
        message = f"it has format {manifest['format']}, this release reads {FORMAT}"
        raise _RefusedError(message)
    for name, value in asdict(owner).items():
        if manifest[name] != value:
            message = f"its {name} is `{manifest[name]}`, not `{value}`"
            raise _RefusedError(message)
    sound = all(OURS.fullmatch(name) for name in manifest["files"])
    if type(manifest["epoch"]) is not int or not sound:
        message = "the manifest is malformed"
        raise _RefusedError(message)
    return manifest


def _read_bytes(path: Path, digest: str) -> bytes:
    with open_private(path) as file:
        content = file.read()
    _check(path, hashlib.sha256(content).hexdigest(), digest)
    return content


def _read_array(
    path: Path, digest: str, kind: np.dtype[Any], shape: tuple[int, ...]
) -> NDArray[Any]:
    """Return the array in ``path``: any number of items of ``kind`` and ``shape``, no pickle."""
    with open_private(path) as file:
        if npy.read_magic(file) != HEADER:
            message = f"{path.name} is no array of ours"
            raise _RefusedError(message)
        found, _, dtype = npy.read_array_header_1_0(file)
        start = file.tell()
        size = math.prod(found) * kind.itemsize
        if dtype != kind or found[1:] != shape or path.stat().st_size != start + size:
            message = f"{path.name} is cut, or no array of ours"
            raise _RefusedError(message)
        array = np.empty(found, kind)
        read = file.readinto(array.reshape(-1).view(np.uint8).data)
        file.seek(0)
        content = hashlib.sha256(file.read(start))
    content.update(array.reshape(-1).view(np.uint8).data)
    if read != size:
        message = f"{path.name} is cut"
        raise _RefusedError(message)
    _check(path, content.hexdigest(), digest)
    return array


def _check(path: Path, found: str, digest: str) -> None:
    if not hmac.compare_digest(found, digest):
        message = f"{path.name} was altered"
        raise _RefusedError(message)


def _seal(manifest: dict[str, Any], key: bytes) -> str:
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _sweep(folder: Path) -> None:
    """Delete the files of saves that the manifest does not name."""
    try:
        named = set(json.loads((folder / MANIFEST).read_bytes())["files"])
    except (OSError, ValueError, TypeError, KeyError):
        named = set[str]()
    for path in folder.iterdir():
        if OURS.fullmatch(path.name) and path.name not in named:
            path.unlink(missing_ok=True)


@contextmanager
def _disk_errors(what: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        message = f"the snapshot cannot be {what}: {error.strerror or error}"
        raise SidecarError(message) from error
