import subprocess
import sys

import mapgraph_neo


def test_every_public_name_exists_and_nothing_else_is_offered() -> None:
    assert sorted(mapgraph_neo.__all__) == mapgraph_neo.__all__
    for name in mapgraph_neo.__all__:
        assert getattr(mapgraph_neo, name) is not None
    assert set(dir(mapgraph_neo)) == {*mapgraph_neo.__all__, "__version__"}


def test_importing_the_package_imports_no_driver_and_no_index() -> None:
    heavy = ("neo4j", "numpy", "faiss", "pydantic")
    code = f"import mapgraph_neo, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert done.stdout.strip() == "[]"
