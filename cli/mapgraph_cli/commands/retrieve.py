"""``mapgraph retrieve``: what an agent gets for a query."""

from typing import Annotated

import typer

from mapgraph_cli.options import AGENTS, AgentName, TaskName, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "retrieve", panel=AGENTS, lists=True)
def retrieve(
    session: Session,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    *,
    agent: AgentName,
    task: TaskName = None,
    k: Annotated[int, typer.Option("-k", "--k", help="How many at most.")] = 5,
) -> None:
    """Return the best memories and claims that an agent may read; recorded as read by it."""
    with session.connect() as graph:
        handle = graph.as_agent(agent, task=task)
        found = handle.retrieve(query, k=k)
    rows = [
        {
            "id": hit.id,
            "score": hit.score,
            "similarity": hit.similarity,
            "trust": hit.trust,
            "text": hit.text,
        }
        for hit in found
    ]
    whole = {
        "agent": handle.id,
        "task": handle.task,
        "hits": found.hits,
        "epoch": found.epoch,
        "complete": found.complete,
    }
    session.output.many(found.hits, rows, whole=whole, nothing="nothing that it may read matches")
    if task is None:
        session.output.note(f"read in task {handle.task}")
    if not found.complete:
        session.output.note("not complete: a limit was reached, or a change is being worked off")
