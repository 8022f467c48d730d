"""Where one policy test plays: its graph, its clock, and its names of what it makes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mapgraph_neo.admin import AdminHandle
from mapgraph_neo.agent import AgentHandle
from mapgraph_neo.context import Context
from mapgraph_neo.engine import MapGraph
from mapgraph_neo.names import node_id
from mapgraph_neo.policy_tests.moments import TIME_FIELDS, moment
from mapgraph_neo.policy_tests.part import Part
from mapgraph_neo.vocabulary import NodeLabel

ID_FIELDS = frozenset({"id", "source", "parents", "evidence", "principal", "user", "delegator"})


@dataclass(slots=True, kw_only=True)
class Stage:
    """One test that runs."""

    graph: MapGraph
    context: Context
    administrator: str
    start: datetime
    named: dict[str, str] = field(default_factory=dict[str, str])
    shown: dict[str, str] = field(default_factory=dict[str, str])

    def name(self, handle: str | None, real: str | None) -> None:
        """Let ``handle`` stand for what the store calls ``real`` from now on."""
        if handle is not None and real is not None:
            self.named[handle] = real
            self.shown[real] = handle

    def id(self, handle: str) -> str:
        """Return the id that the store knows."""
        return self.named.get(handle, handle)

    def ids(self, handles: str | Iterable[str]) -> list[str]:
        """Return the ids that the store knows."""
        return [self.id(handles)] if isinstance(handles, str) else [self.id(h) for h in handles]

    def show(self, real: Iterable[str]) -> list[str]:
        """Return ids as the test calls them."""
        return [self.shown.get(each, each) for each in real]

    def told(self, message: str) -> str:
        """Return a message with the ids in it as the test calls them."""
        for real, handle in self.shown.items():
            message = message.replace(real, handle)
        return message

    def agent(self, body: Any) -> AgentHandle:  # noqa: ANN401 - a form with an agent
        """Return the handle of the agent of a step."""
        tracing = getattr(body, "tracing", False)
        return self.graph.as_agent(body.agent, task=body.task, tracing=tracing)

    def admin(self, body: Any) -> AdminHandle:  # noqa: ANN401 - a form with `by`
        """Return the handle of who acts in a step."""
        return self.graph.as_admin(body.by or self.administrator)

    def arguments(self, body: Part, *leave_out: str) -> dict[str, Any]:
        """Return the fields of a step as the arguments of a method: ids and times resolved."""
        given: Mapping[str, Any] = body.model_dump(exclude={*leave_out}, exclude_none=True)
        found: dict[str, Any] = {}
        for key, value in given.items():
            if key in TIME_FIELDS:
                found[key] = moment(value, self.start)
            elif key in ID_FIELDS:
                found[key] = self.id(value) if isinstance(value, str) else self.ids(value)
            else:
                found[key] = value
        return found


def agent_id(name: str) -> str:
    """Return the whole id of an agent."""
    return node_id(NodeLabel.AGENT, name, "agent")
