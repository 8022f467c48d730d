"""Made-up operations of a history: mostly sensible, now and then wrong on purpose."""

from collections.abc import Callable
from random import Random

from history import ACTIONS, ROLES, STEP, TASKS, TEAMS, USERS, History, Operation
from scribe import Scribe, link_scopes, register_resource, set_up

# What agents do


def _facts(scribe: Scribe, agent: str) -> Operation:
    """What a write takes beside its parents."""
    tracing = scribe.chance(0.5)
    facts: Operation = {"writer": agent, "text": scribe.handle("note"), "tracing": tracing}
    facts["task"] = scribe.task(agent, tracing=tracing)
    facts["scope"] = scribe.scope() if scribe.chance(0.1) else None
    facts["expires_in"] = scribe.later() if scribe.chance(0.12) else None
    return facts


def _observe(scribe: Scribe) -> None:
    agent = scribe.writer()
    good = scribe.readable(agent, "Resource", "Resource", "Tool", "User")
    good = [n for n in good if n in scribe.resources or scribe.chance(0.15)]
    wild = scribe.chance(0.05) or not good
    source = scribe.one(scribe.resources if wild else good)
    facts = _facts(scribe, agent)
    scribe.emit("observe", node=scribe.handle("mem"), source=source, **facts)


def _parents(scribe: Scribe, *agents: str) -> list[str]:
    """Return one to three records that all of ``agents`` may read, rather of the newest."""
    labels = ("Memory", "Claim", "Message")
    readable = [set(scribe.readable(a, *labels, "Resource")) for a in agents]
    good = [n for n in scribe.records(*labels, "Resource") if all(n in r for r in readable)]
    if scribe.chance(0.04):
        good = scribe.records(*labels)
    if scribe.chance(0.02):
        return ["mem:unknown", *scribe.some(good, 1)]
    records = [n for n in good if n not in scribe.resources]
    pool = records[-6:] if records and scribe.chance(0.7) else good
    return scribe.some(pool, 3) if pool else []


def _derive(scribe: Scribe) -> None:
    agent = scribe.writer()
    parents, facts = _parents(scribe, agent), _facts(scribe, agent)
    op, kind = scribe.one([("derive", "mem"), ("summarize", "mem"), ("claim", "claim")])
    if parents:
        scribe.emit(op, node=scribe.handle(kind), parents=parents, **facts)


def _remember(scribe: Scribe) -> None:
    agent = scribe.writer()
    parents = [] if scribe.chance(0.6) else _parents(scribe, agent)
    facts = _facts(scribe, agent)
    scribe.emit("remember", node=scribe.handle("mem"), parents=parents, **facts)


def _send(scribe: Scribe) -> None:
    agent = scribe.writer()
    to = scribe.one(scribe.agents)
    parents, facts = _parents(scribe, agent, to), _facts(scribe, agent)
    facts |= {"scope": None, "expires_in": None}
    scribe.emit("send", node=scribe.handle("msg"), to=to, parents=parents, **facts)


def _ingest(scribe: Scribe) -> None:
    """One line of the host's log: a fact, whoever may read what."""
    writer = scribe.one([*scribe.agents, *scribe.agents, *USERS])
    facts: Operation = {"writer": writer, "text": scribe.handle("note"), "task": scribe.one(TASKS)}
    facts["tracing"] = scribe.chance(0.6)
    back = scribe.random.randint(0, 6)
    facts["occurred_in"] = -(back * STEP + STEP // 4) if scribe.chance(0.6) else None
    parents = scribe.some(scribe.records("Memory", "Claim", "Message", "Resource")[-12:], 2)
    if scribe.chance(0.5):
        source = scribe.one(scribe.resources)
        scribe.emit("ingest", event="observe", node=scribe.handle("mem"), source=source, **facts)
    elif scribe.chance(0.8):
        scribe.emit("ingest", event="derive", node=scribe.handle("mem"), parents=parents, **facts)
    else:
        facts |= {"to": scribe.one(scribe.agents), "parents": parents}
        scribe.emit("ingest", event="send", node=scribe.handle("msg"), **facts)


def _read(scribe: Scribe) -> None:
    agent, labels = scribe.one(scribe.agents), ("Memory", "Claim", "Message", "Resource")
    good = scribe.readable(agent, *labels)
    pool = scribe.records(*labels) if scribe.chance(0.1) or not good else good
    scribe.emit("read", agent=agent, node=scribe.one(pool), task=scribe.one(TASKS))


def _receive(scribe: Scribe) -> None:
    waiting = [a for a in scribe.agents if scribe.oracle.sent.get(a)]
    scribe.emit("receive", agent=scribe.one(waiting or scribe.agents), task=scribe.one(TASKS))


def _retrieve(scribe: Scribe) -> None:
    facts = {"agent": scribe.one(scribe.agents), "task": scribe.one(TASKS)}
    query, k = scribe.handle("query"), scribe.one([1, 2, 3, 5, 50])
    scribe.emit("retrieve", query=query, k=k, **facts)


def _propose(scribe: Scribe) -> None:
    seen = sorted(scribe.oracle.seen, key=lambda key: len(scribe.oracle.seen[key]))
    seen = seen[-6:] if scribe.chance(0.6) else seen  # rather where much was seen
    agent, task = scribe.one(seen) if seen else (scribe.one(scribe.agents), TASKS[0])
    known = list(scribe.oracle.seen.get((agent, task), {}))
    cited = scribe.some(known, 3, 0)
    if scribe.chance(0.05):
        cited = scribe.some(scribe.records("Memory", "Claim", "Resource"), 1)
    evidence = {n: "parameter" if scribe.chance(0.4) else "evidence" for n in cited}
    tool = scribe.one([*ACTIONS, "tool:answer", "tool:answer", "tool:mail"])
    tracing = scribe.chance(0.5)
    everybody = [*USERS, *scribe.agents, *TEAMS, "external:press"]
    audience = scribe.some(everybody, 2) if tool == "tool:mail" and scribe.chance(0.9) else []
    facts = {"evidence": evidence, "audience": audience, "tracing": tracing}
    scribe.emit("propose", agent=agent, task=task, tool=tool, **facts)


# What administrators do


def _verify(scribe: Scribe) -> None:
    able = [u for u in ("user:root", *USERS) if scribe.oracle.may(u, "verify", scribe.now)]
    by = scribe.one(able if able and not scribe.chance(0.1) else USERS)
    evidence = scribe.some([*scribe.resources, *scribe.records("Memory")[-4:]], 2, 0)
    outcome = "confirmed" if scribe.chance(0.75) else "failed"
    records = scribe.records("Memory", "Claim")
    if records:
        node = scribe.one(records[-8:])
        scribe.emit("verify", node=node, by=by, outcome=outcome, evidence=evidence)


def _invalidate(scribe: Scribe) -> None:
    records = scribe.records("Memory", "Claim", "Message")
    by = scribe.one(USERS) if scribe.chance(0.25) else None
    if records:
        scribe.emit("invalidate", node=scribe.handle("rev"), target=scribe.one(records), by=by)


def _revoke(scribe: Scribe) -> None:
    pool = [*scribe.resources * 3, *scribe.records("Memory", "Message", "Claim")]
    rare = ["tool:web", "tool:db", scribe.one(USERS), "res:unknown"]
    target = scribe.one(rare if scribe.chance(0.15) else pool)
    kind = scribe.random.choices(("access", "reliability", "erasure"), (5, 4, 1))[0]
    kind = "access" if kind == "erasure" and scribe.chance(0.5) else kind
    scribe.emit("revoke", node=scribe.handle("rev"), target=target, kind=kind)


def _revoke_window(scribe: Scribe) -> None:
    """Withdraw what a source gave for a time in which it gave something."""
    edges = [e for up in scribe.oracle.up.values() for e in up]
    if not edges:
        return
    edge = scribe.one([e for e in edges if e.parent in scribe.resources] or edges)
    age = int((scribe.now - edge.time).total_seconds()) // STEP  # in steps of the clock
    since = -(age + scribe.random.randint(0, 1)) * STEP - STEP // 2
    until = -(age - scribe.random.randint(0, 2)) * STEP + STEP // 2
    window: Operation = {"since_in": since, "until_in": until}
    if scribe.chance(0.25):
        del window[scribe.one(["since_in", "until_in"])]
    kind = "access" if scribe.chance(0.5) else "reliability"
    scribe.emit("revoke", node=scribe.handle("rev"), target=edge.parent, kind=kind, **window)


def _undo(scribe: Scribe) -> None:
    standing = [n for n, r in scribe.oracle.revocations.items() if not r.undone]
    if scribe.chance(0.05):
        standing = [*scribe.oracle.revocations, "rev:unknown"]
    if standing:
        scribe.emit("undo", node=scribe.one(standing))


def _grant(scribe: Scribe) -> None:
    facts: Operation = {"valid_from_in": scribe.later(3)} if scribe.chance(0.3) else {}
    if scribe.chance(0.4):
        facts["valid_to_in"] = facts.get("valid_from_in", 0) + STEP * scribe.random.randint(1, 5)
        facts["valid_to_in"] += 0 if "valid_from_in" in facts else STEP // 2
    if scribe.chance(0.3):
        facts |= {"principal": scribe.one(USERS), "scopes": scribe.some([*TEAMS, *ROLES], 2)}
        facts["rights"] = scribe.some(["verify", "invalidate", "revoke"], 1, 0)
    else:
        facts |= {"principal": scribe.one(scribe.agents), "scopes": link_scopes(scribe)}
        facts["to"] = scribe.one([*USERS, *USERS, *scribe.agents])
        facts["rights"] = ["read", "write", "act", *scribe.some(["delegate"], 1, 0)]
    scribe.emit("grant", node=scribe.handle("grant"), **facts)


def _withdraw(scribe: Scribe) -> None:
    known = [op["node"] for op in scribe.history if op["op"] == "grant"]
    scribe.emit("withdraw", node=scribe.one(known))


def _set_membership(scribe: Scribe) -> None:
    teams, roles = scribe.some(TEAMS, 3, 0), scribe.some(ROLES, 2, 0)
    scribe.emit("set_membership", node=scribe.one(USERS), teams=teams, roles=roles)


def _set_standing(scribe: Scribe) -> None:
    node = scribe.one([*USERS, *scribe.agents, *scribe.agents])
    bad = {n for n, f in scribe.oracle.nodes.items() if f.get("standing") == "compromised"}
    if bad and scribe.chance(0.7):
        return scribe.emit("set_standing", node=scribe.one(sorted(bad)), standing="established")
    standing = scribe.random.choices(("new", "established", "compromised"), (3, 3, 2))[0]
    return scribe.emit("set_standing", node=node, standing=standing)


def _reclassify(scribe: Scribe) -> None:
    node = scribe.one([*scribe.resources, "tool:web", "tool:db"])
    scribe.emit("reclassify", node=node, source_class=scribe.klass())


def _rescope(scribe: Scribe) -> None:
    used = [r for r in scribe.resources if scribe.oracle.down.get(r)]
    scribe.emit("rescope", node=scribe.one(used or scribe.resources), scope=scribe.scope())


def _advance(scribe: Scribe) -> None:
    scribe.clock += STEP * scribe.one([1, 1, 2, 3, 6])
    scribe.emit("advance")


def _new_resource(scribe: Scribe) -> None:
    register_resource(scribe, scribe.handle("res:r").replace("r:", "n"))


MIX: tuple[tuple[Callable[[Scribe], None], int], ...] = (
    (_observe, 16),
    (_derive, 22),
    (_remember, 4),
    (_send, 5),
    (_ingest, 5),
    (_read, 6),
    (_receive, 3),
    (_retrieve, 5),
    (_propose, 8),
    (_verify, 4),
    (_invalidate, 2),
    (_revoke, 3),
    (_revoke_window, 3),
    (_undo, 4),
    (_grant, 3),
    (_withdraw, 1),
    (_set_membership, 3),
    (_set_standing, 2),
    (_reclassify, 1),
    (_rescope, 3),
    (_advance, 7),
    (_new_resource, 1),
)


def write_history(random: Random, size: int) -> History:
    """Return a set-up and ``size`` operations after it."""
    scribe = Scribe(random)
    set_up(scribe)
    for _ in range(4):
        _observe(scribe)
    target = len(scribe.history) + size - 4
    while len(scribe.history) < target:
        random.choices([op for op, _ in MIX], [weight for _, weight in MIX])[0](scribe)
    return scribe.history
