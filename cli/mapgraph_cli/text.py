"""Makes text safe for a terminal: no escape sequences, control or bidi characters, no secrets."""

import re
import unicodedata

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x9b[0-?]*[ -/]*[@-~]"  # the same as one C1 character
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC, DCS, SOS, PM, APC: titles, links
    r"|\x1b[ -/]*[0-~]",  # the short ones
    re.DOTALL,
)
_BLANKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MASK = "********"
_hidden: set[str] = set()


def clean(value: str) -> str:
    """Return ``value`` as one line that cannot steer a terminal."""
    if value.isascii() and value.isprintable():
        return value
    plain = _ESCAPES.sub("", value)
    return "".join(" " if c in _BLANKS else c for c in plain if c in _BLANKS or _harmless(c))


def hide(secret: str) -> None:
    """Never show ``secret`` in a message of ours from now on."""
    if secret:
        _hidden.add(secret)


def masked(value: str) -> str:
    """Return ``value`` with every hidden secret masked."""
    for secret in _hidden:
        value = value.replace(secret, _MASK)
    return value


def _harmless(character: str) -> bool:
    return character not in _BIDI and unicodedata.category(character) not in ("Cc", "Cs")
