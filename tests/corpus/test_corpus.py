"""Every scenario of this folder, by the runner of ``mapgraph test``, and what holds after each."""

from pathlib import Path

import neo4j
import pytest
from bridge import ToyEmbedder
from invariants import Look

from mapgraph_neo import load_policy
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.policy_tests import Runner, read_test

pytestmark = pytest.mark.neo4j

FILES = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path, graph: Neo4jGraph, neo4j_driver: neo4j.Driver) -> None:
    def look(stage: object) -> None:
        Look(stage, neo4j_driver).check()  # type: ignore[arg-type]

    runner = Runner(graph, ToyEmbedder(), load_policy(), look)

    result = runner.run(read_test(path))

    assert [f"{path.name}:{f.line}: {f.step}: {f.message}" for f in result.failures] == []
