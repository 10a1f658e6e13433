"""Records that are not embedded yet: a recall waits a moment for a few, and says how many it searched by words only."""

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from indelible.core.context.context import Context
from indelible.model import CODE_KINDS
from indelible.store.database import Transaction
from indelible.store.tables import pending
from indelible.store.tables.pending import Waiting
from indelible.store.views import opening

LONGEST = 0.04  # seconds that a recall waits
LOOK = 0.003  # seconds between looks whether another process has embedded what is waited for
FEW = 8  # records; a warm encoder embeds about so many short texts in that time
MOST = 1_000  # records that are counted


@contextmanager
def settled(ctx: Context, text: str, kinds: Collection[str], namespace: str | None = None) -> Iterator[Transaction]:
    """Yield a read transaction in which what was stored just now can be found by meaning, if that takes a moment only.

    `text` is the query, `kinds` and `namespace` its filters (None: all). Where only a few of the records that they let
    pass are not embedded yet, and this or another process is about to embed them, the transaction begins at most
    LONGEST seconds later; never where there is no warm encoder, and not again for records that took longer. Those that
    are still not embedded in the transaction are noted in `ctx.call.unembedded`, at most MOST.
    """
    with ctx.store.read() as tx:
        waiting = _waiting(ctx, tx, kinds, namespace)
        if not _is_worth_waiting(ctx, waiting):
            ctx.call.unembedded.update(each.record for each in waiting)
            yield tx
            return
    _wait(ctx, text, {each.record for each in waiting}, kinds)
    with ctx.store.read() as tx:
        ctx.call.unembedded.update(each.record for each in _waiting(ctx, tx, kinds, namespace))
        yield tx


def _waiting(ctx: Context, tx: Transaction, kinds: Collection[str], namespace: str | None) -> list[Waiting]:
    """Return the newest records that pass the filters and are not embedded; none where nothing is to be embedded."""
    opening.read(tx)  # the first look of the recall, that often says that nothing waits
    if ctx.embedder.model is None:
        return []
    found = pending.newest(tx, MOST, code=set(kinds) <= set(CODE_KINDS))
    if not found:
        return found
    names = ctx.scope(tx).to_read(namespace, {each.namespace for each in found})
    return [each for each in found if each.kind in kinds and (names is None or each.namespace in names)]


def _is_worth_waiting(ctx: Context, waiting: list[Waiting]) -> bool:
    signals = ctx.embedder.follow_up
    if not 0 < len(waiting) <= FEW or signals.is_slow_for([each.record for each in waiting]):
        return False
    return (signals.has_worker or all(each.claimed for each in waiting)) and ctx.embedder.probe() == "ready"


def _wait(ctx: Context, text: str, records: set[int], kinds: Collection[str]) -> None:
    """Return when all of the records are embedded, LONGEST seconds after the query at the latest."""
    signals = ctx.embedder.follow_up
    signals.wake()  # the process that stored them may have ended
    ctx.embedder.question(text)  # remembered for the search; the texts are encoded meanwhile
    until = time.monotonic() + LONGEST
    code = set(kinds) <= set(CODE_KINDS)
    while True:
        with ctx.store.read() as tx:
            left = records & {each.record for each in pending.newest(tx, MOST, code=code)}
        seconds = until - time.monotonic()
        if not left or seconds <= 0:
            signals.was_slow_for(left)
            return
        signals.wait_for_progress(min(LOOK, seconds))
