"""Writes the lineage page of the whole story, readable by its owner only."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError

if TYPE_CHECKING:
    from mapgraph_neo.engine import MapGraph
    from mapgraph_neo.model import Lineage

PAGE = Path("mapgraph-demo.html")


def write_page(graph: "MapGraph", roots: Iterable[str], title: str) -> Path:
    """Write one page with the lineages of ``roots`` into the current folder.

    Raises:
        CommandError: It cannot be written.

    """
    from mapgraph_neo.viz import lineage_html  # noqa: PLC0415 - help must be fast

    whole = merge([graph.lineage(root) for root in roots])
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(PAGE, flags, 0o600), "w", encoding="utf-8") as stream:
            stream.write(lineage_html(whole, title=title))
    except OSError as error:
        message = f"{PAGE} cannot be written here: {error.strerror}"
        raise CommandError(message, ExitCode.FAILED) from None
    return PAGE.absolute()


def merge(lineages: list["Lineage"]) -> "Lineage":
    """Return several lineages as one; its root is the root of the first."""
    from mapgraph_neo.model import Lineage  # noqa: PLC0415

    nodes = {node.id: node for lineage in reversed(lineages) for node in lineage.nodes}
    edges = {(e.type, e.source, e.target): e for lineage in lineages for e in lineage.edges}
    return Lineage(
        root=lineages[0].root,
        nodes=tuple(nodes.values()),
        edges=tuple(edges.values()),
        complete=all(lineage.complete for lineage in lineages),
    )
