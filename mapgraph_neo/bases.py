"""What rankings stand on: the records that each agent was last found to be offered, kept warm."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from mapgraph_neo.sidecar import Eligible

KEPT_RECORDS = 8_000_000
"""Records of all kept sets together; one takes eight bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """The eligible records of one agent, and whether changes were still being worked off.

    It is a guess: every retrieval asks the graph again, in the transaction of its proof, whether
    anything moved since.
    """

    eligible: Eligible
    pending: bool


class Bases:
    """The last basis of each agent; those not asked for longest go first."""

    def __init__(self) -> None:
        """Start without any."""
        self._kept: OrderedDict[str, Basis] = OrderedDict()
        self._records = 0
        self._lock = threading.Lock()

    def get(self, agent: str) -> Basis | None:
        """Return the last basis of ``agent``, if it is kept."""
        with self._lock:
            found = self._kept.get(agent)
            if found is not None:
                self._kept.move_to_end(agent)
            return found

    def keep(self, agent: str, basis: Basis) -> None:
        """Keep the basis of ``agent``, instead of the one before."""
        with self._lock:
            former = self._kept.pop(agent, None)
            self._records += len(basis.eligible) - (len(former.eligible) if former else 0)
            self._kept[agent] = basis
            while self._records > KEPT_RECORDS and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._records -= len(gone.eligible)
