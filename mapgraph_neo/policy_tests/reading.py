"""Finds and reads policy tests; what is wrong in one is told with file, line and key."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mapgraph_neo.errors import InputError, PolicyError
from mapgraph_neo.events import parse_event
from mapgraph_neo.policy import Policy, load_policy, policy_of
from mapgraph_neo.policy_file import YAML_SUFFIXES, PolicyFile, Where, parse_yaml, spelt
from mapgraph_neo.policy_tests.model import DOINGS, PolicyTest
from mapgraph_neo.policy_tests.moments import with_times

MAX_FILE_BYTES = 4_000_000
FIRST_LINE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFile:
    """One file that was read: the test, the policy it asks for, and where things stand."""

    __test__ = False  # no test class of pytest

    path: Path
    test: PolicyTest
    policy: Policy | None
    lines: Mapping[Where, int]

    def line(self, *where: str | int) -> int:
        """Return the line of a key, or of the nearest key above it."""
        return line_of(self.lines, where)


class TestFileError(InputError):
    """A file is no policy test; carries the place."""

    __test__ = False

    def __init__(self, path: Path, line: int, key: str, message: str) -> None:
        """Name the place in the message."""
        self.path = path
        self.line = line
        self.said = f"`{key}`: {message}" if key else message
        super().__init__(f"{path}:{line}: {self.said}")


def find_tests(paths: Iterable[Path]) -> list[Path]:
    """Return the files among ``paths`` and the YAML files under the folders among them, sorted.

    In a folder, a policy file that one of its tests names is no test.

    Raises:
        InputError: A folder holds none.

    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            found[path] = None
            continue
        inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in YAML_SUFFIXES)
        policies = {named for each in inside if (named := _named_policy(each))}
        tests = [each for each in inside if each.resolve() not in policies]
        if not tests:
            message = f"no policy test under `{path}`: there is no .yaml file"
            raise InputError(message)
        found.update(dict.fromkeys(tests))
    return list(found)


def read_test(path: Path) -> TestFile:
    """Return the policy test in the file at ``path``.

    Raises:
        TestFileError: It is none; names the file, the line and the key.

    """
    file = _parsed(path)
    try:
        test = PolicyTest.model_validate(file.data)
    except ValidationError as error:
        raise _first_error(path, file, error) from None
    _check_events(path, file, test)
    return TestFile(path=path, test=test, policy=_policy(path, file, test), lines=file.lines)


def line_of(lines: Mapping[Where, int], where: Sequence[str | int]) -> int:
    """Return the line of a key, or of the nearest key above it that the file holds."""
    whole = tuple(where)
    known = (whole[:n] for n in range(len(whole), -1, -1))
    return next((lines[each] for each in known if each in lines), FIRST_LINE)


def _parsed(path: Path) -> PolicyFile:
    try:
        with path.open("rb") as opened:
            raw = opened.read(MAX_FILE_BYTES + 1)
        if len(raw) > MAX_FILE_BYTES:
            raise TestFileError(path, FIRST_LINE, "", f"is larger than {MAX_FILE_BYTES} bytes")
        file = parse_yaml(str(path), raw.decode("utf-8"))
    except OSError as error:
        raise TestFileError(path, FIRST_LINE, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TestFileError(path, FIRST_LINE, "", "is not UTF-8 text") from None
    except RecursionError:
        raise TestFileError(path, FIRST_LINE, "", "is nested too deeply") from None
    except PolicyError as error:
        line, _, said = str(error).removeprefix(f"{path}:").partition(": ")
        raise TestFileError(path, int(line), "", said) from None
    if not file.data:
        raise TestFileError(path, FIRST_LINE, "", "holds nothing")
    return file


def _first_error(path: Path, file: PolicyFile, error: ValidationError) -> TestFileError:
    first, *others = error.errors(include_url=False, include_context=False)
    where: Where = tuple(first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = "no such key"
        if len(where) == 3 and where[0] == "steps":  # noqa: PLR2004 - steps, number, key
            near = get_close_matches(str(where[2]), DOINGS, 1)
            message += f"; is `{near[0]}` meant?" if near else f"; one of {', '.join(DOINGS)}"
    elif isinstance(first["input"], str | int | float):
        message += f", not `{first['input']}`"
    rest = f" (and {len(others)} more)" if others else ""
    text = message[:1].lower() + message[1:] + rest
    return TestFileError(path, line_of(file.lines, where), spelt(where), text)


def _check_events(path: Path, file: PolicyFile, test: PolicyTest) -> None:
    lists: list[tuple[Where, Sequence[Mapping[str, Any]]]] = [(("events",), test.events)]
    lists += [
        (("steps", number, "ingest"), step.ingest)
        for number, step in enumerate(test.steps)
        if step.ingest is not None
    ]
    start = datetime.now(UTC)
    for above, events in lists:
        for number, event in enumerate(events):
            where: Where = (*above, number)
            try:
                parse_event(with_times(event, start), "event")
            except (InputError, ValueError) as error:
                said = str(error).removeprefix("event: ")
                key = said.partition(":")[0].rpartition(".")[2]
                line = line_of(file.lines, (*where, key))
                raise TestFileError(path, line, spelt(where), said) from None


def _policy(path: Path, file: PolicyFile, test: PolicyTest) -> Policy | None:
    try:
        if isinstance(test.policy, str):
            return load_policy(path.parent / test.policy)
        if test.policy is not None:
            inner = {key[1:]: line for key, line in file.lines.items() if key[:1] == ("policy",)}
            return policy_of(PolicyFile(str(path), test.policy, inner))
    except PolicyError as error:
        line = line_of(file.lines, ("policy",))
        message = str(error)
        if message.startswith(f"{path}:"):
            number, _, message = message.removeprefix(f"{path}:").partition(": ")
            line = int(number)
        raise TestFileError(path, line, "policy", message) from None
    return None


def _named_policy(path: Path) -> Path | None:
    """Return the policy file that a test names, if the file can be read and names one."""
    try:
        named = _parsed(path).data.get("policy")
    except TestFileError:
        return None
    if not isinstance(named, str):
        return None
    return Path(os.path.realpath(path.parent / named))
