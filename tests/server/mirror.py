"""A Maven repository on the loopback address, with made-up jars that can be spoilt."""

import hashlib
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mapgraph_neo.server.locks import Jar, ServerLock


class Mirror:
    """Serves jars; remembers how often each was asked for, and spoils some."""

    def __init__(self) -> None:
        self.contents = {f"part-{n}": f"content of jar {n} ".encode() * 500 for n in range(5)}
        self.asked: Counter[str] = Counter()
        self.served = dict(self.contents)
        self.url = ""

    @property
    def lock(self) -> ServerLock:
        jars = [
            Jar(
                group="org.example.parts",
                artifact=name,
                classifier="",
                version="1.0",
                sha256=hashlib.sha256(content).hexdigest(),
                size=len(content),
            )
            for name, content in self.contents.items()
        ]
        return ServerLock(version="9.9.9", jars=tuple(jars))


@contextmanager
def serving() -> Generator[Mirror, None, None]:
    """Serve a mirror until the block ends."""
    mirror = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.split("/")[-1]
            content = mirror.served.get(name.removesuffix("-1.0.jar"))
            if content is None or not name.endswith(".jar"):
                self.send_error(404)
                return
            mirror.asked[name.removesuffix("-1.0.jar")] += 1
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    mirror.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield mirror
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
