"""Runs ``mapgraph`` in this process or in one of its own, and a small story to run it on."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from typer import testing
from typer.main import get_command
from typer.testing import CliRunner

from mapgraph_cli.main import app
from mapgraph_neo.settings import GraphSettings

testing._get_command = cache(get_command)  # Typer makes them anew at each call

STORY: list[dict[str, object]] = [
    {"event": "user", "id": "user:bob", "teams": ["finance"]},
    {"event": "user", "id": "user:carol"},
    {"event": "agent", "id": "agent:reader", "user": "user:bob", "scopes": ["@user"]},
    {"event": "agent", "id": "agent:writer", "user": "user:bob", "scopes": []},
    {"event": "resource", "id": "res:q3", "scope": ["team:finance"], "source_class": "internal"},
    {"event": "tool", "id": "tool:answer", "risk": "low", "answer": True},
    {"event": "tool", "id": "tool:mail", "risk": "high", "audience_from": ["to"]},
    {
        "event": "observe",
        "id": "mem:note",
        "text": "Revenue fell by four percent",
        "writer": "agent:reader",
        "source": "res:q3",
    },
    {
        "event": "summarize",
        "id": "mem:brief",
        "text": "A weak quarter",
        "writer": "agent:reader",
        "parents": ["mem:note"],
    },
]


class Answer:
    """What a command said, and how it ended."""

    def __init__(self, code: int, stdout: str, stderr: str) -> None:
        self.code = code
        self.stdout = stdout
        self.stderr = stderr

    @property
    def document(self) -> Any:  # noqa: ANN401 - whatever JSON holds
        return json.loads(self.stdout)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.stdout.splitlines()]


class Cli:
    """Runs ``mapgraph`` as an operator of one tenant."""

    def __init__(self, settings: GraphSettings, tenant: str) -> None:
        self.tenant = tenant
        self.environment: dict[str, str] = {
            "NEO4J_URI": settings.uri,
            "NEO4J_USERNAME": settings.username,
            "NEO4J_PASSWORD": settings.password.get_secret_value(),
            "NEO4J_DATABASE": settings.database,
            "MAPGRAPH_TENANT": tenant,
            "MAPGRAPH_OPERATOR": "alice",
            "MAPGRAPH_EMBEDDER": "lite",
        }

    def __call__(self, *arguments: str, **environment: str | None) -> Answer:
        """Run it in this process."""
        unset = dict.fromkeys(("NEO4J_PASSWORD_FILE", "MAPGRAPH_DEBUG", "MAPGRAPH_POLICY"))
        result = CliRunner(env=unset | self.environment | environment).invoke(app, arguments)
        return Answer(result.exit_code, result.stdout, result.stderr)

    def done(self, *arguments: str, told: str = "") -> Any:  # noqa: ANN401 - whatever JSON holds
        """Run it with ``--json``, see that it is done, and return the document."""
        answer = self(*arguments, "--json")
        assert (answer.code, answer.stderr) == (0, told)
        return answer.document

    def process(
        self, *arguments: str, **environment: str | None
    ) -> "subprocess.CompletedProcess[str]":
        """Run it in a process of its own, without a terminal."""
        return subprocess.run(
            command(*arguments),
            env=self.variables(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def answered(
        self, typed: str, *arguments: str, question: str = "[y/N] ", **environment: str | None
    ) -> tuple[int, str]:
        """Run it on a terminal, and type something at its question; nothing is an interrupt."""
        ours, its = pty.openpty()
        with subprocess.Popen(
            command(*arguments),
            env=self.variables(environment),
            stdin=its,
            stdout=its,
            stderr=its,
            start_new_session=True,
        ) as process:
            os.close(its)
            seen, asked = "", False
            while part := _read(ours):
                seen += part
                if question in seen and not asked:
                    asked = True
                    if typed:
                        os.write(ours, typed.encode())
                    else:
                        process.send_signal(signal.SIGINT)
        os.close(ours)
        return process.returncode, seen

    def variables(self, environment: dict[str, str | None] | None = None) -> dict[str, str]:
        """Return the environment of a process."""
        whole = {**os.environ, **self.environment, **(environment or {})}
        return {name: value for name, value in whole.items() if value is not None}


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 4096).decode()
    except OSError:  # how Linux says that the other side is closed
        return ""


def command(*arguments: str) -> Sequence[str]:
    return (sys.executable, "-m", "mapgraph_cli", *arguments)


def write_log(file: Path, events: Iterable[dict[str, object]]) -> Path:
    file.write_text("".join(f"{json.dumps(event)}\n" for event in events), encoding="utf-8")
    return file
