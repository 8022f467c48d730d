"""The graph: sends statements to Neo4j, and is the only module that imports its driver."""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString, Protocol, TypeVar, cast

import neo4j
import neo4j.time
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from mapgraph_neo.errors import (
    ClosedError,
    GraphError,
    GraphTimeoutError,
    GraphUnavailableError,
    SettingsError,
)
from mapgraph_neo.profile import step
from mapgraph_neo.settings import GraphSettings
from mapgraph_neo.statement import Access, Statement, load_statement

logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")
Row = Mapping[str, Any]
_TIMED_OUT = ("TransactionTimedOut", "LockClientStopped")  # the second while waiting for a lock
_CLOCK = "clock_offset"


class Transaction(Protocol):
    """One open transaction; everything run in it commits together or not at all."""

    def run(self, name: str, **parameters: object) -> Sequence[Row]:
        """Send the statement called ``name`` and return its rows."""
        ...


class Graph(Protocol):
    """What the stages need from the graph."""

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one read transaction, again on a transient failure."""
        ...

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one write transaction, again on a transient failure."""
        ...


class _DriverTransaction:
    """A transaction of the driver that takes statements by name only."""

    def __init__(self, transaction: neo4j.ManagedTransaction, clock_offset: int) -> None:
        self._transaction = transaction
        self._clock_offset = clock_offset

    def run(self, name: str, **parameters: object) -> Sequence[Row]:
        statement = load_statement(name)
        if _CLOCK in statement.parameters:
            parameters[_CLOCK] = self._clock_offset
        with step(name):
            result = self._transaction.run(query_text(statement), parameters)
            # Not `record.data()`: it walks through bytes one by one, which vectors have many of.
            return [native(dict(record.items())) for record in result]


def native(value: Any) -> Any:  # noqa: ANN401 - any value that Cypher can return
    """Return ``value`` with the driver's times as Python's; lists of plain values stay."""
    if isinstance(value, neo4j.time.DateTime):
        return value.to_native()
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value)
        return {key: native(item) for key, item in items.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict | neo4j.time.DateTime):
        rows = cast("list[Any]", value)
        return [native(item) for item in rows]
    return value


def query_text(statement: Statement) -> LiteralString:
    """Return the text of a shipped statement as the literal that the driver asks for.

    The driver takes literal text only, against injection. A shipped file is as good as a
    literal; this is the one cast in the package. A small database would have nearly every
    statement planned anew whenever its statistics move, which costs seconds; plans are kept.
    """
    if statement.access is Access.SCHEMA:
        return cast("LiteralString", statement.text)
    return "CYPHER replan=skip\n" + cast("LiteralString", statement.text)


class Neo4jGraph:
    """A graph in one database of a Neo4j server.

    Args:
        settings: Where the server is and how long a query may take.
        driver: A driver that the caller owns and closes; opened here when absent.

    Raises:
        SettingsError: The address cannot be used.

    """

    def __init__(self, settings: GraphSettings, *, driver: neo4j.Driver | None = None) -> None:
        """Open the driver, unless the caller brings one."""
        self._settings = settings
        # Of a cluster only the leader is asked, reads included: a follower may not have heard of a
        # revocation yet. Bookmarks keep a new leader from answering before it has caught up.
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if settings.routed else None
        self._owns = driver is None
        self._closed = False
        try:
            self._driver = driver or neo4j.GraphDatabase.driver(
                settings.uri,
                auth=(settings.username, settings.password.get_secret_value()),
                connection_timeout=settings.connect_seconds,
                connection_acquisition_timeout=settings.connect_seconds + settings.query_seconds,
                max_transaction_retry_time=settings.retry_seconds,
                warn_notification_severity="OFF",
                notifications_min_severity="OFF",
                user_agent="mapgraph-neo",
                telemetry_disabled=True,
            )
        except (ConfigurationError, ValueError) as error:
            message = f"NEO4J_URI: `{settings.uri}` cannot be used: {error}"
            raise SettingsError(message) from None

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one read transaction, again on a transient failure."""
        with step("begin and commit"), self._session(Access.READ) as session:
            # The call, not the session, says where a managed transaction goes.
            run = session.execute_write if self._settings.routed else session.execute_read
            return run(self._unit(work))

    def write(self, work: Callable[[Transaction], T], *, admin: bool = False) -> T:
        """Run ``work`` in one write transaction, again on a transient failure.

        With ``admin`` the longer limit of administrative work applies.
        """
        with step("begin and commit"), self._session(Access.WRITE) as session:
            return session.execute_write(self._unit(work, admin=admin))

    def autocommit(self, statement: Statement, **parameters: object) -> Sequence[Row]:
        """Send one statement outside a managed transaction; schema commands need it."""
        with self._session(Access.WRITE) as session:
            query = neo4j.Query(query_text(statement), timeout=self._settings.admin_seconds)
            return [record.data() for record in session.run(query, parameters)]

    def patient(self) -> "Neo4jGraph":
        """Return the same graph with the time limit of administrative work; needs no closing."""
        settings = self._settings.model_copy(update={"query_seconds": self._settings.admin_seconds})
        return Neo4jGraph(settings, driver=self._driver)

    @property
    def driver(self) -> neo4j.Driver:
        """The driver, for `mapgraph_neo.nodes`; queries of ours are never sent through it."""
        return self._driver

    def close(self) -> None:
        """Close what was opened here; closing twice is harmless."""
        if not self._closed:
            self._closed = True
            if self._owns:
                self._driver.close()

    def _unit(
        self, work: Callable[[Transaction], T], *, admin: bool = False
    ) -> Callable[[neo4j.ManagedTransaction], T]:
        seconds = self._settings.admin_seconds if admin else self._settings.query_seconds

        @neo4j.unit_of_work(timeout=seconds)
        def unit(transaction: neo4j.ManagedTransaction) -> T:
            return work(_DriverTransaction(transaction, self._settings.clock_offset_ms))

        return unit

    @contextmanager
    def _session(self, access: Access) -> Generator[neo4j.Session]:
        if self._closed:
            message = "this handle is closed; call MapGraph.connect() again"
            raise ClosedError(message)
        reads = access is Access.READ and not self._settings.routed
        try:
            with self._driver.session(
                database=self._settings.database,
                default_access_mode=neo4j.READ_ACCESS if reads else neo4j.WRITE_ACCESS,
                bookmark_manager=self._bookmarks,
            ) as session:
                yield session
        except (Neo4jError, DriverError) as error:
            raise _translated(error, self._settings) from error


def _translated(error: Neo4jError | DriverError, settings: GraphSettings) -> GraphError:
    """Return our error for the driver's, without credentials and with the next step."""
    if isinstance(error, AuthError):
        return GraphUnavailableError(
            f"Neo4j at {settings.uri} refused the login of `{settings.username}`; "
            "check NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return GraphUnavailableError(
            f"no answer from Neo4j at {settings.uri}; start it (`mapgraph server start`) "
            "or set NEO4J_URI"
        )
    if isinstance(error, Neo4jError):
        if any(name in (error.code or "") for name in _TIMED_OUT):
            return GraphTimeoutError(
                f"the time limit of {settings.query_seconds:g} s was reached; nothing was decided"
            )
        return GraphError(f"Neo4j refused: {error.message or error.code}")
    return GraphUnavailableError(f"the connection to {settings.uri} failed: {error}")
