"""Help and version are quick, and load neither driver nor numbers nor models."""

import os
import subprocess
import sys
import time

import pytest

HEAVY = {"faiss", "neo4j", "neomodel", "numpy", "sentence_transformers", "torch", "wordllama"}
LIMIT_SECONDS = 1.0
WATCH = """
import sys
from mapgraph_cli.main import app
try:
    app({arguments}, prog_name="mapgraph")
except SystemExit as end:
    assert end.code in (0, None), end.code
print("LOADED", *sorted({{name.partition(".")[0] for name in sys.modules}}), file=sys.stderr)
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], check=True, capture_output=True, text=True)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["server", "--help"]])
def test_nothing_heavy_is_loaded(arguments: list[str]) -> None:
    result = run("-c", WATCH.format(arguments=arguments))

    loaded = set(result.stderr.rpartition("LOADED ")[2].split())
    assert loaded & HEAVY == set()
    assert result.stdout


def test_the_library_itself_is_light() -> None:
    code = "import sys, mapgraph_neo; print(*{n.partition('.')[0] for n in sys.modules})"

    assert set(run("-c", code).stdout.split()) & HEAVY == set()


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_help_and_version_are_quick(argument: str) -> None:
    """The processor's time of the quickest of five, so that a busy machine does not count."""
    spent = []
    for _ in range(5):
        before = os.times()
        run("-m", "mapgraph_cli", argument)
        after = os.times()
        spent.append(
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )
        time.sleep(0.05)

    assert min(spent) < LIMIT_SECONDS
