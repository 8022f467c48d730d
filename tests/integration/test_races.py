"""Races, one at a time: a thread is held at a seam while another one changes what it relies on."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import neo4j
import pytest
import unproved
from bridge import ToyEmbedder
from seams import Seams, Thread, seams_of

from mapgraph_neo import (
    ActionNotAllowedError,
    AdminHandle,
    AgentHandle,
    MapGraph,
    Outcome,
    RefusedError,
    Retrieval,
    UnknownNodeError,
    ranking,
    sync,
)
from mapgraph_neo.graph import Row, Transaction
from mapgraph_neo.settings import GraphSettings

Open = Callable[[], MapGraph]
PROOF = "eligibility/prove"
SYNC = "sync/changes"
READS = "record/hand_out"
MARK = "rework/mark_affected"
TURN = "record/take_turn"
STARTED = "gate/set_state"


@pytest.fixture
def opened(
    neo4j_settings: GraphSettings, neo4j_driver: neo4j.Driver, tenant: str
) -> Callable[[], MapGraph]:
    """Open the tenant once more, as another process would."""

    def open_it() -> MapGraph:
        return MapGraph.connect(
            graph_settings=neo4j_settings,
            driver=neo4j_driver,
            tenant=tenant,
            embedder=ToyEmbedder(),
        )

    return open_it


@pytest.fixture
def world(opened: Open) -> MapGraph:
    """The process that is held: two sources, one reader, one note and one brief of each."""
    graph = opened()
    graph.init("alice")
    admin = graph.as_admin("alice")
    admin.register_user("bob", teams=["finance"])
    admin.register_agent("reader", user="bob", scopes=["@user"])
    admin.register_agent("writer", user="bob", scopes=["@user"])
    admin.register_tool("answer", risk="low", answer=True)
    admin.register_tool("pay", risk="medium", evidence="required")
    for name in ("q3", "q4"):
        admin.register_resource(name, scope=["team:finance"], source_class="internal_verified")
        writer = graph.as_agent("writer", task=f"write-{name}", tracing=True)
        note = writer.observe(f"note of {name}", source=f"res:{name}", key=f"note-{name}")
        writer.summarize(f"brief of {name}", parents=[note], key=f"brief-{name}")
    return graph


@pytest.fixture
def seams(world: MapGraph) -> Seams:
    return seams_of(world)


@pytest.fixture
def admin(opened: Open, world: MapGraph) -> AdminHandle:
    """The administrator, in another process than the one that is held."""
    del world
    return opened().as_admin("alice")


def texts(retrieval: Retrieval) -> set[str]:
    return {hit.text for hit in retrieval.hits}


ALL = {"note of q3", "brief of q3", "note of q4", "brief of q4"}
Q4 = {"note of q4", "brief of q4"}


# Revoke against retrieve


@pytest.mark.parametrize("seam", ["after eligibility", "before the proof", "before the reads"])
def test_what_is_revoked_while_a_retrieval_runs(
    world: MapGraph, seams: Seams, admin: AdminHandle, seam: str
) -> None:
    """T29, T30. Before its proof it is dropped; after it, the epoch says that it is older."""
    reader = world.as_agent("reader", task="t")
    hold = {
        "after eligibility": lambda: seams.after(SYNC),
        "before the proof": lambda: seams.before(PROOF),
        "before the reads": lambda: seams.before(READS),
    }[seam]()
    call = Thread(lambda: reader.retrieve("note", k=10))
    hold.reached()
    done = admin.revoke("res:q3", reason="poisoned")
    hold.release()
    found = call.result()
    # The epoch was read before the proof, so that it never says more than the proof saw.
    assert (found.epoch >= done.epoch) == (seam == "after eligibility")
    if seam != "before the reads":
        assert texts(found) == Q4
    assert texts(reader.retrieve("note", k=10)) == Q4


def test_evidence_of_an_older_epoch_does_not_pass_the_gate(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    reader = world.as_agent("reader", task="t")
    hold = seams.before(READS)
    call = Thread(lambda: reader.retrieve("note of q3", k=10))
    hold.reached()
    admin.revoke("res:q3", reason="access withdrawn")
    hold.release()
    evidence = [hit.id for hit in call.result().hits if "q3" in hit.text]
    assert evidence
    decision = reader.propose("answer", arguments={"text": "x"}, evidence=evidence)
    assert decision.outcome is Outcome.BLOCK


def test_a_grant_while_a_retrieval_runs_is_seen_whole_or_not_at_all(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    """T34: held before the proof, the new grant widens nothing that was not ranked."""
    admin.register_user("dora")
    admin.register_agent("late", user="dora", scopes=["@user"])
    hold = seams.before(PROOF)
    call = Thread(lambda: world.as_agent("late", task="t").retrieve("note", k=10))
    admin.set_membership("user:dora", teams=["finance"])
    hold.release()
    found = texts(call.result())
    assert found in (set(), ALL)
    assert texts(world.as_agent("late", task="t").retrieve("note", k=10)) == ALL


def test_the_same_race_without_the_proof_hands_out_what_was_revoked(
    world: MapGraph, seams: Seams, admin: AdminHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof is what the tests above stand on: without it, and without grading, they fail."""
    monkeypatch.setattr(ranking, "prove", unproved.prove)
    monkeypatch.setattr(ranking, "grade", unproved.grade)
    hold = seams.after(SYNC)
    call = Thread(lambda: world.as_agent("reader", task="t").retrieve("note", k=10))
    hold.reached()
    admin.revoke("res:q3", reason="poisoned")
    hold.release()
    assert texts(call.result()) == ALL


@pytest.mark.parametrize(("overlap", "learnt"), [(sync.OVERLAP, True), (0, False)])
def test_a_change_that_came_to_light_after_its_epoch_is_learnt_by_the_overlap(
    world: MapGraph,
    monkeypatch: pytest.MonkeyPatch,
    overlap: int,
    learnt: bool,  # noqa: FBT001
) -> None:
    """A reader can see an epoch before the index entries of its commit."""
    monkeypatch.setattr(sync, "OVERLAP", overlap)
    synchroniser = sync.Synchroniser(world._context)
    late: list[bool] = [True]

    class Late:
        """The graph at the moment when the epoch is there and the entries of it are not."""

        def __init__(self, tx: Transaction) -> None:
            self._tx = tx

        def run(self, name: str, **parameters: object) -> Sequence[Row]:
            rows = self._tx.run(name, **parameters)
            if name == SYNC and late[0]:
                newest = max(each[1] for each in rows[0]["entries"])
                kept = [each for each in rows[0]["entries"] if each[1] < newest]
                return [{**rows[0], "entries": kept}]
            return rows

    world._graph.read(lambda tx: synchroniser.sync(Late(tx)))
    known = len(synchroniser.sidecar)
    late[0] = False
    world._graph.read(lambda tx: synchroniser.sync(Late(tx)))
    assert (len(synchroniser.sidecar) > known) is learnt


# Revoke against derive


def test_a_record_that_is_being_written_when_its_source_goes_is_born_affected_or_refused(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    """T31, the writer first: it holds the turn, so the revocation comes after it and marks it."""
    writer = world.as_agent("writer", task="t", tracing=True)
    brief = admin_known(world, "brief of q3")
    hold = seams.before("record/write")
    call = Thread(lambda: writer.derive("conclusion", parents=[brief]))
    hold.reached()
    revoke = Thread(lambda: admin.revoke("res:q3", reason="poisoned"))
    assert revoke.waits
    hold.release()
    made = call.result()
    revoke.result()
    assert not world.check("reader", made).allowed


def test_a_record_whose_parent_went_before_its_turn_is_refused(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    """T31, the revocation first."""
    writer = world.as_agent("writer", task="t", tracing=True)
    brief = admin_known(world, "brief of q3")
    hold = seams.before(TURN)
    call = Thread(lambda: writer.derive("conclusion", parents=[brief]))
    hold.reached()
    admin.revoke("res:q3", reason="poisoned")
    hold.release()
    with pytest.raises(UnknownNodeError):
        call.result()


def test_no_descendant_is_missed_by_a_revocation_that_is_still_marking(
    world: MapGraph, opened: Open
) -> None:
    """T32: committed but not marked yet, and two writers come."""
    other = opened()
    seams = seams_of(world)
    brief = admin_known(world, "brief of q3")
    note = admin_known(world, "note of q4")
    hold = seams.before(MARK)
    revoke = Thread(lambda: world.as_admin("alice").revoke("res:q3", reason="poisoned"))
    hold.reached()
    with pytest.raises((UnknownNodeError, RefusedError)):
        other.as_agent("writer", task="a", tracing=True).derive("from it", parents=[brief])
    made = other.as_agent("writer", task="b", tracing=True).derive("clean", parents=[note])
    assert texts(other.as_agent("reader", task="c").retrieve("note", k=10)) == {*Q4, "clean"}
    hold.release()
    revoke.result()
    assert world.check("reader", made).allowed
    marked = {
        node.id for node in world.lineage(brief).nodes if node.state in ("affected", "revoked")
    }
    assert brief in marked


# Revoke against gate and execute


def test_a_proposal_that_is_decided_while_its_evidence_goes_cannot_be_carried_out(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    reader = world.as_agent("reader", task="t", tracing=True)
    brief = handed_out(world, reader)
    hold = seams.before("gate/save_call")
    call = Thread(lambda: reader.propose("pay", arguments={"to": "x"}, evidence=[brief]))
    hold.reached()
    revoke = Thread(lambda: admin.revoke("res:q3", reason="poisoned"))
    assert revoke.waits
    hold.release()
    decision = call.result()
    assert decision.outcome is Outcome.ALLOW
    assert decision.id in revoke.result().actions
    with pytest.raises(ActionNotAllowedError):
        reader.execute(decision.id, run=lambda **_: pytest.fail("it ran"))


def test_a_proposal_whose_evidence_went_before_its_turn_is_blocked(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    reader = world.as_agent("reader", task="t", tracing=True)
    brief = handed_out(world, reader)
    hold = seams.before(TURN)
    call = Thread(lambda: reader.propose("pay", arguments={"to": "x"}, evidence=[brief]))
    hold.reached()
    admin.revoke("res:q3", reason="poisoned")
    hold.release()
    assert call.result().outcome is Outcome.BLOCK


def test_an_action_is_decided_again_in_the_transaction_that_starts_it(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    reader = world.as_agent("reader", task="t", tracing=True)
    brief = handed_out(world, reader)
    decision = reader.propose("pay", arguments={"to": "x"}, evidence=[brief])
    hold = seams.before(TURN)
    call = Thread(lambda: reader.execute(decision.id, run=lambda **_: pytest.fail("it ran")))
    hold.reached()
    admin.revoke("res:q3", reason="poisoned")
    hold.release()
    with pytest.raises(ActionNotAllowedError):
        call.result()


def test_an_action_that_started_before_the_revocation_is_named_by_it(
    world: MapGraph, seams: Seams, admin: AdminHandle
) -> None:
    """It cannot be called back; whoever revokes learns of it."""
    reader = world.as_agent("reader", task="t", tracing=True)
    brief = handed_out(world, reader)
    decision = reader.propose("pay", arguments={"to": "x"}, evidence=[brief])
    hold = seams.after(STARTED)
    ran: list[str] = []
    call = Thread(
        lambda: reader.execute(
            decision.id,
            run=lambda to: ran.append(to),  # noqa: PLW0108 - called by name
        )
    )
    hold.reached()
    assert decision.id in admin.revoke("res:q3", reason="poisoned").actions
    hold.release()
    call.result()
    assert ran == ["x"]
    with pytest.raises(ActionNotAllowedError):
        reader.execute(decision.id, run=lambda **_: pytest.fail("it ran twice"))


def test_a_yes_after_the_evidence_went_runs_nothing(world: MapGraph, admin: AdminHandle) -> None:
    """T47."""
    admin.register_tool("wire", risk="critical")
    reader = world.as_agent("reader", task="t", tracing=True)
    brief = handed_out(world, reader)
    decision = reader.propose("wire", arguments={"to": "x"}, evidence=[brief])
    assert decision.outcome is Outcome.ASK_USER
    admin.revoke("res:q3", reason="poisoned")
    world.as_admin("bob").approve(decision.id)
    with pytest.raises(ActionNotAllowedError):
        reader.execute(decision.id, run=lambda **_: pytest.fail("it ran"))


# Revoke against revoke and undo


def test_two_revocations_of_overlapping_trees(world: MapGraph, opened: Open) -> None:
    """T37: both succeed, with epochs of their own, and all of both is closed."""
    writer = world.as_agent("writer", task="t", tracing=True)
    both = writer.derive(
        "of both", parents=[admin_known(world, "brief of q3"), admin_known(world, "brief of q4")]
    )
    with ThreadPoolExecutor(2) as pool:
        done = list(
            pool.map(
                lambda name: opened().as_admin("alice").revoke(name, reason="gone"),
                ["res:q3", "res:q4"],
            )
        )
    assert len({each.epoch for each in done}) == 2
    assert world.eligible("reader") == ()
    opened().as_admin("alice").undo(done[0].id or "", reason="back")
    assert not world.check("reader", both).allowed
    opened().as_admin("alice").undo(done[1].id or "", reason="back")
    assert world.check("reader", both).allowed


def test_an_undo_while_another_revocation_comes_restores_nothing_that_it_covers(
    world: MapGraph, seams: Seams, opened: Open
) -> None:
    first = world.as_admin("alice").revoke("res:q3", reason="one", kind="reliability")
    hold = seams.before("revocation/undo")
    undo = Thread(lambda: world.as_admin("alice").undo(first.id or "", reason="back"))
    hold.reached()
    second = Thread(lambda: opened().as_admin("alice").revoke("res:q3", reason="two"))
    assert second.waits
    hold.release()
    undo.result()
    second.result()
    assert set(world.eligible("reader")) == {
        admin_known(world, "note of q4"),
        admin_known(world, "brief of q4"),
    }
    assert texts(opened().as_agent("reader", task="t").retrieve("note", k=10)) == Q4


def test_who_still_marks_for_a_revocation_does_not_finish_its_undoing(
    world: MapGraph, opened: Open
) -> None:
    """Found under load: marks were set anew while the undoing was worked off, and stayed."""
    other = opened()
    marks = seams_of(world).before(MARK)
    slow = Thread(lambda: world.as_admin("alice").revoke("res:q3", reason="poisoned"))
    marks.reached()
    known = world._graph.read(
        lambda tx: tx.run("revocation/revocations", tenant=world.tenant, id="res:q3")
    )
    recomputes = seams_of(other).after("revocation/undo")
    undo = Thread(lambda: other.as_admin("alice").undo(known[0]["id"], reason="it was not"))
    recomputes.reached()
    marks.release()
    slow.result()
    recomputes.release()
    undo.result()
    assert len(world.eligible("reader")) == len(ALL)
    assert texts(opened().as_agent("reader", task="t").retrieve("note", k=10)) == ALL


# Writers


def test_every_write_has_an_epoch_and_a_number_of_its_own(opened: Open, world: MapGraph) -> None:
    """T39: the order is a counter's, never a clock's."""
    del world

    def write(number: int) -> str:
        agent = opened().as_agent("writer", task=f"t{number}", tracing=True)
        return agent.observe(f"text {number}", source="res:q3")

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(write, range(40)))
    rows = opened()._graph.read(lambda tx: tx.run("record/nodes", tenant=opened().tenant, ids=made))
    assert len(made) == len({row["properties"]["seq"] for row in rows}) == 40


def handed_out(world: MapGraph, agent: AgentHandle) -> str:
    """Return the brief of q3 after ``agent`` read it, as evidence must be."""
    brief = admin_known(world, "brief of q3")
    agent.read(brief)
    return brief


def admin_known(world: MapGraph, text: str) -> str:
    """Return the id of a text, by the operator's eyes."""
    for node in world.eligible("reader"):
        found = world.lineage(node).nodes
        if any(each.id == node and each.caption == text for each in found):
            return node
    message = f"no record says `{text}`"
    raise AssertionError(message)
