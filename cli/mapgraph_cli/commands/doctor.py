"""``mapgraph doctor``: is all that is stored as it should be, and what can be mended."""

from typing import TYPE_CHECKING, Annotated

import typer

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import SETUP, command
from mapgraph_cli.output import Form, table
from mapgraph_cli.progress import stages
from mapgraph_cli.session import Session
from mapgraph_cli.text import clean

if TYPE_CHECKING:
    from mapgraph_neo.model import DoctorReport, Finding

app = typer.Typer()


@command(app, "doctor", panel=SETUP)
def doctor(
    session: Session,
    *,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Mend what can be worked out; the operator must administer."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --fix: only say what it would do.")
    ] = False,
) -> ExitCode:
    """Look for drift in all that the tenant holds; exit 7 when there is any.

    Without --fix nothing is changed, and no operator is needed.
    """
    if dry_run and not fix:
        message = "--dry-run goes with --fix; without --fix nothing is changed anyway"
        raise CommandError(message)
    by = session.operator_name() if fix and not dry_run else None
    with session.connect() as graph, stages() as tell:
        report = graph.doctor(fix=fix, dry_run=dry_run, by=by, progress=tell)
    _show(session, report)
    return ExitCode.DONE if report.healthy else ExitCode.DRIFT


def _show(session: Session, report: "DoctorReport") -> None:
    if session.output.form is not Form.TEXT:
        session.output.one(report)
        return
    table(
        [
            {
                "check": each.name,
                "state": "ok" if each.ok else "drift",
                "detail": clean(each.detail),
            }
            for each in report.findings
        ]
    )
    lines = [
        *(f"done: {each}" for each in report.fixed),
        *(f"--fix would: {each}" for each in report.plan),
        *(f"by hand: {each.name}: {each.person}" for each in report.findings if _left(each)),
    ]
    if lines:
        session.output.text("\n".join(clean(each) for each in lines), None)
    if not report.steady and not report.healthy:
        session.output.note("others wrote all the while; look again before you act on it")


def _left(found: "Finding") -> bool:
    return bool(found.person) and not found.ok
