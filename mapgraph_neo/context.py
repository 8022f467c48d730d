"""What every stage needs: the graph, the tenant, the policy, the embedder and the clock's units."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

from mapgraph_neo.embedding import Embedder
from mapgraph_neo.errors import EmbeddingError, InputError, LimitError, NotRegisteredError
from mapgraph_neo.graph import Graph, Transaction
from mapgraph_neo.names import check_scope
from mapgraph_neo.policy import Policy
from mapgraph_neo.sidecar_snapshot import Snapshots

CAPTION_LENGTH = 40

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


def quiet(_what: str, _done: int, _of: int) -> None:
    """Tell nobody of the progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One tenant of one graph under one policy."""

    graph: Graph
    tenant: str
    policy: Policy
    embedder: Embedder
    snapshots: Snapshots | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The tenant's lock, held by this write, with the numbers it was given."""

    epoch: int
    seq: int  # the last number handed out before; this write's are seq + 1 ...
    hash_key: str = field(repr=False)
    now: datetime


def take_turn(
    tx: Transaction, context: Context, *, bump: bool, count: int = 0, vectors: bool = False
) -> Turn:
    """Lock the tenant before anything is read (SPEC 5, Consistency).

    Args:
        tx: The open transaction.
        context: The tenant, and the model of its vectors.
        bump: Whether the write changes what may be read.
        count: How many numbers it needs.
        vectors: Whether it writes any, so that the tenant is bound to their model from now on.

    Raises:
        NotRegisteredError: The tenant was never initialised.
        EmbeddingError: Its vectors are of another model.

    """
    rows = tx.run(
        "record/take_turn",
        tenant=context.tenant,
        bump=int(bump),
        count=count,
        model=context.embedder.identity if vectors else None,
        dimension=context.embedder.dimension if vectors else None,
    )
    if not rows:
        raise unknown_tenant(context.tenant)
    row = rows[0]
    if vectors:
        check_model(row["model"], context)
    return Turn(epoch=row["epoch"], seq=row["seq"], hash_key=row["hash_key"], now=row["now"])


def check_model(model: str | None, context: Context) -> None:
    """Refuse to mix vectors of two models.

    Raises:
        EmbeddingError: The tenant's vectors are of another model; the message names both.

    """
    if model is not None and model != context.embedder.identity:
        message = (
            f"the vectors of tenant `{context.tenant}` are of model `{model}`, this process uses "
            f"`{context.embedder.identity}`; open it with the former, or use another tenant"
        )
        raise EmbeddingError(message)


def unknown_tenant(tenant: str) -> NotRegisteredError:
    """Return the error for a tenant that was never initialised."""
    return NotRegisteredError(
        f"tenant `{tenant}` has no administrator yet; run `mapgraph init` or MapGraph.init()"
    )


def content_hash(key: str, text: str) -> str:
    """Return the keyed hash (HMAC-SHA256, hex) of ``text``."""
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


def caption(text: str) -> str:
    """Return a short single line of ``text`` for Browser."""
    line = " ".join(text.split())
    return line if len(line) <= CAPTION_LENGTH else line[: CAPTION_LENGTH - 1] + "…"


def check_text(text: object, context: Context, field: str = "text") -> str:
    """Return ``text`` if it can be stored.

    Raises:
        InputError: Not a string, empty, or not encodable.
        LimitError: Longer than the policy's limit.

    """
    if not isinstance(text, str) or not text.strip():
        message = f"{field}: a non-empty string is needed"
        raise InputError(message)
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        message = f"{field}: lone surrogates cannot be stored"
        raise InputError(message) from None
    if "\x00" in text:
        message = f"{field}: NUL cannot be stored"
        raise InputError(message)
    if size > context.policy.limits.text_bytes:
        message = f"{field}: {size} bytes; the limit is {context.policy.limits.text_bytes}"
        raise LimitError(message)
    return text


def check_own_scope(scope: object, context: Context, field: str = "scope") -> list[str]:
    """Return the principals of the scope of one node, sorted and without repeats.

    Raises:
        InvalidNameError: Not a list, or one of them is no principal.
        LimitError: More than the policy's limit.

    """
    found = check_scope(scope, field)
    limit = context.policy.limits.scope_principals
    if len(found) > limit:
        message = f"{field}: {len(found)} principals; the limit is {limit}"
        raise LimitError(message)
    return found


def check_time(value: object, field: str) -> datetime | None:
    """Return a zone-aware time in UTC, or ``None``.

    Raises:
        InputError: Not a time, or without a zone.

    """
    if value is None:
        return None
    if not isinstance(value, datetime) or value.utcoffset() is None:
        message = f"{field}: a zone-aware datetime is needed"
        raise InputError(message)
    return value.astimezone(UTC)


def milliseconds(value: datetime | None) -> int | None:
    """Return a time as milliseconds since 1970 UTC, the unit of entries."""
    return None if value is None else int(value.timestamp() * 1000)


def canonical(value: object) -> str:
    """Return ``value`` as JSON with sorted keys: equal values give equal text.

    Raises:
        InputError: It holds something that JSON has no word for, such as NaN.

    """
    try:
        return json.dumps(
            value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
    except (TypeError, ValueError, RecursionError) as error:
        message = f"not JSON: {error}"
        raise InputError(message) from None


def digest(value: object) -> str:
    """Return the SHA-256 (hex) of the canonical JSON of ``value``."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def check_metadata(metadata: Mapping[str, object] | None, context: Context) -> str | None:
    """Return free-form metadata as JSON text, kept apart from every field that decides.

    Raises:
        InputError: Not JSON.
        LimitError: Larger than the policy's limits.

    """
    if metadata is None:
        return None
    limits = context.policy.limits
    if len(metadata) > limits.metadata_keys:
        message = f"metadata: {len(metadata)} keys; the limit is {limits.metadata_keys}"
        raise LimitError(message)
    return checked_json(
        dict(metadata), "metadata", size=limits.metadata_bytes, depth=limits.metadata_depth
    )


def checked_json(value: Mapping[str, object], field: str, *, size: int, depth: int) -> str:
    """Return ``value`` as canonical JSON if it is neither too deep nor too large.

    Raises:
        InputError: Not JSON, or text that cannot be stored.
        LimitError: Deeper than ``depth`` levels or larger than ``size`` bytes.

    """
    level: list[object] = [value]
    for _ in range(depth):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            break
    else:
        message = f"{field}: deeper than {depth} levels"
        raise LimitError(message)
    text = canonical(value)
    try:
        taken = len(text.encode())
    except UnicodeEncodeError:
        message = f"{field}: lone surrogates cannot be stored"
        raise InputError(message) from None
    if taken > size:
        message = f"{field}: {taken} bytes; the limit is {size}"
        raise LimitError(message)
    return text


def _inside(value: object) -> list[object]:
    """Return what stands directly inside a JSON object or array."""
    if isinstance(value, Mapping):
        return list(cast("Mapping[object, object]", value).values())
    if isinstance(value, list | tuple):
        return list(cast("Sequence[object]", value))
    return []


def new_key(prefix: str) -> str:
    """Return a fresh random id of a bookkeeping record."""
    return f"{prefix}:{secrets.token_hex(12)}"
