"""The worker that embeds the records in the embedding queue."""

import logging
import threading
import time
from collections.abc import Callable

from indelible.core.context.context import Context
from indelible.core.records import model_change, successors
from indelible.core.records.calibration import Calibration
from indelible.core.records.embedding_queue import PAUSE, any_free, embed, waiting, work_off
from indelible.errors import IndelibleError, StoreError
from indelible.store.database import Transaction
from indelible.store.tables import embeddings, pending
from indelible.toolsets.context.chats import chunk_links

log = logging.getLogger("indelible")

EVERY = 1.0  # seconds between looks at the list for what other processes stored


EARLIER_WAY = 0.75  # seconds that a memory of before this version gives way to calls: 20 of them end within a lease
WARM_UP = 60.0  # seconds that `renew` waits for a model


def wait_for_model(ctx: Context) -> None:
    """Wait until the model is loaded, and the one that is to follow it. Raises StoreError if one cannot be."""
    if ctx.embedder.model is None:
        raise StoreError("no encoder is set: INDELIBLE_ENCODER is `off`; unset it")
    for embedder in (ctx.embedder, ctx.embedder.incoming):
        if embedder is not None and not embedder.is_loaded(WARM_UP):
            raise StoreError(f"no embeddings can be made: {embedder.state}")


def renew(ctx: Context, progress: Callable[[int, int], None], *, other_models: bool = True) -> int:
    """Embed what waits, beside all processes that do, and end a change to another model; return how many were embedded.

    With `other_models` what another model embedded is embedded again. `progress` hears (done, all). Stopped at any
    moment it goes on where it was. Raises StoreError where no model comes.
    """
    wait_for_model(ctx)

    def add(tx: Transaction) -> None:
        model = embeddings.model(tx, ctx.embedder.model or "")
        pending.add_other_models(tx, model.number if model else 0)

    if other_models:
        ctx.store.write(add)
    total = 0
    while (left := waiting(ctx) + model_change.left_to_embed(ctx)) > 0 or model_change.is_under_way(ctx):
        total = max(total, left)  # others may store meanwhile
        progress(total - left, total)
        if work_off(ctx) + model_change.advance(ctx, _once()) == 0:
            wait_for_model(ctx)
            time.sleep(EVERY)  # the rest is being done by another process
    chunk_links.catch_up(ctx)
    Calibration().renew(ctx)
    successors.relate(ctx)
    progress(total, total)
    return total


def _once() -> Callable[[], bool]:
    """Return what says True the first time only."""
    answers = iter((True,))
    return lambda: next(answers, False)


class Worker:
    """A thread that embeds waiting records, from `start` to `stop`."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        self._calibration = Calibration()
        self._looked = 0.0  # when it looked last whether records wait to be embedded, while it did other work
        self._are_compared = False  # those memories that were stored before this version
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="indelible-embeddings", daemon=True)

    def start(self) -> None:
        """Start the thread, unless this process makes no embeddings or is read-only."""
        if self._ctx.embedder.model is not None and not self._ctx.settings.read_only:
            self._thread.start()

    def stop(self) -> None:
        """End. A long text that is being embedded is left: its claim runs out, and another process makes it again."""
        self._stop.set()
        self._ctx.embedder.follow_up.wake()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        signals = self._ctx.embedder.follow_up
        signals.begin()
        try:
            self._work()
        finally:
            signals.end()

    def _work(self) -> None:
        is_queued = False
        while not self._stop.is_set():
            self._ctx.embedder.follow_up.wait_for_work(EVERY)
            if self._stop.is_set():
                return
            try:
                if not is_queued:
                    chunk_links.queue_earlier(self._ctx)
                    is_queued = True
                self._look()
            except IndelibleError as error:  # a full disk, an upgraded store: say so, and try again
                log.warning("embedding", extra={"key": error.code, "message_text": str(error)})
                self._stop.wait(PAUSE)
            except Exception as error:  # the boundary of this thread: it must not end unnoticed
                log.exception("embedding", extra={"key": "accident", "message_text": type(error).__name__})
                self._stop.wait(PAUSE)

    def _look(self) -> None:
        self._ctx.embedder.wake()
        embed(self._ctx, lambda: not self._stop.is_set())
        model_change.advance(self._ctx, lambda: not self._is_needed())
        if not self._is_needed():
            self._calibration.renew(self._ctx)
        chunk_links.catch_up(self._ctx, self._is_needed)
        successors.relate(self._ctx, self._is_needed)
        if not self._are_compared and not self._is_needed():
            self._are_compared = not successors.queue_earlier(self._ctx)
            successors.relate(self._ctx, self._is_needed, EARLIER_WAY)

    def _is_needed(self) -> bool:
        """Return whether what follows the embedding must stop: there are records to embed, or the worker is to end.

        It is asked many times a second, so that the store is looked at where this process has stored something, and
        else as often as by a worker that has nothing to do.
        """
        if self._stop.is_set():
            return True
        now = time.monotonic()
        if not self._ctx.embedder.follow_up.has_work and now < self._looked + EVERY:
            return False
        self._looked = now
        return any_free(self._ctx)
