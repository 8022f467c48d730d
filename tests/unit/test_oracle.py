"""The oracle by hand: cases whose right answer needs no oracle (policy cases and scenarios)."""

from datetime import UTC, datetime, timedelta

import pytest
from oracle import Oracle, RefusedError

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
S1, S2, S3 = "team:s1", "team:s2", "team:s3"


@pytest.fixture
def oracle() -> Oracle:
    """One user and agent for each team, `agent:all` of all teams, `agent:none` of none."""
    oracle = Oracle()
    for team in (S1, S2, S3):
        name = team.removeprefix("team:")
        oracle.register_user(f"user:{name}", teams=[team])
        oracle.register_agent(f"agent:{name}", f"user:{name}", NOW, scopes=["@user"])
    oracle.register_user("user:all", teams=[S1, S2, S3], roles=["role:r"])
    oracle.register_agent("agent:all", "user:all", NOW, scopes=["@user"])
    oracle.register_agent("agent:none", "user:all", NOW, scopes=[])
    return oracle


def resource(oracle: Oracle, name: str, *scope: str, **facts: object) -> str:
    oracle.register_resource(f"res:{name}", scope, **facts)
    return f"res:{name}"


def observed(oracle: Oracle, name: str, source: str, writer: str = "agent:all") -> str:
    oracle.observe(f"mem:{name}", writer, source, NOW)
    return f"mem:{name}"


def derived(oracle: Oracle, name: str, *parents: str, writer: str = "agent:all") -> str:
    oracle.derive(f"mem:{name}", writer, NOW, parents=parents, tracing=True)
    return f"mem:{name}"


def readers(oracle: Oracle, record: str, now: datetime = NOW) -> str:
    return " ".join(sorted(a.removeprefix("agent:") for a in oracle.readers(record, now)))


class TestDerivation:
    def test_t01_the_intersection_of_two_scopes(self, oracle: Oracle) -> None:
        one = observed(oracle, "1", resource(oracle, "1", S1, S2))
        two = observed(oracle, "2", resource(oracle, "2", S2, S3))
        assert readers(oracle, derived(oracle, "m", one, two)) == "all s2"

    def test_t02_an_empty_intersection_leaves_the_writer_alone(self, oracle: Oracle) -> None:
        one, two = resource(oracle, "1", S1), resource(oracle, "2", S3)
        record = derived(oracle, "m", one, two)
        assert readers(oracle, record) == "all"
        oracle.set_membership("user:all", [S1], [])
        assert readers(oracle, record) == ""  # it wrote it, and lost what it came from

    def test_t03_a_disabled_writer_reads_nothing(self, oracle: Oracle) -> None:
        record = derived(oracle, "m", resource(oracle, "1", S1), resource(oracle, "2", S3))
        oracle.set_standing("agent:all", "compromised")
        assert readers(oracle, record) == ""
        assert oracle.reason("agent:all", record, NOW) == "inactive-agent"

    def test_t28_a_public_and_a_private_source(self, oracle: Oracle) -> None:
        public, private = resource(oracle, "1", "public"), resource(oracle, "2", S1)
        assert readers(oracle, derived(oracle, "m", public, private)) == "all s1"

    def test_c14_summaries_of_mixed_material(self, oracle: Oracle) -> None:
        finance, legal, sales = S1, S2, S3
        one = observed(oracle, "1", resource(oracle, "1", finance, legal))
        two = observed(oracle, "2", resource(oracle, "2", legal, sales))
        three = observed(oracle, "3", resource(oracle, "3", finance))
        s12, s13 = derived(oracle, "s12", one, two), derived(oracle, "s13", one, three)
        s23 = derived(oracle, "s23", two, three)
        second = derived(oracle, "second", s12, one)
        oracle.claim("claim:c", "agent:all", NOW, parents=[s13], tracing=True)
        found = [readers(oracle, m) for m in (s12, s13, s23, second, "claim:c")]
        assert found == ["all s2", "all s1", "all", "all s2", "all s1"]
        with pytest.raises(RefusedError):
            derived(oracle, "no", one, three, writer="agent:s2")

    def test_a_declared_scope_only_narrows(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", S1, S2)
        oracle.observe("mem:n", "agent:all", source, NOW, scope=[S2, S3])
        oracle.observe("mem:w", "agent:all", source, NOW, scope=["*"])
        assert readers(oracle, "mem:n") == "all s2"
        assert readers(oracle, "mem:w") == "all s1 s2"

    def test_own_scope_without_parents_is_the_writer(self, oracle: Oracle) -> None:
        oracle.remember("mem:m", "agent:s1", NOW)
        oracle.send("msg:m", "agent:s1", "agent:s2", NOW, tracing=True)
        assert readers(oracle, "mem:m") == "s1"
        assert readers(oracle, "msg:m") == "s1 s2"
        assert readers(oracle, resource(oracle, "nobody")) == ""

    def test_t21_laundering_by_a_message(self, oracle: Oracle) -> None:
        secret = observed(oracle, "1", resource(oracle, "1", S1))
        with pytest.raises(RefusedError):
            oracle.send("msg:1", "agent:all", "agent:s2", NOW, parents=[secret], tracing=True)
        oracle.send("msg:2", "agent:all", "agent:s1", NOW, parents=[secret], tracing=True)
        assert oracle.receive("agent:s1", NOW, "t") == ["msg:2"]
        assert oracle.receive("agent:s1", NOW, "t") == []
        oracle.remember("mem:clean", "agent:s1", NOW, task="t")
        assert readers(oracle, "mem:clean") == "all s1"

    def test_t24_undeclared_parents_are_joined(self, oracle: Oracle) -> None:
        secret, harmless = resource(oracle, "1", S1), resource(oracle, "2", "*")
        oracle.read("agent:all", secret, NOW, "t")
        for name, facts in {"joined": {}, "traced": {"tracing": True}}.items():
            oracle.derive(f"mem:{name}", "agent:all", NOW, [harmless], task="t", **facts)
        oracle.derive("mem:other", "agent:all", NOW, [harmless], task="another")
        assert readers(oracle, "mem:joined") == "all s1"
        assert readers(oracle, "mem:traced") == readers(oracle, "mem:other") == "all none s1 s2 s3"
        assert [e.declared_by for e in oracle.up["mem:joined"]] == ["agent", "read_set"]

    def test_undeclared_parents_can_be_refused_or_let_be(self) -> None:
        for setting in ("reject", "none"):
            oracle = Oracle(undeclared=setting)
            oracle.register_agent("agent:a", "user:root", NOW, scopes=["@user"])
            oracle.remember("mem:1", "agent:a", NOW, task="t")
            if setting == "none":
                oracle.remember("mem:2", "agent:a", NOW, task="t")
                assert not oracle.up.get("mem:2")
            else:
                with pytest.raises(RefusedError):
                    oracle.remember("mem:2", "agent:a", NOW, task="t")


class TestState:
    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("revoked", None),
            ("revoked", "true"),
            ("revoked", 1),
            ("scope", "team:s1"),
            ("scope", None),
            ("parents", 1),
            ("parents", "0"),
            ("expires_at", "2999-01-01"),
            ("expires_at", datetime(2999, 1, 1)),  # noqa: DTZ001 - without a zone
            ("seq", None),
        ],
    )
    def test_t05_t06_t72_whatever_is_not_proved_good_closes(
        self, oracle: Oracle, field: str, value: object
    ) -> None:
        source = resource(oracle, "1", "*")
        record = derived(oracle, "m", observed(oracle, "o", source))
        assert oracle.can_read("agent:s1", record, NOW)
        oracle.nodes[source][field] = value
        assert readers(oracle, record) == ""
        assert oracle.reason("agent:s1", record, NOW) == "malformed"

    def test_t06_an_empty_scope_admits_nobody(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*")
        record = observed(oracle, "m", source)
        oracle.rescope(source, [])
        assert readers(oracle, record) == ""
        assert oracle.reason("agent:all", record, NOW) == "scope"

    def test_t09_t10_cycles_are_never_readable(self, oracle: Oracle) -> None:
        records = [derived(oracle, "0", resource(oracle, "1", "*"))]
        for number in range(1, 4):
            records.append(derived(oracle, str(number), records[-1]))
        above = derived(oracle, "above", records[-1])
        edge = {"type": "DERIVED_FROM", "child": records[1], "parent": records[3], "at": NOW}
        oracle.plant([], [edge])
        oracle.nodes[records[1]]["parents"] += 1
        assert [readers(oracle, m) for m in (*records, above)] == ["all none s1 s2 s3", *[""] * 4]
        assert oracle.trust(above) == 0.0
        assert oracle.reason("agent:all", above, NOW) == "malformed"

    def test_t11_chains_of_any_length(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*")
        last, length = source, 5000
        for number in range(length):
            last = (
                derived(oracle, str(number), last) if number < 3 else _grown(oracle, last, number)
            )
        assert oracle.can_read("agent:s1", last, NOW)
        assert len(oracle.ancestors(last)) == length
        assert oracle.floor(last) == 0.4
        oracle.revoke("rev:1", source, "access", NOW)
        assert not oracle.can_read("agent:s1", last, NOW)
        assert len(oracle.affected()) == length

    def test_t14_one_bad_parent_of_many(self, oracle: Oracle) -> None:
        sources = [resource(oracle, f"{n:04}", "*") for n in range(600)]
        record = derived(oracle, "m", *sources)
        for number in (0, 299, 599):
            revocation = f"rev:{number}"
            oracle.revoke(revocation, sources[number], "access", NOW)
            assert readers(oracle, record) == ""
            oracle.undo(revocation)
            assert readers(oracle, record) == "all none s1 s2 s3"

    def test_t71_expiry_ends_exclusively(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*", expires_at=NOW + HOUR)
        record = derived(oracle, "m", observed(oracle, "o", source))
        assert oracle.can_read("agent:s1", record, NOW + HOUR - timedelta.resolution)
        assert oracle.reason("agent:s1", record, NOW + HOUR) == "expired"


def _grown(oracle: Oracle, parent: str, number: int) -> str:
    """Hang on a record without the check of all that is above it."""
    node, latest = f"mem:{number}", max(found["seq"] for found in [oracle.nodes[parent]])
    state = {"label": "Memory", "seq": latest + 1, "revoked": False, "parents": 1}
    edge = {"type": "DERIVED_FROM", "child": node, "parent": parent, "at": NOW}
    oracle.plant([{"id": node, "scope": ["*"], "integrity": "intact"} | state], [edge])
    return node


class TestRevocation:
    def test_t07_a_diamond_is_affected_once(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*")
        sides = [observed(oracle, "a", source), observed(oracle, "b", source)]
        record = derived(oracle, "m", *sides)
        oracle.revoke("rev:1", source, "access", NOW)
        assert oracle.affected() == {*sides, record}
        assert readers(oracle, record) == ""
        oracle.undo("rev:1")
        assert oracle.affected() == set()
        assert readers(oracle, record) == "all none s1 s2 s3"

    def test_t15_repeating_and_unknown(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*")
        record = observed(oracle, "m", source)
        assert oracle.revoke("rev:1", source, "access", NOW) == "rev:1"
        assert oracle.revoke("rev:2", source, "access", NOW) == "rev:1"
        oracle.undo("rev:1")
        assert oracle.can_read("agent:s1", record, NOW)
        assert oracle.revoke("rev:3", source, "access", NOW) == "rev:3"
        for wrong in ("res:2", "", "*", "agent:s1"):
            with pytest.raises(RefusedError):
                oracle.revoke("rev:4", wrong, "access", NOW)

    def test_t16_undoing_one_of_two(self, oracle: Oracle) -> None:
        one, two = resource(oracle, "1", "*"), resource(oracle, "2", "*")
        record = derived(oracle, "m", one, two)
        for source in (one, two):
            oracle.revoke(f"rev:{source}", source, "access", NOW)
        oracle.revoke("rev:again", one, "reliability", NOW)
        oracle.undo("rev:res:1")
        oracle.undo("rev:res:2")
        assert oracle.reason("agent:s1", record, NOW) == "revoked"
        oracle.undo("rev:again")
        assert oracle.can_read("agent:s1", record, NOW)

    def test_c33_every_descendant_of_any_kind(self, oracle: Oracle) -> None:
        source, clean = (
            resource(oracle, "1", "*"),
            observed(oracle, "c", resource(oracle, "2", "*")),
        )
        unrelated = derived(oracle, "u", clean)
        chain = [observed(oracle, "0", source)]
        oracle.summarize("mem:s", "agent:all", NOW, [chain[0], clean], tracing=True)
        oracle.send("msg:f", "agent:all", "agent:s1", NOW, ["mem:s"], tracing=True)
        oracle.claim("claim:c", "agent:all", NOW, ["msg:f"], tracing=True)
        for number in range(1, 12):
            chain.append(derived(oracle, str(number), chain[-1]))
        oracle.revoke("rev:1", source, "access", NOW)
        assert oracle.affected() == {*chain, "mem:s", "msg:f", "claim:c"}
        assert oracle.eligible("agent:s1", NOW) == {clean, unrelated}

    def test_c34_nothing_else(self, oracle: Oracle) -> None:
        one, two = resource(oracle, "1", "*"), resource(oracle, "2", "*")
        m1, m2 = observed(oracle, "1", one), observed(oracle, "2", two)
        both, alone = derived(oracle, "12", m1, m2), derived(oracle, "22", m2)
        before = {m: oracle.trust(m) for m in (m2, alone)}
        oracle.revoke("rev:1", one, "access", NOW)
        assert oracle.affected() == {m1, both}
        assert oracle.eligible("agent:s1", NOW) == {m2, alone}
        assert {m: oracle.trust(m) for m in (m2, alone)} == before

    def test_c36_no_other_door(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*", source_class="internal")
        memory = observed(oracle, "1", source)
        oracle.read("agent:s1", memory, NOW, "t")
        oracle.revoke("rev:1", source, "reliability", NOW)
        with pytest.raises(RefusedError):
            observed(oracle, "again", source)
        with pytest.raises(RefusedError):
            derived(oracle, "cited", memory)
        with pytest.raises(RefusedError):  # in the task that read it, by the joined read set
            oracle.remember("mem:joined", "agent:s1", NOW, task="t")
        oracle.derive("mem:log", "agent:all", NOW, [memory], host=True)
        assert "mem:log" in oracle.affected()
        oracle.remember("mem:bare", "agent:s1", NOW, task="another")
        assert readers(oracle, "mem:bare") == "s1"
        assert oracle.trust("mem:bare") == pytest.approx(0.4 * 0.98)
        fresh = observed(oracle, "fresh", resource(oracle, "2", "*"))
        assert readers(oracle, fresh) == "all none s1 s2 s3"

    def test_invalidating_one_record(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*")
        wrong, right = observed(oracle, "1", source), observed(oracle, "2", source)
        below = derived(oracle, "3", wrong)
        oracle.invalidate("rev:1", wrong, NOW)
        assert oracle.eligible("agent:s1", NOW) == {right}
        assert "invalidated" in oracle.reasons("agent:s1", below, NOW)

    def test_erasure_cannot_be_undone(self, oracle: Oracle) -> None:
        oracle.revoke("rev:1", resource(oracle, "1", "*"), "erasure", NOW)
        for wrong in ("rev:1", "rev:2"):
            with pytest.raises(RefusedError):
                oracle.undo(wrong)

    def test_a_flag_without_an_edge_and_an_edge_without_a_flag(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*")
        record = observed(oracle, "m", source)
        oracle.nodes[source]["revoked"] = True
        assert oracle.affected() == {record}
        assert oracle.withdrawn(record) == {"access"}
        oracle.nodes[source]["revoked"] = False
        mark = {"type": "INVALIDATED_BY", "id": "rev:1", "target": source, "kind": "reliability"}
        oracle.plant([], [mark])
        assert oracle.affected() == {record}
        assert readers(oracle, record) == ""

    def test_the_owner_may_revoke_and_others_may_not(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*", owner="user:s1")
        record = observed(oracle, "m", source, "agent:s2")
        with pytest.raises(RefusedError):
            oracle.revoke("rev:1", source, "access", NOW, by="user:s2")
        with pytest.raises(RefusedError):
            oracle.invalidate("rev:1", record, NOW, by="user:s1")
        oracle.invalidate("rev:1", record, NOW, by="user:s2")
        oracle.revoke("rev:2", source, "access", NOW, by="user:s1")

    def test_a_withdrawn_user_takes_its_agents_along(self, oracle: Oracle) -> None:
        record = observed(oracle, "m", resource(oracle, "1", "*"))
        oracle.revoke("rev:1", "user:s1", "access", NOW)
        assert oracle.reason("agent:s1", record, NOW) == "inactive-agent"
        assert oracle.can_read("agent:s2", record, NOW)


class TestWindows:
    @pytest.fixture
    def early_and_late(self, oracle: Oracle) -> tuple[Oracle, list[str]]:
        source = resource(oracle, "1", "*")
        for hours in (0, 10, 20):
            oracle.observe(f"mem:{hours}", "agent:all", source, NOW + hours * HOUR)
        later = NOW + 30 * HOUR
        oracle.derive("mem:below", "agent:all", later, ["mem:10"], tracing=True)
        return oracle, ["mem:0", "mem:10", "mem:20", "mem:below", source]

    @pytest.mark.parametrize(
        ("since", "until", "closed"),
        [
            (5, 15, {"mem:10", "mem:below"}),
            (10, 20, {"mem:10", "mem:below"}),
            (None, 10, {"mem:0"}),
            (20, None, {"mem:20"}),
            (11, 19, set[str]()),
            (None, 40, {"mem:0", "mem:10", "mem:20", "mem:below"}),
        ],
    )
    def test_only_edges_in_the_window_and_all_behind_them(
        self,
        early_and_late: tuple[Oracle, list[str]],
        since: int | None,
        until: int | None,
        closed: set[str],
    ) -> None:
        oracle, nodes = early_and_late
        now = NOW + 40 * HOUR
        window = {"since": since, "until": until}
        ends = {k: NOW + v * HOUR for k, v in window.items() if v is not None}
        oracle.revoke("rev:1", "res:1", "access", now, **ends)
        assert oracle.affected() == closed
        assert {n for n in nodes if not oracle.can_read("agent:s1", n, now)} == closed
        assert oracle.nodes["res:1"]["revoked"] is False
        oracle.undo("rev:1")
        assert oracle.affected() == set()

    def test_the_time_of_the_log_counts_before_that_of_the_graph(self, oracle: Oracle) -> None:
        source, then = resource(oracle, "1", "*"), NOW - 9 * HOUR
        oracle.observe("mem:1", "agent:all", source, NOW, host=True, occurred_at=then)
        oracle.revoke("rev:1", source, "access", NOW, until=NOW - HOUR)
        assert oracle.affected() == {"mem:1"}

    def test_what_is_observed_in_an_open_window_is_born_affected(self, oracle: Oracle) -> None:
        source = resource(oracle, "1", "*")
        oracle.revoke("rev:1", source, "access", NOW, since=NOW - HOUR)
        record = observed(oracle, "m", source)
        assert oracle.affected() == {record}


class TestAuthority:
    """Chains of delegation: links intersect, chains join."""

    def held(self, oracle: Oracle, agent: str, now: datetime = NOW) -> set[str]:
        return oracle.principals(agent, now) - {agent}

    def delegate(self, oracle: Oracle, to: str, *scopes: str, rights: str = "read") -> str:
        node = f"agent:d{len(oracle.nodes)}"
        oracle.register_agent(node, to, NOW, scopes=scopes, rights=rights.split())
        return node

    def test_at_user_is_all_that_the_user_holds_at_present(self, oracle: Oracle) -> None:
        assert self.held(oracle, "agent:all") == {"user:all", S1, S2, S3, "role:r"}
        oracle.set_membership("user:all", [S2], [])
        assert self.held(oracle, "agent:all") == {"user:all", S2}
        assert self.held(oracle, "agent:none") == set()
        assert oracle.active("agent:none", "read", NOW)

    def test_links_intersect(self, oracle: Oracle) -> None:
        first = self.delegate(oracle, "user:all", S1, S2, "team:other", rights="read delegate")
        second = self.delegate(oracle, first, S2, S3, rights="read delegate")
        third = self.delegate(oracle, second, "@user")
        found = [self.held(oracle, a) for a in (first, second, third)]
        assert found == [{S1, S2}, {S2}, {S2}]

    def test_delegating_needs_the_right_on_every_further_link(self, oracle: Oracle) -> None:
        lone = self.delegate(oracle, "user:all", "@user", rights="read")
        with pytest.raises(RefusedError):
            self.delegate(oracle, lone, "@user", rights="read")
        first = self.delegate(oracle, "user:all", "@user", rights="read delegate")
        second = self.delegate(oracle, first, "@user", rights="read delegate")
        oracle.withdraw(f"grant:{first}")
        oracle.grant("grant:0", first, NOW, to="user:s1", scopes=["@user"], rights=["read"])
        assert self.held(oracle, second) == set()
        assert not oracle.active(second, "read", NOW)
        oracle.grant("grant:1", first, NOW, to="user:s1", scopes=["@user"], rights=["delegate"])
        assert not oracle.active(second, "read", NOW)  # rights do not join across chains
        rights = ["read", "delegate"]
        oracle.grant("grant:2", first, NOW, to="user:s1", scopes=["@user"], rights=rights)
        assert self.held(oracle, second) == {"user:s1", S1}

    def test_chains_join_and_never_mix(self, oracle: Oracle) -> None:
        agent = self.delegate(oracle, "user:s1", S1, S2)
        oracle.grant("grant:1", agent, NOW, to="user:s2", scopes=[S1, S3], rights=["read"])
        assert self.held(oracle, agent) == {S1}  # the user of s2 holds neither S1 nor S3
        oracle.grant("grant:2", agent, NOW, to="user:s2", scopes=["@user"], rights=["read"])
        assert self.held(oracle, agent) == {S1, S2, "user:s2"}
        oracle.withdraw("grant:2")
        assert self.held(oracle, agent) == {S1}

    def test_cycles_of_delegation_never_authorise(self, oracle: Oracle) -> None:
        rights = ["read", "delegate"]
        first = self.delegate(oracle, "user:all", S1, rights="read delegate")
        second = self.delegate(oracle, first, "@user", rights="read delegate")
        oracle.grant("grant:1", first, NOW, to=second, scopes=["@user"], rights=rights)
        assert self.held(oracle, first) == self.held(oracle, second) == {S1}
        oracle.withdraw(f"grant:{first}")
        assert not oracle.active(first, "read", NOW)
        assert not oracle.active(second, "read", NOW)

    def test_everything_on_a_chain_must_be_in_force(self, oracle: Oracle) -> None:
        first = self.delegate(oracle, "user:s1", "@user", rights="read delegate")
        second = self.delegate(oracle, first, "@user")
        for node in (first, "user:s1"):
            oracle.set_standing(node, "compromised")
            assert not oracle.active(second, "read", NOW)
            oracle.set_standing(node, "new")
            assert oracle.active(second, "read", NOW)

    def test_links_open_and_close_on_time(self, oracle: Oracle) -> None:
        agent = self.delegate(oracle, "user:all")
        times = {"valid_from": NOW + HOUR, "valid_to": NOW + 2 * HOUR}
        oracle.grant("grant:1", agent, NOW, to="user:all", scopes=[S1], rights=["read"], **times)
        found = [self.held(oracle, agent, NOW + n * HOUR / 2) for n in range(1, 5)]
        assert found == [set(), {S1}, {S1}, set()]

    def test_what_a_user_is_granted(self, oracle: Oracle) -> None:
        assert not oracle.may("user:s1", "verify", NOW)
        oracle.grant("grant:1", "user:s1", NOW, scopes=[S2], rights=["verify"])
        assert oracle.may("user:s1", "verify", NOW)
        assert self.held(oracle, "agent:s1") == {"user:s1", S1, S2}
        assert oracle.may("user:root", "administer", NOW)

    def test_writing_needs_its_own_right(self, oracle: Oracle) -> None:
        reader, writer = self.delegate(oracle, "user:s1", "@user"), "agent:s1"
        source = resource(oracle, "1", S1)
        assert oracle.can_read(reader, source, NOW)
        assert not oracle.may_write(reader, [source], NOW)
        assert oracle.may_write(writer, [source], NOW)
        assert not oracle.may_write(writer, [resource(oracle, "2", S2)], NOW)

    def test_an_agent_that_is_not_registered_is_an_error(self, oracle: Oracle) -> None:
        record = observed(oracle, "m", resource(oracle, "1", "*"))
        for wrong in ("agent:unknown", "user:s1", "", "*"):
            with pytest.raises(RefusedError):
                oracle.can_read(wrong, record, NOW)
