"""The scribe: keeps a history with its oracle, so that what comes next can make sense."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, TypeVar

from history import (
    ACTIONS,
    CLASSES,
    ROLES,
    START,
    STEP,
    TASKS,
    TEAMS,
    USERS,
    History,
    Operation,
    perform,
)
from oracle import Oracle, RefusedError

T = TypeVar("T")
COMMON_CLASSES = (8, 8, 4, 3, 2, 2, 1)


class Scribe:
    """Writes a history, and knows by an oracle what can sensibly come next."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.oracle = Oracle()
        self.start = START
        self.history: History = []
        self.clock = 0
        self.count = 0
        self.openness = random.random() ** 0.7  # how much of the scopes everybody may read
        self.agents: list[str] = []
        self.resources: list[str] = []

    @property
    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.clock)

    def emit(self, op: str, **given: Any) -> None:  # noqa: ANN401 - arguments of any operation
        found = {k: v for k, v in given.items() if v is not None}
        self.history.append({"op": op, "clock": self.clock} | found)
        try:
            perform(self.oracle, self.history[-1], self.start)
        except RefusedError:
            return

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some(self, pool: Sequence[T], at_most: int, at_least: int = 1) -> list[T]:
        size = min(len(pool), self.random.randint(at_least, at_most))
        return self.random.sample(pool, size)

    def one(self, pool: Sequence[T]) -> T:
        return self.random.choice(pool)

    def handle(self, kind: str) -> str:
        self.count += 1
        return f"{kind}:{self.count}"

    def scope(self) -> list[str]:
        if self.chance(0.5 * self.openness):
            return [self.one(["*", "*", "public"])]
        if self.chance(0.03):
            return []
        return self.some(
            [*TEAMS, *TEAMS, *ROLES, *USERS, *self.agents], 1 + round(4 * self.openness)
        )

    def later(self, most: int = 6) -> int:
        """Return a time ahead, half a step off every step of the clock."""
        return self.random.randint(0, most) * STEP + STEP // 2

    def klass(self) -> str:
        return self.random.choices(CLASSES, COMMON_CLASSES)[0]

    # What there is

    def records(self, *labels: str) -> list[str]:
        return [n for n in self.oracle.nodes if self.oracle.label(n) in labels]

    def writer(self) -> str:
        able = [a for a in self.agents if self.oracle.active(a, "write", self.now)]
        return self.one(able if able and not self.chance(0.03) else self.agents)

    def readable(self, agent: str, *labels: str) -> list[str]:
        found = self.records(*labels)
        return [n for n in found if self.oracle.can_read(agent, n, self.now)]

    def task(self, agent: str, *, tracing: bool) -> str:
        """Return a task in which the agent can still write, if there is one."""
        if tracing or self.chance(0.05):
            return self.one(TASKS)
        for task in self.some(TASKS, 3, 3):
            seen = self.oracle.read_set(agent, task)
            if all(self.oracle.can_read(agent, n, self.now) for n in seen):
                return task
        return self.handle("t").replace(":", "")


def set_up(scribe: Scribe) -> None:
    random, wide = scribe.random, scribe.openness
    scribe.agents = [f"agent:a{i}" for i in range(random.randint(4, 6))]
    for user in USERS:
        teams, roles = scribe.some(TEAMS, 1 + round(2 * wide)), scribe.some(ROLES, 2, 0)
        standing = random.choices(("established", "new"), (4, 1))[0]
        scribe.emit("register_user", node=user, teams=teams, roles=roles, standing=standing)
    verifier, rights = scribe.one(USERS), ["verify", "invalidate"]
    scribe.emit("grant", node=scribe.handle("grant"), principal=verifier, rights=rights)
    for number, agent in enumerate(scribe.agents):
        able = [
            a for a in scribe.agents[:number] if scribe.oracle.active(a, "delegate", scribe.now)
        ]
        delegated = number >= 2 and bool(able) and scribe.chance(0.5)
        to = scribe.one(able) if delegated else scribe.one(USERS)
        rights = ["read", "write", "act", *(["delegate"] if scribe.chance(0.8) else [])]
        if scribe.chance(0.06):
            rights.remove(scribe.one(["read", "write", "act"]))
        standing = random.choices(("established", "new"), (4, 1))[0]
        facts = {"to": to, "scopes": link_scopes(scribe), "rights": rights, "standing": standing}
        scribe.emit("register_agent", node=agent, **facts)
    for tool in ("tool:web", "tool:db"):
        source = {"source_class": scribe.klass(), "risk": "low"}
        scribe.emit("register_tool", node=tool, **source)
    for tool, facts in ACTIONS.items():
        scribe.emit("register_tool", node=tool, source_class="unknown", **facts)
    for number in range(random.randint(5, 8)):
        register_resource(scribe, f"res:r{number}")


def link_scopes(scribe: Scribe) -> list[str]:
    if scribe.chance(0.35 + 0.5 * scribe.openness):
        return ["@user"]
    return scribe.some([*TEAMS, *ROLES, *USERS], 2 + round(4 * scribe.openness), 0)


def register_resource(scribe: Scribe, node: str) -> None:
    facts: Operation = {"scope": scribe.scope(), "source_class": scribe.klass()}
    facts["owner"] = scribe.one(USERS) if scribe.chance(0.4) else None
    facts["expires_in"] = scribe.later(8) if scribe.chance(0.2) else None
    scribe.emit("register_resource", node=node, **facts)
    scribe.resources.append(node)
