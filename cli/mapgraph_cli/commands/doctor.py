"""``mapgraph doctor``: is the store as this release needs it, and is anything left to do."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.options import SETUP, command
from mapgraph_cli.output import Form, table
from mapgraph_cli.session import Session
from mapgraph_cli.text import clean

if TYPE_CHECKING:
    from mapgraph_neo.engine import MapGraph
    from mapgraph_neo.graph import Row

app = typer.Typer()
MANY = 1_000


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was looked at; ``ok`` is false when it drifted."""

    name: str
    ok: bool
    detail: str


@command(app, "doctor", panel=SETUP)
def doctor(session: Session) -> ExitCode:
    """Check schema, administrators and model, and work off what was left; exit 7 on drift.

    It looks at no vectors, access classes or hashes yet.
    """
    with session.connect() as graph:
        findings = _examine(graph, session)
    healthy = all(each.ok for each in findings)
    if session.output.form is Form.TEXT:
        table(
            [
                {
                    "check": each.name,
                    "state": "ok" if each.ok else "drift",
                    "detail": clean(each.detail),
                }
                for each in findings
            ]
        )
    else:
        session.output.one({"healthy": healthy, "tenant": graph.tenant, "checks": findings})
    return ExitCode.DONE if healthy else ExitCode.DRIFT


def _examine(graph: "MapGraph", session: Session) -> list[Finding]:
    from mapgraph_neo import schema  # noqa: PLC0415 - help must be fast
    from mapgraph_neo.graph import Neo4jGraph  # noqa: PLC0415

    store = Neo4jGraph(session.graph_settings)
    try:
        if wrong := schema.problems(store):
            return [Finding(name="schema", ok=False, detail="; ".join(wrong))]
        tenant = store.read(lambda tx: tx.run("record/tenant", tenant=graph.tenant))
        if not tenant:
            detail = f"`{graph.tenant}` has no administrator yet; run `mapgraph init`"
            return [_schema(), Finding(name="tenant", ok=False, detail=detail)]
        agents = store.read(lambda tx: tx.run("authority/agents", tenant=graph.tenant))
        by = store.read(lambda tx: tx.run("authority/administrators", tenant=graph.tenant))
    finally:
        store.close()
    done = graph.work_off()
    found = len(graph.decisions(state="pending", limit=MANY))
    waiting = f"at least {found}" if found == MANY else str(found)
    return [
        _schema(),
        _administrators(len(by[0]["users"])),
        *_tenant(tenant[0]),
        Finding(name="left over", ok=True, detail=f"{done} changes worked off"),
        Finding(name="agents", ok=True, detail=str(len(agents[0]["ids"]))),
        Finding(name="approvals", ok=True, detail=f"{waiting} waiting"),
    ]


def _schema() -> Finding:
    from mapgraph_neo.schema import migrations  # noqa: PLC0415

    return Finding(name="schema", ok=True, detail=f"version {migrations()[-1].version}")


def _administrators(number: int) -> Finding:
    detail = str(number) if number else "nobody may administer"
    return Finding(name="administrators", ok=number > 0, detail=detail)


def _tenant(row: "Row") -> list[Finding]:
    model = f"{row['model']}, {row['dimension']} numbers" if row["model"] else "no vectors yet"
    return [
        Finding(name="model", ok=True, detail=model),
        Finding(name="nodes", ok=True, detail=f"{row['seq']} so far, epoch {row['epoch']}"),
    ]
