"""Rewrites OpenFGA relations in our words: an object's relation becomes clauses of principals.

A clause is a set of principals of which a reader must hold one; several clauses must all be
satisfied. A user is ``user:TYPE.ID`` with the role of its type, and a userset such as
``team:core#member`` is a team. What OpenFGA nests (usersets in usersets) the caller flattens into
memberships, as a directory does; unions, computed relations and relations of a parent widen a
scope; an intersection stays one: two clauses, two resources, one record derived from both.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.field.data import Fields

Clause = frozenset[str]
Clauses = frozenset[Clause]

NOBODY: Clauses = frozenset({frozenset[str]()})


class InexpressibleError(Exception):
    """A relation has no faithful form here; the store is left out rather than bent."""


def user_id(subject: str) -> str:
    """Return our name for a subject such as ``user:anne`` or ``application:1``."""
    kind, _, name = subject.partition(":")
    return f"user:{kind}.{name}"


def agent_id(subject: str) -> str:
    """Return the name of the agent that asks for a subject."""
    return user_id(subject).replace("user:", "agent:", 1)


def type_role(kind: str) -> str:
    """Return the role that everyone of a type has."""
    return f"role:{kind}"


def all_of(left: Clauses, right: Clauses) -> Clauses:
    """Return what satisfies both."""
    return left | right


def any_of(parts: Iterable[Clauses]) -> Clauses:
    """Return what satisfies one of the parts, as clauses again."""
    made = NOBODY
    for part in parts:
        made = frozenset(one | other for one in made for other in part)
    return made


@dataclass
class Store:
    """One permission model with one set of tuples."""

    model: Mapping[str, Mapping[str, Sequence[Any]]]
    tuples: Sequence[Fields]
    usersets: dict[str, Clauses] = field(default_factory=dict[str, Clauses])

    def clauses(self, node: str, relation: str, seen: Clause = frozenset()) -> Clauses:
        """Return the clauses of a relation of an object; a cycle adds nothing.

        Raises:
            InexpressibleError: The model knows no such relation, or it takes something away.

        """
        key = f"{node}#{relation}"
        if key in seen:
            return NOBODY
        expression = self.model.get(node.partition(":")[0], {}).get(relation)
        if expression is None:
            message = f"the model has no {key}"
            raise InexpressibleError(message)
        return self._of(expression, node, relation, seen | {key})

    def _of(self, part: Sequence[Any], node: str, relation: str, seen: Clause) -> Clauses:
        match part[0]:
            case "or":
                return any_of(self._of(each, node, relation, seen) for each in part[1:])
            case "and":
                return all_of(*(self._of(each, node, relation, seen) for each in part[1:]))
            case "rel":
                return self.clauses(node, part[1], seen)
            case "ttu":
                above = self._subjects(node, part[2])
                return any_of(self.clauses(each, part[1], seen) for each in above)
            case "direct":
                given = (self._principal(each) for each in self._subjects(node, relation))
                return frozenset({frozenset(given)})
            case _:
                message = f"`{part[0]}` in {node}#{relation}"
                raise InexpressibleError(message)

    def _subjects(self, node: str, relation: str) -> list[str]:
        return [
            str(each["user"])
            for each in self.tuples
            if each["object"] == node and each["relation"] == relation
        ]

    def _principal(self, subject: str) -> str:
        if subject.endswith(":*"):
            return type_role(subject.removesuffix(":*"))
        if "#" not in subject:
            return user_id(subject)
        if subject not in self.usersets:
            self.usersets[subject] = NOBODY  # a cycle of usersets ends here
            node, _, relation = subject.partition("#")
            self.usersets[subject] = self.clauses(node, relation)
        return f"team:{subject}"

    def subjects(self) -> set[str]:
        """Return everyone whom the tuples name as a subject or an object."""
        named = {part for each in self.tuples for part in (each["user"], each["object"])}
        return {name.partition("#")[0] for name in named if not name.endswith(":*")}

    def teams(self) -> dict[str, set[str]]:
        """Return the teams of every subject: usersets, flattened until nothing changes."""
        held = {
            each: {user_id(each), type_role(each.partition(":")[0])} for each in self.subjects()
        }
        before = -1
        while before != (now := sum(len(each) for each in held.values())):
            before = now
            for userset, clauses in self.usersets.items():
                for mine in held.values():
                    if all(mine & clause for clause in clauses):
                        mine.add(f"team:{userset}")
        return {
            each: {name for name in mine if name.startswith("team:")} for each, mine in held.items()
        }
