"""Delayed writes: access counts and events, kept in memory and written every two seconds.

A crash may lose them: no caller was promised that they were kept. Reads of the same process include what waits.
"""

import logging
import threading
from collections.abc import Iterable
from dataclasses import field, replace

from indelible.dataclass import dataclass
from indelible.errors import IndelibleError
from indelible.model import Access
from indelible.store.database import Database, Transaction
from indelible.store.tables import access, events, purge, tokens
from indelible.store.tables.events import Event

log = logging.getLogger("indelible")

MOST_EVENTS = 10_000  # waiting; beyond that the oldest are dropped (a store that cannot be written for long)


@dataclass(slots=True)
class _Flight:
    """The access counts that were written last, or are being written.

    `after` has the counts of these records once they were written, none before that. Counts only grow, so a reader who
    found a lower one did so before the write, and must add what it wrote.
    """

    accesses: dict[int, Access]
    after: dict[int, Access] = field(default_factory=dict)


class WriteBehind:
    """The queue of delayed writes of one process."""

    def __init__(self, store: Database, *, enabled: bool = True):
        self._store = store
        self._enabled = enabled
        self._lock = threading.Lock()
        self._flushing = threading.Lock()
        self._accesses: dict[int, Access] = {}
        self._flight = _Flight({})
        self._events: list[Event] = []
        self._tokens: dict[str, int] = {}

    def token_used(self, key: str, now: int) -> None:
        """Note when a token was used last."""
        if self._enabled:
            with self._lock:
                self._tokens[key] = now

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

    def access_of(self, tx: Transaction, records: list[int]) -> dict[int, Access]:
        """Return the access data of those records that were ever returned, including what waits."""
        return self.with_waiting(tx, records, access.of_records(tx, records))

    def with_waiting(self, tx: Transaction, records: list[int], found: dict[int, Access]) -> dict[int, Access]:
        """Return the access data that were found of those records, with what waits added."""
        with self._lock:
            written, after = self._flight.accesses, self._flight.after
            waiting = {record: self._accesses[record] for record in records if record in self._accesses}
        flying = {record: written[record] for record in records if record in written}
        for record in flying.keys() & after.keys() & found.keys():
            if found[record].count >= after[record].count:
                del flying[record]
        return _sum(_sum(found, flying), waiting)

    def flush(self) -> None:
        """Write what waits; on failure it waits on. Raises StoreError or Conflict."""
        with self._flushing:
            self._flush()

    def _flush(self) -> None:
        with self._lock:
            flight = _Flight(self._accesses)
            happened, self._events = self._events, []
            used, self._tokens = self._tokens, {}
            if flight.accesses:
                self._accesses, self._flight = {}, flight
        if not (flight.accesses or happened or used):
            return

        def work(tx: Transaction) -> None:
            access.add(tx, flight.accesses)
            events.add(tx, _unpurged(happened, purge.marked(tx)) if happened else ())
            tokens.used(tx, used)
            flight.after = access.of_records(tx, list(flight.accesses))

        written = False
        try:
            self._store.write(work)
            written = True
        finally:
            if not written:
                self._keep(flight, happened, used)

    def before_deletion(self) -> None:
        """Write the access counts that wait: they belong to what a deletion keeps for its undo."""
        if self._accesses:
            self.flush()

    def landed(self) -> None:
        """Forget the counts of the last write, so that those in the store count: an undo lowers them."""
        with self._lock:
            self._flight = _Flight({})

    def _keep(self, flight: _Flight, happened: list[Event], used: dict[str, int]) -> None:
        with self._lock:
            self._tokens = used | self._tokens
            self._accesses = _sum(flight.accesses, self._accesses)
            self._flight = _Flight({})
            self._events = happened + self._events

    def flush_if_possible(self) -> None:
        """Write what waits, so that readers of events find all of them; a failure is logged only."""
        try:
            self.flush()
        except IndelibleError as error:
            log.warning("access counts not written", extra={"key": error.code, "message_text": str(error)})

    def close(self) -> None:
        """Write what waits, for the last time; on failure it is lost."""
        self.flush_if_possible()


def _unpurged(happened: list[Event], purged: int) -> list[Event]:
    """Return events without what they were about if they happened before a purge ended."""
    return [replace(each, records=(), conversation="") if each.time <= purged else each for each in happened]


def _sum(some: dict[int, Access], others: dict[int, Access]) -> dict[int, Access]:
    """Return the counts of both added up, with the later of the last accesses."""
    total = dict(some)
    for record, other in others.items():
        one = total.get(record)
        total[record] = Access(one.count + other.count, max(one.last, other.last)) if one else other
    return total
