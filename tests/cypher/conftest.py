"""A driver to a server of each line, on which every name of ours is known."""

import logging
from collections.abc import Iterator

import neo4j
import pytest
from private_servers import private_settings  # noqa: F401 - a fixture

from mapgraph_neo.settings import GraphSettings


@pytest.fixture(scope="session")
def driver(private_settings: GraphSettings) -> Iterator[neo4j.Driver]:  # noqa: F811
    """The driver tells all that the server notes, and logs nothing."""
    logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
    password = private_settings.password.get_secret_value()
    with neo4j.GraphDatabase.driver(
        private_settings.uri,
        auth=(private_settings.username, password),
        warn_notification_severity="OFF",
    ) as driver:
        yield driver
