"""The words of the graph, as docs/graph-schema.md has them; other tests hold them true."""

import re
from functools import cache
from pathlib import Path

DOC = Path(__file__).parents[1] / "docs" / "graph-schema.md"
COMMON = {"at": "ZONED DATETIME", "occurred_at": "ZONED DATETIME"}
"""What the text says that every edge has."""

_ROW = re.compile(r"\| `(\w+)` \| ([A-Z][A-Z<> ]*) \| .+ \|")
_EDGE = re.compile(r"\| `([A-Z_]+)` \| ([\w, ]+) \| ([\w, ]+) \| \w+ \|")
_RULE = re.compile(r"\| (unique|index) \| `(\w+)` (.+) \|")


@cache
def tables() -> dict[str, dict[str, str]]:
    """Return for each label and edge type its properties and their types."""
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"(?m)^### ", DOC.read_text(encoding="utf-8"))[1:]:
        name = re.match(r"`(\w+)`", part)
        assert name, part
        body = part.partition("\n## ")[0]
        found[name[1]] = {row[1]: row[2].strip() for row in _ROW.finditer(body)}
    return found


def edges() -> dict[str, tuple[set[str], set[str]]]:
    """Return for each edge type the labels that it leads from and to."""
    rows = _EDGE.finditer(DOC.read_text(encoding="utf-8"))
    return {row[1]: (set(row[2].split(", ")), set(row[3].split(", "))) for row in rows}


def rules() -> list[tuple[str, str, tuple[str, ...]]]:
    """Return each constraint and index of the table: kind, label, properties."""
    rows = _RULE.finditer(DOC.read_text(encoding="utf-8"))
    kinds = {"unique": "constraint", "index": "index"}
    return [(kinds[row[1]], row[2], tuple(re.findall(r"`(\w+)`", row[3]))) for row in rows]


def bookkeeping() -> set[str]:
    """Return the labels that are no part of the execution graph."""
    return {name for name in tables() if name.startswith("_")}
