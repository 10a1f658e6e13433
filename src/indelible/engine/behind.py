"""Writes that nobody waits for: access counts and events, kept in memory and written every two seconds.

A crash may lose them, since nobody was told that they were kept. The process's own reads include what waits.
"""

import logging
import threading
from collections.abc import Iterable

from indelible.errors import IndelibleError
from indelible.model import Access
from indelible.store import access, events
from indelible.store.database import Database, Transaction
from indelible.store.events import Event

log = logging.getLogger("indelible")

MOST_EVENTS = 10_000  # waiting; beyond that the oldest are dropped (a store that cannot be written for long)


class Behind:
    """The queue of one process."""

    def __init__(self, store: Database, *, enabled: bool = True, tenant: int = 1):
        self._store = store
        self._enabled = enabled
        self._tenant = tenant
        self._lock = threading.Lock()
        self._accesses: dict[int, Access] = {}
        self._events: list[Event] = []

    def returned(self, records: Iterable[int], now: int) -> None:
        """Count an access of each record."""
        if not self._enabled:
            return
        with self._lock:
            for record in records:
                before = self._accesses.get(record)
                self._accesses[record] = Access((before.count if before else 0) + 1, now)

    def happened(self, event: Event) -> None:
        """Remember an event."""
        if not self._enabled:
            return
        with self._lock:
            self._events.append(event)
            if len(self._events) > MOST_EVENTS:
                del self._events[: MOST_EVENTS // 10]

    def access_of(self, tx: Transaction, tenant: int, records: list[int]) -> dict[int, Access]:
        """Access of those records that were ever returned, what waits included."""
        found = access.of_records(tx, tenant, records)
        with self._lock:
            waiting = {record: self._accesses[record] for record in records if record in self._accesses}
        for record, own in waiting.items():
            stored = found.get(record)
            found[record] = Access(own.count + stored.count, max(own.last, stored.last)) if stored else own
        return found

    def flush(self) -> None:
        """Write what waits; on failure it waits on. Raises StoreError or Conflict."""
        with self._lock:
            accesses, self._accesses = self._accesses, {}
            happened, self._events = self._events, []
        if not accesses and not happened:
            return

        def work(tx: Transaction) -> None:
            access.add(tx, self._tenant, accesses)
            events.add(tx, self._tenant, happened)

        written = False
        try:
            self._store.write(work)
            written = True
        finally:
            if not written:
                self._keep(accesses, happened)

    def before_deletion(self) -> None:
        """Write the access counts that wait: they belong to what a deletion keeps for its undo."""
        if self._accesses:
            self.flush()

    def _keep(self, accesses: dict[int, Access], happened: list[Event]) -> None:
        with self._lock:
            for record, own in accesses.items():
                newer = self._accesses.get(record)
                self._accesses[record] = Access(own.count + newer.count, newer.last) if newer else own
            self._events = happened + self._events

    def close(self) -> None:
        """Write what waits, for the last time; where that fails it is lost, which is logged: a read is no failure."""
        try:
            self.flush()
        except IndelibleError as error:
            log.warning("access counts not written", extra={"key": error.code, "message_text": str(error)})
