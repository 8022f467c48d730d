"""Names and ids: what may be one, and how a bare name becomes an id.

An id is ``kind:name``. Names are NFC, at most 128 bytes of UTF-8, without control, bidi or
zero-width characters and without blanks at either end (SPEC 8). Compared exactly, never
normalised silently.
"""

import secrets
import unicodedata
from collections.abc import Iterable
from typing import cast

from mapgraph_neo.errors import InvalidNameError
from mapgraph_neo.vocabulary import NodeLabel

MAX_NAME_BYTES = 128  # SPEC 8
PREFIX: dict[NodeLabel, str] = {
    NodeLabel.USER: "user",
    NodeLabel.AGENT: "agent",
    NodeLabel.TOOL: "tool",
    NodeLabel.RESOURCE: "res",
    NodeLabel.MESSAGE: "msg",
    NodeLabel.MEMORY: "mem",
    NodeLabel.CLAIM: "claim",
    NodeLabel.ACTION: "act",
}
LABEL: dict[str, NodeLabel] = {prefix: label for label, prefix in PREFIX.items()}
RESERVED = frozenset({"*", "public", "@user"})
PRINCIPAL_KINDS = ("user", "agent", "team", "role", "external")
EVERYBODY = "*"
PUBLIC = "public"
ALL_OF_USER = "@user"

_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def check_name(name: object, field: str) -> str:
    """Return ``name`` if it can be one.

    Raises:
        InvalidNameError: It cannot; the message names ``field`` and why.

    """
    if not isinstance(name, str) or not name:
        message = f"{field}: a non-empty string is needed"
        raise InvalidNameError(message)
    if name in RESERVED:
        message = f"{field}: `{name}` is reserved"
        raise InvalidNameError(message)
    if any(unicodedata.category(c) in _FORBIDDEN_CATEGORIES for c in name):
        message = f"{field}: control, bidi, zero-width and unassigned characters are refused"
        raise InvalidNameError(message)
    if name != unicodedata.normalize("NFC", name):
        message = f"{field}: must be in Unicode normal form NFC"
        raise InvalidNameError(message)
    if name != name.strip():
        message = f"{field}: blanks at an end are refused"
        raise InvalidNameError(message)
    if len(name.encode()) > MAX_NAME_BYTES:
        message = f"{field}: longer than {MAX_NAME_BYTES} bytes"
        raise InvalidNameError(message)
    return name


def node_id(label: NodeLabel, name: object, field: str) -> str:
    """Return the id ``kind:name`` for a name that may carry its prefix already.

    Raises:
        InvalidNameError: Not a name, or the prefix of another kind.

    """
    text = check_name(name, field)
    prefix, colon, rest = text.partition(":")
    if colon and prefix in LABEL:
        if LABEL[prefix] is not label:
            message = f"{field}: `{text}` is not a {label} id (`{PREFIX[label]}:...`)"
            raise InvalidNameError(message)
        check_name(rest, field)
        return text
    return check_name(f"{PREFIX[label]}:{text}", field)


def any_id(name: object, field: str, kinds: Iterable[NodeLabel] | None = None) -> str:
    """Return ``name`` if it is a whole id with a known prefix, of one of ``kinds``.

    Raises:
        InvalidNameError: Not an id, or of another kind.

    """
    text = check_name(name, field)
    prefix, colon, rest = text.partition(":")
    allowed = [PREFIX[k] for k in (kinds or NodeLabel)]
    if not colon or prefix not in allowed:
        listed = ", ".join(f"{p}:" for p in allowed)
        message = f"{field}: `{text}` is not an id; it must start with one of {listed}"
        raise InvalidNameError(message)
    check_name(rest, field)
    return text


def label_of(node: str) -> NodeLabel:
    """Return the label that the prefix of a checked id stands for."""
    return LABEL[node.partition(":")[0]]


def new_id(label: NodeLabel) -> str:
    """Return a fresh random id; it tells nothing about how many others there are."""
    return f"{PREFIX[label]}:{secrets.token_hex(12)}"


def check_scope(scope: object, field: str, *, delegated: bool = False) -> list[str]:
    """Return the principals of ``scope``, sorted and without repeats.

    Args:
        scope: principals such as ``team:finance``, or ``*`` or ``public``.
        field: What to call it in a message.
        delegated: Whether ``@user`` is accepted (only on an edge of delegation).

    Raises:
        InvalidNameError: Not a list, or one of them is no principal.

    """
    if isinstance(scope, str | bytes) or not isinstance(scope, Iterable):
        message = f"{field}: a list of principals is needed"
        raise InvalidNameError(message)
    found: set[str] = set()
    for item in cast("Iterable[object]", scope):
        if item in (EVERYBODY, PUBLIC) or (delegated and item == ALL_OF_USER):
            found.add(str(item))
            continue
        found.add(check_principal(item, field))
    return sorted(found)


def check_principal(name: object, field: str) -> str:
    """Return ``name`` if it is ``kind:name`` with the kind of a principal.

    Raises:
        InvalidNameError: It is not.

    """
    text = check_name(name, field)
    kind, colon, rest = text.partition(":")
    if not colon or kind not in PRINCIPAL_KINDS:
        kinds = ", ".join(f"{kind}:NAME" for kind in PRINCIPAL_KINDS)
        message = f"{field}: `{text}` is no principal; write {kinds}"
        raise InvalidNameError(message)
    check_name(rest, field)
    return text


def principal_of(kind: str, name: object, field: str) -> str:
    """Return ``kind:name`` for a bare or prefixed team or role name.

    Raises:
        InvalidNameError: Not a name, or the prefix of another kind.

    """
    text = check_name(name, field)
    prefix, colon, rest = text.partition(":")
    if colon and (prefix in PRINCIPAL_KINDS or prefix in LABEL):
        if prefix != kind:
            message = f"{field}: `{text}` is not a {kind}"
            raise InvalidNameError(message)
        check_name(rest, field)
        return text
    return check_name(f"{kind}:{text}", field)
