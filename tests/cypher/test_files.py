"""What can be said of the statements without a server: form, names, and that each one is used."""

import ast
import re
from pathlib import Path

import pytest

import mapgraph_neo
from mapgraph_neo.errors import StatementError
from mapgraph_neo.statement import (
    Access,
    Statement,
    _parse,
    checksum,
    load_statement,
    script,
    statement_names,
)

PACKAGE = Path(mapgraph_neo.__file__).parent
CYPHER = PACKAGE.parent / "cypher"
MODULES = sorted(PACKAGE.rglob("*.py"))
SENDERS = {"run", "autocommit", "load_statement", "script"}
INJECTED = {"clock_offset"}
FORM = """\
// Says what it is for.
//
// Parameters
//   $tenant  STRING  the tenant
// Returns
//   id  STRING  an id
// Access
//   read
// Try it
//   :param tenant => 'default';

MATCH (n:MapNode {tenant: $tenant}) RETURN n.id AS id;
"""


def body(statement: Statement) -> str:
    """Return the statement without its comments."""
    lines = statement.text.splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("//")).strip()


@pytest.mark.parametrize("name", statement_names())
def test_form_of_the_file(name: str) -> None:
    statement = load_statement(name)

    assert re.fullmatch(r"[a-z]+/(V\d{4}__)?[a-z_]+", name)
    assert statement.purpose.endswith(".")
    assert statement.text.endswith(";\n")
    assert "\t" not in statement.text
    assert "// Try it\n//   " in statement.text
    assert all(field.type and field.meaning for field in statement.takes + statement.gives)
    if statement.access is not Access.SCHEMA:
        assert body(statement).count(";") == 1, "one statement in a file"
        tried = set(re.findall(r"^//   :param (\w+) =>", statement.text, re.MULTILINE))
        assert tried == set(statement.parameters)


@pytest.mark.parametrize("name", [n for n in statement_names() if not n.startswith("schema/")])
def test_every_statement_stays_in_its_tenant(name: str) -> None:
    statement = load_statement(name)

    assert "tenant" in statement.parameters
    assert "$tenant" in body(statement)


def test_every_statement_is_sent_by_the_package() -> None:
    words = {
        node.value
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    scripts = {n for n in statement_names() if load_statement(n).access is Access.SCHEMA}

    for_people = {name for name in statement_names() if name.startswith("admin/")}

    assert set(statement_names()) - scripts - for_people - words == set()


def calls() -> list[tuple[str, ast.Call]]:
    """Return every call in the package that may send a statement."""
    return [
        (f"{module.relative_to(PACKAGE)}:{node.lineno}", node)
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and node.args
        and (
            (isinstance(node.func, ast.Attribute) and node.func.attr in SENDERS)
            or (isinstance(node.func, ast.Name) and node.func.id in SENDERS)
        )
    ]


def test_no_query_text_is_built() -> None:
    built = (ast.JoinedStr, ast.BinOp, ast.Subscript)
    wrong = [where for where, call in calls() if isinstance(call.args[0], built)]
    formatted = [
        where
        for where, call in calls()
        if isinstance(call.args[0], ast.Call)
        and isinstance(call.args[0].func, ast.Attribute)
        and call.args[0].func.attr in {"format", "join", "replace"}
    ]

    assert wrong + formatted == []


def test_no_module_holds_a_query() -> None:
    query = re.compile(r"\b(MATCH|MERGE|CREATE|UNWIND|RETURN) (\(\w*[:){ ]|\$\w)")
    found = {
        f"{module.name}:{node.lineno}"
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and query.search(node.value)
    }

    assert found == set()


def test_each_call_gives_what_the_header_takes() -> None:
    wrong = []
    for where, call in calls():
        first = call.args[0]
        if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
            continue
        if "/" not in first.value or not isinstance(call.func, ast.Attribute):
            continue
        given = {keyword.arg for keyword in call.keywords}
        takes = set(load_statement(first.value).parameters) - INJECTED
        if None not in given and given != takes:
            wrong.append(f"{where} {first.value}: {sorted(given ^ takes)}")

    assert wrong == []


def test_a_proper_header_is_read() -> None:
    statement = _parse("x/y", FORM)

    assert statement.purpose == "Says what it is for."
    assert (statement.parameters, statement.returns) == (("tenant",), ("id",))
    assert (statement.takes[0].type, statement.takes[0].meaning) == ("STRING", "the tenant")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// Access\n//   read\n", ""),
        ("// Returns\n", ""),
        ("// Parameters\n", ""),
        ("//   read\n", "//   maybe\n"),
        ("//   read\n", "//   read\n//   write\n"),
        ("$tenant  STRING", "tenant  STRING"),
        ("// Access\n", "// Plan\n//   slow\n// Access\n"),
    ],
)
def test_an_improper_header_is_refused(old: str, new: str) -> None:
    assert old in FORM

    with pytest.raises(StatementError, match="statement `x/y` has no proper header"):
        _parse("x/y", FORM.replace(old, new, 1))


@pytest.mark.parametrize(
    "name", ["no/such", "schema", "", "../pyproject", "schema/V0001__constraints/x"]
)
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(StatementError, match="no statement called"):
        load_statement(name)


def test_a_script_is_split_into_commands() -> None:
    commands = script("schema/V0001__constraints")

    assert len(commands) == body(load_statement("schema/V0001__constraints")).count(";")
    assert all(command.text.startswith("CREATE CONSTRAINT ") for command in commands)
    assert not any(";" in command.text or "//" in command.text for command in commands)


def test_a_statement_is_no_script() -> None:
    with pytest.raises(StatementError, match="no schema script"):
        script("schema/lock_schema")


def test_released_scripts_are_not_changed() -> None:
    """Add a script instead; a database that has the old one would be refused."""
    released: dict[str, str] = {}

    assert {name: checksum(name) for name in released} == released


def soundness(name: str) -> str:
    """Return what a statement asks of each node of a lineage, on one line."""
    text = body(load_statement(name))
    start = text.index("node.tenant = $tenant")
    return " ".join(text[start : text.index("THEN ", text.index("mark.until\n", start))].split())


def test_a_record_is_judged_alike_wherever_it_is_judged() -> None:
    """Cypher has no functions of ours, so the condition stands in three files; here it is one."""
    proof = soundness("eligibility/prove")
    open_to = (
        " AND (any(principal IN node.scope WHERE principal IN $principals) OR ($principals <> [] "
        "AND EXISTS { (node)-[:WRITTEN_BY]->(:Agent {tenant: $tenant, id: $agent}) }))"
    )

    assert proof.count(open_to) == 1
    assert soundness("eligibility/eligible_memories") == proof
    assert soundness("eligibility/clauses") == proof.replace(open_to, "")
