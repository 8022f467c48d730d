"""``mapgraph cypher``: read the statements that the engine sends."""

from typing import Annotated

import typer

from mapgraph_cli.options import command
from mapgraph_cli.session import Session
from mapgraph_neo.statement import load_statement, statement_names

app = typer.Typer(help="Read the Cypher statements that the engine sends.", no_args_is_help=True)


@command(app, "list", lists=True, connects=False)
def list_statements(session: Session) -> None:
    """List every statement."""
    found = [load_statement(name) for name in statement_names()]
    items = [{"name": each.name, "access": each.access, "purpose": each.purpose} for each in found]
    session.output.many(items, items)


@command(app, "show", connects=False)
def show_statement(
    session: Session, name: Annotated[str, typer.Argument(help="Such as eligibility/prove.")]
) -> None:
    """Print one statement, ready to paste into Neo4j Browser."""
    found = load_statement(name)
    session.output.text(
        found.text,
        {
            "name": found.name,
            "access": found.access,
            "purpose": found.purpose,
            "parameters": found.parameters,
            "returns": found.returns,
            "text": found.text,
        },
    )
