"""The lock files: which jars a Neo4j version consists of, each with its sha256 and size.

``tools/lock_neo4j.py`` writes them. A version without a lock file cannot be started: what is not
pinned is not run.
"""

import json
import re
from dataclasses import dataclass
from importlib.resources import files

from mapgraph_neo.errors import ServerError

DEFAULT_VERSION = "2026.08.1"
LICENCE = "GPLv3"
_FILE = re.compile(r"neo4j-(\d+(?:\.\d+)+)\.json")
_CALENDAR_YEAR = 2025  # from here on versions are years, and Java 21 is the least
_ENTRY_POINTS = ("org.neo4j.server.CommunityEntryPoint", "org.neo4j.server.Neo4jCommunity")
_LEAST_JAVA = (17, 21)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jar:
    """One jar: its Maven coordinates, and what its content must be."""

    group: str
    artifact: str
    classifier: str
    version: str
    sha256: str
    size: int

    @property
    def filename(self) -> str:
        """The name of the file, as Maven repositories have it."""
        tail = f"-{self.classifier}" if self.classifier else ""
        return f"{self.artifact}-{self.version}{tail}.jar"

    @property
    def path(self) -> str:
        """The place in a Maven repository."""
        return f"{self.group.replace('.', '/')}/{self.artifact}/{self.version}/{self.filename}"

    def __str__(self) -> str:
        """Return the coordinates."""
        return f"{self.group}:{self.artifact}:{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLock:
    """A Neo4j version and all its jars."""

    version: str
    jars: tuple[Jar, ...]

    @property
    def size(self) -> int:
        """All jars together, in bytes."""
        return sum(jar.size for jar in self.jars)

    @property
    def entry_point(self) -> str:
        """The class that runs the server."""
        return _ENTRY_POINTS[self._calendar]

    @property
    def least_java(self) -> int:
        """The oldest Java that runs it."""
        return _LEAST_JAVA[self._calendar]

    @property
    def browser(self) -> Jar:
        """The jar of Neo4j Browser."""
        return next(jar for jar in self.jars if jar.artifact == "neo4j-browser")

    @property
    def _calendar(self) -> bool:
        return version_key(self.version)[0] >= _CALENDAR_YEAR


def version_key(version: str) -> tuple[int, ...]:
    """Return what versions are ordered by."""
    return tuple(int(part) for part in version.split("."))


def locked_versions() -> list[str]:
    """Return the versions that can be started, oldest first."""
    names = (entry.name for entry in (files("mapgraph_neo.server") / "locks").iterdir())
    return sorted((m[1] for name in names if (m := _FILE.fullmatch(name))), key=version_key)


def load_lock(version: str) -> ServerLock:
    """Return the lock of ``version``.

    Raises:
        ServerError: There is none.

    """
    known = locked_versions()
    if version not in known:
        message = f"Neo4j `{version}` is not locked here; choose one of {', '.join(known)}"
        raise ServerError(message)
    path = files("mapgraph_neo.server") / "locks" / f"neo4j-{version}.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    return ServerLock(
        version=version,
        jars=tuple(
            Jar(
                group=entry["gav"][0],
                artifact=entry["gav"][1],
                classifier=entry["gav"][3],
                version=entry["gav"][4],
                sha256=entry["sha256"],
                size=entry["size"],
            )
            for entry in found["artifacts"]
        ),
    )
