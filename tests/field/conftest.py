"""The field data, or one line that says they are not there; the server of the other tests."""

import sys
from pathlib import Path

import neo4j
import pytest
from bridge import ToyEmbedder

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)  # last, so that an installed wheel stays what is tested

from benchmarks.field import data  # noqa: E402
from benchmarks.field.tenants import Way  # noqa: E402
from mapgraph_neo.settings import GraphSettings  # noqa: E402


@pytest.fixture(scope="session")
def field_data() -> None:
    """Skip without the data, which are never part of the project."""
    reason = data.missing()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture
def way(field_data: None, neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver) -> Way:
    """Tenants on the server of the tests, with vectors that mean nothing."""
    del field_data
    return Way(
        {"graph_settings": neo4j_settings, "driver": neo4j_driver, "embedder": ToyEmbedder()}
    )
