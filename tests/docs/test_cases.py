"""docs/cases.md in step with the tests: every case has a row, every test that is named exists."""

import os
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTS = "MAPGRAPH_TEST_CASES"
"""A folder of lists of cases, where there is one; each case begins as `- **T01 ` or `### C01 `."""
NUMBER = re.compile(r"(?:^|_)([tc]\d{2,3})(?=_)", re.IGNORECASE)
RESULTS = ("passes", "in part: ", "not offered: ", "not in the suite: ")


@cache
def rows() -> dict[str, tuple[str, list[str], str]]:
    text = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")
    found: dict[str, tuple[str, list[str], str]] = {}
    for line in text.splitlines():
        if match := re.fullmatch(r"\| ([TC]\d+) \| (.+) \| (.+) \| (.+) \|", line):
            case, what, tests, result = match.groups()
            assert case not in found, case
            found[case] = (what, re.findall(r"`([^`]+)`", tests), result)
    return found


def named() -> list[str]:
    return sorted({test for _, tests, _ in rows().values() for test in tests})


@pytest.mark.parametrize("test", named())
def test_every_test_that_is_named_exists(test: str) -> None:
    file, _, name = test.partition("::")
    path = ROOT / "tests" / file

    assert path.is_file()
    if name:
        assert re.search(rf"^ *def {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_scenario_and_every_numbered_test_has_its_row() -> None:
    corpus = ROOT / "tests" / "corpus"
    made = [(f"corpus/{path.name}", path.stem) for path in corpus.glob("*.yaml")]
    for path in corpus.glob("test_cases_*.py"):
        names = re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        made += [(f"corpus/{path.name}::{name}", name.removeprefix("test_")) for name in names]

    for test, name in made:
        cases = [case.upper() for case in NUMBER.findall(name)]
        assert cases, test
        for case in cases:
            assert test in rows()[case][1], f"{case} does not name {test}"


def test_every_result_says_what_it_is() -> None:
    for case, (_, tests, result) in rows().items():
        assert result.startswith(RESULTS), case
        assert tests or result.startswith(("not ", "in part")), case


def test_every_case_of_the_lists_has_a_row() -> None:
    folder = os.environ.get(LISTS)
    lists = sorted(Path(folder).glob("*.md")) if folder else []
    heading = re.compile(r"^(?:- \*\*|- |### )([TC]\d{2,3})\b", re.MULTILINE)
    cases = {c for each in lists for c in heading.findall(each.read_text(encoding="utf-8"))}

    assert cases - set(rows()) == set()
    assert not lists or len(cases) > 100
