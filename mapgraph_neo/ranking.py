"""Stage 3, ranking: eligible ids by similarity, the winners proved, graded and recorded."""

import hmac
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo.bases import Basis
from mapgraph_neo.context import Context, content_hash
from mapgraph_neo.eligibility import RECORDS, Proved, prove
from mapgraph_neo.embedding import checked
from mapgraph_neo.errors import InputError
from mapgraph_neo.grading import grade
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import Holdings, holdings, require
from mapgraph_neo.model import Hit, Retrieval
from mapgraph_neo.profile import step
from mapgraph_neo.reads import Reads, record_reads
from mapgraph_neo.sidecar import Candidate, Ranking
from mapgraph_neo.sync import Synced, Synchroniser
from mapgraph_neo.vocabulary import Right

FIRST_BATCH = 16
"""Candidates proved at least at once; more are cheap beside the round trip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One retrieval: who asks, in which task, what, and for how many."""

    agent: str
    task: str
    query: str
    k: int
    seconds: float


def retrieve(context: Context, synchroniser: Synchroniser, question: Question) -> Retrieval:
    """Return the best ``k`` memories and claims that the agent may read, proved and graded.

    Ranked is what the agent was last offered; the transaction of the proof, which begins after
    the ranking, learns first whether that still holds. If it does not, what it learnt is ranked
    and proved in a transaction of its own.

    Raises:
        InputError: ``k`` or the query is out of range.
        NotRegisteredError: No such agent.
        RefusedError: The agent or its user is revoked or compromised.
        EmbeddingError: The query cannot be embedded.

    """
    _check(context, question)
    with step("embed the query"):
        vector = checked(context.embedder, [question.query])[0]
    asking = _Asking(
        context=context,
        synchroniser=synchroniser,
        question=question,
        vector=vector,
        deadline=time.monotonic() + question.seconds,
    )
    basis = synchroniser.bases.get(question.agent)
    last = basis is None
    if basis is None:
        basis = context.graph.read(lambda tx: _learn(tx, asking, None).basis)
    while True:
        with step("rank"):
            ranking = synchroniser.sidecar.rank(vector, basis.eligible)
        found = context.graph.write(
            lambda tx, basis=basis, ranking=ranking, last=last: _answer(
                tx, asking, basis, ranking, last=last
            )
        )
        if isinstance(found, Retrieval):
            return found
        basis, last = found, True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """One retrieval under way."""

    context: Context
    synchroniser: Synchroniser
    question: Question
    vector: NDArray[np.float32]
    deadline: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Learnt:
    """What the graph says at this moment: what the agent holds, and what it may be offered."""

    held: Holdings
    synced: Synced
    basis: Basis


def _learn(tx: Transaction, asking: _Asking, former: Basis | None) -> _Learnt:
    """Ask what the agent holds and what changed; the basis is ``former`` if nothing moved."""
    context, synchroniser = asking.context, asking.synchroniser
    held = holdings(tx, context.tenant, asking.question.agent, (Right.READ,))
    if not held.trusted or not held.has_user:
        require(held, Right.READ)
    synced = synchroniser.sync(tx)
    with step("mask"):
        eligible = synchroniser.sidecar.eligible(
            held.principals,
            synced.now_ms,
            synced.excluded,
            context.policy.trust_floor,
            former=former.eligible if former else None,
        )
    if former is not None and eligible is former.eligible and synced.pending == former.pending:
        return _Learnt(held=held, synced=synced, basis=former)
    basis = Basis(eligible=eligible, pending=synced.pending)
    synchroniser.bases.keep(asking.question.agent, basis)
    return _Learnt(held=held, synced=synced, basis=basis)


def _answer(
    tx: Transaction, asking: _Asking, basis: Basis, ranking: Ranking, *, last: bool
) -> Retrieval | Basis:
    """Return the proved answer; or, unless this is the last try, the basis that it moved to."""
    learnt = _learn(tx, asking, basis)
    if learnt.basis is not basis and not last:
        return learnt.basis
    hits, proved = _winners(tx, asking, learnt, ranking)
    complete = proved and not basis.pending and not learnt.synced.pending
    _record(tx, asking, hits, complete=complete)
    return Retrieval(hits=tuple(hits), epoch=learnt.synced.epoch, complete=complete)


def _record(tx: Transaction, asking: _Asking, hits: list[Hit], *, complete: bool) -> None:
    """Record the reads, the query and the audit record, before anything is handed out."""
    context, question = asking.context, asking.question
    ids = [hit.id for hit in hits]
    record_reads(
        tx,
        context.tenant,
        Reads(
            agent=question.agent,
            task=question.task,
            ids=ids,
            query=None
            if context.policy.exclusion_signal == "off"
            else {"vector": asking.vector.tobytes(), "k": question.k},
            act="retrieve",
            target=question.task,
            detail={"ids": ids, "complete": complete},
        ),
    )


def _winners(
    tx: Transaction, asking: _Asking, learnt: _Learnt, ranking: Ranking
) -> tuple[list[Hit], bool]:
    """Prove candidates best bound first until nothing unproved can beat the ``k``-th."""
    k = asking.question.k
    proved: list[tuple[float, int, Hit]] = []
    cursor = ranking.start()
    size = max(FIRST_BATCH, k)
    while batch := cursor.take(size):
        found = _graded(tx, asking.context, learnt, batch)
        proved = sorted([*proved, *found], key=lambda each: (-each[0], each[1]))[:k]
        hits = [hit for _, _, hit in proved]
        if len(proved) >= k and cursor.settles(proved[-1][0], proved[-1][1]):
            return hits, True
        if time.monotonic() > asking.deadline:
            return hits, cursor.next_bound() is None
        size *= 2
    return [hit for _, _, hit in proved], True


def _graded(
    tx: Transaction, context: Context, learnt: _Learnt, batch: list[Candidate]
) -> list[tuple[float, int, Hit]]:
    similarity = {candidate.seq: candidate.similarity for candidate in batch}
    proofs = [
        each
        for each in prove(tx, context, learnt.held, seqs=list(similarity))
        if each.kind in RECORDS and each.seq in similarity and intact(each, learnt.synced.hash_key)
    ]
    grades = grade(
        tx,
        context,
        [each.id for each in proofs],
        verified=[each.id for each in proofs if each.verifiable],
    )
    found: list[tuple[float, int, Hit]] = []
    for each in proofs:
        given = grades[each.id]
        if not given.floor >= context.policy.trust_floor:
            continue
        cosine = similarity[each.seq]
        hit = Hit(
            id=each.id,
            text=each.text or "",
            score=max(0.0, cosine) * given.rho,
            similarity=cosine,
            trust=given.rho,
        )
        found.append((hit.score, each.seq, hit))
    return found


def intact(proof: Proved, hash_key: str) -> bool:
    """Return whether the text is still the one whose keyed hash was kept."""
    if proof.text is None or proof.content_hash is None:
        return False
    return hmac.compare_digest(content_hash(hash_key, proof.text), proof.content_hash)


def _check(context: Context, question: Question) -> None:
    limit = context.policy.limits.retrieve_k
    if type(question.k) is not int or not 1 <= question.k <= limit:
        message = f"k: a whole number from 1 to {limit} is needed"
        raise InputError(message)
    if type(question.query) is not str or not question.query.strip():
        message = "query: a non-empty string is needed"
        raise InputError(message)
