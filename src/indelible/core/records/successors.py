"""Possible newer versions: an embedded memory is compared with the memories nearest to it, as work that follows.

Where one says another value of what the other says, the newer is related to the older by MAY_SUPERSEDE, which replaces
nothing. A caller refuses a relation by giving it the weight 0; it stays so, and is not made again.
"""

import json
import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from indelible import tracing
from indelible.batching import never
from indelible.core.context.context import Context
from indelible.core.records import embedding_queue
from indelible.core.records.trust import is_confirmed
from indelible.dataclass import dataclass
from indelible.model import MAY_SUPERSEDE, Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, pending, records, settings

if TYPE_CHECKING:
    from indelible.core.indexes.record_index import Caches
    from indelible.embed.base import Embedding
    from indelible.search.relevance import Measured

# Imported late (start, cli): indelible.search.retrieval, indelible.search.statements.versions

TOGETHER = 20  # memories that are claimed at a time
NEAREST = 12  # memories of the same namespace that each is compared with
MOST = 3  # older ones that it is related to, and newer ones
LONGEST_ASKED = 400  # characters of it whose words are searched
ORIGIN = "versions"  # in the metadata of relations that are made here
EARLIER = 20  # memories of earlier versions that are put on the list at a time
_ALL = 1 << 62  # above every row id
QUEUED = "versions compared"  # a setting: by which version, and from which row id on those stored before it are


@dataclass(frozen=True, slots=True)
class _Compared:
    """A memory as it was compared, and the relations that this makes."""

    record: Record
    relations: list[Edge]


def relate(ctx: Context, stop: Callable[[], bool] = never, longest: float | None = None) -> int:
    """Compare the memories that wait for it; return how many were. `stop` ends it early.

    Each gives way to calls, `longest` seconds at most, see `Answering.give_way`.

    They leave the list in the transaction that stores their relations: a process that ends before leaves them to the
    next, which makes the same relations.
    """
    done = 0
    while not stop() and _any_free(ctx):
        done += _relate_newest(ctx, TOGETHER, stop, longest)
    return done


def relate_few(ctx: Context) -> int:
    """Compare the newest memories that wait for it, a few at most; return how many were.

    For a process that has no worker, as `embedding_queue.work_off_few`.
    """
    return _relate_newest(ctx, embedding_queue.FEW) if _any_free(ctx) else 0


def _any_free(ctx: Context) -> bool:
    return ctx.embedder.model is not None and embedding_queue.any_free(ctx, pending.COMPARE)


def _relate_newest(ctx: Context, most: int, stop: Callable[[], bool] = never, longest: float | None = None) -> int:
    claim = ctx.store.write(lambda tx: embedding_queue.claim(ctx, tx, most, pending.COMPARE))
    with tracing.span("compare memories", {"indelible.records": len(claim.ids)}):
        return _relate_claimed(ctx, claim, stop, longest)


def _relate_claimed(ctx: Context, claim: embedding_queue.Claim, stop: Callable[[], bool], longest: float | None) -> int:
    compared = []
    for record in claim.ids:
        ctx.answering.give_way(stop, longest=longest)
        if stop():
            break
        compared.append(_compared(ctx, record))
    return ctx.store.write(partial(_keep, ctx, claim, compared))


def queue_earlier(ctx: Context) -> bool:
    """Put some memories that were embedded before this version on the list, the last first; whether any may be left.

    Where that is stands in the store, and moves in the transaction that queues them: each is queued once, whichever
    process does it and whenever one ends. Nothing is queued while anything waits: what is new is compared first.
    """
    from indelible.search.statements import versions

    if any(embedding_queue.any_free(ctx, work) for work in (pending.EMBED, pending.COMPARE)):
        return True
    with ctx.store.read() as tx:
        before = _before(stored := settings.find(tx, QUEUED))
        found = pending.memories_before(tx, before, EARLIER) if before else []
    if not before:
        return False
    last = found[-1] if len(found) == EARLIER else 0

    def work(tx: Transaction) -> None:
        if settings.find(tx, QUEUED) == stored:  # else another process did it
            pending.add_compare(tx, found)
            settings.put(tx, QUEUED, json.dumps([versions.VERSION, last]))

    ctx.store.write(work)
    return last > 0


def _before(stored: str | None) -> int:
    """Return the row id before which no memory was queued for this version, 0 where all were."""
    from indelible.search.statements import versions

    version, before = json.loads(stored) if stored is not None else (0, 0)
    return int(before) if version == versions.VERSION else _ALL


def _keep(ctx: Context, claim: embedding_queue.Claim, compared: Sequence[_Compared | None], tx: Transaction) -> int:
    """Store the relations of what still is as it was compared; return how many memories leave the list."""
    kept = 0
    for record, each in zip(claim.ids, compared, strict=False):
        if pending.done(tx, record, claim.owner):  # else its text has changed: it is embedded, and compared, again
            kept += 1
            if each is not None:
                _relate(tx, each)
    pending.release(tx, claim.owner, claim.ids)
    return kept


def _relate(tx: Transaction, compared: _Compared) -> None:
    """Store the relations whose ends still exist, and drop those of an earlier text or an earlier judgement."""
    from indelible.search.statements import versions

    record = compared.record
    there = records.keys_of(tx, {end for edge in compared.relations for end in (edge.source, edge.target)})
    found = {(edge.source, edge.target) for edge in compared.relations}
    for edge in edges.of_records(tx, [record.id]):
        if edge.canonical != MAY_SUPERSEDE or edge.metadata.get("origin") != ORIGIN or not 0 < edge.weight < 1:
            continue  # what a caller has related, refused or made certain stays
        is_of_earlier_text = record.created < record.updated > edge.created and (edge.source, edge.target) not in found
        if is_of_earlier_text or edge.metadata.get("judged", 1) < versions.VERSION:
            edges.delete(tx, edge)
    for edge in compared.relations:
        if edge.source in there and edge.target in there:
            edges.add(tx, edge)


def _compared(ctx: Context, record: int) -> _Compared | None:
    """Return a memory and its relations; None where it is gone, or not embedded by the model of this process."""
    with ctx.store.read() as tx:
        known = records.by_ids(tx, [record]).get(record)
        embedding = None if known is None else embedding_queue.embedding_of(ctx, tx, record)
        if known is None or embedding is None:
            return None
        with ctx.indexes.records.current(tx, ctx.embedder.model) as caches:
            near = _nearest(known, embedding, caches)
        others = records.by_ids(tx, list(near))
    return _Compared(known, _relations(ctx.now(), known, others.values(), near))


def _nearest(record: Record, embedding: "Embedding", caches: "Caches") -> dict[int, float]:
    """Return the nearest memories of the same namespace, by row id, and the cosine of each to the memory."""
    from indelible.search.retrieval import Asked, Filters, Meant, Retrieval, Snapshot

    meaning, words = caches.meaning, caches.words
    if meaning is None:
        return {}
    meant = Meant(
        meaning.model.dimensions,
        meaning.sparse,
        lambda vector, passing: meaning.nearest(vector, words, passing),
        meaning.read,
        meaning.scale,
    )
    asked = record.text[:LONGEST_ASKED]
    filters = Filters((record.kind,), None, {record.namespace})
    search = Retrieval(Asked(asked, asked), Snapshot(words, meant), filters, wanted=NEAREST)
    search.ask(embedding.dense[0], embedding.sparse.terms, embedding.sparse.weights)
    measured: Measured = search.measured(search.best(NEAREST)[0])
    found = sorted(zip(measured.cosines.tolist(), measured.ids.tolist(), strict=True), reverse=True)
    return {other: cosine for cosine, other in found if other != record.id}


def _relations(now: int, record: Record, others: Iterable[Record], near: dict[int, float]) -> list[Edge]:
    """Return the relations of a memory to its nearest, at most MOST to older and from newer ones, the surest."""
    from indelible.search.statements import versions

    older: list[tuple[float, Edge]] = []
    newer: list[tuple[float, Edge]] = []
    nearest = sorted(others, key=lambda other: -near[other.id])[:NEAREST]
    for other in nearest:
        late, early = sorted((record, other), key=lambda each: (each.created, each.id), reverse=True)
        if early.replaced or (is_confirmed(early) and not is_confirmed(late)):
            continue  # it is known to be replaced, or a mere capture would come before what was stated
        odds = versions.surest(late.text, early.text, near[other.id])
        if odds > versions.LEAST_ODDS:
            sure = 1 / (1 + math.exp(-odds))
            metadata = {"origin": ORIGIN, "judged": versions.VERSION}
            edge = Edge(late.id, early.id, MAY_SUPERSEDE, MAY_SUPERSEDE, round(sure, 3), now, metadata)
            (older if late is record else newer).append((odds, edge))
    return [edge for some in (older, newer) for _, edge in sorted(some, key=lambda each: -each[0])[:MOST]]
