"""Tables in the documents are what the code says; ``MAPGRAPH_WRITE_DOCS=1`` writes them."""

import os
from collections.abc import Callable
from pathlib import Path

import graph_words
import pytest

from mapgraph_neo import schema
from mapgraph_neo.statement import load_statement, statement_names

ROOT = Path(__file__).parents[2]
WRITE = "MAPGRAPH_WRITE_DOCS"
WRITING = bool(os.environ.get(WRITE))


def statements() -> str:
    """Return the table of statements: what each is for, takes, gives and may do."""
    lines = ["| statement | what for | takes | gives | access |", "|---|---|---|---|---|"]
    for name in statement_names():
        statement = load_statement(name)
        takes = " ".join(f"`${each}`" for each in statement.parameters) or "-"
        gives = " ".join(f"`{each}`" for each in statement.returns) or "-"
        purpose = statement.purpose.replace("|", "\\|")
        link = f"[{name}]({name}.cypher)"
        lines.append(f"| {link} | {purpose} | {takes} | {gives} | {statement.access} |")
    return "\n".join(lines)


def rules() -> str:
    """Return the table of constraints and indexes."""
    lines = ["| rule | on |", "|---|---|"]
    for rule in schema.rules():
        kind = "unique" if rule.kind == "constraint" else "index"
        properties = ", ".join(f"`{each}`" for each in rule.properties)
        lines.append(f"| {kind} | `{rule.label}` {properties} |")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("document", "marker", "table"),
    [("cypher/README.md", "statements", statements), ("docs/graph-schema.md", "rules", rules)],
)
def test_a_table_is_what_the_code_says(
    document: str, marker: str, table: Callable[[], str]
) -> None:
    path = ROOT / document
    before, begin, rest = path.read_text(encoding="utf-8").partition(f"<!-- {marker} -->\n")
    _, end, after = rest.partition("<!-- end -->")
    assert begin
    assert end
    wanted = before + begin + table() + "\n" + end + after

    if WRITING:
        path.write_text(wanted, encoding="utf-8")

    assert path.read_text(encoding="utf-8") == wanted, f"{WRITE}=1 pytest tests/docs writes it"


def test_every_bookkeeping_label_of_the_statements_is_documented() -> None:
    used = {
        word.strip("(:{)")
        for name in statement_names()
        for line in load_statement(name).text.splitlines()
        if not line.lstrip().startswith("//")
        for word in line.replace(":_", " _").split()
        if word.startswith("_") and len(word) > len("_x")
    }

    assert used == graph_words.bookkeeping()
