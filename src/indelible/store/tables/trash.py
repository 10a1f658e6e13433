"""Rows of `trash`: records and relations as they were before a delete or overwrite, for undo within 30 days.

A row names the earlier states of its record and relations that the history keeps (`versions`). What the history does
not keep is in the row's body: access data, what was added, source code, and what the store never had so.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import field, fields, replace
from typing import Any, Literal

from indelible.dataclass import dataclass
from indelible.model import INDEXED_KINDS, Access, Edge, Record
from indelible.store.database import Row, Transaction, one
from indelible.store.tables import records, versions

Action = Literal["delete", "update", "edge"]
CHANGES, REVERSES, REPEATS = 0, 1, 2  # a change, the undo of one, and the undo of that: one again
AWAITED = 0  # the version of a row whose record did not change since: the next change sets it


@dataclass(frozen=True, slots=True)
class Discarded:
    """One record or relation as it was before a call deleted or overwrote it; `who` called, "" without a token.

    `state` is the record, of a relation its source, and `edges` are the relations. A `self_contained` row holds both
    itself: the history has none to name where they never were stored so, or are gone already. A body may have `added`,
    instead or too: what did not exist before (see `core/records/undo.py`).

    How it is restored: one of a `bulk` operation apart from its others, so that an undo of the undo repeats it; an
    `additive` one together with what was added to it since. A `revision` counts as a new version of a text even if that
    is the same. One that REVERSES was written by an undo: it is no change of its own, as one that
    REPEATS is, which was written by the undo of an undo.
    """

    operation: str
    tool: str
    action: Action
    record: int
    key: str
    state: Record
    edges: list[Edge]
    body: dict[str, Any]
    time: int
    undone: bool = False
    who: str = ""
    bulk: bool = False
    additive: bool = False
    revision: bool = False
    reverses: int = CHANGES
    self_contained: bool = False
    id: int = field(default=0, compare=False)

    @property
    def in_history(self) -> bool:
        """Whether the history has the state, so that the row only names it."""
        return not self.self_contained and self.state.kind not in INDEXED_KINDS


def _fields_of(noun: Record | Edge | Access) -> dict[str, Any]:
    """Do `asdict` without a deep copy, which was two thirds of the time of a large deletion."""
    return {each.name: getattr(noun, each.name) for each in fields(noun)}


def _record_of(written: dict[str, Any]) -> Record:
    fields = {name: value for name, value in written.items() if name != "tenant"}  # of earlier versions
    return Record(**{**fields, "tags": tuple(fields["tags"])})


def body_of(access: Access | None) -> dict[str, Any]:
    """Return access data as the body of a row."""
    return {"access": None if access is None else _fields_of(access)}


def access_of(body: dict[str, Any]) -> Access | None:
    """The access data of a body."""
    return Access(**body["access"]) if body.get("access") else None


def add(tx: Transaction, thing: Discarded) -> None:
    """Store what a call is about to delete or overwrite, in the call's own transaction."""
    add_many(tx, [thing])


def add_many(tx: Transaction, things: Sequence[Discarded]) -> None:
    """Do `add` for many things at once; they are restored in the reverse order."""
    after = versions.newest_edge(tx) if any(thing.edges and not thing.self_contained for thing in things) else None
    tx.run_many("trash.add", [_parameters(thing, after) for thing in things])


def _parameters(thing: Discarded, after: int | None) -> dict[str, Any]:
    state = None if thing.in_history else thing.state
    return {
        "operation": thing.operation,
        "tool": thing.tool,
        "action": thing.action,
        "record": thing.record,
        "key": thing.key,
        "body": _written(thing.body, state, thing.edges, None if thing.self_contained else after),
        "version": AWAITED if thing.in_history else None,
        "time": thing.time,
        "who": thing.who,
        "bulk": int(thing.bulk),
        "additive": int(thing.additive),
        "revision": int(thing.revision),
        "reverses": thing.reverses,
    }


def _written(body: dict[str, Any], state: Record | None, edges: Sequence[Edge], after: int | None) -> str:
    """Return a body as it is stored, with the state and the relations that the history does not have.

    Of the others it has the row ids, and the number of the newest version before theirs.
    """
    apart, named = [], []
    for edge in edges:
        if after is not None and versions.has_history(edge):
            named.append([edge.id, edge.source])
        else:
            apart.append(_fields_of(edge))
    body = {**body, "edges": apart}
    if named:
        body["versions"] = {"after": after, "edges": named}
    if state is not None:
        body["record"] = {**_fields_of(state), "tags": list(state.tags)}
    return records.dump(body)


def _read(tx: Transaction, rows: list[Row]) -> list[Discarded]:
    """Return the rows with the states that they name; without those whose state is lost, of a damaged file."""
    found = states(tx, [(row[4], row[7], row[6]) for row in rows])
    things = []
    for row, read in zip(rows, found, strict=True):
        if read is not None:
            id_, operation, tool, action, record, key, _, version, time, undone, who, *marks, reverses = row
            state, edges, body = read
            thing = Discarded(
                operation, tool, action, record, key, state, edges, body, time, bool(undone), who, *map(bool, marks)
            )
            thing = replace(thing, reverses=reverses)
            self_contained = version is None and state.kind not in INDEXED_KINDS
            things.append(replace(thing, self_contained=self_contained, id=id_))
    return things


Read = tuple[Record, list[Edge], dict[str, Any]]


def states(tx: Transaction, rows: Sequence[tuple[int, int | None, str]]) -> list[Read | None]:
    """Return the earlier states and the body of rows, given as record, version and body; None where one is lost."""
    kept = versions.states(tx, [(record, version) for record, version, _ in rows if version is not None])
    bodies = [json.loads(text) for _, _, text in rows]
    named = [body["versions"] for body in bodies if "versions" in body]
    ended = versions.edge_states(tx, [(edge, of["after"], source) for of in named for edge, source in of["edges"]])
    found: list[Read | None] = []
    for (record, version, _), body in zip(rows, bodies, strict=True):
        written, edges = body.pop("record", None), [Edge(**fields) for fields in body.pop("edges", ())]
        of = body.pop("versions", {"after": 0, "edges": ()})
        edges += [ended[edge, of["after"]] for edge, _ in of["edges"] if (edge, of["after"]) in ended]
        state = _record_of(written) if version is None else kept.get((record, version))
        found.append(None if state is None else (state, edges, body))
    return found


def last_operation(tx: Transaction) -> str | None:
    """The newest operation that is not undone and is no undo itself, but for the undo of one."""
    row = one(tx.rows("trash.last_operation"))
    return None if row is None else str(row[0])


def of_operation(tx: Transaction, operation: str) -> list[Discarded]:
    """Return what an operation deleted or overwrote, last first (the order to restore it in)."""
    return _read(tx, tx.rows("trash.of_operation", operation=operation))


def operations(tx: Transaction, limit: int, below: int = 1 << 62) -> list[tuple[str, int]]:
    """Return the newest operations, newest first, each with the id of its last row, which is `below` an id."""
    return [(str(operation), int(last)) for operation, last in tx.rows("trash.operations", limit=limit, below=below)]


def actions(tx: Transaction, operation: str) -> dict[str, int]:
    """Return how many things an operation deleted, changed or added, by action."""
    return {str(action): int(count) for action, count in tx.rows("trash.actions", operation=operation)}


def first_of_operation(tx: Transaction, operation: str, limit: int) -> list[Discarded]:
    """Return what an operation deleted or overwrote first, first first."""
    return _read(tx, tx.rows("trash.first_of_operation", operation=operation, limit=limit))


def of_key(tx: Transaction, key: str) -> list[Discarded]:
    """Earlier states of the records with that id, newest first."""
    return _read(tx, tx.rows("trash.of_key", key=key))


def keys_beginning(tx: Transaction, start: str) -> list[str]:
    """The first two ids, in order, that begin with some hexadecimal digits and hyphens."""
    return [str(key) for (key,) in tx.rows("trash.keys_beginning", start=start, end=f"{start}g")]


def later(tx: Transaction, operation: str) -> list[tuple[str, str]]:
    """(operation, tool) of those not undone that touched the same records afterwards, and have to be undone first."""
    return [(op, tool) for op, tool in tx.rows("trash.later", operation=operation)]


def deletion(tx: Transaction, record: int) -> Discarded | None:
    """Return the deleted state of a record, if the deletion can be undone."""
    return next(iter(_read(tx, tx.rows("trash.deletion", record=record))), None)


def deletion_times(tx: Transaction, ids: Iterable[int]) -> dict[int, int]:
    """Return when records were deleted, of those whose deletion is still in the trash."""
    return dict(tx.rows("trash.deletion_times", ids=json.dumps(list(ids))))


def set_edges(tx: Transaction, thing: Discarded, edges: Sequence[Edge]) -> None:
    """Let a deletion restore these relations instead of its own."""
    set_body(tx, thing.id, thing.body, None if thing.in_history else thing.state, edges)


def set_body(tx: Transaction, row: int, body: dict[str, Any], state: Record | None, edges: Sequence[Edge]) -> None:
    """Replace the body and the relations of a row; `state` is its record where the history does not have it."""
    tx.run("trash.set_body", id=row, body=_written(body, state, edges, None))


def mark_undone(tx: Transaction, operation: str, time: int) -> None:
    """Note that an operation was undone."""
    tx.run("trash.mark_undone", operation=operation, time=time)


def of_operation_last(tx: Transaction, operation: str) -> Discarded | None:
    """Return what an operation deleted or overwrote last."""
    return next(iter(_read(tx, tx.rows("trash.of_operation_last", operation=operation))), None)


def last_of_operation(tx: Transaction, operation: str, limit: int, before: Discarded | None = None) -> list[Discarded]:
    """Return what an operation deleted or overwrote last, or last before one thing, and is not undone; last first."""
    below = before.id if before is not None else 1 << 62
    rows = tx.rows("trash.last_of_operation", operation=operation, limit=limit, below=below)
    return _read(tx, rows)


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
    return _read(tx, tx.rows("trash.recent", limit=limit))


def count_updates(tx: Transaction, ids: Iterable[int]) -> dict[int, int]:
    """Return how often each record was updated, as far back as the trash goes; never updated ones are left out.

    An update is a `revision`, or any change of the text; undone ones do not count.
    """
    rows = tx.rows("trash.count_updates", ids=json.dumps([int(i) for i in ids]))
    return {int(record): int(count) for record, count in rows}
