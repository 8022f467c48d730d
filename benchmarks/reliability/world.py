"""The tenant that the runs work on: sources, users, agents, and how to open it."""

import json
import os
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parents[2] / "tests"
sys.path.insert(0, str(TESTS))
os.environ.setdefault("MAPGRAPH_TESTING", "1")

from bridge import ToyEmbedder  # noqa: E402

from mapgraph_neo import MapGraph  # noqa: E402

TEAMS = ("team:a", "team:b", "team:c", "team:d")
SOURCES = 40
READERS = 8
WRITERS = 4
NOTES = 5  # of each source
ADMINISTRATOR = "user:root"


@dataclass(kw_only=True)
class Facts:
    """What is known of the tenant before anything runs: who may read what, and what came of it."""

    scopes: dict[str, str] = field(default_factory=dict[str, str])
    teams: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    parents: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def save(self, path: Path) -> None:
        """Write it for the workers."""
        path.write_text(json.dumps(self.__dict__), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "Facts":
        """Read what ``save`` wrote."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))


def open_tenant(tenant: str, sidecars: Path | None = None) -> MapGraph:
    """Open the tenant in this process; NEO4J_URI and NEO4J_PASSWORD say where."""
    if sidecars is not None:
        os.environ["MAPGRAPH_SIDECAR_DIR"] = str(sidecars)
    return MapGraph.connect(tenant=tenant, embedder=ToyEmbedder())


def prepare(graph: MapGraph, seed: int) -> Facts:
    """Register everybody and record the first notes and summaries; return what is known."""
    drawn = random.Random(seed)
    facts = Facts()
    graph.init(ADMINISTRATOR)
    events: list[dict[str, object]] = []
    for number in range(READERS + WRITERS):
        name = f"reader{number}" if number < READERS else f"writer{number - READERS}"
        teams: list[str] = [*TEAMS]
        if number < READERS:
            teams = drawn.sample(teams, drawn.randint(1, 3))
        facts.teams[f"agent:{name}"] = [*teams]
        events += [
            dict[str, object](event="user", id=f"user:{name}", teams=teams),
            dict[str, object](
                event="agent", id=f"agent:{name}", user=f"user:{name}", scopes=["@user"]
            ),
        ]
    for number in range(SOURCES):
        source = f"res:s{number}"
        facts.scopes[source] = TEAMS[number % len(TEAMS)]
        facts.parents[source] = []
        events.append(
            {
                "event": "resource",
                "id": source,
                "scope": [facts.scopes[source]],
                "source_class": "internal",
            }
        )
        for note in range(NOTES):
            memory = f"mem:s{number}-{note}"
            facts.parents[memory] = [source]
            events.append(
                {
                    "event": "observe",
                    "id": memory,
                    "source": source,
                    "writer": "agent:writer0",
                    "text": f"note {note} of source {number}",
                }
            )
    graph.ingest(events)
    return facts
