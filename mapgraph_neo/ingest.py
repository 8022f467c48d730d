"""Stage 1 in bulk: records a whole execution log, validated first, at once or in batches."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from mapgraph_neo.context import Context, Progress, quiet, take_turn, unknown_tenant
from mapgraph_neo.drafts import Vectors
from mapgraph_neo.errors import InputError
from mapgraph_neo.events import MessageEvent, Written
from mapgraph_neo.graph import Transaction
from mapgraph_neo.ingest_plan import Item, Plan, plan
from mapgraph_neo.ingest_write import Batch, write_batch
from mapgraph_neo.record import embed
from mapgraph_neo.rework import work_off

V = TypeVar("V")
ACTOR = "ingest"
EMBED_BATCH = 256
LOOKUP_BATCH = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What an import recorded. ``replayed`` events were there already and changed nothing."""

    events: int
    recorded: int
    replayed: int
    batches: int
    epoch: int


def ingest(
    context: Context, log: str | Path | Iterable[object], *, progress: Progress | None = None
) -> IngestReport:
    """Record a log: a path to NDJSON, or an iterable of events.

    The log is validated whole first. Up to the policy's batch limit it goes in one
    transaction; a larger one in batches that stay ineligible everywhere until the last.

    Raises:
        InputError: An event cannot be used; names the place and the field; nothing is kept.

    """
    tell = progress or quiet
    whole = plan(context, log)
    tell("checked", len(whole.items), len(whole.items))
    fresh = _fresh(context, whole)
    vectors = _embed(context, fresh, tell)
    size = context.policy.limits.batch_events
    batches = [fresh[start : start + size] for start in range(0, len(fresh), size)]
    pending = f"import:{whole.digest[:24]}" if len(batches) > 1 else None
    done = 0
    for items in batches:
        batch = Batch(items=items, vectors=vectors, pending=pending)
        context.graph.write(lambda tx, batch=batch: _write(tx, context, batch))
        done += len(items)
        tell("written", done, len(fresh))
    _open(context, whole)
    work_off(context)
    epoch = context.graph.read(lambda tx: tx.run("record/tenant", tenant=context.tenant))
    return IngestReport(
        events=len(whole.items),
        recorded=len(fresh),
        replayed=len(whole.items) - len(fresh),
        batches=len(batches),
        epoch=epoch[0]["epoch"],
    )


def _write(tx: Transaction, context: Context, batch: Batch) -> None:
    turn = take_turn(tx, context, bump=True, count=batch.numbers, vectors=bool(batch.vectors))
    write_batch(tx, context, turn, batch)
    tx.run(
        "record/save_keys",
        tenant=context.tenant,
        actor=ACTOR,
        keys=[item.key for item in batch.items],
    )


def _open(context: Context, whole: Plan) -> None:
    """Open what an import kept closed, also one that was cut off and is now repeated."""
    context.graph.write(
        lambda tx: tx.run(
            "record/open_records",
            tenant=context.tenant,
            import_id=f"import:{whole.digest[:24]}",
        )
    )


def _fresh(context: Context, whole: Plan) -> list[Item]:
    """Return the events that were not recorded before.

    Raises:
        InputError: An event refers to what neither the log nor the store holds, or repeats the
            id of something else.

    """

    def work(tx: Transaction) -> list[Item]:
        if not tx.run("record/tenant", tenant=context.tenant):
            raise unknown_tenant(context.tenant)
        done = _lookup(
            whole.items, lambda items: _known_keys(tx, context, [item.key for item in items])
        )
        fresh = [item for item in whole.items if item.key not in done]
        ids = {item.id for item in fresh if item.id} | whole.outside
        present = _lookup(sorted(ids), lambda chunk: _existing(tx, context, chunk))
        inside = {item.id for item in whole.items if item.id}
        _check_order(whole, present)
        for item in fresh:
            if item.id in present:
                message = f"{item.place}: id: `{item.id}` is taken already; ids are never reused"
                raise InputError(message)
            for each in item.refers:
                if each not in present and each not in inside:
                    message = f"{item.place}: `{each}` is neither in the log nor in the store"
                    raise InputError(message)
        return fresh

    return context.graph.read(work)


def _check_order(whole: Plan, present: set[str]) -> None:
    """Refuse a record whose parent is made only later in the log, or is the record itself.

    Raises:
        InputError: There is one; names its place.

    """
    made = [item for item in whole.items if isinstance(item.event, Written)]
    later = ({item.id for item in made if item.id} & whole.outside) - present
    for item in made if later else ():
        if missing := later.intersection(item.refers):
            message = f"{item.place}: parents: `{min(missing)}` is not made before it in the log"
            raise InputError(message)
        later.discard(item.id or "")


def _known_keys(tx: Transaction, context: Context, keys: Sequence[str]) -> Iterable[str]:
    rows = tx.run("record/existing_keys", tenant=context.tenant, actor=ACTOR, keys=list(keys))
    return rows[0]["found"]


def _existing(tx: Transaction, context: Context, ids: Sequence[str]) -> Iterable[str]:
    rows = tx.run("record/existing", tenant=context.tenant, ids=list(ids))
    return [row[0] for row in rows[0]["found"]]


def _lookup(values: Sequence[V], find: Callable[[Sequence[V]], Iterable[str]]) -> set[str]:
    found: set[str] = set()
    for start in range(0, len(values), LOOKUP_BATCH):
        found.update(find(values[start : start + LOOKUP_BATCH]))
    return found


def _embed(context: Context, items: Sequence[Item], tell: Progress) -> dict[str, Vectors]:
    """Return the vectors of every memory and claim, outside any lock."""
    wanted = [
        (item.id or "", item.event.text)
        for item in items
        if isinstance(item.event, Written) and not isinstance(item.event, MessageEvent)
    ]
    found: dict[str, Vectors] = {}
    for start in range(0, len(wanted), EMBED_BATCH):
        chunk = wanted[start : start + EMBED_BATCH]
        vectors = embed(context.embedder, [text for _, text in chunk])
        found.update(zip((each for each, _ in chunk), vectors, strict=True))
        tell("embedded", len(found), len(wanted))
    return found
