"""Numbered records that an import brings: each keeps its number where that is free here, and what names it follows."""

from dataclasses import dataclass, replace

from indelible.engine.context import Context
from indelible.model import NUMBERED_KINDS, Record
from indelible.store import documents, records
from indelible.store.database import Transaction

LONGEST_NUMBER = 15  # digits


def number_of(key: str) -> int | None:
    """The number that a key is, None for the strings of a caller."""
    is_one = key.isascii() and key.isdecimal() and len(key) <= LONGEST_NUMBER and key[0] != "0"
    return int(key) if is_one else None


@dataclass(frozen=True, slots=True)
class _Standing:
    """The document here that an arriving one is."""

    document: Record
    is_new: bool
    is_the_same: bool  # in its text


class Arrivals:
    """What one import has brought so far."""

    def __init__(self) -> None:
        self._documents: dict[str, _Standing] = {}  # by the session that chunks name it by
        self._texts: tuple[str, dict[str, Record]] = ("", {})  # the chunks of the document here that was asked last

    def waits(self, record: Record) -> bool:
        """Whether a record is a chunk whose document has not come yet."""
        session = record.session
        of_a_document = record.kind == "chunk" and session.startswith(documents.session_of(""))
        return of_a_document and session not in self._documents

    def settled(self, ctx: Context, tx: Transaction, record: Record) -> tuple[Record, Record | None]:
        """The record as it has to be stored here, and the one that stands for it where it is not to be stored.

        A document stands for those of its chunks that it does not have, because its text here is another one.
        """
        if record.kind == "document":
            return self._document(ctx, tx, record)
        if record.kind == "chunk" and record.session in self._documents:
            return self._chunk(ctx, tx, record, self._documents[record.session])
        there = _known(ctx, tx, record)
        return (record, there) if there is not None else (_numbered(ctx, tx, record), None)

    def _document(self, ctx: Context, tx: Transaction, record: Record) -> tuple[Record, Record | None]:
        named = documents.named(tx, ctx.tenant, record.label) if record.label else []
        there = next((document for document in named if document.namespace == record.namespace), None)
        there = there or _known(ctx, tx, record)
        stored = there or _numbered(ctx, tx, record)
        standing = _Standing(stored, there is None, stored.text == record.text)
        self._documents[documents.session_of(record.key)] = standing
        return stored, there

    def _chunk(
        self, ctx: Context, tx: Transaction, record: Record, standing: _Standing
    ) -> tuple[Record, Record | None]:
        number = standing.document.key
        if not standing.is_new:
            if self._texts[0] != number:
                self._texts = number, {chunk.text: chunk for chunk in documents.chunks(tx, ctx.tenant, number)}
            same = self._texts[1].get(record.text)
            if same is not None or not standing.is_the_same:
                return record, same or standing.document
        return _numbered(ctx, tx, replace(record, session=documents.session_of(number))), None


def _known(ctx: Context, tx: Transaction, record: Record) -> Record | None:
    """The same record, should it be here: under its number, or under another that an earlier import gave it."""
    same = [other for other in records.by_key(tx, ctx.tenant, record.key) if other.kind == record.kind]
    if same and (number_of(record.key) is None or same[0].created == record.created):
        return same[0]
    return documents.twin(tx, ctx.tenant, record)


def _numbered(ctx: Context, tx: Transaction, record: Record) -> Record:
    """A record with its own number, or with a new one where that is taken."""
    number = number_of(record.key)
    if number is None:
        return record
    if any(other.kind in NUMBERED_KINDS for other in records.by_key(tx, ctx.tenant, record.key)):
        (number,) = documents.take_numbers(tx, ctx.tenant, 1)
        return replace(record, key=str(number))
    documents.raise_numbers(tx, ctx.tenant, number)
    return record
