"""Carries out several revocations, all or none as far as can be said first, and describes them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_neo.errors import InputError, MapGraphError, RefusedError, UnknownNodeError

if TYPE_CHECKING:
    from mapgraph_neo.model import RevocationReport


def validated(
    sources: Sequence[str], plan: "Callable[[str], RevocationReport]"
) -> "list[RevocationReport]":
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


def carried_out(
    sources: Sequence[str], act: "Callable[[str], RevocationReport]"
) -> "list[RevocationReport]":
    """Revoke each source; cut off in between, say what was done.

    Raises:
        MapGraphError: One of them could not be done.
        CommandError: Somebody interrupted.

    """
    done: list[RevocationReport] = []
    try:
        for source in sources:
            done.append(act(source))  # noqa: PERF401 - what was done must be known when cut off
    except MapGraphError as error:
        if not done:
            raise
        message = f"{error} (revoked before that: {_names(done)})"
        raise type(error)(message) from error
    except KeyboardInterrupt:
        message = (
            f"interrupted; certainly revoked: {_names(done)}; each of the others is revoked whole "
            "or not at all: run the same command again, it says what was done already"
        )
        raise CommandError(message, ExitCode.INTERRUPTED) from None
    return done


def already(
    plans: "Sequence[RevocationReport]", reports: "Sequence[RevocationReport]"
) -> tuple[str, ...]:
    """Return the targets that stood revoked: such a call leaves the epoch as it is."""
    epoch = plans[0].epoch
    found: list[str] = []
    for report in reports:
        if report.epoch == epoch:
            found.append(report.target)
        epoch = report.epoch
    return tuple(found)


def _names(reports: "Sequence[RevocationReport]") -> str:
    return ", ".join(each.target for each in reports) or "none"


def facts(report: "RevocationReport") -> dict[str, object]:
    """Return what people see of a revocation."""
    return {
        "target": report.target,
        "kind": report.kind,
        "revocation": report.id,
        "descendants": report.affected,
        "by kind": report.by_kind,
        "by depth": report.by_depth,
        "agents that lose access": report.agents,
        "actions that used it": report.actions,
        "approvals that go stale": report.pending,
        "epoch": report.epoch,
    }
