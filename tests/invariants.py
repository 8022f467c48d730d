"""What must hold after every scenario, whatever it did; numbers as in docs/cases.md."""

import math

import neo4j
import pytest

from mapgraph_neo import InvalidNameError, MapGraphError, NotRegisteredError, Reason, RefusedError
from mapgraph_neo.grading import Grade, grade
from mapgraph_neo.policy_tests.stage import Stage

LISTED = ("mem:", "claim:")
READ = (*LISTED, "msg:", "res:")
MANY = 500


class Look:
    """Looks at one tenant from outside: every agent, every record."""

    def __init__(self, stage: Stage, driver: neo4j.Driver) -> None:
        self.stage = stage
        self.graph = stage.graph
        self.driver = driver
        self.agents = [each for each in self.ids() if each.startswith("agent:")]
        self.records = [each for each in self.ids() if each.startswith(READ)]
        self.lists = {agent: set(self.graph.eligible(agent)) for agent in self.agents}
        self.readers = {record: set(self.graph.readers(record)) for record in self.records}
        self.above = {record: self.came_from(record) for record in self.records}
        self.grades = self.graded()

    def rows(self, query: str) -> list[dict[str, object]]:
        found = self.driver.execute_query(query, tenant=self.graph.tenant)  # type: ignore[arg-type]
        return [row.data() for row in found.records]

    def ids(self) -> list[str]:
        rows = self.rows("MATCH (n:MapNode {tenant: $tenant}) RETURN n.id AS id ORDER BY n.seq")
        return [str(row["id"]) for row in rows]

    def graded(self) -> dict[str, Grade]:
        context = self.stage.context
        ids = [each for each in self.records if not each.startswith("res:")]
        return context.graph.read(lambda tx: grade(tx, context, ids))

    def check(self) -> None:
        self.one_answer()
        self.readers_narrow()
        self.withdrawn_beats_all()
        self.trust_is_a_number()
        for agent in self.agents:
            self.retrieval_is_the_list(agent)
        self.nothing_is_lost()
        self.nobody_is_refused()

    def one_answer(self) -> None:
        """I2 and I3: the list, check, explain, readers and the agent's own answer agree."""
        for number, agent in enumerate(self.agents):
            try:
                own = self.graph.as_agent(agent)
            except MapGraphError:
                own = None
            for place, record in enumerate(self.records):
                found = self.graph.explain(agent, record)
                where = f"{agent} {self.stage.show([record])[0]}: {found}"
                assert found.allowed is (found.reason is Reason.ALLOWED), where
                assert found.allowed is (agent in self.readers[record]), where
                if record.startswith(LISTED):
                    assert found.allowed is (record in self.lists[agent]), where
                if own is not None and (number + place) % 2 == 0:  # half of them, for the time
                    assert own.check(record).allowed is found.allowed, where

    def readers_narrow(self) -> None:
        """I5: who reads a record reads all that it came from."""
        for record, above in self.above.items():
            for node in above:
                if node.startswith(READ):
                    assert self.readers[record] <= self.readers[node], (record, node)

    def withdrawn_beats_all(self) -> None:
        """I8: no permit opens what is revoked, invalidated or came from it."""
        rows = self.rows(
            "MATCH (n:MapNode {tenant: $tenant})-[e:INVALIDATED_BY]->() WHERE e.undone_at IS NULL "
            "AND e.since IS NULL AND e.until IS NULL RETURN DISTINCT n.id AS id"
        )
        for source in (str(row["id"]) for row in rows):
            for record, above in self.above.items():
                if source in above:
                    assert self.readers[record] == set(), (source, record)

    def came_from(self, record: str) -> set[str]:
        """Return a record with all that it came from."""
        if record.startswith("res:"):
            return {record}
        found = self.graph.lineage(record).nodes
        return {node.id for node in found if "hops" in node.properties}

    def trust_is_a_number(self) -> None:
        """I9: every path trust is a finite number from 0 to 1."""
        for record, given in self.grades.items():
            for number in (given.rho, given.floor):
                assert math.isfinite(number), record
                assert 0.0 <= number <= 1.0, record

    def retrieval_is_the_list(self, agent: str) -> None:
        """I1 and I14: what is retrieved is the list without what the floor keeps out."""
        try:
            found = self.graph.as_agent(agent).retrieve("anything at all", k=MANY)
        except RefusedError:
            assert self.lists[agent] == set(), agent
            return
        ids = {hit.id for hit in found}
        assert ids <= self.lists[agent]
        assert len(ids) == len(found)
        for hit in found:
            assert 0.0 <= hit.score <= hit.trust <= 1.0
            assert hit.trust == pytest.approx(self.grades[hit.id].rho, abs=1e-9)
        if found.complete:
            floor = self.graph.policy.trust_floor
            assert ids == {each for each in self.lists[agent] if self.grades[each].floor >= floor}

    def nothing_is_lost(self) -> None:
        """I12 and I13: entries belong to records, nothing is deleted, decisions say by what."""
        orphans = self.rows(
            "MATCH (e:_Entry {tenant: $tenant}) WHERE COUNT { MATCH (n:MapNode {tenant: $tenant}) "
            "WHERE n.seq = e.seq AND n.id = e.id } <> 1 RETURN e.id AS id"
        )
        assert orphans == []
        kept = {real for real in self.stage.shown if real.partition(":")[0] in KINDS}
        assert kept - set(self.ids()) == set()
        for each in self.graph.decisions(limit=MANY):
            assert each.epoch > 0 or each.policy == "", each
            assert each.rule
            assert each.outcome
            assert each.reason or each.state

    def nobody_is_refused(self) -> None:
        """I7: what nobody declared is closed."""
        record = next(iter(self.records), "mem:none")
        with pytest.raises(NotRegisteredError):
            self.graph.check("agent:was-never-registered", record)
        with pytest.raises(InvalidNameError):
            self.graph.check("*", record)
        for agent in self.agents[:1]:
            assert self.graph.check(agent, "mem:never-was").reason is Reason.UNKNOWN


KINDS = ("mem", "claim", "msg", "act")
