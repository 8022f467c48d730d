"""Vectors in memory: append-only blocks, and the exact cosine of a query with chosen places."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.processors import available_processors

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SHIFT = 15
BLOCK = 1 << SHIFT
"""Vectors of one block. Blocks never move, so readers need no lock and growth copies nothing."""
SHARED_FROM = 16_384
"""Places from which a second thread pays: there the memory bandwidth of one core is the limit."""
SLICE = 4_096
"""Places that a thread takes at a time; what it needs beside the vectors stays in its cache."""
SCATTERED = 64
"""Changes of block within a slice from which it is read in ascending order."""


class VectorBlocks:
    """Unit vectors by place; a place is never used twice.

    One writer at a time appends or erases; any number of threads read places that they were
    given after the append returned.
    """

    def __init__(self, dimension: int) -> None:
        """Start empty."""
        self.dimension = dimension
        self._count = 0
        self._blocks: list[Floats] = []

    def __len__(self) -> int:
        """Return how many places were given out."""
        return self._count

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors; the untouched rest of the last block is not counted."""
        return self._count * self.dimension * 4

    def append(self, vectors: Floats) -> int:
        """Keep ``vectors`` in consecutive places and return the first."""
        first = self._count
        done = 0
        while done < len(vectors):
            number, inside = self._count >> SHIFT, self._count & (BLOCK - 1)
            if number == len(self._blocks):
                self._blocks.append(np.empty((BLOCK, self.dimension), np.float32))
            taken = min(BLOCK - inside, len(vectors) - done)
            self._blocks[number][inside : inside + taken] = vectors[done : done + taken]
            self._count += taken
            done += taken
        return first

    def adopt(self, block: Floats) -> None:
        """Append ``block``, without copying it if it is a whole one."""
        if len(block) == BLOCK and self._count == BLOCK * len(self._blocks):
            self._blocks.append(block)
            self._count += BLOCK
        else:
            self.append(block)

    def erase(self, places: Ints) -> None:
        """Overwrite the vectors at ``places`` with zeros."""
        numbers, inside = places >> SHIFT, places & (BLOCK - 1)
        for number in np.unique(numbers).tolist():
            self._blocks[number][inside[numbers == number]] = 0.0

    def gather(self, places: Ints) -> Floats:
        """Return a copy of the vectors at ``places``."""
        found = np.empty((len(places), self.dimension), np.float32)
        numbers, inside = places >> SHIFT, places & (BLOCK - 1)
        for number in np.unique(numbers).tolist():
            here = numbers == number
            found[here] = self._blocks[number][inside[here]]
        return found

    def similarities(self, query: Floats, places: Ints) -> Floats:
        """Return the cosine of ``query`` with the vector at each of ``places``, in [-1, 1].

        Each value depends on its own vector alone: what else is stored or asked for, and how the
        work is shared out, changes no bit of it. Ascending places are read fastest.
        """
        found = np.empty(len(places), np.float32)
        slices = deque(range(0, len(places), SLICE))

        def work() -> None:
            while slices:
                try:
                    start = slices.popleft()
                except IndexError:  # the other thread took the last
                    return
                end = start + SLICE
                self._fill(query, places[start:end], found[start:end])

        if len(places) >= SHARED_FROM and _workers() > 1:
            other = _pool().submit(work)
            work()
            if not other.cancel():  # it is at work; else it never got a turn, and is not missed
                other.result()
        else:
            work()
        np.fmax(found, np.float32(-1.0), out=found)  # NaN becomes -1
        return np.fmin(found, np.float32(1.0), out=found)

    def _fill(self, query: Floats, places: Ints, found: Floats) -> None:
        """Write the inner products into ``found``, block by block."""
        numbers = places >> SHIFT
        ends = np.flatnonzero(np.diff(numbers)) + 1
        if len(ends) > SCATTERED:
            order = np.argsort(places)
            ascending = np.empty_like(found)
            self._fill(query, places[order], ascending)
            found[order] = ascending
            return
        start = 0
        for end in (*ends.tolist(), len(places)):
            block = self._blocks[int(numbers[start])]
            inner_products(query, block, places[start:end] & (BLOCK - 1), found[start:end])
            start = end


class _Faiss(Protocol):
    """What is used of faiss, whose types do not name it."""

    swig_ptr: Callable[[NDArray[Any]], object]
    fvec_inner_products_by_idx: Callable[..., None]
    omp_get_max_threads: Callable[[], int]
    omp_set_num_threads: Callable[[int], None]


@cache
def _workers() -> int:
    return available_processors()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="mapgraph-similarity")


if hasattr(os, "register_at_fork"):  # a forked child has the pool but not its thread
    os.register_at_fork(after_in_child=_pool.cache_clear)


@cache
def _faiss() -> _Faiss:
    return cast("_Faiss", import_module("faiss"))


def inner_products(query: Floats, vectors: Floats, rows: Ints, found: Floats) -> None:
    """Write into ``found`` the inner product of ``query`` with each of ``rows`` of ``vectors``.

    faiss trusts its caller: shapes and rows are checked here. Measured at 384 dimensions, this
    form is as fast as a scan of everything at any share of rows, so there is no second form.

    Raises:
        IndexError: A row outside of ``vectors``.

    """
    if len(rows) == 0:
        return
    if int(rows.min()) < 0 or int(rows.max()) >= len(vectors) or query.shape != vectors.shape[1:]:
        message = "a row outside the block, or a query of another dimension"
        raise IndexError(message)
    faiss = _faiss()
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)  # of this thread; one query gives a second one nothing but waiting
    try:
        faiss.fvec_inner_products_by_idx(
            faiss.swig_ptr(found),
            faiss.swig_ptr(query),
            faiss.swig_ptr(vectors),
            faiss.swig_ptr(rows),
            vectors.shape[1],
            1,
            len(rows),
        )
    finally:
        faiss.omp_set_num_threads(threads)
