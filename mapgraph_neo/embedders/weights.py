"""A fingerprint of model weights: of the numbers, not of the folder or the file's layout."""

import hashlib
import json
from pathlib import Path
from typing import Any

CHUNK = 1 << 22


def fingerprint(folder: Path) -> str:
    """Return a SHA-256 over name, type, shape and bytes of every tensor of weights in ``folder``.

    The same weights in another folder, or saved again, have the same fingerprint; whole numbers,
    such as positions, are no weights, and come and go between releases.

    Raises:
        FileNotFoundError: There are no ``.safetensors`` files.
        ValueError: One of them is malformed.

    """
    tensors: list[tuple[str, Path, int, dict[str, Any]]] = []
    for path in sorted(folder.rglob("*.safetensors")):
        start, header = _header(path)
        part = path.relative_to(folder).parent.as_posix()
        tensors += [
            (f"{part}/{name}", path, start, about)
            for name, about in header.items()
            if name != "__metadata__" and "F" in about["dtype"]
        ]
    if not tensors:
        message = f"no .safetensors files in {folder}"
        raise FileNotFoundError(message)
    digest = hashlib.sha256()
    for name, path, start, about in sorted(tensors, key=lambda each: each[0]):
        digest.update(json.dumps([name, about["dtype"], about["shape"]]).encode())
        _update(digest, path, start + about["data_offsets"][0], start + about["data_offsets"][1])
    return digest.hexdigest()


def _header(path: Path) -> tuple[int, dict[str, Any]]:
    """Return where the data of a safetensors file start, and what it says of each tensor."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > path.stat().st_size:
            message = f"{path.name} is no safetensors file"
            raise ValueError(message)
        return 8 + size, json.loads(file.read(size))


def _update(digest: Any, path: Path, start: int, end: int) -> None:  # noqa: ANN401 - hashlib's
    with path.open("rb") as file:
        file.seek(start)
        while start < end:
            chunk = file.read(min(CHUNK, end - start))
            if not chunk:
                message = f"{path.name} is cut"
                raise ValueError(message)
            digest.update(chunk)
            start += len(chunk)
