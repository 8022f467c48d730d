"""The handle of one agent in one task: what agent backends call; the host binds the identity."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from mapgraph_neo import approval, audit, ranking, record
from mapgraph_neo.action import Proposal, propose
from mapgraph_neo.context import (
    Context,
    check_metadata,
    check_own_scope,
    check_text,
    check_time,
    checked_json,
)
from mapgraph_neo.eligibility import READABLE, Proved, prove
from mapgraph_neo.errors import (
    ActionNotAllowedError,
    InputError,
    RefusedError,
    UnknownNodeError,
)
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings, require
from mapgraph_neo.model import Check, Decision, Evidence, Record, Retrieval
from mapgraph_neo.names import any_id, check_name, check_principal, new_id, node_id
from mapgraph_neo.reads import Reads, record_reads
from mapgraph_neo.record import Call
from mapgraph_neo.registration import one_of
from mapgraph_neo.sync import Synchroniser
from mapgraph_neo.vocabulary import (
    ENDPOINTS,
    EdgeType,
    EvidenceRole,
    NodeLabel,
    Reason,
    Right,
    RiskLevel,
)

MESSAGE_BATCH = 100


class AgentHandle:
    """One agent in one task. It can read, write and propose; it can administer nothing."""

    def __init__(
        self,
        context: Context,
        synchroniser: Synchroniser,
        *,
        agent: str,
        task: str,
        tracing: bool,
        seconds: float,
    ) -> None:
        """Bind identity, task and tracing, which no argument of a call can change."""
        self._context = context
        self._synchroniser = synchroniser
        self._agent = agent
        self._task = task
        self._tracing = tracing
        self._seconds = seconds

    @property
    def id(self) -> str:
        """The agent's id."""
        return self._agent

    @property
    def task(self) -> str:
        """The task that everything is recorded under."""
        return self._task

    def observe(
        self,
        text: str,
        *,
        source: str | Sequence[str],
        scope: Iterable[str] | None = None,
        expires_at: datetime | None = None,
        metadata: Mapping[str, object] | None = None,
        key: str | None = None,
    ) -> str:
        """Remember what was observed from a resource, tool or user; return the memory's id.

        Raises:
            UnknownNodeError: The source does not exist or may not be read.
            RefusedError: The agent may not write.
            InputError: An argument cannot be used; nothing was written.

        """
        sources = (source,) if isinstance(source, str) else tuple(source)
        if not sources:
            message = "source: at least one resource, tool or user is needed"
            raise InputError(message)
        return self._write(
            NodeLabel.MEMORY,
            EdgeType.OBSERVED_FROM,
            text,
            sources,
            field="source",
            scope=scope,
            expires_at=expires_at,
            metadata=metadata,
            key=key,
            joins=False,
        )

    def remember(
        self,
        text: str,
        *,
        parents: Iterable[str] = (),
        scope: Iterable[str] | None = None,
        expires_at: datetime | None = None,
        metadata: Mapping[str, object] | None = None,
        key: str | None = None,
    ) -> str:
        """Remember ``text``; what the task read counts as its parents too.

        Raises:
            UnknownNodeError: A parent does not exist or may not be read.
            RefusedError: The agent may not write.
            InputError: An argument cannot be used; nothing was written.

        """
        return self._write(
            NodeLabel.MEMORY,
            EdgeType.DERIVED_FROM,
            text,
            parents,
            scope=scope,
            expires_at=expires_at,
            metadata=metadata,
            key=key,
        )

    def derive(
        self,
        text: str,
        *,
        parents: Iterable[str],
        scope: Iterable[str] | None = None,
        expires_at: datetime | None = None,
        metadata: Mapping[str, object] | None = None,
        key: str | None = None,
    ) -> str:
        """Keep a memory derived from ``parents``; it inherits every restriction of theirs.

        Raises:
            As ``remember``.

        """
        return self._write(
            NodeLabel.MEMORY,
            EdgeType.DERIVED_FROM,
            text,
            self._some(parents),
            scope=scope,
            expires_at=expires_at,
            metadata=metadata,
            key=key,
        )

    def summarize(
        self,
        text: str,
        *,
        parents: Iterable[str],
        scope: Iterable[str] | None = None,
        expires_at: datetime | None = None,
        metadata: Mapping[str, object] | None = None,
        key: str | None = None,
    ) -> str:
        """Keep a summary of ``parents``; it inherits every restriction of theirs.

        Raises:
            As ``remember``.

        """
        return self._write(
            NodeLabel.MEMORY,
            EdgeType.SUMMARIZED_FROM,
            text,
            self._some(parents),
            scope=scope,
            expires_at=expires_at,
            metadata=metadata,
            key=key,
        )

    def claim(
        self,
        text: str,
        *,
        parents: Iterable[str] = (),
        scope: Iterable[str] | None = None,
        expires_at: datetime | None = None,
        metadata: Mapping[str, object] | None = None,
        key: str | None = None,
    ) -> str:
        """Make a claim on ``parents``.

        Raises:
            As ``remember``.

        """
        return self._write(
            NodeLabel.CLAIM,
            EdgeType.DERIVED_FROM,
            text,
            parents,
            scope=scope,
            expires_at=expires_at,
            metadata=metadata,
            key=key,
        )

    def send(
        self,
        text: str,
        *,
        to: str | Sequence[str],
        parents: Iterable[str] = (),
        scope: Iterable[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        key: str | None = None,
    ) -> str:
        """Send a message; each recipient must be allowed to read what it stands on.

        Raises:
            RefusedError: A recipient may not read what the message stands on.
            NotRegisteredError: A recipient is not registered.
            UnknownNodeError: A parent does not exist or may not be read.

        """
        names = (to,) if isinstance(to, str) else tuple(to)
        recipients = tuple(dict.fromkeys(node_id(NodeLabel.AGENT, name, "to") for name in names))
        if not recipients:
            message = "to: at least one agent is needed"
            raise InputError(message)
        return self._write(
            NodeLabel.MESSAGE,
            EdgeType.DERIVED_FROM,
            text,
            parents,
            scope=scope,
            metadata=metadata,
            key=key,
            to=recipients,
        )

    def receive(self) -> tuple[Record, ...]:
        """Return the messages sent to this agent that it has not read, and record them as read."""

        def work(tx: Transaction) -> tuple[Record, ...]:
            held = require(holdings(tx, self._context.tenant, self._agent), Right.READ)
            rows = tx.run(
                "record/messages",
                tenant=self._context.tenant,
                agent=self._agent,
                limit=MESSAGE_BATCH,
            )
            found = prove(tx, self._context, held, [row["id"] for row in rows])
            return self._hand_out(tx, found, "receive", self._task)

        return self._audited("receive", self._task, lambda: self._context.graph.write(work))

    def read(self, record_id: str) -> Record:
        """Return one memory, claim, message or resource by its id, and record it as read.

        Raises:
            UnknownNodeError: It does not exist or may not be read: the same answer.

        """
        wanted = any_id(record_id, "id")

        def work(tx: Transaction) -> tuple[Record, ...]:
            held = require(holdings(tx, self._context.tenant, self._agent), Right.READ)
            found = prove(tx, self._context, held, [wanted])
            readable = [each for each in found if each.kind in READABLE]
            return self._hand_out(tx, readable, "read", wanted)

        found = self._audited("read", wanted, lambda: self._context.graph.write(work))
        if not found:
            audit.refused(
                self._context,
                actor=self._agent,
                act="read",
                target=wanted,
                reason=Reason.NOT_READABLE.value,
            )
            message = f"id: `{wanted}` is not known or not readable"
            raise UnknownNodeError(message)
        return found[0]

    def retrieve(self, query: str, k: int = 5) -> Retrieval:
        """Return the best ``k`` memories and claims for ``query`` that this agent may read.

        Raises:
            InputError: ``k`` or the query is out of range.
            RefusedError: The agent or its user is revoked or compromised.

        """
        question = ranking.Question(
            agent=self._agent, task=self._task, query=query, k=k, seconds=self._seconds
        )
        return self._audited(
            "retrieve",
            self._task,
            lambda: ranking.retrieve(self._context, self._synchroniser, question),
        )

    def check(self, record_id: str) -> Check:
        """Return whether this agent may read a record; unreadable and unknown are the same no."""
        wanted = any_id(record_id, "id")

        def work(tx: Transaction) -> Check:
            held = holdings(tx, self._context.tenant, self._agent)
            epoch = int(tx.run("record/tenant", tenant=self._context.tenant)[0]["epoch"])
            found = [
                each for each in prove(tx, self._context, held, [wanted]) if each.kind in READABLE
            ]
            reason = Reason.ALLOWED if found else Reason.NOT_READABLE
            return Check(allowed=bool(found), reason=reason, epoch=epoch)

        return self._context.graph.read(work)

    def propose(
        self,
        tool: str,
        *,
        arguments: Mapping[str, object] | None = None,
        evidence: Iterable[str] = (),
        parameters: Mapping[str, Iterable[str]] | None = None,
        audience: Iterable[str] = (),
        risk: str | None = None,
        key: str | None = None,
    ) -> Decision:
        """Ask the gate whether this action may run on this evidence now; kept, whatever it says.

        Args:
            tool: The registered tool; one that is not registered is critical.
            arguments: What the tool would be called with; JSON values.
            evidence: Ids that justify the action. Without tracing all that the task read joins.
            parameters: For an argument, the ids whose content goes into it.
            audience: Who will see it; only adds to what the tool's rule computes.
            risk: A declared risk; only raises what the host's rules say.
            key: The caller's own id of the call.

        Raises:
            InputError: An argument cannot be used; nothing was kept.

        """
        given = dict(arguments or {})
        limits = self._context.policy.limits
        checked_json(given, "arguments", size=limits.arguments_bytes, depth=limits.arguments_depth)
        proposal = Proposal(
            agent=self._agent,
            task=self._task,
            tool=node_id(NodeLabel.TOOL, tool, "tool"),
            arguments=given,
            evidence=self._evidence(evidence, parameters or {}, given),
            audience=tuple(
                each if each == "public" else check_principal(each, "audience") for each in audience
            ),
            risk=None if risk is None else one_of(RiskLevel, risk, "risk"),
            tracing=self._tracing,
            key=key,
        )
        return propose(self._context, self._synchroniser, proposal)

    def execute(self, decision_id: str, run: Callable[..., Any] | None = None) -> Any:  # noqa: ANN401 - what the host's function returns
        """Carry out an allowed decision, decided again first; used once.

        Args:
            decision_id: The decision; the object in the caller's hand is not believed.
            run: Called with the stored arguments as keywords. Without it a ticket is returned,
                whose ``done()`` or ``failed(reason)`` the host calls.

        Raises:
            ActionNotAllowedError: It is not allowed, was used, or no longer holds.
            UnknownNodeError: No such decision of this agent in this task.

        """
        wanted = any_id(decision_id, "decision", [NodeLabel.ACTION])
        try:
            ticket = approval.start(self._context, self._agent, self._task, wanted)
        except (ActionNotAllowedError, UnknownNodeError) as error:
            audit.refused(
                self._context,
                actor=self._agent,
                act="execute",
                target=wanted,
                reason=str(error),
            )
            raise
        return ticket if run is None else approval.run(ticket, run)

    def _write(  # noqa: PLR0913
        self,
        kind: NodeLabel,
        edge: EdgeType,
        text: str,
        parents: Iterable[str],
        *,
        field: str = "parents",
        scope: Iterable[str] | None = None,
        expires_at: datetime | None = None,
        metadata: Mapping[str, object] | None = None,
        key: str | None = None,
        to: tuple[str, ...] = (),
        joins: bool = True,
    ) -> str:
        given = (parents,) if isinstance(parents, str) else parents
        ids = tuple(dict.fromkeys(any_id(each, field) for each in given))
        record.check_edge(ids, ENDPOINTS[edge][1], field)
        call = Call(
            id=new_id(kind),
            kind=kind,
            text=check_text(text, self._context),
            agent=self._agent,
            task=self._task,
            parents=ids,
            edge=edge,
            scope=None if scope is None else tuple(check_own_scope(scope, self._context)),
            expires_at=check_time(expires_at, "expires_at"),
            metadata=check_metadata(metadata, self._context),
            to=to,
            key=None if key is None else check_name(key, "key"),
            tracing=self._tracing,
            joins=joins,
        )
        return self._audited(kind.lower(), call.id, lambda: record.write(self._context, call))

    def _hand_out(
        self, tx: Transaction, found: Sequence[Proved], act: str, target: str
    ) -> tuple[Record, ...]:
        ids = [each.id for each in found]
        if not ids:
            return ()
        details = {
            row["id"]: row
            for row in tx.run("record/read_details", tenant=self._context.tenant, ids=ids)
        }
        hash_key = tx.run("record/tenant", tenant=self._context.tenant)[0]["hash_key"]
        whole = [each for each in found if each.text is None or ranking.intact(each, hash_key)]
        handed = [each.id for each in whole]
        record_reads(
            tx,
            self._context.tenant,
            Reads(
                agent=self._agent,
                task=self._task,
                ids=handed,
                act=act,
                target=target,
                detail={"ids": handed},
            ),
        )
        return tuple(
            Record(
                id=each.id,
                label=each.kind,
                text=each.text,
                writer=details[each.id]["writer"],
                created_at=details[each.id]["created_at"],
                occurred_at=details[each.id]["occurred_at"],
            )
            for each in whole
        )

    def _evidence(
        self,
        evidence: Iterable[str],
        parameters: Mapping[str, Iterable[str]],
        arguments: Mapping[str, object],
    ) -> tuple[Evidence, ...]:
        roles: dict[str, EvidenceRole] = {}
        for each in (evidence,) if isinstance(evidence, str) else evidence:
            roles[any_id(each, "evidence")] = EvidenceRole.EVIDENCE
        for name, ids in parameters.items():
            if name not in arguments:
                message = f"parameters: `{name}` is not among the arguments"
                raise InputError(message)
            for each in (ids,) if isinstance(ids, str) else ids:
                roles[any_id(each, f"parameters.{name}")] = EvidenceRole.PARAMETER
        limit = self._context.policy.limits.evidence
        if len(roles) > limit:
            message = f"evidence: {len(roles)} ids; the limit is {limit}"
            raise InputError(message)
        return tuple(Evidence(id=each, role=role) for each, role in roles.items())

    def _some(self, parents: Iterable[str]) -> tuple[str, ...]:
        given = (parents,) if isinstance(parents, str) else tuple(parents)
        if not given:
            message = "parents: at least one record is needed; use `remember` without any"
            raise InputError(message)
        return given

    def _audited(self, act: str, target: str, call: Callable[[], Any]) -> Any:  # noqa: ANN401 - passes through
        """Audit a refusal of ``call`` and let it go on."""
        try:
            return call()
        except RefusedError as error:
            audit.refused(
                self._context, actor=self._agent, act=act, target=target, reason=str(error)
            )
            raise
