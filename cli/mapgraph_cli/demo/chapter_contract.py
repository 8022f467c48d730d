"""Chapter 4: a source is withdrawn after its summary was used."""

from mapgraph_cli.demo.story import Story

PORTAL, PRICES = "res:northstar-portal", "mem:price-brief"
QUESTION = "What does the battery pack NP-48 cost?"
ORDER = {"item": "NP-48", "pieces": 50}


def tell(story: Story) -> None:
    """Allow an order, end the contract, and see what no longer counts."""
    story.teller.chapter(
        "The contract ends",
        "Prices of the supplier's portal were summed up, verified, and used for an order.",
    )
    story.teller.step("buyer drafts another order on the price summary")
    agent = story.reader("buyer", "demo-order", PRICES)
    decision = story.propose(agent, "order.draft", ORDER, evidence=[PRICES], shown=PRICES)

    story.teller.step("before it runs, the contract ends; omar owns the source and looks first")
    omar = story.graph.as_admin("omar")
    story.report(omar.revoke(PORTAL, kind="access", reason="contract ended", dry_run=True))
    done = omar.revoke(PORTAL, kind="access", reason="contract ended")
    story.teller.line("omar", f"withdraws it as {done.id}")

    story.teller.step("buyer runs the order that was allowed a moment ago")
    story.execute(agent, decision, "the order goes out")
    story.teller.step("buyer proposes it again")
    story.propose(agent, "order.draft", ORDER, evidence=[PRICES])
    story.explain("buyer", PRICES)

    story.teller.step(f'buyer asks: "{QUESTION}"')
    hits = story.ask("buyer", "demo-prices", QUESTION)
    left = {hit.id for hit in hits}.intersection(story.graph.descendants(PORTAL))
    story.teller.line("so", f"{len(left)} of these came from the portal")
