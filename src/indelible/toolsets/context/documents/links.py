"""Links between similar documents, and the relations around a document by depth."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypedDict

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records import trash
from indelible.dataclass import dataclass
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, embeddings, records, terms
from indelible.store.views import documents
from indelible.toolsets.context.documents.context_building import OWN_KINDS

if TYPE_CHECKING:
    from indelible.search.index.entries import Entry

# Imported late (start, cli): indelible.search.likeness

RELATION: Final = "similar_content"
CANONICAL = RELATION.upper()
TOGETHER = 2_000  # chunks that are compared at a time
PLACES = 6  # decimals of a similarity, which is compared as it is shown
DOCUMENT = "document"


class Alike(TypedDict):
    """A document similar to another: its shown id and its similarity, 0..1."""

    id: str
    similarity: float


class Linked(TypedDict):
    """A document's shown id, the number of its new links, and all similar documents, most similar first."""

    id: str
    created: int
    similar: list[Alike]


@dataclass(frozen=True, slots=True)
class Step:
    """A record on the way from a document: its shown id, the relation that led to it, the ids from the start to it."""

    id: str
    relation: str
    strength: float
    path: tuple[str, ...]


# --- Likeness ---


def link_alike(ctx: Context, document_id: str, least: float) -> Linked:
    """Relate a document to every document at least so similar; returned by similarity, newest, id.

    The similarity is that of the vectors if both are embedded, else that of the words. An existing link between two
    documents, in either direction, gets the new strength. Raises NotFound for an id that is not of a document.
    """
    with ctx.store.read() as tx:
        own = ids.find_own(ctx, tx, "document_id", document_id, DOCUMENT)
        found = _alike(ctx, tx, own, least)
        heads = documents.heads(tx, found)
    order = sorted(heads.values(), key=lambda head: (-found[head.key], -head.created, head.id))

    def work(tx: Transaction) -> Linked:
        there = records.keys_of(tx, [own.id, *(head.id for head in order)])
        others = [head for head in order if head.id in there] if own.id in there else []
        links = _links(tx, own)
        created = sum(_relate(ctx, tx, own, head.id, found[head.key], links.get(head.id)) for head in others)
        similar: list[Alike] = [
            {"id": ids.shown_key(DOCUMENT, head.key), "similarity": found[head.key]} for head in others
        ]
        return {"id": ids.shown(own), "created": created, "similar": similar}

    answer = ctx.write(work)
    ctx.call.touched.extend([answer["id"], *(each["id"] for each in answer["similar"])])
    return answer


def _links(tx: Transaction, own: Record) -> dict[int, Edge]:
    """Return a document's links to similar documents, by the row id of the other end."""
    there = [edge for edge in edges.of_records(tx, [own.id]) if edge.canonical == CANONICAL]
    return {edge.target if edge.source == own.id else edge.source: edge for edge in reversed(there)}


def _relate(ctx: Context, tx: Transaction, own: Record, other: int, strength: float, old: Edge | None) -> bool:
    """Link two documents and return whether the link is new; an old one gets the strength, its state to the trash."""
    if old is None:
        edges.add(tx, Edge(own.id, other, RELATION, CANONICAL, strength, ctx.now()))
    elif old.weight != strength:
        trash.keep_edge(ctx, tx, old, own)
        edges.put(tx, replace(old, weight=strength))
    return old is None


def _alike(ctx: Context, tx: Transaction, own: Record, least: float) -> dict[str, float]:
    """Return the similarity of the documents at or above a minimum, by their stored numbers."""
    chunks: dict[str, list[int]] = {}
    for record, document in documents.all_chunks(tx):
        chunks.setdefault(document, []).append(record)
    mine = chunks.pop(own.key, [])
    if not mine or not chunks:
        return {}
    found = _by_vectors(ctx, tx, mine, chunks)
    rest = chunks.keys() - found.keys()
    if rest:
        found |= _by_words(ctx, tx, mine, chunks, rest)
    rounded = {document: round(similarity, PLACES) for document, similarity in found.items()}
    return {document: similarity for document, similarity in rounded.items() if similarity >= least}


def _by_vectors(ctx: Context, tx: Transaction, mine: Sequence[int], chunks: dict[str, list[int]]) -> dict[str, float]:
    """The similarity of each document all of whose chunks are embedded; {} where not all of the own ones are."""
    from indelible.search.likeness import Windows

    model = embeddings.model(tx, ctx.embedder.model) if ctx.embedder.model is not None else None
    if model is None:
        return {}
    windows = Windows.of(mine, embeddings.vectors(tx, model.number, mine))
    if len(windows.embedded) < len(mine):
        return {}
    found: dict[str, float] = {}
    for names, batch in _batches(chunks):
        ctx.call.stop_if_cancelled()
        found |= dict(windows.by_document(Windows.of(batch, embeddings.vectors(tx, model.number, batch)), names))
    return found


def _by_words(
    ctx: Context, tx: Transaction, mine: Sequence[int], chunks: dict[str, list[int]], wanted: Collection[str]
) -> dict[str, float]:
    """The similarity of the wanted ones of all other documents by the words of their chunks.

    The rows are read twice, and no index is held meanwhile: every recall of the process would wait for it.
    """
    from indelible.search.likeness import Rarity, Words, by_document

    def entries(members: Sequence[int]) -> "list[Entry]":
        ctx.call.stop_if_cancelled()
        return terms.of_records(tx, members)

    everything = (members for _, members in _batches({"": list(mine), **chunks}))
    words = Words(entries(mine), Rarity(map(entries, everything)))
    found: dict[str, float] = {}
    for names, members in _batches({document: chunks[document] for document in wanted}):
        place = {record: at for at, record in enumerate(members)}
        batch = sorted(entries(members), key=lambda entry: place[entry.record])
        columns = [names[place[entry.record]] for entry in batch]
        found |= dict(by_document(words.similarities(batch), columns))
    return found


def _batches(chunks: dict[str, list[int]]) -> Iterator[tuple[list[str], list[int]]]:
    """(document of each, row id of each) of the chunks, whole documents at a time."""
    names: list[str] = []
    ids: list[int] = []
    for name, own in chunks.items():
        names += [name] * len(own)
        ids += own
        if len(ids) >= TOGETHER:
            yield names, ids
            names, ids = [], []
    if ids:
        yield names, ids


# --- Relations ---


def relations_of(ctx: Context, document_id: str, max_depth: int) -> tuple[str, list[list[Step]]]:
    """Return the shown id of a record, and a list of the records at each depth along relations of either direction.

    Each record is listed once, at its least depth, strongest relation first, then by id; the first empty list ends it.
    Raises NotFound for an unknown id, Conflict for one of several things.
    """
    with ctx.store.read() as tx:
        start = ids.find(ctx, tx, "document_id", document_id, OWN_KINDS)
        name = ids.shown(start)
        seen = {start.id}
        layer = {start.id: Step(name, "", 0.0, (name,))}
        depths: list[list[Step]] = []
        while layer and len(depths) < max_depth:
            layer = _next(ctx, tx, layer, seen)
            seen |= layer.keys()
            depths += [list(layer.values())] if layer else []
    ctx.call.touched.extend([name, *(step.id for steps in depths for step in steps)])
    return name, depths


def _next(ctx: Context, tx: Transaction, layer: dict[int, Step], seen: set[int]) -> dict[int, Step]:
    """Return the records one relation further, by row id and in order, each with its strongest relation."""
    ways = [
        (edge, near, far)
        for edge in edges.of_records(tx, list(layer))
        for near, far in ((edge.source, edge.target), (edge.target, edge.source))
        if near in layer and far not in seen
    ]
    ends = {far for _, _, far in ways}
    named = records.keys_of(tx, ends - visibility.hidden(ctx, tx, ends))
    found: dict[int, Step] = {}
    place = {record: at for at, record in enumerate(layer)}
    for edge, near, far in sorted(ways, key=lambda way: (-way[0].weight, place[way[1]], way[0].id)):
        if far in named and far not in found:
            id_ = ids.shown_key(*named[far])
            found[far] = Step(id_, edge.relation, edge.weight, (*layer[near].path, id_))
    return dict(sorted(found.items(), key=lambda pair: (-pair[1].strength, pair[1].id)))
