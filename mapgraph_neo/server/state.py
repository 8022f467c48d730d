"""What is remembered of a private server, password included: ``server.json``, mode 0600."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mapgraph_neo.errors import ServerError
from mapgraph_neo.private_files import open_private
from mapgraph_neo.server.files import write_private
from mapgraph_neo.server.ports import LOOPBACK

STATE_FILE = "server.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """One private server: its version, ports, login, sizes, and its process while it runs."""

    name: str
    version: str
    password: str = field(repr=False)
    heap: str
    pagecache: str
    bolt: int = 0
    http: int = 0
    username: str = "neo4j"
    pid: int | None = None

    @property
    def uri(self) -> str:
        """The address for drivers."""
        return f"bolt://{LOOPBACK}:{self.bolt}"

    @property
    def browser(self) -> str:
        """The address of Neo4j Browser."""
        return f"http://{LOOPBACK}:{self.http}/browser/"

    @property
    def browser_login(self) -> str:
        """The address of Neo4j Browser that asks for nothing but the password."""
        return f"{self.browser}?dbms=bolt://{self.username}@{LOOPBACK}:{self.bolt}"


def load_state(home: Path) -> ServerState | None:
    """Return what is remembered in ``home``; ``None`` if there is no server.

    Raises:
        ServerError: The file cannot be read, or is not ours.

    """
    path = home / STATE_FILE
    try:
        with open_private(path) as file:
            return ServerState(**json.load(file))
    except FileNotFoundError:
        return None
    except (OSError, TypeError, ValueError) as error:
        message = f"{path} cannot be used: {error}; restore it, or use another --name"
        raise ServerError(message) from error


def save_state(home: Path, state: ServerState) -> None:
    """Remember ``state``, whole or not at all."""
    write_private(home / STATE_FILE, json.dumps(asdict(state), indent=1) + "\n")
