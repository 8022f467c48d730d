"""The store to compare with: similarity alone, copies with no record of where they came from."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from mapgraph_neo import Embedder


def found(patterns: Iterable[re.Pattern[str]], texts: Iterable[str]) -> list[str]:
    """Return the patterns that any of the texts holds."""
    held = list(texts)
    return [each.pattern for each in patterns if any(each.search(text) for text in held)]


class FlatStore:
    """Texts by id and the vectors of their windows; deleting an id deletes that text alone."""

    def __init__(self, embedder: Embedder) -> None:
        """Start empty."""
        self._embedder = embedder
        self._texts: dict[str, str] = {}
        self._vectors: dict[str, np.ndarray] = {}

    def add(self, texts: dict[str, str]) -> None:
        """Keep texts."""
        for node, text in texts.items():
            self._texts[node] = text
            self._vectors[node] = self._embed(self._embedder.split(text))

    def delete(self, node: str) -> None:
        """Delete one text, as a store does that knows of no copies."""
        self._texts.pop(node, None)
        self._vectors.pop(node, None)

    def retrieve(self, query: str, k: int) -> list[str]:
        """Return the ``k`` most similar texts by the best window of each."""
        wanted = self._embed([query])[0]
        scores = {node: float((rows @ wanted).max()) for node, rows in self._vectors.items()}
        best = sorted(scores, key=lambda node: -scores[node])[:k]
        return [self._texts[node] for node in best]

    def _embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.asarray(self._embedder.embed(texts), np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
