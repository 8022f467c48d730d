"""Print docs/cli.md: every command, option and exit status, from the command line itself.

    python tools/cli_reference.py > docs/cli.md

A test compares the file with this output.
"""

import inspect
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from typer.main import get_command

from mapgraph_cli.main import app
from mapgraph_cli.options import CONNECTION, OUTPUT

INTRODUCTION = """\
# Command line

Made by `python tools/cli_reference.py`; do not edit.

`mapgraph COMMAND --help` says the same as this page. Operators use it on the host: whoever can run
it holds the credentials of the database. Agents get none.

## Who acts

The operator is a registered user, named by `MAPGRAPH_OPERATOR` (or `--operator`, or `operator` in
`mapgraph.toml`). Administrative commands, and commands that reveal across agents, need one: exit 2
when none is named, 4 when it is not registered or the store finds no right; a refusal is audited.
`retrieve` and `gate` act as the agent that `--agent` names, in the task of `--task`, with no more
rights than that agent has.

## Where Neo4j is

An address in `--uri` or `NEO4J_URI` wins. Without one the running private server
(`mapgraph server start`) is used, and its login with it. A password is never an argument: it comes
from `NEO4J_PASSWORD`, from the file that `NEO4J_PASSWORD_FILE` names, or is asked for on a
terminal, and is shown nowhere. Settings are read from options, then from the environment, and what
is ours (`MAPGRAPH_*`) last from `mapgraph.toml` in the current folder.

## What is printed

* Results go to standard output: facts and tables for people, ruled on a terminal, in aligned
  columns in a pipe. Everything else, also questions and progress bars, goes to standard error.
* `--json` prints exactly one JSON document (ASCII, other characters escaped), `--ndjson` one for
  each item of a list. When the command fails, the document is
  `{"error": {"type": ..., "message": ..., "exit": ...}}`, so standard output always parses. A no
  that is the answer (`check`, `explain`, `gate`) is not an error: its document is the answer.
* Control characters, escape sequences and bidi controls in stored data never reach a terminal.
  `NO_COLOR` is honoured; pipes get no colours.
* A failure is one line on standard error: `error: ...` with the next step. `MAPGRAPH_DEBUG=1` adds
  the stack trace.

## Exit status
"""
STATUSES = (
    ("0", "done; Allow; readable"),
    ("1", "failed"),
    ("2", "wrong usage, or a setting is missing or cannot be used"),
    ("3", "refused input (an unknown id, a value out of range ..), or a policy test failed"),
    ("4", "denied: Block, not readable, not registered, no right"),
    ("5", "needs someone: Reverify, Redact, AskUser"),
    ("6", "Neo4j or the index cannot answer: nothing was decided"),
    ("7", "`doctor` found drift"),
    ("130", "interrupted; what was asked is either stored whole or not at all"),
    ("141", "whoever read the output closed the pipe"),
)
PIPE = "&#124;"
PANELS = {
    CONNECTION: "Options of every command that needs Neo4j",
    OUTPUT: "Options of the output",
}


def pages() -> str:
    """Return the whole text."""
    commands = list(_commands(get_command(app), "mapgraph"))
    lines = [INTRODUCTION, *_table(("status", "meaning"), STATUSES), ""]
    for panel, title in PANELS.items():
        shared = {
            parameter.name: parameter
            for _, command in commands
            for parameter in command.params
            if _panel(parameter) == panel
        }
        lines += [f"## {title}", "", *_parameters(list(shared.values())), ""]
    lines += ["## Commands", ""]
    for path, command in commands:
        lines += _command(path, command)
    return "\n".join(lines).rstrip() + "\n"


def _commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - Typer's own
    """Yield each command with its whole name, sub-commands after their group's place."""
    for name, command in group.commands.items():
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def _command(path: str, command: Any) -> Iterator[str]:  # noqa: ANN401
    own = [each for each in command.params if _panel(each) not in PANELS and not each.hidden]
    shared = [
        title for panel, title in PANELS.items() if any(_panel(p) == panel for p in command.params)
    ]
    yield f"### `{path}`"
    yield ""
    yield inspect.cleandoc(command.help or "")
    yield ""
    yield f"    {' '.join((path, *_usage(own)))}"
    yield ""
    if own:
        yield from _parameters(own)
        yield ""
    if shared:
        flags = (
            "" if any(each.name == "as_ndjson" for each in command.params) else " (no `--ndjson`)"
        )
        yield f"Also: {' and '.join(f'{title[0].lower()}{title[1:]}' for title in shared)}{flags}."
        yield ""


def _usage(parameters: Sequence[Any]) -> Iterator[str]:
    if any(each.param_type_name == "option" for each in parameters):
        yield "[OPTIONS]"
    for each in parameters:
        if each.param_type_name == "option" and each.required:
            yield f"{each.opts[0]} {_placeholder(each)}"
    for each in parameters:
        if each.param_type_name == "argument":
            yield _placeholder(each) if each.required else f"[{_placeholder(each)}]"


def _parameters(parameters: Sequence[Any]) -> Iterator[str]:
    rows: list[tuple[str, str]] = []
    for each in parameters:
        if each.param_type_name == "argument":
            name = f"`{_placeholder(each)}`"
        else:
            value = "" if each.is_flag else f" {_placeholder(each)}"
            name = ", ".join(f"`{opt}{value}`" for opt in sorted(each.opts, key=len))
        rows.append((name, _meaning(each)))
    yield from _table(("", "meaning"), rows)


def _meaning(parameter: Any) -> str:  # noqa: ANN401
    told = " ".join((parameter.help or "").split())
    if parameter.required and parameter.param_type_name == "option":
        return f"{told} Required."
    default = parameter.default
    if isinstance(default, str | int) and not isinstance(default, bool):
        return f"{told} Default: `{default}`."
    return told


def _placeholder(parameter: Any) -> str:  # noqa: ANN401
    name = parameter.metavar or parameter.name.upper()
    return (
        f"{name} ..." if parameter.param_type_name == "argument" and parameter.nargs != 1 else name
    )


def _panel(parameter: Any) -> str | None:  # noqa: ANN401
    return getattr(parameter, "rich_help_panel", None)


def _table(head: tuple[str, str], rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield f"| {head[0]} | {head[1]} |"
    yield "|---|---|"
    for name, meaning in rows:
        yield f"| {name} | {meaning.replace('|', PIPE)} |"


if __name__ == "__main__":
    sys.stdout.write(pages())
