import json
from pathlib import Path

import pytest
from command_line import Cli


def test_check_ends_in_0_or_4(cli: Cli) -> None:
    yes, no = (cli("check", "mem:brief", "--agent", each) for each in ("reader", "writer"))

    assert (yes.code, no.code) == (0, 4)
    assert yes.stdout.splitlines()[:2] == ["readable: yes", "reason: allowed"]
    assert no.stdout.splitlines()[:2] == ["readable: no", "reason: scope"]
    assert (yes.stderr, no.stderr) == ("", "")


def test_check_of_what_does_not_exist_is_no(cli: Cli) -> None:
    answer = cli("check", "mem:nobody-knows", "--agent", "reader", "--json")

    assert (answer.code, answer.document["allowed"]) == (4, False)
    assert answer.document["reason"] == "unknown"


def test_explain_names_the_path(cli: Cli) -> None:
    answer = cli("explain", "mem:brief", "--agent", "writer", "--json")

    assert (answer.code, answer.stderr) == (4, "")
    assert answer.document["witness"] == ["mem:brief", "mem:note", "res:q3"]
    assert (
        "path: mem:brief -> mem:note -> res:q3"
        in cli("explain", "mem:brief", "--agent", "writer").stdout
    )


def test_readers_and_eligible_are_lists(cli: Cli) -> None:
    assert cli.done("readers", "mem:brief") == ["agent:reader"]
    assert cli.done("eligible", "--agent", "writer") == []
    assert {"mem:note", "mem:brief"} <= set(cli.done("eligible", "--agent", "reader"))


def test_a_list_may_be_one_document_a_line(cli: Cli) -> None:
    answer = cli("eligible", "--agent", "reader", "--ndjson")

    assert (answer.code, answer.lines) == (0, cli.done("eligible", "--agent", "reader"))


def test_an_empty_list_is_told_beside_the_result(cli: Cli) -> None:
    people = cli("eligible", "--agent", "writer")
    programs = cli("eligible", "--agent", "writer", "--ndjson")

    assert (people.code, people.stdout) == (0, "")
    assert people.stderr == "it may read no memory and no claim\n"
    assert (programs.code, programs.stdout, programs.stderr) == (0, "", "")


def test_lineage_and_descendants(cli: Cli) -> None:
    found = cli.done("lineage", "mem:brief")
    table = cli("lineage", "mem:brief").stdout.splitlines()

    assert [node["id"] for node in found["nodes"]][:3] == ["mem:brief", "mem:note", "res:q3"]
    assert table[0].split() == ["ID", "KIND", "STATE", "CAPTION", "EDGES"]
    assert table[1].startswith("mem:brief")
    assert {"mem:note", "mem:brief"} == set(cli.done("descendants", "res:q3"))


def test_lineage_as_a_page_is_for_its_owner_only(cli: Cli, tmp_path: Path) -> None:
    page = tmp_path / "lineage.html"

    answer = cli("lineage", "mem:brief", "--html", str(page))

    assert answer.code == 0
    assert "mem:note" in page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o777 == 0o600
    assert f"written to {page}" in answer.stderr


def test_a_page_that_cannot_be_written(cli: Cli, tmp_path: Path) -> None:
    answer = cli("lineage", "mem:brief", "--html", str(tmp_path / "no" / "such.html"))

    assert answer.code == 2
    assert answer.stderr.startswith("error: --html: ")


def test_retrieve_gives_only_what_the_agent_may_read(cli: Cli) -> None:
    answer = cli("retrieve", "how was the quarter?", "--agent", "reader", "-k", "50", "--json")
    nothing = cli("retrieve", "how was the quarter?", "--agent", "writer", "--json")

    hits = {hit["id"] for hit in answer.document["hits"]}
    assert {"mem:note", "mem:brief"} <= hits
    assert nothing.document["hits"] == []
    assert (nothing.code, nothing.document["complete"]) == (0, True)


def test_retrieve_names_the_task_that_it_read_in(cli: Cli) -> None:
    fresh = cli("retrieve", "quarter", "--agent", "reader", "--json")
    named = cli("retrieve", "quarter", "--agent", "reader", "--task", "t-7", "--json")

    assert f"read in task {fresh.document['task']}\n" in fresh.stderr
    assert (named.document["task"], named.stderr) == ("t-7", "")


def test_retrieve_shows_what_each_step_took(cli: Cli) -> None:
    plain = cli("retrieve", "quarter", "--agent", "reader", "--json")
    shown = cli("retrieve", "quarter", "--agent", "reader", "--profile", "--json")
    steps = {each["step"]: each for each in shown.document["profile"]}

    assert "profile" not in plain.document
    assert {"embed the query", "rank", "eligibility/prove", "record/hand_out", "all"} <= set(steps)
    assert steps["sync/vectors"]["first_calls"] == 1  # loaded once,
    assert steps["sync/vectors"]["again_calls"] == 0  # then known
    assert steps["eligibility/prove"]["again_calls"] == 1
    assert steps["all"]["again_ms"] == pytest.approx(
        sum(each["again_ms"] for name, each in steps.items() if name != "all"), abs=0.1
    )
    assert shown.document["hits"] == plain.document["hits"]
    assert "eligibility/prove" in shown.stderr


def test_the_audit_says_who_did_what(cli: Cli) -> None:
    records = cli("audit", "--actor", "user:alice", "--act", "init", "--ndjson").lines
    table = cli("audit", "--limit", "1")

    assert [(each["act"], each["outcome"]) for each in records] == [("init", "allowed")]
    assert len(table.stdout.splitlines()) == 2
    assert "give --limit for more" in table.stderr


def test_every_question_answers_with_one_document(cli: Cli) -> None:
    questions = (
        ("doctor",),
        ("check", "mem:note", "--agent", "reader"),
        ("explain", "mem:note", "--agent", "reader"),
        ("readers", "mem:note"),
        ("eligible", "--agent", "reader"),
        ("lineage", "mem:note"),
        ("descendants", "mem:note"),
        ("decisions",),
        ("pending",),
        ("audit",),
        ("cypher", "list"),
        ("cypher", "show", "eligibility/prove"),
    )
    for question in questions:
        answer = cli(*question, "--json")
        assert answer.code == 0, question
        assert answer.stdout.count("\n") == 1, question
        json.loads(answer.stdout)
