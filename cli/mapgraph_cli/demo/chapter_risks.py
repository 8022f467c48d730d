"""Chapter 2: the same evidence is enough for an answer, and not for a payment."""

from mapgraph_cli.demo.story import Story

JOURNAL = "mem:journal-brief"


def tell(story: Story) -> None:
    """Propose an answer, an order and a payment on one summary; verify it; ask a person."""
    story.teller.chapter(
        "One piece of evidence, three risks",
        "buyer (purchasing) holds a summary of two notes from a trade journal on the web.",
    )
    agent = story.reader("buyer", "demo-cells", JOURNAL)
    story.teller.step("buyer answers a question with it")
    answer = {"text": "Cells are short until August."}
    story.propose(agent, "answer.post", answer, evidence=[JOURNAL], shown=JOURNAL)

    order = {"item": "NP-48", "pieces": 200}
    story.teller.step("buyer drafts an order on the same evidence")
    story.propose(agent, "order.draft", order, evidence=[JOURNAL])

    story.teller.step("dana (finance) verifies it by a letter of the supplier; buyer asks again")
    story.graph.as_admin("dana").verify(JOURNAL, evidence=["mem:letter-prices"])
    story.propose(agent, "order.draft", order, evidence=[JOURNAL])

    story.teller.step("buyer wants to pay a deposit of 5,000 euros, still on the same evidence")
    deposit = {"to": "GB29 NSTR 7001", "amount": 5_000}
    decision = story.propose(agent, "payment.send", deposit, evidence=[JOURNAL])
    approved = story.graph.as_admin("omar").approve(decision.id)
    story.teller.line("omar", f"approves; the decision is {approved.state}")
    story.execute(agent, decision, "the deposit is paid")
