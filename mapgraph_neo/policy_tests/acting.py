"""Performs the acts of a policy test; what an act must report is compared here too."""

import time
from collections.abc import Callable
from typing import Any

from mapgraph_neo.errors import UnknownNodeError
from mapgraph_neo.model import RevocationReport
from mapgraph_neo.policy_tests import steps_act as act
from mapgraph_neo.policy_tests.moments import with_times
from mapgraph_neo.policy_tests.stage import Stage, agent_id

Wrong = list[str]
"""What is not as the test says; empty when all is."""
WHO = ("agent", "task", "tracing", "id")


def perform(stage: Stage, name: str, body: Any) -> Wrong:  # noqa: ANN401 - the form of that act
    """Perform one act.

    Raises:
        MapGraphError: It was refused, or could not be done.

    """
    return _ACTS[name](stage, name, body)


def _write(stage: Stage, name: str, body: Any) -> Wrong:  # noqa: ANN401
    method: Callable[..., str] = getattr(stage.agent(body), name)
    given = stage.arguments(body, *WHO)
    stage.name(body.id, method(given.pop("text"), **given))
    return []


def _read(stage: Stage, _name: str, body: act.Read) -> Wrong:
    stage.agent(body).read(stage.id(body.id))
    return []


def _execute(stage: Stage, _name: str, body: act.Execute) -> Wrong:
    called: list[dict[str, Any]] = []

    def tool(**arguments: Any) -> None:  # noqa: ANN401 - whatever the agent proposed
        called.append(arguments)

    stage.agent(body).execute(stage.id(body.id), run=tool)
    if body.arguments is not None and called != [body.arguments]:
        return [f"the tool was called with {called}, not with {[body.arguments]}"]
    return []


def _ingest(stage: Stage, _name: str, body: tuple[dict[str, Any], ...]) -> Wrong:
    stage.graph.ingest([with_times(event, stage.start) for event in body])
    return []


def _register(stage: Stage, name: str, body: Any) -> Wrong:  # noqa: ANN401
    method: Callable[..., str] = getattr(stage.admin(body), name)
    given = stage.arguments(body, "by")
    method(given.pop("name"), **given)
    return []


def _grant(stage: Stage, _name: str, body: act.Grant) -> Wrong:
    given = stage.arguments(body, "by", "id")
    stage.name(body.id, stage.admin(body).grant(given.pop("principal"), **given))
    return []


def _withdraw(stage: Stage, _name: str, body: act.Withdraw) -> Wrong:
    grant = _registration(stage, agent_id(body.agent)) if body.agent else stage.id(body.id or "")
    stage.admin(body).withdraw(grant)
    return []


def _registration(stage: Stage, agent: str) -> str:
    context = stage.context
    links = context.graph.read(
        lambda tx: tx.run("authority/links", tenant=context.tenant, agent=agent)
    )
    if not links:
        message = f"agent: `{agent}` holds no grant"
        raise UnknownNodeError(message)
    return str(links[0]["id"])


def _first(field: str) -> Callable[[Stage, str, Any], Wrong]:
    """Return an act that takes one id by position and the rest by name."""

    def done(stage: Stage, name: str, body: Any) -> Wrong:  # noqa: ANN401
        method: Callable[..., object] = getattr(stage.admin(body), name)
        given = stage.arguments(body, "by")
        method(given.pop(field), **given)
        return []

    return done


def _contain(stage: Stage, name: str, body: Any) -> Wrong:  # noqa: ANN401
    method: Callable[..., RevocationReport] = getattr(stage.admin(body), name)
    given = stage.arguments(body, "by", "id", "revocation_id", "report")
    report = method(stage.id(body.id), **given)
    stage.name(body.revocation_id, report.id)
    return _reported(stage, report, body.report)


def _undo(stage: Stage, _name: str, body: act.Undo) -> Wrong:
    report = stage.admin(body).undo(stage.id(body.revocation_id), reason=body.reason)
    return _reported(stage, report, body.report)


def _reported(stage: Stage, found: RevocationReport, wanted: act.Report | None) -> Wrong:
    wrong: Wrong = []
    for key in wanted.model_fields_set if wanted else ():
        expected: Any = getattr(wanted, key)
        given: Any = getattr(found, key)
        if isinstance(expected, tuple):  # a list of ids, in whatever order
            given = sorted(stage.show(given))
            named = (agent_id(e) for e in expected) if key == "agents" else expected  # pyright: ignore[reportUnknownVariableType]
            expected = sorted(named)  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(expected, dict):
            given = {getattr(k, "value", k): v for k, v in given.items()}
        if given != expected:
            wrong.append(f"reported {key} {given}, not {expected}")
    return wrong


def _decide(stage: Stage, name: str, body: Any) -> Wrong:  # noqa: ANN401
    if name == "approve":
        stage.admin(body).approve(stage.id(body.id))
    else:
        stage.admin(body).reject(stage.id(body.id), reason=body.reason)
    return []


def _wait(_stage: Stage, _name: str, body: act.Wait) -> Wrong:
    time.sleep(body.seconds)
    return []


_ACTS: dict[str, Callable[[Stage, str, Any], Wrong]] = {
    **dict.fromkeys(("observe", "remember", "derive", "summarize", "claim", "send"), _write),
    "read": _read,
    "execute": _execute,
    "ingest": _ingest,
    **dict.fromkeys(
        ("register_user", "register_agent", "register_tool", "register_resource"), _register
    ),
    "grant": _grant,
    "withdraw": _withdraw,
    "set_membership": _first("user"),
    **dict.fromkeys(("set_standing", "reclassify", "verify"), _first("id")),
    "rescope": _first("id"),
    **dict.fromkeys(("invalidate", "revoke"), _contain),
    "undo": _undo,
    **dict.fromkeys(("approve", "reject"), _decide),
    "wait": _wait,
}
