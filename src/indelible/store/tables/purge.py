"""Rows that a purge reads and deletes for good: trash, events, answers, activity, aliases, sealed blocks."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from indelible.dataclass import dataclass
from indelible.model import Edge, Record
from indelible.store.database import Row, Transaction, listed
from indelible.store.tables import records, settings
from indelible.store.tables import trash as trash_rows

PAGE = 2_000  # rows that are read together
MARK = "purged"  # the setting that says when a purge ran last


@dataclass(frozen=True, slots=True)
class Kept:
    """A row of the trash: the fields of `trash.Discarded` that a purge needs, and the number of the state's version.

    The state is None where it is lost, and the version None where the body has the state.
    """

    id: int
    record: int
    action: str
    time: int
    version: int | None
    state: Record | None
    edges: list[Edge]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event: the records that it names, and its conversation."""

    id: int
    time: int
    conversation: str
    records: list[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a write, kept under its request key."""

    key: str
    time: int
    result: Any


def trash(tx: Transaction) -> Iterator[Kept]:
    """Every row of the trash, the oldest first."""
    after = 0
    while rows := tx.rows("purge.trash_after", after=after, limit=PAGE):
        found = trash_rows.states(tx, [(record, version, body) for _, record, _, _, body, version in rows])
        for (id_, record, action, time, _, version), read in zip(rows, found, strict=True):
            yield Kept(id_, record, action, time, version, *(read or (None, [], {})))
        after = rows[-1][0]


def events(tx: Transaction) -> Iterator[LoggedEvent]:
    """Every event that is kept one by one, the oldest first."""
    for id_, time, conversation, named in _pages(tx, "purge.events_after", 0):
        yield LoggedEvent(id_, time, conversation, json.loads(named))


def answers(tx: Transaction) -> Iterator[Answer]:
    """Every answer that is kept for a retry, by its request key."""
    for key, time, result in _pages(tx, "purge.answers_after", ""):
        yield Answer(key, time, json.loads(result))


def _pages(tx: Transaction, query: str, start: int | str) -> Iterator[Row]:
    """Yield all rows of a query page by page, each page after the first column of the last row before."""
    after: Any = start
    while rows := tx.rows(query, after=after, limit=PAGE):
        yield from rows
        after = rows[-1][0]


def older(tx: Transaction, before: int) -> list[int]:
    """Return the row ids of records unchanged since a time; no chunks, and nothing of source code."""
    return [int(id_) for (id_,) in tx.rows("purge.older", before=before)]


def drop_trash(tx: Transaction, ids: Iterable[int]) -> int:
    """Forget rows of the trash; how many."""
    return tx.run("purge.drop_trash", ids=listed(ids))


def fold_events(tx: Transaction, ids: Iterable[int]) -> int:
    """Turn events into daily counts, which name nothing; how many."""
    given = listed(ids)
    tx.run("purge.fold_events", ids=given)
    return tx.run("purge.drop_events", ids=given)


def drop_days(tx: Transaction, day: str) -> int:
    """Forget the daily counts before a day, YYYY-MM-DD."""
    return tx.run("purge.drop_days", day=day)


def drop_answers(tx: Transaction, keys: Iterable[str]) -> int:
    """Forget the answers under these request keys; how many."""
    return tx.run("purge.drop_answers", keys=records.dump(sorted(keys)))


def sessions_left(tx: Transaction, sessions: Iterable[str]) -> set[str]:
    """Those of the sessions that records still have."""
    rows = tx.rows("purge.sessions_left", sessions=records.dump(sorted(sessions)))
    return {str(session) for (session,) in rows}


def count_activity(tx: Transaction, before: int, sessions: Collection[str]) -> int:
    """How many events of agents are before a time or of these sessions."""
    given = records.dump(sorted(sessions))
    return int(tx.rows("purge.count_activity", before=before, sessions=given)[0][0])


def drop_activity(tx: Transaction, before: int, sessions: Collection[str]) -> int:
    """Delete the activity of agents before a time and in these sessions, and its marks; how many rows."""
    return tx.run("purge.drop_activity", before=before, sessions=records.dump(sorted(sessions)))


def drop_aliases(tx: Transaction, names: Iterable[str]) -> int:
    """Delete the aliases with one of these names."""
    tx.scopes.clear()
    return tx.run("purge.drop_aliases", names=records.dump(sorted(names)))


def drop_blocks(tx: Transaction, blocks: Iterable[int]) -> int:
    """Delete sealed blocks of all partitions; maintenance seals them again."""
    return tx.run("purge.drop_blocks", blocks=listed(blocks))


def mark(tx: Transaction, time: int) -> int:
    """Note that a purge ran: delayed writes from before then must not say what it was about.

    The mark is later than any before it, even where a clock was set back: a copy of the store shows by its mark which
    purges it has seen.
    """
    marked_now = max(time, marked(tx) + 1)
    settings.put(tx, MARK, str(marked_now))
    return marked_now


def marked(tx: Transaction) -> int:
    """When a purge ran last, in microseconds since 1970; 0 for never."""
    return int(settings.find(tx, MARK) or 0)
