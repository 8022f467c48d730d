import secrets

import pytest
from command_line import Cli

MAIL = ("gate", "--agent", "reader", "--tool", "mail", "--evidence", "mem:brief")
TO_BOB = ("--arg", 'to=["user:bob"]')


@pytest.fixture
def task(cli: Cli) -> str:
    """A task of the reader that has read the brief."""
    name = f"t-{secrets.token_hex(4)}"
    found = cli.done("retrieve", "weak quarter", "--agent", "reader", "--task", name, "-k", "50")
    assert "mem:brief" in {hit["id"] for hit in found["hits"]}
    return name


def test_allow_ends_in_0(cli: Cli, task: str) -> None:
    answer = cli("gate", "--agent", "reader", "--task", task, "--tool", "answer")

    assert answer.code == 0
    assert "outcome: Allow" in answer.stdout.splitlines()


def test_block_ends_in_4(cli: Cli, task: str) -> None:
    answer = cli(*MAIL, "--task", task, "--json")  # no audience

    assert (answer.code, answer.stderr) == (4, "")
    assert answer.document["outcome"] == "Block"


def test_ask_user_ends_in_5_and_is_answered_once(cli: Cli, task: str) -> None:
    asked = cli(*MAIL, *TO_BOB, "--task", task, "--json")
    decision = asked.document["id"]
    assert (asked.code, asked.document["outcome"]) == (5, "AskUser")

    waiting = {each["id"] for each in cli.done("pending")}
    assert decision in waiting
    assert decision in cli("pending").stdout
    assert cli.done("approve", decision)["state"] == "approved"
    again = cli("approve", decision)
    assert (again.code, again.stderr.count("\n")) == (3, 1)
    assert decision not in {each["id"] for each in cli.done("pending")}


def test_a_decision_may_be_rejected(cli: Cli, task: str) -> None:
    decision = cli(*MAIL, *TO_BOB, "--task", task, "--json").document["id"]

    assert cli.done("reject", decision, "--reason", "not now")["state"] == "rejected"


def test_decisions_can_be_filtered(cli: Cli, task: str) -> None:
    decision = cli(*MAIL, *TO_BOB, "--task", task, "--json").document["id"]

    found = cli.done("decisions", "--outcome", "AskUser", "--source", "mem:brief", "--limit", "9")
    assert decision in {each["id"] for each in found}
    assert {each["outcome"] for each in found} == {"AskUser"}
    assert cli.done("decisions", "--agent", "writer") == []


def test_an_outcome_that_does_not_exist_is_refused(cli: Cli) -> None:
    answer = cli("decisions", "--outcome", "allow")

    assert answer.code == 3
    assert answer.stderr.startswith("error: outcome: `allow` is none of Allow, ")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("body=hello", "no JSON"),
        ("body=NaN", "no JSON"),
        ("body", "NAME=VALUE"),
        ('=["x"]', "NAME=VALUE"),
    ],
)
def test_arguments_are_json(cli: Cli, given: str, told: str) -> None:
    answer = cli(*MAIL, "--arg", given)

    assert (answer.code, answer.stdout) == (2, "")
    assert told in answer.stderr


def test_an_argument_is_given_once(cli: Cli) -> None:
    answer = cli(*MAIL, "--arg", "a=1", "--arg", "a=2")

    assert (answer.code, answer.stderr) == (2, "error: --arg: `a` is given twice\n")


def test_parameters_name_what_goes_into_an_argument(cli: Cli, task: str) -> None:
    answer = cli(
        *("gate", "--agent", "reader", "--task", task, "--tool", "mail", *TO_BOB),
        *("--arg", 'body="see this"', "--parameter", "body=mem:brief", "--risk", "critical"),
        *("--audience", "user:carol", "--tracing", "--json"),
    )

    assert answer.document["evidence"] == [{"id": "mem:brief", "role": "parameter"}]
    assert answer.document["risk"] == "critical"
    assert (answer.code, answer.document["rule"]) == (4, "R2")  # carol is not in finance
