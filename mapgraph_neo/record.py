"""Stage 1, record: what an agent observed, wrote or sent becomes nodes and edges."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from mapgraph_neo.context import Context, canonical, take_turn
from mapgraph_neo.drafts import Draft, Vectors, write_drafts
from mapgraph_neo.eligibility import prove
from mapgraph_neo.embedding import Embedder, checked
from mapgraph_neo.entries import Link, Writer
from mapgraph_neo.errors import InputError, RefusedError, UnknownNodeError
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import Holdings, holdings, require
from mapgraph_neo.names import EVERYBODY, label_of
from mapgraph_neo.vocabulary import DeclaredBy, EdgeType, NodeLabel, Right


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One write of an agent, checked for form but not yet for rights."""

    id: str
    kind: NodeLabel
    text: str
    agent: str
    task: str
    parents: tuple[str, ...]
    edge: EdgeType
    scope: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    metadata: str | None = None
    to: tuple[str, ...] = ()
    key: str | None = None
    tracing: bool = False
    joins: bool = True  # whether the task's read set counts as parents


def write(context: Context, call: Call) -> str:
    """Write one record and return its id; durable when this returns.

    Raises:
        RefusedError: The agent has no right to write, or its task read something that may no
            longer be read.
        UnknownNodeError: A parent that does not exist or may not be read.
        InputError: An edge between these labels is not allowed.
        EmbeddingError: The text cannot be embedded; nothing was written.

    """
    vectors = None if call.kind is NodeLabel.MESSAGE else embed(context.embedder, [call.text])[0]
    return context.graph.write(lambda tx: _write(tx, context, call, vectors))


def embed(embedder: Embedder, texts: Sequence[str]) -> list[Vectors]:
    """Return the vectors of each text, one for each window of the model, so endings are found.

    Raises:
        EmbeddingError: The embedder failed or gave vectors that cannot be used.

    """
    parts = [embedder.split(text) for text in texts]
    flat = [part for each in parts for part in each]
    matrix = checked(embedder, flat)
    found: list[Vectors] = []
    start = 0
    for each in parts:
        block = matrix[start : start + len(each)]
        found.append(Vectors(data=block.astype("<f4").tobytes(), parts=len(each)))
        start += len(each)
    return found


def read_set(tx: Transaction, tenant: str, agent: str, task: str) -> dict[str, bool]:
    """Return what the agent read or wrote in the task: id to whether it is still as it was read."""
    rows = tx.run("record/read_set", tenant=tenant, agent=agent, task=task)
    return {row["id"]: row["unchanged"] for row in rows}


def _write(tx: Transaction, context: Context, call: Call, vectors: Vectors | None) -> str:
    if call.key is not None:
        first = first_answer(tx, context.tenant, call.agent, call.key)
        if first is not None:
            return str(first)
    turn = take_turn(tx, context, bump=True, count=1, vectors=vectors is not None)
    held = require(holdings(tx, context.tenant, call.agent, (Right.READ, Right.WRITE)), Right.WRITE)
    links = _links(tx, context, call, held)
    _check_recipients(tx, context, call, [link.parent for link in links])
    write_drafts(tx, context, turn, [_draft(call, held, links, vectors)])
    if call.key is not None:
        save_answer(tx, context.tenant, call.agent, call.key, call.id)
    return call.id


def first_answer(tx: Transaction, tenant: str, actor: str, key: str) -> object | None:
    """Return the first answer to a call with this key, or ``None`` when it is new."""
    rows = tx.run("record/find_key", tenant=tenant, actor=actor, key=key)
    return json.loads(rows[0]["answer"]) if rows else None


def save_answer(tx: Transaction, tenant: str, actor: str, key: str, answer: object) -> None:
    """Keep the answer to a call in its own transaction's commit."""
    tx.run("record/save_key", tenant=tenant, actor=actor, key=key, answer=canonical(answer))


def _links(tx: Transaction, context: Context, call: Call, held: Holdings) -> list[Link]:
    """Return the links to all parents, declared and joined, after proving each readable."""
    joined: list[str] = []
    if call.joins and not call.tracing and context.policy.undeclared_parents != "none":
        seen = read_set(tx, context.tenant, call.agent, call.task)
        joined = [each for each in seen if each not in call.parents]
        if joined and context.policy.undeclared_parents == "reject":
            message = (
                f"parents: task `{call.task}` read {len(joined)} records that are not declared; "
                "declare them, or start a new task"
            )
            raise InputError(message)
    wanted = [*call.parents, *joined]
    if len(wanted) > context.policy.limits.parents:
        message = f"parents: {len(wanted)}; the limit is {context.policy.limits.parents}"
        raise InputError(message)
    proved = {item.id for item in prove(tx, context, held, wanted)} if wanted else set[str]()
    for each in call.parents:
        if each not in proved:
            message = f"parents: `{each}` is not known or not readable"
            raise UnknownNodeError(message)
    if not proved.issuperset(joined):
        message = (
            f"task `{call.task}` has read something that may no longer be read, and what it "
            "writes could repeat it; start a new task"
        )
        raise RefusedError(message)
    declared = DeclaredBy.HOST if call.tracing or not call.joins else DeclaredBy.AGENT
    links = [Link(parent=each, type=call.edge, declared_by=declared) for each in call.parents]
    links += [
        Link(parent=each, type=EdgeType.DERIVED_FROM, declared_by=DeclaredBy.READ_SET)
        for each in joined
    ]
    return links


def _check_recipients(
    tx: Transaction, context: Context, call: Call, parents: Iterable[str]
) -> None:
    """Refuse a message that stands on what its recipient may not read."""
    wanted = list(parents)
    for recipient in call.to:
        held = holdings(tx, context.tenant, recipient, (Right.READ,))
        if not held.trusted or not held.may(Right.READ):
            message = f"to: `{recipient}` is not active"
            raise RefusedError(message)
        if wanted and len(list(prove(tx, context, held, wanted))) < len(set(wanted)):
            message = f"to: `{recipient}` may not read what this message stands on"
            raise RefusedError(message)


def _draft(call: Call, held: Holdings, links: Sequence[Link], vectors: Vectors | None) -> Draft:
    return Draft(
        id=call.id,
        kind=call.kind,
        text=call.text,
        scope=call.scope if call.scope is not None else default_scope(call.agent, links, call.to),
        writers=(Writer(id=call.agent, kind=NodeLabel.AGENT, standing=held.standing),),
        links=tuple(links),
        forwarded_to=call.to,
        task=call.task,
        expires_at=call.expires_at,
        metadata=call.metadata,
        vectors=vectors,
    )


def default_scope(
    writer: str, links: Sequence[Link], recipients: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the own scope of a record that declares none (SPEC 3)."""
    if links:
        return (EVERYBODY,)
    return tuple(sorted({writer, *recipients}))


def check_edge(parents: Iterable[str], allowed: Iterable[NodeLabel], field: str) -> None:
    """Refuse parents of a kind that the edge may not lead to.

    Raises:
        InputError: One of them is of another kind.

    """
    kinds = set(allowed)
    for each in parents:
        if label_of(each) not in kinds:
            listed = ", ".join(sorted(kinds))
            message = f"{field}: `{each}` is a {label_of(each)}; only {listed} may stand here"
            raise InputError(message)
