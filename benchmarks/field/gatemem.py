"""Deletion in shared memory: what can still be handed out, and what is kept, by domain.

``python -m benchmarks.field.gatemem [--limit N] [--embedder st]``. At each question on something
deleted, the messages that hold its strings are erased; then the whole of what the asker's agent
may read is searched, not only the best hits. Beside it a flat store deletes the same turns and
keeps the copies. Facts kept: of the strings of right answers, those that the asker can reach.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from benchmarks.field import data
from benchmarks.field.episodes import Episode, Question, Story, episodes
from benchmarks.field.flat import FlatStore, found
from benchmarks.field.tenants import OPERATOR, Way, options, table, way_of
from mapgraph_neo import MapGraph

K = 10
HEADS = (
    "domain",
    "episodes",
    "deletion questions",
    "erased",
    "reachable",
    "handed out",
    "flat leaks",
    "facts",
    "kept",
    "kept at the end",
    "s",
)


@dataclass(kw_only=True)
class Result:
    """Sums over the episodes of one domain."""

    domain: str
    episodes: int = 0
    questions: int = 0  # on something deleted
    erased: int = 0  # messages
    reachable: int = 0  # strings in what the asker may read, after the deletion
    handed_out: int = 0  # strings in the best hits
    flat: int = 0  # questions for which the flat store hands out a string
    facts: int = 0
    kept: int = 0  # when asked
    last: int = 0  # when the episode is over
    seconds: float = 0.0

    def row(self) -> tuple[object, ...]:
        """Return it as a row of the table."""
        return (
            self.domain,
            self.episodes,
            self.questions,
            self.erased,
            self.reachable,
            self.handed_out,
            f"{self.flat / max(1, self.questions):.2f}",
            self.facts,
            f"{self.kept / max(1, self.facts):.2f}",
            f"{self.last / max(1, self.facts):.2f}",
            round(self.seconds),
        )

    def add(self, other: "Result") -> None:
        """Add the sums of another."""
        for each in fields(self)[1:]:
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass(kw_only=True)
class _Run:
    graph: MapGraph
    story: Story
    flat: FlatStore
    result: Result

    def go(self, episode: Episode) -> None:
        """Tell the story turn by turn and ask each question at its time."""
        self.graph.ingest(self.story.people())
        for question in episode.questions:
            events, texts = self.story.until(question.turn)
            if events:
                self.graph.ingest(events)
                self.flat.add(texts)
            if question.deletion:
                self._deleted(question)
            else:
                self._fact(question)
        for question in episode.questions:
            if not question.deletion:
                self.result.last += len(self._reachable(question))

    def _deleted(self, question: Question) -> None:
        admin = self.graph.as_admin(OPERATOR)
        for message in list(self.story.holding(question.strings)):
            admin.revoke(message, kind="erasure", reason="the person asked for it")
            self.flat.delete(message.replace("msg:", "mem:", 1))
            del self.story.turns[message]
            self.result.erased += 1
            self.result.reachable += self.graph.check(question.asker, message).allowed
        hits = self.graph.as_agent(question.asker, task=question.id).retrieve(question.text, k=K)
        similar = self.flat.retrieve(question.text, K)
        self.result.questions += 1
        self.result.reachable += len(self._reachable(question))
        self.result.handed_out += len(found(question.strings, [hit.text for hit in hits]))
        self.result.flat += bool(found(question.strings, similar))

    def _fact(self, question: Question) -> None:
        """Count the facts, and let the asker's agent write an answer: one more copy."""
        self.result.facts += len(question.strings)
        self.result.kept += len(self._reachable(question))
        agent = self.graph.as_agent(question.asker, task=question.id)
        hits = agent.retrieve(question.text, k=K)
        if hits.hits:
            text = "\n".join(hit.text for hit in hits)
            answer = agent.summarize(text, parents=[hit.id for hit in hits])
            self.story.texts[answer] = text

    def _reachable(self, question: Question) -> list[str]:
        """Return the strings in anything that the asker's agent may read now."""
        readable = self.graph.eligible(question.asker)
        return found(question.strings, (self.story.texts[node] for node in readable))


def domains(way: Way, limit: int | None = None) -> list[Result]:
    """Run the episodes, each in a tenant of its own, and sum up by domain."""
    sums: dict[str, Result] = {}
    chosen = data.spread(episodes(), limit)
    for number, episode in enumerate(chosen, start=1):
        if sys.stderr.isatty():
            print(f"episode {number} of {len(chosen)}", end="\r", file=sys.stderr)
        given = sums.setdefault(episode.domain, Result(domain=episode.domain))
        given.add(_episode(way, episode))
    return [sums[name] for name in sorted(sums)]


def _episode(way: Way, episode: Episode) -> Result:
    begin = time.perf_counter()
    embedder: Any = way.given["embedder"]
    result = Result(domain=episode.domain, episodes=1)
    with way.open("gatemem") as graph:
        _Run(graph=graph, story=Story(episode), flat=FlatStore(embedder), result=result).go(episode)
    result.seconds = time.perf_counter() - begin
    return result


def run(way: Way, limit: int | None = None) -> Sequence[Result]:
    """Run the episodes and print the table."""
    results = domains(way, limit)
    whole = Result(domain="all")
    for each in results:
        whole.add(each)
    table(HEADS, [each.row() for each in (*results, whole)])
    return results


def main() -> int:
    """Run the command; 1 if a deleted string can be reached."""
    given = options(__doc__).parse_args()
    results = run(way_of(given), given.limit)
    return 1 if any(each.reachable or each.handed_out for each in results) else 0


if __name__ == "__main__":
    sys.exit(main())
