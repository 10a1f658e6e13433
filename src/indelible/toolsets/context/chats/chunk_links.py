"""Linking messages to the chunks that they are about: by words when they are stored, and by embeddings later again.

A message that was linked by its words is marked in its metadata (`linked: by words`); when it is embedded it goes on,
on the list of work that waits, to be linked again by a worker. Of links that a caller made only the strength is
measured again (`linked: measured by words`), where the message or a chunk was not embedded yet.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indelible import tracing
from indelible.batching import never
from indelible.core.context.context import Context
from indelible.core.context.visibility import may_limit
from indelible.core.indexes.record_index import Caches
from indelible.core.recall.candidates import Query, ask, retrieval
from indelible.core.records import embedding_queue
from indelible.core.records.embedding_queue import embedding_of
from indelible.embed.base import Embedding
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.namespace_filter import LimitedTransaction, whole
from indelible.store.tables import pending, records, settings
from indelible.store.views import chunk_links
from indelible.store.views.chunk_links import LINKED, MEASURED_BY_WORDS

if TYPE_CHECKING:
    from indelible.search.relevance import Relevance
    from indelible.search.retrieval import Retrieval

CHUNKS = ("chunk",)
MOST = 5  # chunks that a message is about
BESIDE_THE_BEST = 0.6  # of the nearest chunk's relevance that any other must have
WANTED = 50  # candidates that are measured
LONGEST_ASKED = 2_000  # characters of a message whose words are compared: a text is about what it begins with
MOST_WINDOWS = 4  # of a long message whose vectors are compared
TOGETHER = 20  # messages that are claimed at a time
QUEUED = "messages to link are queued"  # a setting: those that earlier versions have marked are on the list
EARLIER = "messages linked up to"  # theirs

Strengths = dict[int, float]  # by the row ids of chunks, 0..1, strongest first


def about(ctx: Context, text: str, linked: Sequence[int] = ()) -> Strengths:
    """Return the chunks that a text is about by its words (at most five), and those linked already."""
    with ctx.store.read() as tx:
        return _with_linked(ctx, tx, text, ctx.scope(tx).own, None, linked)


def strengths(ctx: Context, message: Record | None, chunks: Sequence[int]) -> tuple[Strengths, bool]:
    """Return the similarity of a message to each of these chunks (row ids); 1 if it has no text.

    The second value is False if the result may change later, because the message or a chunk is not embedded yet.
    """
    if message is None or not message.text:
        return dict.fromkeys(chunks, 1.0), True
    with ctx.store.read() as tx:
        embedding = embedding_of(ctx, tx, message.id)
        return _measured(ctx, tx, message.text, embedding, chunks), _is_known(ctx, tx, embedding)


def _is_known(ctx: Context, tx: Transaction, embedding: Embedding | None) -> bool:
    """Return whether a text and all chunks are embedded."""
    return embedding is not None and not chunk_links.any_chunk_waits(tx)


def put(ctx: Context, tx: Transaction, message: int, found: Strengths) -> None:
    """Link a message to those of the chunks that still exist; existing links get the new strength."""
    there = records.keys_of(tx, found)
    for chunk, strength in found.items():
        if chunk in there:
            chunk_links.put(tx, message, chunk, strength, ctx.now())


def catch_up(ctx: Context, stop: Callable[[], bool] = never) -> int:
    """Link again the messages that were linked by words and are embedded now; return how many. `stop` ends it early.

    They are on the list of work that waits; each is claimed, so that no other process links it at the same time.
    """
    done = 0
    while ctx.embedder.model is not None and not stop() and embedding_queue.any_free(ctx, pending.LINK):
        claim = ctx.store.write(lambda tx: embedding_queue.claim(ctx, tx, TOGETHER, pending.LINK))
        for message in claim.ids:
            if stop():
                _release(ctx, claim)
                return done
            with tracing.span("link message"):
                done += _link_again(ctx, message, claim.owner)
    return done


def _release(ctx: Context, claim: embedding_queue.Claim) -> None:
    ctx.store.write(lambda tx: pending.release(tx, claim.owner, claim.ids))


def queue_earlier(ctx: Context) -> None:
    """Put on the list what earlier versions have marked: they looked for the marks, from a row id in a setting on."""
    with ctx.store.read() as tx:
        if settings.find(tx, QUEUED) is not None:
            return
        found = pending.unlinked(tx)

    def work(tx: Transaction) -> None:
        there = records.keys_of(tx, found)
        for message in there:
            pending.add_link(tx, message)
        settings.drop(tx, EARLIER)
        settings.put(tx, QUEUED, "1")

    ctx.store.write(work)


def measure_later(ctx: Context, tx: Transaction, message: Record) -> None:
    """Mark a message so that its links are measured again when it and all chunks are embedded."""
    if LINKED not in message.metadata:
        records.update(tx, replace(message, metadata={**message.metadata, LINKED: MEASURED_BY_WORDS}))
        pending.add_link(whole(tx), message.id)


def _link_again(ctx: Context, message: int, owner: str) -> bool:
    """Link a message that `owner` has claimed; False where it is tried again after the claim.

    That is where it cannot be linked now, or where a chunk is not embedded yet, as another process may be doing.
    """
    with ctx.store.read() as tx:
        known = records.by_ids(tx, [message]).get(message)
        if known is None or embedding_of(ctx, tx, message) is None:
            return False
        is_all = not chunk_links.any_chunk_waits(whole(tx))
        found = _found_again(ctx, tx, known) if LINKED in known.metadata else {}

    def work(tx: Transaction) -> bool:
        now = records.by_ids(tx, [message]).get(message)
        if now is None or now.text != known.text or now.metadata.get(LINKED) != known.metadata.get(LINKED):
            return False
        if LINKED in known.metadata and not is_all:
            put(ctx, tx, message, found)
            return False
        if not pending.done(tx, message, owner) or LINKED not in known.metadata:
            return False
        put(ctx, tx, message, found)
        rest = {name: value for name, value in now.metadata.items() if name != LINKED}
        records.update(tx, replace(now, metadata=rest))  # bookkeeping: nothing that an undo should bring back
        return True

    return ctx.store.write(work)


def _found_again(ctx: Context, tx: Transaction, message: Record) -> Strengths:
    """Return the chunks that a message is linked to by its embedding.

    If callers may be limited to the message's namespace, its chunks are searched and measured as if nothing else were
    stored: links could otherwise reveal which texts of other namespaces are similar to their messages. Results of a
    search of the whole store are added to these and displace none.
    """
    found = _searched_again(ctx, tx, message)
    if not message.namespace or not may_limit(ctx, tx):
        return found
    own = LimitedTransaction(tx, frozenset({message.namespace}), "")
    inside = records.keys_of(own, found)
    beside = {chunk: strength for chunk, strength in found.items() if chunk not in inside}
    return _searched_again(ctx, own, message) | beside


def _searched_again(ctx: Context, tx: Transaction, message: Record) -> Strengths:
    embedding = embedding_of(ctx, tx, message.id)
    linked = [chunk.id for chunk in chunk_links.of_message(tx, message.id)]
    if message.metadata[LINKED] == MEASURED_BY_WORDS:
        return _measured(ctx, tx, message.text, embedding, linked)
    return _with_linked(ctx, tx, message.text, message.namespace, embedding, linked)


# --- Search ---


def _with_linked(
    ctx: Context, tx: Transaction, text: str, namespace: str, embedding: Embedding | None, linked: Sequence[int]
) -> Strengths:
    found = _found(ctx, tx, text, namespace, embedding)
    return found | _measured(ctx, tx, text, embedding, [chunk for chunk in linked if chunk not in found])


def _found(ctx: Context, tx: Transaction, text: str, namespace: str, embedding: Embedding | None) -> Strengths:
    """Return the chunks that a text of a project is about, nearest first, then newest: of that project or of none.

    A text of no project may be about any of them.
    """
    nearest: dict[int, tuple[float, float]] = {}
    with ctx.indexes.records.current(tx, ctx.embedder.model if embedding is not None else None) as caches:
        for asked in _windows(embedding):
            for record, found in _found_by(_search(ctx, tx, text, caches, asked, namespace or None)).items():
                nearest[record] = max(found, nearest.get(record, found))
    best = sorted(nearest, key=lambda record: (-nearest[record][0], -record))[:MOST]
    return {record: nearest[record][1] for record in best}


def _found_by(search: "Retrieval") -> dict[int, tuple[float, float]]:
    """Return rank score and strength of each chunk found for one window, without those far behind the best."""
    measured = search.measured(search.best(WANTED)[0])
    about = measured.relevance.take(search.about(measured))
    found = {record: (near.value, _strength(near)) for record, near in about.by_id().items()}
    least = BESIDE_THE_BEST * max((rank for rank, _ in found.values()), default=0.0)
    return {record: value for record, value in found.items() if value[0] >= least}


def _measured(
    ctx: Context, tx: Transaction, text: str, embedding: Embedding | None, chunks: Sequence[int]
) -> Strengths:
    found = dict.fromkeys(chunks, 0.0)
    if not chunks:
        return found
    with ctx.indexes.records.current(tx, ctx.embedder.model if embedding is not None else None) as caches:
        for asked in _windows(embedding):
            search = _search(ctx, tx, text, caches, asked, None)
            for record, near in search.measured(search.ids(chunks)).relevance.by_id().items():
                found[record] = max(found[record], _strength(near))
    return found


def _strength(near: "Relevance") -> float:
    """Return the similarity of message and chunk, 0..1: by embeddings, or by words where there are none."""
    return min(1.0, max(0.0, float(near.overlap if near.by_words else near.similarity)))


def _windows(embedding: Embedding | None) -> Sequence[Embedding | None]:
    """Return the embedding of each window of a long text, or [None] (search by words) without an embedding."""
    if embedding is None:
        return [None]
    count = min(MOST_WINDOWS, len(embedding.dense))
    return [replace(embedding, dense=embedding.dense[at : at + 1]) for at in range(count)]


def _search(
    ctx: Context, tx: Transaction, text: str, caches: Caches, asked: Embedding | None, namespace: str | None
) -> "Retrieval":
    words = text[:LONGEST_ASKED]
    query = Query(words, MOST, namespace=namespace, kinds=CHUNKS, shared=True)
    search = retrieval(ctx, tx, query, words, caches, WANTED)
    ask(search, asked)
    return search
