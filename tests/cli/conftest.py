"""A tenant with one small story in it, and more sources where a test wants its own."""

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import STORY, Cli, write_log

from mapgraph_neo.settings import GraphSettings


@pytest.fixture(scope="session")
def cli(neo4j_settings: GraphSettings, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """The story, told by the command line itself."""
    run = Cli(neo4j_settings, f"cli-{secrets.token_hex(6)}")
    assert run.done("init") == {"tenant": run.tenant, "administrator": "user:alice"}
    log = write_log(tmp_path_factory.mktemp("story") / "log.ndjson", STORY)
    report = run.done("ingest", str(log))
    assert (report["events"], report["recorded"]) == (len(STORY), len(STORY))
    return run


@pytest.fixture
def source(cli: Cli, tmp_path: Path) -> Callable[[], tuple[str, str, str]]:
    """Make a resource, a memory of it and a summary of that; return their ids."""

    def make() -> tuple[str, str, str]:
        name = secrets.token_hex(4)
        ids = f"res:{name}", f"mem:{name}", f"mem:{name}-brief"
        events = [
            dict(STORY[4], id=ids[0]),
            dict(STORY[7], id=ids[1], source=ids[0], text=f"Costs rose, says {name}"),
            dict(STORY[8], id=ids[2], parents=[ids[1]], text=f"Costs, says {name}"),
        ]
        cli.done("ingest", str(write_log(tmp_path / f"{name}.ndjson", events)))
        return ids

    return make
