"""The page of a lineage: whole, offline, and closed to what a memory says."""

import base64
import hashlib
import json
import re
from typing import Any

import pytest

from mapgraph_neo.model import Lineage, LineageEdge, LineageNode
from mapgraph_neo.viz import lineage_html
from mapgraph_neo.viz.page import visible
from mapgraph_neo.vocabulary import NodeLabel

PAYLOADS = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!--<script>",
    "__DATA__ __SCRIPT__",
    "\u2028;alert(1)//",
]


def small(caption: str = "a note", *, state: str = "active", complete: bool = True) -> Lineage:
    return Lineage(
        root="mem:brief",
        nodes=(
            LineageNode(id="mem:brief", label=NodeLabel.MEMORY, caption=caption, state=state),
            LineageNode(
                id="res:report",
                label=NodeLabel.RESOURCE,
                caption="report",
                state="revoked",
                properties={
                    "scope": ["team:finance"],
                    "source_class": "internal",
                    caption: caption,
                },
            ),
        ),
        edges=(
            LineageEdge(
                type="OBSERVED_FROM",
                source="mem:brief",
                target="res:report",
                properties={"detail": caption},
            ),
        ),
        complete=complete,
    )


def data_of(page: str) -> Any:  # noqa: ANN401 - JSON
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(found)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_a_memory_says_stays_text(payload: str) -> None:
    page = lineage_html(small(payload), title=payload)

    assert page.count("<script") == 2  # the data, and ours
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert data_of(page)["nodes"][0]["caption"] == visible(payload)


def test_only_our_script_may_run() -> None:
    page = lineage_html(small())
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)

    assert policy.startswith("default-src 'none'")
    for text in (script, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_the_script_reads_no_html() -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", lineage_html(small()), re.DOTALL)

    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert way not in script


def test_it_needs_no_network() -> None:
    page = lineage_html(small())

    addresses = set(re.findall(r"https?://[^\s\"']+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of a language, never fetched
    assert not re.findall(r"\b(?:src|href)=", page)


def test_states_labels_and_edges_are_in_it() -> None:
    page = lineage_html(small(state="affected"))
    document = data_of(page)

    assert [node["state"] for node in document["nodes"]] == ["affected", "revoked"]
    assert document["nodes"][1]["facts"]["scope"] == ["team:finance"]
    assert document["edges"] == [["OBSERVED_FROM", 1, 0, "a note", True]]
    assert "2 nodes, 1 edges, 1 revoked, 1 affected" in page


def test_an_unknown_state_counts_as_active() -> None:
    assert data_of(lineage_html(small(state="on fire")))["nodes"][0]["state"] == "active"


@pytest.mark.parametrize(("complete", "count"), [(True, 0), (False, 1)])
def test_a_cut_is_said(complete: bool, count: int) -> None:  # noqa: FBT001
    assert lineage_html(small(complete=complete)).count("there are more above them") == count


def test_every_node_stands_in_the_table() -> None:
    page = lineage_html(small())

    assert "<td>mem:brief</td>" in page
    assert "scope: team:finance; source_class: internal" in page


def test_the_heading_is_the_root_unless_given() -> None:
    assert "<h1>Lineage of mem:brief</h1>" in lineage_html(small())
    assert "<h1>A &amp; B</h1>" in lineage_html(small(), title="A & B")


def test_hidden_characters_show() -> None:
    assert visible("a\u202eb\u200bc\x00\nd") == "a\ufffdb\ufffdc\ufffd d"
