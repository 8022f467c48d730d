"""What a profile counts: each step's own time, and nothing while nobody looks."""

import time

import pytest

from mapgraph_neo import profiled
from mapgraph_neo.profile import step


def test_a_step_counts_its_own_time_without_the_steps_inside_it() -> None:
    with profiled() as profile:
        with step("outer"):
            time.sleep(0.01)
            for _ in range(2):
                with step("inner"):
                    time.sleep(0.02)
        with step("outer"):
            pass

    assert list(profile.steps) == ["outer", "inner"]
    assert [each.calls for each in profile.steps.values()] == [2, 2]
    assert profile.steps["inner"].seconds >= 0.04
    assert 0.01 <= profile.steps["outer"].seconds < profile.steps["inner"].seconds
    assert profile.seconds == pytest.approx(sum(s.seconds for s in profile.steps.values()))


def test_a_step_that_fails_is_counted_too() -> None:
    with profiled() as profile:
        with pytest.raises(ValueError, match="no"), step("outer"), step("inner"):
            raise ValueError("no")  # noqa: EM101 - a word
        with step("outer"):
            pass

    assert (profile.steps["outer"].calls, profile.steps["inner"].calls) == (2, 1)
    assert profile.inside == []


def test_nothing_is_counted_outside() -> None:
    with step("before"):
        pass
    with profiled() as profile:
        pass
    with step("after"):
        pass
    assert profile.steps == {}
