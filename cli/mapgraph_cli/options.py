"""Adds the options that every sub-command shares, and hands it a session made of them."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from mapgraph_cli.failures import CommandError
from mapgraph_cli.output import Form, Output
from mapgraph_cli.session import Session

Body = Callable[..., int | None]
"""What a sub-command does; it takes a session first, and its own options."""
Finished = Callable[..., None]

SETUP, AGENTS, QUESTIONS, DECISIONS, CONTAINMENT, AUTHORITY, TOOLS = (
    "Set up",
    "Act as an agent",
    "Ask",
    "Decisions",
    "Containment",
    "Authority",
    "Look inside",
)
CONNECTION, OUTPUT = "Connection", "Output"

AgentName = Annotated[str, typer.Option("--agent", help="The agent.", show_default=False)]
TaskName = Annotated[
    str | None,
    typer.Option("--task", help="The task that it counts to; a fresh one when not given."),
]
Key = Annotated[
    str | None,
    typer.Option("--key", help="Your own id of this call; repeating the key changes nothing."),
]


def _given(name: str, meaning: str) -> Any:  # noqa: ANN401 - an annotation
    option = typer.Option(f"--{name}", help=meaning, rich_help_panel=CONNECTION)
    return Annotated[str | None, option]


_CONNECTION = {
    "uri": _given("uri", "Address of Neo4j (NEO4J_URI; else the running private server)."),
    "username": _given("username", "Login of Neo4j (NEO4J_USERNAME)."),
    "database": _given("database", "Database (NEO4J_DATABASE)."),
    "tenant": _given("tenant", "Tenant (MAPGRAPH_TENANT)."),
    "operator": _given("operator", "Who you are, a registered user (MAPGRAPH_OPERATOR)."),
    "policy": _given("policy", "Policy file (MAPGRAPH_POLICY)."),
    "embedder": _given("embedder", "Embedder: st, lite or an installed one (MAPGRAPH_EMBEDDER)."),
}
_JSON = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON document.", rich_help_panel=OUTPUT),
]
_NDJSON = Annotated[
    bool,
    typer.Option("--ndjson", help="Print one JSON document a line.", rich_help_panel=OUTPUT),
]


def command(
    app: typer.Typer,
    name: str,
    *,
    panel: str | None = None,
    lists: bool = False,
    connects: bool = True,
) -> Callable[[Body], Finished]:
    """Register a function as a sub-command.

    The function takes a ``Session`` first and may return an exit status.

    Args:
        app: Where to register it.
        name: What it is called.
        panel: Under which heading of the help it stands.
        lists: Whether it prints a list, which can be NDJSON too.
        connects: Whether it needs Neo4j.

    """
    shared: dict[str, Any] = {**(_CONNECTION if connects else {}), "as_json": _JSON}
    if lists:
        shared["as_ndjson"] = _NDJSON

    def register(body: Body) -> Finished:
        @functools.wraps(body)
        def run(**given: Any) -> None:  # noqa: ANN401
            output = Output(_form(given.pop("as_json"), given.pop("as_ndjson", False)))
            session = Session(
                output=output, **{each: given.pop(each) for each in _CONNECTION if connects}
            )
            if code := body(session, **given):
                raise typer.Exit(int(code))

        signature = _signature(body, shared)
        setattr(run, "__signature__", signature)  # noqa: B010 - functions have no such field
        run.__doc__ = _paragraphs(body)
        run.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
        app.command(name, rich_help_panel=panel)(run)
        return run

    return register


def _signature(body: Body, shared: dict[str, Any]) -> inspect.Signature:
    own = list(inspect.signature(body, eval_str=True).parameters.values())[1:]
    parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]
    for name, annotation in shared.items():
        default = False if annotation in (_JSON, _NDJSON) else None
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
            )
        )
    return inspect.Signature(parameters)


def _paragraphs(body: Body) -> str:
    """Return the docstring with a line for each paragraph: a terminal breaks them itself."""
    text = inspect.cleandoc(body.__doc__ or "")
    return "\n\n".join(" ".join(each.split()) for each in text.split("\n\n"))


def _form(as_json: bool, as_ndjson: bool) -> Form:  # noqa: FBT001
    if as_json and as_ndjson:
        message = "--json and --ndjson exclude each other"
        raise CommandError(message)
    if as_json:
        return Form.JSON
    return Form.NDJSON if as_ndjson else Form.TEXT
