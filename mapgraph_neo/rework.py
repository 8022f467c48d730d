"""Works off what a change left to do: marks, classes, expiries and trust of the descendants.

Resumable and safe to cut off: until a change is worked off, its descendants are out of every
mask, and the ancestry path query closes what has to be closed in any case.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mapgraph_neo.context import Context, take_turn
from mapgraph_neo.drafts import class_numbers
from mapgraph_neo.entries import (
    Link,
    Own,
    Parent,
    Values,
    Writer,
    as_parent,
    class_key,
    kept_trust,
    link_of,
    moment,
    parent_of,
    scope_of,
    with_values,
    work_out,
)
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.vocabulary import label_read

MARK_BATCH = 100_000
RECOMPUTE_BATCH = 5_000
ERASE_BATCH = 10_000
RECOMPUTE = "recompute"  # all that came from the root
RENEW = "renew"  # all records of the tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A change that is still being worked off."""

    id: str
    root: str
    mode: str
    cursor: int
    ticket: str  # of this start of it; who works on an earlier one changes nothing any more


def pending(context: Context) -> list[Work]:
    """Return the changes that are still being worked off, oldest first."""
    rows = context.graph.read(lambda tx: tx.run("rework/pending", tenant=context.tenant))
    return [Work(**row) for row in rows]


def work_off(context: Context) -> int:
    """Work off every change that is left, also those of a process that died; return how many."""
    done = 0
    for work in pending(context):
        if work.mode == "erase":
            erase(context, work.id)
        if work.mode in (RECOMPUTE, RENEW):
            _recompute(context, work)
        else:
            _mark(context, work)
        context.graph.write(lambda tx, work=work: _finish(tx, context, work))
        done += 1
    return done


def erase(context: Context, revocation: str) -> int:
    """Destroy the content that an erasure covers; return how many nodes. Safe to repeat.

    The snapshots of the sidecar on this machine go too; other machines drop theirs at their next
    retrieval.
    """
    if context.snapshots is not None:
        context.snapshots.discard()
    total = 0
    while True:
        rows = context.graph.write(
            lambda tx: tx.run(
                "rework/erase", tenant=context.tenant, id=revocation, batch=ERASE_BATCH
            )
        )
        total += rows[0]["erased"] if rows else 0
        if not rows or rows[0]["done"]:
            return total


def _finish(tx: Transaction, context: Context, work: Work) -> None:
    tx.run("rework/finish", tenant=context.tenant, id=work.id, ticket=work.ticket)


def _mark(context: Context, work: Work) -> None:
    while True:
        rows = context.graph.write(
            lambda tx: tx.run(
                "rework/mark_affected",
                tenant=context.tenant,
                id=work.id,
                ticket=work.ticket,
                batch=MARK_BATCH,
            )
        )
        if not rows or rows[0]["done"]:
            return


def _recompute(context: Context, work: Work) -> None:
    while context.graph.write(lambda tx: _recompute_batch(tx, context, work)):
        pass


def _recompute_batch(tx: Transaction, context: Context, work: Work) -> bool:
    turn = take_turn(tx, context, bump=False)
    rows = tx.run(
        "rework/renew" if work.mode == RENEW else "rework/batch",
        tenant=context.tenant,
        id=work.id,
        ticket=work.ticket,
        batch=RECOMPUTE_BATCH,
    )
    records: Sequence[Row] = rows[0]["records"] if rows else []
    if not records:
        return False
    fresh: dict[str, Parent] = {}
    results: list[tuple[Own, Values]] = []
    for row in records:
        own = own_of(row)
        known, links = _above(row["parents"], fresh, turn.now)
        values = work_out(own, links, known, context.policy)
        fresh[own.id] = as_parent(own, values)
        results.append((own, values))
    numbers = class_numbers(tx, context.tenant, [values.clauses for _, values in results])
    verified = {row["seq"] for row in records if row["verified"]}
    entries = [
        _entry(own, values, numbers, kept_trust(values.path, context.policy, own.seq in verified))
        for own, values in results
    ]
    tx.run(
        "rework/apply",
        tenant=context.tenant,
        id=work.id,
        ticket=work.ticket,
        entries=entries,
        cursor=results[-1][0].seq,
    )
    return len(records) == RECOMPUTE_BATCH


def own_of(row: Mapping[str, Any]) -> Own:
    """Return the facts of a record from a row of ``rework/batch`` or ``doctor/records``."""
    return Own(
        id=row["id"],
        seq=row["seq"],
        kind=label_read(row["kind"]),
        scope=scope_of(row["scope"]) or (),
        writers=tuple(
            Writer(id=writer, kind=label_read(kind), standing=standing)
            for writer, kind, standing in row["writers"]
        ),
        integrity=row["integrity"] or "",
        expires_at=moment(row["expires_at"]),
        revoked=row["revoked"],
    )


def _above(
    rows: Iterable[Mapping[str, Any]], fresh: Mapping[str, Parent], now: datetime
) -> tuple[dict[str, Parent], list[Link]]:
    known: dict[str, Parent] = {}
    links: list[Link] = []
    for row in rows:
        stored = parent_of({**row, "closed": row["revoked"] or row["closed"]})
        current = fresh.get(stored.id)
        known[stored.id] = with_values(stored, current)
        links.append(link_of(row, now))
    return known, links


def _entry(own: Own, values: Values, numbers: Mapping[str, int], trust: float) -> dict[str, object]:
    return {
        "seq": own.seq,
        "class": numbers[class_key(values.clauses)],
        "expires_ms": values.expires_ms,
        "sif": values.path.sif,
        "floor": values.path.si,
        "reliability": values.path.writer,
        "trust": trust,
        "live": not values.affected and not own.revoked,
        "affected": values.affected,
    }
