"""The life cycle of a decision: approve, reject, execute once, and what became of it."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mapgraph_neo.action import Proposal, Stored, asking_of, bound, facts_of, load
from mapgraph_neo.authority import Act, Actor, perform
from mapgraph_neo.context import Context, Turn, digest, take_turn
from mapgraph_neo.errors import ActionNotAllowedError, InputError, RefusedError, UnknownNodeError
from mapgraph_neo.gate import recheck
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings
from mapgraph_neo.model import Decision
from mapgraph_neo.vocabulary import Outcome, Right

OPEN = ("decided", "approved")


def approve(context: Context, actor: str, decision: str) -> Decision:
    """Approve a decision that asked for it, once; it stands in for R3 and R4's critical test only.

    Raises:
        RefusedError: The actor is neither the user above the agent nor holds the right, or is
            the agent itself.
        UnknownNodeError: No such decision.
        InputError: It asks for no approval, or was answered already.

    """

    def work(tx: Transaction, _: Turn, who: Actor) -> str:
        stored = _answerable(tx, context, decision, who)
        rows = tx.run(
            "gate/set_state",
            tenant=context.tenant,
            id=decision,
            **{"from": ["pending"], "to": "approved", "note": None},
        )
        if not rows:
            message = f"decision: `{decision}` was answered already"
            raise InputError(message)
        tx.run(
            "gate/approve",
            tenant=context.tenant,
            decision=decision,
            by=who.id,
            minutes=context.policy.gate.approval_minutes,
            binding=stored.binding or "",
        )
        return decision

    perform(context, _act(actor, "approve", decision), work)
    return get(context, decision)


def reject(context: Context, actor: str, decision: str, reason: str | None = None) -> Decision:
    """Reject a decision that asked for an approval.

    Raises:
        RefusedError: The actor is neither the user above the agent nor holds the right.
        UnknownNodeError: No such decision.
        InputError: It asks for no approval, or was answered already.

    """

    def work(tx: Transaction, _: Turn, who: Actor) -> str:
        _answerable(tx, context, decision, who)
        rows = tx.run(
            "gate/set_state",
            tenant=context.tenant,
            id=decision,
            **{"from": ["pending", "approved"], "to": "rejected", "note": reason},
        )
        if not rows:
            message = f"decision: `{decision}` was answered already"
            raise InputError(message)
        return decision

    perform(context, _act(actor, "reject", decision), work)
    return get(context, decision)


def get(context: Context, decision: str) -> Decision:
    """Return a stored decision.

    Raises:
        UnknownNodeError: No such decision.

    """
    stored = context.graph.read(lambda tx: load(tx, context, decision))
    if stored is None:
        raise _unknown(decision)
    return stored.decision


class Ticket:
    """The permission to run one action once, handed out by ``execute`` without ``run``."""

    def __init__(self, context: Context, decision: Decision, arguments: dict[str, Any]) -> None:
        """Carry the stored arguments, which are the only ones that were decided on."""
        self._context = context
        self.decision = decision
        self.arguments = arguments

    def done(self) -> None:
        """Record that the action was carried out."""
        close(self._context, self.decision.id, "done", None)

    def failed(self, reason: str) -> None:
        """Record that the action failed and why."""
        close(self._context, self.decision.id, "failed", reason)


def start(context: Context, agent: str, task: str, decision: str) -> Ticket:
    """Check a stored decision again and record ``started``; after that it is used up.

    Raises:
        ActionNotAllowedError: It does not allow the action, was used, or no longer holds.
        UnknownNodeError: No such decision of this agent.

    """

    def work(tx: Transaction) -> Ticket | ActionNotAllowedError:
        turn = take_turn(tx, context, bump=False)
        stored = load(tx, context, decision)
        if stored is None or stored.decision.agent != agent or stored.decision.task != task:
            raise _unknown(decision)
        problem = _problem(tx, context, turn, stored)
        if problem is not None:
            return ActionNotAllowedError(f"{decision}: {problem}", stored.decision)
        rows = tx.run(
            "gate/set_state",
            tenant=context.tenant,
            id=decision,
            **{"from": list(OPEN), "to": "started", "note": None},
        )
        if not rows:
            return ActionNotAllowedError(
                f"{decision}: it is {stored.decision.state}; a decision is used once",
                stored.decision,
            )
        return Ticket(
            context,
            replace(stored.decision, state="started"),
            json.loads(stored.arguments or "null"),
        )

    found = context.graph.write(work)
    if isinstance(found, ActionNotAllowedError):
        raise found
    return found


def run(ticket: Ticket, call: Callable[..., Any]) -> Any:  # noqa: ANN401 - what the host's function returns
    """Call the host's function with the stored arguments and record how it ended."""
    try:
        result = call(**ticket.arguments)
    except BaseException as error:
        ticket.failed(type(error).__name__)
        raise
    ticket.done()
    return result


def close(context: Context, decision: str, state: str, note: str | None) -> None:
    """Record how a started action ended.

    Raises:
        InputError: It was not started, or is closed already.

    """
    rows = context.graph.write(
        lambda tx: tx.run(
            "gate/set_state",
            tenant=context.tenant,
            id=decision,
            **{"from": ["started"], "to": state, "note": note},
        )
    )
    if not rows:
        message = f"decision: `{decision}` is not started, or closed already"
        raise InputError(message)


def _problem(  # noqa: C901, PLR0911 - one reason after the other, the first counts
    tx: Transaction, context: Context, turn: Turn, stored: Stored
) -> str | None:
    """Return why the decision may not be carried out now, or ``None``."""
    decision = stored.decision
    if decision.state not in OPEN:
        return f"it is {decision.state}; a decision is used once"
    if stored.arguments is None:
        return "its arguments were erased"
    proposal = _proposal(stored)
    asking = asking_of(tx, context, turn, proposal)
    if not asking.held.trusted or not asking.held.may(Right.ACT):
        return "the agent holds no active grant with the right `act`"
    now = bound(tx, context, proposal, digest(dict(proposal.arguments))).binding
    if now != stored.binding:
        return "action, policy or evidence changed since it was decided; propose again"
    if decision.outcome is Outcome.ASK_USER:
        approval = stored.approval
        if decision.state != "approved" or approval is None:
            return "it waits for an approval"
        if not stored.now < approval["expires_at"]:
            return "its approval has expired; propose again"
        if approval["binding"] != now:
            return "its approval was for something else; propose again"
    elif decision.outcome is not Outcome.ALLOW:
        return f"the gate said {decision.outcome} by {decision.rule}: {decision.reason}"
    again = recheck(facts_of(tx, context, proposal, asking), context.policy)
    if again.outcome is not Outcome.ALLOW:
        return f"the gate now says {again.outcome} by {again.rule}: {again.reason}"
    return None


def _proposal(stored: Stored) -> Proposal:
    return Proposal(
        agent=stored.decision.agent,
        task=stored.decision.task,
        tool=stored.decision.tool,
        arguments=json.loads(stored.arguments or "{}"),
        evidence=stored.decision.evidence,
        audience=stored.audience,
        tracing=stored.tracing,
    )


def _answerable(tx: Transaction, context: Context, decision: str, who: Actor) -> Stored:
    stored = load(tx, context, decision)
    if stored is None:
        raise _unknown(decision)
    if who.id == stored.decision.agent:
        message = f"`{who.id}` proposed it; agents never approve for themselves"
        raise RefusedError(message)
    if not who.may(Right.APPROVE):
        held = holdings(tx, context.tenant, stored.decision.agent)
        if who.id not in held.users:
            message = (
                f"`{who.id}` is not the user above `{stored.decision.agent}` and holds no right "
                "`approve`"
            )
            raise RefusedError(message)
    if stored.decision.outcome is not Outcome.ASK_USER:
        message = f"decision: `{decision}` ended in {stored.decision.outcome}; nobody is asked"
        raise InputError(message)
    return stored


def _act(actor: str, name: str, decision: str) -> Act:
    return Act(actor=actor, name=name, target=decision, right=Right.READ, bump=False)


def _unknown(decision: str) -> UnknownNodeError:
    return UnknownNodeError(f"decision: `{decision}` is not known here")
