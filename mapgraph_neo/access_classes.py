"""Access classes: which sets of scopes a set of principals satisfies, for all classes at once.

All records whose ancestry has the same scopes share one class. A class is a conjunction of
clauses; a clause is a set of principals of which one must be held (SPEC 3, 5).
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mapgraph_neo.errors import SidecarError

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Clause = tuple[str, ...]

MAX_NUMBER = 2**24 - 1
"""The highest class number; the answer has one place for each number up to the highest."""
CACHED_AGENTS = 512
"""Answers kept, one for each set of principals that asked last."""

_NEVER = 0
_ALWAYS = 1
_FIRST_CLAUSE = 2


class _Groups:
    """Growing groups of flags, laid end to end: a slice that was handed out never changes."""

    def __init__(self, first: int) -> None:
        """Start every group with the flag ``first``, so that no group is empty."""
        self._first = first
        self._values = np.empty(0, np.int64)
        self._starts = np.empty(0, np.int64)
        self.values = 0
        self.count = 0

    def extend(self, groups: Sequence[Sequence[int]]) -> None:
        """Append ``groups``; the flags of each follow the first one."""
        sizes = np.fromiter((len(group) + 1 for group in groups), np.int64, len(groups))
        starts = self.values + np.concatenate(([0], np.cumsum(sizes)[:-1]))
        flat = [flag for group in groups for flag in (self._first, *group)]
        self._starts = _put(self._starts, self.count, starts)
        self._values = _put(self._values, self.values, np.array(flat, np.int64))
        self.count += len(groups)
        self.values += len(flat)

    def reduce(self, how: np.ufunc, flags: Bools, since: int) -> Bools:
        """Return ``how`` over the flags of each group from the group ``since`` on."""
        if since == self.count:
            return np.zeros(0, np.bool_)
        first = self._starts[since]
        found = flags[self._values[first : self.values]]
        return how.reduceat(found, self._starts[since : self.count] - first)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one set of principals satisfies: of all clauses, and of all classes in order."""

    version: int
    clauses: Bools
    classes: Bools
    by_number: Bools


_NO_ANSWER = _Answer(-1, np.array([False, True]), np.zeros(0, np.bool_), np.zeros(0, np.bool_))


class AccessClasses:
    """The classes of one tenant: number to clauses, and who satisfies them.

    Safe for many threads. A number keeps its meaning for ever, as in the graph.
    """

    def __init__(self) -> None:
        """Start without classes."""
        self._lock = threading.Lock()
        self._clauses: dict[int, tuple[Clause, ...]] = {}
        self._principals: dict[str, int] = {}
        self._clause_numbers: dict[Clause, int] = {}
        self._held = _Groups(_NEVER)
        self._met = _Groups(_ALWAYS)
        self._numbers = np.empty(0, np.int64)
        self._waiting: dict[int, tuple[Clause, ...]] = {}
        self._highest = -1
        self._cache: OrderedDict[frozenset[str], _Answer] = OrderedDict()

    def __len__(self) -> int:
        """Return how many classes are known."""
        return len(self._clauses)

    def __contains__(self, number: object) -> bool:
        """Return whether the class of this number is known."""
        return number in self._clauses

    @property
    def version(self) -> int:
        """A number that grows with every class learnt."""
        return len(self._clauses)

    def items(self) -> list[tuple[int, tuple[Clause, ...]]]:
        """Return every class with its clauses, by ascending number."""
        with self._lock:
            return sorted(self._clauses.items())

    def add(self, number: int, clauses: Iterable[Sequence[str]]) -> None:
        """Learn that class ``number`` has these ``clauses``.

        A clause that is empty or mistyped is satisfied by nobody; a class without clauses by
        every active agent. Learning a class again changes nothing.

        Raises:
            SidecarError: The number cannot be one, or has other clauses already.

        """
        self.add_all({number: clauses})

    def add_all(self, classes: Mapping[int, Iterable[Sequence[str]]]) -> None:
        """Learn several classes; see :meth:`add`.

        Raises:
            SidecarError: A number cannot be one, or has other clauses already.

        """
        clean = {number: _clean_class(clauses) for number, clauses in classes.items()}
        with self._lock:
            for number, clauses in clean.items():
                _check_number(number, self._clauses.get(number, clauses) == clauses)
            for number, clauses in clean.items():
                if number not in self._clauses:
                    self._clauses[number] = clauses
                    self._waiting[number] = clauses
                    self._highest = max(self._highest, number)

    def satisfied(self, principals: frozenset[str]) -> Bools:
        """Return for each class number whether ``principals`` satisfy it; read-only.

        ``principals`` are taken as they stand: ``*`` and ``public`` are not added. Nobody is
        behind an empty set: it satisfies nothing. A number that is not known is not satisfied.
        """
        kept = self._cache.get(principals, _NO_ANSWER)
        if kept.version == self.version:
            return kept.by_number
        with self._lock:
            self._settle()
            answer = self._work_out(principals, kept)
            self._cache[principals] = answer
            self._cache.move_to_end(principals)
            if len(self._cache) > CACHED_AGENTS:
                self._cache.popitem(last=False)
        return answer.by_number

    def admits(self, numbers: ArrayLike, principals: frozenset[str]) -> Bools:
        """Return for each of ``numbers``, known or not, whether ``principals`` satisfy it."""
        wanted = np.asarray(numbers, np.int64)
        answer = self.satisfied(principals)
        known = (wanted >= 0) & (wanted < len(answer))
        if known.all():
            return answer[wanted]
        found = np.zeros(wanted.shape, np.bool_)
        found[known] = answer[wanted[known]]
        return found

    def _settle(self) -> None:
        if not self._waiting:
            return
        fresh: dict[Clause, int] = {}
        groups: list[list[int]] = []
        for clauses in self._waiting.values():
            for clause in clauses:
                if clause not in self._clause_numbers and clause not in fresh:
                    fresh[clause] = _FIRST_CLAUSE + len(self._clause_numbers) + len(fresh)
            groups.append([fresh.get(each) or self._clause_numbers[each] for each in clauses])
        self._clause_numbers.update(fresh)
        self._held.extend([[self._flag(each) for each in clause] for clause in fresh])
        numbers = np.fromiter(self._waiting, np.int64, len(self._waiting))
        self._numbers = _put(self._numbers, self._met.count, numbers)
        self._met.extend(groups)
        self._waiting = {}

    def _flag(self, principal: str) -> int:
        return self._principals.setdefault(principal, 1 + len(self._principals))

    def _work_out(self, principals: frozenset[str], kept: _Answer) -> _Answer:
        """Return the answer by adding to ``kept`` what was learnt since."""
        held = np.zeros(1 + len(self._principals), np.bool_)
        held[[self._principals[each] for each in principals if each in self._principals]] = True
        more = self._held.reduce(np.logical_or, held, len(kept.clauses) - _FIRST_CLAUSE)
        clauses = np.concatenate((kept.clauses, more))
        more = self._met.reduce(np.logical_and, clauses, len(kept.classes))
        classes = np.concatenate((kept.classes, more))
        by_number = np.zeros(self._highest + 1, np.bool_)
        if principals:
            by_number[self._numbers[: self._met.count]] = classes
        by_number.flags.writeable = False
        return _Answer(self.version, clauses, classes, by_number)


def _clean_class(clauses: object) -> tuple[Clause, ...]:
    """Return the clauses sorted and without repeats; what is mistyped becomes ``()``: nobody."""
    if isinstance(clauses, str | bytes) or not isinstance(clauses, Iterable):
        return ((),)
    return tuple(sorted({_clean_clause(clause) for clause in clauses}))


def _clean_clause(clause: object) -> Clause:
    if not isinstance(clause, list | tuple | set | frozenset):
        return ()
    if not all(isinstance(principal, str) for principal in clause):
        return ()
    return tuple(sorted({principal for principal in clause if principal}))


def _check_number(number: object, same: bool) -> None:  # noqa: FBT001 - one caller
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MAX_NUMBER:
        message = f"access class `{number}`: a whole number from 0 to {MAX_NUMBER} is needed"
        raise SidecarError(message)
    if not same:
        message = f"access class {number} has two meanings; rebuild the sidecar from the graph"
        raise SidecarError(message)


def _put(array: Ints, count: int, values: Ints) -> Ints:
    """Return ``array`` with ``values`` after its first ``count`` places, grown if need be."""
    end = count + len(values)
    if end > len(array):
        grown = np.empty(max(end, len(array) * 5 // 4, 16), np.int64)
        grown[:count] = array[:count]
        array = grown
    array[count:end] = values
    return array
