"""Asks the questions of a policy test and compares the answers."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mapgraph_neo.model import Decision, Explanation
from mapgraph_neo.policy_tests import steps_expect as expect
from mapgraph_neo.policy_tests.acting import Wrong
from mapgraph_neo.policy_tests.stage import Stage, agent_id

TOLERANCE = 1e-6
AUDIT_LIMIT = 1_000


def ask(stage: Stage, name: str, body: Any) -> Wrong:  # noqa: ANN401 - the form of that question
    """Ask one question and return what is not as the test says.

    Raises:
        MapGraphError: The question was refused.

    """
    return _QUESTIONS[name](stage, body)


def _check(stage: Stage, body: expect.Check) -> Wrong:
    record = stage.id(body.id)
    found = stage.graph.explain(body.agent, record)
    own = stage.graph.as_agent(body.agent).check(record).allowed
    wrong = _judged(stage, found, body)
    if own is not found.allowed:
        wrong.append(f"the agent itself is told {_word(own)}, the operator {_word(found.allowed)}")
    return wrong


def _explain(stage: Stage, body: expect.Explain) -> Wrong:
    found = stage.graph.explain(body.agent, stage.id(body.id))
    wrong = _judged(stage, found, body)
    witness = stage.show(found.witness)
    if body.witness is not None and witness != list(body.witness):
        wrong.append(f"the path is {_path(witness)}, not {_path(body.witness)}")
    if body.through is not None and body.through not in witness:
        wrong.append(f"the path {_path(witness)} does not pass {body.through}")
    return wrong


def _judged(stage: Stage, found: Explanation, body: expect.Check | expect.Explain) -> Wrong:
    by = f"{_word(found.allowed)} ({found.reason.value}"
    by += f"; {_path(stage.show(found.witness))})" if found.witness else ")"
    if body.allowed is not None and found.allowed is not body.allowed:
        return [f"is {by}, not {_word(body.allowed)}"]
    if body.reason not in (None, found.reason):
        return [f"is {by}, not for the reason {body.reason}"]
    return []


def _retrieve(stage: Stage, body: expect.Retrieve) -> Wrong:
    k = min(body.k, stage.graph.policy.limits.retrieve_k)
    found = stage.agent(body).retrieve(body.query, k=k)
    ids = stage.show(hit.id for hit in found)
    wrong = _listed(ids, body)
    if body.in_order and body.exactly is not None and not wrong and ids != list(body.exactly):
        wrong.append(f"ranks {_list(ids)}, not {_list(body.exactly)}")
    if body.complete is not None and found.complete is not body.complete:
        wrong.append(f"says complete={str(found.complete).lower()}")
    hits = dict(zip(ids, found, strict=True))
    for each in body.trust.keys() | body.text.keys():
        if each not in hits:
            wrong.append(f"does not find {each}")
            continue
        hit = hits[each]
        if each in body.trust and abs(hit.trust - body.trust[each]) > TOLERANCE:
            wrong.append(f"trusts {each} {hit.trust:.6f}, not {body.trust[each]:.6f}")
        if each in body.text and hit.text != body.text[each]:
            wrong.append(f"finds another text for {each}")
    return wrong


def _receive(stage: Stage, body: expect.Receive) -> Wrong:
    return _listed(stage.show(each.id for each in stage.agent(body).receive()), body)


def _eligible(stage: Stage, body: expect.Eligible) -> Wrong:
    return _listed(stage.show(stage.graph.eligible(body.agent)), body)


def _readers(stage: Stage, body: expect.Readers) -> Wrong:
    wanted = body.model_copy(
        update={
            key: tuple(agent_id(each) for each in given)
            for key in ("exactly", "contains", "lacks")
            if (given := getattr(body, key)) is not None
        }
    )
    return _listed(list(stage.graph.readers(stage.id(body.id))), wanted)


def _lineage(stage: Stage, body: expect.Lineage) -> Wrong:
    found = stage.graph.lineage(stage.id(body.id))
    above = {node.id: node.state for node in found.nodes if "hops" in node.properties}
    wrong = _listed(stage.show(above), body)
    states = dict(zip(stage.show(above), above.values(), strict=True))
    for each, state in body.states.items():
        if states.get(each) != state:
            wrong.append(f"shows {each} as {states.get(each, 'absent')}, not {state}")
    return wrong


def _descendants(stage: Stage, body: expect.Related) -> Wrong:
    return _listed(stage.show(stage.graph.descendants(stage.id(body.id))), body)


def _gate(stage: Stage, body: expect.Gate) -> Wrong:
    parameters = {key: stage.ids(ids) for key, ids in (body.parameters or {}).items()}
    found = stage.agent(body).propose(
        body.tool,
        arguments=body.arguments,
        evidence=stage.ids(body.evidence),
        parameters=parameters,
        audience=body.audience,
        risk=body.declared_risk,
        key=body.key,
    )
    stage.name(body.id, found.id)
    return _decided(stage, found, body)


def _decided(stage: Stage, found: Decision, body: expect.Gate) -> Wrong:
    said = f"{found.outcome.value} by {found.rule.value} ({found.reason})"
    if found.outcome is not body.outcome or body.rule not in (None, found.rule):
        wanted = body.outcome.value + (f" by {body.rule.value}" if body.rule else "")
        return [f"says {said}, not {wanted}"]
    wrong: Wrong = []
    if body.risk not in (None, found.risk):
        wrong.append(f"takes the risk for {found.risk.value}, not {body.risk}")
    if body.unsupported not in (None, found.unsupported):
        wrong.append(f"says unsupported={str(found.unsupported).lower()}")
    if body.says is not None and body.says not in found.reason:
        wrong.append(f"says {said}, not `{body.says}`")
    targets = sorted({each for o in found.obligations for each in stage.show(o.targets)})
    if body.targets is not None and targets != sorted(body.targets):
        wrong.append(f"obliges about {_list(targets)}, not {_list(body.targets)}")
    return wrong + _trusted(found.trust, body)


def _trusted(trust: float | None, body: expect.Gate) -> Wrong:
    wanted = (body.trust, body.at_least, body.at_most)
    if wanted == (None, None, None):
        return []
    if trust is None:
        return ["knows no trust"]
    low = body.at_least if body.trust is None else body.trust
    high = body.at_most if body.trust is None else body.trust
    if (low is not None and trust < low - TOLERANCE) or (
        high is not None and trust > high + TOLERANCE
    ):
        return [f"trusts it {trust:.6f}, not from {low or 0.0:.6f} to {high or 1.0:.6f}"]
    return []


def _decisions(stage: Stage, body: expect.Decisions) -> Wrong:
    found = stage.graph.decisions(
        agent=body.agent,
        outcome=body.outcome,
        state=body.state,
        source=None if body.source is None else stage.id(body.source),
        limit=AUDIT_LIMIT,
    )
    return _listed(stage.show(each.id for each in found), body)


def _audit(stage: Stage, body: expect.Audit) -> Wrong:
    found = [
        each
        for each in stage.graph.audit(actor=body.actor, act=body.act, limit=AUDIT_LIMIT)
        if body.target is None or stage.id(body.target) == each.target
        if body.outcome in (None, each.outcome)
    ]
    if body.count is None and found:
        return []
    if body.count == len(found):
        return []
    return [f"holds {len(found)} such records, not {'any' if body.count is None else body.count}"]


def _listed(found: Sequence[str], body: expect.Listed) -> Wrong:
    wrong: Wrong = []
    have = set(found)
    if body.exactly is not None and (have != set(body.exactly) or len(found) != len(have)):
        missing, more = sorted(set(body.exactly) - have), sorted(have - set(body.exactly))
        parts = [f"lacks {_list(missing)}"] if missing else []
        parts += [f"has {_list(more)} too"] if more else []
        wrong.append(" and ".join(parts or ["names one of them twice"]))
    if missing := sorted(set(body.contains or ()) - have):
        wrong.append(f"lacks {_list(missing)}")
    if more := sorted(set(body.lacks or ()) & have):
        wrong.append(f"has {_list(more)}")
    return wrong


def _list(ids: Iterable[str]) -> str:
    return ", ".join(ids) or "nothing"


def _path(ids: Iterable[str]) -> str:
    return " <- ".join(ids) or "empty"


def _word(allowed: bool) -> str:  # noqa: FBT001 - a word for a flag
    return "readable" if allowed else "not readable"


_QUESTIONS: dict[str, Callable[[Stage, Any], Wrong]] = {
    "check": _check,
    "explain": _explain,
    "retrieve": _retrieve,
    "receive": _receive,
    "eligible": _eligible,
    "readers": _readers,
    "lineage": _lineage,
    "descendants": _descendants,
    "gate": _gate,
    "decisions": _decisions,
    "audit": _audit,
}
