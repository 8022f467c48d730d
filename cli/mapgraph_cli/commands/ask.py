"""``mapgraph check``, ``explain``, ``readers`` and ``eligible``: who may read what, and why not."""

from typing import Annotated

import typer

from mapgraph_cli.exit_codes import ExitCode, of_answer
from mapgraph_cli.options import QUESTIONS, AgentName, command
from mapgraph_cli.session import Session

app = typer.Typer()
RecordId = Annotated[
    str, typer.Argument(metavar="ID", help="A memory, claim, message or resource.")
]


@command(app, "check", panel=QUESTIONS)
def check(session: Session, record: RecordId, *, agent: AgentName) -> ExitCode:
    """Say whether an agent may read a record now, and the reason; exit 4 if it may not."""
    with session.connect() as graph:
        session.administer(graph)
        answer = graph.check(agent, record)
    facts = {"readable": answer.allowed, "reason": answer.reason, "epoch": answer.epoch}
    session.output.one(answer, facts)
    return of_answer(allowed=answer.allowed)


@command(app, "explain", panel=QUESTIONS)
def explain(session: Session, record: RecordId, *, agent: AgentName) -> ExitCode:
    """Say why an agent may or may not read a record, with the path to what closes it."""
    with session.connect() as graph:
        session.administer(graph)
        answer = graph.explain(agent, record)
    facts = {
        "readable": answer.allowed,
        "reason": answer.reason,
        "path": " -> ".join(answer.witness),
        "epoch": answer.epoch,
    }
    session.output.one(answer, facts)
    return of_answer(allowed=answer.allowed)


@command(app, "readers", panel=QUESTIONS, lists=True)
def readers(session: Session, record: RecordId) -> None:
    """List every agent that may read a record now."""
    with session.connect() as graph:
        session.administer(graph)
        found = graph.readers(record)
    session.output.many(found, nothing="no agent may read it")


@command(app, "eligible", panel=QUESTIONS, lists=True)
def eligible(session: Session, *, agent: AgentName) -> None:
    """List every memory and claim that an agent may read now, oldest first."""
    with session.connect() as graph:
        session.administer(graph)
        found = graph.eligible(agent)
    session.output.many(found, nothing="it may read no memory and no claim")
