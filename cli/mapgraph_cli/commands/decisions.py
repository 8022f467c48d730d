"""``mapgraph decisions``, ``pending``, ``approve`` and ``reject``: what the gate said."""

from typing import TYPE_CHECKING, Annotated

import typer

from mapgraph_cli.options import DECISIONS, command
from mapgraph_cli.session import Session
from mapgraph_neo.errors import InputError
from mapgraph_neo.vocabulary import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mapgraph_neo.model import Decision

app = typer.Typer()
DecisionId = Annotated[str, typer.Argument(metavar="ID", help="A decision, `act:...`.")]


@command(app, "decisions", panel=DECISIONS, lists=True)
def decisions(
    session: Session,
    *,
    agent: Annotated[str | None, typer.Option("--agent", help="Only of this agent.")] = None,
    outcome: Annotated[
        str | None,
        typer.Option("--outcome", help="Only Allow, Block, Reverify, Redact or AskUser."),
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(
            "--state",
            help="Only decided, pending, approved, rejected, started, done or failed.",
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="ID", help="Only what stands on this node.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many at most.")] = 100,
) -> None:
    """List what the gate decided, newest first."""
    if outcome is not None and outcome not in tuple(Outcome):
        message = f"outcome: `{outcome}` is none of {', '.join(Outcome)}"
        raise InputError(message)
    with session.connect() as graph:
        session.administer(graph)
        found = graph.decisions(
            agent=agent, outcome=outcome, state=state, source=source, limit=limit
        )
    _list(session, found, "no decision")
    if len(found) == limit:
        session.output.note(f"the newest {limit}; give --limit for more")


@command(app, "pending", panel=DECISIONS, lists=True)
def pending(session: Session) -> None:
    """List the decisions that wait for an approval, newest first."""
    with session.connect() as graph:
        found = session.administer(graph).pending()
    _list(session, found, "nothing waits for an approval")


@command(app, "approve", panel=DECISIONS)
def approve(session: Session, decision: DecisionId) -> None:
    """Approve a decision that asked for it, once; the action's agent may then execute it."""
    with session.connect() as graph:
        answer = session.administer(graph).approve(decision)
    show(session, answer)


@command(app, "reject", panel=DECISIONS)
def reject(
    session: Session,
    decision: DecisionId,
    *,
    reason: Annotated[str | None, typer.Option("--reason", help="Why, for the audit.")] = None,
) -> None:
    """Reject a decision that asked for an approval."""
    with session.connect() as graph:
        answer = session.administer(graph).reject(decision, reason=reason)
    show(session, answer)


def show(session: Session, decision: "Decision") -> None:
    """Print one decision."""
    facts: dict[str, object] = {
        "decision": decision.id,
        "outcome": decision.outcome,
        "rule": decision.rule,
        "reason": decision.reason,
        "tool": decision.tool,
        "agent": decision.agent,
        "task": decision.task,
        "state": decision.state,
        "trust": decision.trust,
        "threshold": decision.threshold,
        "risk": decision.risk,
        "epoch": decision.epoch,
        "policy": decision.policy,
    }
    facts |= {
        f"obligation {number}": f"{each.outcome}: {each.text} ({', '.join(each.targets)})"
        for number, each in enumerate(decision.obligations, start=1)
    }
    session.output.one(decision, facts)


def _list(session: Session, found: "Sequence[Decision]", nothing: str) -> None:
    rows = [
        {
            "id": each.id,
            "at": each.at,
            "agent": each.agent,
            "tool": each.tool,
            "outcome": each.outcome,
            "rule": each.rule,
            "state": each.state,
            "reason": each.reason,
        }
        for each in found
    ]
    session.output.many(found, rows, nothing=nothing)
