"""``mapgraph register``: make users, agents, tools and resources known."""

from typing import Annotated

import typer

from mapgraph_cli.options import Key, command
from mapgraph_cli.session import Session
from mapgraph_cli.times import when

app = typer.Typer(
    help="Register users, agents, tools and resources; the same again changes nothing.",
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(help="Its name; never reused.")]
Several = list[str] | None
Standing = Annotated[str, typer.Option("--standing", help="new, established or compromised.")]
SourceClass = Annotated[
    str, typer.Option("--source-class", help="A source class of the policy file.")
]
Owner = Annotated[
    str | None, typer.Option("--owner", help="A user, who may revoke it without the right.")
]


@command(app, "user")
def user(
    session: Session,
    name: Name,
    *,
    team: Annotated[Several, typer.Option("--team", help="A team it is in; repeatable.")] = None,
    role: Annotated[Several, typer.Option("--role", help="A role it has; repeatable.")] = None,
    standing: Standing = "established",
    key: Key = None,
) -> None:
    """Register a user."""
    with session.connect() as graph:
        done = session.administer(graph).register_user(
            name, teams=team or (), roles=role or (), standing=standing, key=key
        )
    session.output.one({"id": done})


@command(app, "agent")
def agent(
    session: Session,
    name: Name,
    *,
    user: Annotated[str | None, typer.Option("--user", help="Who authorises it.")] = None,
    delegator: Annotated[str | None, typer.Option("--delegator", help="Or which agent.")] = None,
    scope: Annotated[
        Several,
        typer.Option(
            "--scope",
            metavar="PRINCIPAL",
            help="What it may read of what its authority holds; @user for all; repeatable.",
        ),
    ] = None,
    right: Annotated[
        Several,
        typer.Option("--right", help="What it may do; read, write and act by default; repeatable."),
    ] = None,
    standing: Standing = "established",
    key: Key = None,
) -> None:
    """Register an agent under a user, or under an agent that may delegate."""
    with session.connect() as graph:
        done = session.administer(graph).register_agent(
            name,
            user=user,
            delegator=delegator,
            scopes=scope or (),
            rights=right,
            standing=standing,
            key=key,
        )
    session.output.one({"id": done})


@command(app, "tool")
def tool(  # noqa: PLR0913 - what a tool is registered with
    session: Session,
    name: Name,
    *,
    risk: Annotated[
        str, typer.Option("--risk", help="low, medium, high or critical.")
    ] = "critical",
    answer: Annotated[bool, typer.Option("--answer", help="It only answers.")] = False,
    source_class: SourceClass = "unknown",
    sends: Annotated[bool, typer.Option("--sends", help="It sends something out.")] = False,
    audience_from: Annotated[
        Several,
        typer.Option(
            "--audience-from", metavar="ARGUMENT", help="Where its recipients stand; repeatable."
        ),
    ] = None,
    evidence: Annotated[
        str, typer.Option("--evidence", help="required or none (low risk only).")
    ] = "required",
    owner: Owner = None,
    key: Key = None,
) -> None:
    """Register a tool."""
    with session.connect() as graph:
        done = session.administer(graph).register_tool(
            name,
            risk=risk,
            answer=answer,
            source_class=source_class,
            sends=sends,
            audience_from=audience_from or (),
            evidence=evidence,
            owner=owner,
            key=key,
        )
    session.output.one({"id": done})


@command(app, "resource")
def resource(
    session: Session,
    name: Name,
    *,
    scope: Annotated[
        Several,
        typer.Option(
            "--scope", metavar="PRINCIPAL", help="Who may read it; nobody if absent; repeatable."
        ),
    ] = None,
    source_class: SourceClass = "unknown",
    owner: Owner = None,
    expires_at: Annotated[
        str | None, typer.Option("--expires-at", metavar="TIME", help="When it closes for good.")
    ] = None,
    key: Key = None,
) -> None:
    """Register a resource."""
    expires = when(expires_at, "--expires-at")
    with session.connect() as graph:
        done = session.administer(graph).register_resource(
            name,
            scope=scope or (),
            source_class=source_class,
            owner=owner,
            expires_at=expires,
            key=key,
        )
    session.output.one({"id": done})
