"""A note, its summary, a question from outside, an action, a revocation.

Run it against the private server (``mapgraph server start``) or set NEO4J_URI and NEO4J_PASSWORD.
Each run uses a tenant of its own, unless MAPGRAPH_TENANT names one; MAPGRAPH_EMBEDDER=lite
needs no torch.
"""

import os
import secrets

from mapgraph_neo import ActionNotAllowedError, MapGraph

QUESTION = "How was the quarter?"


def main() -> None:
    """Tell the story in the order in which a backend would call."""
    tenant = os.environ.get("MAPGRAPH_TENANT") or f"quickstart-{secrets.token_hex(3)}"
    with MapGraph.connect(tenant=tenant) as graph:
        print(f"tenant {tenant}")
        register(graph)
        brief = read_and_summarize(graph)
        answer_and_mail(graph, brief)
        withdraw(graph, brief)


def register(graph: MapGraph) -> None:
    """Say who is there. Rights are checked in the store at each call."""
    graph.init(administrator="alice")
    admin = graph.as_admin("alice")
    admin.register_user("bob", teams=["finance"])
    admin.register_user("carol", teams=["sales"])
    admin.register_agent("reader", user="bob", scopes=["team:finance"])
    admin.register_agent("seller", user="carol", scopes=["team:sales"])
    admin.register_tool("answer.post", risk="low", answer=True)
    admin.register_tool("email.send", risk="high", audience_from=["to"])
    admin.register_resource("q3-report", scope=["team:finance"], source_class="internal")


def read_and_summarize(graph: MapGraph) -> str:
    """A summary inherits what restricts its source; similarity opens nothing."""
    reader = graph.as_agent("reader", task="report")
    note = reader.observe("Revenue fell 4 percent in the third quarter", source="res:q3-report")
    brief = reader.summarize("The quarter was weak", parents=[note])

    inside = graph.as_agent("reader", task="ask").retrieve(QUESTION)
    outside = graph.as_agent("seller", task="ask").retrieve(QUESTION)
    print("reader gets", [hit.text for hit in inside])
    print("seller gets", [hit.text for hit in outside])
    why = graph.explain("seller", brief)
    print("because", why.reason, " <- ".join(why.witness))
    return brief


def answer_and_mail(graph: MapGraph, brief: str) -> None:
    """The same evidence carries an answer, and no mail to somebody who may not know."""
    agent = graph.as_agent("reader", task="act")
    agent.read(brief)
    answer = agent.propose("answer.post", arguments={"text": "It was weak."}, evidence=[brief])
    print("answer:", answer.outcome, answer.rule)
    agent.execute(answer.id, run=lambda text: print("posted:", text))

    mail = agent.propose(
        "email.send",
        arguments={"to": ["user:carol"], "body": "The quarter was weak."},
        parameters={"body": [brief]},
    )
    print("mail:", mail.outcome, mail.rule, mail.reason)


def withdraw(graph: MapGraph, brief: str) -> None:
    """A revocation reaches what came from the source; what was allowed before runs no more."""
    agent = graph.as_agent("reader", task="late")
    agent.read(brief)
    allowed = agent.propose("answer.post", arguments={"text": "It was weak."}, evidence=[brief])

    admin = graph.as_admin("alice")
    plan = admin.revoke("res:q3-report", reason="contract ended", dry_run=True)
    print("a revocation would reach", plan.affected, "records and close them to", plan.agents)
    admin.revoke("res:q3-report", reason="contract ended")
    print("may reader read the summary?", graph.check("reader", brief).allowed)
    try:
        agent.execute(allowed.id, run=lambda text: print("posted:", text))
    except ActionNotAllowedError as error:
        print("refused:", error)


if __name__ == "__main__":
    main()
