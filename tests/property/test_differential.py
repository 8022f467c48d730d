"""Engine on Neo4j == oracle, on generated histories; ``benchmarks.differential`` runs more."""

import os

import neo4j
import pytest
from bridge import Bridge
from history import REQUIRED
from strategies import features, random_history, shares
from trust_thrice import differing, numbers

from mapgraph_neo.policy import load_policy
from mapgraph_neo.settings import GraphSettings
from mapgraph_neo.statement import load_statement

HISTORIES = int(os.environ.get("MAPGRAPH_HISTORIES", "24"))
FIRST_SEED = int(os.environ.get("MAPGRAPH_SEED", "1000"))
# Histories that differed once: the same window withdrawn twice; a verifier that lost its standing.
FOUND = (1056, 7002)


@pytest.mark.parametrize("seed", sorted({*range(FIRST_SEED, FIRST_SEED + HISTORIES), *FOUND}))
def test_engine_answers_as_the_oracle(
    seed: int, neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str
) -> None:
    history = random_history(seed)

    assert Bridge(neo4j_settings, neo4j_driver, tenant).run(history) == []
    assert differing(neo4j_driver, tenant, load_policy()) == []


def test_the_statement_of_path_trust_tells_what_was_altered(
    neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str
) -> None:
    Bridge(neo4j_settings, neo4j_driver, tenant).run(random_history(FIRST_SEED))
    neo4j_driver.execute_query(
        "MATCH (e:_Entry {tenant: $tenant}) WITH e ORDER BY e.seq LIMIT 1 SET e.sif = e.sif + 1e-6",
        tenant=tenant,
    )

    assert differing(neo4j_driver, tenant, load_policy()) != []


def test_the_statement_of_path_trust_shows_the_default_numbers(neo4j_driver: neo4j.Driver) -> None:
    text = load_statement("admin/path_trust").text
    start = text.index("numbers => ") + len("numbers => ")
    given = text[start : text.index(";", start)].replace("//", "")

    rows = neo4j_driver.execute_query(f"RETURN {given} AS n").records  # type: ignore[arg-type]

    assert rows[0]["n"] == numbers(load_policy())


def test_the_histories_cover_what_they_must() -> None:
    found = [features(random_history(seed)) for seed in range(FIRST_SEED, FIRST_SEED + 60)]
    share = {name: sum(name in each for each in found) / len(found) for name in REQUIRED}
    seeds = range(FIRST_SEED, FIRST_SEED + 20)
    spread = [share for seed in seeds for share in shares(random_history(seed))]

    assert all(value >= 0.1 for value in share.values()), share
    assert min(spread) <= 0.05
    assert max(spread) >= 0.95
