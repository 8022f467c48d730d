"""The embedder ``lite``: the static word vectors that the package wordllama brings; no torch."""

import hashlib
import logging
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.embedders.windows import windows
from mapgraph_neo.embedding import extra_missing
from mapgraph_neo.errors import EmbeddingError

EXTRA = "lite"
NAME = "wordllama-l2-supercat"
DIMENSION = 256
WINDOW = 64
"""Tokens; the mean of many more says nothing about any of them."""
OVERLAP = 16


class LiteEmbedder:
    """The mean of static token vectors: fast and small, weaker than ``st``."""

    repeatable = True

    def __init__(self, model: Any) -> None:  # noqa: ANN401 - wordllama has no types
        """Use a loaded ``WordLlamaInference``."""
        self._model = model
        self.dimension = int(model.embedding.shape[1])
        digest = hashlib.sha256(np.ascontiguousarray(model.embedding, "<f4").data).hexdigest()
        self.identity = f"{NAME}:{self.dimension}:{digest[:16]}"
        self._tokenizer = type(model.tokenizer).from_str(model.tokenizer.to_str())
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one vector for each text; a text without tokens has none and is refused later."""
        vectors = np.asarray(self._model.embed(list(texts)), np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, lengths, out=vectors, where=lengths > 0)

    def split(self, text: str, /) -> list[str]:
        """Return overlapping windows of ``text``."""
        return windows(self._tokenizer, text, size=WINDOW, overlap=OVERLAP)


def load() -> LiteEmbedder:
    """Return the embedder, from the files inside the installed package; no network is used.

    Raises:
        EmbeddingError: The extra ``lite`` is not installed, or its files are not there.

    """
    try:
        with _quiet_import():
            wordllama = import_module("wordllama")
    except ImportError as error:
        raise extra_missing(EXTRA, error) from None
    # Named as the cache, the package's own folder is searched for the tokenizer too: asked
    # without one, wordllama 0.4 looks for it in a folder of another name, and would download.
    folder = Path(str(wordllama.__file__)).parent
    try:
        model = wordllama.WordLlama.load(cache_dir=folder, dim=DIMENSION, disable_download=True)
    except (OSError, ValueError) as error:
        message = f"the vectors of wordllama cannot be loaded: {error}"
        raise EmbeddingError(message) from error
    return LiteEmbedder(model)


_importing = threading.Lock()


@contextmanager
def _quiet_import() -> Generator[None]:
    """Keep wordllama from setting up logging for the whole process, which it does on import."""
    silent = logging.NullHandler()
    root = logging.getLogger()
    with _importing:
        root.addHandler(silent)
        try:
            yield
        finally:
            root.removeHandler(silent)
