"""Sets the stage: a server, a model, a fresh tenant with the week's log in it."""

import os
import secrets
from concurrent.futures import Future, ThreadPoolExecutor, wait
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
PATIENCE = 300.0  # seconds for one query: a server that just started plans each for the first time
LOOK_SECONDS = 0.5  # an extra that is missing shows within this, before anything is downloaded


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
    name = load_settings(embedder=session.embedder).embedder
    loading = _load_beside(name)  # torch takes seconds to import; the server starts meanwhile
    with timeline.stage("server"):
        address = _server(session, timeline, server=server)
    with timeline.stage("model"):
        embedder = loading.result()
    with timeline.stage("log"):
        graph = stack.enter_context(_connect(session, embedder))
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


def _load_beside(name: str) -> "Future[Embedder]":
    """Load the embedder in a thread; raises at once where its extra is not installed."""
    tell(f"loading the embedder `{name}`")
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
    loading = executor.submit(_model, name)
    executor.shutdown(wait=False)
    wait([loading], timeout=LOOK_SECONDS)
    if loading.done():
        loading.result()
    return loading


def _model(name: str) -> "Embedder":
    from mapgraph_neo.embedding import load_embedder  # noqa: PLC0415

    embedder = load_embedder(name)
    embedder.embed(["warm up"])
    return embedder


def _connect(session: Session, embedder: "Embedder") -> "MapGraph":
    """Open a fresh tenant; the default policy, since the story is told by its numbers."""
    from mapgraph_neo.engine import MapGraph  # noqa: PLC0415
    from mapgraph_neo.policy import load_policy  # noqa: PLC0415

    return MapGraph.connect(
        tenant=session.tenant or f"demo-{secrets.token_hex(2)}",
        embedder=embedder,
        policy=load_policy(session.policy),
        graph_settings=session.graph_settings.model_copy(update={"query_seconds": PATIENCE}),
    )
