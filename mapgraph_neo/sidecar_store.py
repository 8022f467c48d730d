"""The writer's side of a sidecar: rows and their vectors, taken over, erased, dumped, restored."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.errors import SidecarError
from mapgraph_neo.sidecar_rows import ENTRY, Batch
from mapgraph_neo.sidecar_table import UNKNOWN, Table, View
from mapgraph_neo.sidecar_vectors import BLOCK, VectorBlocks

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What rows did: how many were new, changed or older than what was known.

    ``refused`` are the seqs whose vectors cannot be used.
    """

    added: int
    changed: int
    stale: int
    refused: tuple[int, ...]


class Store:
    """Entries with their vectors. One thread at a time writes; any number read a ``view``."""

    def __init__(self, dimension: int) -> None:
        """Start empty."""
        self._table = Table()
        self._vectors = VectorBlocks(dimension)

    @property
    def view(self) -> View:
        """All entries as of now."""
        return self._table.view

    @property
    def vector_bytes(self) -> int:
        """Bytes that the vectors take."""
        return self._vectors.nbytes

    def similarities(self, query: Floats, view: View, rows: Ints) -> Floats:
        """Return the best cosine among the vectors of each row; 0 for a row without vectors."""
        if view.plain:
            return self._vectors.similarities(query, view.first[rows])
        found = np.zeros(len(rows), np.float32)
        parts = view.parts[rows]
        with_vectors = np.flatnonzero(parts)
        if len(with_vectors):
            first, parts = view.first[rows[with_vectors]], parts[with_vectors]
            each = self._vectors.similarities(query, _places(first, parts))
            found[with_vectors] = np.maximum.reduceat(each, np.cumsum(parts) - parts)
        return found

    def known(self, seqs: Ints) -> Bools:
        """Return for each of ``seqs`` whether its vectors are held, or were erased for ever."""
        view = self.view
        rows = view.order.find(seqs)
        here = rows != UNKNOWN
        found = np.zeros(len(seqs), np.bool_)
        found[here] = (view.parts[rows[here]] > 0) | self._table.erased(rows[here])
        return found

    def apply(self, batch: Batch) -> Applied:
        """Take over what is new or not older than what is known; publish it in one step."""
        entries, table, view = batch.entries, self._table, self.view
        rows = view.order.find(entries["seq"])
        fresh = rows == UNKNOWN
        old = np.flatnonzero(~fresh)
        current, erased = fresh.copy(), np.zeros(len(rows), np.bool_)
        current[old] = entries["epoch"][old] >= table.epochs(rows[old])
        erased[old] = table.erased(rows[old])
        entries["live"] &= ~erased
        store = (entries["parts"] > 0) & current & ~erased
        store[old] &= self._differs(batch, rows, old)
        first = self._keep(batch, store)
        table.append(entries[fresh], first[fresh])
        update, attach = current & ~fresh, store & ~fresh
        changed = table.change(rows[update], entries[update])
        if attach.any():
            table.attach(rows[attach], first[attach], entries["parts"][attach])
        if changed or fresh.any() or attach.any():
            table.publish()
            self._vectors.erase(_places(view.first[rows[attach]], view.parts[rows[attach]]))
        return Applied(
            added=int(fresh.sum()),
            changed=int(update.sum()),
            stale=len(rows) - int(current.sum()),
            refused=batch.refused,
        )

    def forget(self, seqs: Ints) -> int:
        """Erase records for ever, also those that are not known yet; return how many were new."""
        seqs = np.unique(seqs)
        rows = self.view.order.find(seqs)
        here = np.flatnonzero(rows != UNKNOWN)
        done = np.zeros(len(seqs), np.bool_)
        done[here] = self._table.erased(rows[here])
        seqs = seqs[~done]
        if not len(seqs):
            return 0
        unknown = seqs[self.view.order.find(seqs) == UNKNOWN]
        entries = np.zeros(len(unknown), ENTRY)
        entries["seq"] = unknown
        self._table.append(entries, np.zeros(len(entries), np.int64))
        self._table.publish()
        view = self.view
        rows = view.order.find(seqs)
        self._table.close(rows)
        self._table.publish()
        self._vectors.erase(_places(view.first[rows], view.parts[rows]))
        return len(seqs)

    def dump(self) -> tuple[NDArray[Any], Iterator[Floats]]:
        """Return all entries by class and seq, and their vectors in that order, in blocks."""
        entries, view = self._table.entries(), self.view
        order = np.lexsort((entries["seq"], entries["access_class"]))
        places = _places(view.first[order], view.parts[order])
        blocks = (
            self._vectors.gather(places[start : start + BLOCK])
            for start in range(0, len(places), BLOCK)
        )
        return entries[order], blocks

    def restore(self, entries: NDArray[Any], blocks: Iterable[Floats]) -> None:
        """Fill an empty store with what :meth:`dump` returned.

        Raises:
            SidecarError: They do not fit together.

        """
        for block in blocks:
            self._vectors.adopt(block)
        parts: Ints = entries["parts"]
        distinct = len(np.unique(entries["seq"])) == len(entries)
        fits = distinct and bool((parts >= 0).all()) and int(parts.sum()) == len(self._vectors)
        if len(self._table) or not fits:
            message = "entries and vectors do not fit together; rebuild the sidecar"
            raise SidecarError(message)
        self._table.append(entries, np.cumsum(parts) - parts)
        self._table.publish()

    def _differs(self, batch: Batch, rows: Ints, old: Ints) -> Bools:
        """Return whether the vectors offered for known rows are missing, or newer and others."""
        view, offered = self.view, batch.entries["parts"]
        starts = np.cumsum(offered) - offered
        newer = batch.entries["epoch"][old] > self._table.epochs(rows[old])
        found = view.parts[rows[old]] == 0
        for at in np.flatnonzero(~found & newer & (offered[old] > 0)).tolist():
            row, start, parts = int(rows[old[at]]), int(starts[old[at]]), int(offered[old[at]])
            places = np.arange(view.first[row], view.first[row] + view.parts[row])
            held = self._vectors.gather(places)
            found[at] = not np.array_equal(held, batch.vectors[start : start + parts])
        return found

    def _keep(self, batch: Batch, store: Bools) -> Ints:
        """Keep the vectors of the entries to ``store`` and return the first place of each."""
        parts = batch.entries["parts"]
        kept = np.where(store, parts, 0)
        vectors = batch.vectors
        if int(kept.sum()) < len(vectors):
            vectors = vectors[_places(np.cumsum(parts)[store] - parts[store], parts[store])]
        place = self._vectors.append(vectors)
        return place + np.cumsum(kept) - kept


def _places(first: Ints, parts: Ints) -> Ints:
    """Return all places of vectors: ``parts`` consecutive ones from each of ``first`` on."""
    skipped = first - (np.cumsum(parts) - parts)
    return np.repeat(skipped, parts) + np.arange(int(parts.sum()), dtype=np.int64)
