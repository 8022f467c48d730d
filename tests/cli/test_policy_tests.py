"""``mapgraph test``: what it prints, how it ends, and that nothing stays behind."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import neo4j
import pytest
import yaml
from command_line import Cli

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "policy-test.yaml"
GOOD = """
name: a good one
events:
  - {event: user, id: bob}
  - {event: agent, id: reader, user: bob, scopes: []}
steps:
  - remember: {agent: reader, id: mem:own, text: a note}
  - check: {agent: reader, id: mem:own, allowed: true}
"""
BAD = GOOD.replace("a good one", "a bad one, 100%").replace("allowed: true", "allowed: false")
STOPPED = GOOD.replace("agent: reader, id: mem:own, text", "agent: nobody, text")


@pytest.fixture(autouse=True)
def _nothing_stays(neo4j_driver: neo4j.Driver) -> Iterator[None]:
    query = "MATCH (n) WHERE n.tenant STARTS WITH 'policy-test-' RETURN DISTINCT n.tenant AS tenant"
    before = {row["tenant"] for row in neo4j_driver.execute_query(query).records}
    yield
    after = {row["tenant"] for row in neo4j_driver.execute_query(query).records}
    assert after - before == set()


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_the_example_passes(cli: Cli) -> None:
    answer = cli("test", str(EXAMPLE), MAPGRAPH_OPERATOR=None)

    assert (answer.code, answer.stderr) == (0, "")
    assert answer.stdout.startswith("ok    ")
    assert re.search(r"\n1 tests, 16 steps, 0 failed, \d+\.\d s\n$", answer.stdout)


def test_the_document_holds_a_file_that_passes(cli: Cli, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "policy-tests.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)

    answer = cli("test", str(write(tmp_path, documented=block)))

    assert answer.code == 0, answer.stdout


def test_a_failure_ends_in_three_and_is_told_with_its_line(cli: Cli, tmp_path: Path) -> None:
    folder = write(tmp_path, bad=BAD, good=GOOD, stopped=STOPPED)
    report = tmp_path / "report.xml"

    answer = cli("test", str(folder), "--junit", str(report), "--json", GITHUB_ACTIONS="true")

    document = json.loads(answer.stdout)
    assert answer.code == 3
    assert (document["passed"], document["files"], document["failed"]) == (False, 3, 2)
    bad, good, stopped = document["results"]
    assert good["passed"]
    assert bad["failures"] == [
        {"line": 8, "step": "check", "message": "is readable (allowed), not not readable"}
    ]
    assert "the 1 steps after it were not run" in stopped["failures"][0]["message"]
    assert (
        f"::error file={folder / 'bad.yaml'},line=8,title=a bad one%2C 100%25::check: is readable"
        in answer.stderr
    )
    suite = ET.parse(report).getroot()  # noqa: S314 - our own file
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert len(suite.findall("testcase/failure")) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            GOOD + "  - chekc: {agent: reader}\n",
            r":9: .*`steps\[2\]\.chekc`: no such key; is `check`",
        ),
        (
            GOOD.replace("allowed: true", "allowed: maybe"),
            r":8: .*steps\[1\]\.check\.allowed.*`maybe`",
        ),
        (GOOD.replace("user: bob,", "usr: bob,"), r":5: .*events\[1\]"),
        (
            GOOD.replace("- check", "- remember: {agent: x, text: y}\n    check"),
            r":8: .*exactly one",
        ),
        (GOOD.partition("  - check")[0], r":\d+: .*without an expectation"),
        (GOOD.replace("id: bob}", "id: bob, occurred_at: +2y}"), r":4: .*`\+2y` is no time"),
        ("", r":1: .*holds nothing"),
        ("steps: [&a x, *a]", r":1: .*aliases are refused"),
        ("policy: {trust_flor: 1}\n" + GOOD, r":1: .*trust_flor.*no such key"),
        ("policy: none.toml\n" + GOOD, r":1: .*cannot be read"),
    ],
)
def test_what_is_no_test_is_told_with_line_and_key(
    cli: Cli, tmp_path: Path, text: str, told: str
) -> None:
    answer = cli("test", str(write(tmp_path, wrong=text, good=GOOD)))

    assert answer.code == 3
    lines = answer.stdout.replace("\n      line ", ":").splitlines()
    assert re.search(f"wrong.*{told}", lines[1]), answer.stdout
    assert lines[0].startswith("ok  ")


def test_without_any_test_it_fails(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("none", encoding="utf-8")
    for arguments in ((str(tmp_path),), (str(tmp_path / "absent.yaml"),), ()):
        answer = cli("test", *arguments)
        assert (answer.code, answer.stdout) == (2, "")


def test_a_test_may_bring_its_policy(cli: Cli, tmp_path: Path) -> None:
    strict = yaml.safe_dump({"trust_floor": 0.9})
    named = "policy: strict.yml\n" + GOOD + "  - retrieve: {agent: reader, exactly: []}\n"
    inline = named.replace("strict.yml", "{trust_floor: 0.9}")
    (tmp_path / "strict.yml").write_text(strict, encoding="utf-8")

    answer = cli("test", str(write(tmp_path, named=named, inline=inline, plain=GOOD)))
    other = cli("test", str(tmp_path / "plain.yaml"), "--policy", str(tmp_path / "strict.yml"))

    assert (answer.code, answer.stdout.count("ok  ")) == (0, 3), answer.stdout
    assert other.code == 0


def test_nobody_answers_is_six(cli: Cli, tmp_path: Path) -> None:
    answer = cli("test", str(write(tmp_path, good=GOOD)), NEO4J_URI="bolt://127.0.0.1:1")

    assert (answer.code, answer.stdout) == (6, "")
