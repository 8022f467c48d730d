"""The lock files: what is pinned, and how a version is told from its lock."""

import re

import pytest

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server import DEFAULT_VERSION, locked_versions
from mapgraph_neo.server.locks import load_lock, version_key


def test_both_lines_are_locked_and_the_newer_is_the_default() -> None:
    assert locked_versions() == ["5.26.30", "2026.08.1"]
    assert DEFAULT_VERSION == "2026.08.1"


@pytest.mark.parametrize("version", locked_versions())
def test_every_jar_is_pinned_by_sha256_and_size(version: str) -> None:
    lock = load_lock(version)

    assert lock.version == version
    assert len({jar.path for jar in lock.jars}) == len(lock.jars) > 200
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) for jar in lock.jars)
    assert all(jar.size > 0 for jar in lock.jars)
    assert lock.browser.artifact == "neo4j-browser"


def test_a_jar_lies_where_maven_has_it() -> None:
    jar = next(j for j in load_lock("5.26.30").jars if j.classifier == "linux-x86_64")

    folder = "io/netty/netty-transport-native-epoll/4.1.137.Final"
    assert jar.path == f"{folder}/netty-transport-native-epoll-4.1.137.Final-linux-x86_64.jar"


def test_each_line_has_its_own_entry_point_and_java() -> None:
    older, newer = load_lock("5.26.30"), load_lock("2026.08.1")

    assert older.entry_point != newer.entry_point
    assert (older.least_java, newer.least_java) == (17, 21)
    assert version_key("5.26.30") < version_key("2026.08.1")


def test_a_version_without_a_lock_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(ServerError, match=r"choose one of 5\.26\.30, 2026\.08\.1"):
        load_lock("4.4.0")
