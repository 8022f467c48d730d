"""A slice of each run on field data, on a real Neo4j."""

from benchmarks.field import data, gatemem, lineage, openfga
from benchmarks.field.lineage_cases import whowhen_case
from benchmarks.field.tenants import Differences, Way


def test_ancestry_and_revocation_of_logs_read_by_all(way: Way) -> None:
    result = lineage.whowhen(way, 3)

    assert result.logs == 3
    assert result.differences.found == []
    assert result.differences.compared > 50


def test_a_planted_fault_is_a_difference(way: Way) -> None:
    log, graph = data.records("whowhen")[0], data.neutral("whowhen")[0]
    lost = next(edge for edge in graph.edges if edge["type"] == "derived_from")
    graph.edges.remove(lost)
    result = lineage.Result(name="whowhen", logs=1, differences=Differences())

    lineage._run(way, whowhen_case(log, graph), result)

    assert result.differences.found


def test_ancestry_and_revocation_of_runs_that_share_memories(way: Way) -> None:
    result = lineage.asb(way, 10)

    assert result.logs == 10
    assert result.differences.found == []
    assert result.differences.compared > 50


def test_every_condition_free_decision_is_as_its_authors_say(way: Way) -> None:
    results = openfga.stores(way)

    assert [each.store for each in results if not each.right] == []
    assert sum(each.decisions for each in results) == 68
    assert sum(each.left_out for each in results) == 52
    assert 0 < sum(each.allow for each in results) < 68


def test_nothing_deleted_is_handed_out_and_the_rest_is_kept(way: Way) -> None:
    results = gatemem.domains(way, 2)

    assert sum(each.episodes for each in results) == 2
    assert sum(each.erased for each in results) > 0
    for each in results:
        assert (each.reachable, each.handed_out) == (0, 0)
        assert each.last / each.facts >= 0.70
    assert sum(each.flat for each in results) > 0, "the flat store leaks nothing: too easy a test"
