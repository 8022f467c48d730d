"""Embedders: what they must do, how one is loaded by name, and the check of what they return."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.errors import EmbeddingError

Floats = NDArray[np.float32]

ENTRY_POINTS = "mapgraph_neo.embedders"
"""The group in which other packages offer embedders: a function without arguments for each."""
BUILT_IN = {"st": "mapgraph_neo.embedders.st", "lite": "mapgraph_neo.embedders.lite"}
SHORTEST, LONGEST = 1e-6, 1e6
"""The length of a vector before it is normalised; outside float32 has no direction left."""
CACHED_VECTORS = 512


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors.

    An embedder may have the attribute ``repeatable = True``: the same text then always gives the
    same vector, and vectors of single texts, such as queries, are kept for a while.
    """

    @property
    def identity(self) -> str:
        """Name, dimension and fingerprint of the weights: equal if and only if the model is."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector of length 1 for each text, as one row each."""
        ...

    def split(self, text: str, /) -> list[str]:
        """Return overlapping windows that the model takes whole; a short text as it is."""
        ...


def load_embedder(embedder: "str | Embedder") -> Embedder:
    """Return the embedder of this name, or the object itself if it is one.

    ``st`` and ``lite`` are ours; other names are those of installed entry points.

    Raises:
        EmbeddingError: No such embedder, its extra is not installed, or it is malformed.

    """
    found: object = _load(embedder) if isinstance(embedder, str) else embedder
    if not isinstance(found, Embedder):
        message = f"embedder `{embedder}` lacks one of: identity, dimension, embed, split"
        raise EmbeddingError(message)
    _check_form(found.identity, found.dimension)
    return found


def checked(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """Return the vectors of ``texts``: finite, of length 1, of the right shape, contiguous.

    Raises:
        EmbeddingError: The embedder failed, or one of its vectors cannot be used.

    """
    if len(texts) == 1 and getattr(embedder, "repeatable", False) is True:
        key = (embedder.identity, hashlib.sha256(_encoded(texts[0])).digest())
        vector = _kept.get(key)
        if vector is None:
            vector = _embed(embedder, texts)
            _kept.put(key, vector)
        return vector.copy()
    return _embed(embedder, texts)


def extra_missing(extra: str, reason: object) -> EmbeddingError:
    """Return the error for an embedder whose packages are not installed."""
    return EmbeddingError(
        f'embedder `{extra}` is not installed ({reason}); run pip install "mapgraph-neo[{extra}]"'
    )


def _check_form(identity: object, dimension: object) -> None:
    if not isinstance(identity, str) or not identity:
        message = f"an embedder's identity is a non-empty string, not `{identity}`"
        raise EmbeddingError(message)
    if type(dimension) is not int or dimension < 1:
        message = f"embedder `{identity}`: its dimension is a whole number, not `{dimension}`"
        raise EmbeddingError(message)


def _load(name: str) -> object:
    if name in BUILT_IN:
        return cast("Callable[[], object]", import_module(BUILT_IN[name]).load)()
    for entry_point in entry_points(group=ENTRY_POINTS, name=name):
        try:
            return entry_point.load()()
        except EmbeddingError:
            raise
        except Exception as error:
            message = f"embedder `{name}` cannot be loaded: {error}"
            raise EmbeddingError(message) from error
    installed = {*BUILT_IN, *(each.name for each in entry_points(group=ENTRY_POINTS))}
    message = f"no embedder `{name}`; there are {', '.join(sorted(installed))}"
    raise EmbeddingError(message)


def _embed(embedder: Embedder, texts: Sequence[str]) -> Floats:
    if not len(texts):
        return np.empty((0, embedder.dimension), np.float32)
    try:
        raw: object = embedder.embed(texts)
    except EmbeddingError:
        raise
    except Exception as error:
        message = f"embedder `{embedder.identity}` failed: {error}"
        raise EmbeddingError(message) from error
    return _normalised(raw, len(texts), embedder)


def _normalised(raw: object, count: int, embedder: Embedder) -> Floats:
    """Return ``raw`` as unit vectors, or refuse it."""
    where = f"embedder `{embedder.identity}` returned"
    try:
        array = np.asarray(raw)
    except ValueError:
        array = np.empty(0, object)
    if array.dtype.kind != "f":
        message = f"{where} no floating-point numbers"
        raise EmbeddingError(message)
    if array.shape != (count, embedder.dimension):
        message = f"{where} the shape {array.shape}, not {(count, embedder.dimension)}"
        raise EmbeddingError(message)
    wide = array.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.sqrt(np.square(wide).sum(axis=1))
    bad = np.flatnonzero(~((lengths >= SHORTEST) & (lengths <= LONGEST)))
    if len(bad):
        message = f"{where} a vector that is zero, infinite or no number (text {int(bad[0])})"
        raise EmbeddingError(message)
    return np.ascontiguousarray(wide / lengths[:, np.newaxis], np.float32)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Kept:
    """The vectors last used, by model and digest of the text; the text itself is not kept."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = threading.Lock()
        self._vectors: OrderedDict[tuple[str, bytes], Floats] = OrderedDict()

    def get(self, key: tuple[str, bytes]) -> Floats | None:
        """Return the vector kept for ``key``."""
        with self._lock:
            if key in self._vectors:
                self._vectors.move_to_end(key)
            return self._vectors.get(key)

    def put(self, key: tuple[str, bytes], vector: Floats) -> None:
        """Keep ``vector``; the one longest unused makes room."""
        with self._lock:
            self._vectors[key] = vector
            if len(self._vectors) > CACHED_VECTORS:
                self._vectors.popitem(last=False)


_kept = _Kept()
