"""``mapgraph standing`` and ``reclassify``: how well users, agents and sources are known."""

from typing import Annotated

import typer

from mapgraph_cli.options import AUTHORITY, command
from mapgraph_cli.session import Session

app = typer.Typer()


@command(app, "standing", panel=AUTHORITY)
def standing(
    session: Session,
    node: Annotated[str, typer.Argument(metavar="ID", help="`user:NAME` or `agent:NAME`.")],
    value: Annotated[
        str, typer.Argument(metavar="STANDING", help="new, established or compromised.")
    ],
) -> None:
    """Set how well a user or agent is known; what it wrote is graded anew."""
    with session.connect() as graph:
        done = session.administer(graph).set_standing(node, value)
    session.output.one({"id": done, "standing": value})


@command(app, "reclassify", panel=AUTHORITY)
def reclassify(
    session: Session,
    node: Annotated[str, typer.Argument(metavar="ID", help="A tool or resource.")],
    source_class: Annotated[
        str, typer.Argument(metavar="CLASS", help="A source class of the policy file.")
    ],
) -> None:
    """Set the source class of a tool or resource; what came from it is graded anew."""
    with session.connect() as graph:
        done = session.administer(graph).reclassify(node, source_class=source_class)
    session.output.one({"id": done, "source_class": source_class})
