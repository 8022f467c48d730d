"""``python -m benchmarks.reliability load``: readers, writers and revokers in several processes."""

import argparse
import json
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .judge import judge, open_at_the_end
from .world import READERS, WRITERS, open_tenant, prepare


def run(argv: list[str]) -> int:
    """Run it; 1 if anything was handed out that must not be, or if the end is not as it must be."""
    parser = argparse.ArgumentParser(prog="benchmarks.reliability load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", nargs="*", default=[], choices=["proof", "overlap"])
    given = parser.parse_args(argv)
    tenant = f"load-{secrets.token_hex(4)}"
    with tempfile.TemporaryDirectory() as name, open_tenant(tenant) as graph:
        folder = Path(name)
        facts = prepare(graph, given.seed)
        facts.save(folder / "facts.json")
        workers = [_worker(tenant, folder, half, given.seconds, given.without) for half in (0, 1)]
        while len(list(folder.glob("*.stopped"))) < len(workers):
            if any(worker.poll() for worker in workers):
                break
            time.sleep(0.1)
        (folder / "all-stopped").touch()
        failed = [worker.wait() for worker in workers]
        lines = [
            json.loads(line)
            for path in sorted(folder.glob("*.ndjson"))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        found = judge(facts, lines)
        expected = open_at_the_end(facts, lines)
        wrong = sum(len(ids ^ set(graph.eligible(agent))) for agent, ids in expected.items())
        cached = sum(
            len(expected[line["agent"]] ^ set(line["ids"]))
            for line in lines
            if line["kind"] == "offered"
        )
    result = {
        "seconds": given.seconds,
        "seed": given.seed,
        "without": given.without,
        "processes": len(workers),
        "retrievals": found.retrievals,
        "items": found.items,
        "derived": found.derived,
        "revoked": found.revoked,
        "undone": found.undone,
        "memberships": found.memberships,
        "errors": len(found.errors),
        "stale": len(found.stale),
        "unpermitted": len(found.unpermitted),
        "wrong_at_the_end": wrong,
        "wrong_in_caches": cached,
    }
    print(json.dumps(result, indent=1))
    for each in (*found.errors[:3], *found.stale[:3], *found.unpermitted[:3]):
        print(each, file=sys.stderr)
    bad = (found.errors, found.stale, found.unpermitted, wrong, cached, sum(failed))
    return 1 if any(bad) else 0


def _worker(
    tenant: str, folder: Path, half: int, seconds: float, without: list[str]
) -> "subprocess.Popen[bytes]":
    readers = [f"agent:reader{n}" for n in range(half, READERS, 2)]
    writers = [f"agent:writer{n}" for n in range(half, WRITERS, 2)]
    return subprocess.Popen(  # noqa: S603 - this very program
        [
            *(sys.executable, "-m", "benchmarks.reliability.worker", "--tenant", tenant),
            *("--folder", str(folder), "--name", f"p{half}", "--seconds", str(seconds)),
            *("--readers", *readers, "--writers", *writers, "--without", *without),
        ],
        cwd=Path(__file__).parents[2],
    )
