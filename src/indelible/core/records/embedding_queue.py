"""The queue of records to be embedded: a record is found by its words at once, and by its meaning soon after."""

import uuid
from collections.abc import Callable, Sequence
from typing import NamedTuple

from indelible import tracing
from indelible.batching import never
from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import attempt_fields, solution_fields
from indelible.embed.base import Embedding, joined
from indelible.errors import StoreError
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import embeddings, pending, records, terms

# Imported late (start, cli): indelible.search.index.vectors

BATCH = 32  # records that a process claims at once
FEW = 4  # records that a process embeds which ends as soon as it has answered, and
SHORT = 2_000  # characters of them
LOADING = 5.0  # seconds that it waits for a model
MOST_TEXT = 20_000  # characters of one batch, but for a single long text
LEASE = 20.0  # seconds; another process takes over after a crash
LONGEST = 3_600.0  # seconds of a claim, and that an encoder may be asked for
PACE = 1_000.0  # assumed characters a second; fewer where batches failed
PAUSE = 10.0  # seconds after a look that failed


def keep(ctx: Context, tx: Transaction, record: int, kind: str, embedding: Embedding, owner: str = "") -> bool:
    """Replace the embedding of a record of that kind, in the transaction.

    Returns False, and stores nothing, where the record's text no longer waits for `owner` (it has changed), or where
    the model gives longer or shorter vectors than before.
    """
    name = ctx.embedder.model
    if name is None:
        raise StoreError("there is an embedding without a model; please report this")
    known = embeddings.model(tx, name)
    if known is not None and known.dimensions != embedding.dense.shape[1]:
        return False
    passed_on = (kind == "message" and pending.link_next(tx, record, owner)) or (
        kind == "memory" and pending.compare_next(tx, record, owner)
    )
    if not passed_on and not pending.done(tx, record, owner):
        return False
    from indelible.search.index.vectors import pack

    model = embeddings.add_model(tx, name, embedding.dense.shape[1])
    terms.put_sparse(tx, record, embedding.sparse, terms.CODE_SPARSE if kind == "symbol" else terms.SPARSE)
    embeddings.put(tx, record, model.number, pack(embedding.dense))
    return True


class Claim(NamedTuple):
    """Records claimed for a kind of work; `owner` is of the batch, so that its release leaves other batches' claims."""

    owner: str
    ids: list[int]


def work_off(ctx: Context) -> int:
    """Embed one batch of what waits; return how many records that were. See `embed`."""
    return len(embed(ctx))


def work_off_few(ctx: Context) -> int:
    """Embed the newest waiting records, if they are few and short; return how many.

    For a process that has no worker: what it stored would wait for the next server. It waits for a model that loads,
    as it does in the first of many commands, but not longer than LOADING.
    """
    with ctx.store.read() as tx:
        free = [each.record for each in pending.newest(tx, FEW) if not each.claimed]
        texts = [record.text for record in records.by_ids(tx, free).values()]
    if not texts or sum(map(len, texts)) > SHORT or not ctx.embedder.is_loaded(LOADING):
        return 0
    return len(embed(ctx, most=FEW))


def embed(ctx: Context, goes_on: Callable[[], bool] = never, most: int = BATCH) -> list[Record]:
    """Embed the newest waiting records, as many as are short work, and return them; none too without a model.

    At most `most` at a time. While `goes_on` says so, which is asked after each batch, the next one follows: it is
    claimed in the transaction that stores the one before. Raises StoreError where another model has the name of the
    one before.
    """
    free = _any_free_for_chosen(ctx)
    if ctx.embedder.state != "ready":
        ctx.embedder.wake()
        return []
    done: list[Record] = []
    if not free:
        return done
    held = ctx.store.write(lambda tx: claim(ctx, tx, most))
    while held.ids:
        with tracing.span("embed records", {"indelible.records": len(held.ids)}):
            stored, held = _embed_batch(ctx, held, goes_on)
        ctx.embedder.follow_up.progressed(record.id for record in stored)
        done += stored
    return done


def _embed_batch(ctx: Context, held: Claim, goes_on: Callable[[], bool]) -> tuple[list[Record], Claim]:
    """Embed what is short work of a claim; return the records, and the next claim, which may be empty."""
    owner = held.owner
    with ctx.store.read() as tx:
        known = records.by_ids(tx, held.ids)
    claimed = [known[record] for record in held.ids if record in known]
    share = ctx.embedder.share
    batch = short_work(claimed, share)
    if not batch:
        return [], Claim(owner, [])
    seconds, size = LEASE, sum(len(record.text) for record in batch)
    if size > MOST_TEXT * share:
        seconds = min(LEASE + size / (PACE * share), LONGEST)
    if len(batch) < len(claimed) or seconds > LEASE:
        _keep_claim(ctx, held, batch, seconds)
    model = ctx.embedder.model
    made = embeddings_of(ctx.embedder, batch, seconds)
    if made is None and len(batch) == 1:
        _keep_claim(ctx, held, batch, LEASE)  # until the next try: others, which it would precede, are tried first
        return [], Claim(owner, [])
    follows = made is not None and goes_on()

    def work(tx: Transaction) -> tuple[list[Record], Claim]:
        if not _is_chosen(ctx, tx, model):  # the next look follows the store
            pending.release(tx, owner, held.ids)
            return [], Claim(owner, [])
        pairs = zip(batch, made or (), strict=False)
        done = [record for record, each in pairs if keep(ctx, tx, record.id, record.kind, each, owner)]
        pending.release(tx, owner, held.ids)
        return done, claim(ctx, tx) if follows and done else Claim(owner, [])

    kept = ctx.store.write(work)
    if made and not kept[0]:
        _refuse_another_model(ctx, made[0])
    return kept


def parts_of(record: Record) -> list[str]:
    """Return the texts embedded of a record, each with windows of its own, in order.

    A chunk says little without its title, which only its first lines may name. A solution's or failure's subject begins
    its first window, the only one that a look-up of solutions compares. A prompt is not mixed with the error of its
    attempt.
    """
    if record.kind == "chunk" and record.label:
        return [f"{record.label}\n\n{record.text}"]
    if record.kind == "solution":
        return solution_fields.solution_parts(record)
    if record.kind == "failure":
        return solution_fields.failure_parts(record)
    if record.kind == "attempt":
        return attempt_fields.parts(record)
    return [record.text]


def embeddings_of(embedder: Embedder, batch: Sequence[Record], seconds: float) -> list[Embedding] | None:
    """Return the embeddings of records, those of their parts joined; None where the encoder gave none in time."""
    parts = [parts_of(record) for record in batch]
    made = embedder.texts([text for each in parts for text in each], seconds)
    if made is None:
        return None
    each = iter(made)
    return [joined([next(each) for _ in own]) for own in parts]


def _refuse_another_model(ctx: Context, embedding: Embedding) -> None:
    """Raise StoreError for vectors of another length than the model's stored ones: another model has its name."""
    name, dimensions = ctx.embedder.model or "", embedding.dense.shape[1]
    with ctx.store.read() as tx:
        known = embeddings.model(tx, name)
    if known is not None and known.dimensions != dimensions:
        raise StoreError(
            f"{name} gave vectors of {known.dimensions} values before and gives {dimensions} now: it is another model. "
            "Give it its own name in INDELIBLE_ENCODER_MODEL, then run `indelible reembed`"
        )


def claim(ctx: Context, tx: Transaction, most: int = BATCH, work: pending.Work = pending.EMBED) -> Claim:
    """Claim the newest records that wait for a kind of work, for LEASE seconds."""
    owner, now = uuid.uuid4().hex, ctx.now()
    return Claim(owner, pending.take(tx, owner, now, _after(now, LEASE), most, _after(now, LONGEST), work))


def _after(now: int, seconds: float) -> int:
    return now + int(seconds * 1_000_000)


def short_work(claimed: Sequence[Record], share: float) -> list[Record]:
    """Return as many as are short work, this share of a full batch; a long text alone, if nothing is shorter."""
    batch: list[Record] = []
    size = 0
    for record in claimed:
        if size + len(record.text) <= MOST_TEXT * share and len(batch) < max(1.0, BATCH * share):
            batch.append(record)
            size += len(record.text)
    return batch or list(claimed[:1])


def _keep_claim(ctx: Context, held: Claim, batch: Sequence[Record], seconds: float) -> None:
    """Release the claimed records outside the batch for others to embed, and keep the rest for so many seconds."""
    until, kept = _after(ctx.now(), seconds), {record.id for record in batch}

    def work(tx: Transaction) -> None:
        pending.release(tx, held.owner, set(held.ids) - kept)
        pending.prolong(tx, held.owner, kept, until)

    ctx.store.write(work)


def embedding_of(ctx: Context, tx: Transaction, record: int) -> Embedding | None:
    """Return the stored embedding of a record by the model that this process uses, None if there is none."""
    model = embeddings.model(tx, ctx.embedder.model) if ctx.embedder.model is not None else None
    rows = embeddings.vectors(tx, model.number, [record]) if model is not None else []
    if model is None or not rows:
        return None
    entries = terms.sparse_of_records(tx, model.number, [record])
    return Embedding.stored([body for _, body in rows], entries[0] if entries else None)


def waiting(ctx: Context) -> int:
    """Return how many records are not embedded yet."""
    with ctx.store.read() as tx:
        return pending.count(tx)


def _any_free_for_chosen(ctx: Context) -> bool:
    """Follow the store to the model that it has chosen, and return what `any_free` does."""
    with ctx.store.read() as tx:
        ctx.embedder.follow(model_choice.stored(tx))
    return any_free(ctx)


def _is_chosen(ctx: Context, tx: Transaction, model: str | None) -> bool:
    """Whether a model is the one that embeds new texts, as of the transaction."""
    return ctx.embedder.model == model and (
        not ctx.embedder.follows_the_store or model_choice.read(tx).searched.model == model
    )


def any_free(ctx: Context, work: pending.Work = pending.EMBED) -> bool:
    """Whether any record that waits for a kind of work is unclaimed and its last try did not just fail."""
    now = ctx.now()
    with ctx.store.read() as tx:
        return pending.any_free(tx, now, _after(now, LONGEST), work)
