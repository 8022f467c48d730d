"""The compose file, read as data: no engine is needed to see what it promises."""

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

DOCKER = Path(__file__).parents[2] / "docker"


@pytest.fixture
def service() -> dict[str, Any]:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["services"]["neo4j"]


def test_the_image_is_pinned_and_of_the_community(service: dict[str, Any]) -> None:
    name, _, version = service["image"].partition(":")

    assert name == "neo4j"
    assert version == "2026.08.1"


def test_ports_are_open_on_loopback_only(service: dict[str, Any]) -> None:
    assert service["ports"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_there_is_no_default_password(service: dict[str, Any]) -> None:
    assert service["environment"]["NEO4J_AUTH"].startswith("neo4j/${NEO4J_PASSWORD:?")


def test_health_is_a_query_without_the_password_in_its_arguments(service: dict[str, Any]) -> None:
    command = " ".join(service["healthcheck"]["test"])

    assert "cypher-shell" in command
    assert "RETURN 1" in command
    assert " -p" not in command


def test_the_password_is_random_private_and_kept(tmp_path: Path) -> None:
    script = tmp_path / "password.sh"
    script.write_bytes((DOCKER / "password.sh").read_bytes())
    for _ in range(2):
        subprocess.run(["/bin/sh", str(script)], check=True, env={"PATH": os.environ["PATH"]})
        text = (tmp_path / ".env").read_text(encoding="utf-8")

    assert len(text.strip().removeprefix("NEO4J_PASSWORD=")) == 40
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
