"""One process under load: threads that read, write and revoke, and a log of what each call did."""

import argparse
import itertools
import json
import random
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from mapgraph_neo import (
    AgentHandle,
    MapGraph,
    MapGraphError,
    RefusedError,
    UnknownNodeError,
    ranking,
    sync,
)
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings

from .world import ADMINISTRATOR, TEAMS, Facts, open_tenant

Line = dict[str, Any]
K = 50
OF_SOURCES = 0.3
"""Share of withdrawals that hit a source, not a record."""
UNDONE = 0.8
MEMBERSHIPS = 0.3


class Log:
    """Lines of JSON, one a call, with the machine's monotonic clock before and after it."""

    def __init__(self, path: Path) -> None:
        """Append to ``path``."""
        self._file = path.open("a", encoding="utf-8")
        self._lock = threading.Lock()

    def call(self, kind: str, work: Callable[[], Line], target: str = "") -> Line | None:
        """Do it and note what came; a refusal is a result, any other error is counted."""
        if kind == "undo":  # whoever dies in it may have undone it
            self._write({"kind": "calling", "what": kind, "target": target})
        started = time.monotonic_ns()
        try:
            line = work()
        except (UnknownNodeError, RefusedError):
            return None
        except MapGraphError as error:
            line = {"error": f"{type(error).__name__}: {error}"}
        line |= {"kind": kind, "from": started, "to": time.monotonic_ns()}
        self._write(line)
        return line

    def _write(self, line: Line) -> None:
        with self._lock:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()


class Load:
    """The threads of one process."""

    def __init__(self, graph: MapGraph, facts: Facts, log: Log, seed: str) -> None:
        """Work on ``graph``; the same ``seed`` draws the same calls."""
        self._graph = graph
        self._log = log
        self._seed = seed
        self._known = list(facts.parents)
        self._sources = list(facts.scopes)
        self._stop = threading.Event()

    def run(self, readers: list[str], writers: list[str], revokers: int, seconds: float) -> None:
        """Work for ``seconds``."""
        threads = [
            *(threading.Thread(target=self._read, args=(name,)) for name in readers),
            *(threading.Thread(target=self._write, args=(name,)) for name in writers),
            *(threading.Thread(target=self._revoke, args=(n,)) for n in range(revokers)),
        ]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self._stop.set()
        for thread in threads:
            thread.join()

    def look(self, agents: list[str]) -> None:
        """Note what this process's own cache would offer each agent, when all is done."""
        for agent in agents:
            self._graph.as_agent(agent, task="end").retrieve("anything", k=1)
            ids = sorted(self._graph._graph.read(partial(self._offered, agent)))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            self._log.call("offered", partial(dict[str, Any], agent=agent, ids=ids))

    def _offered(self, agent: str, tx: Transaction) -> list[str]:
        tenant, synchroniser = self._graph.tenant, self._graph._sync()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        held, synced = holdings(tx, tenant, agent), synchroniser.sync(tx)
        offered = synchroniser.sidecar.eligible(held.principals, synced.now_ms, synced.excluded, 0)
        import unproved  # noqa: PLC0415 - found once the folder of the tests is on the path

        return unproved.ids_of(tx, tenant, offered.seqs().tolist())

    def _read(self, agent: str) -> None:
        drawn = random.Random(f"{self._seed}-{agent}")
        for turn in itertools.count():
            if self._stop.is_set():
                return
            handle = self._graph.as_agent(agent, task=f"{self._seed}-{turn // 20}")
            query = f"note {drawn.randrange(1000)}"

            def work(handle: AgentHandle = handle, query: str = query) -> Line:
                found = handle.retrieve(query, k=K)
                return {"agent": agent, "ids": [h.id for h in found], "epoch": found.epoch}

            self._log.call("retrieve", work)

    def _write(self, agent: str) -> None:
        drawn = random.Random(f"{self._seed}-{agent}")
        while not self._stop.is_set():
            parents = drawn.sample(self._known, drawn.randint(1, 3))
            text = f"text {drawn.randrange(10**9)}"
            handle = self._graph.as_agent(agent, task="w", tracing=True)

            def work(
                handle: AgentHandle = handle,
                parents: list[str] = parents,
                text: str = text,
            ) -> Line:
                return {"id": handle.derive(text, parents=parents), "parents": parents}

            line = self._log.call("derive", work)
            if line and "id" in line:
                self._known.append(line["id"])
            time.sleep(0.05)

    def _revoke(self, number: int) -> None:
        drawn = random.Random(f"{self._seed}-r{number}")
        admin = self._graph.as_admin(ADMINISTRATOR)
        while not self._stop.is_set():
            target = drawn.choice(self._sources if drawn.random() < OF_SOURCES else self._known)

            def revoke(target: str = target) -> Line:
                done = admin.revoke(target, reason="load")
                return {"target": target, "id": done.id, "epoch": done.epoch}

            line = self._log.call("revoke", revoke)
            time.sleep(drawn.uniform(0.05, 0.4))
            if line and line.get("id") and drawn.random() < UNDONE:

                def undo(line: Line = line) -> Line:
                    admin.undo(line["id"], reason="load")
                    return {"id": line["id"], "target": line["target"]}

                self._log.call("undo", undo, line["id"])
            if number == 0 and drawn.random() < MEMBERSHIPS:
                self._change_membership(drawn)

    def _change_membership(self, drawn: random.Random) -> None:
        name = f"reader{drawn.randrange(8)}"
        teams = drawn.sample(TEAMS, drawn.randint(0, 3))
        admin = self._graph.as_admin(ADMINISTRATOR)

        def work() -> Line:
            admin.set_membership(f"user:{name}", teams=teams)
            return {"agent": f"agent:{name}", "teams": teams}

        self._log.call("membership", work)


def switch_off(variant: str) -> None:
    """Switch off the proof, or the reading of epochs again: a run without must fail."""
    import unproved  # noqa: PLC0415 - found once the folder of the tests is on the path

    variants: dict[str, Mapping[tuple[Any, str], object]] = {  # module and name
        "proof": {(ranking, "prove"): unproved.prove, (ranking, "grade"): unproved.grade},
        "overlap": {(sync, "OVERLAP"): 0},
    }
    for (module, name), value in variants[variant].items():
        setattr(module, name, value)


def main() -> int:
    """Run one worker; made by ``python -m benchmarks.reliability load``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--readers", nargs="*", default=[])
    parser.add_argument("--writers", nargs="*", default=[])
    parser.add_argument("--revokers", type=int, default=1)
    parser.add_argument("--without", nargs="*", default=[])
    given = parser.parse_args()
    for variant in given.without:
        switch_off(variant)
    facts = Facts.load(given.folder / "facts.json")
    log = Log(given.folder / f"{given.name}.ndjson")
    with open_tenant(given.tenant) as graph:
        load = Load(graph, facts, log, given.name)
        load.run(given.readers, given.writers, given.revokers, given.seconds)
        (given.folder / f"{given.name}.stopped").touch()
        while not (given.folder / "all-stopped").exists():
            time.sleep(0.05)
        load.look(given.readers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
