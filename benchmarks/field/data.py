"""Finds the field data beside the checkout and reads it with the scripts that lie there.

The folder is ``MAPGRAPH_FIELD_DATA``, else ``shared/field`` beside the checkout. Nothing of it is
part of the project: its scripts are loaded from it at run time.
"""

import importlib.util
import os
import sys
import warnings
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

SETTING = "MAPGRAPH_FIELD_DATA"
BESIDE = Path(__file__).parents[3] / "shared" / "field"
HALF = "open"
SETS = ("whowhen", "asb", "openfga", "gatemem")

T = TypeVar("T")
Fields = Mapping[str, Any]
"""One record of a set, as its script yields it."""


def folder() -> Path:
    """Return where the field data are, whether or not they are there."""
    given = os.environ.get(SETTING)
    return Path(given).expanduser() if given else BESIDE


def missing() -> str | None:
    """Return one line that says what is not there, or ``None``."""
    place = folder()
    wanted = [place / "scripts" / "load.py", *(place / "data" / name / HALF for name in SETS)]
    if all(each.exists() for each in wanted):
        return None
    return f"no field data: set {SETTING} to the folder that holds scripts and data"


def need() -> None:
    """End the command with one line when the data are not there."""
    reason = missing()
    if reason is not None:
        sys.exit(reason)


def records(name: str, *, labels: bool = False) -> list[Fields]:
    """Return the records of a set in the order of its files."""
    return _read(_script("load").load(name, HALF, labels=labels))


def decisions() -> list[Fields]:
    """Return the authorisation decisions with their models, tuples and authors' answers."""
    return _read(_script("openfga_load").decisions(str(folder() / "data" / "openfga"), HALF))


def parse_model(text: str) -> dict[str, dict[str, Sequence[Any]]]:
    """Return a permission model as expressions by type and relation."""
    return _script("openfga_load").parse_model(text)


def neutral(name: str) -> list[Any]:
    """Return the neutral graphs of a set: each has ``gid``, ``nodes`` and ``edges``."""
    return _read(_script("to_graph").graphs(name, HALF))


def spread(values: Sequence[T], limit: int | None) -> Sequence[T]:
    """Return at most ``limit`` of the values, evenly spread, so that a slice holds every kind."""
    if limit is None or limit >= len(values):
        return values
    return [values[number * len(values) // limit] for number in range(limit)]


def _read(values: Iterable[Any]) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the scripts leave closing to the end
        return list(values)


def _script(name: str) -> ModuleType:
    key = f"mapgraph_field_{name}"
    if key not in sys.modules:
        path = folder() / "scripts" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(key, path)
        if spec is None or spec.loader is None:
            sys.exit(f"{path.name}: cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        with _beside(path.parent):
            spec.loader.exec_module(module)
        sys.modules[key] = module
    return sys.modules[key]


@contextmanager
def _beside(place: Path) -> Generator[None]:
    """Let a script import its neighbours, and leave no compiled files in the folder."""
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(place))
    try:
        yield
    finally:
        sys.dont_write_bytecode = kept
        sys.path[:] = [each for each in sys.path if each != str(place)]
