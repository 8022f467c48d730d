import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from mapgraph_cli.commands.policy import app
from mapgraph_cli.exit_codes import of_error
from mapgraph_neo.errors import PolicyError
from mapgraph_neo.policy import Policy, load_policy, policy_schema
from mapgraph_neo.policy_file import parse_policy
from mapgraph_neo.vocabulary import RiskLevel

ROOT = Path(__file__).parents[2]
RULE = 'tool = "pay"\nargument = "amount"\nrisk = "high"\n'


def write(folder: Path, text: str, name: str = "policy.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def flat(content: dict[str, Any], above: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            found |= flat(value, f"{above}{key}.")
        else:
            found[above + key] = value
    return found


def test_the_default_holds_the_numbers_of_the_specification() -> None:
    policy = load_policy()

    assert dict(policy.source.classes) == {
        "internal_verified": 0.95,
        "internal": 0.90,
        "partner": 0.75,
        "external": 0.65,
        "unknown": 0.40,
        "untrusted": 0.20,
        "poisoned": 0.0,
    }
    assert policy.source.users.model_dump() == {"established": 0.75, "new": 0.4, "compromised": 0.0}
    assert (policy.source.own_user, policy.source.unknown_record) == (1.0, 0.4)
    assert list(policy.integrity.model_dump().values()) == [1.0, 0.5, 0.0, 0.0]
    assert list(policy.transformation.model_dump().values()) == [1.0, 0.95, 0.9]
    assert list(policy.verification.model_dump().values()) == [1.0, 1.1, 1.2, 0.5]
    assert list(policy.writer.model_dump().values()) == [1.0, 1.0, 0.98, 0.9, 0.0]
    assert list(policy.thresholds.model_dump().values()) == [0.3, 0.3, 0.6, 0.85, 0.85]
    assert policy.trust_floor == 0.3
    assert not policy.half_life_days
    assert not policy.gate.critical_allow_verified
    assert (policy.undeclared_parents, policy.exclusion_signal) == ("read_set", "operator")


def test_a_partial_file_is_merged_over_the_default(tmp_path: Path) -> None:
    text = "[source.classes]\nlab = 0.7\n[half_life_days]\nlab = 30\n[tool_risks]\n'a.b' = 'high'\n"
    policy = load_policy(write(tmp_path, text))

    assert policy.source.classes["lab"] == 0.7
    assert policy.source.classes["internal"] == 0.9
    assert policy.half_life_days["lab"] == 30.0
    assert dict(policy.tool_risks) == {"tool:a.b": RiskLevel.HIGH}
    assert policy.thresholds == load_policy().thresholds


def test_toml_and_yaml_say_the_same(tmp_path: Path) -> None:
    toml = write(
        tmp_path,
        'version = "2"\nexclusion_signal = "off"\n[thresholds]\nmedium = 0.7\n'
        f'[[argument_rules]]\n{RULE}op = "greater_than"\nvalue = 1e3\n',
    )
    yaml = write(
        tmp_path,
        "version: '2'\nexclusion_signal: off\nthresholds: {medium: 0.7}\nargument_rules:\n"
        "- {tool: pay, argument: amount, risk: high, op: greater_than, value: 1e3}\n",
        "policy.YML",
    )

    assert load_policy(toml).version == load_policy(str(yaml)).version
    assert load_policy(toml).version.startswith("2+")


def test_different_contents_never_share_a_version(tmp_path: Path) -> None:
    texts = [
        "",
        "[limits]\nparents = 9\n",
        "[source.classes]\nx = 0.1\n",
        "[tool_risks]\nx='low'\n",
    ]
    texts += [
        f'[[argument_rules]]\n{RULE}op = "equals"\nvalue = {v}\n' for v in ("1", "true", "'1'")
    ]
    paths = [write(tmp_path, f'version = "1"\n{t}', f"{i}.toml") for i, t in enumerate(texts)]
    versions = [load_policy(path).version for path in paths]

    assert len(set(versions)) == len(versions)
    assert versions[0] == load_policy().version
    assert re.fullmatch(r"1\+[0-9a-f]{12}", versions[0])


def test_minus_zero_and_whole_numbers_change_no_version(tmp_path: Path) -> None:
    texts = ["trust_floor = -0.0", "trust_floor = 0", "trust_floor = 0.0"]
    versions = {load_policy(write(tmp_path, text)).version for text in texts}

    assert len(versions) == 1


# what is refused: its line, its key and what is said of it
REFUSED = {
    "": (1, None, "holds nothing"),
    "# only a comment\n": (1, None, "holds nothing"),
    "\ntrust_flor = 0.3": (2, "trust_flor", "no such key"),
    "trust_floor = nan": (1, "trust_floor", "finite"),
    "trust_floor = inf": (1, "trust_floor", "finite"),
    "trust_floor = -0.1": (1, "trust_floor", "greater than or equal to 0"),
    "trust_floor = true": (1, "trust_floor", "valid number"),
    "trust_floor = '0.3'": (1, "trust_floor", "valid number"),
    "version = 2": (1, "version", "string"),
    "version = ''": (1, "version", "pattern"),
    "source = 1": (1, "source", "dictionary"),
    "exclusion_signal = 'on'": (1, "exclusion_signal", "'off', 'operator' or 'decision'"),
    "a = 1\na = 2": (2, "a", "twice"),
    "[gate]\na = {b = 1, b = 2}": (2, "gate.a", "twice"),
    "[gate]\n[writer]\n[gate]": (3, "gate", "twice"),
    "trust_floor = ": (1, "trust_floor", "invalid value"),
    "x = '''\n\n": (1, "x", "expected"),
    "# c\n[thresholds]\n\nmedium = 1.01": (4, "thresholds.medium", "less than or equal to 1"),
    "[thresholds]\nlow = 0.1\nmedium = 0.9": (3, "thresholds.medium", "must not exceed `high`"),
    "[thresholds]\nhigh = 0.5": (2, "thresholds.high", "`medium` must not exceed `high`"),
    "[verification]\none = 1.3": (2, "verification.one", "must not exceed `several`"),
    "[verification]\nseveral = 2.5": (2, "verification.several", "less than or equal to 2"),
    "[source]\nclasses.poisoned = 0.1": (2, "source.classes.poisoned", "must be 0"),
    "[source.classes]\nBad-Name = 0.1": (2, "source.classes.Bad-Name", "pattern"),
    "[source.users]\ncompromised = 0.1": (2, "source.users.compromised", "equal to 0"),
    "[writer]\ncompromised = 0.1": (2, "writer.compromised", "equal to 0"),
    "[integrity]\nmismatch = 0.1": (2, "integrity.mismatch", "equal to 0"),
    "[half_life_days]\nnone_such = 3": (2, "half_life_days.none_such", "no such source class"),
    "[half_life_days]\nexternal = 0": (2, "half_life_days.external", "greater than 0"),
    "[tool_risks]\n'a.b' = 'huge'": (2, "tool_risks.a.b", "'low', 'medium', 'high' or"),
    "[tool_risks]\n'a' = 'low'\n'tool:a' = 'low'": (1, "tool_risks", "twice"),
    "[limits]\nparents = 0": (2, "limits.parents", "greater than or equal to 1"),
    "[limits]\nparents = 1.5": (2, "limits.parents", "integer"),
    "[gate]\napproval_minutes = 0": (2, "gate.approval_minutes", "greater than or equal to 1"),
    "gate.critical_allow_verified = 1": (1, "gate.critical_allow_verified", "boolean"),
    f"[[argument_rules]]\n{RULE}op = 'less'": (5, "argument_rules[0].op", "'equals', 'contains'"),
    f"[[argument_rules]]\n{RULE}op = 'present'\n[[argument_rules]]\ntool = 'user:x'\n"
    "argument = 'a'\nop = 'present'\nrisk = 'low'": (7, "argument_rules[1].tool", "not a Tool id"),
    f"[[argument_rules]]\n{RULE}op = 'greater_than'\nvalue = ''": (1, "argument_rules[0]", "a num"),
    f"[[argument_rules]]\n{RULE}op = 'contains'\nvalue = 1": (1, "argument_rules[0]", "text"),
    f"[[argument_rules]]\n{RULE}op = 'equals'": (1, "argument_rules[0]", "needs a value"),
    f"[[argument_rules]]\n{RULE}op = 'present'\nvalue = 1": (1, "argument_rules[0]", "no value"),
    f"[[argument_rules]]\n{RULE}op = 'equals'\nvalue = nan": (6, "argument_rules[0].value", ""),
    "trust_floor = " + "1" * 5000: (1, None, "digits"),
    '# """\n[gate]\nx = """\na = 1\n[limits]"""\ny = 1': (3, "gate.x", "no such key (and 1 more)"),
    "# \u2028\nx = 1": (2, "x", "no such key"),
    "\n" + "a." * 3000 + "a = 1": (2, "a", "no such key"),
    "a = " + "[" * 5000: (1, None, "nested too deeply"),
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_a_refused_file_is_named_with_line_and_key(text: str, tmp_path: Path) -> None:
    line, key, said = REFUSED[text]
    path = write(tmp_path, text)

    with pytest.raises(PolicyError) as caught:
        load_policy(path)

    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: {f'`{key}' if key else ''}")
    assert said in message
    assert "\n" not in message


REFUSED_YAML = {
    "trust_floor: 0.1\ntrust_floor: 0.2": (2, "trust_floor", "twice"),
    "gate:\n  approval_minutes: yes": (2, "gate.approval_minutes", "integer"),
    "thresholds:\n  medium: 2": (2, "thresholds.medium", "less than or equal to 1"),
    "a: &x {b: 1}\nc: *x": (2, None, "aliases"),
    "version: !!python/name:os.system": (1, "version", "tags"),
    "<<: {trust_floor: 0.1}": (1, "<<", "no such key"),
    "version: !x '1'": (1, "version", "tags"),
    "1: 2": (1, "1", "plain string"),
    "- 1": (1, None, "keys and values"),
    "a: [1\n": (2, None, "expected"),
    "trust_floor: .nan": (1, "trust_floor", "finite"),
    "trust_floor: 010": (1, "trust_floor", ""),
    "a: 1\n---\na: 2": (2, None, "document"),
    "\x07": (1, None, "special characters"),
    "": (1, None, "holds nothing"),
    "argument_rules:\n- {tool: a, argument: b, op: present, risk: low}\n- tool: a\n  op: x": (
        3,
        "argument_rules[1].argument",
        "required",
    ),
    "a: " + "[" * 700: (1, None, "nested too deeply"),
}


@pytest.mark.parametrize("text", REFUSED_YAML, ids=range(len(REFUSED_YAML)))
def test_a_refused_yaml_file_is_named_with_line_and_key(text: str, tmp_path: Path) -> None:
    line, key, said = REFUSED_YAML[text]
    path = write(tmp_path, text, "policy.yaml")

    with pytest.raises(PolicyError) as caught:
        load_policy(path)

    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: {f'`{key}`' if key else ''}")
    assert said in message


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'a = 1\nb = "\xff"\n')
    (tmp_path / "large.toml").write_bytes(b"#" * 1_000_001)

    for name, said in {
        "none.toml": "cannot be read",
        ".": "cannot be read",
        "latin.toml": ":2: is not UTF-8",
        "large.toml": "larger than",
    }.items():
        with pytest.raises(PolicyError, match=said):
            load_policy(tmp_path / name)


@given(st.text(max_size=80), st.booleans())
def test_any_text_is_read_or_refused(text: str, is_yaml: bool) -> None:  # noqa: FBT001 - hypothesis
    with suppress(PolicyError):
        parse_policy("p", text, is_yaml=is_yaml)


def test_every_source_class_of_the_specification_is_needed() -> None:
    content = load_policy().content()
    del content["source"]["classes"]["untrusted"]

    with pytest.raises(ValueError, match=r"`classes.untrusted` is missing"):
        Policy.model_validate(content)
    content["source"]["classes"]["untrusted"] = 0.2
    assert Policy.model_validate(content).version == load_policy().version


def test_a_policy_cannot_be_changed() -> None:
    policy = load_policy()

    with pytest.raises(ValueError, match="frozen"):
        policy.trust_floor = 0.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        policy.source.classes["poisoned"] = 1.0  # type: ignore[index]
    assert load_policy() is policy


def test_the_shipped_schema_is_that_of_the_model() -> None:
    shipped = (ROOT / "mapgraph_neo" / "policy.schema.json").read_text(encoding="utf-8")

    assert shipped == json.dumps(policy_schema(), indent=2) + "\n"
    assert "required" not in policy_schema()


def test_every_key_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| ([^|]+) \|", text, re.MULTILINE))

    for key, value in flat(load_policy().content()).items():
        shown = {"{}": {}, "[]": []}.get(rows[key], rows[key])
        if isinstance(value, float | int) and not isinstance(value, bool):
            assert float(rows[key].replace(",", "")) == value, key
        else:
            assert shown in (value, json.dumps(value)), key


def test_show_prints_the_policy_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "[thresholds]\nmedium = 0.7\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAPGRAPH_POLICY", str(path))

    people = CliRunner().invoke(app, ["show"])
    machine = CliRunner().invoke(app, ["show", "--json"])

    assert (people.exit_code, machine.exit_code) == (0, 0)
    assert "thresholds.medium = 0.7\n" in people.stdout
    assert json.loads(machine.stdout)["thresholds"]["medium"] == 0.7
    assert json.loads(machine.stdout)["version"] == load_policy(path).version


def test_check_exits_3_for_a_refused_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = write(tmp_path, "trust_floor = 0.2"), write(tmp_path, "trust_floor = 2", "b.toml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAPGRAPH_POLICY", str(bad))

    found = CliRunner().invoke(app, ["check", str(good), "--json"])
    assert json.loads(found.stdout)["version"] == load_policy(good).version
    for arguments in (["check", str(bad)], ["show"], ["diff", str(good)]):
        refused = CliRunner().invoke(app, arguments)
        assert isinstance(refused.exception, PolicyError)
        assert of_error(refused.exception) == 3
        assert str(refused.exception).startswith(f"{bad}:1: `trust_floor`")
        assert not refused.stdout


def test_diff_names_the_keys_that_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MAPGRAPH_POLICY", raising=False)
    path = write(tmp_path, "[source.classes]\nlab = 0.5\ninternal = 0.8\n")

    found = CliRunner().invoke(app, ["diff", str(path)])
    same = CliRunner().invoke(app, ["diff", str(path), str(path), "--json"])

    assert [line.split() for line in found.stdout.splitlines()] == [
        ["KEY", "OLD", "NEW"],
        ["source.classes.internal", "0.9", "0.8"],
        ["source.classes.lab", "null", "0.5"],
    ]
    assert json.loads(same.stdout) == []
