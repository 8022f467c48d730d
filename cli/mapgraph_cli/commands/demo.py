"""``mapgraph demo``: a guided tour on a private Neo4j server."""

from typing import Annotated

import typer

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.options import SETUP, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "demo", panel=SETUP)
def demo(
    session: Session,
    *,
    no_server: Annotated[
        bool,
        typer.Option("--no-server", help="Start no private server; use the one that runs."),
    ] = False,
) -> ExitCode:
    """Tell an incident of four agents, with real decisions; exit 0 if all five outcomes occurred.

    Starts the private server if need be and uses a fresh tenant `demo-...`, which is left there.
    Writes mapgraph-demo.html into the current folder.
    """
    from mapgraph_cli.demo.run import run_demo  # noqa: PLC0415 - help must be fast

    return run_demo(session, server=not no_server)
