"""The clock, and times as callers write and read them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from indelible.errors import InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = 86_400_000_000  # microseconds
_UNITS = (
    *(("year", 365 * _DAY), ("month", 30 * _DAY), ("week", 7 * _DAY), ("day", _DAY)),
    *(("hour", _DAY // 24), ("minute", _DAY // 1440)),
)
_LETTERS = {"h": _DAY // 24, "d": _DAY, "w": 7 * _DAY, "y": 365 * _DAY}
ENDED, AHEAD = "ended", "ahead"


def utc_now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment_of(time: int) -> datetime:
    """The inverse of `micros`. (`fromtimestamp` knows no time before 1970 on Windows.)"""
    return EPOCH + timedelta(microseconds=time)


def time_text(moment: int, *, fraction: bool = False) -> str:
    """Microseconds since 1970 as `2025-08-08T10:30:00Z`, with the fraction where there is one and it is asked for."""
    when = moment_of(moment).replace(tzinfo=None)
    return f"{(when if fraction else when.replace(microsecond=0)).isoformat()}Z"


def sortable_text(moment: int) -> str:
    """Microseconds since 1970 as `2025-08-08T10:30:00.000000Z`: such texts have the order of their times."""
    return f"{moment_of(moment).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def validity(start: str, end: str, now: str) -> str:
    """Return whether what is true from `start` until `end` has ended or lies ahead, "" if it is true.

    Times are as `sortable_text` writes them, "" for none.
    """
    if end and end <= now:
        return ENDED
    return AHEAD if now < start else ""


def validity_text(start: str, end: str, state: str) -> str:
    """Return what a reader is told of that `validity`, by days: `true until 2025-08-08 only`; "" where it is true."""
    said = {ENDED: f"true until {end[:10]} only", AHEAD: f"true from {start[:10]} on only"}
    return said.get(state, "")


def age_text(elapsed: int) -> str:
    """Return a time that has passed, in microseconds, in its longest whole unit: `3 weeks ago`, `just now`."""
    for unit, length in _UNITS:
        if elapsed >= length:
            count = elapsed // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def age_value(text: str) -> int | None:
    """Return an age such as `12h`, `90d`, `12w` or `1y` in microseconds, None for what is none."""
    found = re.fullmatch(r"([1-9][0-9]{0,4})([hdwy])", text)
    return None if found is None else int(found[1]) * _LETTERS[found[2]]


def time_value(text: Any, name: str) -> int:
    """Microseconds since 1970 of an ISO 8601 time, one without a zone being UTC. Raises InvalidInput by that `name`."""
    try:
        moment = datetime.fromisoformat(text)
        return micros((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC))
    except (TypeError, ValueError, OverflowError):  # in UTC it must lie in the years 1 to 9999
        raise InvalidInput(f"{name} must be an ISO 8601 time such as 2025-08-08T10:30:00Z, got {text!r:.80}") from None
