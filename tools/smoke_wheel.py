"""Install the built wheel into a clean environment and see that it works there.

    python tools/smoke_wheel.py dist FOLDER

No development tool is present there, so a dependency that was forgotten shows here.
"""

import json
import subprocess
import sys
import venv
from pathlib import Path

IMPORT_ALL = """
import importlib, pkgutil, sys
import mapgraph_cli, mapgraph_neo
left_out = []
for package in (mapgraph_neo, mapgraph_cli):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            if "mapgraph-neo[" not in str(error):  # an extra must say how it is installed
                raise
            left_out.append(module.name)
print("imported all modules;", "left out for want of an extra:", ", ".join(left_out) or "none")
"""
STATEMENTS = """
from mapgraph_neo.statement import load_statement, statement_names
names = statement_names()
assert names and all(load_statement(name) for name in names)
print(len(names), "statements load")
"""


def main(dist: Path, folder: Path) -> None:
    """Install the one wheel in ``dist`` into ``folder`` and try it."""
    (wheel,) = dist.glob("*.whl")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run(pip, "install", str(wheel))
    _run(pip, "check")
    for code in (STATEMENTS, IMPORT_ALL):
        _run([str(python), "-I", "-W", "error::SyntaxWarning", "-c", code])
    for arguments in (["--version"], ["--help"], ["cypher", "list"]):
        _run([str(folder / "bin" / "mapgraph")], *arguments, quiet=True)
    _newest_driver(pip, wheel)


def _newest_driver(pip: list[str], wheel: Path) -> None:
    """Asking for a driver that neomodel does not know is refused, or resolves to a good set."""
    asked = [*pip, "install", "--dry-run", "--ignore-installed", "--report", "-"]
    answer = subprocess.run(  # noqa: S603 - our own arguments
        [*asked, str(wheel), "neo4j>=6.2"], capture_output=True, text=True, check=False
    )
    if answer.returncode:
        print("a newer driver than neomodel knows: refused by the resolver")
        return
    names = {item["metadata"]["name"] for item in json.loads(answer.stdout)["install"]}
    if "neo4j-driver" in names:
        sys.exit("a newer driver resolves to the legacy package `neo4j-driver`")
    print("a newer driver than 6.1: resolves")


def _run(command: list[str], *arguments: str, quiet: bool = False) -> None:
    output = subprocess.DEVNULL if quiet else None
    subprocess.run([*command, *arguments], cwd="/", check=True, stdout=output)  # noqa: S603 - ours


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
