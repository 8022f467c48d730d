"""``mapgraph test``: run policy tests, each in a tenant of its own that is removed afterwards."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError
from mapgraph_cli.options import TOOLS, command
from mapgraph_cli.output import tell
from mapgraph_cli.session import Session
from mapgraph_cli.text import clean

if TYPE_CHECKING:
    from mapgraph_neo.policy_tests import Runner, TestFile, TestResult

app = typer.Typer()


@command(app, "test", panel=TOOLS)
def run_tests(
    session: Session,
    paths: Annotated[
        list[Path],
        typer.Argument(
            exists=True, readable=True, help="Policy tests (YAML), and folders of them."
        ),
    ],
    junit: Annotated[
        Path | None, typer.Option("--junit", dir_okay=False, help="Write a JUnit report here too.")
    ] = None,
) -> ExitCode:
    """Run policy tests; exit 3 if one fails or is none, 2 if there is none.

    Each runs in a new tenant, which is removed afterwards; no other tenant is touched. With
    GITHUB_ACTIONS=true each failure is an annotation as well.
    """
    results = _results(session, paths)
    passed = all(each.passed for each in results)
    document = {
        "passed": passed,
        "files": len(results),
        "failed": sum(not each.passed for each in results),
        "results": [_document(each) for each in results],
    }
    session.output.text("\n".join(_lines(results)), document)
    if junit is not None:
        _write_junit(junit, results)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in _annotations(results):
            tell(line)
    return ExitCode.DONE if passed else ExitCode.REFUSED_INPUT


def _results(session: Session, paths: list[Path]) -> "list[TestResult]":
    from mapgraph_neo.errors import InputError  # noqa: PLC0415 - help must be fast
    from mapgraph_neo.policy_tests import TestFileError, find_tests, read_test  # noqa: PLC0415

    try:
        found = find_tests(paths)
    except InputError as error:
        raise CommandError(str(error)) from None
    read: list[TestFile | TestFileError] = []
    for path in found:
        try:
            read.append(read_test(path))
        except TestFileError as error:
            read.append(error)
    with session.tests() as runner:
        return [_result(runner, each) for each in read]


def _result(runner: "Runner", read: "TestFile | Exception") -> "TestResult":
    from mapgraph_neo.policy_tests import TestFileError, unread  # noqa: PLC0415

    return unread(read) if isinstance(read, TestFileError) else runner.run(read)  # pyright: ignore[reportArgumentType] - nothing else is there


def _document(result: "TestResult") -> dict[str, object]:
    return {
        "file": result.file,
        "name": result.name,
        "passed": result.passed,
        "steps": result.steps,
        "seconds": round(result.seconds, 3),
        "failures": list(result.failures),
    }


def _lines(results: "list[TestResult]") -> list[str]:
    lines: list[str] = []
    for each in results:
        word = "ok  " if each.passed else "FAIL"
        lines.append(clean(f"{word}  {each.file}  {each.name}"))
        lines += [
            clean(f"      line {found.line}: {found.step}: {found.message}")
            for found in each.failures
        ]
    failed = sum(not each.passed for each in results)
    seconds = sum(each.seconds for each in results)
    steps = sum(each.steps for each in results)
    lines.append(f"{len(results)} tests, {steps} steps, {failed} failed, {seconds:.1f} s")
    return lines


def _annotations(results: "list[TestResult]") -> list[str]:
    return [
        f"::error file={_escaped(each.file, ',:')},line={found.line},"
        f"title={_escaped(each.name, ',:')}::{_escaped(f'{found.step}: {found.message}')}"
        for each in results
        for found in each.failures
    ]


def _escaped(text: str, more: str = "") -> str:
    """Return ``text`` as a workflow command takes it."""
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def _write_junit(path: Path, results: "list[TestResult]") -> None:
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - written only, never parsed

    failed = sum(not each.passed for each in results)
    suite = ET.Element(
        "testsuite", name="mapgraph", tests=str(len(results)), failures=str(failed), errors="0"
    )
    for each in results:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=clean(each.file),
            name=clean(each.name),
            file=clean(each.file),
            time=f"{each.seconds:.3f}",
        )
        for found in each.failures:
            message = clean(f"{found.step}: {found.message}")
            text = f"{clean(each.file)}:{found.line}: {message}"
            ET.SubElement(case, "failure", message=message).text = text
    try:
        ET.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        message = f"--junit: `{path}` cannot be written: {error.strerror}"
        raise CommandError(message) from None
