"""What a start is to make of a server: what it was, what was asked for, and what fits together."""

import secrets
from dataclasses import replace
from pathlib import Path

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server.config import DEFAULT_HEAP, DEFAULT_PAGECACHE, check_size
from mapgraph_neo.server.launch import has_store
from mapgraph_neo.server.locks import DEFAULT_VERSION, load_lock, version_key
from mapgraph_neo.server.ports import free_ports
from mapgraph_neo.server.state import STATE_FILE, ServerState
from mapgraph_neo.server.values import StartOptions

_PASSWORD_BYTES = 24


def plan_start(home: Path, state: ServerState | None, options: StartOptions) -> ServerState:
    """Return what the server of ``home`` is to be.

    Raises:
        InputError: A size is none.
        ServerError: The version cannot read the data, a port is taken, the password is gone.

    """
    state = state or _new_state(home)
    version = load_lock(options.version or state.version).version
    if has_store(home) and version_key(version) < version_key(state.version):
        message = (
            f"the data of `{state.name}` is of Neo4j {state.version}, which {version} cannot read; "
            "use another --name for it"
        )
        raise ServerError(message)
    bolt, http = free_ports([options.bolt or state.bolt, options.http or state.http])
    for given, got in ((options.bolt, bolt), (options.http, http)):
        if given is not None and given != got:
            message = f"port {given} is taken; choose another one, or let one be chosen"
            raise ServerError(message)
    return replace(
        state,
        version=version,
        heap=check_size(options.heap or state.heap, "heap"),
        pagecache=check_size(options.pagecache or state.pagecache, "pagecache"),
        bolt=bolt,
        http=http,
        pid=None,
    )


def check_same(state: ServerState, options: StartOptions) -> None:
    """Accept a server that runs already, if it is as asked for.

    Raises:
        ServerError: It runs with something else.

    """
    for word in ("version", "heap", "pagecache", "bolt", "http"):
        asked = getattr(options, word)
        if asked is not None and asked != getattr(state, word):
            message = (
                f"`{state.name}` runs already, with {word} {getattr(state, word)}; stop it first "
                f"(`mapgraph server stop --name {state.name}`) to start it with {asked}"
            )
            raise ServerError(message)


def _new_state(home: Path) -> ServerState:
    if has_store(home):
        message = (
            f"{home} holds data, but {STATE_FILE} with its password is gone; restore it, "
            f"or delete the data: `mapgraph server destroy --name {home.name}`"
        )
        raise ServerError(message)
    return ServerState(
        name=home.name,
        version=DEFAULT_VERSION,
        password=secrets.token_hex(_PASSWORD_BYTES),
        heap=DEFAULT_HEAP,
        pagecache=DEFAULT_PAGECACHE,
    )
