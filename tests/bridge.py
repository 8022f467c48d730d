"""The bridge: performs one history on the engine and on the oracle, and names every difference."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from history import ACTIONS, arguments, perform, similarity, toy_vector
from oracle import Oracle, RefusedError

from mapgraph_neo import MapGraph, MapGraphError
from mapgraph_neo.grading import grade

TOLERANCE = 1e-5  # float32 vectors against Python's floats
ADMINISTRATOR = "user:root"
Operation = dict[str, Any]


class ToyEmbedder:
    """Vectors that have nothing to do with meaning, so that every order occurs."""

    identity = "toy:8"
    dimension = 8

    def split(self, text: str) -> list[str]:
        return [text]

    def embed(self, texts: Sequence[str]) -> Any:
        return np.asarray([toy_vector(text, 8) for text in texts], dtype=np.float32)


class Bridge:
    """One history on one tenant; ``differences`` is empty when engine and oracle agree."""

    def __init__(self, settings: Any, driver: Any, tenant: str) -> None:
        self.engine = MapGraph.connect(
            graph_settings=settings, driver=driver, tenant=tenant, embedder=ToyEmbedder()
        )
        self.graph = self.engine._graph
        self.engine.init(ADMINISTRATOR)
        self.oracle = Oracle(ADMINISTRATOR)
        self.start = datetime.now(UTC)
        self.now = self.start
        self.ids: dict[str, str] = {}  # handle of the history -> id of the engine
        self.differences: list[str] = []

    def run(self, history: Sequence[Operation]) -> list[str]:
        for number, op in enumerate(history):
            self.now = self.start + timedelta(seconds=op["clock"])
            self.move_clock(op["clock"])
            self.step(number, op)
            if self.differences:
                return self.differences
        self.compare(deep=True)
        return self.differences

    def move_clock(self, seconds: int) -> None:
        moved = self.graph._settings.model_copy(update={"clock_offset_ms": seconds * 1000})
        self.graph._settings = moved

    def step(self, number: int, op: Operation) -> None:
        expected, refused = None, False
        try:
            expected = perform(self.oracle, op, self.start)
        except RefusedError as error:
            refused = True
            expected = str(error)
        try:
            answer = self.perform(op)
        except MapGraphError as error:
            if not refused and not self.tolerated(op, expected):
                self.differ(f"op {number} {op}: engine refused: {error}")
            return
        if refused:
            self.differ(f"op {number} {op}: the oracle refuses ({expected}), engine: {answer}")
            return
        if op["op"] == "retrieve":
            self.same_hits(f"op {number} {op}", expected, answer)
        elif op["op"] == "propose":
            found = (answer.outcome.value, answer.rule.value)
            if found != expected:
                self.differ(f"op {number} {op}: {found} ({answer.reason}), oracle {expected}")

    def tolerated(self, op: Operation, expected: Any) -> bool:
        """An agent whose user is gone is told so; to the oracle it has nothing."""
        return op["op"] in ("retrieve", "receive") and not expected

    def differ(self, text: str) -> None:
        self.differences.append(text)

    def same_hits(self, where: str, expected: Any, answer: Any) -> None:
        found = [(hit.id, hit.score) for hit in answer.hits]
        wanted = [(self.ids.get(node, node), score) for node, score in expected]
        close = len(found) == len(wanted) and all(
            abs(a[1] - b[1]) <= TOLERANCE for a, b in zip(found, wanted, strict=True)
        )
        if not close or {i for i, _ in found} != {i for i, _ in wanted}:
            self.differ(f"{where}: hits {found}, oracle {wanted}")

    # Operations

    def perform(self, op: Operation) -> Any:
        given = arguments(op, self.now)
        given = {key: self.mapped(value) for key, value in given.items()}
        method = getattr(self, f"op_{op['op']}", None)
        if method is None:
            message = f"the bridge has no `{op['op']}`"
            raise AssertionError(message)
        answer = method(**given)
        if op["op"] in _MAKES and isinstance(answer, str):
            self.ids[op["node"]] = answer
        return answer

    def mapped(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.ids.get(value, value)
        if isinstance(value, list):
            return [self.mapped(each) for each in value]
        if isinstance(value, dict):
            return {self.mapped(key): self.mapped(item) for key, item in value.items()}
        return value

    @property
    def admin(self) -> Any:
        return self.engine.as_admin(ADMINISTRATOR)

    def op_advance(self) -> None:
        """Nothing but the clock."""

    def op_register_user(self, node: str, **given: Any) -> Any:
        return self.admin.register_user(node, **given)

    def op_register_agent(self, node: str, to: str, **given: Any) -> Any:
        side = "user" if to.startswith("user:") else "delegator"
        # The oracle lets an administrator build any chain; whether it carries is decided later.
        return self.admin.register_agent(node, **{side: to}, **given)

    def op_register_tool(self, node: str, **given: Any) -> Any:
        return self.admin.register_tool(node, **given)

    def op_register_resource(self, node: str, **given: Any) -> Any:
        return self.admin.register_resource(node, **given)

    def op_grant(self, node: str, principal: str, to: str | None = None, **given: Any) -> Any:
        del node
        return self.admin.grant(principal, via=to, **given)

    def op_withdraw(self, node: str) -> Any:
        if node.startswith("grant:agent:"):
            node = self.registration(node.removeprefix("grant:"))
        return self.admin.withdraw(node)

    def registration(self, agent: str) -> str:
        rows = self.graph.read(
            lambda tx: tx.run("authority/links", tenant=self.engine.tenant, agent=agent)
        )
        return rows[0]["id"]

    def op_set_membership(self, node: str, **given: Any) -> Any:
        return self.admin.set_membership(node, **given)

    def op_set_standing(self, node: str, standing: str) -> Any:
        return self.admin.set_standing(node, standing)

    def op_reclassify(self, node: str, source_class: str) -> Any:
        return self.admin.reclassify(node, source_class=source_class)

    def op_rescope(self, node: str, scope: list[str]) -> Any:
        return self.admin.rescope(node, scope)

    def agent(self, writer: str, task: str | None, *, tracing: bool = False) -> Any:
        return self.engine.as_agent(writer, task=task, tracing=tracing)

    def op_observe(self, node: str, writer: str, source: str, text: str, **given: Any) -> Any:
        del node
        handle = self.agent(writer, given.pop("task"), tracing=given.pop("tracing", False))
        return handle.observe(text, source=source, **given)

    def written(self, name: str, writer: str, text: str, given: dict[str, Any]) -> Any:
        handle = self.agent(writer, given.pop("task"), tracing=given.pop("tracing", False))
        return getattr(handle, name)(text, **given)

    def op_remember(self, node: str, writer: str, text: str, **given: Any) -> Any:
        del node
        return self.written("remember", writer, text, given)

    def op_derive(self, node: str, writer: str, text: str, **given: Any) -> Any:
        del node
        return self.written("derive", writer, text, given)

    def op_summarize(self, node: str, writer: str, text: str, **given: Any) -> Any:
        del node
        return self.written("summarize", writer, text, given)

    def op_claim(self, node: str, writer: str, text: str, **given: Any) -> Any:
        del node
        return self.written("claim", writer, text, given)

    def op_send(self, node: str, writer: str, text: str, **given: Any) -> Any:
        del node
        return self.written("send", writer, text, given)

    def op_ingest(self, event: str, node: str, **given: Any) -> Any:
        kind = {"send": "message"}.get(event, event)
        self.engine.ingest([{"event": kind, "id": node, **given}])
        return node

    def op_read(self, agent: str, node: str, task: str) -> Any:
        return self.agent(agent, task).read(node)

    def op_receive(self, agent: str, task: str) -> Any:
        return self.agent(agent, task).receive()

    def op_retrieve(self, agent: str, task: str, query: str, k: int) -> Any:
        return self.agent(agent, task).retrieve(query, k=k)

    def op_propose(self, agent: str, task: str, tool: str, evidence: Any, **given: Any) -> Any:
        arguments_: dict[str, Any] = {"body": "text"}
        if "audience_from" in ACTIONS[tool]:
            arguments_["to"] = list(given["audience"])
        parameters = [each for each, role in evidence.items() if role == "parameter"]
        cited = [each for each, role in evidence.items() if role != "parameter"]
        handle = self.agent(agent, task, tracing=given["tracing"])
        return handle.propose(
            tool,
            arguments=arguments_,
            evidence=cited,
            parameters={"body": parameters} if parameters else None,
            audience=given["audience"],
        )

    def op_verify(self, node: str, by: str, outcome: str, evidence: list[str]) -> Any:
        return self.engine.as_admin(by).verify(node, outcome=outcome, evidence=evidence)

    def op_invalidate(self, node: str, target: str, by: str | None = None) -> Any:
        done = self.engine.as_admin(by or ADMINISTRATOR).invalidate(target, reason="wrong")
        self.ids[node] = done.id
        return done

    def op_revoke(self, node: str, target: str, kind: str = "access", **given: Any) -> Any:
        by = given.pop("by", None)
        admin = self.engine.as_admin(by or ADMINISTRATOR)
        done = admin.revoke(target, kind=kind, reason="test", **given)
        self.ids[node] = done.id
        return done

    def op_undo(self, node: str) -> Any:
        return self.admin.undo(node, reason="test")

    # Comparison

    def records(self) -> Iterator[str]:
        labels = {"Memory", "Claim", "Message", "Resource"}
        return (n for n in list(self.oracle.nodes) if self.oracle.label(n) in labels)

    def compare(self, *, deep: bool) -> None:
        agents = [n for n in self.oracle.nodes if self.oracle.label(n) == "Agent"]
        for agent in agents:
            expected = {self.ids.get(n, n) for n in self.oracle.eligible(agent, self.now)}
            found = set(self.engine.eligible(agent))
            if found != expected:
                self.differ(
                    f"eligible({agent}): only engine {found - expected}, "
                    f"only oracle {expected - found}"
                )
            self.compare_retrieval(agent)
        if deep:
            self.compare_reasons(agents)
        self.compare_marks()
        self.compare_trust()

    def compare_retrieval(self, agent: str) -> None:
        texts = {n: f["text"] for n, f in self.oracle.nodes.items() if "text" in f}
        query = f"final {agent}"
        cosines = {n: similarity(query, text) for n, text in texts.items()}
        expected = self.oracle.retrieve(agent, cosines, 7, self.now)
        try:
            answer = self.engine.as_agent(agent).retrieve(query, k=7)
        except MapGraphError:
            if expected:
                self.differ(f"retrieve({agent}) refused, oracle {expected}")
            return
        self.same_hits(f"retrieve({agent})", expected, answer)
        if not answer.complete:
            self.differ(f"retrieve({agent}) is not complete though nothing is pending")

    def compare_reasons(self, agents: list[str]) -> None:
        for record in self.records():
            node = self.ids.get(record, record)
            wanted = {a for a in agents if self.oracle.can_read(a, record, self.now)}
            if set(self.engine.readers(node)) != wanted:
                self.differ(f"readers({record}): {self.engine.readers(node)}, oracle {wanted}")
        agent = agents[0]
        for record in self.records():
            node = self.ids.get(record, record)
            found = self.engine.explain(agent, node)
            reasons = self.oracle.reasons(agent, record, self.now)
            allowed = self.oracle.can_read(agent, record, self.now)
            if found.allowed != allowed or (not allowed and found.reason.value not in reasons):
                self.differ(f"explain({agent}, {record}): {found}, oracle {allowed} {reasons}")

    def compare_marks(self) -> None:
        expected = {self.ids.get(n, n) for n in self.oracle.affected()}
        with self.graph._driver.session(database=self.graph._settings.database) as session:
            rows = session.run(
                "MATCH (n:Affected {tenant: $tenant}) RETURN n.id AS id", tenant=self.engine.tenant
            )
            found = {row["id"] for row in rows}
        if found != expected:
            self.differ(f"marks: only engine {found - expected}, only oracle {expected - found}")

    def compare_trust(self) -> None:
        records = [n for n in self.records() if self.oracle.label(n) != "Resource"]
        ids = [self.ids.get(n, n) for n in records]
        context = self.engine._context
        grades = self.graph.read(lambda tx: grade(tx, context, ids))
        for record, node in zip(records, ids, strict=True):
            wanted, floor = self.oracle.trust(record), self.oracle.floor(record)
            given = grades[node]
            if abs(given.rho - wanted) > 1e-9 or abs(given.floor - floor) > 1e-9:
                self.differ(f"trust({record}): {given}, oracle {wanted} {floor}")


_MAKES = {
    "observe",
    "remember",
    "derive",
    "summarize",
    "claim",
    "send",
    "grant",
    "ingest",
}
