"""How long ranking within the eligible ids takes, beside numpy brute force on one thread.

``python benchmarks/sidecar_micro.py [ENTRIES]``; times are medians in milliseconds.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: brute force on one thread

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.sidecar import EntryRow, Sidecar

DIMENSION = 384
PER_CLASS = 14
BATCH = 10_000
ROUNDS = 21
NOBODY = np.empty(0, np.int64)


def main(entries: int = 100_000) -> None:
    """Print one line for each step."""
    random = np.random.default_rng(7)
    vectors = random.standard_normal((entries, DIMENSION), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    before = resident()
    sidecar, seconds = filled(vectors, random)
    share = (resident() - before) / sidecar.vector_bytes
    query = vectors[3]
    print(f"{entries} entries applied in {seconds:.2f} s; memory {share:.2f} x the vectors")
    print(f"{'eligible':>9} {'mask':>8} {'rank + take(50)':>16} {'numpy':>8} {'ratio':>6}")
    for percent in (1, 10, 20, 50, 100):
        held = frozenset(f"team:{number}" for number in range(percent))
        eligible = sidecar.eligible(held, 1, NOBODY, 0.3)
        chosen = eligible.seqs()
        mask = median(lambda held=held: sidecar.eligible(held, 1, NOBODY, 0.3))
        ours = median(lambda eligible=eligible: sidecar.rank(query, eligible).start().take(50))
        numpy = median(lambda chosen=chosen: brute_force(vectors, chosen, query))
        print(f"{len(chosen):9} {mask:8.3f} {ours:16.3f} {numpy:8.3f} {numpy / ours:6.1f}")
    sync(sidecar, vectors)


def filled(vectors: NDArray[np.float32], random: np.random.Generator) -> tuple[Sidecar, float]:
    """Return a sidecar of ``vectors`` in random classes, and how long applying them took."""
    entries = len(vectors)
    sidecar = Sidecar("benchmark", DIMENSION)
    count = max(100, entries // PER_CLASS)
    sidecar.apply([], {number: [(f"team:{number % 100}",)] for number in range(count)}, 0)
    classes = random.integers(0, count, entries).tolist()
    seconds = 0.0
    for start in range(0, entries, BATCH):
        rows = [
            row(seq, classes[seq], vectors[seq].tobytes())
            for seq in range(start, min(start + BATCH, entries))
        ]
        begin = time.perf_counter()
        sidecar.apply(rows, {}, start)
        seconds += time.perf_counter() - begin
    return sidecar, seconds


def row(seq: int, access_class: int, vectors: bytes | None, epoch: int = 0) -> EntryRow:
    """Return the row of one live entry."""
    return EntryRow(seq, epoch, access_class, None, 0.7, 0.6, live=True, vectors=vectors, parts=1)


def brute_force(
    vectors: NDArray[np.float32], chosen: NDArray[np.int64], query: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Return the best 50 of ``chosen`` by inner product."""
    scores = vectors[chosen] @ query
    best = np.argpartition(-scores, 50)[:50]
    return chosen[best[np.argsort(-scores[best])]]


def sync(sidecar: Sidecar, vectors: NDArray[np.float32]) -> None:
    """Print what a sync costs: nothing new, one entry more, one entry changed."""
    again = [row(seq, 0, None) for seq in range(64)]
    sidecar.apply(again, {}, 0)
    number = iter(range(len(sidecar), 2**40))

    def more() -> None:
        seq = next(number)
        sidecar.apply([row(seq, 0, vectors[0].tobytes(), seq)], {}, seq)

    def changed() -> None:
        sidecar.apply([row(1, next(number) % 2, None, next(number))], {}, 0)

    print(f"64 known entries again {median(lambda: sidecar.apply(again, {}, 0)):.3f} ms")
    print(f"one entry more {median(more):.3f} ms, one changed {median(changed):.3f} ms")


def resident() -> int:
    """Return the bytes that this process has in memory; Linux only, else 0."""
    state = Path("/proc/self/statm")
    pages = int(state.read_text(encoding="ascii").split()[1]) if state.exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def median(work: Callable[[], object]) -> float:
    """Return the median of some rounds, in milliseconds."""
    times: list[float] = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return sorted(times)[ROUNDS // 2] * 1000


if __name__ == "__main__":
    main(*[int(argument) for argument in sys.argv[1:2]])
