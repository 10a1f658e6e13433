"""A store's change to another dense model: recall goes on by the old one until the new one has embedded all.

The new vectors stand beside the old ones, so that a recall always compares with all records, whenever the process is
killed and whichever process has not heard of the change yet: what it searches stays whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from indelible import tracing
from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.core.indexes.embedder import Embedder
from indelible.core.indexes.model_choice import Choice, Named
from indelible.core.records import calibration, embedding_queue
from indelible.core.records.embedding_queue import BATCH, LEASE, parts_of, short_work
from indelible.embed.base import Embedding
from indelible.errors import StoreError
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import changes, embeddings, leases, records, terms

# Imported late (start, cli): indelible.search.index.vectors

WORK = "dense model"  # the lease of the process that embeds anew
KEPT = 7 * 24 * 3600 * 1_000_000  # microseconds that the vectors of a model are kept after it was left
DROPPED = 500  # records a transaction
_TOP = (1 << 63) - 1  # above every record


def choose(ctx: Context, named: Named) -> Choice:
    """Choose a model for the store, and return the choice: at once where it has embedded all that is embedded."""

    def work(tx: Transaction) -> None:
        model_choice.put(tx, model_choice.read(tx).to(named))

    ctx.store.write(work)
    _switch(ctx)
    return _follow(ctx)


def choose_reranker(ctx: Context, named: Named | None) -> None:
    """Choose a cross-encoder for the store, None for none: recall is ordered by it from the next one on."""

    def work(tx: Transaction) -> None:
        model_choice.put(tx, replace(model_choice.read(tx), reranker=named))

    ctx.store.write(work)
    _follow(ctx)


def is_under_way(ctx: Context) -> bool:
    """Whether another model is to take over, and this process follows what the store has chosen."""
    with ctx.store.read() as tx:
        return ctx.embedder.follows_the_store and model_choice.read(tx).wanted is not None


def left_to_embed(ctx: Context) -> int:
    """Return how many records the model that is to take over has not embedded yet; 0 where none `is_under_way`."""
    with ctx.store.read() as tx:
        wanted = model_choice.read(tx).wanted
        if wanted is None or not ctx.embedder.follows_the_store:
            return 0
        counts = embeddings.count_by_model(tx)
        every = max((count for name, count in counts.items() if name != wanted.model), default=0)
    return max(0, every - counts.get(wanted.model, 0))


def advance(ctx: Context, goes_on: Callable[[], bool]) -> int:
    """Embed records by the model that is to take over while `goes_on` says so; return how many.

    The newest first, one process at a time. When all are embedded the store changes to it. Does nothing where no change
    is under way or the model is not loaded yet, which it is woken for.
    """
    wanted, incoming = _follow(ctx).wanted, ctx.embedder.incoming
    if wanted is None or incoming is None:
        return 0
    if incoming.state != "ready":
        incoming.wake()
        return 0
    if not _leased(ctx):
        return 0
    done, before = 0, _TOP
    try:
        while goes_on():
            with ctx.store.read() as tx:
                ids = embeddings.lacking(tx, _number(tx, wanted), before, BATCH)
                found = records.by_ids(tx, ids)
            if not ids:
                if before == _TOP or done == 0:
                    _switch(ctx)
                    break
                before = _TOP  # what was stored meanwhile
                continue
            batch = short_work([found[id_] for id_ in ids if id_ in found], incoming.share)
            made = _embeddings(incoming, batch) if batch else []
            if made is None:
                if len(batch) > 1:
                    continue  # the next batch is smaller
                before = batch[0].id  # a single text that did not come is tried again by the next call
                continue
            done += _keep(ctx, wanted, batch, made)
            before = min(record.id for record in batch) if batch else min(ids)
    finally:
        ctx.store.write(lambda tx: leases.release(tx, WORK, ctx.session.id))
    _follow(ctx)
    return done


def drop_left(ctx: Context) -> int:
    """Delete the vectors of models that were left longer ago than KEPT; return how many, a row a window."""
    with ctx.store.read() as tx:
        choice, last = model_choice.read(tx), records.last_id(tx)
    old = [name for name, since in choice.left.items() if since + KEPT <= ctx.now()]
    dropped = 0
    for name in old:
        for low in range(0, last + 1, DROPPED):
            dropped += ctx.store.write(lambda tx, name=name, low=low: _drop(tx, name, low))  # type: ignore[misc]

        def work(tx: Transaction, name: str = name) -> None:
            now = model_choice.read(tx)
            if name in now.left:
                model_choice.put(tx, replace(now, left={left: at for left, at in now.left.items() if left != name}))

        ctx.store.write(work)
    return dropped


def _drop(tx: Transaction, name: str, low: int) -> int:
    model = embeddings.model(tx, name)
    if model is None or name not in model_choice.read(tx).left:  # chosen again meanwhile
        return 0
    return embeddings.drop_of_model(tx, model.number, low, low + DROPPED)


def _follow(ctx: Context) -> Choice:
    with ctx.store.read() as tx:
        ctx.embedder.follow(model_choice.stored(tx))
        return model_choice.read(tx)


def _leased(ctx: Context) -> bool:
    now = ctx.now()
    return ctx.store.write(lambda tx: leases.take(tx, WORK, ctx.session.id, now, now + round(2 * LEASE * 1_000_000)))


def _number(tx: Transaction, named: Named) -> int:
    model = embeddings.model(tx, named.model)
    return 0 if model is None else model.number


def _embeddings(incoming: Embedder, batch: Sequence[Record]) -> list[Embedding] | None:
    with tracing.span("embed records", {"indelible.records": len(batch)}):
        return embedding_queue.embeddings_of(incoming, batch, LEASE)


def _keep(ctx: Context, wanted: Named, batch: Sequence[Record], made: Sequence[Embedding]) -> int:
    """Store embeddings beside the old ones, of those texts that have not changed meanwhile; return how many."""
    from indelible.search.index.vectors import pack

    def work(tx: Transaction) -> int:
        now = ctx.now()
        choice = model_choice.read(tx)
        if choice.wanted != wanted or not leases.take(
            tx, WORK, ctx.session.id, now, now + round(2 * LEASE * 1_000_000)
        ):
            return 0
        present = records.by_ids(tx, [record.id for record in batch])
        embedded = set(embeddings.lacking_of(tx, _number(tx, wanted), list(present)))
        shares_terms = _sparse_part(choice.searched) == _sparse_part(wanted)
        kept = 0
        for record, each in zip(batch, made, strict=True):
            now_there = present.get(record.id)
            if now_there is None or record.id not in embedded or parts_of(now_there) != parts_of(record):
                continue
            model = embeddings.add_model(tx, wanted.model, each.dense.shape[1])
            if model.dimensions != each.dense.shape[1]:
                raise StoreError(
                    f"{wanted.model} gave vectors of {model.dimensions} values before and gives "
                    f"{each.dense.shape[1]} now: install it again"
                )
            if not shares_terms:
                terms.put_sparse(
                    tx, record.id, each.sparse, terms.CODE_SPARSE if record.kind == "symbol" else terms.SPARSE
                )
            embeddings.put_beside(tx, record.id, model.number, pack(each.dense))
            kept += 1
        return kept

    return ctx.store.write(work)


def _sparse_part(named: Named) -> str:
    return named.model.rpartition("+")[2]


def _switch(ctx: Context) -> bool:
    """Let the wanted model take over if it has embedded all that is embedded; return whether it has."""
    with ctx.store.read() as tx:
        wanted, position = model_choice.read(tx).wanted, changes.last(tx)
        if wanted is None or embeddings.lacking(tx, _number(tx, wanted), _TOP, 1):
            return False
        null = calibration.measured(tx, wanted.model)

    def work(tx: Transaction) -> bool:
        choice = model_choice.read(tx)
        if null is not None:
            choice = replace(choice, nulls={**choice.nulls, wanted.model: null})
        changed = sorted({change.record for change in changes.since(tx, position)})
        if choice.wanted != wanted or embeddings.lacking_of(tx, _number(tx, wanted), changed):
            return False
        model_choice.put(tx, choice.switched(ctx.now()))
        return True

    return ctx.store.write(work)
