"""What an agent holds now: its principals and rights over active chains of delegation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mapgraph_neo.errors import NotRegisteredError, RefusedError
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.vocabulary import Right

ASKED = (Right.READ, Right.WRITE, Right.ACT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """One agent's principals and rights, as the graph proves them at one moment."""

    agent: str
    trusted: bool
    has_user: bool
    standing: str
    users: tuple[str, ...]
    principals: frozenset[str]
    rights: frozenset[str]

    def may(self, right: Right) -> bool:
        """Return whether an active chain carries ``right``."""
        return right.value in self.rights


def holdings(tx: Transaction, tenant: str, agent: str, rights: Iterable[Right] = ASKED) -> Holdings:
    """Return what ``agent`` holds now.

    Raises:
        NotRegisteredError: The tenant holds no such agent.

    """
    found = all_holdings(tx, tenant, [agent], rights)
    if not found:
        message = f"agent: `{agent}` is not registered in tenant `{tenant}`"
        raise NotRegisteredError(message)
    return found[0]


def all_holdings(
    tx: Transaction, tenant: str, agents: Sequence[str], rights: Iterable[Right] = ASKED
) -> list[Holdings]:
    """Return what each registered one of ``agents`` holds now."""
    asked = sorted({Right.READ.value, *(right.value for right in rights)})
    rows = tx.run("eligibility/principals", tenant=tenant, agents=list(agents), rights=asked)
    return [_holdings(row) for row in rows if row["registered"]]


def require(found: Holdings, right: Right) -> Holdings:
    """Return ``found`` if it carries ``right``.

    Raises:
        RefusedError: It does not; the message says what is missing.

    """
    if not found.trusted:
        message = f"agent `{found.agent}` is compromised or revoked; every call is refused"
        raise RefusedError(message)
    if not found.has_user:
        message = f"agent `{found.agent}` has no active user; every call is refused"
        raise RefusedError(message)
    if not found.may(right):
        message = f"agent `{found.agent}` holds no active grant with the right `{right}`"
        raise RefusedError(message)
    return found


def _holdings(row: Row) -> Holdings:
    return Holdings(
        agent=row["agent"],
        trusted=row["trusted"],
        has_user=row["has_user"],
        standing=row["standing"] or "",
        users=tuple(sorted(set(row["users"]))),
        principals=frozenset(row["principals"]),
        rights=frozenset(row["rights"]),
    )
