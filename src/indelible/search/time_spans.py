"""Spans of time and the calendar's units, which time expressions are resolved to."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from math import exp

from indelible.dataclass import dataclass

BEGINNING = datetime.min.replace(tzinfo=UTC)
END = datetime.max.replace(tzinfo=UTC)

# Of a second, minute, hour, day and week; the other units are month, quarter and year.
_FIXED = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_MONTHS_IN = {"mo": 1, "q": 3, "y": 12}
_HOURS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Moments from `start` up to, but without, `end`; both aware, in UTC.

    An open end is `datetime.min` or `datetime.max` in UTC.
    """

    start: datetime
    end: datetime


def alignment(span: TimeSpan, moment: datetime) -> float:
    """Return how well an aware moment fits a span: 1.0 inside, exp(-distance / scale) outside.

    The scale is the span's length, at least one day, or 30 days where an end is open.
    """
    if moment < span.start:
        distance = span.start - moment
    elif moment >= span.end:
        distance = moment - span.end
    else:
        return 1.0
    scale = timedelta(days=30) if is_open(span) else max(span.end - span.start, timedelta(days=1))
    return exp(-(distance / scale))


def is_open(span: TimeSpan) -> bool:
    """Tell whether a span has no start or no end."""
    return span.start == BEGINNING or span.end == END


def _midnight(day: date, zone: tzinfo | None) -> datetime:
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def days(first: date, count: int, zone: tzinfo | None) -> TimeSpan:
    """Return `count` calendar days of a zone."""
    return TimeSpan(_midnight(first, zone), _midnight(first + timedelta(days=count), zone))


def months(index: int, count: int, zone: tzinfo | None) -> TimeSpan:
    """Return `count` months from month `index`, counted from January of the year 0."""
    first, last = (date(number // 12, number % 12 + 1, 1) for number in (index, index + count))
    return TimeSpan(_midnight(first, zone), _midnight(last, zone))


def part_of_day(day: date, part: str | None, zone: tzinfo | None) -> TimeSpan:
    """Return the morning, afternoon, evening or night (into the next day) of a day; the whole day for None."""
    if part is None:
        return days(day, 1, zone)
    midnight = datetime.combine(day, time.min, zone)
    first, last = (midnight + timedelta(hours=hours) for hours in _HOURS[part.lower()])
    return TimeSpan(first.astimezone(UTC), last.astimezone(UTC))


def calendar_unit(unit: str, back: int, now: datetime) -> TimeSpan:
    """Return the calendar unit (a key of _FIXED or _MONTHS_IN) that lies `back` units before the one of `now`."""
    if unit in _MONTHS_IN:
        size = _MONTHS_IN[unit]
        return months(((now.year * 12 + now.month - 1) // size - back) * size, size, now.tzinfo)
    if unit == "w":
        return days(now.date() - timedelta(days=now.weekday() + 7 * back), 7, now.tzinfo)
    if unit == "d":
        return days(now.date() - timedelta(days=back), 1, now.tzinfo)
    moment = now.astimezone(UTC) - back * _FIXED[unit]
    start = moment - (moment - BEGINNING) % _FIXED[unit]
    return TimeSpan(start, start + _FIXED[unit])


def stretch(unit: str, count: int, now: datetime) -> TimeSpan:
    """Return the `count` units that end now; a month back from the 31st is the last day of a shorter month."""
    if unit in _FIXED:
        return TimeSpan(now.astimezone(UTC) - count * _FIXED[unit], now.astimezone(UTC))
    index = now.year * 12 + now.month - 1 - count * _MONTHS_IN[unit]
    first, following = (date(number // 12, number % 12 + 1, 1) for number in (index, index + 1))
    day = min(now.day, (following - first).days)
    return TimeSpan(now.replace(year=first.year, month=first.month, day=day).astimezone(UTC), now.astimezone(UTC))


def latest_day(month: int, day: int, latest: datetime) -> date:
    """Return the last such day that is not after `latest`; ValueError for one that no year has."""
    for year in range(latest.year, latest.year - 9, -1):  # around 1900 and 2100 leap years are eight years apart
        found = date(year, month, 1) + timedelta(days=day - 1)
        if found.month == month and found <= latest.date():
            return found
    raise ValueError(f"month {month} has no day {day}")
