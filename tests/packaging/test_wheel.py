"""The wheel holds what the tree holds and nothing else, made of the tree or of the sdist."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = {".cypher", ".grass", ".html", ".json", ".toml", ".typed"}


def build(folder: Path, target: str, source: Path) -> Path:
    """Build without the network and return the one file made."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = folder.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return made


def contents(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"), "wheel", ROOT)


def in_tree() -> set[str]:
    """Return every module and data file of the tree, as the wheel must name it."""
    roots = {
        "mapgraph_neo": "mapgraph_neo",
        "cli/mapgraph_cli": "mapgraph_cli",
        "cypher": "mapgraph_neo/cypher",
    }
    return {
        f"{name}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, name in roots.items()
        for path in (ROOT / folder).rglob("*")
        if path.suffix in DATA | {".py"}
    }


def test_every_module_and_data_file_is_shipped(wheel: Path) -> None:
    assert in_tree() - contents(wheel) == set()


@pytest.mark.parametrize(
    "pattern",
    [
        "mapgraph_neo/py.typed",
        "mapgraph_cli/py.typed",
        "mapgraph_neo/policy_default.toml",
        "mapgraph_neo/policy.schema.json",
        "mapgraph_neo/cypher/schema/V0001__constraints.cypher",
        "mapgraph_neo/server/locks/neo4j-2026.08.1.json",
        "mapgraph_neo/server/locks/neo4j-5.26.30.json",
        "mapgraph_neo/server/browser/guide.html",
        "mapgraph_neo/server/browser/style.grass",
    ],
)
def test_what_is_needed_at_run_time_is_shipped(wheel: Path, pattern: str) -> None:
    assert pattern in contents(wheel)


def test_nothing_else_is_shipped(wheel: Path) -> None:
    names = contents(wheel)

    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "mapgraph_neo",
        "mapgraph_cli",
    }
    assert not [name for name in names if "__pycache__" in name or "/tests/" in name]
    assert [name for name in names if name.endswith("licenses/LICENSE")]


def test_the_sdist_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build(tmp_path, "sdist", ROOT)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()

    rebuilt = build(tmp_path / "wheel", "wheel", source)

    assert contents(rebuilt) == contents(wheel)
