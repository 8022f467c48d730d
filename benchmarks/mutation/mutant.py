"""One planted fault, in a statement or in a module, and its name."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One planted fault."""

    place: str  # the statement or the module
    name: str  # what was done to what; stays when lines move
    text: str  # all of the file, with the fault


def numbered(place: str, changes: Iterable[tuple[str, str]]) -> Iterator[Mutant]:
    """Yield a mutant of each name and text; of names that repeat, the later ones get a number."""
    seen: Counter[str] = Counter()
    for name, text in changes:
        seen[name] += 1
        yield Mutant(
            place=place, name=name if seen[name] == 1 else f"{name} #{seen[name]}", text=text
        )
