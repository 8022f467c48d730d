"""All runs on field data, and one summary: ``python -m benchmarks.field [--limit N]``."""

import sys
import time
from collections.abc import Sequence

from benchmarks.field import gatemem, lineage, openfga
from benchmarks.field.tenants import options, table, way_of

KEPT = 0.70  # the share of facts that a deletion must leave


def main() -> int:
    """Run everything; 1 if anything is not as it should be."""
    given = options(__doc__).parse_args()
    way, limit = way_of(given), given.limit
    begin = time.perf_counter()
    print("logs, ancestry and revocation")
    logs = lineage.run(way, limit)
    print("\nauthorisation decisions")
    stores = openfga.run(way, limit)
    print("\ndeletion in shared memory")
    memory = gatemem.run(way, limit)
    rows = [*_logs(logs), *_stores(stores), *_memory(memory)]
    print()
    table(("run", "asked for", "found", "as asked"), [each[:4] for each in rows])
    print(f"{(time.perf_counter() - begin) / 60:.1f} minutes")
    return 0 if all(each[3] == "yes" for each in rows) else 1


def _row(run: str, wanted: str, found: object, *, right: bool) -> tuple[str, str, object, str]:
    return (run, wanted, found, "yes" if right else "NO")


def _logs(results: Sequence[lineage.Result]) -> list[tuple[str, str, object, str]]:
    return [
        _row(
            f"{each.name}: {each.differences.compared} comparisons",
            "differences 0",
            len(each.differences.found),
            right=not each.differences.found,
        )
        for each in results
    ]


def _stores(results: Sequence[openfga.Result]) -> list[tuple[str, str, object, str]]:
    count = sum(each.decisions for each in results)
    right = min(sum(each.check for each in results), sum(each.readers for each in results))
    wanted = f"{count} of {count}"
    return [_row("openfga", wanted, right, right=all(each.right for each in results))]


def _memory(results: Sequence[gatemem.Result]) -> list[tuple[str, str, object, str]]:
    rows: list[tuple[str, str, object, str]] = []
    for each in results:
        open_strings = each.reachable + each.handed_out
        rows.append(
            _row(
                f"gatemem {each.domain}: strings left",
                "0",
                open_strings,
                right=not open_strings,
            )
        )
        share = each.last / max(1, each.facts)
        wanted = f">= {KEPT:.2f}"
        rows.append(
            _row(
                f"gatemem {each.domain}: facts kept at the end",
                wanted,
                f"{share:.2f}",
                right=share >= KEPT,
            )
        )
    return rows


if __name__ == "__main__":
    sys.exit(main())
