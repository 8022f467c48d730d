"""The quickstart runs on a real server, and its page tells what it prints."""

import os
import re
import runpy
from pathlib import Path

import pytest

from mapgraph_neo.settings import GraphSettings

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "quickstart.py"
PAGE = ROOT / "docs" / "quickstart.md"


@pytest.fixture
def printed(
    neo4j_settings: GraphSettings,
    tenant: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    monkeypatch.setitem(os.environ, "NEO4J_URI", neo4j_settings.uri)
    monkeypatch.setitem(os.environ, "NEO4J_USERNAME", neo4j_settings.username)
    monkeypatch.setitem(os.environ, "NEO4J_PASSWORD", neo4j_settings.password.get_secret_value())
    monkeypatch.setitem(os.environ, "MAPGRAPH_TENANT", tenant)
    monkeypatch.setitem(os.environ, "MAPGRAPH_EMBEDDER", "lite")
    runpy.run_path(str(SCRIPT), run_name="__main__")
    return capsys.readouterr().out


def test_it_runs_and_its_page_tells_what_it_prints(printed: str) -> None:
    (told,) = re.findall(r"```text\n(tenant .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

    assert _plain(printed) == _plain(told)


def _plain(text: str) -> list[str]:
    """Return the lines without what differs from run to run."""
    names = re.sub(r"tenant \S+", "tenant T", text)
    return re.sub(r"\b(mem|act):[0-9a-f]{4,}…?", r"\1:X", names).split()
