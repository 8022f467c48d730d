"""The README's Python block runs as it stands, on a real server."""

import re
from pathlib import Path

import pytest

from mapgraph_neo.settings import GraphSettings

README = Path(__file__).parents[2] / "README.md"


def test_the_python_block_runs(
    neo4j_settings: GraphSettings, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.setenv("NEO4J_URI", neo4j_settings.uri)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_settings.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_settings.password.get_secret_value())
    monkeypatch.setenv("MAPGRAPH_TENANT", tenant)
    monkeypatch.setenv("MAPGRAPH_EMBEDDER", "lite")

    exec(compile(block, str(README), "exec"), {})  # noqa: S102 - our own text


def test_its_commands_exist() -> None:
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")

    assert re.search(r"^demo:", makefile, re.MULTILINE)
    assert re.search(r"^test:", makefile, re.MULTILINE)
