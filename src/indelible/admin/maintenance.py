"""Housekeeping of a server between calls: flush delayed writes, refresh caches, seal, trim, back up, index vectors."""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial

from indelible import batching
from indelible.admin import backups, tokenizer
from indelible.capture import ingest, spool
from indelible.core.context.answering import HANDED_OVER
from indelible.core.context.context import Context
from indelible.core.indexes import sealing
from indelible.core.records import model_change
from indelible.errors import IndelibleError, StoreError
from indelible.sanitize.validate import redaction_lines
from indelible.settings import DAY
from indelible.stderr import say
from indelible.store.database import Transaction, shared
from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import activity, applied, changes, events, leases, records, trash
from indelible.store.views import code_links as links
from indelible.toolsets.lifecycle import forget

# Imported late (start): indelible.admin.checks.rows, indelible.admin.purge, indelible.toolsets.code.links

log = logging.getLogger("indelible")

EVERY = 0.5  # seconds between rounds
RARELY = 2.0  # the same for another tenant than the server's own: there may be many
TAKEN_IN = 250  # changes that the caches take in at a time: some milliseconds
MOST_CHANGES = 1_000_000  # rows of the change log
SOME_CHANGES = 1_000  # before blocks are looked at again
LEASE = 120_000_000  # microseconds
DRAINED = 6  # rounds between looks into the spool
LINKING = 0.2  # seconds of a round
READING = 0.5  # the same, of reading words again; it gives way to calls
PURGING = "purge*.json"  # what a purge has still to do, as `purge_journal` names it
PAUSE = 10  # seconds after a round that failed
NEIGHBORS_FIRST, NEIGHBORS_EVERY = 120.0, 600.0  # seconds until the first look at the vector indexes, and between looks
COUNTED_AFTER, COUNTED_AGAIN = 32, 4  # batches of bulk work, and times as many, after which a server counts its rows
NEIGHBORS_LEASE = 600_000_000  # microseconds: a build beyond it is not disturbed, the tables are locked against another


class Housekeeper:
    """A thread that does a round every half second, from `start` to `stop`."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        self._stop = threading.Event()
        self._neighbors = NeighborUpkeep(ctx)
        self._thread = threading.Thread(target=self._run, name="indelible-housekeeper", daemon=True)
        self._rounds = 0
        self._drains = False
        self._checked = 0  # position in the change log at which blocks were last looked at
        self._words_are_current = False  # all read by this version's tokenizer

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the round that runs, then end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._neighbors.stop()

    def _run(self) -> None:
        while not self._stop.wait(EVERY if self._ctx.settings.own_machine else RARELY):
            try:
                self._round()
            except IndelibleError as error:  # a full disk, an upgraded store: say so, and try again
                log.warning("housekeeping", extra={"key": error.code, "message_text": str(error)})
                self._stop.wait(PAUSE)
            except Exception as error:  # the boundary of this thread: it must not end unnoticed
                log.exception("housekeeping", extra={"key": "accident", "message_text": type(error).__name__})
                self._stop.wait(PAUSE)

    def _round(self) -> None:
        self._rounds += 1
        ctx = self._ctx
        self._give_way()
        ctx.write_behind.flush()
        if ctx.indexes.records.loaded:
            self._follow()
            ctx.indexes.graph.whole.refresh(ctx.store)
            self._refresh_limited()
            self._give_way()
            ctx.indexes.records.compact(self._give_way)
        if ctx.indexes.vectors.loaded:
            self._give_way()
            with ctx.store.read() as tx, ctx.indexes.vectors.current(tx):
                pass
        if ctx.settings.read_only:
            return
        self._give_way()
        if ctx.settings.own_machine and (self._rounds % DRAINED == 1 or self._drains):
            self._drains = False  # one that fails is tried again later, and the rest of the work goes on
            for line in redaction_lines(ingest.drain(ctx, most=ingest.BATCH).redacted):
                log.warning("capture", extra={"key": "redacted", "message_text": line})
            self._drains = not spool.is_empty(ctx.settings.inbox)  # then more of it in the next round
        self._link()
        if not self._words_are_current:
            self._words_are_current = read_words_again(ctx, READING)
        if self._rounds % 10 == 0:
            self._seal()
        if self._rounds % 120 == 2:
            self._tidy()
            self._neighbors.look()

    def _give_way(self) -> None:
        """Let the calls that are being answered go before the next piece of a round, of whichever tenant they are."""
        self._ctx.answering.give_way(self._stop.is_set, quiet=HANDED_OVER)

    def _follow(self) -> None:
        """Bring the index up to date, so that the next recall need not.

        It takes in a little at a time: an import writes thousands of records between two rounds.
        """
        ctx, is_current = self._ctx, False
        while not (is_current or self._stop.is_set()):
            self._give_way()
            with ctx.store.read() as tx:
                is_current = ctx.indexes.records.follow(tx, TAKEN_IN)
                if is_current:
                    with ctx.indexes.records.current(tx, ctx.embedder.model):
                        pass  # being there loads what of the model is not loaded yet
                    ctx.indexes.graph.refresh(tx)

    def _tidy(self) -> None:
        """Do the rare tasks: those of this machine in each of its servers, those of the store in one of its servers."""
        ctx = self._ctx
        if ctx.settings.own_machine:
            ingest.sweep(ctx)
        if with_lease(ctx, "daily"):
            trim(ctx)
            forget.fold_daily(ctx)
            model_change.drop_left(ctx)
            if ctx.settings.own_machine:
                backups.daily(ctx)
        if ctx.settings.own_machine:
            self._purge()

    def _purge(self) -> None:
        """Finish a purge that was interrupted, in case no one repeats it."""
        if not any(self._ctx.settings.data.glob(PURGING)):
            return
        from indelible.admin import purge  # with much that a server does without

        done = purge.go_on(self._ctx)
        if done is not None:
            what = "is blocked by another reader of the store" if done.is_blocked else "was killed is done now"
            log.warning("purge", extra={"key": "purge", "message_text": f"a purge that {what}"})

    def _link(self) -> None:
        """Link new texts to the code that they name, for at most a fifth of a second, since other tasks wait."""
        with self._ctx.store.read() as tx:
            if not links.any_repository(tx):
                return
        from indelible.toolsets.code import links as code_links

        until = time.monotonic() + LINKING
        code_links.catch_up(self._ctx, lambda: self._stop.is_set() or time.monotonic() > until)

    def _refresh_limited(self) -> None:
        """Compute the graph scores of callers limited to namespaces, one of them at a time."""
        for namespaces, own in self._ctx.indexes.in_use():
            if own.graph.waits:
                with LimitedStore(self._ctx.store, namespaces, "").read() as tx:
                    if own.graph.refresh(tx) is not None:
                        return

    def _seal(self) -> None:
        with self._ctx.store.read() as tx:
            position = changes.last(tx)
        if position - self._checked > SOME_CHANGES:
            self._checked = position
            seal_due(self._ctx)


class NeighborUpkeep:
    """Maintains the vector indexes in a thread of its own, since building one takes minutes."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        database = shared(ctx.store)
        self._indexes = None if database is None else database.neighbor_indexes()
        self._thread: threading.Thread | None = None
        self._next = time.monotonic() + NEIGHBORS_FIRST
        self._stopped = False

    def look(self) -> None:
        """Start `run`, if it is due and not under way."""
        if self._indexes is None or time.monotonic() < self._next:
            return
        if self._thread is not None and self._thread.is_alive():
            return
        self._next = time.monotonic() + NEIGHBORS_EVERY
        self._thread = threading.Thread(target=self.run, name="indelible-neighbors", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End what runs; it is begun again by the next look of whichever process."""
        self._stopped = True
        if self._indexes is not None:
            self._indexes.stop()
        if self._thread is not None:
            self._thread.join()

    def run(self) -> None:
        """Build the indexes that are due, if no other process has the lease."""
        if self._indexes is None:
            return
        ctx = self._ctx
        try:
            if with_lease(ctx, "neighbors", NEIGHBORS_LEASE):
                for done in self._indexes.keep(ctx.store.tenant):
                    log.info("neighbors", extra={"key": done})
        except IndelibleError as error:  # busy, stopped, no rights: recall goes on without the index
            level = logging.INFO if self._stopped else logging.WARNING
            log.log(level, "neighbors", extra={"key": error.code, "message_text": str(error)})


def with_lease(ctx: Context, name: str, length: int = LEASE) -> bool:
    """Return whether this process gets the lease for a piece of background work now, for `length` microseconds."""
    now = ctx.now()
    return ctx.store.write(lambda tx: leases.take(tx, name, ctx.session.id, now, now + length))


def read_words_again(ctx: Context, seconds: float) -> bool:
    """Index records again whose words an older tokenizer read, for about so long; return whether none are left.

    One process of all does it; another goes on where it stops.
    """
    if tokenizer.is_current(ctx):
        return True
    if not with_lease(ctx, "tokenizer"):
        return False
    until = time.monotonic() + seconds
    with ctx.store.read() as tx:
        last = tokenizer.place(tx).last
        if last is not None and not records.after(tx, last, 1):
            last = None
    if last is not None:
        last = _read_after(ctx, last, until)
    if last is None:
        ctx.store.write(lambda tx: tokenizer.put(tx, None))
        ctx.store.write(lambda tx: leases.release(tx, "tokenizer", ctx.session.id))
    return last is None


def _read_after(ctx: Context, last: int | None, until: float) -> int | None:
    """Read words again after a row id, until a time; return the last row id that was read, None where all were."""
    from indelible.admin.checks import rows  # with much that a server of a new store does without: numpy

    while last is not None and time.monotonic() < until:
        ctx.answering.give_way(lambda: time.monotonic() >= until)
        last = rows.index_words_again(ctx, last, tokenizer.put)
    return last


def seal_due(ctx: Context) -> int:
    """Seal the blocks that are worth it, if no other process does; return how many."""
    due = sealing.blocks_due(ctx.store)
    if not due or not with_lease(ctx, "seal"):
        return 0
    sealing.refresh_positions(ctx.store)
    for space, block in due:
        sealing.seal(ctx.store, space, block, partial(ctx.answering.give_way, quiet=HANDED_OVER))
    ctx.store.write(lambda tx: leases.release(tx, "seal", ctx.session.id))
    return len(due)


def bulk_pause(ctx: Context) -> Callable[[], None]:
    """Return the function that bulk work calls between its batches: it yields to others, and defers sealing to the end.

    Sealing by a server meanwhile would be wasted, since the bulk work seals once at its end. A database server counts
    its rows now and then, since it would take those of a tenant that was small for few until a time of its own: where
    it cannot, that is said, and the work goes on. Of an empty store it is noted that this version's tokenizer reads it.
    """
    tokenizer.begin(ctx)
    database = shared(ctx.store)
    renew_at, batches, count_at = 0, 0, COUNTED_AFTER

    def pause() -> None:
        nonlocal renew_at, batches, count_at
        batches += 1
        if database is not None and batches == count_at:
            count_at *= COUNTED_AGAIN
            try:
                database.count_rows()
            except StoreError as error:
                say(f"note: what was stored is kept, and searches may be slow for some time: {error}")
        if ctx.now() > renew_at:
            renew_at = ctx.now() + LEASE // 4
            with_lease(ctx, "seal")
        batching.breathe()

    return pause


def trim(ctx: Context) -> None:
    """Delete data whose retention has ended: changes, keys, trash, events, activity; in small transactions."""
    now, limits = ctx.now(), ctx.settings

    def some(tx: Transaction) -> int:
        last = changes.last(tx)
        return (
            changes.trim(tx, now - limits.change_days * DAY, last - MOST_CHANGES)
            + applied.trim(tx, now - limits.applied_days * DAY)
            + trash.trim(tx, now - limits.trash_days * DAY)
            + events.fold(tx, now - limits.event_days * DAY)
            + activity.trim(tx, now - limits.event_days * DAY)
        )

    while ctx.store.write(some):
        batching.breathe()
