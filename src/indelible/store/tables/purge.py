"""Rows that a purge reads and deletes for good: trash, events, answers, activity, aliases, sealed blocks."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from indelible.store.database import Row, Transaction, listed
from indelible.store.tables import records, settings

PAGE = 2_000  # rows that are read together
MARK = "purged"  # the setting that says when a purge ran last


@dataclass(frozen=True, slots=True)
class Kept:
    """A row of the trash: the fields of `trash.Discarded` that a purge needs."""

    id: int
    record: int
    action: str
    time: int
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


def trash(tx: Transaction, tenant: int) -> Iterator[Kept]:
    """Every row of the trash, the oldest first."""
    for row in _pages(tx, "purge.trash_after", tenant, 0):
        id_, record, action, time, body = row
        yield Kept(id_, record, action, time, json.loads(body))


def events(tx: Transaction, tenant: int) -> Iterator[LoggedEvent]:
    """Every event that is kept one by one, the oldest first."""
    for id_, time, conversation, named in _pages(tx, "purge.events_after", tenant, 0):
        yield LoggedEvent(id_, time, conversation, json.loads(named))


def answers(tx: Transaction, tenant: int) -> Iterator[Answer]:
    """Every answer that is kept for a retry, by its request key."""
    for key, time, result in _pages(tx, "purge.answers_after", tenant, ""):
        yield Answer(key, time, json.loads(result))


def _pages(tx: Transaction, query: str, tenant: int, start: int | str) -> Iterator[Row]:
    """Yield all rows of a query page by page, each page after the first column of the last row before."""
    after: Any = start
    while rows := tx.rows(query, tenant=tenant, after=after, limit=PAGE):
        yield from rows
        after = rows[-1][0]


def older(tx: Transaction, tenant: int, before: int) -> list[int]:
    """Return the row ids of records unchanged since a time; no chunks, and nothing of source code."""
    return [int(id_) for (id_,) in tx.rows("purge.older", tenant=tenant, before=before)]


def drop_trash(tx: Transaction, tenant: int, ids: Iterable[int]) -> int:
    """Forget rows of the trash; how many."""
    return tx.run("purge.drop_trash", tenant=tenant, ids=listed(ids))


def fold_events(tx: Transaction, tenant: int, ids: Iterable[int]) -> int:
    """Turn events into daily counts, which name nothing; how many."""
    given = listed(ids)
    tx.run("purge.fold_events", tenant=tenant, ids=given)
    return tx.run("purge.drop_events", tenant=tenant, ids=given)


def drop_days(tx: Transaction, tenant: int, day: str) -> int:
    """Forget the daily counts before a day, YYYY-MM-DD."""
    return tx.run("purge.drop_days", tenant=tenant, day=day)


def drop_answers(tx: Transaction, tenant: int, keys: Iterable[str]) -> int:
    """Forget the answers under these request keys; how many."""
    return tx.run("purge.drop_answers", tenant=tenant, keys=records.dump(sorted(keys)))


def sessions_left(tx: Transaction, tenant: int, sessions: Iterable[str]) -> set[str]:
    """Those of the sessions that records still have."""
    rows = tx.rows("purge.sessions_left", tenant=tenant, sessions=records.dump(sorted(sessions)))
    return {str(session) for (session,) in rows}


def count_activity(tx: Transaction, tenant: int, before: int, sessions: Collection[str]) -> int:
    """How many events of agents are before a time or of these sessions."""
    given = records.dump(sorted(sessions))
    return int(tx.rows("purge.count_activity", tenant=tenant, before=before, sessions=given)[0][0])


def drop_activity(tx: Transaction, tenant: int, before: int, sessions: Collection[str]) -> int:
    """Delete the activity of agents before a time and in these sessions, and its marks; how many rows."""
    return tx.run("purge.drop_activity", tenant=tenant, before=before, sessions=records.dump(sorted(sessions)))


def drop_aliases(tx: Transaction, tenant: int, names: Iterable[str]) -> int:
    """Delete the aliases with one of these names."""
    return tx.run("purge.drop_aliases", tenant=tenant, names=records.dump(sorted(names)))


def drop_blocks(tx: Transaction, tenant: int, blocks: Iterable[int]) -> int:
    """Delete sealed blocks of all partitions; maintenance seals them again."""
    return tx.run("purge.drop_blocks", tenant=tenant, blocks=listed(blocks))


def mark(tx: Transaction, tenant: int, time: int) -> int:
    """Note that a purge ran: delayed writes from before then must not say what it was about.

    The mark is later than any before it, even where a clock was set back: a copy of the store shows by its mark which
    purges it has seen.
    """
    marked_now = max(time, marked(tx, tenant) + 1)
    settings.put(tx, tenant, MARK, str(marked_now))
    return marked_now


def marked(tx: Transaction, tenant: int) -> int:
    """When a purge ran last, in microseconds since 1970; 0 for never."""
    return int(settings.find(tx, tenant, MARK) or 0)
