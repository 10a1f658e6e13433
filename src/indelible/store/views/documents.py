"""Documents and their chunks among the records, and the sequence that numbers them.

A chunk's session is its document's (`session_of`), its position the order in it.
"""

from collections.abc import Iterable

from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.database import Transaction, one
from indelible.store.tables import records


@dataclass(frozen=True, slots=True)
class Head:
    """A document without its text: row id, number as it is kept, namespace, file name, type, time of creation."""

    id: int
    key: str
    namespace: str
    name: str
    type: str
    created: int


def session_of(number: str) -> str:
    """The session of the chunks of a document."""
    return f"document:{number}"


def key_of(session: str) -> str:
    """The key of the document of a chunk, by the chunk's session: the inverse of `session_of`."""
    return session.removeprefix(session_of(""))


def take_numbers(tx: Transaction, count: int) -> range:
    """Return the next numbers of the counter, never used before."""
    last = int(tx.rows("documents.take_numbers", count=count)[0][0])
    return range(last - count + 1, last + 1)


def any_of(tx: Transaction, keys: Iterable[str]) -> bool:
    """Whether a record has one of these keys, or a deleted one in the trash had it."""
    return bool(tx.rows("documents.any_of", keys=records.dump(list(keys))))


def last_number(tx: Transaction) -> int:
    """The last number that was given by counting, 0 where none was."""
    row = one(tx.rows("documents.last_number"))
    return 0 if row is None else int(row[0])


def raise_numbers(tx: Transaction, number: int) -> None:
    """Raise the counter above this number."""
    tx.run("documents.raise_numbers", number=number)


def named(tx: Transaction, file_name: str) -> list[Record]:
    """The documents of a name, one a namespace at most, oldest first."""
    return [records.from_row(row) for row in tx.rows("documents.named", label=file_name)]


def chunks(tx: Transaction, number: str) -> list[Record]:
    """The chunks of a document, in order."""
    return [records.from_row(row) for row in tx.rows("documents.chunks", session=session_of(number))]


def layout(tx: Transaction, number: str) -> list[tuple[int, int, str]]:
    """(row id, position, key) of the chunks of a document, in order."""
    rows = tx.rows("documents.layout", session=session_of(number))
    return [(int(record), int(position), str(key)) for record, position, key in rows]


def place(tx: Transaction, positions: Iterable[tuple[int, int]]) -> None:
    """Move chunks, named by their row ids, to other positions; deleted ones are left out."""
    tx.run_many("documents.place", [{"id": record, "position": at} for record, at in positions])


def equal_record(tx: Transaction, record: Record) -> Record | None:
    """Return the oldest record of the same kind, namespace, text and time of creation, None where there is none."""
    found = one(
        tx.rows(
            "documents.equal_record",
            kind=record.kind,
            created=record.created,
            namespace=record.namespace,
            text=record.text,
        )
    )
    return None if found is None else records.from_row(found)


def heads(tx: Transaction, keys: Iterable[str]) -> dict[str, Head]:
    """Return the documents of those numbers, by number; unknown ones are left out."""
    rows = tx.rows("documents.heads", keys=records.dump(list(keys)))
    return {row[1]: Head(*row) for row in rows}


def newest(tx: Transaction, type_: str, limit: int) -> list[Head]:
    """The newest documents of a type that have any chunk, newest first, ties by number."""
    return [Head(*row) for row in tx.rows("documents.newest", type=type_, limit=limit)]


def first_chunks(tx: Transaction, keys: Iterable[str]) -> list[Record]:
    """The first chunk of each of the documents of those numbers."""
    sessions = records.dump([session_of(key) for key in keys])
    return [records.from_row(row) for row in tx.rows("documents.first_chunks", sessions=sessions)]


def all_chunks(tx: Transaction) -> list[tuple[int, str]]:
    """(row id, number of its document as it is kept) of every chunk of a document, document by document."""
    rows = tx.rows("documents.all_chunks")
    return [(int(record), key_of(session)) for record, session in rows]


def digests(tx: Transaction) -> dict[tuple[str, str], str]:
    """The content hash of every document that has a name, by namespace and name."""
    rows = tx.rows("documents.digests")
    return {(namespace, name): digest for namespace, name, digest in rows}
