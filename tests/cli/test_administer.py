import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import STORY, Cli, write_log
from neo4j import Driver

Source = Callable[[], tuple[str, str, str]]


def test_an_operator_needs_no_python(cli: Cli) -> None:
    """Everything from users to a withdrawn grant, by commands alone."""
    name = secrets.token_hex(4)
    assert cli.done("register", "user", f"u-{name}", "--team", "finance") == {
        "id": f"user:u-{name}"
    }
    agent = ("register", "agent", f"a-{name}", "--user", f"u-{name}", "--scope", "@user")
    assert cli.done(*agent) == {"id": f"agent:a-{name}"}
    assert cli.done(*agent) == {"id": f"agent:a-{name}"}  # the same again changes nothing
    assert cli("check", "mem:brief", "--agent", f"a-{name}").code == 0

    cli.done("membership", f"u-{name}", "--no-teams", "--role", "clerk")
    assert cli("check", "mem:brief", "--agent", f"a-{name}").code == 4
    grant = cli.done("grant", f"user:u-{name}", "--scope", "team:finance")["id"]
    assert cli("check", "mem:brief", "--agent", f"a-{name}").code == 0
    assert cli.done("withdraw", grant) == {"id": grant, "withdrawn": True}
    assert cli("check", "mem:brief", "--agent", f"a-{name}").code == 4


def test_tools_and_resources_are_registered(cli: Cli) -> None:
    name = secrets.token_hex(4)
    tool = ("register", "tool", name, "--risk", "low", "--answer", "--evidence", "none")
    assert cli.done(*tool, "--source-class", "partner") == {"id": f"tool:{name}"}
    resource = ("register", "resource", name, "--scope", "team:finance", "--owner", "bob")
    assert cli.done(*resource, "--expires-at", "2100-01-01T00:00:00Z") == {"id": f"res:{name}"}

    again = cli("register", "tool", name, "--risk", "high")
    assert (again.code, again.stderr.count("\n")) == (3, 1)
    assert "registered already" in again.stderr


def test_rescope_narrows_at_once(cli: Cli, source: Source) -> None:
    resource, _, brief = source()

    cli.done("rescope", resource, "--nobody")
    assert cli("check", brief, "--agent", "reader").code == 4
    cli.done("rescope", resource, "--scope", "user:bob", "--scope", "team:law")
    assert cli("check", brief, "--agent", "reader").code == 0


def test_verify_reclassify_and_standing_say_what_they_set(cli: Cli, source: Source) -> None:
    resource, note, _ = source()

    assert cli.done("verify", note, "--evidence", resource)["id"] == note
    assert cli.done("reclassify", resource, "partner")["source_class"] == "partner"
    assert cli.done("standing", "user:carol", "new") == {"id": "user:carol", "standing": "new"}


@pytest.mark.parametrize(
    "vague",
    [
        ("rescope", "res:q3"),
        ("rescope", "res:q3", "--nobody", "--scope", "*"),
        ("membership", "bob"),
        ("membership", "bob", "--no-teams", "--team", "x"),
        ("grant", "user:bob"),
        ("register", "agent", "x", "--user"),
        ("undo", "rev:1"),
    ],
)
def test_what_is_not_said_is_asked_for(cli: Cli, vague: tuple[str, ...]) -> None:
    answer = cli(*vague)

    assert (answer.code, answer.stdout, answer.stderr.count("\n")) == (2, "", 1)
    assert answer.stderr.startswith("error: ")


@pytest.mark.parametrize(
    "command",
    [
        ("register", "user", "x"),
        ("register", "agent", "x", "--user", "bob"),
        ("register", "tool", "x"),
        ("register", "resource", "x"),
        ("grant", "user:carol", "--right", "administer"),
        ("membership", "carol", "--team", "finance"),
        ("rescope", "res:q3", "--nobody"),
        ("standing", "agent:reader", "compromised"),
        ("reclassify", "res:q3", "poisoned"),
        ("verify", "mem:note"),
        ("invalidate", "mem:note", "--reason", "x"),
        ("revoke", "res:q3", "--yes"),
    ],
)
def test_every_act_needs_its_right(cli: Cli, command: tuple[str, ...]) -> None:
    answer = cli(*command, "--json", MAPGRAPH_OPERATOR="carol")

    assert answer.code == 4
    assert answer.document["error"]["type"] == "RefusedError"
    assert cli("check", "mem:brief", "--agent", "reader").code == 0


def test_a_refusal_is_audited(cli: Cli) -> None:
    cli("standing", "agent:reader", "compromised", MAPGRAPH_OPERATOR="carol")

    found = cli.done("audit", "--actor", "user:carol", "--act", "set_standing", "--limit", "999")
    assert {each["outcome"] for each in found} == {"refused"}


def test_init_again_changes_nothing_and_another_administrator_is_refused(cli: Cli) -> None:
    assert cli.done("init", "--administrator", "alice")["administrator"] == "user:alice"

    answer = cli("init", "--administrator", "mallory")

    assert (answer.code, answer.stderr.count("\n")) == (3, 1)


def test_a_log_that_is_replayed_changes_nothing(cli: Cli, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.ndjson", STORY)

    report = cli.done("ingest", str(log))

    assert (report["recorded"], report["replayed"]) == (0, len(STORY))


def test_a_log_is_recorded_only_by_who_may_administer(cli: Cli, tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.ndjson", [dict(STORY[4], id="res:smuggled")])

    answer = cli("ingest", str(log), MAPGRAPH_OPERATOR="carol")

    assert (answer.code, answer.stdout) == (4, "")
    assert "administer" in answer.stderr
    assert cli("readers", "res:smuggled").code == 3


def test_what_is_no_log_is_refused_with_its_place(cli: Cli) -> None:
    answer = cli("ingest", __file__)

    assert (answer.code, answer.stdout) == (3, "")
    assert answer.stderr.startswith("error: test_administer.py:1: ")


def test_doctor_says_that_all_is_well(cli: Cli) -> None:
    report = cli.done("doctor")

    assert (report["healthy"], report["tenant"], report["plan"]) == (True, cli.tenant, [])
    names = {each["name"] for each in report["findings"]}
    assert names >= {"schema", "administrators", "model", "access", "vectors", "cycles"}
    assert cli("doctor").stdout.splitlines()[0].split() == ["CHECK", "STATE", "DETAIL"]


def test_doctor_tells_drift_and_mends_it_for_who_may(cli: Cli, neo4j_driver: Driver) -> None:
    def wide() -> None:
        query = "MATCH (e:_Entry {tenant: $t, id: 'mem:brief'}) SET e.trust = 1.0, e.live = false"
        neo4j_driver.execute_query(query, t=cli.tenant)

    wide()
    found = cli("doctor")
    assert found.code == 7
    assert "--fix would: trust: " in found.stdout
    planned = cli("doctor", "--fix", "--dry-run", "--json")
    assert (planned.code, planned.document["fixed"]) == (7, [])
    assert [each.partition(":")[0] for each in planned.document["plan"]] == ["trust", "liveness"]

    refused = cli("doctor", "--fix", "--json", MAPGRAPH_OPERATOR="carol")
    assert (refused.code, refused.document["error"]["type"]) == (4, "RefusedError")
    assert cli("doctor", "--fix", MAPGRAPH_OPERATOR=None).code == 2
    assert cli("doctor").code == 7  # nothing was changed by any of these

    mended = cli("doctor", "--fix")
    assert (mended.code, "done: records: " in mended.stdout) == (0, True)
    assert cli.done("audit", "--act", "doctor-fix")[0]["actor"] == "user:alice"
    wide()
    assert cli.done("doctor", "--fix")["healthy"]


def test_doctor_names_what_only_a_person_can_mend(cli: Cli, neo4j_driver: Driver) -> None:
    query = "MATCH (n:MapNode {tenant: $t, id: 'tool:mail'}) "
    neo4j_driver.execute_query(query + "REMOVE n.risk", t=cli.tenant)
    try:
        answer = cli("doctor", "--fix")
    finally:
        neo4j_driver.execute_query(query + "SET n.risk = 'high'", t=cli.tenant)

    assert answer.code == 7
    assert "by hand: fields: " in answer.stdout
    assert "tool:mail" in answer.stdout


def test_a_dry_run_of_doctor_goes_with_fix(cli: Cli) -> None:
    assert cli("doctor", "--dry-run").code == 2


def test_doctor_finds_that_a_tenant_was_never_set_up(cli: Cli) -> None:
    answer = cli("doctor", "--tenant", f"never-{secrets.token_hex(4)}", "--json")

    assert (answer.code, answer.document["healthy"]) == (7, False)
