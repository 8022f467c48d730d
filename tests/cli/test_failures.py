import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Cli, command

from mapgraph_neo import audit
from mapgraph_neo.engine import MapGraph
from mapgraph_neo.errors import EmbeddingError, GraphTimeoutError, MapGraphError, SidecarError

SECRET = "p@ss:w/ord#1 %"  # noqa: S105 - made up
EVERY = (
    ("init",),
    ("doctor",),
    ("retrieve", "x", "--agent", "reader"),
    ("gate", "--agent", "reader", "--tool", "answer"),
    ("check", "mem:note", "--agent", "reader"),
    ("explain", "mem:note", "--agent", "reader"),
    ("readers", "mem:note"),
    ("eligible", "--agent", "reader"),
    ("lineage", "mem:note"),
    ("descendants", "mem:note"),
    ("decisions",),
    ("pending",),
    ("approve", "act:1"),
    ("reject", "act:1"),
    ("audit",),
    ("revoke", "res:q3", "--yes"),
    ("undo", "rev:1", "--reason", "x"),
    ("invalidate", "mem:note", "--reason", "x"),
    ("verify", "mem:note"),
    ("rescope", "res:q3", "--nobody"),
    ("grant", "user:bob", "--right", "verify"),
    ("withdraw", "grant:1"),
    ("membership", "bob", "--no-teams"),
    ("standing", "user:bob", "new"),
    ("reclassify", "res:q3", "partner"),
    ("register", "user", "x"),
)
OF_AGENTS_AND_HOST = {"init", "doctor", "retrieve", "gate"}


@pytest.fixture(scope="module")
def nobody_listens() -> str:
    """An address at which nothing answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"bolt://127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize("arguments", EVERY, ids=lambda each: each[0])
def test_without_neo4j_nothing_is_answered(
    cli: Cli, nobody_listens: str, arguments: tuple[str, ...]
) -> None:
    answer = cli(*arguments, "--json", NEO4J_URI=nobody_listens)

    assert answer.code == 6
    assert answer.document["error"]["type"] == "GraphUnavailableError"
    assert answer.stderr.startswith(f"error: no answer from Neo4j at {nobody_listens} (")
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [each for each in EVERY if each[0] not in OF_AGENTS_AND_HOST], ids=lambda a: a[0]
)
def test_without_an_operator_nothing_is_done(cli: Cli, arguments: tuple[str, ...]) -> None:
    none = cli(*arguments, MAPGRAPH_OPERATOR=None)
    stranger = cli(*arguments, "--operator", "stranger")

    assert (none.code, stranger.code) == (2, 4)
    assert none.stderr == "error: no operator; set MAPGRAPH_OPERATOR, or give --operator NAME\n"
    assert "`user:stranger` is not registered" in stranger.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "mem:note", "--agent", "stranger"),
        ("explain", "mem:note", "--agent", "stranger"),
        ("eligible", "--agent", "stranger"),
        ("retrieve", "x", "--agent", "stranger"),
        ("gate", "--agent", "stranger", "--tool", "answer"),
    ],
    ids=lambda each: each[0],
)
def test_an_agent_that_is_not_registered_is_an_error(cli: Cli, arguments: tuple[str, ...]) -> None:
    answer = cli(*arguments, "--json")

    assert answer.code == 4
    assert answer.document["error"]["type"] == "NotRegisteredError"


@pytest.mark.parametrize(
    "arguments",
    [
        ("readers", "mem:nobody-knows"),
        ("lineage", "mem:nobody-knows"),
        ("descendants", "res:nobody-knows"),
        ("verify", "mem:nobody-knows"),
        ("invalidate", "mem:nobody-knows", "--reason", "x"),
        ("rescope", "res:nobody-knows", "--nobody"),
        ("standing", "user:nobody-knows", "new"),
        ("reclassify", "res:nobody-knows", "partner"),
        ("approve", "act:nobody-knows"),
        ("reject", "act:nobody-knows"),
        ("withdraw", "grant:nobody-knows"),
        ("membership", "nobody-knows", "--no-teams"),
        ("grant", "user:nobody-knows", "--right", "verify"),
        ("register", "agent", "x", "--user", "nobody-knows"),
        ("cypher", "show", "nobody/knows"),
        ("check", "", "--agent", "reader"),
        ("check", "note", "--agent", "reader"),
        ("check", "mem:note", "--agent", " "),
        ("readers", " "),
        ("lineage", "\u202emem:note"),
        ("retrieve", " ", "--agent", "reader"),
        ("retrieve", "x", "--agent", "reader", "-k", "0"),
        ("register", "user", "*"),
    ],
    ids=" ".join,
)
def test_input_that_cannot_be_used_is_refused(cli: Cli, arguments: tuple[str, ...]) -> None:
    answer = cli(*arguments, "--json")

    assert answer.code == 3
    assert answer.document["error"]["exit"] == 3
    assert answer.stderr == f"error: {answer.document['error']['message']}\n"


@pytest.mark.parametrize(
    "arguments",
    [("nosuch",), ("check",), ("check", "mem:note", "--nope"), ("pending", "--json", "--ndjson")],
    ids=" ".join,
)
def test_wrong_usage_is_one_line_with_the_next_step(cli: Cli, arguments: tuple[str, ...]) -> None:
    answer = cli(*arguments)

    assert (answer.code, answer.stderr.count("\n")) == (2, 1)
    assert answer.stderr.startswith("error: ")


def test_wrong_usage_is_a_document_too(cli: Cli) -> None:
    assert cli("check", "--json").document["error"]["exit"] == 2


def test_a_login_that_is_refused_is_tried_once(cli: Cli) -> None:
    answer = cli("pending", "--username", "nobody-at-all", NEO4J_PASSWORD=SECRET)

    assert answer.code == 6
    assert "refused the login of `nobody-at-all`; check NEO4J_USERNAME" in answer.stderr
    assert SECRET not in answer.stderr


def test_a_password_may_stand_in_a_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(f"{cli.environment['NEO4J_PASSWORD']}\n", encoding="utf-8")

    found = cli("pending", NEO4J_PASSWORD=None, NEO4J_PASSWORD_FILE=str(file))
    missing = cli("pending", NEO4J_PASSWORD=None, NEO4J_PASSWORD_FILE=f"{file}-")

    assert (found.code, missing.code) == (0, 2)
    assert missing.stderr == (
        f"error: NEO4J_PASSWORD_FILE: `{file}-` cannot be read: No such file or directory\n"
    )


def test_a_password_is_asked_for_on_a_terminal(cli: Cli) -> None:
    password = cli.environment["NEO4J_PASSWORD"]

    code, seen = cli.answered(f"{password}\n", "pending", question="neo4j: ", NEO4J_PASSWORD=None)

    assert (code, password in seen) == (0, False)


def test_no_option_takes_a_password(cli: Cli) -> None:
    assert cli("pending", "--password", SECRET).code == 2


@pytest.mark.parametrize("uri", ["bolt://neo4j:p%40ss@127.0.0.1", "http://127.0.0.1", "bolt://far"])
def test_an_address_that_cannot_be_used(cli: Cli, uri: str) -> None:
    answer = cli("pending", NEO4J_URI=uri)

    assert (answer.code, answer.stderr.count("\n")) == (2, 1)
    assert "p%40ss" not in answer.stderr


def test_a_broken_policy_file_stops_everything(cli: Cli, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text("trust_flor = 0.3\n", encoding="utf-8")

    answer = cli("check", "mem:note", "--agent", "reader", "--policy", str(policy))

    assert (answer.code, answer.stdout, answer.stderr.count("\n")) == (3, "", 1)


@pytest.mark.parametrize("error", [GraphTimeoutError, SidecarError, EmbeddingError])
def test_an_index_that_cannot_answer_ends_in_6(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, error: type[MapGraphError]
) -> None:
    def fails(*_: object, **__: object) -> None:
        message = "no answer\nfrom it"
        raise error(message)

    monkeypatch.setattr(MapGraph, "check", fails)

    answer = cli("check", "mem:note", "--agent", "reader")
    assert (answer.code, answer.stdout, answer.stderr) == (6, "", "error: no answer from it\n")


def test_what_nobody_thought_of_ends_in_1_without_a_trace(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        message = f"\x1b[31mlost {os.environ['NEO4J_PASSWORD']}\x1b[0m"
        raise RuntimeError(message)

    monkeypatch.setattr(audit, "records", fails)

    answer = cli("audit")
    told = "error: unexpected RuntimeError: lost ********; set MAPGRAPH_DEBUG=1 to see where\n"
    assert (answer.code, answer.stderr) == (1, told)
    trace = cli("audit", MAPGRAPH_DEBUG="1").stderr
    assert "Traceback" in trace
    assert cli.environment["NEO4J_PASSWORD"] not in trace


def test_an_interrupt_ends_in_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(MapGraph, "lineage", interrupted)

    answer = cli("lineage", "mem:note", "--json")
    assert (answer.code, answer.stderr.count("\n")) == (130, 1)
    assert answer.document["error"]["exit"] == 130


def test_a_pipe_that_is_closed_is_no_noise(cli: Cli) -> None:
    writing = subprocess.Popen(
        command("cypher", "list"),
        env=cli.variables(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writing.stdout is not None
    assert writing.stderr is not None
    writing.stdout.close()
    with writing.stderr as stderr:
        assert stderr.read() == b""
    assert writing.wait(timeout=30) == 141


def test_a_result_that_cannot_be_written_is_a_failure(cli: Cli) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        answer = subprocess.run(
            command("cypher", "list"),
            env=cli.variables(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert answer.returncode == 1
    assert answer.stderr.count("\n") == 1
    assert "No space left on device" in answer.stderr


def test_in_a_pipe_there_are_no_colours(cli: Cli) -> None:
    answer = cli.process("lineage", "mem:brief")
    document = cli.process("lineage", "mem:brief", "--json")

    assert (answer.returncode, answer.stderr) == (0, "")
    assert "\x1b" not in answer.stdout
    assert answer.stdout.startswith("ID ")
    assert json.loads(document.stdout)["root"] == "mem:brief"


def test_warnings_stay_off_standard_output(cli: Cli) -> None:
    answer = cli.process("eligible", "--agent", "reader", "--json", PYTHONWARNINGS="always")

    assert answer.returncode == 0
    assert isinstance(json.loads(answer.stdout), list)


def test_a_narrow_encoding_loses_nothing(cli: Cli) -> None:
    code = "from mapgraph_cli.output import tell; tell('r\\u00e9sum\\u00e9')"

    answer = subprocess.run(
        (sys.executable, "-c", code),
        env=cli.variables({"PYTHONIOENCODING": "ascii:strict"}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stderr == "r\\xe9sum\\xe9\n"
