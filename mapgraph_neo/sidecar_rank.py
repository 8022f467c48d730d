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
        wide = similarities.astype(np.float64)
        self._products = wide if trust is None else wide * np.minimum(trust, 1.0)

    def __len__(self) -> int:
        """Return how many candidates there are."""
        return len(self._seqs)

    def start(self) -> "Cursor":
        """Return a new cursor before the best candidate."""
        return Cursor(self._seqs, self._similarities, self._products)


class Cursor:
    """One pass through a ranking: bound descending, then seq ascending, each record once.

    For one thread.
    """

    def __init__(self, seqs: Ints, similarities: Floats, products: Reals) -> None:
        """Start before the best; a bound is a product of similarity and trust, at least 0."""
        self._seqs = seqs
        self._similarities = similarities
        self._products = products
        self._untaken = np.ones(len(seqs), np.bool_)
        self._remaining = len(seqs)
        self._sorted = np.empty(0, np.int64)
        self._size = 0

    def take(self, n: int) -> list[Candidate]:
        """Return the next ``n`` candidates, fewer only if no more are left."""
        n = max(0, n)
        while len(self._sorted) < n and self._remaining:
            self._sort_more(2 * n)
        taken, self._sorted = self._sorted[:n], self._sorted[n:]
        return [
            Candidate(*each)
            for each in zip(
                self._seqs[taken].tolist(),
                self._similarities[taken].tolist(),
                self._bounds(taken).tolist(),
                strict=True,
            )
        ]

    def next_bound(self) -> float | None:
        """Return the most that any record not yet taken can score; ``None`` if none is left."""
        following = self._following()
        return None if following is None else self._bounds(following).item()

    def settles(self, score: float, seq: int) -> bool:
        """Return whether nothing left can come before a hit of this score and seq.

        Hits are ordered by score descending, then seq ascending.
        """
        following = self._following()
        if following is None:
            return True
        bound = self._bounds(following).item()
        return score > bound or (score == bound and seq < self._seqs[following].item())

    def _following(self) -> Ints | None:
        if not len(self._sorted) and self._remaining:
            self._sort_more(SMALLEST_BATCH)
        return self._sorted[:1] if len(self._sorted) else None

    def _sort_more(self, n: int) -> None:
        """Sort at least the next ``n`` of what is left; each turn doubles."""
        self._size = max(n, 2 * self._size, SMALLEST_BATCH)
        if self._size >= self._remaining:
            best = np.flatnonzero(self._untaken)
        elif self._remaining == len(self._seqs):
            best = _best(self._products, self._seqs, self._size)
        else:
            left = np.flatnonzero(self._untaken)
            best = left[_best(self._products[left], self._seqs[left], self._size)]
        order = np.lexsort((self._seqs[best], -self._bounds(best)))
        self._untaken[best] = False
        self._remaining -= len(best)
        self._sorted = np.concatenate((self._sorted, best[order]))

    def _bounds(self, places: Ints) -> Reals:
        return np.maximum(self._products[places], 0.0)


def _best(products: Reals, seqs: Ints, n: int) -> Ints:
    """Return where the ``n`` highest bounds are; of equal ones those of the lowest seqs.

    Products are partitioned, not bounds: so many bounds are 0 that it would be slow.
    """
    last = np.partition(products, len(products) - n)[len(products) - n]
    above = np.flatnonzero(products > max(last, 0.0))
    equal = np.flatnonzero(products == last if last > 0 else products <= 0)
    wanted = n - len(above)
    if wanted < len(equal):
        equal = equal[np.argpartition(seqs[equal], wanted - 1)[:wanted]]
    return np.concatenate((above, equal))
