"""Writes a lineage as one self-contained HTML page; every text in it is escaped.

Texts of memories are an attacker's to choose. They reach the page as data only: JSON in a block
that no parser can leave, set by ``textContent``, under a policy that runs our script and no other.
"""

import json
import re
import unicodedata
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import Enum
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import cast

from mapgraph_neo.model import Lineage, LineageNode
from mapgraph_neo.viz.layout import CARD_HEIGHT, CARD_WIDTH, flow, place

_MARK = re.compile(r"__([A-Z]+)__")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_STATES = ("revoked", "affected", "erased")


def lineage_html(lineage: Lineage, *, title: str | None = None) -> str:
    """Return a page that draws ``lineage``; it needs no network and no other file.

    Args:
        lineage: What ``MapGraph.lineage`` returned.
        title: The heading; the root's id by default.

    """
    heading = visible(title if title is not None else f"Lineage of {lineage.root}")
    style, script = _asset("page.css"), _asset("page.js")
    parts = {
        "TITLE": escape(heading),
        "SUMMARY": escape(_summary(lineage)),
        "NOTE": "" if lineage.complete else _cut_note(lineage),
        "ROWS": "\n".join(_row(node) for node in lineage.nodes),
        "DATA": _data(lineage),
        "STYLE": style,
        "SCRIPT": script,
        "POLICY": (
            f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
    }
    # One pass: what a part holds is never looked at again.
    return _MARK.sub(lambda found: parts[found[1]], _asset("page.html"))


def visible(text: str) -> str:
    """Return ``text`` with controls, bidi and zero-width characters shown as a question mark."""
    shown = ("�" if unicodedata.category(c) in _HIDDEN else c for c in " ".join(text.split()))
    return "".join(shown)


def _asset(name: str) -> str:
    return (files(__package__ or "mapgraph_neo.viz") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _data(lineage: Lineage) -> str:
    drawing = place(lineage)
    document = {
        "root": lineage.root,
        "card": [CARD_WIDTH, CARD_HEIGHT],
        "size": [drawing.width, drawing.height],
        "nodes": [
            {
                "id": visible(node.id),
                "label": node.label.value,
                "caption": visible(node.caption),
                "state": node.state if node.state in _STATES else "active",
                "facts": {visible(k): _fact(v) for k, v in node.properties.items()},
                "at": drawing.places[node.id],
            }
            for node in lineage.nodes
        ],
        "edges": _edges(lineage),
    }
    text = json.dumps(document, separators=(",", ":"))  # ASCII only
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _edges(lineage: Lineage) -> list[list[object]]:
    """Return the edges as [type, from, to, detail, flows]; nodes by their number, earlier first."""
    number = {node.id: index for index, node in enumerate(lineage.nodes)}
    found: list[list[object]] = []
    for edge in lineage.edges:
        pair = flow(edge)
        start, end = pair or (edge.target, edge.source)
        detail = ", ".join(visible(str(value)) for value in edge.properties.values())
        found.append([edge.type, number[start], number[end], detail, pair is not None])
    return found


def _fact(value: object) -> str | list[str]:
    """Return a fact as a text, or as a list of texts."""
    match value:
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return [visible(f"{key}={item}") for key, item in items]
        case list() | tuple() | set() | frozenset():
            return [visible(str(item)) for item in cast("Iterable[object]", value)]
        case Enum():
            return visible(str(value.value))
        case datetime():
            return value.isoformat(timespec="seconds")
        case float():
            return f"{value:.3f}"
        case _:
            return visible(str(value))


def _summary(lineage: Lineage) -> str:
    states = Counter(node.state for node in lineage.nodes)
    told = [f"{len(lineage.nodes)} nodes", f"{len(lineage.edges)} edges"]
    told += [f"{states[state]} {state}" for state in _STATES if states[state]]
    return ", ".join(told)


def _cut_note(lineage: Lineage) -> str:
    return (
        f'<p id="cut" role="note">Cut: these are the nearest {len(lineage.nodes)} nodes; '
        "there are more above them.</p>"
    )


def _row(node: LineageNode) -> str:
    facts = "; ".join(f"{key}: {_line(_fact(value))}" for key, value in node.properties.items())
    cells = (node.label.value, node.id, node.state, node.caption, facts)
    return f"<tr>{''.join(f'<td>{escape(visible(cell))}</td>' for cell in cells)}</tr>"


def _line(fact: str | list[str]) -> str:
    return fact if isinstance(fact, str) else ", ".join(fact)
