# ruff: noqa: ANN401 - tests hand over what the types forbid
import itertools
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapgraph_neo.policy import load_policy
from mapgraph_neo.verification import Verification, VerificationGrade, factor

POLICY = load_policy()
START = datetime(2026, 1, 1, tzinfo=UTC)
WRITER = (frozenset({"user:w"}), frozenset({"agent:w"}))


def check(
    verifier: str = "user:v", users: str = "", delegators: str = "", **more: Any
) -> Verification:
    facts: dict[str, Any] = {
        "outcome": "confirmed",
        "at": START,
        "content_hash": "h",
        "standing": "established",
        "evidence_outside": True,
    }
    return Verification(
        verifier=verifier,
        users=frozenset(users.split() or [verifier]),
        delegators=frozenset(delegators.split()),
        **(facts | more),
    )


def given_by(*verifications: Verification) -> tuple[float, int]:
    found = factor(verifications, "h", *WRITER, POLICY)
    return found.factor, found.independent


def test_none_one_and_several() -> None:
    one, two, three = (check(f"user:{name}") for name in "abc")

    assert given_by() == (1.0, 0)
    assert given_by(one) == (1.1, 1)
    assert given_by(one, two) == given_by(one, two, three) == (1.2, 2)


@pytest.mark.parametrize(
    "echo",
    [
        check("user:w"),  # the writer's own user
        check("agent:v", "user:w"),  # answers to the writer's user
        check("agent:v", "user:v user:w"),  # also to the writer's user
        check("agent:v", "user:v", "agent:w"),  # delegated by the writer
        check(standing="new"),
        check(standing="compromised"),
        check(standing=None),
        check(standing="Established"),
        check(evidence_outside=False),
        check(evidence_outside=1),
        check(content_hash="older"),
    ],
)
def test_an_echo_adds_nothing(echo: Verification) -> None:
    assert given_by(echo) == (1.0, 0)
    assert given_by(echo, check("user:b")) == (1.1, 1)


def test_a_verifier_without_a_user_is_not_independent() -> None:
    lost = Verification(
        verifier="agent:v",
        outcome="confirmed",
        at=START,
        content_hash="h",
        users=frozenset(),
        delegators=frozenset(),
        standing="established",
        evidence_outside=True,
    )

    assert given_by(lost) == (1.0, 0)
    assert factor([check()], "h", frozenset(), frozenset(), POLICY).independent == 0


def test_of_two_at_the_same_time_the_one_that_counts_less_is_the_last_word() -> None:
    seen, unseen = check(), check(evidence_outside=False)

    assert given_by(seen, unseen) == given_by(unseen, seen) == (1.0, 0)


def test_a_tool_that_has_a_standing_is_no_tool() -> None:
    assert given_by(check("tool:scan", standing="new")) == (1.0, 0)


def test_a_tool_has_no_standing() -> None:
    assert given_by(check("tool:t", "user:t", standing=None)) == (1.1, 1)
    assert given_by(check("agent:t", "user:t", standing=None)) == (1.0, 0)


def test_five_echoes_of_one_user_are_one_voice() -> None:
    assert given_by(*(check(f"agent:{i}", "user:v", f"agent:d{i}") for i in range(5))) == (1.1, 1)
    assert given_by(*(check(f"agent:{i}", f"user:{i}", "agent:d") for i in range(5))) == (1.1, 1)


def test_a_hundred_new_users_are_no_voice() -> None:
    assert given_by(*(check(f"user:{i}", standing="new") for i in range(100))) == (1.0, 0)


def test_one_independent_pair_is_enough_whichever_is_looked_at_first() -> None:
    hub = check("agent:hub", "user:a user:b")
    found = {
        given_by(*order)
        for order in itertools.permutations([hub, check("user:a"), check("user:b")])
    }

    assert found == {(1.2, 2)}


def test_failed_wins_until_its_verifier_takes_it_back() -> None:
    no = check("user:n", outcome="failed", at=START + timedelta(hours=1))
    yes = [check("user:a"), check("user:b"), check("user:n")]
    back = check("user:n", at=START + timedelta(hours=2))

    assert factor([*yes, no], "h", *WRITER, POLICY) == VerificationGrade(
        factor=0.5, independent=0, failed=True
    )
    assert given_by(*yes, no, check("user:c", at=START + timedelta(days=9)))[0] == 0.5
    assert given_by(*yes, no, back) == (1.2, 2)
    assert given_by(check("user:n", at=no.at), no)[0] == 0.5


def test_anyone_can_fail_and_losing_its_standing_lifts_nothing() -> None:
    for verifier, standing in [
        ("user:w", "established"),
        ("user:x", "new"),
        ("user:x", "compromised"),
        ("tool:t", None),
    ]:
        spoilt = check(verifier, outcome="failed", standing=standing)
        assert given_by(spoilt)[0] == 0.5
        assert given_by(spoilt, check("user:a"))[0] == 0.5


def test_failing_other_content_does_not_count_and_an_unknown_word_fails() -> None:
    assert given_by(check(outcome="failed", content_hash="older")) == (1.0, 0)
    assert given_by(check(outcome="CONFIRMED"))[0] == 0.5


KNOWN = {
    "agent:1": ("user:a", "agent:d", "established"),
    "agent:2": ("user:b", "agent:d", "established"),
    "agent:3": ("user:a user:b", "", "established"),
    "agent:4": ("user:c", "agent:e", "new"),
    "agent:5": ("user:w", "", "established"),
    "user:c": ("user:c", "", "established"),
    "user:x": ("user:x", "", "compromised"),
}


@st.composite
def words(draw: st.DrawFn) -> Verification:
    verifier = draw(st.sampled_from(list(KNOWN)))
    users, delegators, standing = KNOWN[verifier]
    return check(
        verifier,
        users,
        delegators,
        standing=standing,
        outcome=draw(st.sampled_from(["confirmed", "confirmed", "confirmed", "failed"])),
        at=START + timedelta(hours=draw(st.integers(0, 3))),
        evidence_outside=draw(st.booleans()),
    )


@settings(max_examples=60)
@given(st.lists(words(), max_size=7), st.randoms(use_true_random=False))
def test_order_and_repeats_do_not_matter(
    verifications: list[Verification], chance: random.Random
) -> None:
    mixed = verifications * 2
    chance.shuffle(mixed)

    assert given_by(*mixed) == given_by(*verifications)
    assert given_by(*mixed)[0] in {1.0, 1.1, 1.2, 0.5}
