import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command_line import CliRunner
from typer.main import get_command

from mapgraph_cli.main import app
from mapgraph_neo import __version__

ROOT = Path(__file__).parents[2]
HEAVY = "neo4j neomodel faiss numpy pydantic pydantic_settings torch sentence_transformers yaml"
LOOK = f"""
import sys, time
from mapgraph_cli.main import app
try:
    app()
except SystemExit as ended:
    heavy = [name for name in {HEAVY.split()} if name in sys.modules]
    print(ended.code, time.process_time(), *heavy, file=sys.stderr)
"""


def leaves() -> list[tuple[str, ...]]:
    """Return every command of ours by its words."""

    def below(group: Any, path: tuple[str, ...]) -> list[tuple[str, ...]]:  # noqa: ANN401
        found: list[tuple[str, ...]] = []
        for name, each in group.commands.items():
            nested = hasattr(each, "commands")
            found += below(each, (*path, name)) if nested else [(*path, name)]
        return found

    return below(get_command(app), ())


def reference() -> ModuleType:
    path = ROOT / "tools" / "cli_reference.py"
    spec = importlib.util.spec_from_file_location("cli_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_what_the_command_line_says() -> None:
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")

    assert written == reference().pages(), "run: python tools/cli_reference.py > docs/cli.md"


def test_the_reference_names_every_exit_status() -> None:
    from mapgraph_cli.exit_codes import ExitCode  # noqa: PLC0415 - the one test that needs it

    assert [int(status) for status, _ in reference().STATUSES] == [int(code) for code in ExitCode]


@pytest.mark.parametrize("words", leaves(), ids=" ".join)
def test_every_command_has_help(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*words, "--help"])

    assert (result.exit_code, result.stderr) == (0, "")
    assert "Usage: mapgraph" in result.stdout


@pytest.mark.parametrize("words", leaves(), ids=" ".join)
def test_every_parameter_says_what_it_is(words: tuple[str, ...]) -> None:
    found: Any = get_command(app)
    for word in words:
        found = found.commands[word]

    assert found.help
    assert [each.name for each in found.params if not each.help] == []


def test_the_version() -> None:
    result = CliRunner().invoke(app, ["--version"])

    assert (result.exit_code, result.stdout) == (0, f"mapgraph {__version__}\n")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["revoke", "--help"]], ids=" ".join
)
def test_help_is_fast_and_imports_nothing_heavy(arguments: list[str]) -> None:
    """A second of the processor's own time, whatever else the machine does."""
    best = 9.0
    for _ in range(5):
        looked = subprocess.run(
            (sys.executable, "-c", LOOK, *arguments), capture_output=True, text=True, check=True
        )
        code, seconds, *heavy = looked.stderr.split()
        assert code == "0"
        assert set(heavy) <= {"pydantic"}  # Typer itself takes it to read a list
        best = min(best, float(seconds))
        if best < 1.0:
            return
    pytest.fail(f"took {best} s")


def test_without_a_command_the_help_is_shown() -> None:
    result = CliRunner().invoke(app, [])

    assert result.exit_code == 2
    assert "revoke" in result.output
    assert result.stderr.endswith("error: a command is missing; see `mapgraph --help`\n")


def test_statements_are_printed_as_they_are_sent() -> None:
    from mapgraph_neo.statement import load_statement, statement_names  # noqa: PLC0415

    listed = CliRunner().invoke(app, ["cypher", "list"]).stdout.splitlines()
    shown = CliRunner().invoke(app, ["cypher", "show", "eligibility/prove"]).stdout

    assert [line.split()[0] for line in listed[1:]] == statement_names()
    assert shown == load_statement("eligibility/prove").text


def test_browser_without_a_private_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAPGRAPH_SERVER_DIR", str(tmp_path))

    result = CliRunner().invoke(app, ["browser"])

    assert (result.exit_code, result.stdout) == (6, "")
    assert "mapgraph server start" in result.stderr


def test_browser_shows_the_password_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from mapgraph_neo import server  # noqa: PLC0415

    address = server.ServerAddress(
        name="default",
        uri="bolt://127.0.0.1:7687",
        username="neo4j",
        password="hunter2",  # noqa: S106 - made up
        browser="http://127.0.0.1:7474/browser/",
        version="2026.08.1",
    )
    monkeypatch.setattr(server, "find_running", lambda _name: address)

    quiet = CliRunner().invoke(app, ["browser", "--json"])
    shown = CliRunner().invoke(app, ["browser", "--show-password"])

    assert "http://127.0.0.1:7474/browser/" in quiet.stdout
    assert "server.json" in quiet.stdout
    assert "hunter2" not in quiet.output
    assert "password: hunter2" in shown.stdout
