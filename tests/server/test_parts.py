"""Configuration, state, ports and names: closed, private, and refused where they are wrong."""

import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mapgraph_neo.errors import InputError, InvalidNameError, ServerError
from mapgraph_neo.server import LocalServer, StartOptions, find_running
from mapgraph_neo.server.config import check_size, setup_arguments, write_configuration
from mapgraph_neo.server.extras import local_extra
from mapgraph_neo.server.java import Java, clean_environment, find_java
from mapgraph_neo.server.locks import load_lock
from mapgraph_neo.server.plan import check_same, plan_start
from mapgraph_neo.server.ports import free_ports, port_is_free
from mapgraph_neo.server.state import ServerState, load_state, save_state

STATE = ServerState(
    name="one",
    version="2026.08.1",
    password="s3cret-word",  # noqa: S106 - made up
    heap="512m",
    pagecache="128m",
    bolt=17687,
    http=17474,
)


def test_the_configuration_is_closed(tmp_path: Path) -> None:
    (tmp_path / "conf").mkdir()
    write_configuration(tmp_path, STATE)

    path = tmp_path / "conf" / "neo4j.conf"
    settings = dict(line.split("=", 1) for line in path.read_text().splitlines())
    assert settings["server.bolt.listen_address"] == "127.0.0.1:17687"
    assert settings["server.http.listen_address"] == "127.0.0.1:17474"
    assert settings["server.https.enabled"] == "false"
    assert settings["dbms.security.auth_enabled"] == "true"
    assert settings["dbms.security.allow_csv_import_from_file_urls"] == "false"
    assert settings["dbms.usage_report.enabled"] == "false"
    assert settings["client.allow_telemetry"] == "false"
    assert "s3cret" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_arguments_are_quoted_for_java(tmp_path: Path) -> None:
    text = setup_arguments(STATE, [tmp_path / 'a "b" c', Path("back\\slash")])

    assert '"set-initial-password"\n"s3cret-word"\n' in text
    assert 'a \\"b\\" c' in text
    assert "back\\\\slash" in text


@pytest.mark.parametrize("size", ["", "512", "0m", "512M", "-1g", "1g -Dx=y", "1.5g"])
def test_what_is_no_size_is_refused(size: str) -> None:
    with pytest.raises(InputError, match="heap"):
        check_size(size, "heap")


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "x" * 33, "-x", "a b", "a.b"])
def test_what_could_be_another_folder_is_no_name(name: str) -> None:
    with pytest.raises(InvalidNameError):
        LocalServer(name)


def test_the_state_is_private_and_shows_no_password(tmp_path: Path) -> None:
    save_state(tmp_path, STATE)

    assert load_state(tmp_path) == STATE
    assert stat.S_IMODE((tmp_path / "server.json").stat().st_mode) == 0o600
    assert "s3cret" not in repr(STATE)
    assert [path.name for path in tmp_path.iterdir()] == ["server.json"]


def test_a_state_that_others_may_read_is_refused(tmp_path: Path) -> None:
    save_state(tmp_path, STATE)
    (tmp_path / "server.json").chmod(0o644)

    with pytest.raises(ServerError, match="not private"):
        load_state(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "x"}', '{"unknown": 1}'])
def test_a_broken_state_is_an_error_not_a_new_server(tmp_path: Path, text: str) -> None:
    save_state(tmp_path, STATE)
    (tmp_path / "server.json").write_text(text)

    with pytest.raises(ServerError, match="cannot be used"):
        load_state(tmp_path)


def test_ports_are_free_different_and_the_wanted_ones_if_possible() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        bolt, http = free_ports([port, None])
        assert port not in (bolt, http)
        assert bolt != http
        assert not port_is_free(port)
    assert free_ports([bolt, http]) == [bolt, http]


def test_a_port_asked_for_and_taken_is_an_error(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"port {port} is taken"):
            plan_start(tmp_path, None, StartOptions(bolt=port))


def test_what_was_chosen_stays_until_something_else_is_asked_for(tmp_path: Path) -> None:
    first = plan_start(tmp_path, None, StartOptions(heap="300m", version="5.26.30"))

    again = plan_start(tmp_path, first, StartOptions(pagecache="99m"))

    assert (again.heap, again.pagecache, again.version) == ("300m", "99m", "5.26.30")
    assert again.password == first.password
    assert len(first.password) == 48


def test_passwords_differ(tmp_path: Path) -> None:
    made = {plan_start(tmp_path, None, StartOptions()).password for _ in range(5)}

    assert len(made) == 5


def test_data_of_a_newer_version_is_not_given_to_an_older(tmp_path: Path) -> None:
    (tmp_path / "data" / "databases" / "system").mkdir(parents=True)

    with pytest.raises(ServerError, match="cannot read"):
        plan_start(tmp_path, STATE, StartOptions(version="5.26.30"))


def test_data_without_a_password_is_not_taken_over(tmp_path: Path) -> None:
    (tmp_path / "data" / "databases" / "system").mkdir(parents=True)

    with pytest.raises(ServerError, match="is gone; restore it, or delete the data"):
        plan_start(tmp_path, None, StartOptions())


def test_a_running_server_is_not_silently_something_else() -> None:
    check_same(STATE, StartOptions(heap="512m"))
    with pytest.raises(ServerError, match=r"runs already, with heap 512m; stop it first"):
        check_same(STATE, StartOptions(heap="1g"))


def test_secrets_and_foreign_flags_do_not_reach_java(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_PASSWORD", "MAPGRAPH_HASH_KEY", "JAVA_TOOL_OPTIONS"):
        monkeypatch.setenv(name, "x")

    assert {"NEO4J_PASSWORD", "MAPGRAPH_HASH_KEY", "JAVA_TOOL_OPTIONS"}.isdisjoint(
        clean_environment()
    )


def test_a_java_that_is_too_old_or_none_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n")
    java.chmod(0o700)
    monkeypatch.setenv("MAPGRAPH_JAVA", str(java))

    assert find_java(load_lock("5.26.30")) == Java(path=java, major=17)
    with pytest.raises(ServerError, match=r"Java 17 .* too old"):
        find_java(load_lock("2026.08.1"))
    monkeypatch.setenv("MAPGRAPH_JAVA", str(tmp_path / "absent"))
    with pytest.raises(ServerError, match="does not run"):
        find_java(load_lock("2026.08.1"))


def test_a_missing_extra_names_what_to_install() -> None:
    expected = r'pip install "mapgraph-neo\[local\]"'
    with pytest.raises(ServerError, match=expected), local_extra():
        import no_such_package_of_ours  # noqa: F401, PLC0415 # type: ignore[import-not-found]


def test_nothing_runs_where_nothing_was_started(root: Path) -> None:
    assert find_running() is None
    assert LocalServer().status().state == "absent"
    assert LocalServer().stop() is False
    assert LocalServer().destroy() is False
    assert [path.name for path in root.iterdir()] == ["default.lock"]


def test_a_process_id_that_is_somebody_elses_now_is_not_taken_for_the_server(root: Path) -> None:
    home = root / "default"
    home.mkdir(parents=True)
    save_state(home, ServerState(**{**_fields(), "pid": os.getpid()}))

    assert find_running() is None
    assert LocalServer().status().state == "crashed"
    assert LocalServer().stop() is False  # and we live on


def test_a_folder_that_is_not_ours_is_not_deleted(root: Path) -> None:
    kept = root / "default" / "thesis.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("years of work")

    with pytest.raises(ServerError, match="nothing was deleted"):
        LocalServer().destroy()

    assert kept.read_text() == "years of work"


def test_destroying_clears_what_a_killed_one_left(root: Path) -> None:
    left = root / "default.destroyed-0123" / "data"
    left.mkdir(parents=True)

    LocalServer().destroy()

    assert not left.parent.exists()


def test_the_package_loads_neither_driver_nor_extras() -> None:
    code = "import sys, mapgraph_neo.server; print(json.dumps(sorted(sys.modules)))"
    found = subprocess.run(
        [sys.executable, "-c", f"import json; {code}"], check=True, capture_output=True, text=True
    )

    assert {"neo4j", "psutil", "jgo", "platformdirs", "requests"}.isdisjoint(
        json.loads(found.stdout)
    )


def _fields() -> dict[str, object]:
    return {name: getattr(STATE, name) for name in STATE.__dataclass_fields__}
