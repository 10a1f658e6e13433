"""Rows of `sync_state`: what `indelible sync` knows of each record and relation, by its uid; and what it overwrites."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from indelible.dataclass import dataclass
from indelible.model import Edge, Record
from indelible.store.database import Row, Transaction, listed
from indelible.store.tables import edges, records

RECORD, EDGE = "record", "edge"  # the parts of a store that are synced
HERE, DELETED, SAME, PURGED = "here", "deleted", "same", "purged"
PAGE = 500  # rows that are read together


@dataclass(frozen=True, slots=True)
class SyncState:
    """The state of a record or relation, as it was noted last.

    `local_id` is its row where it is here, `same` the uid of which it is only another name. `stamp` says when it came
    to be as it is, `seen` by machine the last stamp of it that is known there (without the machine), `digest` what it
    held. Of what is purged there is nothing but the uid.
    """

    uid: str
    part: str
    state: str
    local_id: int = 0
    same: str = ""
    digest: str = ""
    stamp: str = ""
    seen: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EndedEdge:
    """A relation with the uids of its two ends."""

    edge: Edge
    source: str
    target: str


def of(tx: Transaction, uids: Iterable[str]) -> dict[str, SyncState]:
    """Return the states of those uids that have one."""
    return {row[0]: _state(row) for row in tx.rows("sync.of", uids=records.dump(list(uids)))}


def between(tx: Transaction, start: str, end: str) -> Iterator[SyncState]:
    """Yield the states of the uids that begin with `start` or more, and with less than `end`, by uid."""
    after = start  # shorter than every uid, so it is before those that begin with it
    while rows := tx.rows("sync.between", after=after, end=end, limit=PAGE):
        yield from map(_state, rows)
        after = rows[-1][0]


def gone(tx: Transaction) -> Iterator[SyncState]:
    """Yield the states of what was here and is here no more, by uid."""
    after = ""
    while rows := tx.rows("sync.gone", after=after, limit=PAGE):
        yield from map(_state, rows)
        after = rows[-1][0]


def put(tx: Transaction, states: Iterable[SyncState]) -> None:
    """Note states, in the place of earlier ones."""
    tx.run_many(
        "sync.put",
        [
            {
                "uid": each.uid,
                "part": each.part,
                "state": each.state,
                "local_id": each.local_id,
                "same": each.same,
                "digest": each.digest,
                "stamp": each.stamp,
                "seen": records.dump(dict(each.seen)),
            }
            for each in states
        ],
    )


def purge(tx: Transaction, uids: Iterable[str]) -> None:
    """Note that records are purged for good, under all the names that they have: nothing of them is kept but that."""
    names = set(uids)
    waiting = sorted(names)
    while waiting:
        more = {str(uid) for (uid,) in tx.rows("sync.same_as", uid=waiting.pop())} - names
        names |= more
        waiting += sorted(more)
    put(tx, [SyncState(uid, RECORD, PURGED) for uid in sorted(names)])


def edges_after(tx: Transaction, edge: int) -> list[EndedEdge]:
    """Return the next relations between records that are synced, by row id; none that only repeats source code."""
    return [_ended(row) for row in tx.rows("sync.edges_after", after=edge, limit=PAGE)]


def edges_of(tx: Transaction, ids: Iterable[int]) -> dict[int, EndedEdge]:
    """Return the relations of those row ids, by row id."""
    return {row[0]: _ended(row) for row in tx.rows("sync.edges_of", ids=listed(ids))}


def rename(tx: Transaction, part: str, row: int, uid: str) -> None:
    """Give a record or a relation another uid."""
    tx.run("sync.rename_record" if part == RECORD else "sync.rename_edge", id=row, uid=uid)


def has_uid(tx: Transaction, state: SyncState) -> bool:
    """Return whether the row of a state still has its uid."""
    if state.part == EDGE:
        ended = edges_of(tx, [state.local_id]).get(state.local_id)
        return ended is not None and ended.edge.uid == state.uid
    record = records.by_ids(tx, [state.local_id]).get(state.local_id)
    return record is not None and record.uid == state.uid


def overwrite_record(tx: Transaction, record: Record) -> None:
    """Give a row all that a record has, its uid too."""
    tx.run("sync.overwrite_record", **records.parameters(record))


def overwrite_edge(tx: Transaction, edge: Edge) -> None:
    """Give a row all that a relation has, its ends and uid too; marks the record that it replaces."""
    tx.run("sync.overwrite_edge", id=edge.id, **edges.parameters(edge))
    edges.mark_replaced(tx, [edge])


def _state(row: Row) -> SyncState:
    uid, part, state, local_id, same, digest, stamp, seen = row
    return SyncState(uid, part, state, local_id, same, digest, stamp, json.loads(seen))


def _ended(row: Row) -> EndedEdge:
    return EndedEdge(edges.from_row(row[:10]), row[10], row[11])
