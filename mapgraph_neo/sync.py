"""Keeps this process's sidecar in step with the graph: one read a retrieval, with overlap."""

import logging
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.bases import Bases
from mapgraph_neo.context import Context, check_model, unknown_tenant
from mapgraph_neo.entries import principals_of
from mapgraph_neo.errors import SidecarError
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.profile import step
from mapgraph_neo.sidecar import EntryRow, Sidecar
from mapgraph_neo.sidecar_snapshot import load, save

_log = logging.getLogger(__name__)

OVERLAP = 64
"""Epochs read again at each sync: a reader can see an epoch before the entries of it."""
SETTLED_SECONDS = 10.0
"""From so long after it was first seen on, one more read of an epoch sees the whole of it."""
MOST_AT_ONCE = 20_000
"""Changes that one answer holds; more are read page by page."""
PAGE = 10_000
"""Entries that are held twice at most while they are loaded: as rows, and in the sidecar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What one sync read found."""

    epoch: int
    now_ms: int
    excluded: NDArray[np.int64]
    pending: bool
    hash_key: str = field(repr=False)


class Synchroniser:
    """The sidecar of one tenant in this process and the epoch that it has seen."""

    def __init__(self, context: Context) -> None:
        """Start empty; the first sync loads everything, from the snapshot what that holds."""
        self._context = context
        self._key = b""
        self._saved = -1
        self._sidecar: Sidecar | None = None
        self._seen = -1
        self._settled = -1
        self._recent: deque[tuple[float, int]] = deque()
        self.bases = Bases()
        self._lock = threading.Lock()
        self._first = threading.Lock()
        self._pending: dict[tuple[str, ...], NDArray[np.int64]] = {}

    @property
    def sidecar(self) -> Sidecar:
        """The sidecar; made on first use, since its dimension is the embedder's."""
        with self._lock:
            if self._sidecar is None:
                embedder = self._context.embedder
                self._sidecar = Sidecar(embedder.identity, embedder.dimension)
            return self._sidecar

    def sync(self, tx: Transaction) -> Synced:
        """Learn what changed; what is not learnt may cost recall, never safety.

        Raises:
            NotRegisteredError: The tenant was never initialised.
            EmbeddingError: Its vectors are of another model.

        """
        if self._seen >= 0:
            return self._sync(tx)
        with self._first:  # the first to come loads it, the others wait
            return self._sync(tx)

    def _sync(self, tx: Transaction) -> Synced:
        self._open(tx)
        begin = monotonic()
        since = max(-1, self._settled, self._seen - OVERLAP)
        rows = tx.run("sync/changes", tenant=self._context.tenant, since=since, most=MOST_AT_ONCE)
        if not rows:
            raise unknown_tenant(self._context.tenant)
        row = rows[0]
        check_model(row["model"], self._context)
        with step("learn changes"):
            self._learn(tx, row, since)
        self._settle(begin, since, row["epoch"])
        pending = tuple(sorted(row["pending"]))
        return Synced(
            epoch=row["epoch"],
            now_ms=row["now_ms"],
            excluded=self._excluded(tx, pending),
            pending=bool(pending),
            hash_key=row["hash_key"],
        )

    def save(self) -> bool:
        """Save the snapshot, if there is a place for one and anything new in it.

        What was erased meanwhile is learnt first, so that it does not come back to the disk.

        Raises:
            SidecarError: It cannot be written; the one before is still there.
            GraphError: The graph does not answer; nothing is saved.

        """
        snapshots, sidecar = self._context.snapshots, self._sidecar
        if snapshots is None or sidecar is None:
            return False
        self._context.graph.read(self.sync)
        with self._lock:
            if self._seen <= self._saved:
                return False
            owner = snapshots.owner(sidecar.identity, sidecar.dimension)
            done = save(snapshots.folder(owner), owner, sidecar, key=self._key)
            self._saved = self._seen if done else self._saved
            return done

    def _open(self, tx: Transaction) -> None:
        """Start from the snapshot, if it is whole, private, of this graph and not of its future."""
        snapshots = self._context.snapshots
        if snapshots is None or self._sidecar is not None:
            return
        found = tx.run("record/tenant", tenant=self._context.tenant)
        if not found:
            raise unknown_tenant(self._context.tenant)
        key = str(found[0]["hash_key"]).encode()
        embedder = self._context.embedder
        owner = snapshots.owner(embedder.identity, embedder.dimension)
        loaded = load(snapshots.folder(owner), owner, key=key, newest=found[0]["epoch"])
        _log.info("snapshot of the sidecar: %s", loaded.reason)
        with self._lock:
            if self._sidecar is None:
                self._key = key
                self._sidecar = loaded.sidecar
                if loaded.sidecar is not None:
                    self._seen = self._saved = loaded.sidecar.epoch

    def _settle(self, begin: float, since: int, epoch: int) -> None:
        """Note when ``epoch`` was first seen; what a late enough read covered is whole."""
        with self._lock:
            if not self._recent or epoch > self._recent[-1][1]:
                self._recent.append((begin, epoch))
            while self._recent and self._recent[0][0] + SETTLED_SECONDS <= begin:
                _, seen = self._recent.popleft()
                if seen > since:
                    self._settled = max(self._settled, seen)

    def _forget(self, sidecar: Sidecar, erased: Sequence[int]) -> None:
        """Erase for ever, in memory and on disk."""
        if not sidecar.forget(erased) or self._context.snapshots is None:
            return
        self._saved = -1
        try:
            self._context.snapshots.discard()
        except SidecarError as error:
            _log.warning("erased records: %s; delete the folder by hand", error)

    def _learn(self, tx: Transaction, row: Row, since: int) -> None:
        """Take over what changed; the epoch was read before, so nothing of it can be missed."""
        epoch, entries, sidecar = row["epoch"], row["entries"], self.sidecar
        if len(entries) <= MOST_AT_ONCE:
            for start in range(0, len(entries), PAGE):
                self._apply(tx, entries[start : start + PAGE])
        else:
            self._pages(tx, since)
        with self._lock:
            self._seen = max(self._seen, epoch)
            sidecar.apply([], {}, epoch)

    def _pages(self, tx: Transaction, since: int) -> None:
        after: int | None = -1
        while after is not None:
            page = tx.run(
                "sync/entries",
                tenant=self._context.tenant,
                since=since,
                after=after,
                limit=PAGE,
            )[0]
            self._apply(tx, page["entries"])
            after = page["last"]

    def _apply(self, tx: Transaction, rows: Sequence[Sequence[Any]]) -> None:
        entries = [_entry(values) for values in rows]
        sidecar = self.sidecar
        with self._lock:
            fresh = sidecar.missing([entry.seq for entry in entries])
            vectors = self._vectors(tx, fresh)
            loaded = [entry._replace(vectors=vectors.get(entry.seq)) for entry in entries]
            classes = self._classes(tx, sidecar, [entry.access_class for entry in entries])
            sidecar.apply(loaded, classes, -1)
            self._forget(sidecar, [values[0] for values in rows if values[8]])

    def _classes(
        self, tx: Transaction, sidecar: Sidecar, numbers: Sequence[int]
    ) -> dict[int, list[tuple[str, ...]]]:
        unknown = sorted(sidecar.unknown_classes(numbers))
        if not unknown:
            return {}
        rows = tx.run("sync/classes", tenant=self._context.tenant, numbers=unknown)
        return {row["number"]: [principals_of(clause) for clause in row["clauses"]] for row in rows}

    def _vectors(self, tx: Transaction, seqs: Sequence[int]) -> dict[int, bytes]:
        if not seqs:
            return {}
        rows = tx.run("sync/vectors", tenant=self._context.tenant, seqs=list(seqs))
        return {seq: vectors for seq, vectors in rows[0]["vectors"] if vectors}

    def _excluded(self, tx: Transaction, pending: tuple[str, ...]) -> NDArray[np.int64]:
        if not pending:
            self._pending.clear()
            return np.empty(0, dtype=np.int64)
        rows = tx.run("sync/pending_entries", tenant=self._context.tenant, ids=list(pending))
        return np.asarray(rows[0]["seqs"], dtype=np.int64)


def _entry(values: Sequence[Any]) -> EntryRow:
    seq, epoch, number, expires_ms, trust, floor, live, parts, _ = values
    return EntryRow(seq, epoch, number, expires_ms, trust, floor, live, None, parts)
