"""Prints the story: numbered steps with hanging lines, in colour on a terminal, plain in a pipe."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from mapgraph_cli.text import clean
from mapgraph_neo.vocabulary import Outcome

if TYPE_CHECKING:
    from mapgraph_neo.model import Decision

LABEL = 11  # columns of the words on the left: wants, why, path, then
INDENT = 5
NARROW, WIDE, PIPE = 60, 110, 100  # columns
STYLES = {
    Outcome.ALLOW: "bold white on green4",
    Outcome.BLOCK: "bold white on red3",
    Outcome.REVERIFY: "bold black on orange1",
    Outcome.REDACT: "bold white on purple4",
    Outcome.ASK_USER: "bold black on gold1",
}


class Teller:
    """Writes to one stream; texts from the store are cleaned, never read as markup."""

    def __init__(self, stream: TextIO) -> None:
        """Write to ``stream``; colours only where it is a terminal and NO_COLOR is not set."""
        from rich.console import Console  # noqa: PLC0415 - help must be fast

        self._console = Console(file=stream, highlight=False, soft_wrap=True)
        terminal = self._console.is_terminal
        self._width = min(max(self._console.width, NARROW), WIDE) if terminal else PIPE
        self._chapter = self._step = 0

    def heading(self, text: str, under: str) -> None:
        """Open the whole."""
        self._write("")
        self._write(text, "bold")
        self._wrapped(under, "", "", "")

    def chapter(self, heading: str, lead: str) -> None:
        """Open a chapter."""
        self._chapter, self._step = self._chapter + 1, 0
        self._write("")
        title = f"{self._chapter}  {heading} "
        self._write(title + "-" * max(3, self._width - len(title)), "bold cyan")
        self._wrapped(lead, "   ", "   ", "italic")

    def step(self, text: str) -> None:
        """Open a numbered step: what somebody wants."""
        self._step += 1
        number = f"{self._chapter}.{self._step}"
        self._write("")
        self._wrapped(text, f"{number:<{INDENT}}", " " * INDENT, "bold")

    def line(self, label: str, text: str, style: str = "") -> None:
        """Write one labelled line."""
        first = " " * INDENT + f"{label:<{LABEL}}"
        self._wrapped(text, first, " " * len(first), style)

    def lines(self, label: str, texts: Sequence[str], style: str = "") -> None:
        """Write several lines under one label, each cut at the edge."""
        room = self._width - INDENT - LABEL
        for index, text in enumerate(texts):
            line = clean(text)
            cut = line if len(line) <= room else line[: room - 3] + "..."
            self._write(" " * INDENT + f"{label if index == 0 else '':<{LABEL}}" + cut, style)

    def decision(self, decision: "Decision") -> None:
        """Write what the gate said: outcome, rule, numbers, reason, obligations."""
        from rich.text import Text  # noqa: PLC0415 - help must be fast

        coloured = self._console.color_system is not None and not self._console.no_color
        badge = Text(" " * INDENT)
        badge.append(
            f" {decision.outcome} " if coloured else decision.outcome, STYLES[decision.outcome]
        )
        badge.append(f"  by {decision.rule}", "bold")
        badge.append(f"   {numbers(decision)}")
        self._console.print(badge)
        self.line("why", decision.reason)
        for obligation in decision.obligations:
            targets = f": {', '.join(obligation.targets)}" if obligation.targets else ""
            self.line("then", obligation.text + targets)

    def _wrapped(self, text: str, first: str, later: str, style: str) -> None:
        for line in textwrap.wrap(
            clean(text),
            self._width,
            initial_indent=first,
            subsequent_indent=later,
            break_long_words=False,
            break_on_hyphens=False,
        ):
            self._write(line, style)

    def _write(self, line: str, style: str = "") -> None:
        from rich.text import Text  # noqa: PLC0415 - help must be fast

        self._console.print(Text(line, style))


def numbers(decision: "Decision") -> str:
    """Return the risk, and the least trust of the evidence beside what is asked for."""
    kind = f"{decision.risk} risk"
    if decision.trust is None:
        return f"{kind}; trust {decision.threshold:.2f} needed, none to show"
    sign = ">=" if decision.trust >= decision.threshold else "<"
    return f"{kind}; trust {decision.trust:.2f} {sign} {decision.threshold:.2f}"
