"""``mapgraph browser``: how to look at the private server's graph in Neo4j Browser."""

from typing import Annotated

import typer

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import TOOLS, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "browser", panel=TOOLS, connects=False)
def browser(
    session: Session,
    *,
    name: Annotated[str, typer.Option("--name", help="Which private server.")] = "default",
    launch: Annotated[bool, typer.Option("--open", help="Open it in your web browser.")] = False,
    show_password: Annotated[
        bool, typer.Option("--show-password", help="Print the password, too.")
    ] = False,
) -> None:
    """Say how to open Neo4j Browser on the running private server, and where its password is."""
    from mapgraph_neo.server import LocalServer, find_running  # noqa: PLC0415 - help must be fast
    from mapgraph_neo.server.state import STATE_FILE  # noqa: PLC0415

    found = find_running(name)
    if found is None:
        message = f"no private server `{name}` is running; start it with `mapgraph server start`"
        raise CommandError(message, ExitCode.NO_ANSWER)
    facts: dict[str, object] = {
        "address": found.browser,
        "connect to": found.uri,
        "user": found.username,
        "password file": str(LocalServer(found.name).home / STATE_FILE),
    }
    if show_password:
        facts["password"] = found.password
    session.output.one({name.replace(" ", "_"): fact for name, fact in facts.items()}, facts)
    if launch and typer.launch(found.browser) != 0:
        session.output.note("no web browser could be opened here")
