"""Prints results: text for people, one JSON document or NDJSON for programs; nothing else does."""

import dataclasses
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum, StrEnum
from typing import TextIO, cast

from mapgraph_cli.text import clean


class Form(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"
    NDJSON = "ndjson"


def plain(value: object) -> object:
    """Return a result as values that JSON has words for, named as in Python."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value)
        return {str(plain(key)): plain(item) for key, item in items.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in cast("Iterable[object]", value)]
    return value


class Output:
    """The standard output of one command; what is for people beside it goes to standard error."""

    def __init__(self, form: Form) -> None:
        """Print in ``form``."""
        self.form = form

    def one(self, value: object, facts: Mapping[str, object] | None = None) -> None:
        """Print one result; ``facts`` is what people see of it, in their order."""
        if self.form is not Form.TEXT:
            self._json(value)
            return
        shown = facts if facts is not None else cast("Mapping[str, object]", plain(value))
        for name, fact in shown.items():
            if (line := cell(fact)) != "":
                _write(f"{clean(name)}: {line}")

    def blocks(self, blocks: Sequence[Mapping[str, object]]) -> None:
        """Print several results to people, each as ``one`` does, with a blank line between."""
        for number, facts in enumerate(blocks):
            if number:
                _write("")
            self.one(facts)

    def many(
        self,
        values: Sequence[object],
        rows: Iterable[Mapping[str, object]] | None = None,
        *,
        whole: object = None,
        nothing: str = "nothing",
    ) -> None:
        """Print a list.

        Args:
            values: The items: an array as JSON, a line each as NDJSON.
            rows: What people see of them, by column; the items themselves when absent.
            whole: The JSON document, where it says more than the items.
            nothing: What people are told when there is none.

        """
        if self.form is Form.JSON:
            self._json(values if whole is None else whole)
        elif self.form is Form.NDJSON:
            for value in values:
                self._json(value)
        elif not values:
            self.note(nothing)
        elif rows is None:
            for value in values:
                _write(cell(value))
        else:
            table([{name: cell(item) for name, item in row.items()} for row in rows])

    def text(self, value: str, document: object) -> None:
        """Print a text of ours as it stands, or ``document`` as JSON."""
        if self.form is Form.TEXT:
            _write(value.removesuffix("\n"))
        else:
            self._json(document)

    def note(self, message: str) -> None:
        """Tell people something beside the result."""
        tell(message)

    def _json(self, value: object) -> None:
        _write(json.dumps(plain(value), allow_nan=False))


def cell(value: object) -> str:
    """Return ``value`` as one clean line."""
    match plain(value.replace(microsecond=0) if isinstance(value, datetime) else value):
        case None:
            return ""
        case bool() as flag:
            return "yes" if flag else "no"
        case float() as number:
            return f"{number:.4f}"
        case dict() as items:
            pairs = cast("dict[str, object]", items).items()
            return ", ".join(f"{clean(k)}={cell(v)}" for k, v in pairs if v is not None)
        case list() as items:
            return ", ".join(cell(item) for item in cast("list[object]", items))
        case other:
            return clean(str(other))


def table(rows: Sequence[Mapping[str, str]]) -> None:
    """Print rows of clean cells: ruled on a terminal, aligned columns in a pipe."""
    columns = list(rows[0])
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        _ruled(columns, rows)
        return
    widths = {c: max(len(c), *(len(row[c]) for row in rows)) for c in columns}
    for row in ({c: c.upper() for c in columns}, *rows):
        _write("  ".join(row[c].ljust(widths[c]) for c in columns).rstrip())


def tell(message: str) -> None:
    """Write one line for people to standard error."""
    _write(clean(message), sys.stderr)


def _ruled(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - help must be fast
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    ruled = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):  # the first holds ids, which should stay whole
        widest = None if number else max(len(row[column]) for row in rows)
        ruled.add_column(column, overflow="fold", min_width=widest)
    for row in rows:
        ruled.add_row(*(Text(row[column]) for column in columns))
    Console(file=sys.stdout, highlight=False).print(ruled, crop=False)


def _write(line: str, stream: TextIO | None = None) -> None:
    where = stream or sys.stdout
    try:
        where.write(f"{line}\n")
    except UnicodeEncodeError:
        encoding = where.encoding or "ascii"
        where.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
