"""Whether a server answers: a Bolt handshake, then a real query with its password."""

import json
import socket
import urllib.error
import urllib.request
from base64 import b64encode
from http import HTTPStatus
from http.client import HTTPException

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server.ports import LOOPBACK
from mapgraph_neo.server.state import ServerState

_BOLT_SECONDS = 5.0
_QUERY_SECONDS = 30.0  # the first query loads the planner; on a busy machine that takes time
_BOLT_MAGIC = bytes.fromhex("6060B017")
_BOLT_VERSIONS = bytes.fromhex("00000405000004040000000000000000")  # 5.4, 4.4


class LoginRefusedError(ServerError):
    """The server runs, but does not take the password that we remember."""


def answers(state: ServerState) -> bool:
    """Return whether the server answers a query over HTTP and speaks Bolt.

    The query goes over HTTP, so that no driver is loaded to start a server.

    Raises:
        LoginRefusedError: It refused the password.

    """
    try:
        return _speaks_bolt(state.bolt) and _runs_query(state)
    except (OSError, HTTPException, ValueError):
        return False


def _speaks_bolt(port: int) -> bool:
    with socket.create_connection((LOOPBACK, port), timeout=_BOLT_SECONDS) as connection:
        connection.sendall(_BOLT_MAGIC + _BOLT_VERSIONS)
        return any(connection.recv(4))


def _runs_query(state: ServerState) -> bool:
    login = b64encode(f"{state.username}:{state.password}".encode()).decode()
    request = urllib.request.Request(
        f"http://{LOOPBACK}:{state.http}/db/neo4j/query/v2",
        data=b'{"statement": "RETURN 1 AS one"}',
        headers={
            "Authorization": f"Basic {login}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        },
    )
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(request, timeout=_QUERY_SECONDS) as answer:
            return json.load(answer)["data"]["values"] == [[1]]
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == HTTPStatus.UNAUTHORIZED:
            message = (
                f"the server at {state.uri} refuses the password remembered for it; if you "
                "changed it, set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD instead"
            )
            raise LoginRefusedError(message) from None
        return False
