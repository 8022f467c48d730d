"""Folders of their own for servers and jars, and a made-up Maven repository."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from mirror import Mirror, serving


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    """Jars come from here, and a failed one is asked for again at once."""
    monkeypatch.setattr("mapgraph_neo.server.jars.time.sleep", lambda _seconds: None)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as mirror:
        monkeypatch.setenv("MAPGRAPH_MAVEN_REPOSITORY", mirror.url)
        yield mirror


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all servers of one test."""
    folder = tmp_path / "servers"
    monkeypatch.setenv("MAPGRAPH_SERVER_DIR", str(folder))
    return folder
