"""The gate: decides on a proposed action by ordered rules, the first that applies (SPEC 6).

A pure, total function: what cannot be evaluated is Block by rule ``evaluation-error``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mapgraph_neo.model import Obligation
from mapgraph_neo.policy import Policy
from mapgraph_neo.policy_parts import ExclusionSignal
from mapgraph_neo.vocabulary import EvidenceRole, Outcome, RevocationKind, RiskLevel, Rule

_SEVERE = frozenset({RiskLevel.HIGH, RiskLevel.CRITICAL})
_KINDS = frozenset(RevocationKind)
_REPAIRABLE = frozenset({RevocationKind.RELIABILITY, RevocationKind.INVALID})
_LISTED = 5  # ids that a reason spells out; the obligations name all


@dataclass(frozen=True, slots=True, kw_only=True)
class GateItem:
    """The state of one piece of evidence at this moment.

    Attributes:
        id: The record or resource.
        role: Whether it was named as a parameter or only justifies.
        affected: Kinds of the revocations that it or an ancestor stands under.
        readable: CanRead for the acting agent.
        admits_audience: Whether its lineage admits the whole audience; true where its content
            cannot be in the arguments (on a traced handle, a role of evidence).
        rho: Its path trust; ``None`` only where it may not be read.
        independently_verified: Whether an independent verifier confirms its present content.
        known: Whether the agent read it, at its present content, in this task.

    """

    id: str
    role: EvidenceRole
    affected: frozenset[str]
    readable: bool
    admits_audience: bool
    rho: float | None
    independently_verified: bool
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFacts:
    """All that the gate decides on; the host fixes each of them."""

    risk: RiskLevel
    is_answer: bool
    evidence_needed: bool
    sends: bool
    audience: tuple[str, ...]
    items: tuple[GateItem, ...]
    withheld: int = 0

    @property
    def severe(self) -> bool:
        """Whether this is a high or critical action that is no answer."""
        return not self.is_answer and self.risk in _SEVERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the gate says, by which rule, and why."""

    outcome: Outcome
    rule: Rule
    obligations: tuple[Obligation, ...]
    trust: float | None
    threshold: float
    reason: str
    unsupported: bool = False


def decide(facts: GateFacts, policy: Policy) -> Verdict:
    """Return the verdict of the first rule that applies; never raises, never open by mistake."""
    try:
        checked = _checked(facts)
        return (
            _precondition(checked, policy)
            or _affected(checked, policy)
            or _permission(checked, policy)
            or _withheld(checked, policy)
            or _trust(checked, policy)
            or _otherwise(checked, policy)
        )
    except Exception as error:  # noqa: BLE001 - total: whatever goes wrong is Block
        return _failed(error)


def recheck(facts: GateFacts, policy: Policy) -> Verdict:
    """Return the verdict of R1 and R2 alone, just before an approved or allowed action runs.

    The outcome is Allow where neither applies; trust was decided before, or approved.
    """
    try:
        checked = _checked(facts)
        return (
            _precondition(checked, policy)
            or _affected(checked, policy)
            or _permission(checked, policy)
            or _say(checked, policy, Outcome.ALLOW, Rule.OTHERWISE, "nothing stands against it now")
        )
    except Exception as error:  # noqa: BLE001 - total: whatever goes wrong is Block
        return _failed(error)


def _precondition(facts: GateFacts, policy: Policy) -> Verdict | None:
    unknown = _ids(item for item in facts.items if not item.known)
    if unknown:
        reason = f"not read in this task at its present content: {_listed(unknown)}"
        return _say(facts, policy, Outcome.BLOCK, Rule.EVIDENCE_NOT_RETRIEVED, reason)
    if facts.sends and not facts.audience:
        reason = "the tool sends something, and no recipient is known"
        return _say(facts, policy, Outcome.BLOCK, Rule.AUDIENCE_MISSING, reason)
    return None


def _affected(facts: GateFacts, policy: Policy) -> Verdict | None:
    """R1: evidence is revoked or invalidated, or descends from what is."""
    hit = [item for item in facts.items if item.affected]
    if not hit:
        return None
    ids = _ids(hit)
    kinds = frozenset[str]().union(*(item.affected for item in hit))
    reason = f"revoked or invalidated, itself or above ({', '.join(sorted(kinds))}): {_listed(ids)}"
    rest = _without(facts, ids)
    if facts.is_answer and kinds <= _REPAIRABLE and rest.items:
        passed = _permission(rest, policy) or _trust(rest, policy) or _otherwise(rest, policy)
        if passed.outcome is Outcome.ALLOW:
            text = "leave these out, or have new evidence verified, and propose again"
            return _say(facts, policy, Outcome.REVERIFY, Rule.AFFECTED, reason, (ids, text))
    return _say(facts, policy, Outcome.BLOCK, Rule.AFFECTED, reason)


def _permission(facts: GateFacts, policy: Policy) -> Verdict | None:
    """R2: the agent may not read evidence, or the audience may not read what goes out."""
    hit = [item for item in facts.items if not (item.readable and item.admits_audience)]
    if not hit:
        return None
    ids = _ids(hit)
    reason = f"not readable by the agent or the whole audience: {_listed(ids)}"
    parameters = _ids(item for item in facts.items if item.role == EvidenceRole.PARAMETER)
    rest = _without(facts, ids)
    named = not set(ids).isdisjoint(parameters)
    if not facts.severe and not named and rest.items and _trust(rest, policy) is None:
        text = "leave these out and propose again, traced or in a task that never read them"
        return _say(facts, policy, Outcome.REDACT, Rule.PERMISSION, reason, (ids, text))
    return _say(facts, policy, Outcome.BLOCK, Rule.PERMISSION, reason)


def _withheld(facts: GateFacts, policy: Policy) -> Verdict | None:
    """R2 as a signal: something relevant was withheld, and the policy lets the agent know."""
    if policy.exclusion_signal is not ExclusionSignal.DECISION or not facts.withheld:
        return None
    text = "something relevant was withheld from this agent; answer without it, and say so"
    reason = "something relevant was withheld from the agent"
    return _say(facts, policy, Outcome.REDACT, Rule.PERMISSION, reason, ((), text))


def _trust(facts: GateFacts, policy: Policy) -> Verdict | None:
    """R3: the least trusted evidence is below the threshold, or there is none and it is needed."""
    if not facts.items:
        return _empty(facts, policy)
    threshold = policy.thresholds.least(facts.risk, answer=facts.is_answer)
    low = _ids(item for item in facts.items if not _passes(item.rho, threshold))
    if not low:
        return None
    reason = f"trusted less than {threshold:g}: {_listed(low)}"
    outcome = Outcome.ASK_USER if facts.severe else Outcome.REVERIFY
    asks = "have a user approve this" if facts.severe else "have these verified and propose again"
    return _say(facts, policy, outcome, Rule.TRUST, reason, (low, asks))


def _empty(facts: GateFacts, policy: Policy) -> Verdict | None:
    """R3 without evidence. Only a low risk may do without, and only if its tool says so."""
    reason = "no evidence"
    if facts.is_answer:
        allowed = _say(facts, policy, Outcome.ALLOW, Rule.TRUST, f"{reason}: unsupported")
        return replace(allowed, unsupported=True)
    if facts.risk is RiskLevel.LOW and not facts.evidence_needed:
        return None
    if facts.severe:
        asks = ((), "have a user approve this action, which cites no evidence")
        return _say(facts, policy, Outcome.ASK_USER, Rule.TRUST, reason, asks)
    asks = ((), "retrieve evidence, cite it and propose again")
    return _say(facts, policy, Outcome.REVERIFY, Rule.TRUST, reason, asks)


def _otherwise(facts: GateFacts, policy: Policy) -> Verdict:
    """R4: nothing stands against it; a critical action asks the user all the same."""
    if facts.is_answer or facts.risk is not RiskLevel.CRITICAL:
        return _say(facts, policy, Outcome.ALLOW, Rule.OTHERWISE, "every rule is passed")
    unverified = _ids(item for item in facts.items if not item.independently_verified)
    if policy.gate.critical_allow_verified and facts.items and not unverified:
        reason = "every rule is passed, and all evidence is independently verified"
        return _say(facts, policy, Outcome.ALLOW, Rule.OTHERWISE, reason)
    asks = (unverified, "have a user approve this critical action")
    return _say(facts, policy, Outcome.ASK_USER, Rule.OTHERWISE, "the risk is critical", asks)


def _passes(rho: float | None, threshold: float) -> bool:
    if rho is None:
        message = "readable evidence has no trust value"
        raise _UnevaluableError(message)
    return rho >= threshold


class _UnevaluableError(ValueError):
    """A fact that the gate cannot work with; the message holds nothing of the evidence."""


def _checked(facts: GateFacts) -> GateFacts:
    """Return the facts with words resolved; refuses what is of a wrong type, set or range."""
    _need(facts.risk in list(RiskLevel), "the risk is no known level")
    for item in facts.items:
        flags = (item.readable, item.admits_audience, item.independently_verified, item.known)
        _need(all(type(flag) is bool for flag in flags), "a flag of evidence is no boolean")
        _need(item.id and type(item.id) is str, "evidence has no id")
        _need(item.role in list(EvidenceRole), "the role of evidence is unknown")
        _need(item.affected <= _KINDS, "the kind of a revocation is unknown")
        _need(item.rho is None or _is_unit(item.rho), "trust is no number in [0, 1]")
    flags = (facts.is_answer, facts.evidence_needed, facts.sends)
    _need(all(type(flag) is bool for flag in flags), "a flag of the action is no boolean")
    _need(type(facts.withheld) is int and facts.withheld >= 0, "a count is no whole number")
    names = facts.audience
    _need(type(names) is tuple and all(n and type(n) is str for n in names), "no audience")
    return replace(facts, risk=RiskLevel(facts.risk))


def _is_unit(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0.0 <= value <= 1.0  # NaN compares false


def _need(condition: object, otherwise: str) -> None:
    if not condition:
        raise _UnevaluableError(otherwise)


def _say(
    facts: GateFacts,
    policy: Policy,
    outcome: Outcome,
    rule: Rule,
    reason: str,
    asks: tuple[tuple[str, ...], str] | None = None,
) -> Verdict:
    numbers = [item.rho for item in facts.items]
    known = [number for number in numbers if number is not None]
    return Verdict(
        outcome=outcome,
        rule=rule,
        obligations=(Obligation(outcome=outcome, targets=asks[0], text=asks[1]),) if asks else (),
        trust=min(known) if known and len(known) == len(numbers) else None,
        threshold=policy.thresholds.least(facts.risk, answer=facts.is_answer),
        reason=reason,
    )


def _failed(error: Exception) -> Verdict:
    why = str(error) if isinstance(error, _UnevaluableError) else type(error).__name__
    return Verdict(
        outcome=Outcome.BLOCK,
        rule=Rule.EVALUATION_ERROR,
        obligations=(),
        trust=None,
        threshold=1.0,
        reason=f"the action cannot be evaluated: {why}",
    )


def _ids(items: Iterable[GateItem]) -> tuple[str, ...]:
    return tuple(sorted({item.id for item in items}))


def _without(facts: GateFacts, ids: tuple[str, ...]) -> GateFacts:
    out = frozenset(ids)
    return replace(facts, items=tuple(item for item in facts.items if item.id not in out))


def _listed(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return ", ".join(ids[:_LISTED]) + more
