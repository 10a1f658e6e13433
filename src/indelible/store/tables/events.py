"""Rows of `event`: each call's tool, time, records and outcome. Never content."""

import json
from collections.abc import Iterable, Sequence

from indelible.dataclass import dataclass
from indelible.store.database import Transaction, one

MOST = 1_000_000  # events that are kept one by one: about 200 MB


@dataclass(frozen=True, slots=True)
class Event:
    """One call: `time` in microseconds since 1970 UTC, `duration` in microseconds, `size` of its arguments in bytes.

    `who` is the token that it came with, "" where it came with none.
    """

    time: int
    session: str
    conversation: str
    tool: str
    records: tuple[str, ...]
    outcome: str
    duration: int
    size: int
    who: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation in which a tool was called: how often, when last (microseconds), and the event of that call."""

    id: str
    calls: int
    last: int
    event: int


def add(tx: Transaction, events: Sequence[Event]) -> None:
    """Keep events in the order given."""
    tx.run_many(
        "events.add",
        [
            {
                "time": e.time,
                "session": e.session,
                "conversation": e.conversation,
                "tool": e.tool,
                "records": json.dumps(e.records),
                "outcome": e.outcome,
                "duration": e.duration,
                "size": e.size,
                "who": e.who,
            }
            for e in events
        ],
    )


def conversations(tx: Transaction, tool: str) -> list[Conversation]:
    """Every conversation in which a tool was called, of the events that are kept one by one; the latest first."""
    return [Conversation(*row) for row in tx.rows("events.of_tool", tool=tool)]


def records_of(tx: Transaction, ids: Iterable[int]) -> dict[int, list[str]]:
    """The records that each of these events names."""
    rows = tx.rows("events.records_of", ids=json.dumps([int(i) for i in ids]))
    return {int(event): json.loads(named) for event, named in rows}


def hours(tx: Transaction, tools: Iterable[str]) -> dict[int, int]:
    """How often these tools were called in each hour since 1970 UTC in which they were, ascending."""
    rows = tx.rows("events.hours", tools=json.dumps(sorted(tools)))
    return {int(hour): int(count) for hour, count in rows}


def fold(tx: Transaction, before: int, most: int = MOST, limit: int = 2000) -> int:
    """Turn old events into daily counts: of the oldest `limit` those before a time, and all but the newest `most`.

    Returns the number folded.
    """
    end = one(tx.rows("events.oldest", offset=limit - 1))
    newest = int(tx.rows("events.last")[0][0])
    last = newest if end is None else int(end[0])
    tx.run("events.fold", before=before, last=last, up_to=newest - most)
    return tx.run("events.trim", before=before, last=last, up_to=newest - most)


def days(tx: Transaction) -> list[tuple[str, str, str, int]]:
    """(day, tool, outcome, count) of folded events, oldest first."""
    return [(day, tool, outcome, count) for day, tool, outcome, count in tx.rows("events.days")]
