"""Writes one batch of an import, sources first, then records, and what was done to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mapgraph_neo.context import Context, Turn, check_metadata, check_time, new_key
from mapgraph_neo.drafts import Draft, Vectors, edge_row, write, write_drafts
from mapgraph_neo.entries import Link, Writer
from mapgraph_neo.errors import InputError
from mapgraph_neo.events import (
    ActionEvent,
    GrantEvent,
    InvalidateEvent,
    MembershipEvent,
    MessageEvent,
    ObserveEvent,
    ReadEvent,
    RevokeEvent,
    UndoEvent,
    VerifyEvent,
    Written,
)
from mapgraph_neo.graph import Transaction
from mapgraph_neo.ingest_plan import Item, kind_of
from mapgraph_neo.names import any_id, check_scope, label_of, node_id
from mapgraph_neo.record import default_scope
from mapgraph_neo.registration import checked_rights, groups
from mapgraph_neo.registry import authority_rows, grant_row, source_row
from mapgraph_neo.verifying import touch
from mapgraph_neo.vocabulary import DeclaredBy, EdgeType, NodeLabel

if TYPE_CHECKING:
    from datetime import datetime

IngestedOutcomes = ("Allow", "Block", "Reverify", "Redact", "AskUser")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The events of one transaction, the vectors of the whole import, and its id while open."""

    items: Sequence[Item]
    vectors: Mapping[str, Vectors]
    pending: str | None

    @property
    def numbers(self) -> int:
        """How many nodes it writes."""
        return sum(item.id is not None for item in self.items)


def write_batch(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> None:
    """Write ``batch``; the caller holds the tenant's lock and handed out its numbers."""
    _sources(tx, context, turn, batch)
    _grants(tx, context, turn, batch)
    count = sum(item.source is not None for item in batch.items)
    written = _records(tx, context, _after(turn, count), batch)
    _reads(tx, context, turn, batch)
    _findings(tx, context, turn, batch)
    _revocations(tx, context, turn, batch)
    _actions(tx, context, _after(turn, count + written), batch)


def _after(turn: Turn, count: int) -> Turn:
    return replace(turn, seq=turn.seq + count)


def _sources(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> None:
    found = [item for item in batch.items if item.source is not None]
    if not found:
        return
    nodes: list[dict[str, object]] = []
    edges: list[dict[str, object]] = []
    for number, item in enumerate(found, start=turn.seq + 1):
        assert item.source is not None  # noqa: S101 - filtered above
        at = check_time(item.event.occurred_at, "occurred_at")
        nodes.append(source_row(item.source, turn, number, occurred_at=at))
        edges += authority_rows(item.source, turn.now, occurred_at=at)
    write(tx, context.tenant, nodes=nodes, edges=edges)


def _grants(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> None:
    for item in batch.items:
        event = item.event
        if isinstance(event, MembershipEvent):
            tx.run(
                "authority/set_membership",
                tenant=context.tenant,
                user=item.refers[0],
                teams=None if event.teams is None else groups("team", event.teams, "teams"),
                roles=None if event.roles is None else groups("role", event.roles, "roles"),
            )
        elif isinstance(event, GrantEvent):
            _grant(tx, context, turn, item, event)


def _grant(tx: Transaction, context: Context, turn: Turn, item: Item, event: GrantEvent) -> None:
    principal = item.refers[0]
    agent = principal.startswith("agent:")
    scopes = check_scope(event.scopes, "scopes", delegated=agent)
    rights = checked_rights(event.rights, agent=agent)
    at = check_time(event.occurred_at, "occurred_at")
    start = check_time(event.valid_from, "valid_from") or at or turn.now
    end = check_time(event.valid_to, "valid_to")
    if not agent:
        row: dict[str, object] = {
            "id": new_key("grant"),
            "principal": principal,
            "scopes": scopes,
            "rights": list(rights),
            "valid_from": start,
            "valid_to": end,
            "at": turn.now,
        }
        tx.run("authority/write_grant", tenant=context.tenant, grant=row)
        return
    links = tx.run("authority/links", tenant=context.tenant, agent=principal)
    targets = sorted({link["target"] for link in links})
    via = event.via or (targets[0] if len(targets) == 1 else None)
    if via is None:
        message = f"{item.place}: via: say through whom `{principal}` should hold this"
        raise InputError(message)
    edge = grant_row(
        principal,
        any_id(via, "via"),
        turn.now,
        scopes=scopes,
        rights=rights,
        valid_from=start,
        valid_to=end,
        occurred_at=at,
    )
    write(tx, context.tenant, edges=[edge])


def _records(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> int:
    found = [item for item in batch.items if isinstance(item.event, Written)]
    if not found:
        return 0
    writers = _writers(tx, context, found)
    reads = _read_sets(tx, context, batch)
    drafts: list[Draft] = []
    for item in batch.items:
        event = item.event
        if isinstance(event, ReadEvent) and event.task is not None:
            reads.setdefault((item.refers[0], event.task), {}).update(
                dict.fromkeys(item.refers[1:])
            )
        if not isinstance(event, Written):
            continue
        draft = _draft(context, item, event, writers, reads, batch)
        drafts.append(draft)
        if event.task is not None:
            reads.setdefault((draft.writers[0].id, event.task), {})[draft.id] = None
    write_drafts(tx, context, turn, drafts)
    return len(drafts)


def _draft(
    context: Context,
    item: Item,
    event: Written,
    writers: Mapping[str, Writer],
    reads: Mapping[tuple[str, str], Mapping[str, None]],
    batch: Batch,
) -> Draft:
    writer = writers[item.refers[0]]
    at = check_time(event.occurred_at, "occurred_at")
    links = _links(item, event, reads)
    if len(links) > context.policy.limits.parents:
        message = (
            f"{item.place}: parents: {len(links)}; the limit is {context.policy.limits.parents}"
        )
        raise InputError(message)
    recipients = _recipients(event)
    scope = (
        tuple(check_scope(event.scope, "scope"))
        if event.scope is not None
        else default_scope(writer.id, links, recipients)
    )
    return Draft(
        id=item.id or "",
        kind=kind_of(event),
        text=event.text,
        scope=scope,
        writers=(writer,),
        links=tuple(links),
        forwarded_to=recipients,
        task=event.task or "",
        expires_at=check_time(event.expires_at, "expires_at"),
        occurred_at=at,
        metadata=check_metadata(event.metadata, context),
        vectors=batch.vectors.get(item.id or ""),
        pending=batch.pending,
    )


def _links(
    item: Item, event: Written, reads: Mapping[tuple[str, str], Mapping[str, None]]
) -> list[Link]:
    kinds = item.edges
    declared = [Link(parent=each, type=kind, declared_by=DeclaredBy.HOST) for kind, each in kinds]
    joins = event.task is not None and not event.tracing and not isinstance(event, ObserveEvent)
    if not joins:
        return declared
    named = {link.parent for link in declared}
    seen = reads.get((item.refers[0], event.task or ""), {})
    return declared + [
        Link(parent=each, type=EdgeType.DERIVED_FROM, declared_by=DeclaredBy.READ_SET)
        for each in seen
        if each not in named
    ]


def _recipients(event: Written) -> tuple[str, ...]:
    if not isinstance(event, MessageEvent):
        return ()
    given = (event.to,) if isinstance(event.to, str) else event.to
    return tuple(dict.fromkeys(node_id(NodeLabel.AGENT, name, "to") for name in given))


def _writers(tx: Transaction, context: Context, items: Sequence[Item]) -> dict[str, Writer]:
    ids = sorted({item.refers[0] for item in items})
    rows = tx.run("record/existing", tenant=context.tenant, ids=ids)
    return {
        found: Writer(id=found, kind=NodeLabel(kind), standing=standing)
        for found, _, kind, standing in rows[0]["found"]
    }


def _read_sets(
    tx: Transaction, context: Context, batch: Batch
) -> dict[tuple[str, str], dict[str, None]]:
    pairs = {
        (item.refers[0], item.event.task)
        for item in batch.items
        if isinstance(item.event, Written | ReadEvent) and item.event.task is not None
    }
    if not pairs:
        return {}
    rows = tx.run(
        "record/read_sets", tenant=context.tenant, pairs=[list(pair) for pair in sorted(pairs)]
    )
    return {(row["agent"], row["task"]): dict.fromkeys(row["ids"]) for row in rows}


def _reads(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> None:
    found = [item for item in batch.items if isinstance(item.event, ReadEvent)]
    if not found:
        return
    ids = sorted({each for item in found for each in item.refers[1:]})
    rows = tx.run("record/existing", tenant=context.tenant, ids=ids)
    hashes = {row[0]: row[1] for row in rows[0]["found"]}
    edges = [
        edge_row(
            EdgeType.READ_BY,
            each,
            item.refers[0],
            turn.now,
            occurred_at=check_time(item.event.occurred_at, "occurred_at"),
            task=item.event.task or "",
            content_hash=hashes.get(each),
        )
        for item in found
        for each in item.refers[1:]
    ]
    write(tx, context.tenant, edges=edges)


def _findings(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> None:
    found = [item for item in batch.items if isinstance(item.event, VerifyEvent)]
    if not found:
        return
    ids = sorted({item.refers[0] for item in found})
    rows = tx.run("record/existing", tenant=context.tenant, ids=ids)
    hashes = {row[0]: row[1] for row in rows[0]["found"]}
    edges: list[dict[str, object]] = []
    for item in found:
        assert isinstance(item.event, VerifyEvent)  # noqa: S101 - filtered above
        edges.append(
            edge_row(
                EdgeType.VERIFIED_BY,
                item.refers[0],
                item.refers[1],
                turn.now,
                occurred_at=check_time(item.event.occurred_at, "occurred_at"),
                outcome=item.event.outcome,
                content_hash=hashes.get(item.refers[0]),
                evidence=list(item.refers[2:]),
            )
        )
    write(tx, context.tenant, edges=edges)
    touch(tx, context, ids)


def _revocations(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> None:
    edges: list[dict[str, object]] = []
    work: list[dict[str, object]] = []
    undone: list[dict[str, object]] = []
    standing: dict[str, list[str]] = {}
    for item in batch.items:
        event = item.event
        if isinstance(event, RevokeEvent | InvalidateEvent):
            edge, row = _mark(item, event, turn)
            edges.append(edge)
            work.append(row)
            standing.setdefault(item.refers[0], []).append(str(row["id"]))
        elif isinstance(event, UndoEvent):
            undone += _undone(tx, context, item, event, turn, standing)
    write(tx, context.tenant, edges=edges)
    roots = {str(row["root"]) for row in work}
    if undone:
        rows = tx.run("record/undo_marks", tenant=context.tenant, undone=undone)
        roots |= {row["root"] for row in rows}
        covered = {str(row["root"]) for row in rows}
        work = [row for row in work if row["root"] not in covered]
        work += [_work(new_key("work"), root, "recompute") for root in sorted(covered)]
    if roots:
        tx.run("record/flag_sources", tenant=context.tenant, sources=sorted(roots), affected=[])
        tx.run("record/start_rework", tenant=context.tenant, work=work)


def _mark(
    item: Item, event: RevokeEvent | InvalidateEvent, turn: Turn
) -> tuple[dict[str, object], dict[str, object]]:
    given = event.revocation_id or new_key("rev")
    since: datetime | None = None
    until: datetime | None = None
    if isinstance(event, RevokeEvent):
        since, until = check_time(event.since, "since"), check_time(event.until, "until")
    edge = edge_row(
        EdgeType.INVALIDATED_BY,
        item.refers[0],
        item.refers[1],
        turn.now,
        occurred_at=check_time(event.occurred_at, "occurred_at"),
        id=given,
        kind=event.kind if isinstance(event, RevokeEvent) else "invalid",
        reason=event.reason,
        since=since,
        until=until,
    )
    mode = "mark" if since is None and until is None else "recompute"
    return edge, _work(given, item.refers[0], mode)


def _work(work_id: str, root: str, mode: str) -> dict[str, object]:
    return {"id": work_id, "root": root, "mode": mode}


def _undone(
    tx: Transaction,
    context: Context,
    item: Item,
    event: UndoEvent,
    turn: Turn,
    standing: Mapping[str, Sequence[str]],
) -> list[dict[str, object]]:
    at = check_time(event.occurred_at, "occurred_at") or turn.now
    if event.revocation_id is not None:
        ids = [event.revocation_id]
    else:
        node = item.refers[1]
        rows = tx.run("revocation/revocations", tenant=context.tenant, id=node)
        ids = [*standing.get(node, ()), *(row["id"] for row in rows)]
    return [{"id": each, "by": item.refers[0], "reason": event.reason, "at": at} for each in ids]


def _actions(tx: Transaction, context: Context, turn: Turn, batch: Batch) -> None:
    found = [item for item in batch.items if isinstance(item.event, ActionEvent)]
    if not found:
        return
    nodes: list[dict[str, object]] = []
    edges: list[dict[str, object]] = []
    for number, item in enumerate(found, start=turn.seq + 1):
        event = item.event
        assert isinstance(event, ActionEvent)  # noqa: S101 - filtered above
        nodes.append(_action_node(context, item, event, turn, number))
        edges += _action_edges(item, event, turn)
    write(tx, context.tenant, nodes=nodes, edges=edges)


def _action_node(
    context: Context, item: Item, event: ActionEvent, turn: Turn, seq: int
) -> dict[str, object]:
    if event.outcome not in IngestedOutcomes:
        message = (
            f"{item.place}: outcome: `{event.outcome}` is none of {', '.join(IngestedOutcomes)}"
        )
        raise InputError(message)
    tool = item.refers[1]
    cited = [f"{each}|evidence" for each in item.refers[2:]]
    properties: dict[str, object] = {
        "id": item.id,
        "seq": seq,
        "created_at": turn.now,
        "caption": f"{tool.removeprefix('tool:')}: {event.outcome}"[:40],
        "revoked": False,
        "parents": 0,
        "integrity": "intact",
        "agent": item.refers[0],
        "task": event.task or "",
        "tool": tool,
        "outcome": event.outcome,
        "rule": "R4",
        "reason": "recorded by the log, not decided here",
        "threshold": 0.0,
        "risk": event.risk,
        "unsupported": False,
        "policy": context.policy.version,
        "epoch": turn.epoch,
        "state": "recorded",
        "audience": [],
        "tracing": False,
        "withheld": 0,
        "cited": cited,
        "obligations": [],
    }
    at = check_time(event.occurred_at, "occurred_at")
    if at is not None:
        properties["occurred_at"] = at
    return {"kind": NodeLabel.ACTION.value, "properties": properties}


def _action_edges(item: Item, event: ActionEvent, turn: Turn) -> list[dict[str, object]]:
    at = check_time(event.occurred_at, "occurred_at")
    action = item.id or ""
    edges = [
        edge_row(
            EdgeType.WRITTEN_BY,
            action,
            item.refers[0],
            turn.now,
            occurred_at=at,
            task=event.task or "",
        )
    ]
    parameters = {each if ":" in each else f"*:{each}" for each in event.parameters}
    usable = (NodeLabel.MEMORY, NodeLabel.CLAIM, NodeLabel.RESOURCE, NodeLabel.TOOL)
    for each in item.refers[2:]:
        if label_of(each) not in usable:
            message = f"{item.place}: evidence: `{each}` cannot be evidence of an action"
            raise InputError(message)
        named = each in parameters or f"*:{each.partition(':')[2]}" in parameters
        edges.append(
            edge_row(
                EdgeType.USED_FOR_ACTION,
                each,
                action,
                turn.now,
                occurred_at=at,
                role="parameter" if named else "evidence",
            )
        )
    return edges
