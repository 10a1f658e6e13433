"""Renumbering of imported records: each keeps its number where that is free, and references follow a new number.

Messages are numbered too; the number is the id of those without another one.
"""

from dataclasses import replace

from indelible.core.context import numbers
from indelible.core.context.context import Context
from indelible.core.context.ids import LONGEST_NUMBER, number_of
from indelible.dataclass import dataclass
from indelible.model import NUMBERED_KINDS, Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import chats, documents
from indelible.store.views.chats import MESSAGE


@dataclass(frozen=True, slots=True)
class _Standing:
    """The stored document that an imported one corresponds to."""

    document: Record
    is_new: bool
    is_the_same: bool  # in its text


class Renumbering:
    """The documents that one import has brought so far."""

    def __init__(self) -> None:
        self._documents: dict[str, _Standing] = {}  # by the session that chunks name it by
        self._texts: tuple[str, dict[str, Record]] = ("", {})  # the chunks of the stored document asked for last

    def so_far(self) -> dict[str, _Standing]:
        """Return the state, for `back_to`."""
        return dict(self._documents)

    def back_to(self, documents: dict[str, _Standing]) -> None:
        """Return to an earlier state."""
        self._documents, self._texts = dict(documents), ("", {})

    def waits(self, record: Record) -> bool:
        """Whether a record is a chunk whose document has not come yet."""
        session = record.session
        of_a_document = record.kind == "chunk" and session.startswith(documents.session_of(""))
        return of_a_document and session not in self._documents

    def settled(self, ctx: Context, tx: Transaction, record: Record) -> tuple[Record, Record | None]:
        """Return the record as it is to be stored, and the existing record that replaces it if it is not to be stored.

        Chunks that a document here lacks, because its text is another one, are replaced by the document.
        """
        if record.kind == MESSAGE:
            return _message(ctx, tx, record)
        if record.kind == "document":
            return self._document(ctx, tx, record)
        if record.kind == "chunk" and record.session in self._documents:
            return self._chunk(ctx, tx, record, self._documents[record.session])
        there = _known(ctx, tx, record)
        return (record, there) if there is not None else (_numbered(ctx, tx, record), None)

    def _document(self, ctx: Context, tx: Transaction, record: Record) -> tuple[Record, Record | None]:
        named = documents.named(tx, record.label) if record.label else []
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
                self._texts = number, {chunk.text: chunk for chunk in documents.chunks(tx, number)}
            same = self._texts[1].get(record.text)
            if same is not None or not standing.is_the_same:
                return record, same or standing.document
        return _numbered(ctx, tx, replace(record, session=documents.session_of(number))), None


def _known(ctx: Context, tx: Transaction, record: Record) -> Record | None:
    """Return the same record, if stored: under its number, or under another that an earlier import gave it."""
    same = [other for other in records.by_key(tx, record.key) if other.kind == record.kind]
    if same and (number_of(record.key) is None or same[0].created == record.created):
        return same[0]
    return documents.equal_record(tx, record)


def _numbered(ctx: Context, tx: Transaction, record: Record) -> Record:
    """Return a record with its own number, or with a new one where that is taken.

    A caller limited to namespaces gets a new one: it must neither learn nor take the numbers of others.
    """
    number = number_of(record.key)
    if number is None:
        return record
    if ctx.session.grant.limited or _is_taken(ctx, tx, number):
        (number,) = numbers.take(ctx, tx, 1)
        return replace(record, key=str(number))
    numbers.keep(ctx, tx, number)
    return record


def _is_taken(ctx: Context, tx: Transaction, number: int) -> bool:
    known = (*records.by_key(tx, str(number)), *records.by_key(tx, chats.key_of(number)))
    return any(record.kind in NUMBERED_KINDS or record.key == chats.key_of(number) for record in known)


def _message(ctx: Context, tx: Transaction, record: Record) -> tuple[Record, Record | None]:
    """Return a message with its number, or a new one if that may be taken; and the same message, if stored.

    Ids that callers gave are unique in a namespace, generated ones in the store.
    """
    number = chats.number_of(record)
    named_by_us = number > 0 and record.key == chats.key_of(number)
    same = [other for other in records.by_key(tx, record.key) if other.kind == MESSAGE]
    there = next((other for other in same if other.namespace == record.namespace), None)
    if there is not None and not (named_by_us and there.created != record.created):
        return record, there
    if named_by_us and (stored := documents.equal_record(tx, record)) is not None:
        return record, stored
    known = 0 < number < 10**LONGEST_NUMBER and not ctx.session.grant.limited  # as for `_numbered`
    is_new = known and (numbers.is_drawn(number) or not numbers.is_given(ctx, tx, number))
    if known and (is_new or named_by_us) and not _is_taken(ctx, tx, number):
        numbers.keep(ctx, tx, number)
        return record, None
    (number,) = numbers.take(ctx, tx, 1)
    numbered = replace(record, metadata={**record.metadata, "number": number})
    return replace(numbered, key=chats.key_of(number)) if named_by_us else numbered, None
