"""The check of skips lets through what the list expects, with a reason, and nothing else."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("check_skips", ROOT / "tools" / "check_skips.py")
assert SPEC is not None
assert SPEC.loader is not None
check_skips = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_skips)

REPORT = """<testsuites><testsuite>
<testcase classname="tests.unit.test_x" name="test_fine"/>
<testcase classname="tests.unit.test_x" name="test_left_out[5.26.30]">
  <skipped message="no such machine"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "junit.xml"
    path.write_text(REPORT, encoding="utf-8")
    return path


def listing(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "expected.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "pattern", ["tests/unit/test_x.py::test_left_out[5.26.30]", "*::test_left*", "no such machine"]
)
def test_an_expected_skip_passes(report: Path, tmp_path: Path, pattern: str) -> None:
    expected = listing(tmp_path, f"# comment\n\n{pattern}  # another machine un-skips it\n")

    assert check_skips.main(report, expected) == 0


def test_an_unexpected_skip_fails(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_skips.main(report, listing(tmp_path, "")) == 1
    assert "test_left_out[5.26.30]: no such machine" in capsys.readouterr().out


def test_a_stale_line_fails(report: Path, tmp_path: Path) -> None:
    expected = listing(tmp_path, "no such machine  # why\nlong gone  # why\n")

    assert check_skips.main(report, expected) == 1


def test_a_line_for_some_machines_only_is_never_stale(report: Path, tmp_path: Path) -> None:
    expected = listing(tmp_path, "? no such machine  # why\n? elsewhere  # why\n")

    assert check_skips.main(report, expected) == 0


def test_a_line_without_a_reason_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="gives no reason"):
        check_skips.expected(listing(tmp_path, "no such machine\n"))


def test_the_list_of_this_project_can_be_read() -> None:
    check_skips.expected(ROOT / "tests" / "expected_skips.txt")
