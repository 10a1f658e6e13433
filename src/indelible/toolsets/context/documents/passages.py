"""Retrieval of documents and messages: by chunks, or the documents of a type by their best chunks."""

from collections.abc import Iterable, Sequence

from indelible.core.context.context import Context
from indelible.core.context.ids import number_of
from indelible.core.recall import recall
from indelible.core.recall.candidates import Query, searching
from indelible.core.recall.returned import returned
from indelible.dataclass import dataclass
from indelible.model import Hit, Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import chats, documents
from indelible.store.views.chats import MESSAGE
from indelible.store.views.documents import Head
from indelible.toolsets.context.chats import chats as chats_chats

# Imported late (start, cli): indelible.search.scoring

CHUNK = "chunk"
SPARE = 40  # records beyond those asked for that are ranked: some may have no number to be shown by


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of a document, or a message, with its relevance to the query (0..1).

    `resource` and `chunk` are numbers; a message has no `chunk`. `name` is the document's, `conversation` the
    message's; `created` is when the document or the message was stored, in microseconds since 1970 UTC.
    """

    record: Record
    resource: int
    chunk: int | None
    type: str
    similarity: float
    created: int
    name: str = ""
    conversation: str = ""


def retrieve(ctx: Context, query: str, limit: int) -> list[Passage]:
    """The chunks and messages with evidence of being about the query, nearest first, ties by newest, then id."""
    asked = Query(query, 2 * limit + SPARE if limit else 0, kinds=(CHUNK, MESSAGE), relevance_only=True)
    hits = recall.ranked(ctx, asked)
    with ctx.store.read() as tx:
        heads = _heads(ctx, tx, [hit.record for hit in hits])
    found = [passage for hit in hits if (passage := _passage(hit, heads)) is not None][:limit]
    returned(ctx, [passage.record for passage in found])
    return found


def by_type(ctx: Context, query: str, type_: str, limit: int) -> list[Passage]:
    """The documents of a type, nearest first, ties by newest, then number: each by its best chunk.

    All documents of the type are results up to the limit, however low their relevance.
    """
    with ctx.store.read() as tx:
        found = _best_chunks(ctx, tx, query, type_, limit)
        if len(found) < limit:
            found += _others(ctx, tx, type_, {passage.resource for passage in found}, limit - len(found))
    returned(ctx, [passage.record for passage in found])
    return found


def names_of(ctx: Context, hits: Sequence[Hit]) -> dict[int, str]:
    """The file names of the documents of those hits that are chunks, by row id."""
    chunks = [hit.record for hit in hits if hit.record.kind == CHUNK]
    with ctx.store.read() as tx:
        heads = _heads(ctx, tx, chunks)
    found = {chunk.id: heads.get(documents.key_of(chunk.session)) for chunk in chunks}
    return {record: head.name for record, head in found.items() if head is not None}


def _heads(ctx: Context, tx: Transaction, found: Iterable[Record]) -> dict[str, Head]:
    """The documents of the chunks among some records."""
    keys = {documents.key_of(record.session) for record in found if record.kind == CHUNK}
    return documents.heads(tx, sorted(keys))


def _passage(hit: Hit, heads: dict[str, Head]) -> Passage | None:
    """Return a hit as a passage, None for an imported record without a number."""
    record = hit.record
    if record.kind == CHUNK:
        return _chunk(record, heads.get(documents.key_of(record.session)), hit.score)
    number = chats.number_of(record)
    if not number:
        return None
    conversation = chats_chats.conversation_of(record)
    return Passage(record, number, None, MESSAGE, hit.score, record.created, conversation=conversation)


def _chunk(record: Record, head: Head | None, similarity: float) -> Passage | None:
    number, resource = number_of(record.key), number_of(head.key) if head is not None else None
    if head is None or number is None or resource is None:
        return None
    return Passage(record, resource, number, head.type, similarity, head.created, name=head.name)


def _best_chunks(ctx: Context, tx: Transaction, query: str, type_: str, limit: int) -> list[Passage]:
    """The best chunk of each document of which any was a candidate, nearest first."""
    wanted = 4 * limit + SPARE
    while True:
        found, complete = _chunks(ctx, tx, Query(query, wanted, type=type_, kinds=(CHUNK,)))
        best: dict[int, Passage] = {}
        for passage in sorted(found, key=lambda passage: (-passage.similarity, -passage.created, passage.resource)):
            best.setdefault(passage.resource, passage)
        if len(best) >= limit or complete:
            return list(best.values())[:limit]
        wanted *= 4


def _chunks(ctx: Context, tx: Transaction, asked: Query) -> tuple[list[Passage], bool]:
    """Return the candidates among chunks without a minimum of relevance, and whether they are all."""
    from indelible.search.scoring import OWN_PROJECT

    with searching(ctx, tx, asked, asked.text, asked.k) as search:
        best, complete = search.best(asked.k)
        measured = search.measured(best)
    ids, own = measured.ids.tolist(), measured.own.tolist()
    known = records.by_ids(tx, ids)  # the index may be at a later moment than the transaction
    heads = _heads(ctx, tx, known.values())
    found = []
    for record, relevance, ours in zip(ids, measured.relevance, own, strict=True):
        if record in known:
            similarity = min(1.0, relevance.value * (OWN_PROJECT if ours else 1.0))
            found.append(_chunk(known[record], heads.get(documents.key_of(known[record].session)), similarity))
    return [passage for passage in found if passage is not None], complete


def _others(ctx: Context, tx: Transaction, type_: str, found: set[int], count: int) -> list[Passage]:
    """Return documents of a type without evidence for the query, newest first, each by its first chunk."""
    newest = documents.newest(tx, type_, count + len(found))
    heads = {head.key: head for head in newest if number_of(head.key) not in found}
    first = {documents.key_of(chunk.session): chunk for chunk in documents.first_chunks(tx, heads)}
    chunks = (_chunk(first[key], head, 0.0) for key, head in heads.items() if key in first)
    return [chunk for chunk in chunks if chunk is not None][:count]
