"""Texts that are not embedded yet: a recall waits a moment for a few, and says what it searched by words only."""

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from indelible.clock import sortable_text
from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.core.indexes.embedder import Question
from indelible.embed.base import Embedding
from indelible.model import CODE_KINDS, COMMIT
from indelible.store.database import Transaction
from indelible.store.tables import pending
from indelible.store.tables.pending import Group
from indelible.store.views import opening

LONGEST = 0.04  # seconds that a recall waits
LOOK = 0.003  # seconds between looks whether another process has embedded what is waited for
FEW = 8  # records; a warm encoder embeds about so many short texts in that time
MOST = 1_000  # records that are counted


@contextmanager
def settled(
    ctx: Context, text: str, kinds: Collection[str], namespace: str | None = None
) -> Iterator[tuple[Transaction, Question]]:
    """Yield a read transaction in which what was stored just now can be found by meaning, if that takes a moment only.

    With it comes the query `text`, which is encoded from the beginning; `kinds` and `namespace` are its filters (None:
    all). Where only a few of the records that they let pass are not embedded yet, and this or another process is about
    to embed them, the transaction begins at most LONGEST seconds later; never where there is no warm encoder, and not
    again for records that took longer. Those that are still not embedded in the transaction are noted in
    `ctx.call.searched`, at most MOST. A query for commits alone, which are not embedded, is not encoded.
    """
    if set(kinds) == {COMMIT}:
        with ctx.store.read() as tx:
            opening.read(tx, sortable_text(ctx.now()))
            yield tx, ctx.embedder.unasked(text)
        return
    with ctx.embedder.asking(text) as asked:
        with ctx.store.read() as tx:
            _follow(ctx, tx, asked)
            waiting = _waiting(ctx, tx, kinds, namespace)
            worth = _worth_waiting(ctx, waiting)
            if not worth:
                _note(ctx, waiting)
                yield tx, asked
                return
        _wait(ctx, asked, worth)
        with ctx.store.read() as tx:
            _follow(ctx, tx, asked)
            _note(ctx, _waiting(ctx, tx, kinds, namespace))
            yield tx, asked


def embedding_of(ctx: Context, asked: Question) -> Embedding | None:
    """Return the embedding of a query, waited for; where there is none that should be there, the call says so."""
    made = asked.embedding()
    if made is None and ctx.embedder.model is not None and not asked.foreign:
        ctx.call.searched.by_words = True
    return made


def _follow(ctx: Context, tx: Transaction, asked: Question) -> None:
    """Follow the store to the model that it has chosen: then the query is encoded by that."""
    opening.read(tx, sortable_text(ctx.now()))  # the first look of the recall, that often says that nothing waits
    if ctx.embedder.follow(model_choice.stored(tx)):
        asked.ask_again()


def _waiting(ctx: Context, tx: Transaction, kinds: Collection[str], namespace: str | None) -> list[Group]:
    """Return the newest records that pass the filters and are not embedded; none where nothing is to be embedded."""
    if ctx.embedder.model is None:
        return []
    found = pending.groups(tx, MOST, code=set(kinds) <= set(CODE_KINDS))
    if not found:
        return found
    names = ctx.scope(tx).to_read(namespace, {each.namespace for each in found})
    return [each for each in found if each.kind in kinds and (names is None or each.namespace in names)]


def _note(ctx: Context, waiting: list[Group]) -> None:
    for each in waiting:
        ctx.call.searched.unembedded.update(each.records)


def _worth_waiting(ctx: Context, waiting: list[Group]) -> set[int]:
    """Return the records that will be embedded in a moment; none where there are more than that takes."""
    records = [record for each in waiting for record in each.records]
    if not 0 < len(records) <= FEW:
        return set()
    signals = ctx.embedder.follow_up
    worth = signals.not_slow(records)
    in_work = worth and (signals.has_worker or all(each.claimed for each in waiting))
    return worth if in_work and ctx.embedder.probe() == "ready" else set()


def _wait(ctx: Context, asked: Question, records: set[int]) -> None:
    """Return when all of the records are embedded, LONGEST seconds after the query at the latest."""
    signals = ctx.embedder.follow_up
    signals.wake()  # the process that stored them may have ended
    asked.embedding()  # the texts are encoded meanwhile
    until = time.monotonic() + LONGEST
    while True:
        with ctx.store.read() as tx:
            left = pending.unembedded(tx, records)
        seconds = until - time.monotonic()
        if not left or seconds <= 0:
            signals.was_waited_for(records, left)
            return
        signals.wait_for_progress(min(LOOK, seconds))
