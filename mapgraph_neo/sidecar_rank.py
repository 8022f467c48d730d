"""Candidates of one retrieval, best bound first; exact, progressive and repeatable."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Reals = NDArray[np.float64]

SMALLEST_BATCH = 64
"""Candidates sorted at least at once."""


class Candidate(NamedTuple):
    """An eligible record with its similarity and the most that its score can be."""

    seq: int
    similarity: float
    bound: float


class Ranking:
    """All eligible records of one query; every :meth:`start` goes through them from the best on.

    Immutable, so a transaction that is tried again starts again.
    """

    def __init__(self, seqs: Ints, similarities: Floats, trust: Reals | None) -> None:
        """Rank ``seqs``, ascending or not, by ``max(0, similarity) * min(1, trust)``."""
        self._seqs = seqs
        self._similarities = similarities
        bounds = np.maximum(similarities, 0).astype(np.float64)
        self._bounds = bounds if trust is None else bounds * np.minimum(trust, 1.0)

    def __len__(self) -> int:
        """Return how many candidates there are."""
        return len(self._seqs)

    def start(self) -> "Cursor":
        """Return a new cursor before the best candidate."""
        return Cursor(self._seqs, self._similarities, self._bounds)


class Cursor:
    """One pass through a ranking: bound descending, then seq ascending, each record once.

    For one thread.
    """

    def __init__(self, seqs: Ints, similarities: Floats, bounds: Reals) -> None:
        """Start before the best."""
        self._seqs = seqs
        self._similarities = similarities
        self._bounds = bounds
        self._untaken = np.ones(len(seqs), np.bool_)
        self._remaining = len(seqs)
        self._sorted = np.empty(0, np.int64)
        self._size = 0

    def take(self, n: int) -> list[Candidate]:
        """Return the next ``n`` candidates, fewer only if no more are left."""
        while len(self._sorted) < n and self._remaining:
            self._sort_more(2 * n)
        taken, self._sorted = self._sorted[:n], self._sorted[n:]
        return [
            Candidate(*each)
            for each in zip(
                self._seqs[taken].tolist(),
                self._similarities[taken].tolist(),
                self._bounds[taken].tolist(),
                strict=True,
            )
        ]

    def next_bound(self) -> float | None:
        """Return the most that any record not yet taken can score; ``None`` if none is left."""
        following = self._following()
        return None if following is None else float(self._bounds[following])

    def settles(self, score: float, seq: int) -> bool:
        """Return whether nothing left can come before a hit of this score and seq.

        Hits are ordered by score descending, then seq ascending.
        """
        following = self._following()
        if following is None:
            return True
        bound = float(self._bounds[following])
        return score > bound or (score == bound and seq < int(self._seqs[following]))

    def _following(self) -> int | None:
        if not len(self._sorted) and self._remaining:
            self._sort_more(SMALLEST_BATCH)
        return int(self._sorted[0]) if len(self._sorted) else None

    def _sort_more(self, n: int) -> None:
        """Sort at least the next ``n`` of what is left; each turn doubles."""
        self._size = max(n, 2 * self._size, SMALLEST_BATCH)
        left = np.flatnonzero(self._untaken)
        best = left if self._size >= len(left) else self._best(left, self._size)
        order = np.lexsort((self._seqs[best], -self._bounds[best]))
        self._untaken[best] = False
        self._remaining = len(left) - len(best)
        self._sorted = np.concatenate((self._sorted, best[order]))

    def _best(self, left: Ints, n: int) -> Ints:
        """Return the ``n`` best of ``left``; of equal bounds those with the lowest seqs."""
        bounds = self._bounds[left]
        last = np.partition(bounds, len(left) - n)[len(left) - n]
        above = left[bounds > last]
        equal = left[bounds == last]
        wanted = n - len(above)
        if wanted < len(equal):
            equal = equal[np.argpartition(self._seqs[equal], wanted - 1)[:wanted]]
        return np.concatenate((above, equal))
