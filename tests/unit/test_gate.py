# ruff: noqa: ANN401 - tests hand over what the types forbid
import itertools
import math
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapgraph_neo.gate import GateFacts, GateItem, Verdict, decide, recheck
from mapgraph_neo.policy import Policy, load_policy
from mapgraph_neo.policy_parts import ExclusionSignal
from mapgraph_neo.vocabulary import (
    RISK_ORDER,
    EvidenceRole,
    Outcome,
    RevocationKind,
    RiskLevel,
    Rule,
)

POLICY = load_policy()
VERIFIED_MAY = POLICY.model_copy(
    update={"gate": POLICY.gate.model_copy(update={"critical_allow_verified": True})}
)
TELLING = POLICY.model_copy(update={"exclusion_signal": ExclusionSignal.DECISION})
THRESHOLDS = {"answer": 0.30, "low": 0.30, "medium": 0.60, "high": 0.85, "critical": 0.85}

GOOD = GateItem(
    id="mem:good",
    role=EvidenceRole.EVIDENCE,
    affected=frozenset(),
    readable=True,
    admits_audience=True,
    rho=0.95,
    independently_verified=True,
    known=True,
)
ITEMS = {
    "good": GOOD,
    "parameter": replace(GOOD, id="mem:parameter", role=EvidenceRole.PARAMETER),
    "unverified": replace(GOOD, id="mem:unverified", independently_verified=False),
    "middling": replace(GOOD, id="mem:middling", rho=0.7),
    "weak": replace(GOOD, id="mem:weak", rho=0.1),
    "poisoned": replace(GOOD, id="mem:poisoned", affected=frozenset({"reliability"}), rho=0.0),
    "wrong": replace(GOOD, id="mem:wrong", affected=frozenset({"invalid"}), readable=False),
    "withdrawn": replace(GOOD, id="mem:withdrawn", affected=frozenset({"access"}), rho=None),
    "erased": replace(GOOD, id="mem:erased", affected=frozenset({"erasure", "invalid"})),
    "unreadable": replace(GOOD, id="mem:unreadable", readable=False, rho=None),
    "private": replace(GOOD, id="mem:private", admits_audience=False),
    "private-parameter": replace(
        GOOD, id="mem:private-parameter", admits_audience=False, role=EvidenceRole.PARAMETER
    ),
    "unknown": replace(GOOD, id="mem:unknown", known=False),
}


def facts(*items: GateItem, **more: Any) -> GateFacts:
    given: dict[str, Any] = {
        "risk": RiskLevel.LOW,
        "is_answer": False,
        "evidence_needed": True,
        "sends": False,
        "audience": (),
    }
    return GateFacts(items=items, **(given | more))


def named(verdict: Verdict) -> tuple[str, str]:
    return verdict.outcome.value, verdict.rule.value


def table(case: GateFacts, *, verified_may: bool = False) -> tuple[str, str]:  # noqa: PLR0911 - one for each row
    """Say the table of SPEC 6 once more, row by row."""
    items = case.items
    severe = not case.is_answer and case.risk.value in ("high", "critical")
    least = THRESHOLDS["answer" if case.is_answer else case.risk.value]
    if not all(item.known for item in items):
        return "Block", "evidence-not-retrieved"
    if case.sends and not case.audience:
        return "Block", "audience-missing"

    affected = [item for item in items if item.affected]
    if affected:
        rest = tuple(item for item in items if not item.affected)
        mild = all(kind in ("reliability", "invalid") for i in affected for kind in i.affected)
        stands = rest and table(replace(case, items=rest), verified_may=verified_may)[0] == "Allow"
        return ("Reverify" if mild and stands and case.is_answer else "Block"), "R1"

    failing = [item for item in items if not item.readable or not item.admits_audience]
    if failing:
        rest_trust = [item.rho or 0.0 for item in items if item not in failing]
        parameter = any(item.role == "parameter" for item in failing)
        stands = rest_trust and min(rest_trust) >= least
        return ("Redact" if stands and not parameter and not severe else "Block"), "R2"

    if not items and case.is_answer:
        return "Allow", "R3"
    if not items and (case.evidence_needed or case.risk.value != "low"):
        return ("AskUser" if severe else "Reverify"), "R3"
    if items and min(item.rho or 0.0 for item in items) < least:
        return ("AskUser" if severe else "Reverify"), "R3"

    if case.risk.value == "critical" and not case.is_answer:
        allowed = verified_may and items and all(item.independently_verified for item in items)
        return ("Allow" if allowed else "AskUser"), "R4"
    return "Allow", "R4"


def every_case() -> list[GateFacts]:
    combinations = itertools.chain.from_iterable(
        itertools.combinations(ITEMS.values(), size) for size in range(3)
    )
    more = [(ITEMS["good"], ITEMS["unreadable"], ITEMS["poisoned"]), (*ITEMS.values(),)]
    return [
        facts(
            *items,
            risk=risk,
            is_answer=is_answer,
            evidence_needed=needed,
            sends=sends,
            audience=audience,
        )
        for items in [*combinations, *more]
        for risk in RISK_ORDER
        for is_answer in (True, False)
        for needed in (True, False)
        for sends, audience in ((False, ()), (True, ()), (True, ("user:carol",)))
    ]


def test_the_whole_grid_is_the_table_of_the_specification() -> None:
    for case in every_case():
        for policy, verified_may in ((POLICY, False), (VERIFIED_MAY, True)):
            assert named(decide(case, policy)) == table(case, verified_may=verified_may), case


GOLDEN = {
    # items, risk, answer: outcome, rule
    ("good", "high", False): ("Allow", "R4"),
    ("good", "critical", False): ("AskUser", "R4"),
    ("good", "critical", True): ("Allow", "R4"),
    ("", "critical", True): ("Allow", "R3"),
    ("", "low", False): ("Reverify", "R3"),
    ("", "medium", False): ("Reverify", "R3"),
    ("", "high", False): ("AskUser", "R3"),
    ("", "critical", False): ("AskUser", "R3"),
    ("middling", "medium", False): ("Allow", "R4"),
    ("middling", "high", False): ("AskUser", "R3"),
    ("middling", "high", True): ("Allow", "R4"),
    ("weak", "low", False): ("Reverify", "R3"),
    ("weak", "low", True): ("Reverify", "R3"),
    ("poisoned", "low", True): ("Block", "R1"),
    ("good poisoned", "low", True): ("Reverify", "R1"),
    ("good poisoned wrong", "medium", False): ("Block", "R1"),
    ("good poisoned wrong", "medium", True): ("Reverify", "R1"),
    ("good poisoned", "high", False): ("Block", "R1"),
    ("good withdrawn", "low", True): ("Block", "R1"),
    ("good erased", "low", True): ("Block", "R1"),
    ("good poisoned withdrawn", "low", True): ("Block", "R1"),
    ("weak poisoned", "low", True): ("Block", "R1"),
    ("good unreadable poisoned", "low", True): ("Block", "R1"),
    ("unreadable", "low", True): ("Block", "R2"),
    ("good unreadable", "low", True): ("Redact", "R2"),
    ("good unreadable", "medium", False): ("Redact", "R2"),
    ("good unreadable", "high", False): ("Block", "R2"),
    ("weak unreadable", "low", True): ("Block", "R2"),
    ("middling private", "medium", False): ("Redact", "R2"),
    ("good private-parameter", "low", True): ("Block", "R2"),
    ("good unknown poisoned", "low", True): ("Block", "evidence-not-retrieved"),
}  # fmt: skip


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: "-".join(map(str, case)))
def test_golden(case: tuple[str, str, bool]) -> None:
    names, risk, is_answer = case
    items = [ITEMS[name] for name in names.split()]
    verdict = decide(facts(*items, risk=RiskLevel(risk), is_answer=is_answer), POLICY)

    assert named(verdict) == GOLDEN[case]
    assert verdict.threshold == THRESHOLDS["answer" if is_answer else risk]


def test_order_of_evidence_does_not_matter() -> None:
    chance = random.Random(1)  # noqa: S311 - a repeatable shuffle
    for case in every_case()[::37]:
        items = list(case.items)
        chance.shuffle(items)
        assert decide(replace(case, items=tuple(items)), POLICY) == decide(case, POLICY)


@pytest.mark.parametrize(("name", "threshold"), THRESHOLDS.items())
def test_pass_means_at_least_the_threshold_to_the_last_bit(name: str, threshold: float) -> None:
    def at(rho: float) -> Rule:
        risk = RiskLevel.CRITICAL if name == "answer" else RiskLevel(name)
        return decide(
            facts(replace(GOOD, rho=rho), risk=risk, is_answer=name == "answer"), POLICY
        ).rule

    assert at(threshold) is Rule.OTHERWISE
    assert at(math.nextafter(threshold, 1.0)) is Rule.OTHERWISE
    assert at(math.nextafter(threshold, 0.0)) is Rule.TRUST
    assert at(0.1 + 0.2) is (Rule.OTHERWISE if threshold == 0.3 else Rule.TRUST)


def test_obligations_name_what_to_do_and_with_what() -> None:
    def asked(*names: str, **more: Any) -> list[tuple[str, tuple[str, ...]]]:
        verdict = decide(facts(*(ITEMS[name] for name in names), **more), POLICY)
        return [(each.outcome.value, each.targets) for each in verdict.obligations]

    assert asked("good", "wrong", "poisoned", is_answer=True) == [
        ("Reverify", ("mem:poisoned", "mem:wrong"))
    ]
    assert asked("good", "unreadable") == [("Redact", ("mem:unreadable",))]
    assert asked("good", "weak", "middling") == [("Reverify", ("mem:weak",))]
    assert asked("good", "middling", risk=RiskLevel.HIGH) == [("AskUser", ("mem:middling",))]
    assert asked("good", "unverified", risk=RiskLevel.CRITICAL) == [
        ("AskUser", ("mem:unverified",))
    ]
    assert asked() == [("Reverify", ())]
    assert asked("good") == asked("erased") == asked("unknown") == []


def test_trust_is_the_least_and_an_answer_without_evidence_is_marked() -> None:
    assert decide(facts(GOOD, ITEMS["weak"]), POLICY).trust == 0.1
    assert decide(facts(GOOD, ITEMS["unreadable"]), POLICY).trust is None
    empty = decide(facts(is_answer=True), POLICY)
    assert (empty.outcome, empty.unsupported, empty.trust) == (Outcome.ALLOW, True, None)
    assert not decide(facts(GOOD, is_answer=True), POLICY).unsupported


def test_a_role_of_parameter_anywhere_names_the_item() -> None:
    twice = (ITEMS["private"], replace(ITEMS["private"], role=EvidenceRole.PARAMETER))

    assert named(decide(facts(GOOD, *twice), POLICY)) == ("Block", "R2")
    assert named(decide(facts(GOOD, twice[0], twice[0]), POLICY)) == ("Redact", "R2")


def test_the_withheld_signal_is_given_only_where_the_policy_says_so() -> None:
    for policy in (POLICY, POLICY.model_copy(update={"exclusion_signal": ExclusionSignal.OFF})):
        assert decide(facts(GOOD, withheld=3), policy) == decide(facts(GOOD), policy)
    told = decide(facts(GOOD, withheld=3), TELLING)
    assert named(told) == ("Redact", "R2")
    assert told.obligations[0].targets == ()
    assert "withheld" in told.obligations[0].text
    assert named(decide(facts(ITEMS["weak"], withheld=1), TELLING)) == ("Redact", "R2")
    assert named(decide(facts(ITEMS["erased"], withheld=1), TELLING)) == ("Block", "R1")
    assert named(decide(facts(ITEMS["unreadable"], withheld=1), TELLING)) == ("Block", "R2")
    cut = decide(facts(GOOD, ITEMS["unreadable"], withheld=1), TELLING)
    assert (named(cut), cut.obligations[0].targets) == (("Redact", "R2"), ("mem:unreadable",))
    assert named(decide(facts(GOOD, withheld=0), TELLING)) == ("Allow", "R4")
    assert named(recheck(facts(GOOD, withheld=3), TELLING)) == ("Allow", "R4")


def test_recheck_runs_the_first_two_rules_alone() -> None:
    for case in every_case()[::5]:
        whole, again = decide(case, POLICY), recheck(case, POLICY)
        if whole.rule in (Rule.TRUST, Rule.OTHERWISE):
            assert named(again) == ("Allow", "R4")
        else:
            assert again == whole


BROKEN: list[dict[str, Any]] = [
    {"risk": "Low"},
    {"risk": None},
    {"risk": "severe"},
    {"is_answer": None},
    {"is_answer": "yes"},
    {"evidence_needed": None},
    {"sends": 0},
    {"audience": None},
    {"audience": ["user:a"]},
    {"audience": ("",)},
    {"audience": (None,)},
    {"audience": (1,)},
    {"audience": "user:a"},
    {"withheld": -1},
    {"withheld": None},
    {"withheld": True},
    {"items": None},
    {"items": (None,)},
    {"items": ({"id": "mem:1"},)},
]
BROKEN_ITEMS: list[dict[str, Any]] = [
    {"rho": math.nan},
    {"rho": math.inf},
    {"rho": -math.inf},
    {"rho": -0.1},
    {"rho": 1.1},
    {"rho": "0.9"},
    {"rho": True},
    {"rho": None},
    {"id": ""},
    {"id": None},
    {"id": 1},
    {"role": "both"},
    {"role": None},
    {"affected": None},
    {"affected": frozenset({"other"})},
    {"affected": {"reliability": 1}},
    {"readable": None},
    {"readable": 1},
    {"admits_audience": None},
    {"independently_verified": "no"},
    {"known": None},
]


@pytest.mark.parametrize("is_answer", [True, False])
@pytest.mark.parametrize("change", BROKEN + [{"items": c} for c in BROKEN_ITEMS], ids=repr)
def test_what_cannot_be_evaluated_is_blocked(change: dict[str, Any], is_answer: bool) -> None:  # noqa: FBT001 - a parameter
    case = facts(GOOD, is_answer=is_answer)
    if isinstance(change.get("items"), dict):
        change = {"items": (GOOD, replace(ITEMS["parameter"], **change["items"]))}
    verdict = decide(replace(case, **change), POLICY)

    assert named(verdict) == ("Block", "evaluation-error")
    assert verdict.reason.startswith("the action cannot be evaluated: ")
    if change != {"items": (GOOD, replace(ITEMS["parameter"], rho=None))}:
        assert recheck(replace(case, **change), POLICY) == verdict


@pytest.mark.parametrize(
    "policy", [None, {}, "policy", POLICY.model_copy(update={"thresholds": None})]
)
def test_a_broken_policy_blocks(policy: Any) -> None:
    assert named(decide(facts(GOOD), policy)) == ("Block", "evaluation-error")
    assert named(decide(facts(), policy)) == ("Block", "evaluation-error")
    assert named(recheck(facts(GOOD), policy)) == ("Block", "evaluation-error")


def test_evidence_under_revocations_of_every_kind_is_affected() -> None:
    hit = replace(GOOD, affected=frozenset(RevocationKind))

    assert named(decide(facts(hit), POLICY)) == ("Block", "R1")


def test_facts_of_another_kind_block() -> None:
    for odd in (None, 1, "facts", {}, GOOD):
        assert named(decide(odd, POLICY)) == ("Block", "evaluation-error")  # type: ignore[arg-type]


def test_a_threshold_that_is_no_number_never_passes() -> None:
    for odd in (math.nan, math.inf, None, "0.1"):
        broken = POLICY.model_copy(
            update={"thresholds": POLICY.thresholds.model_copy(update={"low": odd})}
        )
        assert decide(facts(GOOD), broken).outcome is not Outcome.ALLOW


anything = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(("user:a",))
)


def mostly(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(strategy, strategy, strategy, strategy, anything)


items = st.builds(
    GateItem,
    id=mostly(st.sampled_from(["mem:1", "mem:2"])),
    role=mostly(st.sampled_from(EvidenceRole)),
    affected=mostly(st.frozensets(st.sampled_from(["access", "reliability"]), max_size=1)),
    readable=mostly(st.just(value=True)),
    admits_audience=mostly(st.just(value=True)),
    rho=mostly(st.floats(0, 1)),
    independently_verified=mostly(st.booleans()),
    known=mostly(st.just(value=True)),
)


@settings(max_examples=150)
@given(
    st.builds(
        GateFacts,
        risk=mostly(st.sampled_from(RiskLevel)),
        is_answer=mostly(st.booleans()),
        evidence_needed=mostly(st.booleans()),
        sends=mostly(st.booleans()),
        audience=mostly(st.just(("user:a",))),
        items=mostly(st.lists(items, max_size=3).map(tuple)),
        withheld=mostly(st.integers(0, 2)),
    ),
    st.sampled_from([POLICY, VERIFIED_MAY, TELLING]),
)
def test_the_gate_is_total_and_never_allows_below_the_threshold(
    case: GateFacts, policy: Policy
) -> None:
    verdict = decide(case, policy)

    assert isinstance(verdict, Verdict)
    assert verdict.reason
    if verdict.outcome is Outcome.ALLOW and case.items:
        least = THRESHOLDS["answer" if case.is_answer else case.risk]
        assert all(item.rho is not None and item.rho >= least for item in case.items)
        assert all(i.known and i.readable and not i.affected for i in case.items)


@pytest.mark.parametrize(
    ("rho", "reason"),
    [
        (None, "readable evidence has no trust value"),
        ("0.9", "trust is no number in [0, 1]"),
        (True, "trust is no number in [0, 1]"),
    ],
)
def test_what_cannot_be_evaluated_says_why_and_asks_for_more_than_any_trust(
    rho: Any, reason: str
) -> None:
    verdict = decide(facts(replace(GOOD, rho=rho)), POLICY)

    assert (verdict.outcome, verdict.rule) == (Outcome.BLOCK, Rule.EVALUATION_ERROR)
    assert verdict.reason == f"the action cannot be evaluated: {reason}"
    assert verdict.threshold == 1.0


def test_full_trust_is_trust() -> None:
    assert decide(facts(replace(GOOD, rho=1.0)), POLICY).outcome is Outcome.ALLOW


@pytest.mark.parametrize(("count", "more"), [(5, False), (6, True)])
def test_a_reason_lists_five_ids_and_counts_the_others(count: int, more: bool) -> None:  # noqa: FBT001
    items = [replace(GOOD, id=f"mem:{number}", known=False) for number in range(count)]
    assert (" more" in decide(facts(*items), POLICY).reason) is more
