"""Lineage for operators: what a node came from, and what came from it."""

from mapgraph_neo.context import Context
from mapgraph_neo.errors import UnknownNodeError
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.model import Lineage, LineageEdge, LineageNode
from mapgraph_neo.vocabulary import NodeLabel


def lineage(context: Context, node: str) -> Lineage:
    """Return ``node`` with all it came from, nearest first; ``complete`` is false when cut.

    Raises:
        UnknownNodeError: The tenant holds no such node.

    """
    limit = context.policy.limits.lineage_nodes
    rows = context.graph.read(
        lambda tx: tx.run("lineage/lineage", tenant=context.tenant, id=node, limit=limit + 1)
    )
    if not rows:
        raise _unknown(node, context)
    shown = rows[:limit]
    ids = {row["id"] for row in shown}
    extra: dict[str, LineageNode] = {}
    edges: list[LineageEdge] = []
    for row in shown:
        for kind, other, detail, label, caption in row["edges"]:
            edges.append(_edge(row["id"], kind, other, detail))
            if other not in ids and kind in ("WRITTEN_BY", "INVALIDATED_BY"):
                extra[other] = LineageNode(
                    id=other, label=NodeLabel(label), caption=caption or other, state="active"
                )
    present = ids | extra.keys()
    return Lineage(
        root=node,
        nodes=(*(_node(row) for row in shown), *extra.values()),
        edges=tuple(e for e in edges if e.source in present and e.target in present),
        complete=len(rows) <= limit,
    )


def descendants(context: Context, node: str) -> tuple[str, ...]:
    """Return every record that came from ``node``, nearest first; actions are listed apart.

    Raises:
        UnknownNodeError: The tenant holds no such node.

    """

    def work(tx: Transaction) -> tuple[str, ...]:
        if not tx.run("record/read_details", tenant=context.tenant, ids=[node]):
            raise _unknown(node, context)
        rows = tx.run("lineage/descendants", tenant=context.tenant, id=node)
        return tuple(rows[0]["ids"]) if rows else ()

    return context.graph.read(work)


def _edge(node: str, kind: str, other: str, detail: str | None) -> LineageEdge:
    properties = {} if detail is None else {"detail": detail}
    if kind == "USED_FOR_ACTION":
        return LineageEdge(type=kind, source=other, target=node, properties=properties)
    return LineageEdge(type=kind, source=node, target=other, properties=properties)


def _node(row: Row) -> LineageNode:
    return LineageNode(
        id=row["id"],
        label=NodeLabel(row["kind"]),
        caption=row["caption"] or row["id"],
        state=row["state"],
        properties={k: v for k, v in row["facts"].items() if v is not None} | {"hops": row["hops"]},
    )


def _unknown(node: str, context: Context) -> UnknownNodeError:
    return UnknownNodeError(f"id: tenant `{context.tenant}` holds no `{node}`")
