"""MapGraph: wires the stages together, and is the host's key to one tenant."""

import logging
import os
import secrets
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from mapgraph_neo import (
    action,
    audit,
    doctor,
    eligibility,
    export,
    ingest,
    lineage,
    rework,
    schema,
)
from mapgraph_neo.admin import AdminHandle
from mapgraph_neo.agent import AgentHandle
from mapgraph_neo.context import Context, Progress, Turn, new_key, take_turn, unknown_tenant
from mapgraph_neo.deferred import DeferredEmbedder
from mapgraph_neo.embedding import Embedder, load_embedder
from mapgraph_neo.errors import ExistsError, GraphError, NotRegisteredError, SidecarError
from mapgraph_neo.graph import Neo4jGraph, Transaction
from mapgraph_neo.model import Check, Decision, DoctorReport, Explanation, Lineage
from mapgraph_neo.names import any_id, check_name, node_id
from mapgraph_neo.policy import Policy, load_policy
from mapgraph_neo.registration import one_of, user_source
from mapgraph_neo.registry import write_source
from mapgraph_neo.settings import (
    GraphSettings,
    Settings,
    load_graph_settings,
    load_settings,
)
from mapgraph_neo.sidecar_snapshot import Snapshots
from mapgraph_neo.sync import Synchroniser
from mapgraph_neo.vocabulary import NodeLabel, Outcome, Right

_log = logging.getLogger(__name__)

ALL_RIGHTS = tuple(sorted(right.value for right in Right))


class MapGraph:
    """An authorization layer over the shared memory of agents, in one tenant.

    Handles for agents and administrators come from it; agents, prompts and tool code get
    only handles, never this object.
    """

    def __init__(self, graph: Neo4jGraph, context: Context, settings: Settings) -> None:
        """Use ``connect``."""
        self._graph = graph
        self._context = context
        self._settings = settings
        self._synchroniser: Synchroniser | None = None

    @classmethod
    def connect(  # noqa: PLR0913 - the settings a caller may give
        cls,
        uri: str | None = None,
        *,
        username: str | None = None,
        password: str | None = None,
        database: str | None = None,
        tenant: str | None = None,
        embedder: str | Embedder | None = None,
        policy: str | Path | Policy | None = None,
        graph_settings: GraphSettings | None = None,
        driver: Any = None,  # noqa: ANN401 - the driver's type stays inside graph.py
    ) -> Self:
        """Open a tenant; settings come from arguments, environment and ``mapgraph.toml``.

        Without an address the running private server (``mapgraph server start``) is used.

        Args:
            uri: Address of Neo4j, such as ``bolt://127.0.0.1:7687``.
            username: Login of Neo4j.
            password: Its password.
            database: The database.
            tenant: The tenant; ``default`` by default.
            embedder: ``st``, ``lite``, the name of an installed one, or an object.
            policy: A policy file, or a loaded policy.
            graph_settings: All settings of the connection at once.
            driver: A driver that the caller owns and closes.

        Raises:
            SettingsError: A setting cannot be used.
            PolicyError: The policy file is invalid.
            EmbeddingError: The embedder cannot be loaded.

        """
        settings = load_settings(
            tenant=tenant, embedder=embedder if isinstance(embedder, str) else None
        )
        given = graph_settings or graph_settings_of(uri, username, password, database)
        loaded = policy if isinstance(policy, Policy) else load_policy(policy or settings.policy)
        chosen = embedder if embedder is not None and not isinstance(embedder, str) else None
        graph = Neo4jGraph(given, driver=driver)
        context = Context(
            graph=graph,
            tenant=check_name(settings.tenant, "tenant"),
            policy=loaded,
            embedder=DeferredEmbedder(settings.embedder)
            if chosen is None
            else load_embedder(chosen),
            snapshots=None
            if settings.sidecar_dir is None
            else Snapshots(
                base=Path(settings.sidecar_dir).expanduser(),
                tenant=settings.tenant,
                database=given.database,
            ),
        )
        return cls(graph, context, settings)

    @property
    def tenant(self) -> str:
        """The tenant that was fixed when this was opened."""
        return self._context.tenant

    @property
    def policy(self) -> Policy:
        """The policy in force."""
        return self._context.policy

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close what was opened here; closing twice is harmless.

        With ``MAPGRAPH_SIDECAR_DIR`` set, what a later process can start from is saved first.
        """
        if self._synchroniser is not None:
            try:
                self._synchroniser.save()
            except (SidecarError, GraphError) as error:
                _log.warning("%s; the next start reads the graph", error)
        self._graph.close()

    def init(self, administrator: str) -> str:
        """Set up the schema and the tenant's first administrator; the same again changes nothing.

        Raises:
            ExistsError: Another user is the administrator already.
            SchemaError: The schema cannot be set up.

        """
        schema.migrate(self._graph)
        user = node_id(NodeLabel.USER, administrator, "administrator")
        key = secrets.token_hex(32)
        given = self._settings.hash_key
        if given is not None:
            key = given.get_secret_value()
        self._graph.write(
            lambda tx: tx.run("record/create_tenant", tenant=self.tenant, hash_key=key)
        )
        return self._graph.write(lambda tx: self._first_administrator(tx, user))

    def _first_administrator(self, tx: Transaction, user: str) -> str:
        turn = take_turn(tx, self._context, bump=True, count=1)
        if tx.run("authority/administrators", tenant=self.tenant)[0]["users"]:
            rows = tx.run("authority/user", tenant=self.tenant, user=user)
            if rows and Right.ADMINISTER.value in rows[0]["rights"]:
                return user
            message = (
                f"administrator: tenant `{self.tenant}` has another one already; that one can "
                f"grant `{user}` the right `administer`"
            )
            raise ExistsError(message)
        self._write_administrator(tx, turn, user)
        return user

    def _write_administrator(self, tx: Transaction, turn: Turn, user: str) -> None:
        if not tx.run("record/nodes", tenant=self.tenant, ids=[user]):
            source = user_source(user, (), (), "established", None)
            write_source(tx, self.tenant, turn, source, turn.seq + 1)
        grant = {
            "id": new_key("grant"),
            "principal": user,
            "scopes": [],
            "rights": list(ALL_RIGHTS),
            "valid_from": turn.now,
            "by": user,
            "at": turn.now,
        }
        tx.run("authority/write_grant", tenant=self.tenant, grant=grant)
        audit.append(tx, self.tenant, actor=user, act="init", target=user)

    def as_admin(self, name: str) -> AdminHandle:
        """Return the handle of an administrator; its rights are checked at each act.

        Raises:
            NotRegisteredError: No such user or agent.

        """
        actor = self._principal(name)
        self._must_exist(actor, as_agent=False)
        return AdminHandle(self._context, actor)

    def as_agent(self, name: str, *, task: str | None = None, tracing: bool = False) -> AgentHandle:
        """Return the handle of one agent in one task.

        Args:
            name: The agent.
            task: The task that reads and writes count to; without one the handle has its own.
            tracing: Whether the host traces lineage itself, so that the parents and evidence it
                gives are its own finding, and complete.

        Raises:
            NotRegisteredError: No such agent.

        """
        agent = node_id(NodeLabel.AGENT, name, "agent")
        self._must_exist(agent, as_agent=True)
        return AgentHandle(
            self._context,
            self._sync(),
            agent=agent,
            task=new_key("task") if task is None else check_name(task, "task"),
            tracing=tracing,
            seconds=self._settings.retrieve_seconds,
        )

    def check(self, agent: str, record: str) -> Check:
        """Return whether ``agent`` may read ``record`` now, and why not."""
        return eligibility.check(self._context, self._agent(agent), any_id(record, "id"))

    def explain(self, agent: str, record: str) -> Explanation:
        """Return the check with the path to the first ancestor that closes the record."""
        return eligibility.explain(self._context, self._agent(agent), any_id(record, "id"))

    def readers(self, record: str) -> tuple[str, ...]:
        """Return every agent that may read ``record`` now."""
        return eligibility.readers(self._context, any_id(record, "id"))

    def eligible(self, agent: str) -> tuple[str, ...]:
        """Return every memory and claim that ``agent`` may read now, oldest first."""
        return eligibility.eligible(self._context, self._agent(agent))

    def lineage(self, node: str) -> Lineage:
        """Return a node with all it came from."""
        return lineage.lineage(self._context, any_id(node, "id"))

    def descendants(self, node: str) -> tuple[str, ...]:
        """Return every record that came from a node; actions are listed by ``decisions``."""
        return lineage.descendants(self._context, any_id(node, "id"))

    def decisions(
        self,
        *,
        agent: str | None = None,
        outcome: str | None = None,
        state: str | None = None,
        source: str | None = None,
        limit: int = 100,
    ) -> list[Decision]:
        """Return stored decisions, newest first; ``source`` keeps those that stand on that node."""
        return action.decisions(
            self._context,
            agent=None if agent is None else self._agent(agent),
            outcome=None if outcome is None else one_of(Outcome, outcome, "outcome"),
            state=state,
            source=None if source is None else any_id(source, "source"),
            limit=limit,
        )

    def audit(
        self, *, actor: str | None = None, act: str | None = None, limit: int = 100
    ) -> list[audit.AuditRecord]:
        """Return what was done and refused, newest first."""
        return audit.records(self._context, actor=actor, act=act, limit=limit)

    def ingest(
        self, log: str | Path | Iterable[object], *, progress: Progress | None = None
    ) -> ingest.IngestReport:
        """Record an execution log (NDJSON file, or events); validated whole first, resumable.

        Raises:
            InputError: An event cannot be used; names the line and the field; nothing is kept.

        """
        return ingest.ingest(self._context, log, progress=progress)

    def export(self, file: str | Path) -> export.ExportReport:
        """Write the tenant as an execution log (NDJSON) that ``ingest`` reads, to a new file.

        Raises:
            InputError: The file exists already, or cannot be written.

        """
        return export.export(self._context, file)

    def work_off(self) -> int:
        """Work off what a process that died left to do; return how many changes."""
        return rework.work_off(self._context)

    def doctor(
        self,
        *,
        fix: bool = False,
        dry_run: bool = False,
        by: str | None = None,
        progress: Progress | None = None,
    ) -> DoctorReport:
        """Return what drifted in all that the tenant holds; with ``fix``, mend what can be.

        A fix writes only what is worked out from the rest; the report names what is left to a
        person. With ``dry_run`` its ``plan`` is all that comes of it.

        Args:
            fix: Whether to mend.
            dry_run: Change nothing.
            by: Who mends; the right to administer is checked. The host itself if absent.
            progress: Called with what is looked at, how far, and of how much.

        Raises:
            RefusedError: ``by`` has no right to administer; nothing was changed.

        """
        return doctor.doctor(
            replace(self._context, graph=self._graph.patient()),
            fix=fix and not dry_run,
            by=None if by is None else self._principal(by),
            progress=progress,
        )

    def _principal(self, name: str) -> str:
        actor = name if name.startswith("agent:") else node_id(NodeLabel.USER, name, "name")
        return any_id(actor, "name", [NodeLabel.USER, NodeLabel.AGENT])

    def _agent(self, name: str) -> str:
        return node_id(NodeLabel.AGENT, name, "agent")

    def _sync(self) -> Synchroniser:
        if self._synchroniser is None:
            self._synchroniser = Synchroniser(self._context)
        return self._synchroniser

    def _must_exist(self, node: str, *, as_agent: bool) -> None:
        rows = self._graph.read(lambda tx: tx.run("record/handle", tenant=self.tenant, id=node))
        if not rows:
            raise unknown_tenant(self.tenant)
        if not rows[0]["registered"]:
            kind = "agent" if as_agent else "administrator"
            message = f"{kind}: `{node}` is not registered in tenant `{self.tenant}`"
            raise NotRegisteredError(message)
        if rows[0]["pending"]:  # what a process that died left to do
            rework.work_off(self._context)


def graph_settings_of(
    uri: str | None, username: str | None, password: str | None, database: str | None
) -> GraphSettings:
    """Return where Neo4j is: as given, by the environment, or the running private server.

    Raises:
        SettingsError: A setting cannot be used.

    """
    from mapgraph_neo.server import find_running  # noqa: PLC0415

    if uri is None and not os.environ.get("NEO4J_URI"):
        running = find_running()
        if running is not None:
            return load_graph_settings(
                uri=running.uri,
                username=running.username,
                password=running.password,
                database=database,
            )
    return load_graph_settings(uri=uri, username=username, password=password, database=database)
