"""``mapgraph revoke``: withdraw sources, all of them or none, after showing what it will touch."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import CONTAINMENT, command
from mapgraph_cli.output import Form, cell, tell
from mapgraph_cli.revocations import Done, carried_out, facts, validated
from mapgraph_cli.session import Session
from mapgraph_cli.times import when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mapgraph_neo.model import RevocationReport

app = typer.Typer()


@command(app, "revoke", panel=CONTAINMENT)
def revoke(
    session: Session,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="ID", help="Users, tools, resources, messages, memories or claims."),
    ],
    *,
    kind: Annotated[str, typer.Option("--kind", help="access, reliability or erasure.")] = "access",
    reason: Annotated[str, typer.Option("--reason", help="Why, for the audit.")] = "",
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="TIME", help="Taint only what came from it since then."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="... and before then.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Withdraw sources and contain all that came from them.

    Every id is validated before anything is changed: all are revoked or none. What it will touch
    is shown first, and you are asked, unless you say --yes. Times are ISO 8601 with a zone.
    """
    since_at, until_at = when(since, "--since"), when(until, "--until")
    if not (dry_run or yes or interactive()):
        message = "nobody can be asked here; look with --dry-run, then say --yes"
        raise CommandError(message)
    wanted = tuple(dict.fromkeys(sources))
    with session.connect() as graph:
        admin = session.administer(graph)

        def revoked(source: str, *, dry_run: bool) -> "RevocationReport":
            return admin.revoke(
                source, kind=kind, reason=reason, since=since_at, until=until_at, dry_run=dry_run
            )

        plan, act = partial(revoked, dry_run=True), partial(revoked, dry_run=False)
        plans = validated(wanted, plan)
        if not (dry_run or yes or _agreed(plans)):
            message = "not revoked; nothing was changed"
            raise CommandError(message, ExitCode.FAILED)
        done = Done(reports=plans) if dry_run else carried_out(plans, plan, act)
    _show(session, done, dry_run=dry_run)


def interactive() -> bool:
    """Return whether somebody can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _agreed(plans: "Sequence[RevocationReport]") -> bool:
    try:
        for plan in plans:
            shown = (f"{name}: {cell(fact)}" for name, fact in facts(plan).items() if cell(fact))
            tell(f"to revoke: {'; '.join(shown)}")
        sys.stderr.write("Go on? [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        message = "interrupted; nothing was changed"
        raise CommandError(message, ExitCode.INTERRUPTED) from None


def _show(session: Session, done: Done, *, dry_run: bool) -> None:
    if session.output.form is Form.TEXT:
        session.output.blocks([facts(report) for report in done.reports])
    else:
        session.output.one(
            {"dry_run": dry_run, "already": done.already, "revocations": done.reports}
        )
    for target in done.already:
        session.output.note(f"{target} was revoked already; nothing was changed")
    if dry_run:
        session.output.note("dry run; nothing was changed")
