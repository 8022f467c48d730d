"""Works out anew what is kept for every record, and notes where the graph has something else.

One pass over the records, parents first, from the sources as they are now, so that a parent's
wrong entry cannot hide a child's. Records with a malformed lineage are left out: the ancestry
path query closes them, and other checks name what is malformed.
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from mapgraph_neo.context import Context, Progress, content_hash
from mapgraph_neo.doctor_kept import differences, proper_class, usable_vectors, wrong_vectors
from mapgraph_neo.entries import (
    Own,
    Parent,
    Values,
    as_parent,
    kept_trust,
    link_of,
    parent_of,
    work_out,
)
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.rework import own_of
from mapgraph_neo.vocabulary import NodeLabel

BATCH = 2_000
_RECORDS = (NodeLabel.MEMORY, NodeLabel.CLAIM, NodeLabel.MESSAGE)


@dataclass(slots=True)
class Kept:
    """What is wrong with what is kept: by finding and kind the ids, and what a fix needs."""

    wrong: dict[str, dict[str, list[str]]] = field(default_factory=dict[str, dict[str, list[str]]])
    roots: list[str] = field(default_factory=list[str])  # differ, though none above them does
    entries: list[int] = field(default_factory=list[int])  # numbers of records without a proper one
    vectors: list[str] = field(default_factory=list[str])
    classes: list[int] = field(default_factory=list[int])
    integrity: dict[str, str] = field(default_factory=dict[str, str])
    hashed: int = 0  # how many hashes were compared, of records and sources
    unlike: int = 0  # and how many of them differ

    @property
    def key_lost(self) -> bool:
        """Whether no hash at all fits: then the tenant's key was changed, not every text."""
        return self.unlike > 1 and self.unlike == self.hashed

    def add(self, finding: str, what: str, node: object) -> None:
        """Note that ``node`` differs."""
        self.wrong.setdefault(finding, {}).setdefault(what, []).append(str(node))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What one read gave of the next records."""

    rows: list[Row]
    now: datetime
    vectors: Mapping[int, bytes]


def review(context: Context, tenant: Row, progress: Progress) -> Kept:
    """Return what differs in all that is kept for the records of the tenant."""
    work = _Review(context, tenant)
    work.begin(context.graph.read(lambda tx: _begin(tx, context)))
    after, last = -1, int(tenant["seq"])
    while True:
        batch = context.graph.read(lambda tx, after=after: _read(tx, context, after))
        if not batch.rows:
            return work.found
        work.take(batch)
        after = batch.rows[-1]["seq"]
        progress("records", min(after, last), last)


def _begin(tx: Transaction, context: Context) -> tuple[list[Any], list[Any]]:
    tenant = context.tenant
    return (
        tx.run("doctor/classes", tenant=tenant)[0]["classes"],
        tx.run("doctor/sources", tenant=tenant)[0]["sources"],
    )


def _read(tx: Transaction, context: Context, after: int) -> _Read:
    tenant = context.tenant
    rows = tx.run("doctor/records", tenant=tenant, after=after, batch=BATCH)[0]["records"]
    seqs = [row["seq"] for row in rows if row["entry"] is not None]
    kept = tx.run("sync/vectors", tenant=tenant, seqs=seqs)[0]["vectors"]
    return _Read(
        rows=rows,
        now=tx.run("record/tenant", tenant=tenant)[0]["now"],
        vectors={seq: vectors for seq, vectors in kept if vectors is not None},
    )


class _Review:
    """The pass: what was worked out so far, by id."""

    def __init__(self, context: Context, tenant: Row) -> None:
        self.found = Kept()
        self._policy = context.policy
        self._key = str(tenant["hash_key"])
        self._dimension: int | None = tenant["dimension"]
        self._known: dict[str, Parent] = {}  # sound ones only
        self._differing: set[str] = set()  # records that differ, and what came from them
        self._classes: dict[int, tuple[str, ...]] = {}
        self._clauses: dict[tuple[str, ...], tuple[str, ...]] = {}

    def begin(self, read: tuple[list[Any], list[Any]]) -> None:
        """Take the access classes, and the sources with their hashes."""
        for number, key, clauses in read[0]:
            if proper_class(number, key, clauses):
                self._classes[number] = tuple(clauses)
                continue
            self.found.add("classes", "not what its key says", f"class {number}")
            if type(number) is int:
                self.found.classes.append(number)
        for node, kept in read[1]:
            if not self._hashes(node, kept):
                self.found.add("content", "the id is not the one that was hashed", node)

    def take(self, batch: _Read) -> None:
        """Look at the next records."""
        altered: set[int] = set()  # their vectors can wait until the text is back
        for row in batch.rows:
            if not self._content(row):
                altered.add(row["seq"])
            self._entry(row)
            if self._is_sound(row):
                self._record(row, batch.now)
        kept = [r for r in batch.rows if r["entry"] is not None and r["seq"] not in altered]
        usable = usable_vectors(kept, batch.vectors, self._dimension)
        for row in kept:
            vectors = batch.vectors.get(row["seq"])
            if what := wrong_vectors(row, vectors, usable=row["seq"] in usable):
                self.found.add("vectors", what, row["id"])
                self.found.vectors.append(row["id"])

    def _entry(self, row: Row) -> None:
        entry = row["entry"]
        if entry is None:
            self.found.add("entries", "a record without its entry", row["id"])
        elif (entry["id"], entry["label"]) != (row["id"], row["kind"]):
            self.found.add("entries", "an entry with the names of another", row["id"])
        else:
            return
        self.found.entries.append(row["seq"])

    def _is_sound(self, row: Row) -> bool:
        return (
            row["sound"] is True
            and row["id"] not in self._known  # else two of one id
            and bool(row["writers"])
            and all(kind is not None for _, kind, _ in row["writers"])
            and all(
                each["sound"] and (each["kind"] not in _RECORDS or each["id"] in self._known)
                for each in row["parents"]
            )
        )

    def _record(self, row: Row, now: datetime) -> None:
        own = own_of(row)
        links = [link_of(each, now) for each in row["parents"]]
        values = work_out(own, links, self._parents(row["parents"]), self._policy)
        self._keep(own, values)
        found = [("entries", "")] if row["entry"] is None else self._differences(row, values)
        for finding, what in found:
            if what:
                self.found.add(finding, what, own.id)
        above = any(link.parent in self._differing for link in links)
        if found and not above:
            self.found.roots.append(own.id)
        if found or above:
            self._differing.add(own.id)

    def _differences(self, row: Row, values: Values) -> list[tuple[str, str]]:
        trust = kept_trust(values.path, self._policy, row["verified"])
        aging = bool(self._policy.half_life_days)
        return list(differences(row, values, trust, self._classes, aging=aging))

    def _keep(self, own: Own, values: Values) -> None:
        shared = self._clauses.setdefault(values.clauses, values.clauses)  # many have the same
        self._known[own.id] = as_parent(own, replace(values, clauses=shared))

    def _parents(self, rows: Iterable[Mapping[str, Any]]) -> dict[str, Parent]:
        return {
            row["id"]: self._known[row["id"]] if row["kind"] in _RECORDS else _source(row)
            for row in rows
        }

    def _content(self, row: Row) -> bool:
        """Return whether the text is the one that was hashed, or was erased."""
        if row["erased"]:
            return True
        marked = row["integrity"] == "mismatch"
        if self._hashes(row["text"], row["content_hash"]):
            if marked:
                self.found.add("integrity", "marked as altered, but as it was hashed", row["id"])
                self.found.integrity[str(row["id"])] = "intact"
            return True
        self.found.add("content", "the text is not the one that was hashed", row["id"])
        if not marked:
            self.found.add("integrity", "altered, but not marked so", row["id"])
            self.found.integrity[str(row["id"])] = "mismatch"
        return False

    def _hashes(self, text: object, kept: object) -> bool:
        same = (
            isinstance(text, str)
            and isinstance(kept, str)
            and hmac.compare_digest(content_hash(self._key, text).encode(), kept.encode())
        )
        self.found.hashed += 1
        self.found.unlike += not same
        return same


def _source(row: Mapping[str, Any]) -> Parent:
    return parent_of({**row, "sif": None, "clauses": None, "expires_ms": None})
