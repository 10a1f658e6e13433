"""Rows of `trash`: records and relations as they were before a delete or overwrite, for undo within 30 days."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from indelible.model import Access, Edge, Record
from indelible.store.database import Row, Transaction, one
from indelible.store.tables import records

Action = Literal["delete", "update", "edge"]


@dataclass(frozen=True, slots=True)
class Discarded:
    """One record or relation as it was before a call deleted or overwrote it; `who` called, "" without a token.

    A body may have `added` instead, or too: what did not exist before (see `core/records/undo.py`). How it is restored:
    one of a `bulk` operation apart from its others, so that an undo of the undo repeats it; an `additive` one together
    with what was added to it since. A `revision` counts as a new version of a text even if that is the same. One that
    `reverses` was written by an undo: it is neither a change of its own nor a later one.
    """

    operation: str
    tool: str
    action: Action
    record: int
    key: str
    body: dict[str, Any]
    time: int
    undone: bool = False
    who: str = ""
    bulk: bool = False
    additive: bool = False
    revision: bool = False
    reverses: bool = False
    id: int = field(default=0, compare=False)


def body_of(record: Record, edges: list[Edge], access: Access | None) -> dict[str, Any]:
    """Return a record with its relations and access data as JSON."""
    return {
        "record": {**_fields_of(record), "tags": list(record.tags)},
        "edges": [_fields_of(edge) for edge in edges],
        "access": None if access is None else _fields_of(access),
    }


def _fields_of(noun: Record | Edge | Access) -> dict[str, Any]:
    """Do `asdict` without a deep copy, which was two thirds of the time of a large deletion."""
    return {each.name: getattr(noun, each.name) for each in fields(noun)}


def record_of(body: dict[str, Any]) -> Record:
    """The record of a body."""
    fields = {name: value for name, value in body["record"].items() if name != "tenant"}  # of earlier versions
    return Record(**{**fields, "tags": tuple(fields["tags"])})


def edges_of(body: dict[str, Any]) -> list[Edge]:
    """The relations of a body."""
    return [Edge(**fields) for fields in body["edges"]]


def access_of(body: dict[str, Any]) -> Access | None:
    """The access data of a body."""
    return Access(**body["access"]) if body["access"] else None


def add(tx: Transaction, thing: Discarded) -> None:
    """Store what a call is about to delete or overwrite, in the call's own transaction."""
    tx.run("trash.add", **_parameters(thing))


def add_many(tx: Transaction, things: Iterable[Discarded]) -> None:
    """Do `add` for many things at once; they are restored in the reverse order."""
    tx.run_many("trash.add", [_parameters(thing) for thing in things])


def _parameters(thing: Discarded) -> dict[str, Any]:
    return {
        "operation": thing.operation,
        "tool": thing.tool,
        "action": thing.action,
        "record": thing.record,
        "key": thing.key,
        "body": records.dump(thing.body),
        "time": thing.time,
        "who": thing.who,
        "bulk": int(thing.bulk),
        "additive": int(thing.additive),
        "revision": int(thing.revision),
        "reverses": int(thing.reverses),
    }


def _from_row(row: Row) -> Discarded:
    id_, operation, tool, action, record, key, body, time, undone, who, *marks = row
    thing = Discarded(
        operation, tool, action, record, key, json.loads(body), time, bool(undone), who, *map(bool, marks)
    )
    return replace(thing, id=id_)


def last_operation(tx: Transaction) -> str | None:
    """The newest operation that is not undone and is no undo itself."""
    row = one(tx.rows("trash.last_operation"))
    return None if row is None else str(row[0])


def of_operation(tx: Transaction, operation: str) -> list[Discarded]:
    """Return what an operation deleted or overwrote, last first (the order to restore it in)."""
    return [_from_row(row) for row in tx.rows("trash.of_operation", operation=operation)]


def operations(tx: Transaction, limit: int) -> list[str]:
    """The newest operations, newest first."""
    return [str(operation) for (operation,) in tx.rows("trash.operations", limit=limit)]


def actions(tx: Transaction, operation: str) -> dict[str, int]:
    """Return how many things an operation deleted, changed or added, by action."""
    return {str(action): int(count) for action, count in tx.rows("trash.actions", operation=operation)}


def first_of_operation(tx: Transaction, operation: str, limit: int) -> list[Discarded]:
    """Return what an operation deleted or overwrote first, first first."""
    return [_from_row(row) for row in tx.rows("trash.first_of_operation", operation=operation, limit=limit)]


def of_key(tx: Transaction, key: str) -> list[Discarded]:
    """Earlier states of the records with that id, newest first."""
    return [_from_row(row) for row in tx.rows("trash.of_key", key=key)]


def keys_beginning(tx: Transaction, start: str) -> list[str]:
    """The first two ids, in order, that begin with some hexadecimal digits and hyphens."""
    return [str(key) for (key,) in tx.rows("trash.keys_beginning", start=start, end=f"{start}g")]


def later(tx: Transaction, operation: str) -> list[tuple[str, str]]:
    """(operation, tool) of those not undone that touched the same records afterwards."""
    return [(op, tool) for op, tool in tx.rows("trash.later", operation=operation)]


def deletion(tx: Transaction, record: int) -> Discarded | None:
    """Return the deleted state of a record, if the deletion can be undone."""
    row = one(tx.rows("trash.deletion", record=record))
    return None if row is None else _from_row(row)


def hand_over(tx: Transaction, edge: Edge, thing: Discarded) -> None:
    """Let another deletion restore a relation, because the end that it deleted is restored last."""
    body = {**thing.body, "edges": [*thing.body["edges"], _fields_of(edge)]}
    set_body(tx, thing.id, body)


def set_body(tx: Transaction, row: int, body: dict[str, Any]) -> None:
    """Replace the body of a row."""
    tx.run("trash.set_body", id=row, body=records.dump(body))


def mark_undone(tx: Transaction, operation: str, time: int) -> None:
    """Note that an operation was undone."""
    tx.run("trash.mark_undone", operation=operation, time=time)


def of_operation_last(tx: Transaction, operation: str) -> Discarded | None:
    """Return what an operation deleted or overwrote last."""
    row = one(tx.rows("trash.of_operation_last", operation=operation))
    return None if row is None else _from_row(row)


def last_of_operation(tx: Transaction, operation: str, limit: int, before: Discarded | None = None) -> list[Discarded]:
    """Return what an operation deleted or overwrote last, or last before one thing, and is not undone; last first."""
    below = before.id if before is not None else 1 << 62
    rows = tx.rows("trash.last_of_operation", operation=operation, limit=limit, below=below)
    return [_from_row(row) for row in rows]


def mark_part_undone(tx: Transaction, part: Sequence[Discarded], time: int) -> None:
    """Note that a part of an operation was undone: some things one after another, last first."""
    first, last = part[-1], part[0]
    tx.run("trash.mark_part_undone", operation=last.operation, first=first.id, last=last.id, time=time)


def trim(tx: Transaction, before: int, limit: int = 200) -> int:
    """Delete those of the oldest `limit` rows that are older than a time (a row may be large); how many."""
    return tx.run("trash.trim", before=before, limit=limit)


def count(tx: Transaction) -> int:
    """Rows that can be undone."""
    return int(tx.rows("trash.count")[0][0])


def recent(tx: Transaction, limit: int) -> list[Discarded]:
    """The newest rows, newest first."""
    return [_from_row(row) for row in tx.rows("trash.recent", limit=limit)]


def count_updates(tx: Transaction, ids: Iterable[int]) -> dict[int, int]:
    """Return how often each record was updated, as far back as the trash goes; never updated ones are left out.

    An update is a `revision`, or any change of the text; undone ones do not count.
    """
    rows = tx.rows("trash.count_updates", ids=json.dumps([int(i) for i in ids]))
    return {int(record): int(count) for record, count in rows}
