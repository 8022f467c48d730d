"""Says at once when nothing listens at an address; the driver would try again for half a minute."""

import socket
from urllib.parse import urlsplit

from mapgraph_neo.errors import GraphUnavailableError

BOLT_PORT = 7687


def check_reachable(uri: str, seconds: float) -> None:
    """Open a connection to ``uri`` and close it.

    Raises:
        GraphUnavailableError: Nobody listens there.

    """
    parts = urlsplit(uri)
    address = parts.hostname or "localhost", parts.port or BOLT_PORT
    try:
        socket.create_connection(address, timeout=seconds).close()
    except OSError as error:
        message = (
            f"no answer from Neo4j at {uri} ({error.strerror or error}); start it "
            "(`mapgraph server start`) or set NEO4J_URI"
        )
        raise GraphUnavailableError(message) from None
