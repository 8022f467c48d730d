"""Sets the stage: a server, a model, a fresh tenant with the week's log in it."""

import os
import secrets
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mapgraph_cli.demo.incident import Incident, find_incident
from mapgraph_cli.demo.progress import DOWNLOADS, DemoReporter
from mapgraph_cli.demo.timeline import Timeline
from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_cli.output import tell
from mapgraph_cli.session import URI, Session

if TYPE_CHECKING:
    from mapgraph_neo.embedding import Embedder
    from mapgraph_neo.engine import MapGraph
    from mapgraph_neo.server import ServerAddress

ADMINISTRATOR = "ada"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """All that the story needs."""

    graph: "MapGraph"
    incident: Incident
    embedder: str
    address: "ServerAddress | None"  # of the private server, if it is used


def set_stage(session: Session, timeline: Timeline, stack: ExitStack, *, server: bool) -> Stage:
    """Return the stage, opened in ``stack``.

    Raises:
        CommandError: No server is there, or none is wanted.
        ServerError: The private server cannot be started.

    """
    from mapgraph_neo.settings import load_settings  # noqa: PLC0415 - help must be fast

    incident = find_incident(stack)
    timeline.seconds[DOWNLOADS] = 0.0
    with timeline.stage("server"):
        address = _server(session, timeline, server=server)
    name = load_settings(embedder=session.embedder).embedder
    with timeline.stage("model"):
        embedder = _model(name)
    with timeline.stage("log"):
        graph = stack.enter_context(_connect(session, address, embedder))
        graph.init(ADMINISTRATOR)
        graph.ingest(incident.path)
    return Stage(graph=graph, incident=incident, embedder=name, address=address)


def _server(session: Session, timeline: Timeline, *, server: bool) -> "ServerAddress | None":
    """Return the private server, started if need be; ``None`` where an address was given."""
    if session.uri or os.environ.get(URI):
        return None
    from mapgraph_neo.server import LocalServer, find_running  # noqa: PLC0415

    if server:
        return LocalServer(reporter=DemoReporter(timeline)).start()
    found = find_running()
    if found is None:
        message = "no private server runs; leave --no-server out, or set NEO4J_URI"
        raise CommandError(message, ExitCode.NO_ANSWER)
    return found


def _model(name: str) -> "Embedder":
    from mapgraph_neo.embedding import load_embedder  # noqa: PLC0415

    tell(f"loading the embedder `{name}`")
    embedder = load_embedder(name)
    embedder.embed(["warm up"])
    return embedder


def _connect(
    session: Session, address: "ServerAddress | None", embedder: "Embedder"
) -> "MapGraph":
    """Open a fresh tenant; the default policy, since the story is told by its numbers."""
    from mapgraph_neo.engine import MapGraph  # noqa: PLC0415
    from mapgraph_neo.policy import load_policy  # noqa: PLC0415

    tenant = session.tenant or f"demo-{secrets.token_hex(2)}"
    policy = load_policy(session.policy)
    if address is None:
        return MapGraph.connect(
            session.uri,
            username=session.username,
            password=session.password(),
            database=session.database,
            tenant=tenant,
            embedder=embedder,
            policy=policy,
        )
    return MapGraph.connect(
        address.uri,
        username=address.username,
        password=address.password,
        database=session.database,
        tenant=tenant,
        embedder=embedder,
        policy=policy,
    )
