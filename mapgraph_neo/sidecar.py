"""The vector sidecar: an in-process cache of all entries that ranks within eligible ids only."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mapgraph_neo.access_classes import AccessClasses
from mapgraph_neo.errors import EmbeddingError, SidecarError
from mapgraph_neo.sidecar_rank import Candidate, Cursor, Ranking
from mapgraph_neo.sidecar_rows import NO_EXPIRY, UNIT_TOLERANCE, EntryRow, read_rows
from mapgraph_neo.sidecar_store import Applied, Store
from mapgraph_neo.sidecar_table import UNKNOWN, View

__all__ = ["Applied", "Candidate", "Cursor", "Eligible", "EntryRow", "Ranking", "Sidecar"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Clauses = Mapping[int, Iterable[Sequence[str]]]

_MAKER = object()
"""Known to this module alone, so that nobody else makes an ``Eligible``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """For whom and when eligible records were asked for."""

    principals: frozenset[str]
    classes: int
    now_ms: int
    excluded: Ints
    trust_floor: float

    def same(self, other: "_Asked") -> bool:
        """Return whether only the time differs."""
        return (
            self.principals == other.principals
            and self.classes == other.classes
            and self.trust_floor == other.trust_floor
            and np.array_equal(self.excluded, other.excluded)
        )


class Eligible:
    """The records that one agent may be offered, as of one moment; only a sidecar makes it."""

    __slots__ = ("_asked", "_rows", "_store", "_until_ms", "_view")

    def __init__(self, maker: object, store: Store, view: View, rows: Ints, asked: _Asked) -> None:
        """Refuse every maker but a sidecar."""
        if maker is not _MAKER:
            message = "only a sidecar says what is eligible"
            raise TypeError(message)
        self._store = store
        self._view = view
        self._rows = rows
        self._asked = asked
        self._until_ms = int(view.expires_ms[rows].min()) if len(rows) else NO_EXPIRY

    def __len__(self) -> int:
        """Return how many records there are."""
        return len(self._rows)

    def __contains__(self, seq: object) -> bool:
        """Return whether the record of this seq is eligible."""
        return seq in self.seqs().tolist()

    def seqs(self) -> Ints:
        """Return the seqs, ascending."""
        return np.sort(self._view.seq[self._rows])

    def holds(self, view: View, asked: _Asked) -> bool:
        """Return whether the same records are eligible for what is asked now."""
        return (
            view is self._view
            and asked.same(self._asked)
            and self._asked.now_ms <= asked.now_ms < self._until_ms
        )

    def rank(self, store: Store, query: Floats, *, trust_valid: bool) -> Ranking:
        """Rank these records, and no others, by the store that they were found in."""
        if store is not self._store:
            message = "eligible records of one sidecar cannot be ranked by another"
            raise SidecarError(message)
        view, rows = self._view, self._rows
        similarities = store.similarities(query, view, rows)
        return Ranking(view.seq[rows], similarities, view.trust[rows] if trust_valid else None)


class Sidecar:
    """Vectors, classes, expiries and trust of one tenant's records, for one embedding model.

    Everything here is in the graph too; nothing here is proof. Readers take no lock.
    """

    def __init__(self, identity: str, dimension: int) -> None:
        """Start empty, for vectors of the model ``identity``."""
        self.identity = identity
        self.dimension = dimension
        self.epoch = -1
        self.classes = AccessClasses()
        self._lock = threading.Lock()
        self._store = Store(dimension)

    def __len__(self) -> int:
        """Return how many entries are known, live or not."""
        return len(self._store.view.seq)

    @property
    def vector_bytes(self) -> int:
        """Bytes that the vectors take."""
        return self._store.vector_bytes

    def apply(self, rows: Iterable[EntryRow], classes: Clauses, epoch: int) -> Applied:
        """Take over ``rows`` and ``classes``, which hold up to ``epoch``.

        Idempotent: a row older than what is known of its seq changes nothing, so overlapping
        reads may come in any order. What was erased stays erased.

        Raises:
            SidecarError: A class has two meanings; rebuild from the graph.

        """
        self.classes.add_all(classes)
        batch = read_rows(rows, self.dimension)
        with self._lock:
            applied = self._store.apply(batch)
            self.epoch = max(self.epoch, epoch)
        return applied

    def known(self, seqs: ArrayLike) -> Bools:
        """Return for each of ``seqs`` whether its vectors are held, or were erased for ever."""
        with self._lock:
            return self._store.known(np.asarray(seqs, np.int64))

    def missing(self, seqs: Sequence[int]) -> list[int]:
        """Return those of ``seqs`` whose vectors must be fetched from the graph."""
        known = self.known(seqs).tolist()
        return [seq for seq, held in zip(seqs, known, strict=True) if not held]

    def unknown_classes(self, numbers: Iterable[int]) -> set[int]:
        """Return those of ``numbers`` whose clauses must be fetched from the graph."""
        return {number for number in numbers if number not in self.classes}

    def forget(self, seqs: ArrayLike) -> int:
        """Erase records for ever: vectors overwritten, never taken over again.

        A snapshot on disk still holds them until it is saved again or discarded. Returns how
        many were not erased before.
        """
        with self._lock:
            return self._store.forget(np.asarray(seqs, np.int64))

    def eligible(
        self,
        principals: frozenset[str],
        now_ms: int,
        excluded: Ints,
        trust_floor: float,
        *,
        former: Eligible | None = None,
    ) -> Eligible:
        """Return the records that ``principals`` may be offered at ``now_ms``.

        Live, of a class that is satisfied, not expired (ends are exclusive), not among the seqs
        ``excluded``, and on no source below ``trust_floor``. An empty set of principals is
        nobody: nothing is eligible. ``former`` is returned if the same records still are.
        """
        asked = _Asked(
            principals=principals,
            classes=self.classes.version,
            now_ms=now_ms,
            excluded=excluded,
            trust_floor=trust_floor,
        )
        view = self._store.view
        if former is not None and former.holds(view, asked):
            return former
        chosen = self.classes.admits(view.access_class, principals)
        chosen &= view.live
        chosen &= view.expires_ms > now_ms
        chosen &= view.floor >= trust_floor
        if len(excluded):
            rows = view.order.find(np.asarray(excluded, np.int64))
            chosen[rows[rows != UNKNOWN]] = False
        return Eligible(_MAKER, self._store, view, np.flatnonzero(chosen), asked)

    def withheld(
        self, query: ArrayLike, eligible: Eligible, k: int, *, least: float
    ) -> tuple[int, ...]:
        """Return the seqs among the ``k`` most similar live records that are not eligible.

        Only those of a cosine of ``least`` or more count. For the gate's exclusion signal alone;
        nothing of it reaches an agent.
        """
        view = self._store.view
        live = np.flatnonzero(view.live)
        similarities = self._store.similarities(self._query(query), view, live)
        best = np.argsort(-similarities, kind="stable")[:k]
        relevant = live[best[similarities[best] >= least]]
        allowed = set(eligible.seqs().tolist())
        return tuple(seq for seq in view.seq[relevant].tolist() if seq not in allowed)

    def rank(self, query: ArrayLike, eligible: Eligible, *, trust_valid: bool = True) -> Ranking:
        """Return the eligible records by the most that their score can be.

        The bound is ``max(0, cosine) * min(1, trust)``; with ``trust_valid=False``, when the kept
        trust is of another policy, ``max(0, cosine)``. A record without vectors counts as
        cosine 0. Nothing that is not eligible is looked at.

        Raises:
            EmbeddingError: The query is no unit vector of this dimension.
            SidecarError: ``eligible`` is of another sidecar.

        """
        return eligible.rank(self._store, self._query(query), trust_valid=trust_valid)

    def dump(self) -> tuple[int, NDArray[Any], Iterator[Floats]]:
        """Return the epoch, all entries by class and seq, and their vectors in that order.

        The vectors come in whole blocks, the last of which may be shorter.
        """
        with self._lock:
            return self.epoch, *self._store.dump()

    def restore(self, epoch: int, entries: NDArray[Any], blocks: Iterable[Floats]) -> None:
        """Fill an empty sidecar with what :meth:`dump` returned.

        Raises:
            SidecarError: They do not fit together.

        """
        with self._lock:
            self._store.restore(entries, blocks)
            self.epoch = epoch

    def _query(self, query: ArrayLike) -> Floats:
        try:
            vector = np.ascontiguousarray(query, np.float32)
        except (TypeError, ValueError) as error:
            message = f"the query is no vector: {error}"
            raise EmbeddingError(message) from None
        length = float(np.sqrt(np.square(vector, dtype=np.float64).sum()))
        if vector.shape != (self.dimension,) or not abs(length - 1.0) <= UNIT_TOLERANCE:
            message = f"the query is no unit vector of {self.dimension} dimensions"
            raise EmbeddingError(message)
        return vector
