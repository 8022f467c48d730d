"""An embedder that is loaded on its first use, so that what needs no vector needs no model."""

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.embedding import Embedder, load_embedder


class DeferredEmbedder:
    """Stands for the embedder called ``name`` and loads it when it is first asked for anything."""

    def __init__(self, name: str) -> None:
        """Remember the name."""
        self._name = name
        self._loaded: Embedder | None = None
        self._lock = threading.Lock()

    @property
    def repeatable(self) -> bool:
        """Whether the same text always gives the same vector."""
        return bool(getattr(self._embedder(), "repeatable", False))

    @property
    def identity(self) -> str:
        """Name, dimension and fingerprint of the weights."""
        return self._embedder().identity

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._embedder().dimension

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector of length 1 for each text."""
        return self._embedder().embed(texts)

    def split(self, text: str, /) -> list[str]:
        """Return overlapping windows that the model takes whole."""
        return self._embedder().split(text)

    def _embedder(self) -> Embedder:
        with self._lock:
            if self._loaded is None:
                self._loaded = load_embedder(self._name)
            return self._loaded
