"""Carries out several revocations, all or none as far as can be said first, and describes them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_neo.errors import InputError, MapGraphError, RefusedError, UnknownNodeError

if TYPE_CHECKING:
    from mapgraph_neo.model import RevocationReport


Step = Callable[[str], "RevocationReport"]


def validated(sources: Sequence[str], plan: Step) -> "list[RevocationReport]":
    """Return what each revocation would do.

    Raises:
        MapGraphError: One of them cannot be done; of the first one's kind, and names them all.

    """
    plans: list[RevocationReport] = []
    errors: list[MapGraphError] = []
    for source in sources:
        try:
            plans.append(plan(source))
        except (InputError, UnknownNodeError, RefusedError) as error:
            errors.append(error)
    if errors:
        told = "; ".join(str(each) for each in errors)
        message = f"{told} ({len(errors)} of {len(sources)} refused, none revoked)"
        raise type(errors[0])(message) if len(sources) > 1 else errors[0]
    return plans


@dataclass(frozen=True, kw_only=True)
class Done:
    """What was revoked, and which of it stood revoked already."""

    reports: "list[RevocationReport]" = field(default_factory=list["RevocationReport"])
    already: list[str] = field(default_factory=list[str])


def carried_out(plans: "Sequence[RevocationReport]", plan: Step, act: Step) -> Done:
    """Revoke the source of each plan; cut off in between, say what was done.

    A call that leaves the tenant's epoch as it was has changed nothing.

    Raises:
        MapGraphError: One of them could not be done.
        CommandError: Somebody interrupted.

    """
    done = Done()
    try:
        for number, planned in enumerate(plans):
            before = plan(planned.target) if number else planned
            report = act(planned.target)
            done.reports.append(report)
            if report.epoch == before.epoch:
                done.already.append(report.target)
    except MapGraphError as error:
        if not done.reports:
            raise
        message = f"{error} (revoked before that: {_names(done.reports)})"
        raise type(error)(message) from error
    except KeyboardInterrupt:
        message = (
            f"interrupted; certainly revoked: {_names(done.reports)}; each of the others is "
            "revoked whole or not at all: run the same command again, it says what was done already"
        )
        raise CommandError(message, ExitCode.INTERRUPTED) from None
    return done


def _names(reports: "Sequence[RevocationReport]") -> str:
    return ", ".join(each.target for each in reports) or "none"


def facts(report: "RevocationReport") -> dict[str, object]:
    """Return what people see of a revocation."""
    return {
        "target": report.target,
        "kind": report.kind,
        "revocation": report.id,
        "in force before": report.already,
        "descendants": report.affected,
        "by kind": report.by_kind,
        "by depth": report.by_depth,
        "agents that lose access": report.agents,
        "actions that used it": report.actions,
        "approvals that go stale": report.pending,
        "epoch": report.epoch,
    }
