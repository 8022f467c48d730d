"""Mutants of the shipped statements, by a list of operators."""

import re
from collections.abc import Iterator

from .mutant import Mutant, numbered
from .words import predicates, words

STATEMENTS = (
    "eligibility/principals",
    "eligibility/prove",
    "eligibility/eligible_memories",
    "eligibility/clauses",
    "authority/owners",
    "authority/user",
    "authority/agents",
    "gate/evidence_state",
    "gate/ancestry",
    "gate/decisions_using",
    "lineage/trust_graph",
    "lineage/descendants",
    "lineage/verifications",
    "record/read_set",
    "record/open_records",
    "revocation/revoke_source",
    "revocation/undo",
    "revocation/blast_radius",
    "rework/mark_affected",
    "rework/batch",
    "rework/erase",
    "rework/finish",
    "sync/changes",
    "sync/pending_entries",
)
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
QUANTIFIED = {"any": "all", "all": "any"}
SHORT = 60
TYPES = re.compile(r":([A-Z_]+(?:\|[A-Z_]+)+)(?=[*\]])")
TENANT = re.compile(r"\{tenant: \$tenant(?:, )?")


def mutants(statement: str, text: str) -> Iterator[Mutant]:
    """Yield every mutant of a statement's text; its header is left alone."""
    changes = (
        (
            f"{statement} {operator} `{_short(text[start:end])}`",
            text[:start] + after + text[end:],
        )
        for operator, start, end, after in _changes(text)
    )
    yield from numbered(statement, changes)


def _changes(text: str) -> Iterator[tuple[str, int, int, str]]:
    seen: set[tuple[int, int]] = set()
    for start, end in predicates(text):
        if (start, end) not in seen:
            seen.add((start, end))
            yield "drop", start, end, "true"
            yield "negate", start, end, f"NOT ({text[start:end]})"
    for word in words(text):
        if word.text in COMPARED:
            yield "compare", word.start, word.end, COMPARED[word.text]
        if word.text in QUANTIFIED and text[word.end :].startswith("("):
            yield "quantify", word.start, word.end, QUANTIFIED[word.text]
    body = text.index("\n\n")
    for match in TENANT.finditer(text, body):
        yield "tenant", match.start(), match.end(), "{"
    for match in TYPES.finditer(text, body):
        names = match.group(1).split("|")
        for name in names:
            rest = "|".join(each for each in names if each != name)
            yield f"without {name}", match.start(1), match.end(1), rest
    for match in re.finditer(r"\*0\.\.", text[body:]):
        yield "from one", body + match.start(), body + match.end(), "*1.."


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHORT else f"{line[: SHORT - 3]}..."
