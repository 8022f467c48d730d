"""Brings the constraints and indexes of a database to this release, and checks them.

The schema belongs to the database: tenants share it. Scripts ``cypher/schema/V*.cypher`` are
applied in order under one lock that dies with its process; what was applied is kept in
``_Schema`` nodes. Applying again changes nothing, and an interrupted run is continued.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from mapgraph_neo.errors import GraphError, GraphTimeoutError, SchemaError
from mapgraph_neo.graph import Graph, Neo4jGraph, Row, Transaction
from mapgraph_neo.statement import Statement, checksum, load_statement, script, statement_names

_MIGRATION = re.compile(r"schema/(V(\d{4})__\w+)")
_RULE = re.compile(
    r"CREATE (?P<kind>CONSTRAINT|INDEX) (?P<name>\w+) IF NOT EXISTS "
    r"FOR (?:\(\w+:(?P<label>\w+)\)|\(\)-\[\w+:(?P<type>\w+)\]-\(\)) "
    r"(?:REQUIRE|ON) (?P<properties>[^)]*?\)?)(?: IS UNIQUE)?"
)
_TRIES = 7
_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 2.0
_AWAIT_SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One constraint or index: its kind, where it holds, and how we call it."""

    kind: str  # constraint or index
    name: str
    label: str  # of nodes, or the type of edges
    properties: tuple[str, ...]

    def __str__(self) -> str:
        """Return the rule as a person would name it."""
        return f"{self.kind} `{self.name}` on {self.label}({', '.join(self.properties)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One schema script of this release."""

    name: str
    version: int
    sha256: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaState:
    """The version that the database has, and the scripts that this call applied."""

    version: int
    applied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the database says of its schema."""

    recorded: dict[str, Row]
    installed: dict[tuple[str, str, tuple[str, ...]], Row]

    def lacks(self, rule: Rule) -> bool:
        """Return whether no such rule stands, under whatever name."""
        return (rule.kind, rule.label, rule.properties) not in self.installed


def migrate(graph: Neo4jGraph) -> SchemaState:
    """Bring the schema to this release; safe from many processes at once.

    Raises:
        SchemaError: The database is of a newer release, a script was altered after it was
            applied, or data that stand there already break a constraint.

    """
    newest = migrations()[-1].version
    found = _look(graph)
    _refuse(found)
    if not _problems(found):
        return SchemaState(version=newest)
    _create(graph, migrations()[0].statements[0])
    try:
        applied = graph.write(lambda lock: _apply(graph, lock), admin=True)
    except GraphTimeoutError as error:
        message = "another process works on the schema still; try again when it is done"
        raise SchemaError(message) from error
    graph.autocommit(load_statement("schema/await_indexes"), seconds=_AWAIT_SECONDS)
    require(graph)
    return SchemaState(version=newest, applied=tuple(applied))


def require(graph: Neo4jGraph) -> SchemaState:
    """Check that the database has the schema of this release, whole; two short reads.

    Raises:
        SchemaError: It is absent, half done, altered or newer, or a rule is missing.

    """
    found = _look(graph)
    _refuse(found)
    if wrong := _problems(found):
        raise SchemaError("; ".join(wrong))
    return SchemaState(version=migrations()[-1].version)


def problems(graph: Graph) -> list[str]:
    """Return what is wrong with the schema in plain words, for a health check."""
    found = _look(graph)
    try:
        _refuse(found)
    except SchemaError as error:
        return [str(error)]
    return _problems(found)


@cache
def migrations() -> tuple[Migration, ...]:
    """Return the schema scripts of this release, in order."""
    return tuple(
        Migration(
            name=match[1],
            version=int(match[2]),
            sha256=checksum(name),
            statements=tuple(script(name)),
        )
        for name in statement_names()
        if (match := _MIGRATION.fullmatch(name))
    )


def rules() -> list[Rule]:
    """Return every constraint and index that the scripts make."""
    return [rule for migration in migrations() for rule in _rules(migration)]


def rule_of(statement: Statement) -> Rule | None:
    """Return the rule that a statement makes; nothing for a statement of another kind."""
    match = _RULE.fullmatch(" ".join(statement.text.split()))
    if match is None:
        return None
    return Rule(
        kind=match["kind"].lower(),
        name=match["name"],
        label=match["label"] or match["type"],
        properties=tuple(re.findall(r"\.(\w+)", match["properties"])),
    )


def _rules(migration: Migration) -> Iterator[Rule]:
    return (rule for s in migration.statements if (rule := rule_of(s)) is not None)


def _look(graph: Graph) -> _Found:
    def read(transaction: Transaction) -> _Found:
        return _Found(
            recorded={row["name"]: row for row in transaction.run("schema/applied_migrations")},
            installed={_key(row): row for row in transaction.run("schema/installed_rules")},
        )

    return graph.read(read)


def _key(row: Row) -> tuple[str, str, tuple[str, ...]]:
    kind = "constraint" if row["owningConstraint"] else "index"
    return kind, row["labelsOrTypes"][0], tuple(row["properties"])


def _refuse(found: _Found) -> None:
    """Raise if the database is of a newer release, or was made by scripts that differ."""
    shipped = {migration.name: migration for migration in migrations()}
    for name, row in found.recorded.items():
        known = shipped.get(name)
        if known is None:
            message = (
                f"the schema of the database is of another release (it has `{name}`); "
                "upgrade mapgraph-neo"
            )
            raise SchemaError(message)
        if row["sha256"] != known.sha256:
            message = (
                f"schema script `{name}` differs from the one that was applied to the database; "
                "use the release that applied it"
            )
            raise SchemaError(message)


def _problems(found: _Found) -> list[str]:
    if not found.recorded:
        return ["the database has no schema of ours; run `mapgraph init`"]
    done = [m for m in migrations() if m.name in found.recorded]
    if len(done) < len(migrations()):
        count = f"{len(done)} of {len(migrations())}"
        return [f"the schema is half done, {count} scripts were applied; run `mapgraph init`"]
    missing = [
        f"{rule} is missing; run `mapgraph init` to restore it"
        for rule in rules()
        if found.lacks(rule)
    ]
    return missing + [wrong for rule in rules() if (wrong := _failure(found, rule))]


def _failure(found: _Found, rule: Rule) -> str | None:
    row = found.installed.get((rule.kind, rule.label, rule.properties))
    if row is None or row["state"] != "FAILED":
        return None
    return f"{rule} failed: {row['failureMessage']}; drop it and run `mapgraph init`"


def _apply(graph: Neo4jGraph, lock: Transaction) -> list[str]:
    """Apply under the lock what is not there yet, and return the scripts that had work."""
    lock.run("schema/lock_schema")
    found = _look(graph)
    _refuse(found)
    applied: list[str] = []
    for migration in migrations():
        new = migration.name not in found.recorded
        wanted = [s for s in migration.statements if _wanted(s, found, new=new)]
        for statement in wanted:
            _create(graph, statement)
        if new:
            _record(graph, migration)
        if new or wanted:
            applied.append(migration.name)
    return applied


def _wanted(statement: Statement, found: _Found, *, new: bool) -> bool:
    rule = rule_of(statement)
    return new if rule is None else found.lacks(rule)


def _record(graph: Neo4jGraph, migration: Migration) -> None:
    def write(transaction: Transaction) -> None:
        transaction.run(
            "schema/record_migration",
            script=migration.name,
            version=migration.version,
            sha256=migration.sha256,
        )

    graph.write(write)


def _create(graph: Neo4jGraph, statement: Statement) -> None:
    """Send one schema command, again while others do the same or hold its locks."""
    for attempt in range(1, _TRIES + 1):
        try:
            graph.autocommit(statement)
        except GraphError as error:
            code = str(getattr(error.__cause__, "code", ""))
            if attempt < _TRIES and _passing(code, statement):
                time.sleep(min(_PAUSE_SECONDS * 2**attempt, _LONGEST_PAUSE_SECONDS))
                continue
            if ".Schema." not in code:
                raise
            raise SchemaError(_cannot(statement, error)) from error
        else:
            return


def _passing(code: str, statement: Statement) -> bool:
    """Return whether trying again helps: a lock, or somebody who made the same rule just now."""
    if code.endswith(".IndexAlreadyExists"):  # in the way of a constraint it stays there
        rule = rule_of(statement)
        return rule is None or rule.kind == "index"
    return "TransientError" in code or code.endswith("AlreadyExists")


def _cannot(statement: Statement, error: GraphError) -> str:
    """Return why a rule cannot be made, in one line and with the next step."""
    rule = rule_of(statement) or statement.name
    told = " ".join(str(error).removeprefix("Neo4j refused: ").split())
    return f"{rule} cannot be made: {told}; mend the data or drop that rule, then `mapgraph init`"
