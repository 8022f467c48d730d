"""Chapter 3: a poisoned page was summed up and wants to trigger a payment."""

from mapgraph_cli.demo.story import Story

PAGE, POISON, JOURNAL, TO_DO = "res:forum-page", "mem:forum-brief", "mem:journal-brief", "mem:to-do"
PAYMENT = {"to": "GB00 FAKE 0042", "amount": 18_400, "invoice": "4711"}


def tell(story: Story) -> None:
    """Let the poison come up, be approved in a hurry, and be contained before it is paid."""
    story.teller.chapter(
        "The page that wants to be paid",
        "A forum page told scout that a supplier has a new bank account. scout summed it up.",
    )
    story.teller.step('buyer asks: "Where do we pay invoice 4711 of Northstar?"')
    story.ask("buyer", "demo-invoice", "Where do we pay invoice 4711 of Northstar?")
    story.teller.line("", "similar and readable; but retrieval is not authorization")

    story.teller.step("buyer wants to pay 18,400 euros to the new account")
    payer = story.reader("buyer", "demo-pay", POISON)
    answerer = story.reader("buyer", "demo-reply", POISON, JOURNAL)
    decision = story.propose(payer, "payment.send", PAYMENT, evidence=[POISON], shown=POISON)
    story.graph.as_admin("omar").approve(decision.id)
    story.teller.line("omar", "approves, in a hurry")

    story.teller.step("erin (security) finds the page forged; first a dry run")
    erin = story.graph.as_admin("erin")
    story.report(erin.revoke(PAGE, kind="reliability", reason="forged page", dry_run=True))
    done = erin.revoke(PAGE, kind="reliability", reason="forged page")
    story.teller.line("erin", f"revokes it as {done.id}; that counts everywhere at once")

    story.teller.step("buyer carries out the payment that was approved")
    story.execute(payer, decision, "18,400 euros are gone")
    story.teller.step("buyer asks once more")
    story.propose(payer, "payment.send", PAYMENT, evidence=[POISON])
    story.explain("buyer", POISON)

    story.teller.step("a note of buyer that named no source at all")
    story.explain("buyer", TO_DO)
    story.teller.line("", "it had read the message before it wrote, and that was recorded")
    _answer(story, answerer)


def _answer(story: Story, answerer: object) -> None:
    text = {"text": "Northstar is dearer from July."}
    story.teller.step("an answer that had read the poison and the journal")
    story.propose(answerer, "answer.post", text, evidence=[POISON, JOURNAL])  # type: ignore[arg-type]
    story.teller.step("the same answer, from the journal alone")
    again = story.reader("buyer", "demo-reply-2", JOURNAL)
    story.propose(again, "answer.post", text, evidence=[JOURNAL])
