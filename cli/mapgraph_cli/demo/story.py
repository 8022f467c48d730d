"""What the chapters share: the tenant, the teller, and every decision that was really made."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mapgraph_cli.demo.paths import path_lines, path_to_source
from mapgraph_cli.demo.teller import Teller
from mapgraph_neo.errors import ActionNotAllowedError
from mapgraph_neo.vocabulary import Outcome

if TYPE_CHECKING:
    from mapgraph_neo.agent import AgentHandle
    from mapgraph_neo.engine import MapGraph
    from mapgraph_neo.model import Decision, Retrieval, RevocationReport


@dataclass(slots=True)
class Story:
    """Runs steps through the public API and prints what came back; nothing is made up here."""

    graph: "MapGraph"
    teller: Teller
    decisions: list["Decision"] = field(default_factory=list["Decision"])

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How often the gate gave each outcome."""
        return Counter(decision.outcome for decision in self.decisions)

    def reader(self, agent: str, task: str, *records: str) -> "AgentHandle":
        """Return an agent in a task in which it has read ``records``, and nothing else."""
        handle = self.graph.as_agent(agent, task=task)
        for record in records:
            handle.read(record)
        return handle

    def ask(self, agent: str, task: str, question: str, k: int = 3) -> "Retrieval":
        """Let an agent retrieve, and print its hits with their grades."""
        hits = self.graph.as_agent(agent, task=task).retrieve(question, k)
        rows = [
            f"{hit.score:.2f} = {max(0.0, hit.similarity):.2f} x {hit.trust:.2f}  "
            f'{hit.id}  "{hit.text}"'
            for hit in hits
        ]
        self.teller.lines("gets", rows or ["nothing"])
        nearest = max(hits, key=lambda hit: hit.similarity, default=None)
        if nearest is not None and nearest.id != hits[0].id:
            self.teller.line(
                "so", f"{nearest.id} is most similar; trust puts {hits[0].id} before it"
            )
        return hits

    def propose(
        self,
        agent: "AgentHandle",
        tool: str,
        arguments: Mapping[str, Any],
        *,
        evidence: Iterable[str] = (),
        parameters: Mapping[str, Iterable[str]] | None = None,
        shown: str | None = None,
    ) -> "Decision":
        """Let an agent propose, and print what the gate said, with where ``shown`` came from."""
        decision = agent.propose(
            tool, arguments=arguments, evidence=list(evidence), parameters=parameters
        )
        self.decisions.append(decision)
        self.teller.decision(decision)
        if shown is not None:
            self.origin(shown)
        return decision

    def origin(self, record: str) -> None:
        """Print the path from a record to its source."""
        lineage = self.graph.lineage(record)
        self.teller.lines("path", path_lines(lineage, path_to_source(lineage)), "dim")

    def explain(self, agent: str, record: str) -> None:
        """Print why an agent may not read a record, with the witness path of ``explain``."""
        found = self.graph.explain(agent, record)
        if found.allowed:
            self.teller.line("explain", f"{agent} may read {record}")
            return
        lineage = self.graph.lineage(record)
        self.teller.line("explain", f"{agent} may not read {record}: {found.reason}")
        self.teller.lines("path", path_lines(lineage, found.witness), "dim")

    def execute(self, agent: "AgentHandle", decision: "Decision", done: str) -> None:
        """Let an agent carry out a decision; print ``done``, or the refusal."""

        def run(**_: object) -> None:
            self.teller.line("runs", done)

        try:
            agent.execute(decision.id, run=run)
        except ActionNotAllowedError as error:
            self.teller.line("refused", str(error), "bold red")

    def report(self, report: "RevocationReport") -> None:
        """Print what a revocation reaches."""
        kinds = ", ".join(f"{count} {kind}" for kind, count in report.by_kind.items())
        depths = ", ".join(f"{count} at depth {depth}" for depth, count in report.by_depth.items())
        self.teller.line("reaches", f"{report.affected} records ({kinds}; {depths})")
        if report.agents:
            self.teller.line("closed to", ", ".join(report.agents))
        if report.actions:
            self.teller.line("used by", ", ".join(report.actions))
        if report.pending:
            self.teller.line("goes stale", ", ".join(report.pending))
