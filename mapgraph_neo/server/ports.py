"""Free ports of this machine's loopback address."""

import os
import socket
from collections.abc import Sequence
from contextlib import ExitStack

from mapgraph_neo.errors import ServerError

LOOPBACK = "127.0.0.1"


def port_is_free(port: int) -> bool:
    """Return whether a server could listen on ``port`` now."""
    with ExitStack() as stack:
        try:
            _bound(port, stack)
        except OSError:
            return False
    return True


def free_ports(wanted: Sequence[int | None]) -> list[int]:
    """Return as many different free ports; each the one wanted, if that is free.

    Raises:
        ServerError: The machine has no free port.

    """
    with ExitStack() as stack:  # all held at once, so that no port is given twice
        try:
            return [_preferred(port, stack) for port in wanted]
        except OSError as error:
            message = f"no free port on {LOOPBACK}: {error}"
            raise ServerError(message) from error


def _preferred(port: int | None, stack: ExitStack) -> int:
    if port:
        try:
            return _bound(port, stack)
        except OSError:
            pass
    return _bound(0, stack)


def _bound(port: int, stack: ExitStack) -> int:
    listener = stack.enter_context(socket.socket())
    if os.name == "posix":  # a port whose last connections are only just closed counts as free
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((LOOPBACK, port))
    return int(listener.getsockname()[1])
