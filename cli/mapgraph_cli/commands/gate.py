"""``mapgraph gate``: ask for an agent whether an action may run on its evidence."""

import json
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from mapgraph_cli.commands.decisions import show
from mapgraph_cli.exit_codes import ExitCode, of_outcome
from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import AGENTS, AgentName, Key, TaskName, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "gate", panel=AGENTS)
def gate(  # noqa: PLR0913 - what an action consists of
    session: Session,
    *,
    agent: AgentName,
    tool: Annotated[str, typer.Option("--tool", help="The tool.", show_default=False)],
    task: TaskName = None,
    argument: Annotated[
        list[str] | None,
        typer.Option("--arg", metavar="NAME=JSON", help="An argument of the tool; repeatable."),
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="ID", help="What justifies it; repeatable."),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            metavar="NAME=ID",
            help="A record whose content goes into that argument; repeatable.",
        ),
    ] = None,
    audience: Annotated[
        list[str] | None,
        typer.Option("--audience", metavar="PRINCIPAL", help="Who else will see it; repeatable."),
    ] = None,
    risk: Annotated[
        str | None,
        typer.Option("--risk", help="low, medium, high or critical; only raises the tool's."),
    ] = None,
    tracing: Annotated[
        bool,
        typer.Option(
            "--tracing",
            help="The evidence is your own finding, and complete; the task's reads do not join.",
        ),
    ] = False,
    key: Key = None,
) -> ExitCode:
    """Decide whether an action may run now. Allow ends in 0, Block in 4, all others in 5."""
    arguments = _arguments(argument or ())
    parameters = _parameters(parameter or ())
    with session.connect() as graph:
        handle = graph.as_agent(agent, task=task, tracing=tracing)
        decision = handle.propose(
            tool,
            arguments=arguments,
            evidence=evidence or (),
            parameters=parameters,
            audience=audience or (),
            risk=risk,
            key=key,
        )
    show(session, decision)
    return of_outcome(decision.outcome)


def _arguments(given: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for each in given:
        name, value = _pair(each, "--arg")
        if name in found:
            message = f"--arg: `{name}` is given twice"
            raise CommandError(message)
        try:
            found[name] = json.loads(value, parse_constant=_no_json)
        except (ValueError, RecursionError):
            message = f"--arg: the value of `{name}` is no JSON; a text is written '{name}=\"...\"'"
            raise CommandError(message) from None
    return found


def _parameters(given: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in given:
        name, record = _pair(each, "--parameter")
        found.setdefault(name, []).append(record)
    return found


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        message = f"{option}: `{text}` is not of the form NAME=VALUE"
        raise CommandError(message)
    return name, value


def _no_json(name: str) -> NoReturn:
    raise ValueError(name)
