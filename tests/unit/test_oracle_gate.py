"""The oracle by hand: the numbers of path trust, retrieval, the rows of the gate's table."""

import math
from datetime import UTC, datetime

import pytest
from oracle import TRUST, Gate, Oracle, RefusedError

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASK = "t"


@pytest.fixture
def oracle() -> Oracle:
    """`agent:a` of an established user, `agent:n` new, three users who may verify."""
    oracle = Oracle()
    oracle.register_user("user:u", teams=["team:t"])
    oracle.register_user("user:new", standing="new")
    oracle.register_agent("agent:a", "user:u", NOW, scopes=["@user"])
    oracle.register_agent("agent:n", "user:u", NOW, scopes=["@user"], standing="new")
    for name in ("v1", "v2", "v3"):
        oracle.register_user(f"user:{name}")
        oracle.grant(f"grant:{name}", f"user:{name}", NOW, rights=["verify"])
    for name in ("internal_verified", "internal", "external", "untrusted", "poisoned"):
        oracle.register_resource(f"res:{name}", ["*"], source_class=name)
    oracle.register_resource("res:elsewhere", ["*"], source_class="internal")
    return oracle


def observed(oracle: Oracle, source: str, writer: str = "agent:a", task: str = TASK) -> str:
    node = f"mem:{len(oracle.nodes)}"
    oracle.observe(node, writer, source if ":" in source else f"res:{source}", NOW, task=task)
    return node


def derived(oracle: Oracle, *parents: str, task: str = "another") -> str:
    node = f"mem:{len(oracle.nodes)}"
    oracle.derive(node, "agent:a", NOW, parents, tracing=True, task=task)
    return node


def verify(oracle: Oracle, record: str, by: str, outcome: str = "confirmed", **facts: str) -> None:
    evidence = facts.get("evidence", "res:elsewhere").split()
    oracle.verify(record, f"user:{by}", outcome, NOW, evidence=evidence)


class TestTrust:
    @pytest.mark.parametrize(
        ("source", "writer", "rho"),
        [
            ("internal", "agent:a", 0.882),  # 0.90 * 1 * 1 * 0.98
            ("internal_verified", "agent:a", 0.95 * 0.98),
            ("internal", "agent:n", 0.81),
            ("external", "agent:n", 0.585),
            ("untrusted", "agent:a", 0.196),
            ("poisoned", "agent:a", 0.0),
            ("user:u", "agent:a", 0.735),
            ("user:new", "agent:a", 0.392),
        ],
    )
    def test_of_what_was_observed(
        self, oracle: Oracle, source: str, writer: str, rho: float
    ) -> None:
        assert oracle.trust(observed(oracle, source, writer)) == pytest.approx(rho)

    def test_of_a_record_that_came_from_nothing(self, oracle: Oracle) -> None:
        oracle.remember("mem:m", "agent:a", NOW)
        oracle.send("msg:m", "user:u", "agent:a", NOW, host=True)
        oracle.register_tool("tool:t", "external")
        oracle.send("msg:t", "tool:t", "agent:a", NOW, host=True)
        assert oracle.trust("mem:m") == pytest.approx(0.40 * 0.98)
        assert oracle.trust("msg:m") == pytest.approx(0.75)
        assert oracle.trust("msg:t") == pytest.approx(0.65)

    def test_only_the_own_established_user_counts_whole_and_at_the_gate(
        self, oracle: Oracle
    ) -> None:
        record, other = observed(oracle, "user:u"), observed(oracle, "user:v1")
        own = oracle.own_users("agent:a", NOW)
        assert [oracle.trust(m, own) for m in (record, other)] == pytest.approx([0.98, 0.735])
        oracle.set_standing("user:u", "new")
        assert oracle.trust(record, own) == pytest.approx(0.392)
        oracle.set_standing("user:u", "compromised")
        assert oracle.trust(record, own) == 0.0

    def test_each_step_costs_and_the_weakest_path_counts(self, oracle: Oracle) -> None:
        good, bad = observed(oracle, "internal"), observed(oracle, "untrusted")
        once = derived(oracle, good)
        oracle.summarize("mem:s", "agent:a", NOW, [once], tracing=True)
        assert oracle.trust(once) == pytest.approx(0.90 * 0.95 * 0.98)
        assert oracle.trust("mem:s") == pytest.approx(0.90 * 0.95 * 0.90 * 0.98)
        both = [derived(oracle, good, bad), derived(oracle, bad, good)]
        assert [oracle.trust(m) for m in both] == pytest.approx([0.20 * 0.95 * 0.98] * 2)

    def test_floor_leaves_transformation_out(self, oracle: Oracle) -> None:
        record = observed(oracle, "internal")
        for _ in range(40):
            record = derived(oracle, record)
        assert oracle.floor(record) == pytest.approx(0.90)
        assert oracle.trust(record) == pytest.approx(0.90 * 0.95**40 * 0.98)

    def test_integrity_of_every_node_of_the_path(self, oracle: Oracle) -> None:
        record = derived(oracle, observed(oracle, "internal"))
        for state, factor in {"incomplete": 0.5, "mismatch": 0.0, "whole": 0.0}.items():
            oracle.nodes["res:internal"]["integrity"] = state
            assert oracle.trust(record) == pytest.approx(0.90 * 0.95 * 0.98 * factor)
            assert oracle.floor(record) == pytest.approx(0.90 * factor)

    def test_the_least_reliable_writer_of_the_lineage(self, oracle: Oracle) -> None:
        record = derived(oracle, observed(oracle, "internal", "agent:n"))
        assert oracle.trust(record) == pytest.approx(0.90 * 0.95 * 0.90)
        oracle.set_standing("agent:n", "compromised")
        assert oracle.trust(record) == 0.0

    def test_permission_is_a_factor_of_rho(self, oracle: Oracle) -> None:
        record = observed(oracle, "internal")
        oracle.rescope("res:internal", ["team:other"])
        assert oracle.trust(record) == pytest.approx(0.882)
        assert oracle.rho("agent:a", record, NOW) == 0.0


class TestVerification:
    def test_one_two_and_failed(self, oracle: Oracle) -> None:
        record = observed(oracle, "external")
        worth = 0.65 * 0.98
        found: list[float] = []
        for by, outcome in (
            ("v1", "confirmed"),
            ("v1", "confirmed"),
            ("v2", "confirmed"),
            ("v3", "confirmed"),
            ("v2", "failed"),
            ("v3", "confirmed"),
            ("v2", "confirmed"),
        ):
            verify(oracle, record, by, outcome)
            found.append(oracle.trust(record) / worth)
        assert found == pytest.approx([1.1, 1.1, 1.2, 1.2, 0.5, 0.5, 1.2])

    def test_never_above_one_and_never_lifts_nothing(self, oracle: Oracle) -> None:
        good, bad = observed(oracle, "internal"), observed(oracle, "poisoned")
        for record in (good, bad):
            for by in ("v1", "v2"):
                verify(oracle, record, by)
        assert (oracle.trust(good), oracle.trust(bad)) == (1.0, 0.0)

    def test_who_is_not_independent(self, oracle: Oracle) -> None:
        record = observed(oracle, "internal")
        below = derived(oracle, record)
        oracle.grant("grant:u", "user:u", NOW, rights=["verify"])
        verify(oracle, record, "u")  # the writer's own user
        verify(oracle, record, "v1", evidence=f"res:internal {below} {record} res:unknown")
        verify(oracle, record, "v2", evidence="")
        assert oracle.voices(record) == 0
        oracle.set_standing("user:v3", "new")
        verify(oracle, record, "v3")
        assert oracle.voices(record) == 0
        oracle.set_standing("user:v3", "established")
        assert oracle.voices(record) == 1

    def test_agents_of_one_delegator_are_one_voice(self, oracle: Oracle) -> None:
        record, rights = observed(oracle, "internal"), ["verify", "delegate"]
        oracle.register_agent("agent:head", "user:v1", NOW, scopes=["@user"], rights=rights)
        for name in ("x", "y"):
            node = f"agent:{name}"
            oracle.register_agent(node, "agent:head", NOW, scopes=["@user"], rights=rights)
            oracle.verify(record, node, "confirmed", NOW, evidence=["res:elsewhere"])
        assert oracle.voices(record) == 1
        verify(oracle, record, "v1")
        assert oracle.voices(record) == 1
        verify(oracle, record, "v2")
        assert oracle.voices(record) == 2

    def test_only_the_present_content_and_only_with_the_right(self, oracle: Oracle) -> None:
        record = observed(oracle, "internal")
        verify(oracle, record, "v1", "failed")
        oracle.nodes[record]["content_hash"] = "another"
        assert oracle.trust(record) == pytest.approx(0.882)
        for by, of in (("u", record), ("v1", "res:internal"), ("v1", "mem:unknown")):
            with pytest.raises(RefusedError):
                verify(oracle, of, by)


class TestRetrieval:
    def test_score_then_age_and_zeros_fill(self, oracle: Oracle) -> None:
        ids = [observed(oracle, s) for s in ("internal", "external", "internal", "untrusted")]
        ids += [observed(oracle, "internal") for _ in range(2)]
        cosines = dict(zip(ids, (0.5, 0.9, 0.5, 1.0, -0.3, 0.0), strict=True))
        found = oracle.retrieve("agent:a", cosines, 9, NOW)
        assert [n for n, _ in found] == [ids[1], ids[0], ids[2], ids[4], ids[5]]
        scores = [0.9 * 0.65 * 0.98, 0.5 * 0.882, 0.5 * 0.882, 0.0, 0.0]
        assert [score for _, score in found] == pytest.approx(scores)
        assert oracle.retrieve("agent:a", cosines, 1, NOW) == found[:1]
        assert oracle.retrieve("agent:a", {}, 5, NOW) == []


ANSWER = Gate(risk="high", answer=True)
RISKS = {risk: Gate(risk=risk) for risk in ("low", "medium", "high", "critical")}


def decide(
    oracle: Oracle, gate: Gate, *evidence: str, parameters: tuple[str, ...] = ()
) -> tuple[str, str]:
    roles = dict.fromkeys(evidence, "evidence") | dict.fromkeys(parameters, "parameter")
    return oracle.decide("agent:a", TASK, roles, NOW, gate)


class TestGate:
    def test_r4_and_r3_by_threshold(self, oracle: Oracle) -> None:
        observed(oracle, "internal")  # 0.882
        outcomes = [decide(oracle, g) for g in (ANSWER, *RISKS.values())]
        assert outcomes == [("Allow", "R4")] * 4 + [("AskUser", "R4")]
        observed(oracle, "external")  # 0.637, joined though nobody cites it
        outcomes = [decide(oracle, g) for g in (ANSWER, *RISKS.values())]
        assert outcomes == [("Allow", "R4")] * 3 + [("AskUser", "R3")] * 2
        observed(oracle, "external", "agent:n", "not my task")
        derived(oracle, observed(oracle, "external", task="x"), task=TASK)  # 0.605
        oracle.remember("mem:bare", "agent:a", NOW, task=TASK, tracing=True)  # 0.392
        outcomes = [decide(oracle, g) for g in (ANSWER, *RISKS.values())]
        assert (
            outcomes
            == [("Allow", "R4"), ("Allow", "R4"), ("Reverify", "R3")] + [("AskUser", "R3")] * 2
        )
        observed(oracle, "untrusted")  # 0.196
        assert [decide(oracle, g) for g in (ANSWER, RISKS["low"])] == [("Reverify", "R3")] * 2

    @pytest.mark.parametrize(
        ("risk", "threshold"), [("low", 0.30), ("medium", 0.60), ("high", 0.85)]
    )
    def test_the_threshold_itself_passes(self, oracle: Oracle, risk: str, threshold: float) -> None:
        observed(oracle, "internal")
        for worth, passes in ((threshold, True), (math.nextafter(threshold, 0), False)):
            numbers = {"class": {"internal": worth}, "writer": {"established": 1.0}}
            oracle.numbers = {**TRUST, **numbers}
            assert (decide(oracle, RISKS[risk]) == ("Allow", "R4")) is passes

    def test_no_evidence(self, oracle: Oracle) -> None:
        assert decide(oracle, ANSWER) == ("Allow", "R3")  # marked unsupported
        found = [decide(oracle, g) for g in RISKS.values()]
        assert found == [("Reverify", "R3")] * 2 + [("AskUser", "R3")] * 2
        without = [g._replace(evidence_needed=False) for g in RISKS.values()]
        assert [decide(oracle, g) for g in without] == [("Allow", "R4"), *found[1:]]

    def test_an_unknown_risk_is_critical(self, oracle: Oracle) -> None:
        observed(oracle, "internal")
        for risk in ("", "HIGH", "none"):
            assert decide(oracle, Gate(risk=risk)) == ("AskUser", "R4")
        assert decide(oracle, Gate()) == ("AskUser", "R4")

    def test_critical_needs_all_verified_and_the_policy(self, oracle: Oracle) -> None:
        gate = RISKS["critical"]._replace(critical_allowed=True)
        one, two = observed(oracle, "internal"), observed(oracle, "internal")
        verify(oracle, one, "v1")
        assert decide(oracle, gate) == ("AskUser", "R4")
        verify(oracle, two, "v1")
        assert decide(oracle, gate) == ("Allow", "R4")
        assert decide(oracle, RISKS["critical"]) == ("AskUser", "R4")

    @pytest.mark.parametrize(
        ("kind", "answer"),
        [("reliability", "Reverify"), ("access", "Block"), ("erasure", "Block")],
    )
    def test_r1_by_kind(self, oracle: Oracle, kind: str, answer: str) -> None:
        derived(oracle, observed(oracle, "external"), task=TASK)
        oracle.revoke("rev:1", "res:external", kind, NOW)
        assert decide(oracle, ANSWER) == ("Block", "R1")  # no rest
        observed(oracle, "internal")
        assert decide(oracle, ANSWER) == (answer, "R1")
        assert [decide(oracle, g) for g in RISKS.values()] == [("Block", "R1")] * 4
        observed(oracle, "untrusted")
        assert decide(oracle, ANSWER) == ("Block", "R1")  # the rest fails R3

    def test_r1_poisoned_and_invalidated_are_reliability(self, oracle: Oracle) -> None:
        observed(oracle, "internal")
        observed(oracle, "poisoned")
        wrong = observed(oracle, "internal")
        oracle.invalidate("rev:1", wrong, NOW)
        assert decide(oracle, ANSWER) == ("Reverify", "R1")
        oracle.revoke("rev:2", "res:poisoned", "access", NOW)
        assert decide(oracle, ANSWER) == ("Block", "R1")

    def test_r2_redacts_what_is_no_parameter(self, oracle: Oracle) -> None:
        lost, kept = observed(oracle, "external"), observed(oracle, "internal")
        oracle.rescope("res:external", ["team:other"])
        found = [decide(oracle, g, lost, kept) for g in (ANSWER, *RISKS.values())]
        assert found == [("Redact", "R2")] * 3 + [("Block", "R2")] * 2
        assert decide(oracle, ANSWER, kept, parameters=(lost,)) == ("Block", "R2")
        assert decide(oracle, ANSWER._replace(traced=True), kept) == ("Allow", "R4")
        assert decide(oracle, ANSWER._replace(traced=True), lost) == ("Block", "R2")

    def test_r2_the_audience_of_parameters(self, oracle: Oracle) -> None:
        oracle.register_resource("res:team", ["team:t"], source_class="internal")
        private, public = observed(oracle, "team"), observed(oracle, "internal")
        for audience, outcome in {
            "user:u": "Allow",
            "agent:a": "Allow",
            "team:t": "Allow",
            "user:v1": "Redact",
            "team:other": "Redact",
            "external:x": "Block",  # not even `*` is meant for outside: no rest
            "user:unknown": "Block",
        }.items():
            gate = RISKS["low"]._replace(audience=[audience])
            assert decide(oracle, gate, private, public)[0] == outcome
            traced = gate._replace(traced=True)
            assert decide(oracle, traced, private, public)[0] == "Allow"
            blocked = "Allow" if outcome == "Allow" else "Block"
            assert decide(oracle, traced, public, parameters=(private,))[0] == blocked
        both = RISKS["low"]._replace(audience=["user:u", "user:v1"])
        assert decide(oracle, both, private, public) == ("Redact", "R2")

    def test_r1_comes_before_r2_before_r3(self, oracle: Oracle) -> None:
        for source in ("external", "untrusted", "internal"):
            observed(oracle, source)
        oracle.rescope("res:external", [])
        assert decide(oracle, RISKS["low"])[1] == "R2"
        oracle.revoke("rev:1", "res:internal", "access", NOW)
        assert decide(oracle, RISKS["low"])[1] == "R1"
        oracle.undo("rev:1")
        oracle.rescope("res:external", ["*"])
        assert decide(oracle, RISKS["low"])[1] == "R3"

    def test_before_the_rules(self, oracle: Oracle) -> None:
        record = observed(oracle, "internal")
        sends = RISKS["low"]._replace(sends=True)
        assert decide(oracle, sends) == ("Block", "audience-missing")
        assert decide(oracle, ANSWER, "mem:unknown") == ("Block", "evidence-not-retrieved")
        elsewhere = observed(oracle, "internal", task="another")
        assert decide(oracle, ANSWER, elsewhere) == ("Block", "evidence-not-retrieved")
        oracle.nodes[record]["content_hash"] = "another"
        assert decide(oracle, ANSWER) == ("Block", "evidence-not-retrieved")
        oracle.set_standing("user:u", "compromised")
        assert decide(oracle, ANSWER) == ("Block", "no-right")
