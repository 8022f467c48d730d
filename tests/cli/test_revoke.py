import secrets
from collections.abc import Callable

import pytest
from command_line import Cli

from mapgraph_neo.admin import AdminHandle

Source = Callable[[], tuple[str, str, str]]


def readable(cli: Cli, record: str) -> bool:
    return cli("check", record, "--agent", "reader").code == 0


def test_a_dry_run_changes_nothing(cli: Cli, source: Source) -> None:
    resource, note, brief = source()

    report = cli.done("revoke", resource, "--dry-run", told="dry run; nothing was changed\n")

    assert (report["dry_run"], report["revocations"][0]["affected"]) == (True, 2)
    assert report["revocations"][0]["by_depth"] == {"1": 1, "2": 1}
    assert report["revocations"][0]["agents"] == ["agent:reader"]
    assert readable(cli, note)
    assert readable(cli, brief)


def test_revoke_closes_what_came_from_it_and_undo_opens_it(cli: Cli, source: Source) -> None:
    resource, _, brief = source()

    done = cli.done("revoke", resource, "--yes", "--reason", "contract ended")
    assert not readable(cli, brief)
    revocation = done["revocations"][0]["id"]
    assert cli.done("undo", revocation, "--reason", "wrong contract")["id"] == revocation
    assert readable(cli, brief)


def test_repeating_says_that_it_was_done_already(cli: Cli, source: Source) -> None:
    first, second, fresh = source()[0], source()[0], source()[0]
    done = cli.done("revoke", first, second, first, "--yes")
    assert (len(done["revocations"]), done["already"]) == (2, [])

    again = cli("revoke", first, fresh, second, "--yes", "--json")

    assert (again.code, again.document["already"]) == (0, [first, second])
    assert again.document["revocations"][0]["id"] == done["revocations"][0]["id"]
    assert f"{first} was revoked already; nothing was changed\n" in again.stderr


@pytest.mark.parametrize("wrong", ["res:nobody-knows", "", " ", "*", "q3", "agent:reader"])
def test_one_wrong_id_stops_all(cli: Cli, source: Source, wrong: str) -> None:
    resource, note, _ = source()

    answer = cli("revoke", resource, wrong, "--yes")

    assert (answer.code, answer.stdout) == (3, "")
    assert "1 of 2 refused, none revoked" in answer.stderr
    assert readable(cli, note)


def test_where_nobody_can_be_asked_it_must_be_told_yes(cli: Cli, source: Source) -> None:
    resource, note, _ = source()

    answer = cli("revoke", resource, "--json")

    assert answer.code == 2
    assert answer.document["error"]["exit"] == 2
    assert "--dry-run" in answer.stderr
    assert readable(cli, note)


def test_on_a_terminal_it_shows_and_asks(cli: Cli, source: Source) -> None:
    resource, note, _ = source()

    code, seen = cli.answered("n\n", "revoke", resource)
    assert (code, "error: not revoked; nothing was changed" in seen) == (1, True)
    assert "descendants: 2" in seen
    code, seen = cli.answered("", "revoke", resource)
    assert (code, "error: interrupted; nothing was changed" in seen) == (130, True)
    assert readable(cli, note)
    code, seen = cli.answered("y\n", "revoke", resource)
    assert (code, "revocation: rev:" in seen) == (0, True)
    assert not readable(cli, note)


def test_an_interrupt_says_what_is_done(
    cli: Cli, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = source()[0], source()[0]
    whole = AdminHandle.revoke

    def interrupted(self: AdminHandle, target: str, **given: object) -> object:
        if target == second and not given["dry_run"]:
            raise KeyboardInterrupt
        return whole(self, target, **given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(AdminHandle, "revoke", interrupted)
        answer = cli("revoke", first, second, "--yes")
    assert (answer.code, answer.stderr.count("\n")) == (130, 1)
    assert f"certainly revoked: {first};" in answer.stderr

    again = cli("revoke", first, second, "--yes", "--json")
    assert (again.code, again.document["already"]) == (0, [first])


def test_a_window_taints_only_what_came_in_it(cli: Cli, source: Source) -> None:
    resource, note, _ = source()

    cli.done("revoke", resource, "--yes", "--until", "2020-01-01T00:00:00Z")

    assert readable(cli, note)


@pytest.mark.parametrize("time", ["yesterday", "2026-01-01T00:00:00"])
def test_a_time_needs_a_zone(cli: Cli, time: str) -> None:
    answer = cli("revoke", "res:q3", "--yes", "--since", time)

    assert answer.code == 2
    assert answer.stderr.startswith(f"error: --since: `{time}` is no time with a zone")


def test_an_erasure_cannot_be_undone(cli: Cli, source: Source) -> None:
    resource, _, brief = source()
    done = cli.done("revoke", resource, "--yes", "--kind", "erasure")

    answer = cli("undo", done["revocations"][0]["id"], "--reason", "oops")

    assert (answer.code, readable(cli, brief)) == (3, False)


def test_an_unknown_kind_is_refused(cli: Cli) -> None:
    answer = cli("revoke", "res:q3", "--yes", "--kind", "acces")

    assert (answer.code, answer.stderr.count("\n")) == (3, 1)
    assert "`acces`" in answer.stderr


def test_without_the_right_it_is_denied(cli: Cli, source: Source) -> None:
    resource, note, _ = source()

    answer = cli("revoke", resource, "--yes", MAPGRAPH_OPERATOR="carol")

    assert answer.code == 4
    assert "holds no right `revoke`" in answer.stderr
    assert readable(cli, note)


def test_invalidate_contains_like_a_revocation(cli: Cli, source: Source) -> None:
    _, note, brief = source()

    report = cli.done("invalidate", note, "--reason", "misread")

    assert (report["kind"], report["affected"]) == ("invalid", 1)
    assert not readable(cli, brief)


def test_undo_of_an_unknown_revocation(cli: Cli) -> None:
    answer = cli("undo", f"rev:{secrets.token_hex(4)}", "--reason", "x")

    assert (answer.code, answer.stderr.count("\n")) == (3, 1)
