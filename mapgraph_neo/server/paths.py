"""Where private servers and the fetched jars lie on this machine."""

import os
import re
from pathlib import Path

from mapgraph_neo.errors import InvalidNameError
from mapgraph_neo.server.extras import local_extra

DEFAULT_NAME = "default"
SERVER_DIR = "MAPGRAPH_SERVER_DIR"  # the folder of all private servers, instead of the usual one
CACHE_DIR = "MAPGRAPH_CACHE_DIR"  # where jars are kept, instead of the usual folder
_APP = "mapgraph-neo"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


def servers_root() -> Path:
    """Return the folder that holds one folder for each private server."""
    if given := os.environ.get(SERVER_DIR):
        return Path(given).absolute()
    with local_extra():
        from platformdirs import user_data_path  # noqa: PLC0415 - an optional package
    return user_data_path(_APP) / "servers"


def cache_root() -> Path:
    """Return the folder of what can be fetched again: jars, and Neo4j Browser unpacked."""
    if given := os.environ.get(CACHE_DIR):
        return Path(given).absolute()
    with local_extra():
        from platformdirs import user_cache_path  # noqa: PLC0415 - an optional package
    return user_cache_path(_APP)


def check_server_name(name: str) -> str:
    """Return ``name`` if it can be the name of a server, and so of a folder.

    Raises:
        InvalidNameError: It cannot.

    """
    if not _NAME.fullmatch(name):
        message = (
            f"name: `{name}` cannot name a server; use up to 32 small letters, digits, - and _"
        )
        raise InvalidNameError(message)
    return name
