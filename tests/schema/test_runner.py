"""The schema runner on a plain Community server: many at once, cut off, broken, altered, newer."""

import os
import subprocess
import sys
import time

import neo4j
import pytest
from pydantic import SecretStr

from mapgraph_neo import schema
from mapgraph_neo.errors import GraphUnavailableError, SchemaError
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.settings import GraphSettings

pytestmark = pytest.mark.neo4j

NEWEST = len(schema.migrations())
FIRST = schema.migrations()[0].name
INIT = """
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.schema import migrate
from mapgraph_neo.settings import load_graph_settings
graph = Neo4jGraph(load_graph_settings())
print(migrate(graph).version)
graph.close()
"""
HOLD = """
import time
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.settings import load_graph_settings
def work(transaction):
    transaction.run("schema/lock_schema")
    print("held", flush=True)
    time.sleep(60)
Neo4jGraph(load_graph_settings()).write(work, admin=True)
"""


def python(code: str, settings: GraphSettings) -> subprocess.Popen[str]:
    """Start another process that finds the server in its environment."""
    password = settings.password.get_secret_value()
    given = {"NEO4J_URI": settings.uri, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": password}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=os.environ | given, text=True, stdout=subprocess.PIPE
    )


def run(graph: Neo4jGraph, query: str, **parameters: object) -> list[neo4j.Record]:
    return graph.driver.execute_query(query, parameters).records


def installed(graph: Neo4jGraph) -> list[dict[str, object]]:
    shown = run(graph, "SHOW INDEXES YIELD id, name, labelsOrTypes, properties, owningConstraint")
    return [row.data() for row in shown]


def test_eight_processes_at_once_all_succeed(
    graph: Neo4jGraph, private_settings: GraphSettings
) -> None:
    processes = [python(INIT, private_settings) for _ in range(8)]
    answers = [process.communicate(timeout=120)[0] for process in processes]

    assert [process.returncode for process in processes] == [0] * 8
    assert answers == [f"{NEWEST}\n"] * 8
    assert schema.require(graph).version == NEWEST
    assert schema.problems(graph) == []


def test_a_second_time_changes_nothing(graph: Neo4jGraph) -> None:
    assert schema.migrate(graph).applied == tuple(m.name for m in schema.migrations())
    before = installed(graph)

    assert schema.migrate(graph).applied == ()
    assert installed(graph) == before


def test_an_identity_is_one_node_in_each_tenant(graph: Neo4jGraph) -> None:
    schema.migrate(graph)
    make = "CREATE (:MapNode {tenant: $tenant, id: 'mem:1', seq: $seq})"
    run(graph, make, tenant="a", seq=1)
    run(graph, make, tenant="b", seq=1)

    for tenant, seq in (("a", 2), ("b", 2)):
        with pytest.raises(neo4j.exceptions.ConstraintError):
            run(graph, make, tenant=tenant, seq=seq)


def test_foreign_data_are_left_alone(graph: Neo4jGraph) -> None:
    run(graph, "CREATE (:Person {name: 'Ada', tenant: 'x', id: 1})-[:KNOWS]->(:Person)")
    run(graph, "CREATE CONSTRAINT theirs FOR (n:Person) REQUIRE n.name IS UNIQUE")
    run(graph, "CREATE TEXT INDEX words FOR (n:Person) ON (n.name)")
    before = installed(graph)

    schema.migrate(graph)

    assert all(rule in installed(graph) for rule in before)
    assert run(graph, "MATCH (n:Person)-[r:KNOWS]->() RETURN n.name AS name")[0]["name"] == "Ada"
    assert run(graph, "MATCH (n) WHERE NOT n:_Schema RETURN count(n) AS n")[0]["n"] == 2


def test_no_schema_is_told_with_the_next_step(graph: Neo4jGraph) -> None:
    with pytest.raises(SchemaError, match="no schema of ours; run `mapgraph init`"):
        schema.require(graph)


def test_half_a_schema_is_refused_and_continued(graph: Neo4jGraph) -> None:
    schema.migrate(graph)
    last = schema.migrations()[-1]
    run(graph, "MATCH (m:_Schema {name: $name}) DELETE m", name=last.name)
    rule = schema.rule_of(last.statements[0])
    assert rule is not None
    run(graph, f"DROP INDEX {rule.name}")

    with pytest.raises(SchemaError, match="half done, 1 of 2 scripts"):
        schema.require(graph)

    assert schema.migrate(graph).applied == (last.name,)
    assert schema.require(graph).version == NEWEST


def test_a_newer_schema_is_refused(graph: Neo4jGraph) -> None:
    schema.migrate(graph)
    run(graph, "CREATE (:_Schema {name: 'V0099__later', version: 99, sha256: 'x'})")

    for step in (schema.require, schema.migrate):
        with pytest.raises(SchemaError, match=r"`V0099__later`.*upgrade mapgraph-neo"):
            step(graph)
    assert "V0099__later" in schema.problems(graph)[0]


def test_an_altered_script_is_refused(graph: Neo4jGraph) -> None:
    schema.migrate(graph)
    run(graph, "MATCH (m:_Schema {name: $name}) SET m.sha256 = 'other'", name=FIRST)

    for step in (schema.require, schema.migrate):
        with pytest.raises(SchemaError, match=f"`{FIRST}` differs"):
            step(graph)


def test_a_dropped_constraint_is_named_and_restored(graph: Neo4jGraph) -> None:
    schema.migrate(graph)
    run(graph, "DROP CONSTRAINT mapgraph_node_id")

    with pytest.raises(SchemaError, match=r"`mapgraph_node_id` on MapNode\(tenant, id\) is miss"):
        schema.require(graph)

    assert schema.migrate(graph).applied == (FIRST,)
    assert schema.problems(graph) == []


def test_duplicates_are_told_in_plain_words(graph: Neo4jGraph) -> None:
    run(graph, "UNWIND [1, 2] AS n CREATE (:MapNode {tenant: 'a', id: 'mem:1', seq: n})")

    with pytest.raises(SchemaError) as caught:
        schema.migrate(graph)

    message = str(caught.value)
    assert "constraint `mapgraph_node_id` on MapNode(tenant, id) cannot be made" in message
    assert "'mem:1'" in message
    assert "\n" not in message
    run(graph, "MATCH (n:MapNode {seq: 2}) DELETE n")
    assert schema.migrate(graph).version == NEWEST


def test_a_foreign_index_in_the_way_is_told(graph: Neo4jGraph) -> None:
    run(graph, "CREATE INDEX theirs FOR (n:MapNode) ON (n.tenant, n.id)")

    with pytest.raises(SchemaError, match=r"`mapgraph_node_id` .* cannot be made: .*index"):
        schema.migrate(graph)


def test_a_rule_of_another_name_serves_as_well(graph: Neo4jGraph) -> None:
    run(graph, "CREATE CONSTRAINT theirs FOR (n:MapNode) REQUIRE (n.tenant, n.id) IS UNIQUE")

    assert schema.migrate(graph).version == NEWEST
    assert schema.problems(graph) == []


def test_a_killed_process_frees_the_lock(
    graph: Neo4jGraph, private_settings: GraphSettings
) -> None:
    schema.migrate(graph)
    run(graph, "DROP CONSTRAINT mapgraph_key")
    holder = python(HOLD, private_settings)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    holder.kill()
    holder.communicate()
    start = time.monotonic()

    assert schema.migrate(graph).applied == (FIRST,)
    assert time.monotonic() - start < 20


def test_a_lock_that_is_held_too_long_is_told(
    graph: Neo4jGraph, private_settings: GraphSettings
) -> None:
    schema.migrate(graph)
    run(graph, "DROP CONSTRAINT mapgraph_key")
    holder = python(HOLD, private_settings)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    hurried = Neo4jGraph(private_settings.model_copy(update={"admin_seconds": 1.0}))

    try:
        with pytest.raises(SchemaError, match="another process works on the schema"):
            schema.migrate(hurried)
    finally:
        hurried.close()
        holder.kill()
        holder.communicate()


def test_a_refused_login_is_no_schema_error(private_settings: GraphSettings) -> None:
    graph = Neo4jGraph(private_settings.model_copy(update={"password": SecretStr("wrong-one")}))

    with pytest.raises(GraphUnavailableError, match="refused the login"):
        schema.require(graph)
    graph.close()
