"""Storing and deleting documents: a whole text under a name, found by its chunks."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypedDict

from indelible.core.context import ids, numbers
from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.records import insert, trash
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Edge, Record
from indelible.search import chunking, tokens
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import documents

TYPE = "document"  # of a document whose type is not given
PLACEHOLDER = "placeholder"  # the type of a document that was only named so far
IMPORTANCE = 0.5
MEMORY_TYPE = "context"

LONGEST_NAME = 1_024  # characters
MOST_CARRIED = 32 << 20  # bytes that all chunks of a document may take for what they carry of it, beside their texts

TITLES = " > "  # between a file's name and the headings that a chunk stands under
STEP = 60_000_000  # between the positions of two chunks: neighbours, as core/recall/candidates.py knows them
APART = 15 * STEP  # at most, so that the chunk after the next is a neighbour too
FIRST = 1 << 40  # room for many chunks before it


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to be stored; no namespace means the server's project.

    When a document is stored again, fields left at their defaults stay as they were, except the origin of the text.
    """

    file_name: str
    content: str
    type: str | None = None
    importance: float = IMPORTANCE
    tags: Sequence[str] = ()
    namespace: str | None = None
    links: Sequence[str] = ()
    memory_type: str = MEMORY_TYPE
    origin: str | None = None


class StoredDocument(TypedDict):
    """The answer to a store: `status` is stored or duplicate, `chunks` are the numbers of the chunks in order."""

    number: int
    status: str
    created: bool
    content_hash: str
    file_name: str
    type: str
    chunks: list[int]


@dataclass(frozen=True, slots=True)
class _Part:
    """A chunk to be stored: its text and title, and the terms of a new text."""

    text: str
    title: str
    terms: dict[int, int] | None


def store(ctx: Context, new: NewDocument) -> StoredDocument:
    """Store a document under its name, replacing the namespace's earlier one of that name.

    Chunks whose text is unchanged keep their ids, relations and embeddings; the others, and the earlier text, go to
    the trash. The same text again is a duplicate, and only its new tags are written. Raises NotFound for a link to an
    unknown id and InvalidInput for a name, type or tags that are too long; nothing is stored then.
    """
    refuse_long_name(new.file_name, "file_name")
    digest = insert.content_hash(new.content)
    prepared = _prepared(ctx, new, digest)

    def work(tx: Transaction) -> StoredDocument:
        ends = [ids.find(ctx, tx, "links", link) for link in new.links]
        namespace = namespace_to_write(ctx, tx, new.namespace)
        old = named(ctx, tx, new.file_name, namespace)
        if old is not None and old.content_hash == digest:
            _add_tags(ctx, tx, old, new.tags)
            return _answer(ctx, tx, old, "duplicate", created=False)
        # without parts, where it was a duplicate just before and is none now
        parts = _parts(new, set()) if prepared is None else prepared
        document = _write(ctx, tx, new, namespace, digest, old)
        _put_chunks(ctx, tx, document, parts)
        for end in ends:
            if end.id != document.id:
                relation = Edge(document.id, end.id, "RELATES_TO", "RELATES_TO", 1.0, document.updated)
                edges.add(tx, relation)
        return _answer(ctx, tx, document, "stored", created=old is None)

    if prepared is not None:
        ctx.write_behind.before_deletion()
    answer = ctx.write(work)
    ctx.call.touched.append(f"doc_{answer['number']}")
    return answer


def _add_tags(ctx: Context, tx: Transaction, document: Record, given: Sequence[str]) -> None:
    """Add the new tags to a document and its chunks."""
    added = insert.new_tags(document, given)
    if added:
        now = ctx.now()
        for record in (document, *documents.chunks(tx, document.key)):
            trash.overwrite(ctx, tx, record, replace(record, tags=(*document.tags, *added), updated=now))


def delete(ctx: Context, id_: int) -> bool:
    """Move a document with its chunks to the trash; return whether it existed. `id_` is its row id."""

    def work(tx: Transaction) -> bool:
        document = records.by_ids(tx, [id_]).get(id_)
        if document is None:
            return False
        trash.delete_all(ctx, tx, [document.id, *chunks_of(ctx, tx, document)])
        return True

    ctx.write_behind.before_deletion()
    return ctx.write(work)


def chunks_of(ctx: Context, tx: Transaction, document: Record) -> list[int]:
    """The row ids of a document's chunks, in order."""
    return [chunk for chunk, _, _ in documents.layout(tx, document.key)]


def named(ctx: Context, tx: Transaction, file_name: str, namespace: str) -> Record | None:
    """Return the document of a name in a namespace, else in another namespace of the same project.

    A name such as `resource_123` also finds the placeholder that reserves the number 123.
    """
    own = _own(ctx, tx, documents.named(tx, file_name), namespace)
    return own or _own(ctx, tx, _reserved(ctx, tx, file_name), namespace)


def _own(ctx: Context, tx: Transaction, found: Sequence[Record], namespace: str) -> Record | None:
    by_namespace = {document.namespace: document for document in found}
    if namespace in by_namespace or not namespace:
        return by_namespace.get(namespace)
    same = ctx.scope(tx).of_project(namespace, set(by_namespace))
    return next((document for name, document in by_namespace.items() if name in same), None)


def _reserved(ctx: Context, tx: Transaction, name: str) -> list[Record]:
    number = ids.reserved_number(name)
    found = [] if number is None else records.by_key(tx, number)
    return [record for record in found if is_placeholder(record) and not record.label]


def is_placeholder(record: Record) -> bool:
    """Return whether a record is a document that was only referred to so far: its text is its name."""
    return (record.kind, record.type) == ("document", PLACEHOLDER) and record.label in ("", record.text)


def title_of(file_name: str, headings: Sequence[str]) -> str:
    """Return the title that a chunk is indexed and embedded with beside its text: file name and headings."""
    return TITLES.join((file_name, *headings))


def refuse_long_name(name: str, argument: str) -> None:
    """Raise InvalidInput for a name that no document may have."""
    if len(name) > LONGEST_NAME:
        raise InvalidInput(f"{argument} must have at most {LONGEST_NAME:,} characters, got {len(name):,}; shorten it")


def _refuse_heavy(new: NewDocument, chunks: int) -> None:
    carried = "".join((new.file_name, new.type or "", new.namespace or "", *new.tags))
    size, most = len(carried.encode()), MOST_CARRIED // max(1, chunks)
    if size > most:
        raise InvalidInput(
            f"file_name, resource_type, namespace and tags are kept with each of the document's {chunks:,} chunks: "
            f"they must have at most {most:,} bytes together, got {size:,}; shorten them"
        )


def _prepared(ctx: Context, new: NewDocument, digest: str) -> list[_Part] | None:
    """Return the parts of a document, cut and counted before the transaction; None for a duplicate."""
    with ctx.store.read() as tx:
        namespace = ctx.scope(tx).own if new.namespace is None else new.namespace
        old = named(ctx, tx, new.file_name, namespace)
        if old is not None and old.content_hash == digest:
            return None
        known = set() if old is None else {chunk.text for chunk in documents.chunks(tx, old.key)}
    return _parts(new, known)


def _parts(new: NewDocument, known: set[str]) -> list[_Part]:
    found = chunking.chunks(new.content, chunking.syntax_of(new.file_name))
    _refuse_heavy(new, len(found))
    return [
        _Part(
            chunk.text,
            title_of(new.file_name, chunk.headings),
            None if chunk.text in known else tokens.terms(chunk.text),
        )
        for chunk in found
    ]


def _write(ctx: Context, tx: Transaction, new: NewDocument, namespace: str, digest: str, old: Record | None) -> Record:
    """Write the record of a document, new or in the place of the old one, and return it."""
    now = ctx.now()
    asked = {} if new.memory_type == MEMORY_TYPE else {"memory_type": new.memory_type}
    asked |= {} if new.origin is None else {"origin": new.origin}
    if old is not None:
        document = replace(
            old,
            text=new.content,
            content_hash=digest,
            type=new.type or (TYPE if is_placeholder(old) else old.type),
            label=new.file_name,
            importance=old.importance if new.importance == IMPORTANCE else new.importance,
            tags=tuple(new.tags) or old.tags,
            metadata={name: value for name, value in old.metadata.items() if name != "origin"} | asked,
            updated=now,
        )
        trash.overwrite(ctx, tx, old, document)
        return document
    (number,) = numbers.take(ctx, tx, 1)
    document = _document(ctx, new, str(number), namespace, digest)
    return insert.add(ctx, tx, replace(document, metadata=asked))


def _document(ctx: Context, new: NewDocument, number: str, namespace: str, digest: str) -> Record:
    return insert.new(
        ctx,
        "document",
        new.content,
        key=number,
        type=new.type or TYPE,
        label=new.file_name,
        namespace=namespace,
        tags=tuple(new.tags),
        importance=new.importance,
        content_hash=digest,
    )


def _put_chunks(ctx: Context, tx: Transaction, document: Record, parts: Sequence[_Part]) -> None:
    """Replace the chunks of a document by those of its text; unchanged chunks are not touched."""
    there = documents.chunks(tx, document.key)
    kept = _matched(parts, there)
    staying = {chunk.id for chunk in kept if chunk is not None}
    trash.delete_all(ctx, tx, [chunk.id for chunk in there if chunk.id not in staying])
    new = iter(numbers.take(ctx, tx, sum(chunk is None for chunk in kept)))
    places = positions([None if chunk is None else chunk.position for chunk in kept])
    moved = []
    for part, chunk, position in zip(parts, kept, places, strict=True):
        if chunk is None:
            insert.add(ctx, tx, _chunk(ctx, document, part, next(new), position), part.terms)
            continue
        carried = _carrying(document, part, chunk)
        if carried != chunk:
            trash.overwrite(ctx, tx, chunk, replace(carried, updated=document.updated), part.terms)
        if chunk.position != position:
            moved.append((chunk.id, position))
    documents.place(tx, moved)


def cut_again(ctx: Context, tx: Transaction, document: Record) -> None:
    """Restore the chunks of a document from its text, where some were lost or damaged."""
    for chunk in documents.chunks(tx, document.key):
        if chunk.namespace != document.namespace:
            trash.delete(ctx, tx, chunk)
    again = NewDocument(document.label, document.text, document.type, tags=document.tags, namespace=document.namespace)
    _put_chunks(ctx, tx, document, _parts(again, set()))


def make_again(ctx: Context, tx: Transaction, number: str, chunks: Sequence[Record]) -> None:
    """Restore a lost document from its remaining chunks, under its number and name."""
    first = chunks[0]
    name = first.label.split(TITLES)[0]
    if any(each.namespace == first.namespace for each in documents.named(tx, name)):
        name = f"{name} ({number})"
    text = "\n\n".join(chunk.text for chunk in chunks)
    new = NewDocument(name, text, first.type, first.importance, first.tags)
    document = insert.add(ctx, tx, _document(ctx, new, number, first.namespace, insert.content_hash(text)))
    cut_again(ctx, tx, document)


def _matched(parts: Sequence[_Part], there: Sequence[Record]) -> list[Record | None]:
    """Return the stored chunk for each part: with the same text, and among several of these with the same title."""
    by_text: dict[str, list[Record]] = {}
    for chunk in there:
        by_text.setdefault(chunk.text, []).append(chunk)
    found: list[Record | None] = []
    for part in parts:
        same = by_text.get(part.text, [])
        at = next((i for i, chunk in enumerate(same) if chunk.label == part.title), 0)
        found.append(same.pop(at) if same else None)
    return found


def _carrying(document: Record, part: _Part, chunk: Record) -> Record:
    """Return a chunk with the fields that it copies from its document."""
    return replace(chunk, type=document.type, label=part.title, tags=document.tags, importance=document.importance)


def _chunk(ctx: Context, document: Record, part: _Part, number: int, position: int) -> Record:
    chunk = insert.new(
        ctx,
        "chunk",
        part.text,
        key=str(number),
        namespace=document.namespace,
        session=documents.session_of(document.key),
        position=position,
        created=document.updated,
        updated=document.updated,
    )
    return _carrying(document, part, chunk)


def positions(old: Sequence[int | None]) -> list[int]:
    """Return ascending positions for chunks; existing ones are kept, unless all must move to make room."""
    filled = _filled(old)
    if filled and filled[0] >= 0 and all(0 < after - before <= APART for before, after in pairwise(filled)):
        return filled
    return [FIRST + at * STEP for at in range(len(old))]


def _filled(old: Sequence[int | None]) -> list[int]:
    known = [(at, position) for at, position in enumerate(old) if position is not None]
    if not known:
        return []
    at, position = known[0]
    found = [position - STEP * (at - i) for i in range(at)]
    for (at, position), (next_at, following) in pairwise(known):
        found += [position + (following - position) * i // (next_at - at) for i in range(next_at - at)]
    at, position = known[-1]
    return found + [position + STEP * i for i in range(len(old) - at)]


def _answer(ctx: Context, tx: Transaction, document: Record, status: str, *, created: bool) -> StoredDocument:
    return {
        "number": int(document.key),
        "status": status,
        "created": created,
        "content_hash": document.content_hash,
        "file_name": document.label,
        "type": document.type,
        "chunks": [int(key) for _, _, key in documents.layout(tx, document.key)],
    }
