"""Rows of `record_version` and `edge_version`: what records and relations were until they were changed or deleted.

Triggers write them (migration 12), so that no write can forget it. Times are the database's own, in microseconds since
1970; SQLite's clock has milliseconds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from indelible.model import Edge, Record
from indelible.store.database import Row, Transaction, listed
from indelible.store.tables import edges, records, settings

BEGINS = "history begins"  # the setting of a store that is older than its history: when that was
PAGE = 2_000  # rows that are read together


@dataclass(frozen=True, slots=True)
class Earlier:
    """A row of `record_version` as a purge needs it; `text` is None where the change left it as it was."""

    id: int
    record: int
    namespace: str
    kind: str
    key: str
    text: str | None
    content_hash: str
    time: int
    updated: int
    deleted: bool
    uid: str


def begins(tx: Transaction) -> int:
    """Return when the history of a store begins that is older than its history, 0 for one that is not."""
    return int(settings.find(tx, BEGINS) or 0)


def records_at(tx: Transaction, ids: Iterable[int], time: int) -> dict[int, Record]:
    """Return the records with those row ids that were there at a time, as they were then, by id."""
    given = listed(ids)
    states: dict[int, Row] = {row[0]: row for row in tx.rows("versions.current", ids=given)}
    for row in tx.rows("versions.of_records", ids=given, time=time):
        states[row[0]] = _filled(row, states.get(row[0]))
    return {id_: records.from_row(row) for id_, row in sorted(states.items()) if row[19] <= time}


def _filled(row: Row, following: Row | None) -> Row:
    """Return an earlier state with the columns that the change to the following one left as they were."""
    if following is None or None not in row:
        return row
    return tuple(value if value is not None else following[place] for place, value in enumerate(row))


def edges_at(tx: Transaction, ids: Iterable[int], time: int) -> list[Edge]:
    """Return the relations with an end among the records that were there at a time, oldest first.

    Those of source code are not among them: nothing is kept of what they were. All ends count, whoever may see them.
    """
    given = listed(ids)
    if given == "[]":
        return []
    states: dict[int, Row] = {row[0]: row for row in tx.rows("versions.edges_current", ids=given)}
    states.update({row[0]: row for row in tx.rows("versions.edges_of", ids=given, time=time)})  # the oldest one stays
    return [edges.from_row(row) for _, row in sorted(states.items()) if row[10] <= time]


def ids_after(tx: Transaction, after: int, limit: int, time: int) -> list[int]:
    """Return the next row ids of records that are there, or were changed since a time, ascending; none of code."""
    return [int(id_) for (id_,) in tx.rows("versions.ids_after", after=after, limit=limit, time=time)]


def changed_since(tx: Transaction, kinds: Sequence[str], time: int) -> list[int]:
    """Return the row ids of records of those kinds that were changed or deleted since a time, ascending."""
    return [int(id_) for (id_,) in tx.rows("versions.changed", kinds=records.dump(list(kinds)), time=time)]


def known_since(tx: Transaction, kinds: Sequence[str], time: int) -> list[int]:
    """Return the row ids of records of those kinds that the store did not know at a time, ascending."""
    return [int(id_) for (id_,) in tx.rows("versions.later", kinds=records.dump(list(kinds)), time=time)]


def keyed(tx: Transaction, key: str) -> list[int]:
    """Return the row ids of the records that have or had a key, ascending."""
    return [int(id_) for (id_,) in tx.rows("versions.keyed", key=key)]


def of_key(tx: Transaction, key: str) -> list[Record]:
    """Return the earlier states of records with a key, newest first."""
    states: dict[int, Row] = {}
    found = []
    for row in tx.rows("versions.of_key", key=key):
        states[row[0]] = _filled(row, states.get(row[0]))
        if None not in states[row[0]]:
            found.append(records.from_row(states[row[0]]))
    return found


# --- What a purge takes away ---


def every(tx: Transaction) -> Iterator[Earlier]:
    """Every earlier state of a record, the oldest first."""
    after = 0
    while rows := tx.rows("versions.after", after=after, limit=PAGE):
        for id_, record, namespace, kind, key, text, content_hash, time, updated, deleted, uid in rows:
            yield Earlier(id_, record, namespace, kind, key, text, content_hash, time, updated, bool(deleted), uid)
        after = rows[-1][0]


def drop_of(tx: Transaction, ids: Iterable[int]) -> int:
    """Forget what these records were, and their relations; how many states of records."""
    given = listed(ids)
    tx.run("versions.drop_edges", ids=given)
    return tx.run("versions.drop", ids=given)


def drop(tx: Transaction, rows: Iterable[int]) -> int:
    """Forget earlier states by their own ids; how many."""
    return tx.run("versions.drop_rows", ids=listed(rows))


def drop_chunks(tx: Transaction, sessions: Iterable[str]) -> int:
    """Forget what the chunks of some documents were, by the sessions of these; how many states."""
    return tx.run("versions.drop_chunks", sessions=records.dump(sorted(sessions)))


def drop_edges_before(tx: Transaction, time: int) -> int:
    """Forget what relations were before a time; how many states."""
    return tx.run("versions.drop_edges_before", before=time)
