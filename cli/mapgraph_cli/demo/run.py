"""Runs the demo from the first sentence to the last."""

import sys
from contextlib import ExitStack

from mapgraph_cli.demo import chapter_contract, chapter_poison, chapter_private, chapter_risks
from mapgraph_cli.demo.ending import missing, tell_end
from mapgraph_cli.demo.page import write_page
from mapgraph_cli.demo.stage import Stage, set_stage
from mapgraph_cli.demo.story import Story
from mapgraph_cli.demo.teller import Teller
from mapgraph_cli.demo.timeline import Timeline
from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.output import Form
from mapgraph_cli.session import Session

CHAPTERS = (chapter_private, chapter_risks, chapter_poison, chapter_contract)
ALSO_DRAWN = ("claim:leeds-closes", "mem:to-do")


def run_demo(session: Session, *, server: bool) -> ExitCode:
    """Tell the story; done only if all five outcomes occurred."""
    text = session.output.form is Form.TEXT
    teller = Teller(sys.stdout if text else sys.stderr)
    timeline = Timeline()
    with ExitStack() as stack:
        stage = set_stage(session, timeline, stack, server=server)
        story = Story(stage.graph, teller)
        _open(stage, teller)
        with timeline.stage("story"):
            for chapter in CHAPTERS:
                chapter.tell(story)
        with timeline.stage("page"):
            roots = [*(each.id for each in reversed(story.decisions)), *ALSO_DRAWN]
            page = write_page(stage.graph, roots, f"The incident, tenant {stage.graph.tenant}")
        tell_end(story, stage, timeline, page)
    absent = missing(story)
    if not text:
        document = {
            "tenant": stage.graph.tenant,
            "outcomes": {outcome.value: count for outcome, count in story.outcomes.items()},
            "missing": absent,
            "decisions": story.decisions,
            "seconds": timeline.seconds,
            "page": str(page),
            "browser": stage.address.browser if stage.address else None,
        }
        session.output.one(document)
    return ExitCode.FAILED if absent else ExitCode.DONE


def _open(stage: Stage, teller: Teller) -> None:
    log = stage.incident
    teller.heading(
        f"mapgraph demo: tenant {stage.graph.tenant}, embedder {stage.embedder}",
        f"A maker of electric bikes, one week in June: {log.events} events, {log.agents} agents, "
        f"{log.teams} teams, {log.records} records, kept in {log.path.name}. The week is recorded "
        "as it happened; what follows is decided now, by the store.",
    )
