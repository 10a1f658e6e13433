"""Background maintenance of the database's vector indexes, by a server whose role owns the tables."""

import logging
import threading
import time

from indelible.core.context.context import Context
from indelible.errors import IndelibleError
from indelible.store.database import shared
from indelible.store.tables import leases

log = logging.getLogger("indelible")

FIRST, EVERY = 120.0, 600.0  # seconds until the first look, and between looks
LEASE = 600_000_000  # microseconds: who builds beyond it is not disturbed, the tables are locked against a second build


class NeighborUpkeep:
    """Maintains the vector indexes in a thread of its own, since building one takes minutes."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        database = shared(ctx.store)
        self._indexes = None if database is None else database.neighbor_indexes()
        self._thread: threading.Thread | None = None
        self._next = time.monotonic() + FIRST
        self._stopped = False

    def look(self) -> None:
        """Start `run`, if it is due and not under way."""
        if self._indexes is None or time.monotonic() < self._next:
            return
        if self._thread is not None and self._thread.is_alive():
            return
        self._next = time.monotonic() + EVERY
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
        ctx, now = self._ctx, self._ctx.now()
        try:
            if ctx.store.write(lambda tx: leases.take(tx, ctx.tenant, "neighbors", ctx.process, now, now + LEASE)):
                for done in self._indexes.keep(ctx.tenant):
                    log.info("neighbors", extra={"key": done})
        except IndelibleError as error:  # busy, stopped, no rights: recall goes on without the index
            level = logging.INFO if self._stopped else logging.WARNING
            log.log(level, "neighbors", extra={"key": error.code, "message_text": str(error)})
