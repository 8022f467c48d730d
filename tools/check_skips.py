"""Fail if a test was skipped that no line of the list expects; silent when all is well.

    python tools/check_skips.py junit.xml tests/expected_skips.txt

A line of the list is ``PATTERN  # why``; the pattern is a whole test id (``file::name``) or the
reason of the skip, ``*`` standing for anything. A line that matches nothing is stale and fails too,
unless it begins with ``? ``: what it waits for is on some machines and not on others.
"""

import sys
from fnmatch import fnmatchcase
from pathlib import Path
from xml.etree import ElementTree as ET


def skips(report: Path) -> list[tuple[str, str]]:
    """Return id and reason of each skipped test of a JUnit report."""
    found: list[tuple[str, str]] = []
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314 - our own report
        name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        found += [(name, skip.get("message", "")) for skip in case.iter("skipped")]
    return found


def expected(listing: Path) -> dict[str, bool]:
    """Return the patterns of the list, each with whether it must match something.

    Raises:
        ValueError: A line gives no reason.

    """
    lines = [line.strip() for line in listing.read_text(encoding="utf-8").splitlines()]
    patterns: dict[str, bool] = {}
    for line in (line for line in lines if line and not line.startswith("#")):
        pattern, mark, why = line.partition("  # ")
        if not mark or not why.strip():
            message = f"{listing}: `{line}` gives no reason"
            raise ValueError(message)
        patterns[pattern.removeprefix("? ").strip()] = not pattern.startswith("? ")
    return patterns


def complaints(found: list[tuple[str, str]], patterns: dict[str, bool]) -> list[str]:
    """Return what is wrong between the skips and the list."""
    unexpected = [
        f"skipped, and not in the list: {name}: {reason}"
        for name, reason in found
        if not any(_fits(name, reason, pattern) for pattern in patterns)
    ]
    stale = [
        f"in the list, but nothing was skipped for it: {pattern}"
        for pattern, needed in patterns.items()
        if needed and not any(_fits(name, reason, pattern) for name, reason in found)
    ]
    return unexpected + stale


def _fits(name: str, reason: str, pattern: str) -> bool:
    literal = pattern.replace("[", "[[]")  # brackets belong to the id of a parametrised test
    return fnmatchcase(name, literal) or fnmatchcase(reason, literal)


def main(report: Path, listing: Path) -> int:
    """Print the complaints, and return the exit status."""
    wrong = complaints(skips(report), expected(listing))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
