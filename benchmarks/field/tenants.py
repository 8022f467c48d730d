"""Opens a tenant of its own for a run, and compares what the engine says with what is wanted."""

import argparse
import secrets
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any

from benchmarks.field import data
from mapgraph_neo import Embedder, MapGraph

EMBEDDERS = "mapgraph_neo.embedders"  # the entry points by which embedders are found
OPERATOR = "operator"
SHOWN = 5


@dataclass
class Way:
    """How to reach the database: keywords of ``MapGraph.connect``; by default the environment."""

    given: dict[str, Any] = field(default_factory=lambda: {"embedder": "lite"})

    def open(self, purpose: str) -> MapGraph:
        """Return an initialised tenant that nobody used before."""
        tenant = f"field-{purpose}-{secrets.token_hex(6)}"
        graph = MapGraph.connect(tenant=tenant, **self.given)
        graph.init(OPERATOR)
        return graph


@dataclass
class Differences:
    """What the engine said otherwise than the oracle, and how much was compared."""

    compared: int = 0
    found: list[str] = field(default_factory=list[str])

    def same(self, what: str, engine: Iterable[str], wanted: Iterable[str]) -> None:
        """Compare two sets."""
        self.compared += 1
        left, right = set(engine), set(wanted)
        if left != right:
            self.found.append(
                f"{what}: only engine {sorted(left - right)[:SHOWN]}, "
                f"only oracle {sorted(right - left)[:SHOWN]}"
            )

    def equal(self, what: str, engine: object, wanted: object) -> None:
        """Compare two values."""
        self.compared += 1
        if engine != wanted:
            self.found.append(f"{what}: engine {engine!r}, oracle {wanted!r}")

    def show(self) -> None:
        """Print the first few on standard error."""
        for line in self.found[:SHOWN]:
            print(line, file=sys.stderr)


def options(about: str | None) -> argparse.ArgumentParser:
    """Return the options that every run has."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--limit", type=int, help="only so many logs, stores or episodes")
    parser.add_argument("--embedder", choices=("lite", "st"), default="lite")
    return parser


def way_of(given: argparse.Namespace) -> Way:
    """Return the way to the database that the options ask for; ends without the data."""
    data.need()
    return Way({"embedder": loaded(given.embedder)})


def loaded(name: str) -> Embedder:
    """Return an installed embedder, loaded once for all tenants of a run."""
    made: Embedder = entry_points(group=EMBEDDERS)[name].load()()
    made.embed(["so that the first import does not pay for the loading"])
    return made


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table with aligned columns."""
    lines = [[str(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for first, *rest in lines:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        print("  ".join((first.ljust(widths[0]), *cells)).rstrip())
