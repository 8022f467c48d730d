"""``mapgraph lineage`` and ``descendants``: what a node came from, and what came from it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import QUESTIONS, command
from mapgraph_cli.output import Form
from mapgraph_cli.session import Session

if TYPE_CHECKING:
    from mapgraph_neo.model import Lineage

app = typer.Typer()
NodeId = Annotated[str, typer.Argument(metavar="ID", help="Any node.")]


@command(app, "lineage", panel=QUESTIONS)
def lineage(
    session: Session,
    node: NodeId,
    *,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", dir_okay=False, help="Write it as a page, too."),
    ] = None,
) -> None:
    """Show a node with all it came from, nearest first."""
    with session.connect() as graph:
        session.administer(graph)
        found = graph.lineage(node)
    if html is not None:
        _write_page(found, html)
    _show(session, found)
    if html is not None:
        session.output.note(f"written to {html}")
    if not found.complete:
        session.output.note("not complete: more than the policy's limit of lineage nodes")


@command(app, "descendants", panel=QUESTIONS, lists=True)
def descendants(session: Session, node: NodeId) -> None:
    """List every record that came from a node, nearest first."""
    with session.connect() as graph:
        session.administer(graph)
        found = graph.descendants(node)
    session.output.many(found, nothing="nothing came from it")


def _show(session: Session, found: "Lineage") -> None:
    out: dict[str, list[str]] = {}
    for edge in found.edges:
        out.setdefault(edge.source, []).append(f"{edge.type} {edge.target}")
    rows = [
        {
            "id": each.id,
            "kind": each.label,
            "state": each.state,
            "caption": each.caption,
            "edges": out.get(each.id, []),
        }
        for each in found.nodes
    ]
    if session.output.form is Form.TEXT:
        session.output.many(found.nodes, rows)
    else:
        session.output.one(found)


def _write_page(found: "Lineage", file: Path) -> None:
    """Write the page so that only its owner can read it; captions are content."""
    try:
        from mapgraph_neo.viz import lineage_html  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = f"--html: {error}"
        raise CommandError(message) from None
    page = lineage_html(found)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(file, flags, 0o600), "w", encoding="utf-8") as stream:
            stream.write(page)
    except OSError as error:
        message = f"--html: `{file}` cannot be written: {error.strerror}"
        raise CommandError(message) from None
