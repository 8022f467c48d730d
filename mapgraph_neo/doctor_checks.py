"""What ``doctor`` asks the graph, one statement for each kind of drift, and what can be done."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mapgraph_neo.context import Context
from mapgraph_neo.graph import Transaction
from mapgraph_neo.model import Finding

SAMPLE = 10
"""Ids that a finding names at most."""
_NAMED = 3  # of them in the detail of one row

_BY_HAND = "only a person can know what was meant: mend it by hand, or invalidate the record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One kind of drift: its statement, what a fix does about it, what only a person can do."""

    name: str
    statement: str
    fix: str = ""
    person: str = ""


CHECKS = (
    Check(
        name="counters",
        statement="doctor/counters",
        fix="raise the counters to what the graph holds",
    ),
    Check(name="fields", statement="doctor/fields", person=_BY_HAND),
    Check(name="labels", statement="doctor/labels", person="remove the label that is wrong"),
    Check(
        name="duplicates",
        statement="doctor/duplicates",
        person="give one of them another id and number, or delete it; then `mapgraph init`",
    ),
    Check(
        name="edges",
        statement="doctor/edges",
        person="delete the edge if it was planted; if its end is gone, restore a backup",
    ),
    Check(name="edge fields", statement="doctor/edge_fields", person=_BY_HAND),
    Check(
        name="parents",
        statement="doctor/parents",
        person="delete the edge that was planted, or restore the one that is gone from a backup",
    ),
    Check(name="clock", statement="doctor/clock", person="check the server's clock and the log's"),
    Check(
        name="withdrawals",
        statement="doctor/unflagged",
        fix="flag what a revocation closes already, and mark what came from it",
    ),
    Check(
        name="flags",
        statement="doctor/unexplained",
        person="revoke it with a reason, or revoke and undo to open it",
    ),
    Check(name="markers", statement="doctor/markers", fix="set the marker labels anew"),
    Check(name="agents", statement="doctor/agents", person="grant the agent something via a user"),
    Check(name="grants", statement="doctor/grants", person="withdraw the grant and give a new one"),
    Check(
        name="decisions",
        statement="doctor/decisions",
        person="a part is gone; propose again, and look for what else a backup lost",
    ),
    Check(
        name="audit",
        statement="doctor/audit",
        person="records of the audit are gone; find out who could write to the database",
    ),
    Check(
        name="imports",
        statement="doctor/imports",
        person="run `mapgraph ingest` with the same log again; it goes on where it stopped",
    ),
    Check(
        name="erasures",
        statement="doctor/erasures",
        fix="destroy the content that an erasure was to destroy",
    ),
    Check(
        name="entries",
        statement="doctor/entries",
        fix="add what is missing and delete what stands for no record",
    ),
)
"""What each statement looks for, in the order in which it is told."""

KEPT = (
    Check(
        name="content",
        statement="doctor/records",
        person="put the text back, from a backup say, or invalidate or erase the record",
    ),
    Check(
        name="integrity",
        statement="doctor/records",
        fix="mark what was altered, so that nothing counts on it, and unmark what is whole again",
    ),
    Check(
        name="classes",
        statement="doctor/classes",
        fix="delete access classes that were altered; their records get one of their own",
    ),
    Check(
        name="access",
        statement="doctor/records",
        fix="work out anew who may read, from the lineage",
    ),
    Check(name="expiry", statement="doctor/records", fix="work out the expiry anew"),
    Check(name="trust", statement="doctor/records", fix="grade anew by the policy in force"),
    Check(name="liveness", statement="doctor/records", fix="work out anew what is open"),
    Check(name="marks", statement="doctor/records", fix="mark anew what is affected"),
    Check(name="vectors", statement="sync/vectors", fix="embed the texts anew"),
)
"""What the pass over the records compares."""


def look(tx: Transaction, context: Context, check: Check) -> list[tuple[str, int, list[str]]]:
    """Return what one statement found: what is wrong, how often, and where."""
    rows = tx.run(check.statement, tenant=context.tenant, sample=SAMPLE)
    return [(row["what"], row["found"], row["ids"]) for row in rows]


def finding(
    check: Check, found: Iterable[tuple[str, int, Sequence[str]]], *, clean: str = ""
) -> Finding:
    """Return the finding of a check; ``clean`` is its detail when nothing drifted."""
    rows = list(found)
    if not rows:
        return Finding(name=check.name, ok=True, detail=clean)
    return Finding(
        name=check.name,
        ok=False,
        detail="; ".join(f"{what}: {_named(count, ids)}" for what, count, ids in rows),
        count=sum(count for _, count, _ in rows),
        ids=tuple(dict.fromkeys(each for _, _, ids in rows for each in ids))[:SAMPLE],
        fix=check.fix,
        person=check.person,
    )


def counted(wrong: Mapping[str, Sequence[str]]) -> list[tuple[str, int, Sequence[str]]]:
    """Return whole lists of ids as rows of a finding."""
    return [(what, len(ids), ids[:SAMPLE]) for what, ids in sorted(wrong.items())]


def cycles(tx: Transaction, context: Context) -> Finding:
    """Return the cycles of the lineage with their members, and parents that are no older."""
    person = "delete the edge that was planted; until then its members are closed"
    check = Check(name="cycles", statement="doctor/order", person=person)
    rows: list[tuple[str, int, Sequence[str]]] = []
    seen: set[str] = set()
    for what, count, ids in look(tx, context, check):
        for each in ids:
            if each in seen:
                continue
            members = _members(tx, context, each)
            seen.update(members)
            if members:
                rows.append(("a cycle", len(members), members[:SAMPLE]))
        left = [each for each in ids if each not in seen]
        if rest := count - len(ids) + len(left):
            rows.append((what, rest, left))
    return finding(check, rows)


def _members(tx: Transaction, context: Context, record: str) -> list[str]:
    rows = tx.run("doctor/loop", tenant=context.tenant, id=record)
    if not rows:
        return []
    members = {each for each in rows[0]["above"] if each is not None} & set(rows[0]["below"])
    return sorted({record, *members}) if members else []


def _named(count: int, ids: Sequence[str]) -> str:
    more = ", .." if count > _NAMED else ""
    return f"{count} ({', '.join(ids[:_NAMED])}{more})"
