"""Reads times as people write them on a command line."""

from datetime import datetime

from mapgraph_cli.failures import CommandError


def when(text: str | None, option: str) -> datetime | None:
    """Return a time with its zone.

    Raises:
        CommandError: Not ISO 8601, or without a zone.

    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.utcoffset() is None:
        message = f"{option}: `{text}` is no time with a zone; write 2026-01-31T18:00:00Z"
        raise CommandError(message)
    return found
