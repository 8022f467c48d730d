"""A proxy on loopback that loses the server's answer to a commit, once: the worst moment."""

import contextlib
import socket
import threading
from typing import Self
from urllib.parse import urlsplit

COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""The Bolt message COMMIT: one chunk of two bytes, a structure without fields, and the end."""


class CuttingProxy:
    """Passes everything through; while armed, the answer to the next COMMIT is thrown away."""

    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        self._server = (parts.hostname or "127.0.0.1", parts.port or 7687)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._armed = threading.Event()
        self.cuts = 0

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"

    def arm(self) -> None:
        self._armed.set()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._server)
            cut = threading.Event()
            for source, target, forward in (
                (client, server, True),
                (server, client, False),
            ):
                threading.Thread(
                    target=self._pump, args=(source, target, cut, forward), daemon=True
                ).start()

    def _pump(
        self,
        source: socket.socket,
        target: socket.socket,
        cut: threading.Event,
        forward: bool,  # noqa: FBT001
    ) -> None:
        with contextlib.suppress(OSError):
            self._pass(source, target, cut, forward=forward)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _pass(
        self, source: socket.socket, target: socket.socket, cut: threading.Event, *, forward: bool
    ) -> None:
        while data := source.recv(65_536):
            if forward and COMMIT in data and self._armed.is_set():
                self._armed.clear()
                cut.set()
            if not forward and cut.is_set():  # the server has committed
                self.cuts += 1
                return
            target.sendall(data)
