"""Plans an import: checks every event of a log and resolves its ids before anything is written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mapgraph_neo.context import Context, check_metadata, check_own_scope, check_text, digest
from mapgraph_neo.errors import InputError, MapGraphError
from mapgraph_neo.events import (
    ActionEvent,
    AgentEvent,
    AnyEvent,
    ClaimEvent,
    GrantEvent,
    InvalidateEvent,
    MembershipEvent,
    MessageEvent,
    ObserveEvent,
    ReadEvent,
    ResourceEvent,
    RevokeEvent,
    SummarizeEvent,
    ToolEvent,
    UndoEvent,
    UserEvent,
    VerifyEvent,
    Written,
    parse_event,
)
from mapgraph_neo.names import LABEL, check_name, label_of, node_id
from mapgraph_neo.registration import agent_source, resource_source, tool_source, user_source
from mapgraph_neo.registry import Source
from mapgraph_neo.vocabulary import ENDPOINTS, EdgeType, NodeLabel, RevocationKind

MAX_LINE_BYTES = 4_000_000


@dataclass(slots=True)
class Item:
    """One event with its ids resolved."""

    place: str
    event: AnyEvent
    key: str
    id: str | None = None
    source: Source | None = None
    refers: tuple[str, ...] = ()
    edges: tuple[tuple[EdgeType, str], ...] = ()  # declared parents of a record


@dataclass(slots=True)
class Plan:
    """A whole log, checked; ``outside`` are ids that the tenant must hold already."""

    items: list[Item]
    outside: set[str] = field(default_factory=set[str])
    digest: str = ""


def lines_of(log: str | Path | Iterable[object]) -> Iterator[tuple[str, object]]:
    """Yield the events of a log with the place of each.

    Raises:
        InputError: The file cannot be read.

    """
    if not isinstance(log, str | Path):
        for number, value in enumerate(log, start=1):
            yield f"event {number}", value
        return
    path = Path(log)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                place = f"{path.name}:{number}"
                if len(line) > MAX_LINE_BYTES:
                    message = f"{place}: longer than {MAX_LINE_BYTES} bytes"
                    raise InputError(message)
                if line.strip():
                    yield place, line
    except OSError as error:
        message = f"{path.name}: cannot be read: {error.strerror}"
        raise InputError(message) from None


def plan(context: Context, log: str | Path | Iterable[object]) -> Plan:
    """Return the checked plan of a whole log.

    Raises:
        InputError: An event cannot be used; names the place and the field.

    """
    planner = _Planner(context)
    for place, value in lines_of(log):
        try:
            planner.add(place, parse_event(value, place))
        except InputError as error:
            text = str(error)
            message = text if text.startswith(place) else f"{place}: {text}"
            raise InputError(message) from None
        except MapGraphError as error:
            message = f"{place}: {error}"
            raise InputError(message) from None
    whole = planner.plan
    whole.digest = digest([item.key for item in whole.items])
    return whole


class _Planner:
    """Reads events in order; what an event refers to must come before it, or stand in the store."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[str, str] = {}  # as written in the log -> id
        self._seen: Counter[str] = Counter()
        self._inside: dict[str, str] = {}  # id -> digest of the event that made it
        self._marks: set[str] = set()
        self.plan = Plan(items=[])

    def add(self, place: str, event: AnyEvent) -> None:
        body = event.model_dump(mode="json")
        mark = digest(body)
        self._seen[mark] += 1
        item = Item(place=place, event=event, key=f"{mark}:{self._seen[mark]}")
        kept = True
        if isinstance(event, UserEvent | AgentEvent | ToolEvent | ResourceEvent):
            item.source = self._source(event)
            item.id = item.source.id
            item.refers = (item.source.authority,) if item.source.authority else ()
        elif isinstance(event, Written):
            item.id, item.refers, item.edges = self._record(event)
        elif isinstance(event, ActionEvent):
            item.id = node_id(NodeLabel.ACTION, event.id, "id")
            item.refers = self._action(event)
        else:
            item.refers = self._other(event)
        for each in item.refers:
            if each not in self._inside:
                self.plan.outside.add(each)
        if item.id is not None:
            kept = self._declare(item, mark, str(event.id))
        if kept:
            self.plan.items.append(item)

    def _declare(self, item: Item, mark: str, written: str) -> bool:
        assert item.id is not None  # noqa: S101 - the caller checked
        before = self._inside.get(item.id)
        if before is not None and before != mark:
            message = f"id: `{item.id}` stands twice in this log with different content"
            raise InputError(message)
        self._inside[item.id] = mark
        other = self._known.setdefault(written, item.id)
        if other != item.id:
            self._known[written] = ""  # two kinds share the bare name: only whole ids are clear
        return before is None

    def resolve(self, name: object, field: str, kind: NodeLabel | None = None) -> str:
        """Return the id that ``name`` stands for: whole, of a known kind, or made in this log."""
        text = check_name(name, field)
        prefix, colon, _ = text.partition(":")
        if colon and prefix in LABEL:
            return text if kind is None else node_id(kind, text, field)
        if kind is not None:
            return node_id(kind, text, field)
        found = self._known.get(text)
        if not found:
            message = f"{field}: `{text}` is not a whole id, and no event before it made it"
            raise InputError(message)
        return found

    def many(self, names: str | Sequence[str], field: str) -> tuple[str, ...]:
        """Return the ids that ``names`` stand for, without repeats."""
        given = (names,) if isinstance(names, str) else names
        return tuple(dict.fromkeys(self.resolve(name, field) for name in given))

    def _source(self, event: UserEvent | AgentEvent | ToolEvent | ResourceEvent) -> Source:
        match event:
            case UserEvent():
                return user_source(event.id, event.teams, event.roles, event.standing, None)
            case AgentEvent():
                return agent_source(
                    event.id,
                    event.user,
                    event.delegator,
                    event.scopes,
                    event.rights,
                    event.standing,
                    None,
                )
            case ToolEvent():
                given = event.model_dump(exclude={"event", "id", "occurred_at", "task", "owner"})
                return tool_source(self._context, event.id, given, event.owner, None)
            case ResourceEvent():
                return resource_source(
                    self._context,
                    event.id,
                    event.scope,
                    event.source_class,
                    event.owner,
                    event.expires_at,
                    None,
                )

    def _record(
        self, event: Written
    ) -> tuple[str, tuple[str, ...], tuple[tuple[EdgeType, str], ...]]:
        check_text(event.text, self._context)
        check_metadata(event.metadata, self._context)
        if event.scope is not None:
            check_own_scope(event.scope, self._context)
        kind = kind_of(event)
        writer = self.writer(event.writer)
        found = [writer]
        edges: list[tuple[EdgeType, str]] = []
        for edge, parents in self.parents(event):
            _check_ends(edge, kind, parents)
            found += parents
            edges += [(edge, parent) for parent in parents]
        if isinstance(event, MessageEvent):
            found += self.recipients(event)
        return node_id(kind, event.id, "id"), tuple(found), tuple(edges)

    def writer(self, name: str) -> str:
        """Return the id of a writer; a bare name that the log did not make is an agent."""
        if name.partition(":")[0] in LABEL or self._known.get(name):
            found = self.resolve(name, "writer")
        else:
            found = node_id(NodeLabel.AGENT, name, "writer")
        if label_of(found) not in ENDPOINTS[EdgeType.WRITTEN_BY][1]:
            message = f"writer: `{found}` cannot write"
            raise InputError(message)
        return found

    def recipients(self, event: MessageEvent) -> tuple[str, ...]:
        """Return the agents that a message was forwarded to."""
        given = (event.to,) if isinstance(event.to, str) else event.to
        return tuple(dict.fromkeys(node_id(NodeLabel.AGENT, name, "to") for name in given))

    def parents(self, event: Written) -> list[tuple[EdgeType, tuple[str, ...]]]:
        """Return the declared parents by the type of edge that leads to them."""
        observed, derived, summarized = event.observed, event.derived, event.summarized
        found = [
            (EdgeType.OBSERVED_FROM, self.many(observed, "observed")),
            (EdgeType.DERIVED_FROM, self.many(derived, "derived")),
            (EdgeType.SUMMARIZED_FROM, self.many(summarized, "summarized")),
        ]
        if isinstance(event, ObserveEvent | MessageEvent):
            found.append((EdgeType.OBSERVED_FROM, self.many(event.source, "source")))
        if isinstance(event, SummarizeEvent):
            found.append((EdgeType.SUMMARIZED_FROM, self.many(event.parents, "parents")))
        elif not isinstance(event, ObserveEvent):
            found.append((EdgeType.DERIVED_FROM, self.many(event.parents, "parents")))
        return found

    def _action(self, event: ActionEvent) -> tuple[str, ...]:
        used = (*self.many(event.evidence, "evidence"), *self.many(event.parameters, "parameters"))
        return (
            node_id(NodeLabel.AGENT, event.agent, "agent"),
            node_id(NodeLabel.TOOL, event.tool, "tool"),
            *used,
        )

    def _other(self, event: Any) -> tuple[str, ...]:  # noqa: ANN401 - the rest of the union
        match event:
            case MembershipEvent():
                return (node_id(NodeLabel.USER, event.user, "user"),)
            case GrantEvent():
                return (self.resolve(event.principal, "principal"),)
            case ReadEvent():
                agent = node_id(NodeLabel.AGENT, event.agent, "agent")
                return (agent, *self.many(event.id, "id"))
            case VerifyEvent():
                record = self.resolve(event.id, "id")
                by = self.actor(event.by)
                return (record, by, *self.many(event.evidence, "evidence"))
            case RevokeEvent() | InvalidateEvent():
                return self._revocation(event)
            case UndoEvent():
                return (self.actor(event.by), *self._undone(event))
            case _:
                message = "event: not known"
                raise InputError(message)

    def actor(self, name: str) -> str:
        """Return the id of who acted; a bare name that the log did not make is a user."""
        if name.partition(":")[0] in LABEL or self._known.get(name):
            return self.resolve(name, "by")
        return node_id(NodeLabel.USER, name, "by")

    def _revocation(self, event: RevokeEvent | InvalidateEvent) -> tuple[str, ...]:
        target = self.resolve(event.id, "id")
        froms, tos = ENDPOINTS[EdgeType.INVALIDATED_BY]
        by = self.actor(event.by)
        if label_of(target) not in froms or label_of(by) not in tos:
            message = f"id: INVALIDATED_BY may not lead from `{target}` to `{by}`"
            raise InputError(message)
        if isinstance(event, RevokeEvent):
            RevocationKind(event.kind) if event.kind in list(RevocationKind) else _bad_kind(event)
        if event.revocation_id:
            self._marks.add(event.revocation_id)
        return (target, by)

    def _undone(self, event: UndoEvent) -> tuple[str, ...]:
        if event.revocation_id is not None:
            return ()
        if event.id is None:
            message = "revocation_id: an undo names a revocation, or the node by `id`"
            raise InputError(message)
        return (self.resolve(event.id, "id"),)


def kind_of(event: Written) -> NodeLabel:
    """Return the label of what a writing event makes."""
    if isinstance(event, MessageEvent):
        return NodeLabel.MESSAGE
    return NodeLabel.CLAIM if isinstance(event, ClaimEvent) else NodeLabel.MEMORY


def _bad_kind(event: RevokeEvent) -> None:
    message = f"kind: `{event.kind}` is none of {', '.join(RevocationKind)}"
    raise InputError(message)


def _check_ends(edge: EdgeType, kind: NodeLabel, parents: Iterable[str]) -> None:
    froms, tos = ENDPOINTS[edge]
    for parent in parents:
        if kind not in froms or label_of(parent) not in tos:
            message = f"{edge} may not lead from a {kind} to `{parent}`"
            raise InputError(message)
