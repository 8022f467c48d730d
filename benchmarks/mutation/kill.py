"""The second step: plants a mutant in a process of its own, and runs what may kill it."""

import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pytest

from . import plant
from .mutant import Mutant

SECONDS = 300.0
OPTIONS = ("-x", "-q", "--no-cov", "-p", "no:cacheprovider")
BY_TIME = "the time limit"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One mutant and the tests that may kill it, likeliest first."""

    mutant: Mutant
    kind: Literal["statement", "module"]
    tests: Sequence[str]


class _First:
    """A plugin of pytest that keeps which test failed first."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = f"{report.nodeid} (import)"


@dataclass(kw_only=True)
class _Child:
    trial: Trial
    pid: int
    pipe: int
    until: float
    said: bytes = field(default=b"")


def run(trials: Iterable[Trial], *, workers: int) -> Iterator[tuple[Trial, str]]:
    """Yield each trial with the test that killed its mutant, or with nothing if none did."""
    waiting = iter(trials)
    children: list[_Child] = []
    while True:
        while len(children) < workers and (trial := next(waiting, None)) is not None:
            if trial.tests:
                children.append(_start(trial))
            else:
                yield trial, ""
        if not children:
            return
        ready, _, _ = select.select([child.pipe for child in children], [], [], 1.0)
        for child in list(children):
            late = time.monotonic() > child.until
            if child.pipe in ready:
                part = os.read(child.pipe, 65536)
                child.said += part
                if part:
                    continue
            elif not late:
                continue
            children.remove(child)
            os.close(child.pipe)
            if late:
                os.killpg(child.pid, signal.SIGKILL)
            os.waitpid(child.pid, 0)
            yield child.trial, BY_TIME if late else child.said.decode()


def _start(trial: Trial) -> _Child:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.setpgid(0, 0)
        _child(trial, writing)
    os.close(writing)
    return _Child(trial=trial, pid=pid, pipe=reading, until=time.monotonic() + SECONDS)


def _child(trial: Trial, writing: int) -> None:
    """Never returns."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    mutant = trial.mutant
    said = f"{mutant.place} (start)"
    try:
        plant.forget()
        if trial.kind == "module":
            plant.module(mutant.place, mutant.text)
        else:
            plant.statement(mutant.place, mutant.text)
        first = _First()
        code = pytest.main([*OPTIONS, *trial.tests], plugins=[first])
        said = first.failed
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            said = first.failed or f"exit {int(code)}"
    finally:
        os.write(writing, said.encode())
        os.close(writing)
        sys.stdout.flush()
        os._exit(0)
