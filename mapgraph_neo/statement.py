"""The Cypher statements that ship with the package: found by name, sent unchanged."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from mapgraph_neo.errors import StatementError

_SECTION = re.compile(r"^// (Parameters|Returns|Access|Plan|Try it)$")
_ENTRY = re.compile(r"^//   (\S+)(?:\s+([A-Z<>| ]+?)\s{2,}(.*))?$")


class Access(StrEnum):
    """What a statement may do to the graph."""

    READ = "read"
    WRITE = "write"
    SCHEMA = "schema"


class Plan(StrEnum):
    """How the variable-length steps of a statement must be planned (cypher/README.md)."""

    PRUNING = "pruning"  # each node once; what a file without a Plan section promises
    WITNESS = "witness"  # one shortest path between two bound nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One line of a header: a parameter or a column, its type and its meaning."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One .cypher file: its text, and what its header promises."""

    name: str
    text: str
    purpose: str
    takes: tuple[Field, ...]
    gives: tuple[Field, ...]
    access: Access
    plan: Plan = Plan.PRUNING

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, without ``$``."""
        return tuple(field.name for field in self.takes)

    @property
    def returns(self) -> tuple[str, ...]:
        """Names of the columns, in their order."""
        return tuple(field.name for field in self.gives)


@cache
def load_statement(name: str) -> Statement:
    """Return the statement called ``name``, such as ``eligibility/eligible_memories``.

    Raises:
        StatementError: No such file, or its header does not follow cypher/README.md.

    """
    path = _root().joinpath(*f"{name}.cypher".split("/"))
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        message = f"no statement called `{name}`"
        raise StatementError(message) from None
    return _parse(name, text)


def statement_names() -> list[str]:
    """Return the name of every shipped statement, sorted."""
    return sorted(_names(_root(), ""))


def script(name: str) -> list[Statement]:
    """Return the single statements of a schema script, in order and without comments.

    Raises:
        StatementError: No such file, or not a schema script.

    """
    whole = load_statement(name)
    if whole.access is not Access.SCHEMA:
        message = f"statement `{name}` is no schema script"
        raise StatementError(message)
    lines = (line for line in whole.text.splitlines() if not line.lstrip().startswith("//"))
    parts = [part.strip() for part in "\n".join(lines).split(";\n")]
    return [
        Statement(
            name=f"{name}#{number}",
            text=part.removesuffix(";"),
            purpose=whole.purpose,
            takes=(),
            gives=(),
            access=Access.SCHEMA,
        )
        for number, part in enumerate(filter(None, parts), start=1)
    ]


def checksum(name: str) -> str:
    """Return the sha256 of what a schema script does; comments and blanks do not count."""
    commands = (" ".join(statement.text.split()) for statement in script(name))
    return hashlib.sha256(";\n".join(commands).encode()).hexdigest()


def _names(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _names(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            yield prefix + entry.name.removesuffix(".cypher")


def _root() -> Traversable:
    """Return the folder of statements: inside the wheel, or beside the package in a checkout."""
    installed = files("mapgraph_neo") / "cypher"
    return installed if installed.is_dir() else Path(__file__).parents[1] / "cypher"


def _parse(name: str, text: str) -> Statement:
    purpose, sections = _header(text)
    try:
        (access,) = sections["Access"]
        plans = sections.get("Plan", [])
        return Statement(
            name=name,
            text=text,
            purpose=purpose,
            takes=tuple(_parameter(entry) for entry in sections["Parameters"]),
            gives=tuple(sections["Returns"]),
            access=Access(access.name),
            plan=Plan(plans[0].name) if plans else Plan.PRUNING,
        )
    except (KeyError, ValueError) as error:
        message = f"statement `{name}` has no proper header: {error}"
        raise StatementError(message) from None


def _header(text: str) -> tuple[str, dict[str, list[Field]]]:
    """Return the first paragraph and the entries of each section of the leading comment."""
    sections: dict[str, list[Field]] = {}
    current: list[Field] | None = None
    purpose: list[str] = []
    told = False
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if section := _SECTION.match(line):
            current = sections.setdefault(section[1], [])
        elif current is not None and (entry := _ENTRY.match(line)):
            current.append(Field(name=entry[1], type=entry[2] or "", meaning=entry[3] or ""))
        elif current is None:
            told = told or (line == "//" and bool(purpose))
            if not told:
                purpose.append(line.removeprefix("//").strip())
    return " ".join(purpose), sections


def _parameter(field: Field) -> Field:
    if not field.name.startswith("$"):
        message = f"parameter `{field.name}` must begin with $"
        raise ValueError(message)
    return Field(name=field.name.removeprefix("$"), type=field.type, meaning=field.meaning)
