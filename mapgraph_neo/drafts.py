"""Writes records: nodes, edges, access classes and entries, in the caller's transaction.

One way for a single write and for an import of fifty thousand: drafts in order, parents first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mapgraph_neo.context import Context, Turn, caption, content_hash
from mapgraph_neo.entries import (
    Link,
    Own,
    Parent,
    Values,
    Writer,
    as_parent,
    class_key,
    parent_of,
    work_out,
)
from mapgraph_neo.errors import InputError, UnknownNodeError
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.vocabulary import ENDPOINTS, EdgeType, NodeLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """The vectors of one record as little-endian float32, one for each part of its text."""

    data: bytes
    parts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A record that is about to be written."""

    id: str
    kind: NodeLabel
    text: str
    scope: tuple[str, ...]
    writers: tuple[Writer, ...]
    links: tuple[Link, ...] = ()
    forwarded_to: tuple[str, ...] = ()
    task: str = ""
    expires_at: datetime | None = None
    occurred_at: datetime | None = None
    metadata: str | None = None
    vectors: Vectors | None = None
    integrity: str = "intact"
    pending: str | None = None


def write_drafts(
    tx: Transaction,
    context: Context,
    turn: Turn,
    drafts: Sequence[Draft],
    *,
    known: Mapping[str, Parent] | None = None,
) -> dict[str, Values]:
    """Write ``drafts`` with the numbers of ``turn`` and return what was kept for each.

    Args:
        tx: The open transaction, which holds the tenant's lock.
        context: Tenant, policy and embedder.
        turn: The lock; it handed out one number for each draft.
        drafts: Records, parents before children.
        known: Parents that the caller has read already.

    Raises:
        UnknownNodeError: A parent that the tenant does not hold.
        InputError: An edge that may not lead from this label to that one.

    """
    parents = dict(known or {})
    inside = {draft.id for draft in drafts}
    wanted = {link.parent for draft in drafts for link in draft.links} - inside - parents.keys()
    if wanted:
        rows = tx.run("record/parents", tenant=context.tenant, ids=sorted(wanted))
        parents.update((row["id"], parent_of(row)) for row in rows)
    kept: dict[str, Values] = {}
    owns: list[Own] = []
    for number, draft in enumerate(drafts, start=turn.seq + 1):
        own = _own(draft, number)
        _check_links(draft, own, parents)
        values = work_out(own, _timed(draft, turn), parents, context.policy)
        kept[draft.id] = values
        parents[draft.id] = as_parent(own, values)
        owns.append(own)
    _write(tx, context, turn, drafts, owns, kept)
    return kept


def class_numbers(
    tx: Transaction, tenant: str, clauses: Iterable[tuple[str, ...]]
) -> dict[str, int]:
    """Return the number of each access class by its key; new ones are added.

    Args:
        tx: The open transaction, which holds the tenant's lock.
        tenant: The tenant.
        clauses: The clauses of each class asked for.

    """
    written = write(tx, tenant, classes=_classes(clauses))
    return dict(written["numbers"])


def _classes(clauses: Iterable[tuple[str, ...]]) -> list[dict[str, object]]:
    wanted = {class_key(each): each for each in clauses}
    return [{"key": key, "clauses": list(each)} for key, each in wanted.items()]


def _timed(draft: Draft, turn: Turn) -> list[Link]:
    """Return the links with the time of each edge: the log's own, or that of the write."""
    return [
        replace(link, at=link.occurred_at or draft.occurred_at or turn.now) for link in draft.links
    ]


def _own(draft: Draft, seq: int) -> Own:
    return Own(
        id=draft.id,
        seq=seq,
        kind=draft.kind,
        scope=draft.scope,
        writers=draft.writers,
        integrity=draft.integrity,
        expires_at=draft.expires_at,
    )


def _check_links(draft: Draft, own: Own, parents: Mapping[str, Parent]) -> None:
    for link in draft.links:
        parent = parents.get(link.parent)
        if parent is None or type(parent.seq) is not int or parent.seq >= own.seq:
            message = f"parents: `{link.parent}` is not known or not readable"
            raise UnknownNodeError(message)
        froms, tos = ENDPOINTS[link.type]
        if draft.kind not in froms or parent.kind not in tos:
            message = (
                f"parents: {link.type} may not lead from a {draft.kind} to the "
                f"{parent.kind} `{link.parent}`"
            )
            raise InputError(message)


def _write(
    tx: Transaction,
    context: Context,
    turn: Turn,
    drafts: Sequence[Draft],
    owns: Sequence[Own],
    kept: Mapping[str, Values],
) -> None:
    pairs = list(zip(drafts, owns, strict=True))
    write(
        tx,
        context.tenant,
        nodes=[_node(draft, own.seq, turn) for draft, own in pairs],
        edges=[edge for draft in drafts for edge in _edges(draft, turn)],
        classes=_classes(values.clauses for values in kept.values()),
        entries=[_entry(draft, own.seq, turn, kept[draft.id]) for draft, own in pairs],
    )
    affected = [each for each, values in kept.items() if values.affected]
    if affected:
        tx.run("record/flag_sources", tenant=context.tenant, sources=[], affected=affected)


def write(
    tx: Transaction,
    tenant: str,
    *,
    nodes: Sequence[Mapping[str, object]] = (),
    edges: Sequence[Mapping[str, object]] = (),
    classes: Sequence[Mapping[str, object]] = (),
    entries: Sequence[Mapping[str, object]] = (),
) -> Row:
    """Write rows of ``record/write`` and make sure that none was lost; return what it returned.

    Raises:
        UnknownNodeError: An edge leads to what the tenant does not hold.

    """
    found = tx.run(
        "record/write",
        tenant=tenant,
        nodes=list(nodes),
        edges=list(edges),
        classes=list(classes),
        entries=list(entries),
    )
    if not found or found[0]["edges"] != len(edges) or found[0]["entries"] != len(entries):
        message = "an edge leads to a node that the tenant does not hold"
        raise UnknownNodeError(message)
    return found[0]


def _node(draft: Draft, seq: int, turn: Turn) -> dict[str, object]:
    properties: dict[str, object] = {
        "id": draft.id,
        "seq": seq,
        "created_at": turn.now,
        "caption": caption(draft.text),
        "content_hash": content_hash(turn.hash_key, draft.text),
        "revoked": False,
        "parents": len(draft.links),
        "scope": list(draft.scope),
        "integrity": draft.integrity,
        "text": draft.text,
    }
    optional = {
        "expires_at": draft.expires_at,
        "occurred_at": draft.occurred_at,
        "metadata": draft.metadata,
        "pending": draft.pending,
    }
    properties.update((key, value) for key, value in optional.items() if value is not None)
    return {"kind": draft.kind.value, "properties": properties}


def _edges(draft: Draft, turn: Turn) -> Iterable[dict[str, object]]:
    for link in draft.links:
        yield edge_row(
            link.type,
            draft.id,
            link.parent,
            turn.now,
            occurred_at=link.occurred_at or draft.occurred_at,
            declared_by=link.declared_by.value,
        )
    for writer in draft.writers:
        yield edge_row(
            EdgeType.WRITTEN_BY,
            draft.id,
            writer.id,
            turn.now,
            occurred_at=draft.occurred_at,
            task=draft.task,
        )
    for recipient in draft.forwarded_to:
        yield edge_row(
            EdgeType.FORWARDED_TO, draft.id, recipient, turn.now, occurred_at=draft.occurred_at
        )


def edge_row(
    edge: EdgeType, source: str, target: str, at: datetime, /, **properties: object
) -> dict[str, object]:
    """Return one edge as a row of ``record/write``; properties that are ``None`` are left out."""
    present = {key: value for key, value in properties.items() if value is not None}
    return {
        "type": edge.value,
        "source": source,
        "target": target,
        "properties": {"at": at, **present},
    }


def _entry(draft: Draft, seq: int, turn: Turn, values: Values) -> dict[str, object]:
    properties: dict[str, object] = {
        "seq": seq,
        "id": draft.id,
        "label": draft.kind.value,
        "epoch": turn.epoch,
        "expires_ms": values.expires_ms,
        "sif": values.path.sif,
        "floor": values.path.si,
        "reliability": values.path.writer,
        "trust": values.trust,
        "live": not values.affected and draft.pending is None,
        "parts": draft.vectors.parts if draft.vectors else 0,
        "vectors": draft.vectors.data if draft.vectors else None,
        "pending": draft.pending,
    }
    return {"class": class_key(values.clauses), "properties": properties}
