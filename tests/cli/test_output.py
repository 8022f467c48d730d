import json
from datetime import UTC, datetime

import pytest

from mapgraph_cli.output import Form, Output, cell, plain, table, tell
from mapgraph_cli.text import clean
from mapgraph_neo.model import Check
from mapgraph_neo.vocabulary import Reason

AT = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain", "plain"),
        ("caf\u00e9 \U0001f680", "caf\u00e9 \U0001f680"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq\x1b\\after", "after"),
        ("\x1bcreset", "reset"),
        ("a\nb\tc\rd\u2028e", "a b c d e"),
        ("bell\x07 back\x08", "bell back"),
        ("\u202egnp.exe", "gnp.exe"),
        ("[red]no markup[/red]", "[red]no markup[/red]"),
        ("\x1b[", ""),
    ],
)
def test_nothing_in_data_can_steer_a_terminal(given: str, shown: str) -> None:
    assert clean(given) == shown


def test_results_are_named_as_in_python() -> None:
    check = Check(allowed=False, reason=Reason.SCOPE, epoch=3)

    assert plain(check) == {"allowed": False, "reason": "scope", "epoch": 3}
    assert plain({1: AT, "x": (True, None)}) == {"1": AT.isoformat(), "x": [True, None]}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "yes"),
        (0.5, "0.5000"),
        (3, "3"),
        (("a", "b"), "a, b"),
        ({"Memory": 2, "Claim": None}, "Memory=2"),
        (AT, "2026-01-02T03:04:05+00:00"),
        (Reason.SCOPE, "scope"),
    ],
)
def test_cells_are_one_line(value: object, shown: str) -> None:
    assert cell(value) == shown


def test_json_is_one_ascii_line(capsys: pytest.CaptureFixture[str]) -> None:
    Output(Form.JSON).one({"text": "caf\u00e9\n\x9b31m"})

    out = capsys.readouterr().out
    assert (out.count("\n"), out.isascii()) == (1, True)
    assert json.loads(out) == {"text": "caf\u00e9\n\x9b31m"}


def test_a_number_that_is_none_is_not_printed() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        Output(Form.JSON).one({"trust": float("nan")})


def test_tables_are_aligned_and_cut_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    table([{"id": "mem:1", "text": "x" * 300}, {"id": "mem:22", "text": ""}])

    assert capsys.readouterr().out.splitlines() == [
        "ID      TEXT",
        f"mem:1   {'x' * 300}",
        "mem:22",
    ]


def test_a_terminal_gets_a_ruled_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("TERM", raising=False)

    table([{"id": "mem:" + "1" * 30, "text": "[red]word[/red] " * 9}])

    out = capsys.readouterr().out
    assert "mem:" + "1" * 30 in out
    assert out.count("word") == 9
    assert "\u2500" in out


def test_what_is_for_people_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    tell("a\x1b[1mb")

    assert capsys.readouterr() == ("", "ab\n")
