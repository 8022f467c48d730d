"""Stage 4, action: gathers the facts of a proposal, lets the gate decide, keeps the decision."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mapgraph_neo.action_facts import ToolFacts, audience, effective_risk, evidence_needed
from mapgraph_neo.context import Context, Turn, canonical, digest, take_turn
from mapgraph_neo.drafts import edge_row, write
from mapgraph_neo.evidence import Asking, gather
from mapgraph_neo.gate import GateFacts, Verdict, decide
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings
from mapgraph_neo.model import Decision, Evidence, Obligation
from mapgraph_neo.names import new_id
from mapgraph_neo.record import first_answer, read_set, save_answer
from mapgraph_neo.sync import Synchroniser
from mapgraph_neo.vocabulary import (
    ENDPOINTS,
    EdgeType,
    EvidenceRole,
    NodeLabel,
    Outcome,
    Right,
    RiskLevel,
    Rule,
)
from mapgraph_neo.withheld import withheld


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What an agent wants to do, checked for form."""

    agent: str
    task: str
    tool: str
    arguments: Mapping[str, object]
    evidence: tuple[Evidence, ...]
    audience: tuple[str, ...]
    risk: RiskLevel | None = None
    tracing: bool = False
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A decision as the store keeps it, with what its execution needs."""

    decision: Decision
    arguments: str | None
    binding: str | None
    approval: Mapping[str, Any] | None
    now: datetime
    audience: tuple[str, ...]
    tracing: bool


def propose(context: Context, synchroniser: Synchroniser, proposal: Proposal) -> Decision:
    """Decide on an action and keep the decision, whatever it is, in the transaction that decided.

    Raises:
        NotRegisteredError: No such agent.

    """
    return context.graph.write(lambda tx: _propose(tx, context, synchroniser, proposal))


def load(tx: Transaction, context: Context, decision: str) -> Stored | None:
    """Return a stored decision, or ``None`` when the tenant holds none of that id."""
    rows = tx.run("gate/decision", tenant=context.tenant, id=decision)
    if not rows:
        return None
    row = rows[0]
    properties = row["properties"]
    return Stored(
        decision=decision_of(properties, row["agent"], row["evidence"]),
        arguments=row["arguments"],
        binding=row["binding"],
        approval=row["approval"],
        now=row["now"],
        audience=tuple(properties["audience"]),
        tracing=properties["tracing"],
    )


def decisions(
    context: Context,
    *,
    agent: str | None = None,
    outcome: Outcome | None = None,
    state: str | None = None,
    source: str | None = None,
    limit: int = 100,
) -> list[Decision]:
    """Return stored decisions, newest first; ``source`` keeps those that stand on that node."""

    def work(tx: Transaction) -> list[Decision]:
        ids: Sequence[str] | None = None
        if source is not None:
            used = tx.run("gate/decisions_using", tenant=context.tenant, id=source)
            ids = used[0]["ids"] if used else []
        rows = tx.run(
            "gate/decisions",
            tenant=context.tenant,
            agent=agent,
            outcome=outcome.value if outcome else None,
            state=state,
            ids=ids,
            limit=limit,
        )
        return [decision_of(r["properties"], r["agent"], r["evidence"]) for r in rows]

    return context.graph.read(work)


def tool_facts(tx: Transaction, context: Context, tool: str) -> ToolFacts:
    """Return what the registry says of a tool; one that it does not hold is critical."""
    rows = tx.run("record/nodes", tenant=context.tenant, ids=[tool])
    if not rows:
        return ToolFacts(name=tool, registered=False)
    properties = rows[0]["properties"]
    return ToolFacts(
        name=tool,
        registered=properties.get("revoked") is False,
        risk=properties.get("risk", ""),
        answer=properties.get("answer") is True,
        sends=properties.get("sends") is not False,
        audience_from=tuple(properties.get("audience_from", ())),
        evidence=properties.get("evidence", "required"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The hash that an approval holds for, and the label of each piece of evidence."""

    binding: str
    kinds: Mapping[str, str]


def bound(tx: Transaction, context: Context, proposal: Proposal, arguments_hash: str) -> Bound:
    """Return the hash of action, arguments, policy and evidence with everything above it."""
    ids = sorted(item.id for item in proposal.evidence)
    rows = tx.run("gate/ancestry", tenant=context.tenant, ids=ids) if ids else []
    kinds = dict(rows[0]["kinds"]) if rows else {}
    binding = digest(
        {
            "agent": proposal.agent,
            "task": proposal.task,
            "tool": proposal.tool,
            "arguments": arguments_hash,
            "policy": context.policy.version,
            "evidence": sorted([item.id, item.role.value] for item in proposal.evidence),
            "lineage": [list(each) for each in rows[0]["lineage"]] if rows else [],
        }
    )
    return Bound(binding=binding, kinds=kinds)


def facts_of(
    tx: Transaction,
    context: Context,
    proposal: Proposal,
    asking: Asking,
    withheld_count: int = 0,
) -> GateFacts:
    """Return what the gate decides on; the host's registry fixes risk, kind and audience."""
    tool = tool_facts(tx, context, proposal.tool)
    risk = effective_risk(context.policy, tool, proposal.risk, proposal.arguments)
    names = _known(tx, context, tool, proposal)
    reached = audience(tool, proposal.arguments, proposal.audience, names)
    items = gather(tx, context, proposal.evidence, asking, reached, tracing=proposal.tracing)
    return GateFacts(
        risk=risk,
        is_answer=tool.is_answer,
        evidence_needed=evidence_needed(tool, risk),
        sends=tool.reaches_others,
        audience=reached,
        items=items,
        withheld=withheld_count,
    )


def decision_of(
    properties: Mapping[str, Any], agent: str | None, evidence: Sequence[Sequence[str]]
) -> Decision:
    """Return a decision from the Action node that keeps it."""
    obligations = tuple(
        Obligation(
            outcome=Outcome(row[0]),
            targets=tuple(row[1].split("\n")) if row[1] else (),
            text=row[2],
        )
        for row in (each.split("\x1f") for each in properties["obligations"])
    )
    cited = {pair[0]: pair[1] for pair in evidence}
    for each in properties["cited"]:
        item_id, _, role = each.rpartition("|")
        cited.setdefault(item_id, role)
    return Decision(
        id=properties["id"],
        outcome=Outcome(properties["outcome"]),
        rule=Rule(properties["rule"]),
        obligations=obligations,
        trust=properties.get("trust"),
        threshold=properties["threshold"],
        risk=RiskLevel(properties["risk"]),
        epoch=properties["epoch"],
        policy=properties["policy"],
        reason=properties["reason"],
        agent=agent or properties["agent"],
        task=properties["task"],
        tool=properties["tool"],
        evidence=tuple(
            Evidence(id=item_id, role=EvidenceRole(role)) for item_id, role in sorted(cited.items())
        ),
        unsupported=properties["unsupported"],
        state=properties["state"],
        at=properties["created_at"],
    )


def _propose(
    tx: Transaction, context: Context, synchroniser: Synchroniser, proposal: Proposal
) -> Decision:
    if proposal.key is not None:
        first = first_answer(tx, context.tenant, proposal.agent, proposal.key)
        stored = load(tx, context, str(first)) if first is not None else None
        if stored is not None:
            return stored.decision
    # Before the lock: it may have to load the sidecar, and is a sign, not a permission.
    count = withheld(tx, context, synchroniser, proposal.agent, proposal.task)
    turn = take_turn(tx, context, bump=False, count=1)
    asking = asking_of(tx, context, turn, proposal)
    held = asking.held
    whole = _with_read_set(proposal, asking.seen)
    if held.may(Right.ACT) and held.trusted:
        facts = facts_of(tx, context, whole, asking, count)
        verdict, risk = decide(facts, context.policy), facts.risk
    else:
        count, risk = 0, RiskLevel.CRITICAL
        verdict = refusal(f"`{held.agent}` holds no active grant with the right `act`")
    decision = _keep(tx, context, turn, whole, verdict, risk, count)
    if proposal.key is not None:
        save_answer(tx, context.tenant, proposal.agent, proposal.key, decision.id)
    return decision


def asking_of(tx: Transaction, context: Context, turn: Turn, proposal: Proposal) -> Asking:
    """Return what the proposing agent holds and has seen in its task, under the tenant's lock."""
    return Asking(
        held=holdings(tx, context.tenant, proposal.agent),
        seen=read_set(tx, context.tenant, proposal.agent, proposal.task),
        hash_key=turn.hash_key,
    )


def refusal(reason: str) -> Verdict:
    """Return the verdict for an agent that may not act at all."""
    return Verdict(
        outcome=Outcome.BLOCK,
        rule=Rule.NO_RIGHT,
        obligations=(),
        trust=None,
        threshold=1.0,
        reason=reason,
        unsupported=False,
    )


def _with_read_set(proposal: Proposal, seen: Iterable[str]) -> Proposal:
    """Join the cited evidence with the agent's whole read set, unless the host traced it."""
    if proposal.tracing:
        return proposal
    cited = {item.id for item in proposal.evidence}
    joined = [Evidence(id=each, role=EvidenceRole.EVIDENCE) for each in seen if each not in cited]
    return Proposal(
        agent=proposal.agent,
        task=proposal.task,
        tool=proposal.tool,
        arguments=proposal.arguments,
        evidence=(*proposal.evidence, *joined),
        audience=proposal.audience,
        risk=proposal.risk,
        tracing=False,
        key=proposal.key,
    )


def _known(
    tx: Transaction, context: Context, tool: ToolFacts, proposal: Proposal
) -> frozenset[str]:
    everything = audience(tool, proposal.arguments, proposal.audience, lambda _: True)
    asked = [each for each in everything if not each.startswith("external:")]
    if not asked:
        return frozenset()
    rows = tx.run("gate/known_principals", tenant=context.tenant, principals=asked)
    return frozenset(rows[0]["known"])


def _keep(
    tx: Transaction,
    context: Context,
    turn: Turn,
    proposal: Proposal,
    verdict: Verdict,
    risk: RiskLevel,
    withheld_count: int,
) -> Decision:
    decision_id = new_id(NodeLabel.ACTION)
    node = _node(context, turn, proposal, verdict, risk, decision_id)
    node["properties"]["withheld"] = withheld_count
    arguments_hash = digest(dict(proposal.arguments))
    held_to = bound(tx, context, proposal, arguments_hash)
    edges = [
        edge_row(EdgeType.WRITTEN_BY, decision_id, proposal.agent, turn.now, task=proposal.task)
    ]
    kinds, _ = ENDPOINTS[EdgeType.USED_FOR_ACTION]
    edges += [
        edge_row(EdgeType.USED_FOR_ACTION, item.id, decision_id, turn.now, role=item.role.value)
        for item in proposal.evidence
        if held_to.kinds.get(item.id) in kinds
    ]
    write(tx, context.tenant, nodes=[node], edges=edges)
    tx.run(
        "gate/save_call",
        tenant=context.tenant,
        decision=decision_id,
        arguments=canonical(dict(proposal.arguments)),
        arguments_hash=arguments_hash,
        binding=held_to.binding,
    )
    return decision_of(node["properties"], proposal.agent, ())


def _node(
    context: Context,
    turn: Turn,
    proposal: Proposal,
    verdict: Verdict,
    risk: RiskLevel,
    decision_id: str,
) -> dict[str, Any]:
    state = "pending" if verdict.outcome is Outcome.ASK_USER else "decided"
    properties: dict[str, object] = {
        "id": decision_id,
        "seq": turn.seq + 1,
        "created_at": turn.now,
        "caption": f"{proposal.tool.removeprefix('tool:')}: {verdict.outcome.value}"[:40],
        "revoked": False,
        "parents": 0,
        "integrity": "intact",
        "agent": proposal.agent,
        "task": proposal.task,
        "tool": proposal.tool,
        "outcome": verdict.outcome.value,
        "rule": verdict.rule.value,
        "reason": verdict.reason,
        "trust": verdict.trust,
        "threshold": verdict.threshold,
        "risk": risk.value,
        "unsupported": verdict.unsupported,
        "policy": context.policy.version,
        "epoch": turn.epoch,
        "state": state,
        "audience": list(proposal.audience),
        "tracing": proposal.tracing,
        "declared_risk": proposal.risk.value if proposal.risk else None,
        "cited": [f"{item.id}|{item.role.value}" for item in proposal.evidence],
        "obligations": [
            "\x1f".join((each.outcome.value, "\n".join(each.targets), each.text))
            for each in verdict.obligations
        ],
    }
    return {"kind": NodeLabel.ACTION.value, "properties": properties}
