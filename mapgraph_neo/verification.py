"""Verification: what the verifiers of a record's present content add to its trust, or take.

A verifier counts only if it is *independent* (SPEC 4): it answers to another user than the
writer and than the other counted verifiers, shares no delegating agent with them, is neither
new nor compromised, and cites evidence from outside the record's lineage and descendants.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from mapgraph_neo.policy import Policy
from mapgraph_neo.vocabulary import Standing, VerificationOutcome

SEVERAL = 2  # more independent verifiers than this add nothing (SPEC 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """One VERIFIED_BY edge and who stands behind the verifier.

    ``users`` are the users at the ends of the verifier's chains (a user is its own),
    ``delegators`` the agents on them; ``standing`` is ``None`` for a tool, which has none.
    """

    verifier: str
    outcome: str
    at: datetime
    content_hash: str
    users: frozenset[str]
    delegators: frozenset[str]
    standing: str | None
    evidence_outside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationGrade:
    """The factor V, and how many independent verifiers confirm: 0, 1, or 2 for two and more."""

    factor: float
    independent: int
    failed: bool = False


def factor(
    verifications: Iterable[Verification],
    content_hash: str,
    writer_users: frozenset[str],
    writer_delegators: frozenset[str],
    policy: Policy,
) -> VerificationGrade:
    """Return what the verifications of a record amount to, whatever their order.

    Args:
        verifications: All of the record's.
        content_hash: Its present content; verifications of another content do not count.
        writer_users: The users above its writers. Without any, independence cannot be shown.
        writer_delegators: The agents above its writers, themselves included.
        policy: Where the numbers come from.

    """
    latest = _latest(each for each in verifications if each.content_hash == content_hash)
    if not all(_confirms(each) for each in latest):  # whoever said so: no lost standing lifts trust
        return VerificationGrade(factor=policy.verification.failed, independent=0, failed=True)
    voices = {
        (each.users, each.delegators)
        for each in latest
        if _counts(each)
        and _apart((each.users, each.delegators), (writer_users, writer_delegators))
    }
    independent = _independent(voices)
    known = policy.verification
    value = (known.none, known.one, known.several)[independent]
    return VerificationGrade(factor=value, independent=independent)


_Voice = tuple[frozenset[str], frozenset[str]]
"""The users and the delegating agents behind a verifier: who speaks through it."""


def _latest(verifications: Iterable[Verification]) -> list[Verification]:
    """Return the last word of each verifier; of two at the same time, the one that counts less."""
    last: dict[str, Verification] = {}
    for each in verifications:
        other = last.get(each.verifier)
        if other is None or _moment(each) > _moment(other):
            last[each.verifier] = each
    return list(last.values())


def _moment(each: Verification) -> tuple[datetime, bool, bool]:
    return each.at, not _confirms(each), each.evidence_outside is not True


def _confirms(each: Verification) -> bool:
    """Whether it confirms; any other word counts as failed."""
    return each.outcome == VerificationOutcome.CONFIRMED


def _counts(each: Verification) -> bool:
    tool = each.standing is None and each.verifier.startswith("tool:")
    return (tool or each.standing == Standing.ESTABLISHED) and each.evidence_outside is True


def _apart(one: _Voice, other: _Voice) -> bool:
    """Whether both are known to answer to users, to different ones, over different agents."""
    return (
        bool(one[0])
        and bool(other[0])
        and one[0].isdisjoint(other[0])
        and one[1].isdisjoint(other[1])
    )


def _independent(voices: set[_Voice]) -> int:
    """Return how many are independent of each other, counted up to two.

    Two are all that the factor asks for, so looking for one pair is exact: no order in which
    verifiers are picked can make a difference.
    """
    if not voices:
        return 0
    shared = frozenset[str].intersection(*(users for users, _ in voices))
    if not shared and any(_apart(one, other) for one, other in combinations(voices, 2)):
        return SEVERAL
    return 1
