"""The jars of a Neo4j version: fetched once, checked by sha256 before every start.

A download goes to a folder of its own and is moved into the cache only when its size and sha256
are the locked ones, so the cache never holds a short or foreign jar, whenever the power goes.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from mapgraph_neo.errors import ServerError
from mapgraph_neo.private_files import locked
from mapgraph_neo.server.extras import local_extra
from mapgraph_neo.server.files import ensure_folder
from mapgraph_neo.server.locks import LICENCE, Jar, ServerLock
from mapgraph_neo.server.report import Reporter

if TYPE_CHECKING:
    from jgo.maven import MavenContext

MAVEN_REPOSITORY = "MAPGRAPH_MAVEN_REPOSITORY"  # a company's mirror, instead of Maven Central
_PATIENCE_SECONDS = 900  # for another process that fetches the same
_TRIES = 3
_DOWNLOADS = 8  # at a time
_ANSWER_SECONDS = 30
_STAGING = ".fetch-"


def fetch_jars(
    lock: ServerLock, cache: Path, reporter: Reporter, *, offline: bool = False
) -> list[Path]:
    """Return the path of every jar of ``lock``, all of them present and as locked.

    Raises:
        ServerError: A jar cannot be had, or is not what was locked.

    """
    repository = ensure_folder(cache / "maven")
    if _missing(lock, repository):
        if offline:
            message = (
                f"the jars of Neo4j {lock.version} are not all here, and offline was asked for; "
                "start once with a network"
            )
            raise ServerError(message)
        with locked(repository / ".lock", _PATIENCE_SECONDS) as held:
            if not held:
                message = f"another process fetches jars into {repository} for too long; try later"
                raise ServerError(message)
            _download(lock, _missing(lock, repository), repository, reporter)
    return [repository / jar.path for jar in lock.jars]


def _missing(lock: ServerLock, repository: Path) -> list[Jar]:
    with ThreadPoolExecutor() as pool:
        paths = [repository / jar.path for jar in lock.jars]
        whole = pool.map(_is_whole, paths, lock.jars)
        return [jar for jar, found in zip(lock.jars, whole, strict=True) if not found]


def _is_whole(path: Path, jar: Jar) -> bool:
    try:
        if path.stat().st_size != jar.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == jar.sha256
    except OSError:
        return False


def _download(lock: ServerLock, jars: list[Jar], repository: Path, reporter: Reporter) -> None:
    if not jars:
        return
    for left in repository.glob(f"{_STAGING}*"):  # of a run that was killed; we hold the lock
        shutil.rmtree(left, ignore_errors=True)
    total = sum(jar.size for jar in jars)
    reporter.say(
        f"fetching Neo4j Community {lock.version} (licence {LICENCE}): "
        f"{len(jars)} jars, {total / 1e6:.0f} MB, once; kept in {repository}"
    )
    staging = Path(tempfile.mkdtemp(dir=repository, prefix=_STAGING))
    try:
        with reporter.progress(f"Neo4j {lock.version}", total) as advance:
            _download_all(jars, _Source(staging, repository, advance))
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _download_all(jars: list[Jar], source: "_Source") -> None:
    pool = ThreadPoolExecutor(_DOWNLOADS)
    try:
        for done in [pool.submit(source.fetch, jar) for jar in jars]:
            done.result()
    finally:  # also on Ctrl-C: what has not begun does not begin
        pool.shutdown(cancel_futures=True)


class _Source:
    """A Maven repository, and the two folders that a jar goes through."""

    def __init__(self, staging: Path, repository: Path, advance: Callable[[int], None]) -> None:
        self._staging = staging
        self._repository = repository
        self._advance = advance
        self._maven = _maven(staging)

    def fetch(self, jar: Jar) -> None:
        reason = ""
        for attempt in range(_TRIES):
            time.sleep(attempt)
            staged = self._staging / jar.path
            staged.unlink(missing_ok=True)
            try:
                project = self._maven.project(jar.group, jar.artifact)
                project.at_version(jar.version).artifact(classifier=jar.classifier).resolve()
            except Exception as error:  # noqa: BLE001 - the client raises many kinds of its own
                reason = f"{type(error).__name__}: {error}"
                continue
            if _is_whole(staged, jar):
                self._keep(staged, self._repository / jar.path)
                self._advance(jar.size)
                return
            reason = "what came is not what is locked (size or sha256 differ)"
        message = (
            f"cannot fetch {jar}: {reason}; check the network (HTTPS_PROXY, {MAVEN_REPOSITORY}) "
            "and start again: what was fetched is kept"
        )
        raise ServerError(message)

    @staticmethod
    def _keep(staged: Path, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with staged.open("rb") as file:
            os.fsync(file.fileno())
        staged.replace(path)


def _maven(folder: Path) -> "MavenContext":
    with local_extra():
        from jgo.maven import MavenContext  # noqa: PLC0415 - an optional package
    mirror = os.environ.get(MAVEN_REPOSITORY)
    return MavenContext(
        repo_cache=folder,
        remote_repos={"mirror": mirror.rstrip("/")} if mirror else None,
        timeout=_ANSWER_SECONDS,
    )
