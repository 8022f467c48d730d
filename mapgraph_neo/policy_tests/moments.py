"""Times in a policy test: zoned ISO 8601, or relative to the start of the test (``+2h``)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

PATTERN = r"^(now|[+-][0-9]+(\.[0-9]+)?(ms|s|m|h|d))$"
TIME_FIELDS = frozenset({"occurred_at", "expires_at", "valid_from", "valid_to", "since", "until"})

_RELATIVE = re.compile(r"([+-])([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)")
_UNITS = {
    "ms": timedelta(milliseconds=1),
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}


def moment(text: str, start: datetime) -> datetime:
    """Return the time that ``text`` stands for in a test that began at ``start``.

    Raises:
        ValueError: It stands for none.

    """
    if text == "now":
        return start
    if found := _RELATIVE.fullmatch(text):
        sign = 1 if found[1] == "+" else -1
        try:
            return start + sign * float(found[2]) * _UNITS[found[3]]
        except OverflowError:
            message = f"`{text}` is outside the calendar"
            raise ValueError(message) from None
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        given = None
    if given is None or given.utcoffset() is None:
        message = f"`{text}` is no time: write +2h, -3d, now or 2026-01-31T12:00:00Z"
        raise ValueError(message)
    return given.astimezone(UTC)


def _checked(text: str) -> str:
    moment(text, datetime.now(UTC))
    return text


Moment = Annotated[
    str,
    AfterValidator(_checked),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "format": "date-time"},
                {"type": "string", "pattern": PATTERN},
            ]
        }
    ),
]
"""A time as it is written in the file."""


def with_times(values: Mapping[str, object], start: datetime) -> dict[str, object]:
    """Return ``values`` with the times among them as the moments that they stand for.

    Raises:
        ValueError: One of them stands for none.

    """
    return {
        key: moment(value, start) if key in TIME_FIELDS and isinstance(value, str) else value
        for key, value in values.items()
    }
