"""The handle of an administrator: every act checks its right in the store and is audited."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from mapgraph_neo import approval, export, ingest, registry, revocation, verifying
from mapgraph_neo.action import decisions
from mapgraph_neo.authority import permit
from mapgraph_neo.context import Context, Progress, check_own_scope, check_time
from mapgraph_neo.errors import InputError
from mapgraph_neo.model import Decision, RevocationReport
from mapgraph_neo.names import any_id, check_name, check_scope, node_id
from mapgraph_neo.registration import (
    agent_source,
    checked_class,
    checked_rights,
    groups,
    one_of,
    resource_source,
    tool_source,
    user_source,
)
from mapgraph_neo.registry import Grant
from mapgraph_neo.revocation import REVOCABLE, Request
from mapgraph_neo.verifying import Finding
from mapgraph_neo.vocabulary import (
    NodeLabel,
    RevocationKind,
    Standing,
    VerificationOutcome,
)


class AdminHandle:
    """One administrator (or an agent that holds administrative rights)."""

    def __init__(self, context: Context, actor: str) -> None:
        """Act as ``actor`` from now on; made by ``MapGraph.as_admin``."""
        self._context = context
        self._actor = actor

    @property
    def id(self) -> str:
        """The principal that acts."""
        return self._actor

    def ingest(
        self, log: str | Path | Iterable[object], *, progress: Progress | None = None
    ) -> ingest.IngestReport:
        """Record an execution log as ``MapGraph.ingest`` does, in this administrator's name.

        Raises:
            RefusedError: No right to administer; nothing was read.
            InputError: An event cannot be used; names the line and the field; nothing is kept.

        """
        target = str(log) if isinstance(log, str | Path) else "events"
        permit(self._context, self._actor, "ingest", target)
        return ingest.ingest(self._context, log, progress=progress)

    def export(self, file: str | Path) -> export.ExportReport:
        """Write the tenant to a new file as ``MapGraph.export`` does, in this one's name.

        Raises:
            RefusedError: No right to administer; nothing was written.
            InputError: The file exists already, or cannot be written.

        """
        permit(self._context, self._actor, "export", str(file))
        return export.export(self._context, file)

    def register_user(
        self,
        name: str,
        *,
        teams: Iterable[str] = (),
        roles: Iterable[str] = (),
        standing: str = "established",
        key: str | None = None,
    ) -> str:
        """Register a user and return its id.

        Raises:
            ExistsError: The name is taken with other facts.
            RefusedError: No right to administer.

        """
        source = user_source(name, teams, roles, standing, key)
        return registry.register(self._context, self._actor, source)

    def register_agent(
        self,
        name: str,
        *,
        user: str | None = None,
        delegator: str | None = None,
        scopes: Iterable[str] = (),
        rights: Iterable[str] | None = None,
        standing: str = "established",
        key: str | None = None,
    ) -> str:
        """Register an agent under a user, or under an agent that may delegate.

        Args:
            name: Its name.
            user: The user that authorises it.
            delegator: The agent that authorises it, in place of a user.
            scopes: What it may read of what its authority holds; ``@user`` for all of it.
            rights: What it may do; read, write and act by default.
            standing: new, established or compromised.
            key: The caller's own id of the call.

        Raises:
            UnknownNodeError: The user or delegator does not exist.
            RefusedError: No right to administer, or the delegator may not delegate.

        """
        source = agent_source(name, user, delegator, scopes, rights, standing, key)
        return registry.register(self._context, self._actor, source)

    def register_tool(  # noqa: PLR0913
        self,
        name: str,
        *,
        risk: str = "critical",
        answer: bool = False,
        source_class: str = "unknown",
        sends: bool = False,
        audience_from: Iterable[str] = (),
        evidence: str = "required",
        owner: str | None = None,
        key: str | None = None,
    ) -> str:
        """Register a tool: its risk, whether it answers or sends, and where its audience stands.

        Raises:
            InputError: ``evidence="none"`` with a risk above low, or an unknown class.

        """
        source = tool_source(
            self._context,
            name,
            {
                "risk": risk,
                "answer": answer,
                "source_class": source_class,
                "sends": sends,
                "audience_from": audience_from,
                "evidence": evidence,
            },
            owner,
            key,
        )
        return registry.register(self._context, self._actor, source)

    def register_resource(
        self,
        name: str,
        *,
        scope: Iterable[str] = (),
        source_class: str = "unknown",
        owner: str | None = None,
        expires_at: datetime | None = None,
        key: str | None = None,
    ) -> str:
        """Register a resource; without a scope nobody may read it.

        Raises:
            InputError: A scope or class cannot be used.

        """
        source = resource_source(self._context, name, scope, source_class, owner, expires_at, key)
        return registry.register(self._context, self._actor, source)

    def grant(
        self,
        principal: str,
        *,
        scopes: Iterable[str] = (),
        rights: Iterable[str] | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        via: str | None = None,
        key: str | None = None,
    ) -> str:
        """Grant a user or agent scopes and rights, until ``valid_to`` (exclusive).

        Args:
            principal: ``user:..`` or ``agent:..``.
            scopes: What it may read in addition.
            rights: What it may do in addition; for an agent read, write and act by default,
                for a user none beyond its own.
            valid_from: From when; now by default.
            valid_to: Until when, exclusive; for ever by default.
            via: For an agent with several: the user or agent through whom it holds this.
            key: The caller's own id of the call.

        """
        subject = any_id(principal, "principal", [NodeLabel.USER, NodeLabel.AGENT])
        agent = subject.startswith("agent:")
        given = Grant(
            principal=subject,
            scopes=tuple(check_scope(scopes, "scopes", delegated=agent)),
            rights=checked_rights(rights, agent=agent),
            valid_from=check_time(valid_from, "valid_from"),
            valid_to=check_time(valid_to, "valid_to"),
            via=None if via is None else any_id(via, "via", [NodeLabel.USER, NodeLabel.AGENT]),
            key=None if key is None else check_name(key, "key"),
        )
        return registry.grant(self._context, self._actor, given)

    def withdraw(self, grant_id: str) -> str:
        """Withdraw a grant, or the registration edge of an agent; repeating changes nothing."""
        return registry.withdraw(self._context, self._actor, check_name(grant_id, "grant"))

    def set_membership(
        self,
        user: str,
        *,
        teams: Iterable[str] | None = None,
        roles: Iterable[str] | None = None,
    ) -> str:
        """Set the teams and roles of a user; ``None`` leaves them as they are."""
        return registry.set_membership(
            self._context,
            self._actor,
            node_id(NodeLabel.USER, user, "user"),
            teams=None if teams is None else groups("team", teams, "teams"),
            roles=None if roles is None else groups("role", roles, "roles"),
        )

    def set_standing(self, node: str, standing: str) -> str:
        """Set how well a user or agent is known: new, established or compromised."""
        return registry.set_source(
            self._context,
            self._actor,
            any_id(node, "id"),
            name="set_standing",
            kinds=(NodeLabel.USER, NodeLabel.AGENT),
            standing=one_of(Standing, standing, "standing"),
        )

    def reclassify(self, node: str, *, source_class: str) -> str:
        """Set the source class of a tool or resource, and grade anew what came from it."""
        return registry.set_source(
            self._context,
            self._actor,
            any_id(node, "id"),
            name="reclassify",
            kinds=(NodeLabel.TOOL, NodeLabel.RESOURCE),
            source_class=checked_class(self._context, source_class),
        )

    def rescope(self, node: str, scope: Iterable[str]) -> str:
        """Set who may read a source; narrowing counts at once, widening when it is worked off."""
        return registry.set_source(
            self._context,
            self._actor,
            any_id(node, "id"),
            name="rescope",
            kinds=(NodeLabel.RESOURCE, NodeLabel.TOOL, NodeLabel.USER, NodeLabel.MESSAGE),
            scope=check_own_scope(scope, self._context),
        )

    def verify(
        self,
        record: str,
        *,
        outcome: str = "confirmed",
        evidence: Iterable[str] = (),
        key: str | None = None,
    ) -> str:
        """Record that the present content of a memory or claim was confirmed, or failed."""
        finding = Finding(
            record=any_id(record, "id"),
            outcome=one_of(VerificationOutcome, outcome, "outcome"),
            evidence=tuple(any_id(each, "evidence") for each in evidence),
            key=None if key is None else check_name(key, "key"),
        )
        return verifying.verify(self._context, self._actor, finding)

    def invalidate(self, record: str, *, reason: str, key: str | None = None) -> RevocationReport:
        """Declare one record wrong; what came from it is contained like a revocation's."""
        request = Request(
            target=any_id(record, "id", REVOCABLE),
            kind=RevocationKind.INVALID,
            reason=_reason(reason),
            key=None if key is None else check_name(key, "key"),
        )
        return revocation.revoke(self._context, self._actor, request)

    def revoke(
        self,
        source: str,
        *,
        kind: str = "access",
        reason: str = "",
        since: datetime | None = None,
        until: datetime | None = None,
        dry_run: bool = False,
        key: str | None = None,
    ) -> RevocationReport:
        """Withdraw a source and contain all that came from it.

        Args:
            source: A user, tool, resource, message, memory or claim.
            kind: access, reliability or erasure.
            reason: Why, for the audit.
            since: With ``until``: only edges with their time in the window are tainted.
            until: End of the window, exclusive.
            dry_run: Only say what it would do.
            key: The caller's own id of the call.

        Raises:
            UnknownNodeError: No such source; nothing was changed.
            RefusedError: Neither owner nor holder of the right.
            InputError: An erasure with a window, or an empty window.

        """
        request = Request(
            target=any_id(source, "id", REVOCABLE),
            kind=one_of(RevocationKind, kind, "kind"),
            reason=_reason(reason),
            since=check_time(since, "since"),
            until=check_time(until, "until"),
            key=None if key is None else check_name(key, "key"),
        )
        if request.windowed and request.kind is RevocationKind.ERASURE:
            message = "since: an erasure takes no window"
            raise InputError(message)
        if request.since and request.until and request.since >= request.until:
            message = "until: must be later than `since`"
            raise InputError(message)
        if dry_run:
            return revocation.preview(self._context, self._actor, request)
        return revocation.revoke(self._context, self._actor, request)

    def undo(self, revocation_id: str, *, reason: str) -> RevocationReport:
        """Undo a revocation; restores what no other revocation covers."""
        return revocation.undo(
            self._context, self._actor, check_name(revocation_id, "id"), _reason(reason)
        )

    def approve(self, decision_id: str) -> Decision:
        """Approve a decision that asked for it, once."""
        return approval.approve(
            self._context, self._actor, any_id(decision_id, "decision", [NodeLabel.ACTION])
        )

    def reject(self, decision_id: str, *, reason: str | None = None) -> Decision:
        """Reject a decision that asked for an approval."""
        return approval.reject(
            self._context, self._actor, any_id(decision_id, "decision", [NodeLabel.ACTION]), reason
        )

    def pending(self) -> list[Decision]:
        """Return the decisions that wait for an approval, newest first."""
        return decisions(self._context, state="pending", limit=1_000)


def _reason(reason: object) -> str:
    if not isinstance(reason, str):
        message = "reason: a string is needed"
        raise InputError(message)
    return reason
