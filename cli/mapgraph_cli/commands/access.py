"""``mapgraph grant``, ``withdraw``, ``membership`` and ``rescope``: who may reach what."""

from typing import Annotated

import typer

from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import AUTHORITY, Key, command
from mapgraph_cli.session import Session
from mapgraph_cli.times import when

app = typer.Typer()
Principals = list[str] | None


@command(app, "grant", panel=AUTHORITY)
def grant(
    session: Session,
    principal: Annotated[str, typer.Argument(help="`user:NAME` or `agent:NAME`.")],
    *,
    scope: Annotated[
        Principals,
        typer.Option("--scope", metavar="PRINCIPAL", help="What it may read; repeatable."),
    ] = None,
    right: Annotated[
        list[str] | None,
        typer.Option(
            "--right",
            help="read write act delegate verify approve invalidate revoke administer; repeatable.",
        ),
    ] = None,
    valid_from: Annotated[
        str | None, typer.Option("--valid-from", metavar="TIME", help="From when; else now.")
    ] = None,
    valid_to: Annotated[
        str | None,
        typer.Option("--valid-to", metavar="TIME", help="Until when, exclusive; else for ever."),
    ] = None,
    via: Annotated[
        str | None,
        typer.Option("--via", help="For an agent with several: through whom it holds this."),
    ] = None,
    key: Key = None,
) -> None:
    """Grant scopes and rights to a user or agent."""
    if not (scope or right):
        message = "nothing to grant; give --scope or --right"
        raise CommandError(message)
    times = {
        "valid_from": when(valid_from, "--valid-from"),
        "valid_to": when(valid_to, "--valid-to"),
    }
    with session.connect() as graph:
        done = session.administer(graph).grant(
            principal, scopes=scope or (), rights=right, via=via, key=key, **times
        )
    session.output.one({"id": done, "principal": principal})


@command(app, "withdraw", panel=AUTHORITY)
def withdraw(
    session: Session,
    grant_id: Annotated[str, typer.Argument(metavar="ID", help="A grant, `grant:...`.")],
) -> None:
    """Withdraw a grant; withdrawing it again changes nothing."""
    with session.connect() as graph:
        done = session.administer(graph).withdraw(grant_id)
    session.output.one({"id": done, "withdrawn": True})


@command(app, "membership", panel=AUTHORITY)
def membership(
    session: Session,
    user: Annotated[str, typer.Argument(help="The user.")],
    *,
    team: Annotated[
        list[str] | None, typer.Option("--team", help="A team it is in; repeatable.")
    ] = None,
    role: Annotated[
        list[str] | None, typer.Option("--role", help="A role it has; repeatable.")
    ] = None,
    no_teams: Annotated[bool, typer.Option("--no-teams", help="It is in no team.")] = False,
    no_roles: Annotated[bool, typer.Option("--no-roles", help="It has no role.")] = False,
) -> None:
    """Set the teams and roles of a user: all of them; what is not named stays as it is."""
    teams, roles = _set(team, none=no_teams), _set(role, none=no_roles)
    if teams is None and roles is None:
        message = "nothing to set; give --team, --role, --no-teams or --no-roles"
        raise CommandError(message)
    with session.connect() as graph:
        done = session.administer(graph).set_membership(user, teams=teams, roles=roles)
    session.output.one({"id": done, "teams": teams, "roles": roles})


@command(app, "rescope", panel=AUTHORITY)
def rescope(
    session: Session,
    node: Annotated[str, typer.Argument(metavar="ID", help="A resource, tool or user.")],
    *,
    scope: Annotated[
        Principals,
        typer.Option("--scope", metavar="PRINCIPAL", help="Who may read it; repeatable."),
    ] = None,
    nobody: Annotated[bool, typer.Option("--nobody", help="Nobody may read it.")] = False,
) -> None:
    """Set who may read a source; narrowing counts at once for all that came from it."""
    principals = _set(scope, none=nobody)
    if principals is None:
        message = "who may read it? give --scope or --nobody"
        raise CommandError(message)
    with session.connect() as graph:
        done = session.administer(graph).rescope(node, principals)
    session.output.one({"id": done, "scope": principals})


def _set(given: list[str] | None, *, none: bool) -> list[str] | None:
    if none and given:
        message = "a list is either set or emptied, not both"
        raise CommandError(message)
    return [] if none else given or None
