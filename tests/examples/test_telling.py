"""How the demo words a path, a decision and the time."""

import io
from collections import Counter
from dataclasses import replace

import pytest

from mapgraph_cli.demo.ending import missing
from mapgraph_cli.demo.page import merge
from mapgraph_cli.demo.paths import path_lines, path_to_source
from mapgraph_cli.demo.story import Story
from mapgraph_cli.demo.teller import Teller, numbers
from mapgraph_cli.demo.timeline import Timeline
from mapgraph_neo.model import Decision, Lineage, LineageEdge, LineageNode
from mapgraph_neo.vocabulary import NodeLabel, Outcome, RiskLevel, Rule

LINEAGE = Lineage(
    root="mem:brief",
    nodes=(
        LineageNode(id="mem:brief", label=NodeLabel.MEMORY, caption="short", state="affected"),
        LineageNode(id="mem:note", label=NodeLabel.MEMORY, caption="long", state="active"),
        LineageNode(id="tool:web", label=NodeLabel.TOOL, caption="web", state="active"),
        LineageNode(
            id="res:page",
            label=NodeLabel.RESOURCE,
            caption="page",
            state="revoked",
            properties={"scope": ["*"], "source_class": "external"},
        ),
    ),
    edges=(
        LineageEdge(type="SUMMARIZED_FROM", source="mem:brief", target="mem:note"),
        LineageEdge(type="OBSERVED_FROM", source="mem:note", target="tool:web"),
        LineageEdge(type="OBSERVED_FROM", source="mem:note", target="res:page"),
    ),
)
DECISION = Decision(
    id="act:1",
    outcome=Outcome.REVERIFY,
    rule=Rule.TRUST,
    obligations=(),
    trust=0.5,
    threshold=0.6,
    risk=RiskLevel.MEDIUM,
    epoch=1,
    policy="1",
    reason="because",
    agent="agent:a",
    task="t",
    tool="tool:t",
)


def test_a_path_leads_to_a_resource() -> None:
    assert path_to_source(LINEAGE) == ("mem:brief", "mem:note", "res:page")


def test_a_path_without_a_resource_is_the_root() -> None:
    assert path_to_source(replace(LINEAGE, edges=())) == ("mem:brief",)


def test_a_path_is_told_with_captions_and_states() -> None:
    assert path_lines(LINEAGE, path_to_source(LINEAGE)) == [
        'mem:brief       "short" AFFECTED',
        '<- mem:note     "long"',
        "   <- res:page  (external, for everybody here) REVOKED",
    ]


@pytest.mark.parametrize(
    ("trust", "words"),
    [
        (0.5, "medium risk; trust 0.50 < 0.60"),
        (0.6, "medium risk; trust 0.60 >= 0.60"),
        (None, "medium risk; trust 0.60 needed, none to show"),
    ],
)
def test_numbers_of_a_decision(trust: float | None, words: str) -> None:
    assert numbers(replace(DECISION, trust=trust)) == words


def test_texts_cannot_steer_a_terminal() -> None:
    stream = io.StringIO()
    Teller(stream).step("[bold]\x1b[2Jwipe\u202e[/bold]")

    assert stream.getvalue().strip() == "0.1  [bold]wipe[/bold]"


def test_only_what_was_decided_counts() -> None:
    story = Story(None, Teller(io.StringIO()), [DECISION])  # type: ignore[arg-type]

    assert story.outcomes == Counter([Outcome.REVERIFY])
    assert missing(story) == [o for o in Outcome if o is not Outcome.REVERIFY]


def test_merged_lineages_keep_each_thing_once() -> None:
    other = replace(LINEAGE, root="mem:note", complete=False)
    merged = merge([LINEAGE, other])

    assert merged.root == "mem:brief"
    assert {node.id for node in merged.nodes} == {node.id for node in LINEAGE.nodes}
    assert len(merged.edges) == len(LINEAGE.edges)
    assert not merged.complete


def test_time_inside_another_stage_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 1.0, 3.0, 6.0, 6.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    timeline = Timeline()
    with timeline.stage("server"), timeline.stage("downloads"):
        pass

    assert timeline.seconds == {"server": 4.0, "downloads": 2.0}
    assert timeline.line().endswith("6.0 s in all, 33% of it downloads")
