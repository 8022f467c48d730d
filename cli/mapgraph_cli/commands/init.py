"""``mapgraph init``: set up a tenant and its first administrator."""

from typing import Annotated

import typer

from mapgraph_cli.options import SETUP, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "init", panel=SETUP)
def init(
    session: Session,
    *,
    administrator: Annotated[
        str | None,
        typer.Option("--administrator", help="The first administrator; the operator if absent."),
    ] = None,
) -> None:
    """Set up the schema, the tenant and its first administrator; the same again changes nothing."""
    name = administrator or session.operator_name()
    with session.connect() as graph:
        user = graph.init(administrator=name)
        session.output.one({"tenant": graph.tenant, "administrator": user})
