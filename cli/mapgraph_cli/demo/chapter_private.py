"""Chapter 1: a private source, summed up twice, is asked for by an outsider."""

from mapgraph_cli.demo.story import Story

QUESTION = "Is the Leeds workshop closing?"
BRIEF, PUBLIC = "mem:board-brief", "mem:help-leeds"


def tell(story: Story) -> None:
    """Retrieve as an insider and an outsider; then try to mail it out."""
    story.teller.chapter(
        "The private source",
        "Finance read its board deck and summed it up, twice. Support would like to know, too.",
    )
    _ask_twice(story)
    _mail(story)


def _ask_twice(story: Story) -> None:
    story.teller.step(f'ledger (finance) asks: "{QUESTION}"')
    inside = story.ask("ledger", "demo-ask", QUESTION)
    story.teller.line("", "score = similarity x path trust")
    story.teller.step("helpdesk (support) asks the same")
    outside = story.ask("helpdesk", "demo-ask", QUESTION)
    private = [hit.id for hit in inside if not story.graph.check("helpdesk", hit.id).allowed]
    seen = {hit.id for hit in outside}.intersection(private)
    story.teller.line(
        "so", f"of the {len(private)} private hits of ledger, helpdesk sees {len(seen)}"
    )
    story.explain("helpdesk", "claim:leeds-closes")


def _mail(story: Story) -> None:
    mail = {"to": ["user:priya"], "body": "Leeds is open as usual."}
    story.teller.step("ledger wants to mail support, and has read the brief and the help page")
    agent = story.reader("ledger", "demo-mail", BRIEF, PUBLIC)
    story.propose(agent, "email.send", mail, evidence=[BRIEF, PUBLIC])
    story.explain("helpdesk", BRIEF)

    story.teller.step("ledger does as told: a new task that read the help page only")
    agent = story.reader("ledger", "demo-mail-2", PUBLIC)
    decision = story.propose(agent, "email.send", mail, evidence=[PUBLIC], shown=PUBLIC)
    story.execute(agent, decision, "the mail goes out")

    story.teller.step("ledger puts the brief itself into the mail")
    agent = story.reader("ledger", "demo-mail-3", BRIEF)
    story.propose(
        agent,
        "email.send",
        {"to": ["user:priya"], "body": "Leeds closes in November."},
        parameters={"body": [BRIEF]},
        shown=BRIEF,
    )
