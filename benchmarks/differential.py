"""The long differential run: random histories on the engine and on the oracle.

``python -m benchmarks.differential --histories 2000 --seed 0`` against the server that NEO4J_URI
names. Prints the seed, differences, how many histories hold each feature and how the eligible
shares spread; stopped early, it prints what it has. The oracle imports nothing from the project.
"""

import argparse
import json
import os
import secrets
import signal
import sys
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))
os.environ.setdefault("MAPGRAPH_TESTING", "1")

import neo4j  # noqa: E402
from bridge import Bridge  # noqa: E402
from history import REQUIRED  # noqa: E402
from strategies import features, random_history, shares  # noqa: E402

from mapgraph_neo.settings import load_graph_settings  # noqa: E402


def main() -> int:
    """Run the histories and return 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--size", type=int, default=40, help="operations after the set-up")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    settings = load_graph_settings()
    found: Counter[str] = Counter()
    eligible: list[float] = []
    different: dict[int, str] = {}
    operations = done = 0
    stopped: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: stopped.append(number))
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    started = time.monotonic()
    with neo4j.GraphDatabase.driver(
        settings.uri,
        auth=(settings.username, settings.password.get_secret_value()),
        notifications_min_severity="OFF",
    ) as driver:
        for seed in range(given.seed, given.seed + given.histories):
            if stopped:
                break
            history = random_history(seed, given.size)
            operations += len(history)
            found.update(features(history))
            eligible += shares(history)
            tenant = f"differential-{seed}-{secrets.token_hex(4)}"
            bridge = Bridge(settings, driver, tenant)
            differences = bridge.run(history)
            if differences:
                different[seed] = differences[0]
                print(f"seed {seed}: {differences[0]}", file=sys.stderr)
            driver.execute_query("MATCH (n {tenant: $t}) DETACH DELETE n", t=tenant)
            done += 1
            if sys.stderr.isatty() or done % 100 == 0:
                print(f"{done} of {given.histories}", file=sys.stderr)
    result = {
        "histories": done,
        "first_seed": given.seed,
        "operations": operations,
        "differences": len(different),
        "different_seeds": sorted(different),
        "features": {name: found[name] for name in REQUIRED},
        "eligible_shares": _spread(eligible),
        "minutes": round((time.monotonic() - started) / 60, 1),
    }
    print(json.dumps(result, indent=1))
    if given.json:
        given.json.write_text(json.dumps(result, indent=1), encoding="utf-8")
    return 1 if different else 0


def _spread(values: list[float]) -> dict[str, float]:
    """Return quantiles of the share of memories and claims that an agent may read."""
    ordered = sorted(values)
    return {
        f"p{percent}": round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 3)
        for percent in (5, 25, 50, 75, 95)
    }


if __name__ == "__main__":
    sys.exit(main())
