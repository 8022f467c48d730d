"""``mapgraph retrieve``: what an agent gets for a query."""

from typing import Annotated

import typer

from mapgraph_cli.options import AGENTS, AgentName, TaskName, command
from mapgraph_cli.session import Session
from mapgraph_neo.profile import Profile, profiled

app = typer.Typer()


@command(app, "retrieve", panel=AGENTS, lists=True)
def retrieve(
    session: Session,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    *,
    agent: AgentName,
    task: TaskName = None,
    k: Annotated[int, typer.Option("-k", "--k", help="How many at most.")] = 5,
    profile: Annotated[
        bool, typer.Option("--profile", help="Ask twice, and show what each step took.")
    ] = False,
) -> None:
    """Return the best memories and claims that an agent may read; recorded as read by it."""
    with session.connect() as graph:
        handle = graph.as_agent(agent, task=task)
        with profiled() as first:
            found = handle.retrieve(query, k=k)
        steps: list[dict[str, object]] = []
        if profile:
            with profiled() as again:
                found = handle.retrieve(query, k=k)
            steps = _steps(first, again)
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
    whole: dict[str, object] = {
        "agent": handle.id,
        "task": handle.task,
        "hits": found.hits,
        "epoch": found.epoch,
        "complete": found.complete,
    }
    if profile:
        whole["profile"] = steps
    session.output.many(found.hits, rows, whole=whole, nothing="nothing that it may read matches")
    if profile:
        session.output.note(_table(steps))
    if task is None:
        session.output.note(f"read in task {handle.task}")
    if not found.complete:
        session.output.note("not complete: a limit was reached, or a change is being worked off")


def _steps(first: Profile, again: Profile) -> list[dict[str, object]]:
    """Return what each step took, in the order of its first use, and all of them together."""
    names = [*first.steps, *(name for name in again.steps if name not in first.steps)]
    rows: list[dict[str, object]] = []
    for name in names:
        row: dict[str, object] = {"step": name}
        for run, profile in (("first", first), ("again", again)):
            step = profile.steps.get(name)
            row[f"{run}_calls"] = step.calls if step else 0
            row[f"{run}_ms"] = round(step.seconds * 1000, 3) if step else 0.0
        rows.append(row)
    rows.append(
        {
            "step": "all",
            "first_calls": 1,
            "first_ms": round(first.seconds * 1000, 3),
            "again_calls": 1,
            "again_ms": round(again.seconds * 1000, 3),
        }
    )
    return rows


def _table(steps: list[dict[str, object]]) -> str:
    lines = [f"{'step':<28}{'first':>12}{'again':>12}  ms"]
    lines += [f"{row['step']!s:<28}{row['first_ms']:>12}{row['again_ms']:>12}" for row in steps]
    return "\n".join(lines)
