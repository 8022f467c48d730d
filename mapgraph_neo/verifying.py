"""Records what a verifier found of a memory or claim."""

from collections.abc import Sequence
from dataclasses import dataclass

from mapgraph_neo.authority import Act, Actor, perform
from mapgraph_neo.context import Context, Turn
from mapgraph_neo.drafts import edge_row, write
from mapgraph_neo.eligibility import RECORDS, prove
from mapgraph_neo.errors import InputError, RefusedError, UnknownNodeError
from mapgraph_neo.graph import Transaction
from mapgraph_neo.holdings import holdings
from mapgraph_neo.names import label_of
from mapgraph_neo.vocabulary import EdgeType, Right, VerificationOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a verifier found, and the evidence that it cites."""

    record: str
    outcome: VerificationOutcome
    evidence: tuple[str, ...] = ()
    key: str | None = None


def verify(context: Context, actor: str, finding: Finding) -> str:
    """Record ``finding`` on the present content of the record and return the record's id.

    Raises:
        RefusedError: No right to verify, or an agent that wrote the record itself.
        UnknownNodeError: No such record or evidence.
        InputError: It is neither a memory nor a claim.

    """
    if label_of(finding.record) not in RECORDS:
        message = f"id: `{finding.record}` is neither a memory nor a claim"
        raise InputError(message)

    def work(tx: Transaction, turn: Turn, who: Actor) -> str:
        tenant = context.tenant
        wanted = [finding.record, *finding.evidence]
        found = {
            row["id"]: row["content_hash"]
            for row in tx.run("gate/content_hashes", tenant=tenant, ids=wanted)
        }
        for each in wanted:
            if each not in found:
                message = f"`{each}` is not known"
                raise UnknownNodeError(message)
        _check_agent(tx, context, who, finding.record)
        edge = edge_row(
            EdgeType.VERIFIED_BY,
            finding.record,
            who.id,
            turn.now,
            outcome=finding.outcome.value,
            content_hash=found[finding.record],
            evidence=list(finding.evidence),
        )
        write(tx, tenant, edges=[edge])
        touch(tx, context, [finding.record])
        return finding.record

    act = Act(
        actor=actor, name="verify", target=finding.record, right=Right.VERIFY, key=finding.key
    )
    return perform(context, act, work)


def touch(tx: Transaction, context: Context, records: Sequence[str]) -> None:
    """Keep of verified records the most that they can be worth; each proof grades them anew."""
    factor = context.policy.verification.several
    tx.run("rework/touch", tenant=context.tenant, ids=list(records), factor=factor)


def _check_agent(tx: Transaction, context: Context, who: Actor, record: str) -> None:
    if not who.id.startswith("agent:"):
        return
    rows = tx.run("record/read_details", tenant=context.tenant, ids=[record])
    if rows and rows[0]["writer"] == who.id:
        message = f"`{who.id}` wrote `{record}`; agents never verify for themselves"
        raise RefusedError(message)
    held = holdings(tx, context.tenant, who.id)
    if not prove(tx, context, held, [record]):
        message = f"`{record}` is not known or not readable"
        raise UnknownNodeError(message)
