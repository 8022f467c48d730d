"""Engine on Neo4j == oracle, on generated histories; ``benchmarks.differential`` runs more."""

import os

import neo4j
import pytest
from bridge import Bridge
from history import REQUIRED
from strategies import features, random_history, shares

from mapgraph_neo.settings import GraphSettings

HISTORIES = int(os.environ.get("MAPGRAPH_HISTORIES", "24"))
FIRST_SEED = int(os.environ.get("MAPGRAPH_SEED", "1000"))


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + HISTORIES))
def test_engine_answers_as_the_oracle(
    seed: int, neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str
) -> None:
    history = random_history(seed)

    assert Bridge(neo4j_settings, neo4j_driver, tenant).run(history) == []


def test_the_histories_cover_what_they_must() -> None:
    found = [features(random_history(seed)) for seed in range(FIRST_SEED, FIRST_SEED + 60)]
    share = {name: sum(name in each for each in found) / len(found) for name in REQUIRED}
    seeds = range(FIRST_SEED, FIRST_SEED + 20)
    spread = [share for seed in seeds for share in shares(random_history(seed))]

    assert all(value >= 0.1 for value in share.values()), share
    assert min(spread) <= 0.05
    assert max(spread) >= 0.95
