"""Documents and their chunks among the records, and the sequence that numbers them.

A chunk's session is its document's (`session_of`), its position the order in it.
"""

from collections.abc import Iterable

from indelible.model import Record
from indelible.store import records
from indelible.store.database import Transaction, one


def session_of(number: str) -> str:
    """The session of the chunks of a document."""
    return f"document:{number}"


def take_numbers(tx: Transaction, tenant: int, count: int) -> range:
    """Numbers that no document, chunk, todo, attempt or message ever had."""
    last = int(tx.rows("documents.take_numbers", tenant=tenant, count=count)[0][0])
    return range(last - count + 1, last + 1)


def raise_numbers(tx: Transaction, tenant: int, number: int) -> None:
    """Give no number up to this one any more."""
    tx.run("documents.raise_numbers", tenant=tenant, number=number)


def named(tx: Transaction, tenant: int, file_name: str) -> list[Record]:
    """The documents of a name, one a namespace at most, oldest first."""
    return [records.from_row(row) for row in tx.rows("documents.named", tenant=tenant, label=file_name)]


def chunks(tx: Transaction, tenant: int, number: str) -> list[Record]:
    """The chunks of a document, in order."""
    return [records.from_row(row) for row in tx.rows("documents.chunks", tenant=tenant, session=session_of(number))]


def layout(tx: Transaction, tenant: int, number: str) -> list[tuple[int, int, str]]:
    """(row id, position, key) of the chunks of a document, in order."""
    rows = tx.rows("documents.layout", tenant=tenant, session=session_of(number))
    return [(int(record), int(position), str(key)) for record, position, key in rows]


def place(tx: Transaction, tenant: int, positions: Iterable[tuple[int, int]]) -> None:
    """Move chunks, named by their row ids, to other positions; those that are gone stay so."""
    tx.run_many("documents.place", [{"tenant": tenant, "id": record, "position": at} for record, at in positions])


def twin(tx: Transaction, tenant: int, record: Record) -> Record | None:
    """The record of the same kind, namespace, text and time of creation, the oldest of several."""
    found = one(
        tx.rows(
            "documents.twin",
            tenant=tenant,
            kind=record.kind,
            created=record.created,
            namespace=record.namespace,
            text=record.text,
        )
    )
    return None if found is None else records.from_row(found)
