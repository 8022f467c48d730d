"""Made-up histories cover what they must, and the oracle keeps its own laws on them."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from oracle import Oracle
from strategies import (
    READERS,
    START,
    Graph,
    History,
    features,
    histories,
    lineage_graphs,
    random_history,
    replay,
    shares,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RUNS = 40
MUST = {"delegation", "diamonds", "windows", "undo", "expiry", "rescope", "membership", "read_set"}
few = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


def after(history: History) -> tuple[Oracle, datetime]:
    return replay(history, START)[0], START + timedelta(seconds=history[-1]["clock"])


def of_kind(oracle: Oracle, *labels: str) -> list[str]:
    return [n for n in oracle.nodes if oracle.label(n) in labels]


def test_a_seed_always_gives_the_same_plain_data() -> None:
    history = random_history(7)
    assert history == random_history(7)
    assert history == json.loads(json.dumps(history))
    assert history != random_history(8)


def test_every_feature_is_frequent_and_shares_are_spread() -> None:
    runs = [random_history(seed) for seed in range(RUNS)]
    found = Counter(name for run in runs for name in features(run))
    spread = Counter(int(share * 4) for run in runs for share in shares(run))
    assert min(len(run) for run in runs) >= 30
    assert {name: count for name in MUST if (count := found[name]) < RUNS * 0.3} == {}
    assert min(spread[quarter] for quarter in range(4)) > RUNS * 4 * 0.1


def test_most_operations_are_accepted() -> None:
    for seed in range(10):
        history = random_history(seed)
        assert len(replay(history, START)[1]) < len(history) * 0.25


@few
@given(histories())
def test_laws_of_reading(history: History) -> None:
    oracle, now = after(history)
    agents, affected = of_kind(oracle, "Agent"), oracle.affected()
    for agent in agents:
        eligible = oracle.eligible(agent, now)
        each = {n for n in of_kind(oracle, "Memory", "Claim") if oracle.can_read(agent, n, now)}
        assert eligible == each
        assert not eligible & affected
        if not oracle.active(agent, "read", now):
            assert not eligible
    for record in of_kind(oracle, "Memory", "Claim", "Message"):
        readers = oracle.readers(record, now)
        assert all(readers <= oracle.readers(a, now) for a in oracle.ancestors(record))
        assert 0.0 <= oracle.trust(record) <= 1.0
        assert bool(oracle.withdrawn(record)) == (record in affected or oracle.closed(record))


@few
@given(histories())
def test_withdrawing_and_waiting_never_open(history: History) -> None:
    oracle, now = after(history)
    agents = of_kind(oracle, "Agent")
    before = {agent: oracle.eligible(agent, now) for agent in agents}
    worth = {n: oracle.trust(n) for n in of_kind(oracle, "Memory", "Claim", "Message")}
    for number, source in enumerate(of_kind(oracle, "Resource")[:2]):
        revocation = f"rev:new{number}"
        known = oracle.revoke(revocation, source, "reliability", now)
        assert all(oracle.eligible(a, now) <= before[a] for a in agents)
        assert all(oracle.trust(n) <= rho for n, rho in worth.items())
        if known == revocation:
            oracle.undo(revocation)
        assert before == {agent: oracle.eligible(agent, now) for agent in agents}


@settings(max_examples=150, deadline=None, database=None)
@given(lineage_graphs(NOW))
def test_planted_lineages_end_and_never_open(graph: Graph) -> None:
    oracle = Oracle()
    for agent, team in zip(READERS, ("team:a", "team:b"), strict=True):
        user = agent.replace("agent", "user")
        oracle.register_user(user, teams=[team])
        oracle.register_agent(agent, user, NOW, scopes=["@user"])
    oracle.plant(graph["nodes"], graph["edges"])
    records = [n["id"] for n in graph["nodes"]]
    for agent in READERS:
        readable = {n for n in records if oracle.can_read(agent, n, NOW)}
        assert oracle.eligible(agent, NOW) == {
            n for n in readable if oracle.label(n) in {"Memory", "Claim"}
        }
        planted = set(records)  # an edge may also lead to the administrator, who is no record
        assert all(oracle.ancestors(n) & planted <= readable for n in readable)
    for record in records:
        in_cycle = record in oracle.ancestors(record)
        assert not (in_cycle and oracle.readers(record, NOW))
        assert 0.0 <= oracle.trust(record) <= 1.0
        if record in oracle.affected():
            assert not oracle.readers(record, NOW)


def test_planted_lineages_are_not_all_alike() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=150, deadline=None, database=None, derandomize=True)
    @given(lineage_graphs(NOW))
    def look(graph: Graph) -> None:
        oracle = Oracle()
        for agent in READERS:
            oracle.register_agent(agent, "user:root", NOW, scopes=["@user"])
        oracle.plant(graph["nodes"], graph["edges"])
        records = [n["id"] for n in graph["nodes"]]
        found = {r for n in records for r in oracle.reasons(READERS[0], n, NOW)}
        cycles = [n for n in records if n in oracle.ancestors(n)]
        seen.update(found | ({"cycle"} if len(cycles) > 2 else set()))

    look()
    wanted = ("allowed", "malformed", "revoked", "expired", "scope", "pending", "cycle")
    assert [name for name in wanted if seen[name] < 3] == []
