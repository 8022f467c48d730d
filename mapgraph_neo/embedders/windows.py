"""Windows over a long text by the tokens of a model, so that its ending is found too."""

from typing import Protocol


class Tokens(Protocol):
    """A text as tokens."""

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """First character of each token and the one after its last."""
        ...


class Tokenizer(Protocol):
    """What is used of a tokenizer; it must neither cut nor pad."""

    def encode(self, sequence: str, *, add_special_tokens: bool) -> Tokens:
        """Return ``sequence`` as tokens."""
        ...


def windows(tokenizer: Tokenizer, text: str, *, size: int, overlap: int) -> list[str]:
    """Return ``text`` in windows of ``size`` tokens that together hold all of it.

    Neighbours share ``overlap`` tokens; a text that fits is returned as it is.
    """
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    count = len(offsets)
    if count <= size:
        return [text]
    starts = [*range(0, count - size, size - overlap), count - size]
    ends = [offsets[start + size - 1][1] for start in starts]
    firsts = [offsets[start][0] for start in starts]
    firsts[0], ends[-1] = 0, len(text)
    return [text[first:end] for first, end in zip(firsts, ends, strict=True)]
