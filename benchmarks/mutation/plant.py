"""Plants one fault in the engine of this process, which must not have been imported before."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType


class _Source(importlib.abc.Loader):
    """Runs another text in place of a module's own."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.text, self.path, "exec"), module.__dict__)  # noqa: S102 - our own text


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the one planted module before anybody else does."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del target
        if fullname != self.name:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)
        if found is None or found.origin is None:
            return None
        return importlib.util.spec_from_file_location(
            fullname, found.origin, loader=_Source(self.text, found.origin)
        )


def forget() -> None:
    """Let the package be imported anew."""
    for name in list(sys.modules):
        if name.partition(".")[0] in ("mapgraph_neo", "mapgraph_cli"):
            del sys.modules[name]


def module(name: str, text: str) -> None:
    """Have ``mapgraph_neo.name`` run ``text`` when it is imported next."""
    sys.meta_path.insert(0, _Finder(f"mapgraph_neo.{name}", text))


def statement(name: str, text: str) -> None:
    """Have ``text`` sent in place of the shipped statement called ``name``."""
    from mapgraph_neo import graph  # noqa: PLC0415 - after what was planted in Python
    from mapgraph_neo.statement import Statement  # noqa: PLC0415

    shipped = graph.load_statement

    def load(wanted: str) -> Statement:
        found = shipped(wanted)
        return replace(found, text=text) if wanted == name else found

    graph.load_statement = load  # type: ignore[assignment]
