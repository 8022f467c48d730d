"""Mends what ``doctor`` found and can be worked out from the rest; says what it did."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from mapgraph_neo.context import Context, Progress, content_hash, new_key, take_turn
from mapgraph_neo.doctor_review import Kept, review
from mapgraph_neo.errors import EmbeddingError, SidecarError
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.model import Finding
from mapgraph_neo.record import embed
from mapgraph_neo.rework import RECOMPUTE, RENEW, erase, work_off
from mapgraph_neo.vocabulary import NodeLabel

T = TypeVar("T")
_EMBED_BATCH = 256
_WRITE_BATCH = 10_000
_FEW = 100
"""Roots up to which each is worked off by itself; for more, every record is worked out."""


def mend(
    context: Context, findings: Sequence[Finding], kept: Kept, progress: Progress
) -> tuple[str, ...]:
    """Mend what the findings say can be, and return what was done, in words.

    Each step is a transaction of its own under the tenant's lock, or resumable; cut off at any
    point, the next call goes on.
    """
    wrong = {each.name for each in findings if each.fix and not each.ok}
    done: list[str] = []
    if "counters" in wrong:
        _write(context, lambda tx: tx.run("doctor/raise_counters", tenant=context.tenant))
        done.append("counters: raised")
    if "withdrawals" in wrong:
        number = _count(context, "doctor/flag_withdrawn")
        done.append(f"withdrawals: {number} flagged")
    if "erasures" in wrong:
        done.append(f"erasures: content of {_erase(context)} destroyed")
    done += _of_records(context, kept, wrong)
    if left := work_off(context):
        done.append(f"left over: {left} worked off")
    if "markers" in wrong or "withdrawals" in wrong:
        done.append(f"markers: set on {_count(context, 'doctor/set_markers')}")
    done += _work_out(context, progress)
    if "snapshot" in wrong:
        done.append(_discard(context))
    return tuple(done)


def _write(
    context: Context, work: Callable[[Transaction], Sequence[Row]], *, vectors: bool = False
) -> Sequence[Row]:
    def unit(tx: Transaction) -> Sequence[Row]:
        take_turn(tx, context, bump=True, vectors=vectors)
        return work(tx)

    return context.graph.write(unit)


def _count(context: Context, statement: str) -> int:
    rows = _write(context, lambda tx: tx.run(statement, tenant=context.tenant))
    return int(next(iter(rows[0].values())))


def _erase(context: Context) -> int:
    rows = context.graph.read(lambda tx: tx.run("doctor/erasures", tenant=context.tenant, sample=1))
    for row in rows:
        erase(context, row["what"])
    return sum(row["found"] for row in rows)


def _of_records(context: Context, kept: Kept, wrong: set[str]) -> Iterator[str]:
    """Mend what the entries are worked out from: marks of integrity, entries, classes."""
    tenant = context.tenant
    if "integrity" in wrong:
        marks = [{"id": node, "integrity": to} for node, to in kept.integrity.items()]
        for part in _parts(marks):
            _write(
                context, lambda tx, p=part: tx.run("doctor/set_integrity", tenant=tenant, marks=p)
            )
        yield f"integrity: {len(marks)} marked anew"
    if "entries" in wrong:
        dropped = _count(context, "doctor/drop_entries")
        for part in _parts(kept.entries):
            _write(context, lambda tx, p=part: tx.run("doctor/add_entries", tenant=tenant, seqs=p))
        yield f"entries: {dropped} deleted, {len(kept.entries)} added"
    if "classes" in wrong:
        for part in _parts(kept.classes):
            _write(
                context, lambda tx, p=part: tx.run("doctor/drop_classes", tenant=tenant, numbers=p)
            )
        yield f"classes: {len(kept.classes)} deleted"


def _work_out(context: Context, progress: Progress) -> Iterator[str]:
    """Work out anew what still differs, and embed what has no vectors to be used."""
    tenant = context.graph.read(lambda tx: tx.run("record/tenant", tenant=context.tenant))[0]
    kept = review(context, tenant, progress)
    if kept.roots:
        few = len(kept.roots) <= _FEW
        work = [
            {"id": new_key("work"), "root": root, "mode": RECOMPUTE if few else RENEW}
            for root in (kept.roots if few else [""])
        ]
        _write(context, lambda tx: tx.run("record/start_rework", tenant=context.tenant, work=work))
        work_off(context)
        yield f"records: {len(kept.roots)} worked out anew, with all that came from them"
    if kept.vectors:
        yield from _vectors(context, tenant, kept.vectors, progress)


def _vectors(
    context: Context, tenant: Row, ids: Sequence[str], progress: Progress
) -> Iterator[str]:
    written = 0
    try:
        for part in _parts(ids, _EMBED_BATCH):
            written += _embed(context, str(tenant["hash_key"]), part)
            progress("embedded", written, len(ids))
    except EmbeddingError as error:
        yield f"vectors: written for {written} of {len(ids)}; {error}"
    else:
        yield f"vectors: written for {written} of {len(ids)}"


def _embed(context: Context, hash_key: str, ids: Sequence[str]) -> int:
    """Write the vectors of these records anew; of none whose text is not the hashed one."""
    rows = context.graph.read(lambda tx: tx.run("record/nodes", tenant=context.tenant, ids=ids))
    facts = [(row["kind"], row["properties"]) for row in rows]
    whole = [
        (each["seq"], each["text"]) for kind, each in facts if _has_vectors(kind, each, hash_key)
    ]
    found = embed(context.embedder, [text for _, text in whole]) if whole else []
    vectors: list[Mapping[str, object]] = [
        {"seq": seq, "parts": each.parts, "data": each.data}
        for (seq, _), each in zip(whole, found, strict=True)
    ]
    vectors += [
        {"seq": each["seq"], "parts": 0 if kind == NodeLabel.MESSAGE else None, "data": None}
        for kind, each in facts
        if kind == NodeLabel.MESSAGE or each.get("erased_at") is not None
    ]

    rows = _write(
        context,
        lambda tx: tx.run("doctor/set_vectors", tenant=context.tenant, vectors=vectors),
        vectors=bool(whole),
    )
    return int(rows[0]["written"])


def _has_vectors(kind: str, facts: Mapping[str, object], hash_key: str) -> bool:
    text = facts.get("text")
    return (
        kind in (NodeLabel.MEMORY, NodeLabel.CLAIM)
        and facts.get("erased_at") is None
        and isinstance(text, str)
        and content_hash(hash_key, text) == facts.get("content_hash")
    )


def _discard(context: Context) -> str:
    if context.snapshots is None:
        return "snapshot: none"
    try:
        context.snapshots.discard()
    except SidecarError as error:
        return f"snapshot: {error}"
    return "snapshot: deleted"


def _parts(values: Iterable[T], size: int = _WRITE_BATCH) -> Iterator[list[T]]:
    whole = list(values)
    for start in range(0, len(whole), size):
        yield whole[start : start + size]
