"""Ends the demo: what was reached, where the time went, where to look, what to try."""

from pathlib import Path
from typing import TYPE_CHECKING

from mapgraph_cli.demo.stage import ADMINISTRATOR, Stage
from mapgraph_cli.demo.timeline import Timeline
from mapgraph_neo.vocabulary import Outcome

if TYPE_CHECKING:
    from mapgraph_cli.demo.story import Story


def missing(story: "Story") -> list[Outcome]:
    """Return the outcomes that did not occur."""
    return [outcome for outcome in Outcome if not story.outcomes[outcome]]


def tell_end(story: "Story", stage: Stage, timeline: Timeline, page: Path) -> None:
    """Print the end."""
    tell, tenant = story.teller, stage.graph.tenant
    tell.chapter("The end", "Every decision above is kept in the graph, with what it stood on.")
    counts = ", ".join(f"{outcome} {story.outcomes[outcome]}" for outcome in Outcome)
    absent = missing(story)
    verdict = f"missing: {', '.join(absent)}" if absent else "all five occurred"
    tell.line("outcomes", f"{counts}; {verdict}", "bold red" if absent else "bold green")
    tell.line("time", timeline.line())
    tell.line("page", f"{page} (open it in a web browser; it needs no network)")
    if stage.address is not None:
        tell.line("browser", stage.address.browser)
        tell.line(
            "",
            "it asks for the password: mapgraph browser --show-password",
        )
    tell.line("", f"then run: MATCH p = (:MapNode {{tenant: '{tenant}'}})-->() RETURN p")
    tell.line("next", f"export MAPGRAPH_TENANT={tenant} MAPGRAPH_OPERATOR={ADMINISTRATOR}")
    for command in (
        "mapgraph decisions",
        "mapgraph explain mem:to-do --agent buyer",
        "mapgraph readers mem:board-brief",
        "mapgraph lineage claim:leeds-closes --html leeds.html",
    ):
        tell.line("", command)
    tell.line("stays", f"tenant {tenant} is left in Neo4j, as are those of earlier demos.")
    if stage.address is not None:
        tell.line(
            "",
            "The server goes on running: mapgraph server stop; with all its data away: "
            "mapgraph server destroy",
        )
