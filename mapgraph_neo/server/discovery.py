"""Which private server runs on this machine, for whoever was told no address."""

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server.paths import DEFAULT_NAME
from mapgraph_neo.server.values import ServerAddress


def find_running(name: str = DEFAULT_NAME) -> ServerAddress | None:
    """Return the address of the private server ``name``, or ``None`` if none runs.

    It must be the server's own process that listens there: a stranger that took its port after it
    ended is never shown the password. Without the extra ``local`` there is no private server.
    """
    from mapgraph_neo.server.local import LocalServer  # noqa: PLC0415 - not for ``--help``

    try:
        return LocalServer(name).address()
    except ServerError:
        return None
