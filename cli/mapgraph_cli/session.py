"""One run of the command: how to reach Neo4j, who the operator is, and where results go."""

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mapgraph_cli.failures import CommandError
from mapgraph_cli.output import Output
from mapgraph_cli.reach import check_reachable
from mapgraph_cli.text import hide

if TYPE_CHECKING:
    from collections.abc import Generator

    from mapgraph_neo.admin import AdminHandle
    from mapgraph_neo.engine import MapGraph
    from mapgraph_neo.policy_tests import Runner
    from mapgraph_neo.settings import GraphSettings

URI, PASSWORD, PASSWORD_FILE = "NEO4J_URI", "NEO4J_PASSWORD", "NEO4J_PASSWORD_FILE"


@dataclass(kw_only=True)
class Session:
    """The settings given on the command line; the rest comes from environment and files."""

    output: Output
    uri: str | None = None
    username: str | None = None
    database: str | None = None
    tenant: str | None = None
    operator: str | None = None
    policy: str | None = None
    embedder: str | None = None

    def connect(self) -> "MapGraph":
        """Open the tenant; close it by leaving it as a context manager.

        Raises:
            GraphUnavailableError: Nobody listens at the address.

        """
        from mapgraph_neo.engine import MapGraph  # noqa: PLC0415 - help must be fast

        check_reachable(self.graph_settings.uri, self.graph_settings.connect_seconds)
        return MapGraph.connect(
            tenant=self.tenant,
            embedder=self.embedder,
            policy=self.policy,
            graph_settings=self.graph_settings,
        )

    @contextmanager
    def tests(self) -> "Generator[Runner]":
        """Open what runs policy tests, in tenants of their own.

        Raises:
            GraphUnavailableError: Nobody listens at the address.

        """
        from mapgraph_neo.deferred import DeferredEmbedder  # noqa: PLC0415 - help must be fast
        from mapgraph_neo.graph import Neo4jGraph  # noqa: PLC0415
        from mapgraph_neo.policy import load_policy  # noqa: PLC0415
        from mapgraph_neo.policy_tests import Runner  # noqa: PLC0415
        from mapgraph_neo.settings import load_settings  # noqa: PLC0415

        settings = load_settings(embedder=self.embedder, policy=self.policy)
        policy = load_policy(settings.policy)
        check_reachable(self.graph_settings.uri, self.graph_settings.connect_seconds)
        graph = Neo4jGraph(self.graph_settings)
        try:
            yield Runner(graph, DeferredEmbedder(settings.embedder), policy)
        finally:
            graph.close()

    @cached_property
    def graph_settings(self) -> "GraphSettings":
        """Where Neo4j is; the password is asked for once, and only where somebody can answer."""
        from mapgraph_neo.engine import graph_settings_of  # noqa: PLC0415

        found = graph_settings_of(self.uri, self.username, self._password(), self.database)
        hide(found.password.get_secret_value())
        return found

    def operator_name(self) -> str:
        """Return the operator.

        Raises:
            CommandError: None is set.

        """
        from mapgraph_neo.settings import load_settings  # noqa: PLC0415

        name = load_settings(operator=self.operator).operator
        if not name:
            message = "no operator; set MAPGRAPH_OPERATOR, or give --operator NAME"
            raise CommandError(message)
        return name

    def administer(self, graph: "MapGraph") -> "AdminHandle":
        """Return the operator's handle; its rights are checked in the store at each act."""
        return graph.as_admin(self.operator_name())

    def _password(self) -> str | None:
        password = _found_password()
        if password is None and self._asks():
            password = _ask(self.username or os.environ.get("NEO4J_USERNAME") or "neo4j")
        return password

    def _asks(self) -> bool:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        if self.uri or os.environ.get(URI):
            return True
        from mapgraph_neo.server import find_running  # noqa: PLC0415

        return find_running() is None


def _found_password() -> str | None:
    """Return the password of the environment, or of the file that it names."""
    password, file = os.environ.get(PASSWORD), os.environ.get(PASSWORD_FILE)
    if password or not file:
        return password or None
    try:
        return Path(file).read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        message = f"{PASSWORD_FILE}: `{file}` cannot be read: {reason}"
        raise CommandError(message) from None


def _ask(username: str) -> str:
    from getpass import getpass  # noqa: PLC0415

    return getpass(f"Neo4j password of {username}: ", stream=sys.stderr)
