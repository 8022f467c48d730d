"""The demo reaches all five outcomes on a real server, in words and as a document."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from command_line import Answer, Cli

from mapgraph_neo.settings import GraphSettings
from mapgraph_neo.vocabulary import Outcome


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def told(neo4j_settings: GraphSettings, folder: Path) -> Answer:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return Cli(neo4j_settings, "unused")("demo", "--embedder", "lite")


def test_it_ends_well(told: Answer) -> None:
    assert told.code == 0, told.stderr
    assert "all five occurred" in told.stdout


@pytest.mark.parametrize("outcome", Outcome)
def test_each_outcome_is_told_with_its_rule(told: Answer, outcome: Outcome) -> None:
    assert f"     {outcome}  by R" in told.stdout


@pytest.mark.parametrize(
    "line",
    [
        "of the 2 private hits of ledger, helpdesk sees 0",
        "helpdesk may not read claim:leeds-closes: scope",
        "<- res:board-deck  (internal, for team:finance)",
        "medium risk; trust 0.57 < 0.60",
        "the gate now says Block by R1",
        "buyer may not read mem:to-do: revoked",
        "0 of these came from the portal",
    ],
)
def test_the_story_holds(told: Answer, line: str) -> None:
    assert line in told.stdout


def test_what_must_not_happen_does_not(told: Answer) -> None:
    assert "18,400 euros are gone" not in told.stdout
    assert "the order goes out" not in told.stdout


def test_a_pipe_gets_plain_lines(told: Answer) -> None:
    assert "\x1b" not in told.stdout
    assert max(len(line) for line in told.stdout.splitlines()) < 160


def test_time_and_ways_to_go_on_are_told(told: Answer) -> None:
    for words in ("downloads 0.0 s", "in all", "mapgraph decisions", "is left in Neo4j"):
        assert words in told.stdout


def test_the_page_shows_what_was_contained(told: Answer, folder: Path) -> None:
    page = (folder / "mapgraph-demo.html").read_text(encoding="utf-8")

    assert "2 revoked" in page
    assert "mem:to-do" in page
    assert told.code == 0


def test_as_json_it_is_one_document(
    neo4j_settings: GraphSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = Cli(neo4j_settings, "unused")("demo", "--embedder", "lite", "--no-server", "--json")

    document = json.loads(answer.stdout)
    assert answer.code == 0
    assert Counter(each["outcome"] for each in document["decisions"]) == document["outcomes"]
    assert document["missing"] == []
    assert "The private source" in answer.stderr


def test_the_readme_quotes_it(told: Answer) -> None:
    readme = Path(__file__).parents[2] / "README.md"
    (quoted,) = re.findall(r"```text\n(3\.2 .*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)

    for part in quoted.split("     ...\n"):
        assert _plain(part) in _plain(told.stdout)


def _plain(text: str) -> str:
    """Return the words without the ids that differ from run to run."""
    return re.sub(r"\bact:[0-9a-f]+", "act:X", " ".join(text.split()))
