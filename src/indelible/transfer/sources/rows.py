"""Rows of other tools' databases as the fields of items: JSON, times, numbers and texts that may be anything."""

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from indelible.clock import moment_of
from indelible.errors import InvalidInput
from indelible.store.sqlite.foreign_file import ForeignFile

_LATEST = 4_102_444_800  # 2100, in seconds since 1970: larger ones are milliseconds or finer


def of(path: Path, tool: str, tables: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give (table, row) of these tables of a database, each in the order of storing.

    Raises InvalidInput where it has none of them, StoreError where it cannot be read.
    """
    with closing(ForeignFile(path, tool)) as file:
        if not any(map(file.has, tables)):
            raise InvalidInput(f"it is no database of {tool}: it has none of the tables {', '.join(tables)}")
        for table in tables:
            for row in file.rows(table):
                yield table, row


def text(row: dict[str, Any], name: str) -> str:
    """Return a column's text, "" where it has none."""
    value = row.get(name)
    return value.strip() if isinstance(value, str) else ""


def value(row: dict[str, Any], name: str, otherwise: Any) -> Any:
    """Return the value of a column that holds JSON; `otherwise` where that is of another type or no JSON."""
    found = row.get(name)
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except (ValueError, RecursionError):
            return otherwise
    return found if isinstance(found, type(otherwise)) else otherwise


def numbered(table: str, row: dict[str, Any], created: Any) -> str:
    """Return what a row is known by for good, whose id is a number of its own database only.

    With the time of its creation: another machine's database has another row of that number.
    """
    return f"{table}/{row.get('id')}" if created is None else f"{table}/{row.get('id')}/{created}"


def tags(row: dict[str, Any], name: str) -> list[str]:
    """Return the tags of a column: a list, JSON of one, or a text with commas."""
    found = row.get(name)
    listed = value(row, name, [])
    if not listed and isinstance(found, str) and not found.lstrip().startswith("["):
        listed = found.split(",")
    return list(dict.fromkeys(tag.strip() for tag in listed if isinstance(tag, str) and tag.strip()))


def fraction(row: dict[str, Any], name: str, otherwise: float) -> float:
    """Return a column's number as one from 0 to 1."""
    found = row.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        return otherwise
    return min(1.0, max(0.0, float(found)))


def times(created: Any, updated: Any = None) -> dict[str, str]:
    """Return the times of an item: of seconds, milliseconds or microseconds since 1970, or ISO 8601; none of others."""
    first = _time(created)
    last = _time(updated) or first
    return {**({"created_at": first} if first else {}), **({"updated_at": last} if last else {})}


def _time(given: Any) -> str | None:
    if isinstance(given, bool) or given is None:
        return None
    if isinstance(given, int | float):
        if not math.isfinite(given) or given <= 0:
            return None
        seconds = float(given)
        while seconds > _LATEST:
            seconds /= 1_000
        return moment_of(round(seconds * 1_000_000)).isoformat()
    if not isinstance(given, str) or not given.strip():
        return None
    try:
        return datetime.fromisoformat(given.strip()).isoformat()
    except ValueError:
        return None
