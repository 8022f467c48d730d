"""Jars: fetched once, whole and as locked, or not at all."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from mirror import Mirror

from mapgraph_neo.errors import ServerError
from mapgraph_neo.server.jars import fetch_jars
from mapgraph_neo.server.report import SilentReporter


class Heard(SilentReporter):
    """Remembers what people would have seen."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.counted = 0
        self.total = 0

    def say(self, text: str) -> None:
        self.said.append(text)

    @contextmanager
    def progress(self, title: str, total: int) -> Generator[Callable[[int], None], None, None]:
        del title
        self.total = total

        def advance(count: int) -> None:
            self.counted += count

        yield advance


def fetch(mirror: Mirror, cache: Path, *, offline: bool = False) -> list[Path]:
    return fetch_jars(mirror.lock, cache, SilentReporter(), offline=offline)


def kept(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file() and path.name != ".lock"]


def test_the_first_time_they_come_and_people_are_told_what(mirror: Mirror, tmp_path: Path) -> None:
    heard = Heard()

    paths = fetch_jars(mirror.lock, tmp_path, heard)

    assert [path.read_bytes() for path in paths] == list(mirror.contents.values())
    assert len(heard.said) == 1
    assert "GPLv3" in heard.said[0]
    assert "5 jars, 0 MB" in heard.said[0]
    assert heard.counted == heard.total == mirror.lock.size
    assert sorted(kept(tmp_path)) == sorted(paths)


def test_the_second_time_nothing_is_asked_for(mirror: Mirror, tmp_path: Path) -> None:
    first = fetch(mirror, tmp_path)
    mirror.asked.clear()

    assert fetch(mirror, tmp_path, offline=True) == first
    assert not mirror.asked


@pytest.mark.parametrize("spoil", [lambda c: c[:-7], lambda c: b"x" * len(c), lambda c: c + b"y"])
def test_a_short_or_foreign_jar_never_gets_into_the_cache(
    mirror: Mirror, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    mirror.served["part-3"] = spoil(mirror.contents["part-3"])

    with pytest.raises(ServerError, match=r"org\.example\.parts:part-3:1\.0.*not what is locked"):
        fetch(mirror, tmp_path)

    assert mirror.asked["part-3"] == 3
    assert not [path for path in kept(tmp_path) if "part-3" in path.name]
    mirror.served["part-3"] = mirror.contents["part-3"]
    assert len(fetch(mirror, tmp_path)) == 5  # and the rest was kept
    assert mirror.asked["part-1"] == 1


@pytest.mark.parametrize("damage", [b"", b"content of jar 2", b"z" * 8500])
def test_a_damaged_jar_is_noticed_and_fetched_again(
    mirror: Mirror, tmp_path: Path, damage: bytes
) -> None:
    path = fetch(mirror, tmp_path)[2]
    path.write_bytes(damage)

    with pytest.raises(ServerError, match="offline"):
        fetch(mirror, tmp_path, offline=True)
    fetch(mirror, tmp_path)

    assert path.read_bytes() == mirror.contents["part-2"]


def test_a_jar_that_is_not_there_is_an_error_with_a_next_step(
    mirror: Mirror, tmp_path: Path
) -> None:
    del mirror.served["part-0"]

    with pytest.raises(ServerError, match=r"cannot fetch .*part-0.*start again: what was fetched"):
        fetch(mirror, tmp_path)


def test_what_a_killed_run_left_behind_is_cleared(mirror: Mirror, tmp_path: Path) -> None:
    left = tmp_path / "maven" / ".fetch-killed" / "half.jar"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")

    fetch(mirror, tmp_path)

    assert not left.parent.exists()


def test_of_several_at_once_one_fetches(mirror: Mirror, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: fetch(mirror, tmp_path), range(4)))

    assert all(answer == answers[0] for answer in answers)
    assert set(mirror.asked.values()) == {1}
