"""The episodes of shared memory as events: every turn a message, copied into memories above it.

A turn is a message of its speaker and a memory that repeats it; eight turns make a digest, four
digests an overview, both word for word, so that a string stands at three depths. Everybody in an
episode is in its circle and may read all of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.field import data
from benchmarks.field.data import Fields
from benchmarks.field.logs import Event

CIRCLE = "team:circle"
KEEPER = "agent:keeper"
"""The agent that writes the memories, digests and overviews."""
TURNS = 8
DIGESTS = 4


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question, asked when ``turn`` turns are over.

    ``strings`` are what must be gone (``deletion``), or the facts of the right answer.
    """

    id: str
    turn: int
    asker: str
    text: str
    deletion: bool
    strings: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, kw_only=True)
class Episode:
    """One episode with its questions on utility and deletion, in the order of asking."""

    name: str
    domain: str
    principals: Sequence[Fields]
    turns: Sequence[Fields]
    questions: Sequence[Question]


def episodes() -> list[Episode]:
    """Return every episode; questions on access control are not asked here."""
    rows = data.records("gatemem", labels=True)
    labels = {each["id"]: each for each in rows if each["_file"] == "labels.jsonl"}
    asked = [each for each in rows if each["_file"] == "queries.jsonl"]
    return [
        Episode(
            name=each["episode"],
            domain=each["domain"],
            principals=each["principals"],
            turns=each["turns"],
            questions=_questions(
                each, [one for one in asked if one["episode"] == each["episode"]], labels
            ),
        )
        for each in rows
        if each["_file"] == "episodes.jsonl"
    ]


def _questions(
    episode: Fields, asked: Sequence[Fields], labels: dict[str, Fields]
) -> list[Question]:
    place = {each["id"]: number for number, each in enumerate(episode["turns"], start=1)}
    made: list[Question] = []
    for each in asked:
        label = labels[each["id"]]
        if label["kind"] not in ("utility", "safety"):
            continue
        deletion = label["kind"] == "safety"
        given = label["leak_targets"] if deletion else label["include"]
        made.append(
            Question(
                id=each["id"],
                turn=place[each["as_of"]],
                asker=f"agent:of {each['asker']}",
                text=each["query"],
                deletion=deletion,
                strings=tuple(re.compile(one, re.IGNORECASE) for one in given),
            )
        )
    return sorted(made, key=lambda one: one.turn)


@dataclass
class Story:
    """What was written so far: texts of memories by id, and of messages by the memory of each."""

    episode: Episode
    done: int = 0
    texts: dict[str, str] = field(default_factory=dict[str, str])
    turns: dict[str, str] = field(default_factory=dict[str, str])  # message id -> text

    def people(self) -> list[Event]:
        """Return the principals: a user of the circle with an agent that asks for it."""
        made: list[Event] = [
            {"event": "user", "id": "user:host", "teams": [CIRCLE]},
            {"event": "agent", "id": KEEPER, "user": "user:host", "scopes": ["@user"]},
        ]
        for each in self.episode.principals:
            name = each["principal_id"]
            made += [
                {"event": "user", "id": f"user:{name}", "teams": [CIRCLE]},
                {
                    "event": "agent",
                    "id": f"agent:of {name}",
                    "user": f"user:{name}",
                    "scopes": ["@user"],
                },
            ]
        return made

    def until(self, turn: int) -> tuple[list[Event], dict[str, str]]:
        """Return the events up to a turn that were not given before, and the new memories."""
        before = set(self.texts)
        made: list[Event] = []
        while self.done < turn:
            made += self._turn(self.episode.turns[self.done])
            self.done += 1
            made += self._copies()
        return made, {node: text for node, text in self.texts.items() if node not in before}

    def holding(self, strings: Sequence[re.Pattern[str]]) -> Iterator[str]:
        """Yield the messages so far that hold any of the strings."""
        for node, text in self.turns.items():
            if any(each.search(text) for each in strings):
                yield node

    def _turn(self, turn: Fields) -> list[Event]:
        message, memory = f"msg:{turn['id']}", f"mem:{turn['id']}"
        text = str(turn["text"]).strip() or "(empty)"
        self.turns[message], self.texts[memory] = text, text
        writer = f"user:{turn['speaker']}"
        said = {"event": "message", "id": message, "text": text, "writer": writer}
        kept = {"event": "derive", "id": memory, "text": text, "writer": KEEPER}
        return [{**said, "scope": [CIRCLE]}, {**kept, "parents": [message], "tracing": True}]

    def _copies(self) -> list[Event]:
        if self.done % TURNS:
            return []
        number = self.done // TURNS
        last = [f"mem:{each['id']}" for each in self.episode.turns[self.done - TURNS : self.done]]
        made = [self._copy(f"mem:digest {number}", last)]
        if number % DIGESTS == 0:
            digests = [f"mem:digest {each}" for each in range(number - DIGESTS + 1, number + 1)]
            made.append(self._copy(f"mem:overview {number // DIGESTS}", digests))
        return made

    def _copy(self, node: str, parents: Sequence[str]) -> Event:
        text = "\n".join(self.texts[each] for each in parents)
        self.texts[node] = text
        made: Event = {"event": "summarize", "id": node, "text": text, "writer": KEEPER}
        return {**made, "parents": list(parents), "tracing": True}
