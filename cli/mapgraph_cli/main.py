"""The ``mapgraph`` command: one file of ``commands`` for each sub-command or family of them."""

from typing import Annotated

import typer

from mapgraph_cli.commands import (
    access,
    ask,
    audit,
    browser,
    containment,
    cypher,
    decisions,
    demo,
    doctor,
    export,
    gate,
    ingest,
    init,
    known,
    lineage,
    policy,
    register,
    retrieve,
    revoke,
    server,
    test,
    verify,
)
from mapgraph_cli.group import CommandGroup
from mapgraph_cli.options import AUTHORITY, SETUP, TOOLS
from mapgraph_neo import __version__

app = typer.Typer(
    name="mapgraph",
    cls=CommandGroup,
    help="Authorization for shared agent memory: who may read what, how far to trust it, "
    "and which action may run on it.",
    epilog="Exit status: 0 done, Allow, readable; 1 failed; 2 wrong usage; 3 refused input; "
    "4 denied; 5 needs someone; 6 Neo4j or the index cannot answer; 7 drift.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:  # noqa: FBT001 - Typer's callback
    if value:
        typer.echo(f"mapgraph {__version__}")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Hold what is said before a sub-command."""
    del version


for _family in (init, doctor, demo, ingest, export, retrieve, gate, ask, lineage, decisions, audit):
    app.add_typer(_family.app)
for _family in (revoke, containment, verify, access, known):
    app.add_typer(_family.app)
app.add_typer(server.app, name="server", rich_help_panel=SETUP)
app.add_typer(register.app, name="register", rich_help_panel=AUTHORITY)
app.add_typer(policy.app, name="policy", rich_help_panel=TOOLS)
app.add_typer(cypher.app, name="cypher", rich_help_panel=TOOLS)
app.add_typer(test.app)
app.add_typer(browser.app)
