"""A Cypher statement as words, with what each word closes, so that predicates can be cut out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

WORD = re.compile(
    r"""
    (?P<comment>//[^\n]*)
  | (?P<space>\s+)
  | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<name>[$]?[A-Za-z_][A-Za-z0-9_]*)
  | (?P<number>\d+(?:\.\d+)?)
  | (?P<sign><-|->|--|<>|<=|>=|\.\.|::|\+=|[-+*/%^=<>|&!.,:;(){}\[\]])
    """,
    re.VERBOSE,
)
OPENS = {"(": ")", "[": "]", "{": "}", "CASE": "END"}
CLOSES = frozenset(OPENS.values())
ENDS = frozenset(  # words that end a predicate of the same depth
    [
        "AND",
        "OR",
        "XOR",
        "WHERE",
        "THEN",
        "WHEN",
        "ELSE",
        "END",
        "RETURN",
        "WITH",
        "MATCH",
        "OPTIONAL",
        "CALL",
        "UNWIND",
        "SET",
        "REMOVE",
        "DELETE",
        "DETACH",
        "CREATE",
        "MERGE",
        "ORDER",
        "LIMIT",
        "FOREACH",
        "UNION",
        "AS",
        "ON",
        "|",
        ",",
        ";",
    ]
)


@dataclass(frozen=True, kw_only=True)
class Word:
    """One word: its place in the text and how deep it stands in brackets and CASE."""

    start: int
    end: int
    text: str
    depth: int


def words(text: str) -> list[Word]:
    """Return the words of a statement, without space and comments.

    Raises:
        ValueError: Something in it is no word.

    """
    found: list[Word] = []
    depth = at = 0
    while at < len(text):
        match = WORD.match(text, at)
        if match is None:
            message = f"no word at {text[at : at + 20]!r}"
            raise ValueError(message)
        at = match.end()
        if match.lastgroup in ("comment", "space"):
            continue
        word = match.group()
        if word in CLOSES:
            depth -= 1
        found.append(Word(start=match.start(), end=match.end(), text=word, depth=depth))
        if word in OPENS:
            depth += 1
    return found


def predicates(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each predicate of a conjunction, or of a whole WHERE or WHEN, begins and ends."""
    listed = words(text)
    for at, word in enumerate(listed):
        if word.text not in ("AND", "WHERE", "WHEN") or at + 1 == len(listed):
            continue
        last = at
        for other in range(at + 1, len(listed)):
            after = listed[other]
            if after.depth < word.depth or (after.depth == word.depth and after.text in ENDS):
                break
            last = other
        if last > at:
            yield listed[at + 1].start, listed[last].end
        if word.text == "AND":
            yield from _first(listed, at)


def _first(listed: list[Word], at: int) -> Iterator[tuple[int, int]]:
    """Yield the first predicate of a conjunction that stands in brackets of its own."""
    depth = listed[at].depth
    first = at
    while first and listed[first - 1].depth >= depth:
        before = listed[first - 1]
        if before.depth == depth and before.text in ENDS:
            return  # a WHERE, a WHEN or another AND leads it, and yields it
        first -= 1
    if first and first < at:
        yield listed[first].start, listed[at - 1].end
