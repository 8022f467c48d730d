"""Every .cypher file keeps the promises of its header, by the server's own word, on both lines."""

import re
from collections.abc import Iterator
from typing import Any

import graph_words
import neo4j
import pytest

from mapgraph_neo.statement import Access, Plan, Statement, load_statement, script, statement_names

pytestmark = pytest.mark.neo4j

NAMES = [n for n in statement_names() if load_statement(n).access is not Access.SCHEMA]
PARAMETER_MISSING = "01N60"
FINE = {"00000", "00001", "02000"}
QUERY_TYPES = {"r": Access.READ, "w": Access.WRITE, "rw": Access.WRITE, "s": Access.SCHEMA}
LISTS_PATHS = re.compile(r"VarLengthExpand\((?!Pruning)|Repeat\(|AllShortestPaths|AllPaths")
WITNESS = re.compile(r"^(Stateful)?ShortestPath")
TRIED = re.compile(r"^//   :param (\w+) => (.+);$", re.MULTILINE)
STEP = re.compile(r"\[[^\]]*\*[^\]]*\]|\)[+*{]")


@pytest.fixture(scope="module", autouse=True)
def _every_name_known(driver: neo4j.Driver) -> None:
    """The server warns of a name that it never saw, so it must have seen all of ours.

    All that the document has, and no more: a misspelt name in a statement stays unknown.
    """
    tables = graph_words.tables()
    for name, known in tables.items():
        properties = dict.fromkeys(known | graph_words.COMMON, 1)
        if name in graph_words.edges():
            query = f"CREATE (a)-[e:{name} $p]->(b) DELETE e, a, b"
        else:
            query = f"CREATE (n:{name} $p) DELETE n"
        driver.execute_query(query, p=properties)
    driver.execute_query("CREATE (n:Revoked:Affected) DELETE n")


@pytest.fixture(scope="module")
def _filled(driver: neo4j.Driver) -> Iterator[None]:
    """The planner asks the counts, so a plan must hold on a full database as on an empty one."""
    driver.execute_query(FILL, seed="plan-statistics")
    yield
    driver.execute_query("MATCH (n {tenant: 'plan-statistics'}) DETACH DELETE n")


FILL = """
CREATE (u:MapNode:User {tenant: $seed, id: 'user:0', seq: 0})
WITH u
UNWIND range(1, 60) AS n
CREATE (a:MapNode:Agent {tenant: $seed, id: 'agent:' + n, seq: n})-[:AUTHORIZED_BY]->(u)
CREATE (r:MapNode:Resource {tenant: $seed, id: 'res:' + n, seq: 100 + n})
CREATE (t:MapNode:Tool {tenant: $seed, id: 'tool:' + n, seq: 200 + n})
CREATE (x:MapNode:Action {tenant: $seed, id: 'act:' + n, seq: 300 + n})-[:WRITTEN_BY]->(a)
CREATE (r)-[:INVALIDATED_BY]->(u)
CREATE (a)-[:AUTHORIZED_BY]->(a)
WITH a, r, x, n
UNWIND range(1, 20) AS k
CREATE (m:MapNode:Memory {tenant: $seed, id: 'mem:' + n + '-' + k, seq: 1000 * n + k})
CREATE (g:MapNode:Message {tenant: $seed, id: 'msg:' + n + '-' + k, seq: 100000 * n + k})
CREATE (c:MapNode:Claim {tenant: $seed, id: 'claim:' + n + '-' + k, seq: 10000000 * n + k})
CREATE (m)-[:OBSERVED_FROM]->(r), (m)-[:WRITTEN_BY]->(a), (m)-[:READ_BY]->(a),
  (g)-[:DERIVED_FROM]->(m), (c)-[:DERIVED_FROM]->(g), (c)-[:DERIVED_FROM]->(m),
  (g)-[:SUMMARIZED_FROM]->(m), (m)-[:USED_FOR_ACTION]->(x), (g)-[:FORWARDED_TO]->(a),
  (c)-[:WRITTEN_BY]->(a), (g)-[:WRITTEN_BY]->(a), (c)-[:VERIFIED_BY]->(a)
CREATE (:_Entry {tenant: $seed, seq: 1000 * n + k})
CREATE (:_Key {tenant: $seed, actor: 'a', key: n + '-' + k})
"""


@pytest.mark.parametrize("name", NAMES)
def test_header_is_true(driver: neo4j.Driver, name: str) -> None:
    statement = load_statement(name)

    result = driver.execute_query("EXPLAIN " + statement.text)

    statuses = [s for s in result.summary.gql_status_objects if s.gql_status not in FINE]
    missing = [s.status_description for s in statuses if s.gql_status == PARAMETER_MISSING]
    noted = [s.status_description for s in statuses if s.gql_status != PARAMETER_MISSING]
    assert set(re.findall(r"\$`(\w+)`", " ".join(missing))) == set(statement.parameters)
    assert tuple(result.keys) == statement.returns
    assert QUERY_TYPES[result.summary.query_type] is statement.access
    assert noted == []
    _check_plan(statement, result.summary.plan)


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_pasted_with_the_parameters_of_its_header_runs(
    driver: neo4j.Driver, name: str
) -> None:
    statement = load_statement(name)
    with driver.session() as session, session.begin_transaction() as tx:
        tx.run("CREATE (:_Tenant {tenant: 'default', epoch: 1, seq: 1, classes: 0, hash_key: 'k'})")
        given: dict[str, Any] = {}
        for word, expression in TRIED.findall(statement.text):
            given[word] = tx.run(f"RETURN {expression} AS value").single(strict=True)["value"]
        result = tx.run(statement.text, given)  # comments and semicolon included, as pasted
        assert tuple(result.keys()) == statement.returns
        result.consume()
        tx.rollback()


@pytest.mark.usefixtures("_filled")
@pytest.mark.parametrize("name", [n for n in NAMES if STEP.search(load_statement(n).text)])
def test_steps_of_any_length_prune(driver: neo4j.Driver, name: str) -> None:
    statement = load_statement(name)

    result = driver.execute_query("EXPLAIN CYPHER replan=force " + statement.text)

    _check_plan(statement, result.summary.plan)


def test_the_check_of_plans_catches_a_list_of_paths(driver: neo4j.Driver) -> None:
    query = "EXPLAIN MATCH p = (m:Memory {id: $id})-[:DERIVED_FROM*0..]->(n) RETURN p"

    operators = list(_operators(driver.execute_query(query).summary.plan))

    assert any(LISTS_PATHS.search(o) for o in operators)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("MATCH (m:Memory)-[:DERIVD_FROM]->(n) RETURN n", "01N51"),
        ("MATCH (m:Memry) RETURN m", "01N50"),
        ("MATCH (m:Memory) WHERE m.revokedAt IS NULL RETURN m", "01N52"),
        ("MATCH (m:Memory), (c:Claim) RETURN m, c", "03N90"),
    ],
)
def test_the_server_tells_of_a_planted_fault(driver: neo4j.Driver, query: str, status: str) -> None:
    summary = driver.execute_query("EXPLAIN " + query).summary

    assert status in {s.gql_status for s in summary.gql_status_objects}


@pytest.mark.parametrize(
    "name", [n for n in statement_names() if load_statement(n).access is Access.SCHEMA]
)
def test_schema_scripts_hold_schema_commands_only(driver: neo4j.Driver, name: str) -> None:
    for statement in script(name):
        summary = driver.execute_query("EXPLAIN " + statement.text).summary
        assert QUERY_TYPES[summary.query_type] is Access.SCHEMA


def _check_plan(statement: Statement, plan: dict[str, Any] | None) -> None:
    """Every step of any length visits each node once, or is the one path of a witness."""
    operators = list(_operators(plan))

    assert [o for o in operators if LISTS_PATHS.search(o)] == []
    if statement.plan is Plan.WITNESS:
        assert "LIMIT 1" in statement.text
        assert any(WITNESS.search(o) for o in operators)
    else:
        assert not any("ShortestPath" in o for o in operators)


def _operators(plan: dict[str, Any] | None) -> Iterator[str]:
    assert plan is not None
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from _operators(child)
