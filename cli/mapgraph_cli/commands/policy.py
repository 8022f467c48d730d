"""``mapgraph policy``: show the policy in force, check a file, compare two."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mapgraph_cli.options import command
from mapgraph_cli.session import Session

if TYPE_CHECKING:
    from mapgraph_neo.policy import Policy

app = typer.Typer(help="Show, check and compare policies.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="A policy file, TOML or YAML.")]
Other = Annotated[
    Path | None, typer.Argument(help="What to compare it with; the policy in force if absent.")
]


@command(app, "show", connects=False)
def show(session: Session) -> None:
    """Show the policy in force: the default, or MAPGRAPH_POLICY merged over it."""
    policy = _in_force()
    facts = _flat(policy.content())
    lines = [f"# {policy.version}", *(f"{key} = {json.dumps(facts[key])}" for key in facts)]
    session.output.text("\n".join(lines), policy.content() | {"version": policy.version})


@command(app, "check", connects=False)
def check(session: Session, file: File) -> None:
    """Check a policy file; exit 3 and say file, line and key where it is refused."""
    found = {"file": str(file), "version": _load(file).version}
    session.output.one(found)


@command(app, "diff", lists=True, connects=False)
def diff(session: Session, file: File, other: Other = None) -> None:
    """List the keys in which a policy file differs from another, or from the policy in force."""
    new = _flat(_load(file).content())
    old = _flat((_in_force() if other is None else _load(other)).content())
    keys = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
    items = [{"key": key, "old": old.get(key), "new": new.get(key)} for key in keys]
    rows = [{name: _cell(name, value) for name, value in item.items()} for item in items]
    session.output.many(items, rows, nothing="no difference")


def _in_force() -> "Policy":
    from mapgraph_neo.settings import load_settings  # noqa: PLC0415 - help must be fast

    return _load(load_settings().policy)


def _load(path: Path | str | None) -> "Policy":
    from mapgraph_neo.policy import load_policy  # noqa: PLC0415 - help must be fast

    return load_policy(path)


def _cell(name: str, value: object) -> object:
    """Return a value as JSON spells it; a cell of a table would round it."""
    return value if name == "key" else json.dumps(value)


def _flat(content: dict[str, Any]) -> dict[str, object]:
    """Return nested tables as dotted keys: ``thresholds.medium``."""
    found: dict[str, object] = {}
    todo: list[tuple[str, dict[str, Any]]] = [("", content)]
    while todo:
        above, items = todo.pop()
        for key, value in items.items():
            if isinstance(value, dict) and value:
                todo.append((f"{above}{key}.", cast("dict[str, Any]", value)))
            else:
                found[above + key] = value
    return dict(sorted(found.items()))
