"""Looks for drift in all that a tenant holds, and mends what can be worked out from the rest."""

from collections.abc import Sequence
from dataclasses import dataclass

from mapgraph_neo import audit, schema
from mapgraph_neo.authority import permit
from mapgraph_neo.context import Context, Progress, quiet
from mapgraph_neo.doctor_checks import CHECKS, KEPT, Check, counted, cycles, finding, look
from mapgraph_neo.doctor_mend import mend
from mapgraph_neo.doctor_review import Kept, review
from mapgraph_neo.graph import Row
from mapgraph_neo.model import DoctorReport, Finding
from mapgraph_neo.sidecar_snapshot import load

HOST = "host"
_TRIES = 3
"""Looks at a graph that others write to, before it is told as it was seen last."""
_HARMLESS = ("loaded", "there is no snapshot", "another process is writing it")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What one look found; ``tenant`` and ``kept`` are absent where there is no tenant."""

    findings: tuple[Finding, ...]
    tenant: Row | None = None
    kept: Kept | None = None
    steady: bool = True

    @property
    def healthy(self) -> bool:
        return all(each.ok for each in self.findings)


def doctor(
    context: Context,
    *,
    fix: bool = False,
    by: str | None = None,
    progress: Progress | None = None,
) -> DoctorReport:
    """Return what drifted in the tenant, after mending what can be, if ``fix``.

    Only what is worked out from the rest is ever written: counters, entries, classes, vectors,
    marks, and what was ordered and cut off. Records, edges and grants stay as they are.

    Args:
        context: The tenant, with patience for statements that read all of it.
        fix: Whether to mend.
        by: Who mends, and must have the right to administer; the host itself if absent.
        progress: Told what is looked at, how far, and of how much.

    Raises:
        RefusedError: ``by`` has no right to administer; nothing was changed.

    """
    tell = progress or quiet
    if fix and by is not None:
        permit(context, by, "doctor", context.tenant)
    seen = _look(context, tell)
    if not fix or seen.healthy or seen.tenant is None or seen.kept is None:
        return _report(context, seen)
    fixed = mend(context, seen.findings, seen.kept, tell)
    context.graph.write(
        lambda tx: audit.append(
            tx,
            context.tenant,
            actor=by or HOST,
            act="doctor-fix",
            target=context.tenant,
            detail={"fixed": list(fixed)},
        )
    )
    return _report(context, _look(context, tell), fixed)


def _report(context: Context, seen: _Seen, fixed: Sequence[str] = ()) -> DoctorReport:
    plan = [f"{each.name}: {each.fix}" for each in seen.findings if each.fix and not each.ok]
    return DoctorReport(
        tenant=context.tenant,
        healthy=seen.healthy,
        epoch=-1 if seen.tenant is None else int(seen.tenant["epoch"]),
        findings=seen.findings,
        plan=tuple(plan),
        fixed=tuple(fixed),
        steady=seen.steady,
    )


def _look(context: Context, tell: Progress) -> _Seen:
    """Look until nothing drifted, or nobody wrote meanwhile, or the patience is at its end."""
    seen = _look_once(context, tell)
    for _ in range(_TRIES - 1):
        if seen.healthy or seen.steady:
            break
        seen = _look_once(context, tell)
    return seen


def _look_once(context: Context, tell: Progress) -> _Seen:
    wrong = schema.problems(context.graph)
    state = f"version {schema.migrations()[-1].version}"
    first = Finding(name="schema", ok=not wrong, detail="; ".join(wrong) or state, count=len(wrong))
    rows = context.graph.read(lambda tx: tx.run("record/tenant", tenant=context.tenant))
    if not rows:
        detail = f"`{context.tenant}` has no administrator yet; run `mapgraph init`"
        return _Seen(findings=(first, Finding(name="tenant", ok=False, detail=detail, count=1)))
    tenant = rows[0]
    findings = [first, *_tenant(context, tenant), _left_over(context)]
    merged: list[tuple[str, int, Sequence[str]]] = []
    for number, check in enumerate(CHECKS, start=1):
        found = context.graph.read(lambda tx, check=check: look(tx, context, check))
        if check.name == "entries":
            merged += found
        else:
            findings.append(finding(check, found))
        tell("checks", number, len(CHECKS))
    findings.append(context.graph.read(lambda tx: cycles(tx, context)))
    kept = review(context, tenant, tell)
    findings += _kept(kept, merged)
    if (snapshot := _snapshot(context, tenant)) is not None:
        findings.append(snapshot)
    after = context.graph.read(lambda tx: tx.run("record/tenant", tenant=context.tenant))
    steady = bool(after) and after[0]["epoch"] == tenant["epoch"]
    return _Seen(findings=tuple(findings), tenant=tenant, kept=kept, steady=steady)


def _tenant(context: Context, row: Row) -> list[Finding]:
    by = context.graph.read(lambda tx: tx.run("authority/administrators", tenant=context.tenant))
    users: list[str] = by[0]["users"]
    model = f"{row['model']}, {row['dimension']} numbers" if row["model"] else "no vectors yet"
    nobody = "" if users else "run `mapgraph init` with the administrator's name"
    return [
        Finding(
            name="administrators",
            ok=bool(users),
            detail=str(len(users)) if users else "nobody may administer",
            count=int(not users),
            person=nobody,
        ),
        Finding(name="model", ok=True, detail=model),
        Finding(name="nodes", ok=True, detail=f"{row['seq']} so far, epoch {row['epoch']}"),
    ]


def _left_over(context: Context) -> Finding:
    check = Check(name="left over", statement="rework/pending", fix="work off what was cut off")
    rows = context.graph.read(lambda tx: tx.run("rework/pending", tenant=context.tenant))
    roots = [str(row["root"]) for row in rows]
    return finding(check, counted({"still to be worked off": roots} if roots else {}))


def _kept(kept: Kept, entries: Sequence[tuple[str, int, Sequence[str]]]) -> list[Finding]:
    """Return the findings of the pass, the entries with what their own statement found."""
    check = next(each for each in CHECKS if each.name == "entries")
    rows = [*entries, *counted(kept.wrong.get("entries", {}))]
    found = [finding(check, rows)]
    for each in KEPT:
        if each.name == "integrity" and kept.key_lost:
            continue
        found.append(finding(_judged(each, kept), counted(kept.wrong.get(each.name, {}))))
    return found


def _judged(check: Check, kept: Kept) -> Check:
    if check.name != "content" or not kept.key_lost:
        return check
    person = "no hash fits at all: the tenant's key was changed; put the former `hash_key` back"
    return Check(name=check.name, statement=check.statement, person=person)


def _snapshot(context: Context, tenant: Row) -> Finding | None:
    """Return whether the snapshot on this machine can be loaded; nothing where none is kept."""
    snapshots = context.snapshots
    if snapshots is None or tenant["model"] is None:
        return None
    owner = snapshots.owner(tenant["model"], tenant["dimension"])
    key, newest = str(tenant["hash_key"]).encode(), tenant["epoch"]
    reason = load(snapshots.folder(owner), owner, key=key, newest=newest).reason
    ok = reason in _HARMLESS
    fix = "" if ok else "delete it; the next start reads the graph"
    return Finding(name="snapshot", ok=ok, detail=reason, count=int(not ok), fix=fix)
