"""What the package imports is what pyproject.toml names, each with a floor."""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
OURS = {"mapgraph_neo", "mapgraph_cli"}
NOT_IMPORTED = {"neo4j-rust-ext"}  # replaces the driver's codec as soon as it is there


def name_of(requirement: str) -> str:
    """Return the distribution that a requirement names."""
    for end in "[;<>=!~ ":
        requirement = requirement.partition(end)[0]
    return requirement.lower().replace("_", "-")


def imports(tree: ast.AST) -> set[str]:
    """Return the top-level names that a module imports, also by ``import_module("name")``."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            found |= {
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            }
    return {name.partition(".")[0] for name in found}


def imported() -> set[str]:
    modules = [*(ROOT / "mapgraph_neo").rglob("*.py"), *(ROOT / "cli").rglob("*.py")]
    trees = (ast.parse(module.read_text(encoding="utf-8")) for module in modules)
    names = set().union(*(imports(tree) for tree in trees))
    return names - set(sys.stdlib_module_names) - OURS


def test_every_import_is_declared() -> None:
    declared = {name_of(each) for each in sum(EXTRAS.values(), PROJECT["dependencies"])}
    known = packages_distributions()
    undeclared = {
        name: known.get(name, ["not installed"])
        for name in imported()
        if not {each.lower().replace("_", "-") for each in known.get(name, [])} & declared
    }

    assert undeclared == {}


def test_every_dependency_is_imported() -> None:
    known = packages_distributions()
    used = {each.lower().replace("_", "-") for name in imported() for each in known.get(name, [])}

    assert {name_of(each) for each in PROJECT["dependencies"]} - used - NOT_IMPORTED == set()


@pytest.mark.parametrize("requirement", sum(EXTRAS.values(), PROJECT["dependencies"]))
def test_every_dependency_has_a_floor(requirement: str) -> None:
    assert ">=" in requirement


def test_torch_comes_with_one_extra_only() -> None:
    heavy = {"sentence-transformers", "torch", "transformers"}
    bringing = {extra for extra, needs in EXTRAS.items() if {name_of(n) for n in needs} & heavy}

    assert bringing == {"st"}


def test_the_embedders_are_found_by_name() -> None:
    points = PROJECT["entry-points"]["mapgraph_neo.embedders"]

    assert set(points) == {"st", "lite"}
    for value in points.values():
        module, _, function = value.partition(":")
        tree = ast.parse((ROOT / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert function in defined
