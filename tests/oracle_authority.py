"""The oracle's authority: who is registered, who holds what, who may withdraw (SPEC 3 and 7).

Plain Python; clear before fast. It shares no code with the engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from oracle_graph import RECORDS, SOURCES, ExecutionGraph, Names, Revocation, need

USER_RIGHTS = frozenset({"read", "write", "act", "delegate"})
ALL_RIGHTS = USER_RIGHTS | {"verify", "approve", "invalidate", "revoke", "administer"}


@dataclass
class Grant:
    """AUTHORIZED_BY from an agent to ``to``, or with ``to`` None what a user is granted."""

    principal: str
    to: str | None
    scopes: Names
    rights: Names
    valid_from: datetime
    valid_to: datetime | None = None
    withdrawn: bool = False

    def active(self, now: datetime) -> bool:
        ended = self.valid_to is not None and self.valid_to <= now
        return self.valid_from <= now and not ended and not self.withdrawn


class Authority(ExecutionGraph):
    """The graph with its users, agents, grants and administration."""

    def __init__(self, administrator: str = "user:root") -> None:
        super().__init__()
        self.administrator = administrator
        self.grants: dict[str, Grant] = {}
        self.register_user(administrator)

    # Administration; it needs `administer`, which the caller is taken to hold

    def register_user(
        self, node: str, teams: Names = (), roles: Names = (), standing: str = "established"
    ) -> None:
        self._add(node, ["*"], teams=teams, roles=roles, standing=standing)

    def register_agent(
        self, node: str, to: str, now: datetime, *, standing: str = "established", **link: Names
    ) -> None:
        """Register an agent that acts for the user or agent ``to``; link: scopes, rights."""
        need(self.label(to) in {"User", "Agent"}, "nobody to act for")
        self._may_delegate(to, now)
        self._add(node, [], standing=standing)
        self.grant(f"grant:{node}", node, now, to=to, **link)  # type: ignore[arg-type]

    def register_tool(self, node: str, source_class: str = "unknown") -> None:
        self._add(node, ["*"], source_class=source_class)

    def register_resource(self, node: str, scope: Names = (), **properties: object) -> None:
        """Register a resource; properties: source_class, owner, expires_at."""
        self._add(node, scope, **({"source_class": "unknown", "owner": None} | properties))

    def grant(
        self,
        node: str,
        principal: str,
        now: datetime,
        *,
        to: str | None = None,
        scopes: Names = (),
        rights: Names | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
    ) -> None:
        """Give a user scopes and rights, or an agent another edge to ``to``; ``node`` is its id."""
        targets = {"User": {""}, "Agent": {"User", "Agent"}}.get(self.label(principal), set[str]())
        need(self.label(to) in targets, "not a principal, or nobody to act for")
        self._may_delegate(to, now)
        if rights is None:
            rights = ("read", "write", "act") if to else ()
        self.grants[node] = Grant(principal, to, scopes, rights, valid_from or now, valid_to)

    def _may_delegate(self, to: str | None, now: datetime) -> None:
        """Refuse a link through an agent that does not hold `delegate`."""
        needed = self.label(to) == "Agent"
        need(not needed or self.active(str(to), "delegate", now), "the delegator may not delegate")

    def withdraw(self, node: str) -> None:
        need(node in self.grants, "unknown grant")
        self.grants[node].withdrawn = True

    def set_membership(self, node: str, teams: Names, roles: Names) -> None:
        self._set(node, {"User"}, teams=teams, roles=roles)

    def set_standing(self, node: str, standing: str) -> None:
        self._set(node, {"User", "Agent"}, standing=standing)

    def reclassify(self, node: str, source_class: str) -> None:
        self._set(node, {"Resource", "Tool"}, source_class=source_class)

    def rescope(self, node: str, scope: Names) -> None:
        need(not self.up.get(node), "only the scope of a source changes")
        self._set(node, SOURCES | {"Message"}, scope=list(scope))

    # Authority: rights and principals (SPEC 3)

    def in_force(self, node: str, label: str) -> bool:
        known = self.label(node) == label and self.nodes[node]["standing"] != "compromised"
        return known and not self.closed(node)

    def _granted(self, user: str, now: datetime) -> list[Grant]:
        own = [g for g in self.grants.values() if g.principal == user and g.to is None]
        return [g for g in own if g.active(now)]

    def holdings(self, user: str, now: datetime) -> set[str]:
        """Return the principals that a user is at present; none once revoked or compromised."""
        if not self.in_force(user, "User"):
            return set()
        found, granted = self.nodes[user], [g.scopes for g in self._granted(user, now)]
        return {user}.union(found["teams"], found["roles"], *granted)

    def may(self, user: str, right: str, now: datetime) -> bool:
        """Whether a user holds a right: four always, the first administrator all, else by grant."""
        always = ALL_RIGHTS if user == self.administrator else USER_RIGHTS
        granted = [g.rights for g in self._granted(user, now)]
        return self.in_force(user, "User") and right in always.union(*granted)

    def chains(self, agent: str, right: str, now: datetime) -> Iterator[tuple[list[Grant], str]]:
        """Every active chain that carries ``right`` to a user who holds it: its links, the user."""
        need(self.label(agent) == "Agent", "not a registered agent")
        stack: list[tuple[str, list[Grant]]] = [(agent, [])]
        while stack:
            here, links = stack.pop()
            if self.may(here, right, now):
                yield links, here
            if not self.in_force(here, "Agent") or here in [g.principal for g in links]:
                continue  # a cycle of delegation authorises nobody
            for link in self.grants.values():
                carries = right in link.rights and (not links or "delegate" in link.rights)
                if link.principal == here and link.to and carries and link.active(now):
                    stack.append((link.to, [*links, link]))

    def active(self, agent: str, right: str, now: datetime) -> bool:
        return any(True for _ in self.chains(agent, right, now))

    def own_users(self, agent: str, now: datetime) -> set[str]:
        return {user for _, user in self.chains(agent, "act", now)}

    def principals(self, agent: str, now: datetime) -> set[str]:
        """Itself, and over each chain what the user holds and every link names."""
        found = {agent}
        for links, user in self.chains(agent, "read", now):
            held = self.holdings(user, now)
            for link in links:
                held = held if "@user" in link.scopes else held.intersection(link.scopes)
            found |= held
        return found

    # Withdrawing (SPEC 7)

    def owners(self, node: str) -> set[str]:
        """Who owns a node: itself, whom it is registered for, or the users above its writers."""
        above = [node, self.nodes[node].get("owner"), *self.nodes[node]["writers"]]
        for here in above:  # grows while it is walked
            links = [g for g in self.grants.values() if g.principal == here and not g.withdrawn]
            above += [g.to for g in links if g.to not in above]
        return {n for n in above if n and self.label(n) == "User"}

    def revoke(
        self,
        node: str,
        target: str,
        kind: str,
        now: datetime,
        *,
        by: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> str:
        """Withdraw ``target``; ``node`` is the revocation's id. The same once more is the first."""
        need(self.label(target) in SOURCES | RECORDS, "nothing that can be revoked")
        need(since is None or until is None or since < until, "an empty window")
        by, right = by or self.administrator, "invalidate" if kind == "invalid" else "revoke"
        owns = by in self.owners(target) and self.in_force(by, "User")
        need(owns or self.may(by, right, now), "no right")
        new = Revocation(target, kind, since, until)
        known = [name for name, r in self.revocations.items() if r == new]  # equal: also not undone
        if not known:
            self._note(node, new)
            self.nodes[target]["revoked"] = self.closed(target)
        return known[0] if known else node

    def invalidate(self, node: str, target: str, now: datetime, by: str | None = None) -> str:
        need(self.label(target) in RECORDS, "not a record")
        return self.revoke(node, target, "invalid", now, by=by)

    def undo(self, node: str) -> None:
        need(node in self.revocations, "unknown revocation")
        revocation = self.revocations[node]
        need(revocation.kind != "erasure" and not revocation.undone, "cannot be undone")
        revocation.undone = True
        self.nodes[revocation.target]["revoked"] = bool(self.kinds(revocation.target))
