import inspect
from enum import StrEnum

from mapgraph_neo import vocabulary
from mapgraph_neo.vocabulary import (
    DEFAULT_RIGHTS,
    ENDPOINTS,
    LINEAGE_EDGES,
    RISK_ORDER,
    USER_RIGHTS,
    EdgeType,
    NodeLabel,
    Outcome,
    Right,
    RiskLevel,
    Rule,
)

SPEC_ENDPOINTS = {
    "AUTHORIZED_BY": ("Agent Tool Resource Action", "User Agent"),
    "OBSERVED_FROM": ("Message Memory Claim", "Resource Tool User"),
    "FORWARDED_TO": ("Message", "Agent"),
    "DERIVED_FROM": ("Memory Claim Message", "Memory Claim Message Resource"),
    "SUMMARIZED_FROM": ("Memory Message", "Memory Message Claim Resource"),
    "WRITTEN_BY": ("Memory Claim Message Action", "Agent User Tool"),
    "READ_BY": ("Memory Claim Message Resource", "Agent"),
    "VERIFIED_BY": ("Memory Claim", "Agent Tool User"),
    "INVALIDATED_BY": ("Resource Tool User Memory Claim Message", "User Agent"),
    "USED_FOR_ACTION": ("Memory Claim Resource Tool", "Action"),
}


def test_eight_labels_and_ten_edge_types() -> None:
    assert list(NodeLabel) == "User Agent Tool Resource Message Memory Claim Action".split()  # noqa: SIM905 - as in the text
    assert set(EdgeType) == set(SPEC_ENDPOINTS)
    assert len(EdgeType) == 10


def test_edges_lead_where_the_specification_says() -> None:
    assert set(ENDPOINTS) == set(EdgeType)
    for kind, (sources, targets) in ENDPOINTS.items():
        wanted = tuple(set(words.split()) for words in SPEC_ENDPOINTS[kind])
        assert (set(sources), set(targets)) == wanted, kind


def test_three_edge_types_carry_restriction_and_trust() -> None:
    assert set(LINEAGE_EDGES) == {"OBSERVED_FROM", "DERIVED_FROM", "SUMMARIZED_FROM"}


def test_five_outcomes_and_the_four_rules_in_order() -> None:
    assert set(Outcome) == {"Allow", "Block", "Reverify", "Redact", "AskUser"}
    assert list(Rule)[:4] == ["R1", "R2", "R3", "R4"]
    assert {"evaluation-error", "evidence-not-retrieved"} <= set(Rule)


def test_risks_are_ordered_from_low_to_critical() -> None:
    assert list(RISK_ORDER) == ["low", "medium", "high", "critical"]
    assert set(RISK_ORDER) == set(RiskLevel)


def test_administrative_rights_are_never_held_by_default() -> None:
    administrative = {Right.VERIFY, Right.APPROVE, Right.INVALIDATE, Right.REVOKE, Right.ADMINISTER}

    assert set(DEFAULT_RIGHTS) == {"read", "write", "act"}
    assert set(USER_RIGHTS) == {*DEFAULT_RIGHTS, "delegate"}
    assert administrative.isdisjoint(USER_RIGHTS)
    assert set(Right) == administrative | set(USER_RIGHTS)


def test_every_set_is_closed_and_holds_no_word_twice() -> None:
    sets = [
        each
        for _, each in inspect.getmembers(vocabulary, inspect.isclass)
        if issubclass(each, StrEnum) and each is not StrEnum
    ]

    assert len(sets) >= 12
    for each in sets:
        assert len(each.__members__) == len(list(each)), each
        assert each.__doc__
