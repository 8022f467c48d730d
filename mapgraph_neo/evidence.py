"""The state of evidence at action time: affected, readable, fit for the audience, trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mapgraph_neo.context import Context
from mapgraph_neo.eligibility import prove
from mapgraph_neo.gate import GateItem
from mapgraph_neo.grading import grade
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import Holdings, all_holdings
from mapgraph_neo.model import Evidence
from mapgraph_neo.names import EVERYBODY, PUBLIC
from mapgraph_neo.ranking import intact
from mapgraph_neo.vocabulary import EvidenceRole, Right


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Who proposes, as found in the open transaction: what it holds, and what its task has seen."""

    held: Holdings
    seen: Mapping[str, bool]
    hash_key: str = field(repr=False)


def gather(
    tx: Transaction,
    context: Context,
    evidence: Sequence[Evidence],
    asking: Asking,
    audience: Sequence[str],
    *,
    tracing: bool,
) -> tuple[GateItem, ...]:
    """Return the facts of each piece of evidence, over its whole lineage, as it stands now."""
    ids = [item.id for item in evidence]
    if not ids:
        return ()
    tenant = context.tenant
    closed = {r["id"]: r["kinds"] for r in tx.run("gate/evidence_state", tenant=tenant, ids=ids)}
    readable = {
        each.id: each.text is None or intact(each, asking.hash_key)
        for each in prove(tx, context, asking.held, ids)
    }
    grades = grade(tx, context, ids, own_users=frozenset(asking.held.users))
    shown = _admitted(tx, context, ids, audience)
    items: list[GateItem] = []
    for item in evidence:
        given = grades.get(item.id)
        goes_out = item.role is EvidenceRole.PARAMETER or not tracing
        items.append(
            GateItem(
                id=item.id,
                role=item.role,
                affected=frozenset(closed.get(item.id, ())),
                readable=item.id in readable,
                admits_audience=not goes_out or item.id in shown,
                rho=given.rho if given and readable.get(item.id, False) else 0.0,
                independently_verified=given is not None and given.independent > 0,
                known=asking.seen.get(item.id, False),
            )
        )
    return tuple(items)


def _admitted(
    tx: Transaction, context: Context, ids: Sequence[str], audience: Sequence[str]
) -> set[str]:
    """Return those of ``ids`` whose whole lineage admits the whole audience."""
    if not audience:
        return set(ids)
    recipients = [_principals(tx, context, each) for each in audience]
    rows = tx.run("eligibility/clauses", tenant=context.tenant, ids=list(ids))
    return {
        row["id"]
        for row in rows
        if all(
            not principals.isdisjoint(clause)
            for clause in row["clauses"]
            for principals in recipients
        )
    }


def _principals(tx: Transaction, context: Context, recipient: str) -> frozenset[str]:
    """Return what one recipient matches: its own name, its memberships, everybody, public."""
    if recipient.startswith("external:"):
        return frozenset({recipient, PUBLIC})
    if recipient.startswith("agent:"):
        found = all_holdings(tx, context.tenant, [recipient], (Right.READ,))
        return (found[0].principals if found else frozenset[str]()) or frozenset({PUBLIC})
    if recipient.startswith("user:"):
        rows = tx.run("authority/user", tenant=context.tenant, user=recipient)
        if not rows or not rows[0]["active"]:
            return frozenset({PUBLIC})
        return frozenset({*rows[0]["principals"], EVERYBODY, PUBLIC})
    return frozenset({recipient, EVERYBODY, PUBLIC})
