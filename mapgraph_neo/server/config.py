"""The configuration files of a private server: neo4j.conf, and the arguments of its Java.

What is set here closes the server: loopback only, login always, no files and no addresses for
LOAD CSV, no usage report.
"""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from mapgraph_neo.errors import InputError
from mapgraph_neo.server.files import write_private
from mapgraph_neo.server.java import Java
from mapgraph_neo.server.ports import LOOPBACK
from mapgraph_neo.server.state import ServerState

DEFAULT_HEAP = "512m"
DEFAULT_PAGECACHE = "128m"
CONFIGURATION = "conf/neo4j.conf"
ARGUMENTS = "conf/server.args"
_SIZE = re.compile(r"[1-9]\d{0,5}[kmg]")
_UNSAFE_ASKS = 24  # from this Java on, sun.misc.Unsafe warns unless allowed

_CONFIGURATION = """\
server.default_listen_address={host}
server.bolt.listen_address={host}:{bolt}
server.bolt.advertised_address={host}:{bolt}
server.http.listen_address={host}:{http}
server.http.advertised_address={host}:{http}
server.https.enabled=false
server.memory.pagecache.size={pagecache}
db.tx_log.preallocate=true
db.tx_log.rotation.size=16m
db.tx_log.rotation.retention_policy=100M size
dbms.security.auth_enabled=true
dbms.security.allow_csv_import_from_file_urls=false
dbms.security.http_access_control_allow_origin=http://{host}:{http}
internal.dbms.cypher_ip_blocklist=0.0.0.0/0,::/0
internal.server.bolt.thread_pool_shutdown_wait_time=100ms
dbms.usage_report.enabled=false
client.allow_telemetry=false
browser.post_connect_cmd=style {pages}/style.grass; play {pages}/guide.html
browser.remote_content_hostname_whitelist={host}
"""

# What the official launcher reads from server.jvm.additional in neo4j.conf; Java itself does not.
_FLAGS = (
    "-XX:+UseG1GC",
    "-XX:+DisableExplicitGC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+ExitOnOutOfMemoryError",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dlog4j2.disable.jmx=true",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-XX:-UsePerfData",  # which would copy the arguments to the folder for temporary files
)
_SETUP_FLAGS = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData")


def check_size(size: str, field: str) -> str:
    """Return ``size`` if it is one, such as ``512m``.

    Raises:
        InputError: It is not.

    """
    if not _SIZE.fullmatch(size):
        message = f"{field}: `{size}` is no size; write 512m or 2g"
        raise InputError(message)
    return size


def write_configuration(home: Path, state: ServerState) -> None:
    """Write neo4j.conf for the ports and sizes of ``state``."""
    text = _CONFIGURATION.format(
        host=LOOPBACK,
        bolt=state.bolt,
        http=state.http,
        pagecache=state.pagecache,
        pages=f"{state.browser}mapgraph",
    )
    write_private(home / CONFIGURATION, text)


def server_arguments(
    home: Path, state: ServerState, java: Java, classpath: Sequence[Path], entry_point: str
) -> str:
    """Return the arguments of the server's Java, as the text of an argument file."""
    flags = [f"-Xmx{state.heap}", *_FLAGS]
    if java.major >= _UNSAFE_ASKS:
        flags.append("--sun-misc-unsafe-memory-access=allow")
    settings = (f"--home-dir={home}", f"--config-dir={home / 'conf'}")
    return _argument_file([*flags, *_class_path(classpath), entry_point, *settings])


def setup_arguments(state: ServerState, classpath: Sequence[Path]) -> str:
    """Return the arguments that set the first password; in a file they are in no process list."""
    command = ("org.neo4j.cli.AdminTool", "dbms", "set-initial-password", state.password)
    return _argument_file([*_SETUP_FLAGS, *_class_path(classpath), *command])


def _class_path(paths: Iterable[Path]) -> tuple[str, str]:
    return "-cp", os.pathsep.join(map(str, paths))


def _argument_file(arguments: Iterable[str]) -> str:
    quoted = (argument.replace("\\", "\\\\").replace('"', '\\"') for argument in arguments)
    return "".join(f'"{argument}"\n' for argument in quoted)
