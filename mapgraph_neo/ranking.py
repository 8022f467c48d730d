"""Stage 3, ranking: eligible ids by similarity, the winners proved, graded and recorded."""

import hmac
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mapgraph_neo import audit
from mapgraph_neo.context import Context, content_hash
from mapgraph_neo.eligibility import RECORDS, Proved, prove
from mapgraph_neo.embedding import checked
from mapgraph_neo.errors import InputError
from mapgraph_neo.grading import grade
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import Holdings, holdings, require
from mapgraph_neo.model import Hit, Retrieval
from mapgraph_neo.query_log import keep_query
from mapgraph_neo.record import record_reads
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

    Raises:
        InputError: ``k`` or the query is out of range.
        NotRegisteredError: No such agent.
        RefusedError: The agent or its user is revoked or compromised.
        EmbeddingError: The query cannot be embedded.

    """
    _check(context, question)
    vector = checked(context.embedder, [question.query])[0]
    deadline = time.monotonic() + question.seconds
    held, synced, ranking = _rank(context, synchroniser, question, vector)
    return context.graph.write(
        lambda tx: _prove(
            tx, context, question, held.agent, synced, ranking, deadline, vector.tobytes()
        )
    )


def _rank(
    context: Context,
    synchroniser: Synchroniser,
    question: Question,
    vector: NDArray[np.float32],
) -> tuple[Holdings, Synced, Ranking]:
    def work(tx: Transaction) -> tuple[Holdings, Synced]:
        held = holdings(tx, context.tenant, question.agent, (Right.READ,))
        if not held.trusted or not held.has_user:
            require(held, Right.READ)
        return held, synchroniser.sync(tx)

    held, synced = context.graph.read(work)
    sidecar = synchroniser.sidecar
    eligible = sidecar.eligible(
        held.principals, synced.now_ms, synced.excluded, context.policy.trust_floor
    )
    return held, synced, sidecar.rank(vector, eligible, trust_valid=True)


def _prove(
    tx: Transaction,
    context: Context,
    question: Question,
    agent: str,
    synced: Synced,
    ranking: Ranking,
    deadline: float,
    vector: bytes,
) -> Retrieval:
    held = holdings(tx, context.tenant, agent, (Right.READ,))
    epoch, hits, complete = _winners(tx, context, question, held, ranking, deadline)
    record_reads(tx, context, agent, question.task, [hit.id for hit in hits])
    keep_query(tx, context, agent, question.task, (vector, question.k))
    audit.append(
        tx,
        context.tenant,
        actor=agent,
        act="retrieve",
        target=question.task,
        outcome=audit.ALLOWED if hits else audit.EMPTY,
        detail={"ids": [hit.id for hit in hits], "complete": complete and not synced.pending},
    )
    return Retrieval(
        hits=tuple(hits),
        epoch=max(epoch, 0) or synced.epoch,
        complete=complete and not synced.pending,
    )


def _winners(
    tx: Transaction,
    context: Context,
    question: Question,
    held: Holdings,
    ranking: Ranking,
    deadline: float,
) -> tuple[int, list[Hit], bool]:
    """Prove candidates best bound first until nothing unproved can beat the ``k``-th."""
    proved: list[tuple[float, int, Hit]] = []
    cursor = ranking.start()
    size, epoch = max(FIRST_BATCH, question.k), 0
    while batch := cursor.take(size):
        epoch, found = _graded(tx, context, held, batch)
        proved = sorted([*proved, *found], key=lambda each: (-each[0], each[1]))[: question.k]
        hits = [hit for _, _, hit in proved]
        if len(proved) >= question.k and cursor.settles(proved[-1][0], proved[-1][1]):
            return epoch, hits, True
        if time.monotonic() > deadline:
            return epoch, hits, cursor.next_bound() is None
        size *= 2
    return epoch, [hit for _, _, hit in proved], True


def _graded(
    tx: Transaction, context: Context, held: Holdings, batch: list[Candidate]
) -> tuple[int, list[tuple[float, int, Hit]]]:
    rows = tx.run("sync/ids", tenant=context.tenant, seqs=[candidate.seq for candidate in batch])
    row = rows[0]
    similarity = {candidate.seq: candidate.similarity for candidate in batch}
    ids = [found for seq, found in row["ids"] if seq in similarity]
    proofs = [
        each
        for each in prove(tx, context, held, ids)
        if each.kind in RECORDS and each.seq in similarity and intact(each, row["hash_key"])
    ]
    grades = grade(tx, context, [each.id for each in proofs])
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
    return int(row["epoch"]), found


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
