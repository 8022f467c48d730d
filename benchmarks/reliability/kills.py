"""``python -m benchmarks.reliability kills``: kill -9 at random moments, and look at what is left.

Client processes are killed against the server that NEO4J_URI names; the server's own process is
killed on a private server of this run, while a client works on it.
"""

import argparse
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from mapgraph_neo import MapGraph
from mapgraph_neo.server import LocalServer

from .judge import open_at_the_end
from .world import READERS, WRITERS, Facts, open_tenant, prepare

Line = dict[str, Any]
LOOK_CLOSELY = 20
"""Each so many kills everything is compared, not only what was acknowledged."""


def run(argv: list[str]) -> int:
    """Kill as often as asked; 1 if anything acknowledged was lost or anything closed came back."""
    parser = argparse.ArgumentParser(prog="benchmarks.reliability kills", description=__doc__)
    parser.add_argument("--clients", type=int, default=190)
    parser.add_argument("--servers", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    drawn = random.Random(given.seed)
    found: Counter[str] = Counter()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _clients(given.clients, drawn, folder / "clients", found)
        if given.servers:
            _servers(given.servers, drawn, folder / "servers", found)
    result = {"seed": given.seed, **found, "minutes": round((time.monotonic() - started) / 60, 1)}
    print(json.dumps(result, indent=1))
    return 1 if found["lost"] or found["came_back"] or found["drift"] or found["wrong"] else 0


class Run:
    """One tenant on which clients work and die."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Prepare it."""
        folder.mkdir(mode=0o700)
        self.folder = folder
        self.tenant = f"kills-{secrets.token_hex(4)}"
        with open_tenant(self.tenant, folder / "sidecars") as graph:
            self.facts = prepare(graph, seed)
        self.facts.save(folder / "facts.json")

    def start(self, number: int) -> "subprocess.Popen[bytes]":
        """Start a client and wait until it has done something."""
        log = self.folder / f"k{number}.ndjson"
        readers = [f"agent:reader{each}" for each in range(0, READERS, 4)]
        writers = [f"agent:writer{each}" for each in range(WRITERS)]
        process = subprocess.Popen(  # noqa: S603 - this very program
            [
                *(sys.executable, "-m", "benchmarks.reliability.worker", "--tenant", self.tenant),
                *("--folder", str(self.folder), "--name", f"k{number}", "--seconds", "600"),
                *("--readers", *readers, "--writers", *writers, "--revokers", "2"),
            ],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "MAPGRAPH_SIDECAR_DIR": str(self.folder / "sidecars")},
        )
        deadline = time.monotonic() + 60
        while not (log.exists() and log.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.02)
        return process

    def look(self, found: Counter[str], *, closely: bool) -> None:
        """Compare what is left with what was acknowledged."""
        lines = self.lines()
        with open_tenant(self.tenant, self.folder / "sidecars") as graph:
            graph.as_admin("user:root")  # heals what was left
            made = {x["id"] for x in lines if x["kind"] == "derive" and "id" in x}
            rows = graph._graph.read(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
                lambda tx: tx.run("record/nodes", tenant=self.tenant, ids=sorted(made))
            )
            found["lost"] += len(made) - len(rows)
            _compare(graph, self.facts, lines, found)
            if closely:
                report = graph.doctor()
                found["drift"] += sum(not each.ok for each in report.findings)
                found["close_looks"] += 1
        found["acknowledged"] = sum(x["kind"] in ("derive", "revoke", "undo") for x in lines)

    def lines(self) -> list[Line]:
        """Return the whole lines of all logs; a last one may have been cut by the kill."""
        found: list[Line] = []
        for path in sorted(self.folder.glob("*.ndjson")):
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    found.append(json.loads(line))
                except ValueError:
                    continue
        return [line for line in found if "error" not in line]


def _compare(graph: MapGraph, facts: Facts, lines: list[Line], found: Counter[str]) -> None:
    """Nothing may be offered that was closed for good, by the path query or by retrieval."""
    calls = [line for line in lines if line["kind"] == "calling"]
    undoing = {line["target"] for line in calls if line["what"] == "undo"}
    sure = [
        line
        for line in lines
        if line["kind"] != "calling" and not (line["kind"] == "revoke" and line["id"] in undoing)
    ]
    expected = open_at_the_end(facts, [x for x in sure if x["kind"] != "membership"])
    # The writers hold every team all the time, so what they may not read was withdrawn.
    back = set(graph.eligible("agent:writer0")) - expected["agent:writer0"]
    found["came_back"] += len(back & _known(facts, lines))
    for agent in ("agent:writer0", "agent:reader0"):
        offered = {h.id for h in graph.as_agent(agent, task="look").retrieve("note", k=50)}
        found["wrong"] += len(offered - set(graph.eligible(agent)))


def _known(facts: Facts, lines: list[Line]) -> set[str]:
    return {*facts.parents, *(x["id"] for x in lines if x["kind"] == "derive" and "id" in x)}


def _clients(kills: int, drawn: random.Random, folder: Path, found: Counter[str]) -> None:
    run = Run(folder, drawn.randrange(10**6))
    for number in range(kills):
        process = run.start(number)
        time.sleep(drawn.uniform(0.0, 1.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        found["client_kills"] += 1
        run.look(found, closely=number % LOOK_CLOSELY == LOOK_CLOSELY - 1)
        _tell(f"{number + 1} of {kills} clients")


def _servers(kills: int, drawn: random.Random, folder: Path, found: Counter[str]) -> None:
    folder.mkdir(mode=0o700)
    os.environ["MAPGRAPH_SERVER_DIR"] = str(folder / "home")
    server = LocalServer("kills")
    try:
        _reach(server)
        run = Run(folder / "tenant", drawn.randrange(10**6))
        for number in range(kills):
            process = run.start(number)
            time.sleep(drawn.uniform(0.0, 3.0))
            os.kill(int(server.status().pid or 0), signal.SIGKILL)
            process.send_signal(signal.SIGKILL)
            process.wait()
            _reach(server)
            found["server_kills"] += 1
            run.look(found, closely=True)
            _tell(f"{number + 1} of {kills} servers")
    finally:
        server.destroy()


def _reach(server: LocalServer) -> None:
    address = server.start()
    os.environ["NEO4J_URI"] = address.uri
    os.environ["NEO4J_PASSWORD"] = address.password


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
