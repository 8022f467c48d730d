"""The entries of a sidecar as columns: readers hold views that never change."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.sidecar_rows import ENTRY

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
Bools = NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)

UNKNOWN = -1
"""The row of a seq that the table does not hold."""


@dataclass(frozen=True, slots=True)
class View:
    """All entries as of one moment: one place in each array for each row."""

    seq: Ints
    access_class: Ints
    expires_ms: Ints
    trust: Reals
    floor: Reals
    live: Bools
    first: Ints  # place of the first vector
    parts: Ints  # how many vectors
    order: "Order"
    plain: bool  # every entry has exactly one vector


class Column(Generic[Kind]):
    """A growing array. A view of it stays as it is: appends go behind it, changes to a copy."""

    def __init__(self, kind: type[Kind]) -> None:
        """Start empty."""
        self._data: NDArray[Kind] = np.empty(0, kind)
        self._count = 0

    def view(self) -> NDArray[Kind]:
        """Return what the column holds, read-only."""
        found = self._data[: self._count]
        found.flags.writeable = False
        return found

    def append(self, values: NDArray[Any]) -> None:
        """Add ``values`` at the end; room for an eighth more is kept."""
        end = self._count + len(values)
        if end > len(self._data):
            grown = np.empty(max(end, len(self._data) * 9 // 8, 16), self._data.dtype)
            grown[: self._count] = self.view()
            self._data = grown
        self._data[self._count : end] = values
        self._count = end

    def change(self, rows: Ints, values: NDArray[Any]) -> bool:
        """Set ``values`` at ``rows``, in a copy; return whether one of them differed."""
        differs = self._data[rows] != values
        if not differs.any():
            return False
        self._data = self._data.copy()
        self._data[rows[differs]] = values[differs]
        return True

    def insert(self, places: Ints, values: NDArray[Any]) -> None:
        """Put ``values`` before ``places``, in a copy."""
        self._data = np.insert(self.view(), places, values)
        self._count = len(self._data)


@dataclass(frozen=True, slots=True)
class Order:
    """Where each seq stands: seqs, ascending, and the row of each."""

    seqs: Ints
    rows: Ints

    def find(self, seqs: Ints) -> Ints:
        """Return the row of each of ``seqs``, or ``UNKNOWN``."""
        found = np.full(len(seqs), UNKNOWN, np.int64)
        if len(self.seqs):
            at = np.minimum(np.searchsorted(self.seqs, seqs), len(self.seqs) - 1)
            here = self.seqs[at] == seqs
            found[here] = self.rows[at[here]]
        return found


class Table:
    """The writer's side; every method but ``view`` needs the writer's lock."""

    def __init__(self) -> None:
        """Start without entries."""
        self._seq = Column(np.int64)
        self._access_class = Column(np.int64)
        self._expires_ms = Column(np.int64)
        self._trust = Column(np.float64)
        self._floor = Column(np.float64)
        self._live = Column(np.bool_)
        self._first = Column(np.int64)
        self._parts = Column(np.int64)
        self._epoch = Column(np.int64)
        self._erased = Column(np.bool_)
        self._order_seqs = Column(np.int64)
        self._order_rows = Column(np.int64)
        self._plain = True
        self.view = self._look()

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self._seq.view())

    def epochs(self, rows: Ints) -> Ints:
        """Return the epochs at ``rows``."""
        return self._epoch.view()[rows]

    def erased(self, rows: Ints) -> Bools:
        """Return which of ``rows`` were erased for ever."""
        return self._erased.view()[rows]

    def append(self, entries: NDArray[Any], first: Ints) -> None:
        """Add ``entries`` whose seqs are new; ``first`` are the places of their vectors."""
        rows = np.arange(len(self), len(self) + len(entries), dtype=np.int64)
        for name, column in self._columns():
            column.append(entries[name])
        self._first.append(first)
        self._plain = self._plain and bool((entries["parts"] == 1).all())
        self._index(entries["seq"], rows)

    def change(self, rows: Ints, entries: NDArray[Any]) -> bool:
        """Take over ``entries`` at ``rows``, but not vectors or erasure; return if any differed."""
        kept = {"seq", "parts", "erased"}
        changed = [
            column.change(rows, entries[name])
            for name, column in self._columns()
            if name not in kept
        ]
        return any(changed)

    def attach(self, rows: Ints, first: Ints, parts: Ints) -> None:
        """Point ``rows`` at vectors."""
        self._first.change(rows, first)
        self._parts.change(rows, parts)
        self._plain = bool((self._parts.view() == 1).all())

    def close(self, rows: Ints) -> None:
        """Mark ``rows`` as erased for ever, without vectors."""
        self._live.change(rows, np.zeros(len(rows), np.bool_))
        self._erased.change(rows, np.ones(len(rows), np.bool_))
        self.attach(rows, np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64))

    def publish(self) -> None:
        """Let readers see what was done; one assignment, so they see all of it or nothing."""
        self.view = self._look()

    def entries(self) -> NDArray[Any]:
        """Return a copy of all entries in the order of their rows."""
        found = np.zeros(len(self), ENTRY)
        for name, column in self._columns():
            found[name] = column.view()
        return found

    def _look(self) -> View:
        return View(
            seq=self._seq.view(),
            access_class=self._access_class.view(),
            expires_ms=self._expires_ms.view(),
            trust=self._trust.view(),
            floor=self._floor.view(),
            live=self._live.view(),
            first=self._first.view(),
            parts=self._parts.view(),
            order=Order(self._order_seqs.view(), self._order_rows.view()),
            plain=self._plain,
        )

    def _index(self, seqs: Ints, rows: Ints) -> None:
        sort = np.argsort(seqs)
        seqs, rows = seqs[sort], rows[sort]
        known = self._order_seqs.view()
        if len(known) == 0 or len(seqs) == 0 or seqs[0] > known[-1]:
            self._order_seqs.append(seqs)
            self._order_rows.append(rows)
        else:
            places = np.searchsorted(known, seqs)
            self._order_seqs.insert(places, seqs)
            self._order_rows.insert(places, rows)

    def _columns(self) -> tuple[tuple[str, Column[Any]], ...]:
        return (
            ("seq", self._seq),
            ("access_class", self._access_class),
            ("expires_ms", self._expires_ms),
            ("trust", self._trust),
            ("floor", self._floor),
            ("live", self._live),
            ("parts", self._parts),
            ("epoch", self._epoch),
            ("erased", self._erased),
        )
