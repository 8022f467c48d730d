"""``mapgraph server``: a private Neo4j without Java, Maven or Docker on the machine."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import command
from mapgraph_cli.progress import TerminalReporter
from mapgraph_cli.session import Session

app = typer.Typer(help="Run a private Neo4j on this machine.", no_args_is_help=True)

Name = Annotated[str, typer.Option("--name", help="Which private server.")]
_FOLLOW_SECONDS = 0.3


@command(app, "start", connects=False)
def start(  # noqa: PLR0913 - one for each option
    session: Session,
    *,
    name: Name = "default",
    version: Annotated[
        str | None, typer.Option("--version", help="Neo4j version: 2026.08.1 or 5.26.30.")
    ] = None,
    heap: Annotated[str | None, typer.Option(help="Java heap, such as 512m or 2g.")] = None,
    pagecache: Annotated[str | None, typer.Option(help="Page cache, such as 128m.")] = None,
    bolt_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port for drivers; else a free one.")
    ] = None,
    http_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port of Neo4j Browser; else a free one.")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Fetch nothing.")] = False,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds until it must answer.")] = 300,
) -> None:
    """Start it, and return once it answers; the first start fetches Neo4j Community (GPLv3)."""
    from mapgraph_neo.server import LocalServer, StartOptions  # noqa: PLC0415 - help must be fast

    server = LocalServer(name, reporter=TerminalReporter())
    server.start(
        StartOptions(
            version=version,
            heap=heap,
            pagecache=pagecache,
            bolt=bolt_port,
            http=http_port,
            offline=offline,
            seconds=timeout,
        )
    )
    session.output.one(server.status())
    session.output.note("`mapgraph browser` tells how to look at the graph")


@command(app, "stop", connects=False)
def stop(
    session: Session,
    *,
    name: Name = "default",
    timeout: Annotated[float, typer.Option(min=0, help="Seconds until it is killed.")] = 60,
) -> None:
    """Stop it; the data stay. Stopping one that does not run is fine."""
    from mapgraph_neo.server import LocalServer  # noqa: PLC0415 - help must be fast

    server = LocalServer(name, reporter=TerminalReporter())
    if not server.stop(timeout):
        session.output.note(f"`{name}` was not running")
    session.output.one(server.status())


@command(app, "status", connects=False)
def status(session: Session, *, name: Name = "default") -> int:
    """Say what it is doing; ends with 0 if it answers queries, else with 6."""
    from mapgraph_neo.server import LocalServer  # noqa: PLC0415 - help must be fast

    found = LocalServer(name).status()
    session.output.one(found)
    return ExitCode.DONE if found.state == "running" else ExitCode.NO_ANSWER


@command(app, "logs", connects=False)
def logs(
    session: Session,
    *,
    name: Name = "default",
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many at most.")] = 40,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C.")] = False,
) -> None:
    """Print the last lines that it wrote."""
    from mapgraph_neo.server import LocalServer  # noqa: PLC0415 - help must be fast

    server = LocalServer(name)
    found = server.logs(lines)
    document = {"name": server.name, "file": str(server.log_file), "lines": found}
    session.output.many(found, whole=document, nothing=f"`{name}` has written nothing yet")
    if follow:
        _follow(session, server.log_file)


@command(app, "destroy", connects=False)
def destroy(
    session: Session,
    *,
    name: Name = "default",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
) -> None:
    """Stop it and delete it with all its data, for good."""
    from mapgraph_neo.server import LocalServer  # noqa: PLC0415 - help must be fast

    server = LocalServer(name, reporter=TerminalReporter())
    if not yes and server.home.exists():
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            message = f"this deletes all data of `{name}`; say --yes"
            raise CommandError(message)
        typer.confirm(f"Delete `{name}` and all its data in {server.home}?", abort=True, err=True)
    if not server.destroy():
        session.output.note(f"there is no private server `{name}`")
    session.output.one(server.status())


def _follow(session: Session, file: Path) -> None:
    while not file.is_file():
        time.sleep(_FOLLOW_SECONDS)
    with file.open(encoding="utf-8", errors="replace") as log:
        log.seek(0, 2)
        while True:
            if line := log.readline():
                session.output.many([line.rstrip()])
                sys.stdout.flush()
            else:
                time.sleep(_FOLLOW_SECONDS)
