"""Rows of `record`, and their conversion from and to `Record`."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from indelible.dataclass import dataclass
from indelible.model import Access, Record
from indelible.store.database import Row, Transaction, listed, one


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of a kind in some namespaces; the means and times (microseconds) are None where there are no records.

    `types` and `tags` count records, the most frequent first, ties by name.
    """

    count: int
    importance: float | None
    confidence: float | None
    oldest: int | None
    newest: int | None
    types: dict[str, int]
    tags: dict[str, int]


def parameters(record: Record) -> dict[str, Any]:
    """The columns of a record as query parameters."""
    return {
        "id": record.id,
        "namespace": record.namespace,
        "kind": record.kind,
        "type": record.type,
        "key": record.key,
        "label": record.label,
        "text": record.text,
        "tags": dump(list(record.tags)),
        "metadata": dump(record.metadata),
        "importance": float(record.importance),
        "confidence": float(record.confidence),
        "content_hash": record.content_hash,
        "session": record.session,
        "position": record.position,
        "replaced": int(record.replaced),
        "created": record.created,
        "updated": record.updated,
        "uid": record.uid or new_uid(),
        "origin": record.origin,
    }


def new_uid() -> str:
    """A random name for a record or a relation: 32 hexadecimal digits."""
    return os.urandom(16).hex()


def new_uids(count: int) -> list[str]:
    """Return so many random names; many at once take a third of the time."""
    digits = os.urandom(16 * count).hex()
    return [digits[at : at + 32] for at in range(0, len(digits), 32)]


def from_row(row: Row) -> Record:
    """The record of a row of any query that selects all columns."""
    return Record(
        id=row[0],
        namespace=row[1],
        kind=row[2],
        type=row[3],
        key=row[4],
        label=row[5],
        text=row[6],
        tags=tuple(json.loads(row[7])) if row[7] != "[]" else (),  # most are empty, and recall reads many rows
        metadata=json.loads(row[8]) if row[8] != "{}" else {},
        importance=row[9],
        confidence=row[10],
        content_hash=row[11],
        session=row[12],
        position=row[13],
        replaced=bool(row[14]),
        created=row[15],
        updated=row[16],
        uid=row[17],
        origin=row[18],
    )


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # `json.dumps` makes one a call


def dump(value: Any) -> str:
    """Return JSON as stored in a column: compact, non-ASCII as it is."""
    return _encode(value)


def insert(tx: Transaction, record: Record) -> int | None:
    """Store a new record; its id, or None where its key or content is taken."""
    query = "records.reinsert" if record.id else "records.insert"
    row = one(tx.rows(query, **_for(query, record)))
    return None if row is None else int(row[0])


def _for(query: str, record: Record) -> dict[str, Any]:
    values = parameters(record)
    if query == "records.insert":
        del values["id"]
    return values


def add_many(tx: Transaction, records: Sequence[Record]) -> list[int]:
    """Store many new records; their ids, in their order.

    An id is never given twice. Their keys must be free, which the caller knows: a key that is taken is an error.
    """
    if not records:
        return []
    ids = _next_ids(tx, len(records))
    tx.run_many("records.add_many", [{**parameters(e), "id": i} for i, e in zip(ids, records, strict=True)])
    return list(ids)


class Counted(NamedTuple):
    """How many records there are, and when the newest was made, in microseconds since 1970 UTC."""

    number: int
    newest: int


class Own(NamedTuple):
    """The fields that differ among many otherwise equal records; `metadata` as stored, see `dump`."""

    type: str
    key: str
    label: str
    text: str
    metadata: str


def add_alike(tx: Transaction, pattern: Record, each: Sequence[Own]) -> list[int]:
    """Do `add_many` for records that equal a pattern except for their own fields."""
    if not each:
        return []
    shared = parameters(pattern)
    ids = _next_ids(tx, len(each))
    rows = (
        {
            **shared,
            **{"id": i, "type": type_, "key": key, "label": label, "text": text, "metadata": metadata},
            "uid": uid,
        }
        for i, uid, (type_, key, label, text, metadata) in zip(ids, new_uids(len(each)), each, strict=True)
    )
    tx.run_many("records.add_many", rows)
    return list(ids)


def _next_ids(tx: Transaction, count: int) -> range:
    last = int(tx.rows("records.next_ids", count=count)[0][-1])
    return range(last - count + 1, last + 1)


def update(tx: Transaction, record: Record) -> int:
    """Overwrite the changeable fields of a record; returns the number of rows changed (0 or 1)."""
    return tx.run("records.update", **_changeable(record))


def move(tx: Transaction, record: int, namespace: str) -> int:
    """File a record under another namespace; how many rows that changed."""
    return tx.run("records.move", id=record, namespace=namespace)


def update_many(tx: Transaction, records: Iterable[Record]) -> None:
    """`update` for many records."""
    tx.run_many("records.update", [_changeable(each) for each in records])


def _changeable(record: Record) -> dict[str, Any]:
    values = parameters(record)
    for fixed in ("namespace", "kind", "key", "session", "position", "created", "uid", "origin"):
        del values[fixed]
    return values


def rekey_many(tx: Transaction, keys: Mapping[int, str]) -> None:
    """Give records of the kinds symbol and file other keys; among them they may change places."""
    rows = [{"id": record} for record in sorted(keys)]
    tx.run_many("records.vacate_key", rows)
    tx.run_many("records.rekey", [{**row, "key": keys[row["id"]]} for row in rows])


def delete(tx: Transaction, record: int) -> int:
    """Delete a record with all that belongs to it (relations, terms, access)."""
    return tx.run("records.delete", id=record)


def by_key(tx: Transaction, key: str) -> list[Record]:
    """Every record of that key, of all namespaces and kinds, oldest first."""
    return [from_row(row) for row in tx.rows("records.by_key", key=key)]


def keys_beginning(tx: Transaction, start: str) -> list[str]:
    """Return the first two keys of memories, in order, that begin with some hexadecimal digits and hyphens."""
    return [str(key) for (key,) in tx.rows("records.keys_beginning", start=start, end=f"{start}g")]


def begun_alike(tx: Transaction, keys: Sequence[str], length: int) -> set[str]:
    """Return those keys whose first `length` characters, hexadecimal digits, begin the key of another memory too."""
    if not keys:
        return set()
    return {str(key) for (key,) in tx.rows("records.begun_alike", keys=dump(list(keys)), length=length)}


def by_ids(tx: Transaction, ids: Sequence[int]) -> dict[int, Record]:
    """The records of those row ids that exist."""
    if not ids:
        return {}
    rows = tx.rows("records.by_ids", ids=json.dumps([int(i) for i in ids]))
    return {row[0]: from_row(row) for row in rows}


def with_access(tx: Transaction, ids: Sequence[int]) -> tuple[dict[int, Record], dict[int, Access]]:
    """The records of those row ids that exist, by ascending id, and the access of those that were ever returned."""
    if not ids:
        return {}, {}
    rows = tx.rows("records.with_access", ids=listed(ids))
    return {row[0]: from_row(row) for row in rows}, {
        row[0]: Access(row[19], row[20]) for row in rows if row[19] is not None
    }


def beside(tx: Transaction, ids: Sequence[int], window: int) -> list[tuple[int, ...]]:
    """(id, the one before, the one before that, the one after, the one after that, asks) of those that have a session.

    A neighbour is of the same session and at most `window` microseconds away; 0 where there is none.
    `asks` tells whether a question mark ends a word in the last 200 characters of its text.
    """
    return tx.rows("records.beside", window=window, ids=json.dumps([int(i) for i in ids]))


def keys_in(tx: Transaction, namespace: str, kind: str) -> dict[str, tuple[int, int]]:
    """Return the row ids and positions of all records of a kind in a namespace, by key."""
    return {
        str(key): (int(id_), int(at)) for key, id_, at in tx.rows("records.keys_in", namespace=namespace, kind=kind)
    }


def created_in(tx: Transaction, kinds: Sequence[str], start: int, end: int, limit: int) -> list[int]:
    """The ids of the newest records of those kinds with start <= created < end, newest first."""
    rows = tx.rows("records.created_in", kinds=json.dumps(list(kinds)), start=start, end=end, limit=limit)
    return [int(record) for (record,) in rows]


def by_content(tx: Transaction, namespace: str, content_hash: str) -> Record | None:
    """The current memory of that content in the namespace."""
    row = one(tx.rows("records.by_content", namespace=namespace, content_hash=content_hash))
    return None if row is None else from_row(row)


def by_uid(tx: Transaction, uid: str, kind: str, created: int) -> Record | None:
    """Return the record of a uid, which was of that kind and created at that time from the start."""
    row = one(tx.rows("records.by_uid", uid=uid, kind=kind, created=created))
    return None if row is None else from_row(row)


def newest(tx: Transaction, kind: str, type_: str | None, page: int = 500) -> Iterator[Record]:
    """All records of a kind, newest first, ties by key, then id; read page by page."""
    created, key, last = 1 << 62, "", 0
    while True:
        rows = tx.rows("records.newest", kind=kind, type=type_ or "", created=created, key=key, id=last, limit=page)
        yield from (from_row(row) for row in rows)
        if len(rows) < page:
            return
        last, key, created = rows[-1][0], rows[-1][4], rows[-1][15]


def after(tx: Transaction, record: int, limit: int) -> list[Record]:
    """Records with a greater row id, ascending."""
    return [from_row(row) for row in tx.rows("records.after", id=record, limit=limit)]


def taken_from(tx: Transaction, source: str, place: str) -> list[int]:
    """Return the current records, but for entities, that an import took from another tool's data at a place, by id."""
    return [int(row[0]) for row in tx.rows("records.taken_from", source=source, place=place)]


def count_by_kind(tx: Transaction) -> dict[str, int]:
    """How many records there are of each kind that has any."""
    return {str(kind): int(count) for kind, count in tx.rows("records.count_by_kind")}


def namespaces(tx: Transaction) -> list[str]:
    """Every namespace that holds a record, sorted; '' is none."""
    return [str(name) for (name,) in tx.rows("records.namespaces")]


def last_id(tx: Transaction) -> int:
    """The highest row id in use, 0 in an empty store."""
    return int(tx.rows("records.last_id")[0][0])


def set_replaced(tx: Transaction, record: int, replaced: bool) -> None:
    """Mark a record as replaced, or current again where no relation says otherwise and its content is free."""
    tx.run("records.set_replaced" if replaced else "records.unset_replaced", id=record)


def delete_many(tx: Transaction, ids: Sequence[int]) -> int:
    """`delete` for many records; how many there were."""
    return tx.run("records.delete_many", ids=json.dumps([int(i) for i in ids]))


def count_by_namespace(tx: Transaction, kind: str) -> dict[str, Counted]:
    """How many records of a kind each namespace has that has any, and the newest; '' is none. In no order."""
    rows = tx.rows("records.count_by_namespace", kind=kind)
    return {str(namespace): Counted(int(count), int(newest)) for namespace, count, newest in rows}


def count_kinds_in(tx: Transaction, namespaces: Iterable[str]) -> dict[str, int]:
    """How many records of each kind the namespaces have together, of those kinds that they have, by name."""
    rows = tx.rows("records.count_kinds_in", namespaces=dump(sorted(namespaces)))
    return {str(kind): int(count) for kind, count in sorted(rows)}


def ids_in(tx: Transaction, namespaces: Iterable[str], kind: str | None) -> list[int]:
    """Return the ids of all records of the namespaces, or of those of a kind: replaced ones first, then the oldest."""
    rows = tx.rows("records.ids_in", namespaces=dump(sorted(namespaces)), kind=kind or "")
    return [int(record) for (record,) in rows]


def summary(tx: Transaction, namespaces: Iterable[str], kind: str) -> Summary:
    """Figures of the records of a kind in the namespaces, taken together."""
    where = {"namespaces": dump(sorted(namespaces)), "kind": kind}
    ((count, importance, confidence, oldest, newest_),) = tx.rows("records.figures_in", **where)
    types, tags = tx.rows("records.count_types_in", **where), tx.rows("records.count_tags_in", **where)
    return Summary(int(count), importance, confidence, oldest, newest_, _ranked(types), _ranked(tags))


def _ranked(counts: list[Row]) -> dict[str, int]:
    return {str(name): int(count) for name, count in sorted(counts, key=lambda pair: (-pair[1], pair[0]))}


def keys_of(tx: Transaction, ids: Iterable[int]) -> dict[int, tuple[str, str]]:
    """(kind, key) of those records that exist, without reading their texts."""
    rows = tx.rows("records.keys_of", ids=json.dumps([int(i) for i in ids]))
    return {int(record): (str(kind), str(key)) for record, kind, key in rows}


def containing(tx: Transaction, ids: Iterable[int], part: str) -> list[tuple[int, str, list[str], dict[str, Any]]]:
    """(id, text, tags, metadata) of those records that have the part in one of them, by id.

    In tags and metadata it is looked for as JSON writes it.
    """
    rows = tx.rows("records.containing", ids=json.dumps([int(i) for i in ids]), part=part)
    return [(record, text, json.loads(tags), json.loads(metadata)) for record, text, tags, metadata in rows]


def by_keys(tx: Transaction, namespace: str, kind: str, keys: Iterable[str]) -> dict[str, int]:
    """The ids of the records of a kind in a namespace that have those keys, by key."""
    listed = dump(sorted(set(keys)))
    rows = tx.rows("records.by_keys", namespace=namespace, kind=kind, keys=listed)
    return {str(key): int(record) for key, record in rows}


def named(tx: Transaction, kind: str, part: str) -> list[tuple[int, str]]:
    """(id, key) of the records of a kind that have the part in their key, by id."""
    return [(int(i), str(key)) for i, key in tx.rows("records.named", kind=kind, part=part)]


def glimpses(tx: Transaction, ids: Iterable[int], length: int) -> dict[int, tuple[str, str, str]]:
    """Return (kind, key, label or the beginning of the text) of those records that exist: cheap, for very many."""
    rows = tx.rows("records.glimpses", ids=json.dumps([int(i) for i in ids]), length=length)
    return {int(record): (str(kind), str(key), str(name)) for record, kind, key, name in rows}
