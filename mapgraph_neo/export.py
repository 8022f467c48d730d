"""Writes a tenant as the execution log (NDJSON) that ``ingest`` reads."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mapgraph_neo.context import Context, unknown_tenant
from mapgraph_neo.errors import InputError
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.private_files import create
from mapgraph_neo.vocabulary import EdgeType, NodeLabel, Right

ERASED = "(erased)"
"""Stands for content that is gone; the withdrawal that erased it follows."""
SOURCES = (NodeLabel.USER, NodeLabel.AGENT, NodeLabel.TOOL, NodeLabel.RESOURCE)
KEPT: Mapping[NodeLabel, tuple[str, ...]] = {
    NodeLabel.USER: ("teams", "roles", "standing"),
    NodeLabel.AGENT: ("standing",),
    NodeLabel.TOOL: ("risk", "answer", "source_class", "sends", "audience_from", "evidence"),
    NodeLabel.RESOURCE: ("scope", "source_class", "expires_at"),
}
Event = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """What was written where."""

    file: str
    events: int
    epoch: int


def export(context: Context, file: str | Path) -> ExportReport:
    """Write the tenant to a new file, for its owner alone; an export holds all content.

    Administrators and their grants are not in it: ``init`` of the new tenant makes the first.
    Neither are vectors, audit, approvals and withdrawn grants.

    Raises:
        InputError: The file exists already, or cannot be written.
        NotRegisteredError: The tenant was never initialised.

    """

    def work(tx: Transaction) -> tuple[int, list[Event]]:
        state = tx.run("record/tenant", tenant=context.tenant)
        if not state:
            raise unknown_tenant(context.tenant)
        grants = tx.run("interchange/grants", tenant=context.tenant)[0]["grants"]
        edges = tx.run("interchange/edges", tenant=context.tenant)
        nodes = tx.run("interchange/nodes", tenant=context.tenant)
        return state[0]["epoch"], list(_Log(nodes, edges, grants).events())

    epoch, events = context.graph.read(work)
    path = Path(file)
    try:
        with create(path) as out:
            for event in events:
                line = json.dumps(event, ensure_ascii=False, default=_text)
                out.write(line.encode() + b"\n")
    except OSError as error:
        message = f"file: `{path}` cannot be written: {error.strerror}"
        raise InputError(message) from None
    return ExportReport(file=str(path), events=len(events), epoch=epoch)


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    message = f"no JSON for {type(value).__name__}"
    raise TypeError(message)


class _Log:
    """The events of one tenant, sources first, then records, and what was done with them."""

    def __init__(
        self, nodes: Sequence[Row], edges: Sequence[Row], grants: Sequence[Mapping[str, Any]]
    ) -> None:
        self._nodes = nodes
        self._grants = grants
        self._out: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
        self._by: defaultdict[str, list[Row]] = defaultdict(list)
        self._used: defaultdict[str, list[Row]] = defaultdict(list)
        for edge in edges:
            self._out[edge["source"], edge["type"]].append(edge)
            self._by[edge["type"]].append(edge)
            if edge["type"] == EdgeType.USED_FOR_ACTION:
                self._used[edge["target"]].append(edge)
        self._administrators = {
            grant["principal"] for grant in grants if Right.ADMINISTER.value in grant["rights"]
        }

    def events(self) -> Iterator[Event]:
        """Yield all events."""
        kinds = {node["id"]: NodeLabel(node["kind"]) for node in self._nodes}
        for node in self._nodes:
            if kinds[node["id"]] in SOURCES and node["id"] not in self._administrators:
                yield self._source(node, kinds[node["id"]])
        yield from self._granted()
        for node in self._nodes:
            if kinds[node["id"]] in (NodeLabel.MESSAGE, NodeLabel.MEMORY, NodeLabel.CLAIM):
                yield self._record(node, kinds[node["id"]])
        for edge in self._by[EdgeType.READ_BY]:
            facts = edge["properties"]
            yield _event("read", facts, id=edge["source"], agent=edge["target"], task=facts["task"])
        yield from self._found()
        for node in self._nodes:
            if kinds[node["id"]] is NodeLabel.ACTION:
                yield self._action(node)

    def _source(self, node: Row, kind: NodeLabel) -> Event:
        facts = node["properties"]
        event = _event(kind.lower(), facts, id=node["id"])
        event |= {name: facts[name] for name in KEPT[kind] if facts.get(name) is not None}
        above = self._out[node["id"], EdgeType.AUTHORIZED_BY]
        if kind is NodeLabel.AGENT:
            first = self._first(above)
            word = "user" if first["target"].startswith("user:") else "delegator"
            event[word] = first["target"]
            active = first["properties"].get("revoked_at") is None
            # Without the right to read, write or act the agent is as inactive as it was.
            event["scopes"] = first["properties"]["scopes"] if active else []
            event["rights"] = first["properties"]["rights"] if active else [Right.DELEGATE.value]
        elif above:
            event["owner"] = above[0]["target"]
        return event

    @staticmethod
    def _first(above: Sequence[Row]) -> Row:
        """Return the authority to register under: an active one without end, if there is one."""

        def key(edge: Row) -> tuple[bool, bool]:
            facts = edge["properties"]
            return facts.get("revoked_at") is not None, facts.get("valid_to") is not None

        return min(above, key=key)

    def _granted(self) -> Iterator[Event]:
        for node in self._nodes:
            above = self._out[node["id"], EdgeType.AUTHORIZED_BY]
            if node["kind"] != NodeLabel.AGENT or not above:
                continue
            first = self._first(above)
            for edge in above:
                facts = edge["properties"]
                if edge is not first and facts.get("revoked_at") is None:
                    yield _event("grant", {}, principal=node["id"], via=edge["target"]) | _span(
                        facts
                    )
        for grant in self._grants:
            if grant["principal"] not in self._administrators:
                yield _event("grant", {}, principal=grant["principal"]) | _span(grant)

    def _record(self, node: Row, kind: NodeLabel) -> Event:
        facts = node["properties"]
        observed, summarized, derived = (
            [edge["target"] for edge in self._out[node["id"], each]]
            for each in (EdgeType.OBSERVED_FROM, EdgeType.SUMMARIZED_FROM, EdgeType.DERIVED_FROM)
        )
        written = self._out[node["id"], EdgeType.WRITTEN_BY]
        event: Event = {"tracing": True, "text": facts.get("text", ERASED), "scope": facts["scope"]}
        if kind is NodeLabel.MESSAGE:
            to = [edge["target"] for edge in self._out[node["id"], EdgeType.FORWARDED_TO]]
            event |= {"event": "message", "to": to, "source": observed, "parents": derived}
        elif kind is NodeLabel.CLAIM:
            event |= {"event": "claim", "parents": derived, "observed": observed}
        elif summarized:
            event |= {"event": "summarize", "parents": summarized, "derived": derived}
            event["observed"] = observed
        elif observed:
            event |= {"event": "observe", "source": observed, "derived": derived}
        else:
            event |= {"event": "remember", "parents": derived}
        event |= {"id": node["id"], "writer": written[0]["target"]}
        if task := written[0]["properties"].get("task"):
            event["task"] = task
        if facts.get("metadata"):
            event["metadata"] = json.loads(facts["metadata"])
        if facts.get("expires_at"):
            event["expires_at"] = facts["expires_at"]
        if kind is NodeLabel.MESSAGE and summarized:
            event["summarized"] = summarized
        event = {name: value for name, value in event.items() if value or name == "scope"}
        return event | {"occurred_at": facts.get("occurred_at") or facts["created_at"]}

    def _found(self) -> Iterator[Event]:
        hashes = {node["id"]: node["properties"].get("content_hash") for node in self._nodes}
        for edge in self._by[EdgeType.VERIFIED_BY]:
            facts = edge["properties"]
            if facts.get("content_hash") == hashes.get(edge["source"]):
                yield _event("verify", facts, id=edge["source"], by=edge["target"]) | {
                    "outcome": facts["outcome"],
                    "evidence": facts.get("evidence") or [],
                }
        for edge in self._by[EdgeType.INVALIDATED_BY]:
            facts = edge["properties"]
            event = _event("revoke", facts, id=edge["source"], by=edge["target"])
            event |= {name: facts[name] for name in ("since", "until") if facts.get(name)}
            event |= {"kind": facts["kind"], "reason": facts["reason"]}
            yield event | {"revocation_id": facts["id"]}
            if facts.get("undone_at") is not None:
                by = facts.get("undone_by") or edge["target"]
                yield _event("undo", {}, revocation_id=facts["id"], by=by) | {
                    "reason": facts.get("undo_reason") or ""
                }

    def _action(self, node: Row) -> Event:
        facts = node["properties"]
        used = [(edge["source"], edge["properties"]["role"]) for edge in self._used[node["id"]]]
        return _event("action", facts, id=node["id"], agent=facts["agent"], tool=facts["tool"]) | {
            "task": facts["task"],
            "outcome": facts["outcome"],
            "risk": facts["risk"],
            "evidence": [item for item, role in used if role == "evidence"],
            "parameters": [item for item, role in used if role == "parameter"],
        }


def _event(kind: str, facts: Mapping[str, Any], **fields: object) -> Event:
    at = facts.get("occurred_at") or facts.get("created_at") or facts.get("at")
    return {"event": kind, **fields} | ({"occurred_at": at} if at is not None else {})


def _span(facts: Mapping[str, Any]) -> Event:
    span: Event = {name: facts[name] for name in ("scopes", "rights", "valid_from")}
    return span | ({"valid_to": facts["valid_to"]} if facts.get("valid_to") else {})
