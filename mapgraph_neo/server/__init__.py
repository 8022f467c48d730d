"""A private Neo4j Community server without Java, Maven or Docker on the machine.

Java comes as a wheel (extra ``local``), the jars from a Maven repository by a sha256 lock, once.
``mapgraph server`` is the command line of this package.
"""

from mapgraph_neo.server.discovery import find_running
from mapgraph_neo.server.local import LocalServer
from mapgraph_neo.server.locks import DEFAULT_VERSION, locked_versions
from mapgraph_neo.server.paths import DEFAULT_NAME
from mapgraph_neo.server.report import Reporter, SilentReporter
from mapgraph_neo.server.values import ServerAddress, ServerStatus, StartOptions

__all__ = [
    "DEFAULT_NAME",
    "DEFAULT_VERSION",
    "LocalServer",
    "Reporter",
    "ServerAddress",
    "ServerStatus",
    "SilentReporter",
    "StartOptions",
    "find_running",
    "locked_versions",
]
