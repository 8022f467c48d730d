"""What Neo4j Browser is given: a style for each label, and a guide whose queries are ours."""

import re
import zipfile
from html import unescape
from importlib.resources import files
from pathlib import Path

import pytest

from mapgraph_neo.server.locks import Jar
from mapgraph_neo.server.overlay import browser_overlay
from mapgraph_neo.vocabulary import EdgeType, NodeLabel, StateLabel

PAGES = files("mapgraph_neo.server") / "browser"
STYLE = (PAGES / "style.grass").read_text(encoding="utf-8")
RULES = dict(re.findall(r"^([\w.]+) \{ (.+) \}$", STYLE, re.MULTILINE))
JAR = Jar(group="g", artifact="neo4j-browser", classifier="", version="1", sha256="00", size=1)


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    path = tmp_path / "neo4j-browser-1.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("browser/index.html", "the browser")
    return path


def test_the_overlay_is_the_browser_with_our_pages(jar: Path, tmp_path: Path) -> None:
    overlay = browser_overlay(JAR, jar, tmp_path / "cache")

    with zipfile.ZipFile(overlay) as archive:
        assert archive.read("browser/index.html") == b"the browser"
        assert archive.read("browser/mapgraph/style.grass").decode() == STYLE
        assert b"carousel" in archive.read("browser/mapgraph/guide.html")
    assert browser_overlay(JAR, jar, tmp_path / "cache") == overlay
    assert [path.name for path in overlay.parent.iterdir()] == [overlay.name]


def test_every_line_of_the_style_is_a_rule_and_nothing_else() -> None:
    assert len(RULES) == len(STYLE.splitlines())  # the Browser knows no comments
    for rule in RULES.values():
        for setting in rule.rstrip(";").split("; "):
            assert re.fullmatch(r"[a-z-]+: [^:;\"]+", setting)


@pytest.mark.parametrize("label", [*NodeLabel, *StateLabel])
def test_each_label_has_its_look(label: str) -> None:
    assert "color: #" in RULES[f"node.{label}"]
    assert "caption: '" in RULES[f"node.{label}"]


def test_states_come_last_so_that_they_win() -> None:
    names = [name for name in RULES if name.startswith("node.")]

    assert names[-2:] == ["node.Affected", "node.Revoked"]


def test_no_two_labels_look_the_same() -> None:
    named = [*NodeLabel, *StateLabel]
    colours = {re.findall(r"(?<![\w-])color: (#\w+)", RULES[f"node.{label}"])[0] for label in named}

    assert len(colours) == len(named)


def test_the_guide_speaks_of_our_edges_and_labels_only() -> None:
    guide = (PAGES / "guide.html").read_text(encoding="utf-8")
    queries = [unescape(q) for q in re.findall(r"<pre [^>]*>(.*?)</pre>", guide, re.DOTALL)]
    edges = {str(edge) for edge in EdgeType}

    assert len(queries) >= 8
    for query in queries[1:]:
        assert "$tenant" in query
        assert set(re.findall(r"[A-Z]+_[A-Z_]+", query)) <= edges
