"""Path trust of records in the graph: reads the ancestor sub-graph once and does the arithmetic."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mapgraph_neo.context import Context
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.trust import PathTrust, TrustEdge, TrustNode, TrustWriter, path_trust, rho
from mapgraph_neo.verification import Verification, factor
from mapgraph_neo.vocabulary import EdgeType, label_read


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """Path trust of one record in [0, 1], the floor that retrieval compares, and verifiers."""

    rho: float
    floor: float
    independent: int


def grade(
    tx: Transaction,
    context: Context,
    ids: Sequence[str],
    *,
    verified: Iterable[str] | None = None,
    own_users: frozenset[str] = frozenset(),
) -> dict[str, Grade]:
    """Return the grade of each of ``ids``; one that the tenant does not hold is absent.

    Args:
        tx: The open transaction.
        context: Tenant and policy.
        ids: Records, resources or tools.
        verified: Those of them that anybody verified, where the caller knows; else it is asked.
        own_users: The acting agent's own users, at the gate only.

    """
    if not ids:
        return {}
    rows = tx.run("lineage/trust_graph", tenant=context.tenant, ids=list(dict.fromkeys(ids)))
    nodes = [_node(values) for values in rows[0]["nodes"]]
    edges = [
        TrustEdge(child=child, parent=parent, type=EdgeType(kind), age_seconds=age or 0.0)
        for child, parent, kind, age in rows[0]["edges"]
    ]
    paths = path_trust(nodes, edges, context.policy, own_users=own_users)
    hashes = verified_hashes(tx, context, ids if verified is None else list(verified))
    return {each: _grade(paths[each], hashes.get(each, (1.0, 0))) for each in ids if each in paths}


def verified_hashes(
    tx: Transaction, context: Context, ids: Iterable[str]
) -> dict[str, tuple[float, int]]:
    """Return verification factor and number of independent verifiers of each verified id."""
    wanted = list(ids)
    rows = tx.run("lineage/verifications", tenant=context.tenant, ids=wanted) if wanted else []
    if not rows:
        return {}
    by_record: dict[str, list[Verification]] = {}
    for row in rows:
        by_record.setdefault(row["id"], []).append(_verification(row))
    writers = {
        row["id"]: row
        for row in tx.run("lineage/writers", tenant=context.tenant, ids=list(by_record))
    }
    present = {
        row["id"]: row["content_hash"]
        for row in tx.run("gate/content_hashes", tenant=context.tenant, ids=list(by_record))
    }
    found: dict[str, tuple[float, int]] = {}
    for each, verifications in by_record.items():
        result = factor(
            verifications,
            present[each] or "",
            frozenset(writers[each]["users"]),
            frozenset(writers[each]["delegators"]),
            context.policy,
        )
        found[each] = (result.factor, result.independent)
    return found


def _grade(path: PathTrust, verification: tuple[float, int]) -> Grade:
    return Grade(rho=rho(path, verification[0]), floor=path.si, independent=verification[1])


def _node(values: Sequence[Any]) -> TrustNode:
    node_id, seq, kind, integrity, revoked, source_class, standing, writers = values
    return TrustNode(
        id=str(node_id),
        seq=seq,
        label=label_read(kind),
        integrity=integrity,
        revoked=revoked is not False,
        source_class=source_class,
        standing=standing,
        writers=tuple(
            TrustWriter(str(kind).lower(), known, str(who)) for who, kind, known in writers
        ),
    )


def _verification(row: Row) -> Verification:
    users = frozenset(row["users"])
    if row["verifier"].startswith("user:"):
        users |= {row["verifier"]}
    return Verification(
        verifier=row["verifier"],
        outcome=row["outcome"],
        at=row["at"],
        content_hash=row["content_hash"],
        users=users,
        delegators=frozenset(row["delegators"]),
        standing=row["standing"],
        evidence_outside=row["outside"],
    )
