# ruff: noqa: ANN401 - tests hand over what the types forbid
from pathlib import Path
from typing import Any

import pytest

from mapgraph_neo.action_facts import ToolFacts, audience, effective_risk, evidence_needed
from mapgraph_neo.errors import InputError
from mapgraph_neo.policy import Policy, load_policy
from mapgraph_neo.vocabulary import RISK_ORDER, RiskLevel

POLICY = load_policy()
KNOWN = {"user:carol", "agent:a", "team:x", "role:r"}


def tool(name: str = "tool:mail", **more: Any) -> ToolFacts:
    return ToolFacts(**({"name": name, "registered": True, "risk": "low"} | more))


def reached(arguments: dict[str, Any], *paths: str, declared: Any = ()) -> tuple[str, ...]:
    return audience(tool(audience_from=paths), arguments, declared, KNOWN)


def with_rules(folder: Path, text: str) -> Policy:
    (folder / "p.toml").write_text(text)
    return load_policy(folder / "p.toml")


def rule(folder: Path, op: str, value: str | None, argument: str = "a") -> Policy:
    given = "" if value is None else f"value = {value}\n"
    where = f'tool = "mail"\nargument = "{argument}"\n'
    return with_rules(folder, f'[[argument_rules]]\n{where}op = "{op}"\nrisk = "high"\n{given}')


def test_only_a_registered_tool_that_says_so_answers() -> None:
    given = [(True, True), (False, True), (True, False), (True, 1), (True, None)]
    found = [tool(registered=known, answer=answer).is_answer for known, answer in given]

    assert found == [True, False, False, False, False]


def test_the_highest_risk_counts() -> None:
    for registered in RISK_ORDER:
        for declared in (*RISK_ORDER, None):
            found = effective_risk(POLICY, tool(risk=registered), declared, {})
            assert found == max(registered, declared or registered, key=RISK_ORDER.index)


@pytest.mark.parametrize("word", ["", "Low", "severe", 1, ["low"], "none"])
def test_an_unknown_word_is_critical(word: Any) -> None:
    assert effective_risk(POLICY, tool(), word, {}) is RiskLevel.CRITICAL
    assert effective_risk(POLICY, tool(risk=word), "low", {}) is RiskLevel.CRITICAL
    assert effective_risk(POLICY, tool(risk=None), None, {}) is RiskLevel.CRITICAL


def test_an_unregistered_tool_is_a_critical_non_answer_that_needs_evidence() -> None:
    unknown = ToolFacts(name="tool:x", registered=False)
    lying = ToolFacts(name="tool:x", registered=False, risk="low", answer=True, evidence="none")

    for each in (unknown, lying):
        assert effective_risk(POLICY, each, "low", {}) is RiskLevel.CRITICAL
        assert not each.is_answer
        assert evidence_needed(each, RiskLevel.LOW)


def test_only_a_low_risk_tool_may_do_without_evidence() -> None:
    needed = [evidence_needed(tool(evidence="none"), risk) for risk in RISK_ORDER]

    assert needed == [False, True, True, True]
    assert evidence_needed(tool(), RiskLevel.LOW)
    assert evidence_needed(tool(evidence="None"), RiskLevel.LOW)


def test_the_policy_raises_the_risk_of_a_tool_and_never_lowers_it(tmp_path: Path) -> None:
    policy = with_rules(tmp_path, "[tool_risks]\nmail = 'high'\n'*' = 'medium'\n")

    assert effective_risk(policy, tool(), "low", {}) is RiskLevel.HIGH
    assert effective_risk(policy, tool("mail"), None, {}) is RiskLevel.HIGH
    assert effective_risk(policy, tool(risk="critical"), None, {}) is RiskLevel.CRITICAL
    assert effective_risk(policy, tool("tool:other"), None, {}) is RiskLevel.MEDIUM


RULES = {
    ("equals", "'prod'"): (["prod", ["x", "prod"], {"k": "prod"}], ["PROD", "prod ", None, []]),
    ("equals", "1"): ([1, 1.0], [True, "1", 2]),
    ("equals", "true"): ([True], [1, "true"]),
    ("contains", "'Evil.com'"): (["x@EVIL.com", ["a", "evil.comet"]], ["evil", None, []]),
    ("matches_glob", "'*@evil.com'"): (["x@Evil.com", [["y@evil.com"]]], ["x@evil.com.org", ""]),
    ("greater_than", "100"): (
        [101, 100.5, "101", [1, 200], "1e9", "5,000", "much", None, float("nan"), 10**400],
        [100, 99.9, "100", -5, True, False, [], "1_0", {}],
    ),
    ("present", None): ([None, "", 0, [], {}], []),
}


@pytest.mark.parametrize("key", RULES, ids=repr)
def test_argument_rules_raise_the_risk(key: tuple[str, str | None], tmp_path: Path) -> None:
    policy = rule(tmp_path, *key)
    matching, others = RULES[key]

    for value in matching:
        assert effective_risk(policy, tool(), None, {"a": value}) is RiskLevel.HIGH, value
    for value in others:
        assert effective_risk(policy, tool(), None, {"a": value}) is RiskLevel.LOW, value
    assert effective_risk(policy, tool(), None, {"b": matching[0]}) is RiskLevel.LOW
    assert effective_risk(policy, tool("tool:b"), None, {"a": matching[0]}) is RiskLevel.LOW


def test_a_rule_finds_its_argument_through_dots_and_lists(tmp_path: Path) -> None:
    policy = rule(tmp_path, "present", None, "order.lines.price")

    for arguments in (
        {"order": {"lines": {"price": 1}}},
        {"order": {"lines": [{"name": "x"}, {"price": 1}]}},
        {"order.lines": [{"price": 1}]},
        {"order.lines.price": 1},
        {"order": [[{"lines.price": 1}]]},
    ):
        assert effective_risk(policy, tool(), None, arguments) is RiskLevel.HIGH, arguments
    for arguments in ({"order": {"lines": "price"}}, {"order": {"price": 1}}, {}, {"orde": 1}):
        assert effective_risk(policy, tool(), None, arguments) is RiskLevel.LOW, arguments


def test_known_whole_ids_stay_and_all_else_is_external() -> None:
    given = {"to": ["user:carol", "team:x", "role:r", "agent:a", "carol", "user:mallory"]}

    assert reached(given, "to") == (
        "agent:a",
        "external:carol",
        "external:user:mallory",
        "role:r",
        "team:x",
        "user:carol",
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("*", ("external:*",)),
        ("public", ("external:public",)),
        ("@user", ("external:@user",)),
        ("external:acme", ("external:acme",)),
        ("user:carol, bob@x.org", ("external:user:carol, bob@x.org",)),
        (" user:carol", ("external: user:carol",)),
        ("tool:t", ("external:tool:t",)),
        (49, ("external:49",)),
        ({"bob@x.org": "Bob"}, ("external:Bob", "external:bob@x.org")),
        ([["user:carol"], {"x": ["b"]}], ("external:b", "external:x", "user:carol")),
        ([None, "user:carol", "user:carol"], ("user:carol",)),
    ],
)
def test_recipients_of_any_form_are_found(value: Any, expected: tuple[str, ...]) -> None:
    assert reached({"to": value}, "to") == expected


def test_every_named_argument_counts() -> None:
    given = {"to": "user:carol", "more": {"bcc": ["x@y.org"]}, "from": "user:bob"}

    assert reached(given, "to", "cc", "more.bcc") == ("external:x@y.org", "user:carol")


def test_declared_recipients_only_add() -> None:
    assert reached({"to": "user:carol"}, "to", declared=["team:x"]) == ("team:x", "user:carol")
    assert reached({"to": "user:carol"}, "to", declared=[]) == ("user:carol",)
    for hidden in ({}, {"to": []}, {"to": None}, {"recipient": "x@y.org"}):
        assert reached(hidden, "to", declared=["user:carol"]) == ()
    assert audience(tool(sends=True), {}, ["user:carol"], KNOWN) == ("user:carol",)
    assert audience(tool(), {"to": "user:carol"}, [], KNOWN) == ()


@pytest.mark.parametrize(
    "name", ["", " ", "a\nb", "\u200bx", "x" * 129, "ü" * 65, "\ud800", ["a", ""]]
)
def test_a_recipient_that_cannot_be_a_name_is_refused(name: Any) -> None:
    with pytest.raises(InputError, match="to: a recipient"):
        reached({"to": name}, "to")


def test_what_is_known_may_be_asked_for() -> None:
    asked: list[str] = []

    def known(name: str) -> bool:
        asked.append(name)
        return True

    assert audience(tool(audience_from=("to",)), {"to": ["user:z", "z"]}, (), known) == (
        "external:z",
        "user:z",
    )
    assert asked == ["user:z"]


def test_a_tool_sends_if_it_says_so_or_names_recipients() -> None:
    assert tool(sends=True).reaches_others
    assert tool(audience_from=("to",)).reaches_others
    assert not tool().reaches_others


def test_a_recipient_of_the_longest_name_is_one() -> None:
    assert reached({"to": "x" * 128}, "to") == (f"external:{'x' * 128}",)
