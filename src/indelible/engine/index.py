"""One process's index of the words of a store: loaded from blocks and rows, then kept up by the change log."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from indelible.store import changes, records, settings, terms
from indelible.store.database import Database, Transaction

if TYPE_CHECKING:
    from indelible.search.postings import Postings

log = logging.getLogger("indelible")

SLICE = 2000  # rows that are read at a time
LONGEST_LOG = 100_000  # changes since a block was sealed, after which it is sealed again whatever they were
SEAL_AFTER = 4096  # changes of a block, before it is sealed again; a quarter of its records where that is more


class Index:
    """The postings of one tenant. Loads at first use; every use sees what the caller's transaction sees."""

    def __init__(self, tenant: int = 1) -> None:
        self._tenant = tenant
        self._lock = threading.RLock()
        self._postings: Postings | None = None
        self._epoch = ""
        self._position = 0

    @property
    def loaded(self) -> bool:
        """Whether anything was recalled yet."""
        return self._postings is not None

    @contextmanager
    def current(self, tx: Transaction) -> "Iterator[Postings]":
        """The postings, brought up to the transaction; nobody else changes them meanwhile."""
        with self._lock:
            yield self._catch_up(tx)

    def compact(self) -> None:
        """Merge small segments; recalls go on meanwhile."""
        from indelible.search.postings import merge

        while True:
            with self._lock:
                postings = self._postings
                pair = None if postings is None else postings.to_merge()
            if postings is None or pair is None:
                return
            part = merge(*pair)
            with self._lock:
                postings.merged(pair, part)

    def _catch_up(self, tx: Transaction) -> "Postings":
        epoch = settings.epoch(tx)
        if self._postings is None or epoch != self._epoch:
            return self._load(tx, epoch)
        news = changes.since(tx, self._tenant, self._position)
        if not news:
            return self._postings
        if changes.oldest(tx, self._tenant) > self._position + 1:  # the log was cut before we read it
            return self._load(tx, epoch)
        last_word = {change.record: change.operation for change in news if change.operation != "link"}
        for record, operation in last_word.items():
            if operation == "delete":
                self._postings.remove(record)
        self._put(tx, self._postings, [r for r, operation in last_word.items() if operation == "put"])
        self._position = news[-1].position
        return self._postings

    def _load(self, tx: Transaction, epoch: str) -> "Postings":
        from indelible.search.postings import BLOCK, Postings

        postings = Postings()
        last, oldest = changes.last(tx, self._tenant), changes.oldest(tx, self._tenant)
        sealed = {b: (at, body) for b, at, _, body in terms.blocks(tx, self._tenant) if at + 1 >= oldest}
        changed = _changed_since(tx, self._tenant, {b: at for b, (at, _) in sealed.items()})
        fresh: list[int] = []
        for block, (_, body) in list(sealed.items()):
            news = changed.get(block, {})
            try:
                postings.add_block(body, news)
            except ValueError:  # the rows say the same, only slower
                log.warning(
                    "damaged block", extra={"key": block, "message_text": "`indelible doctor --repair` mends it"}
                )
                del sealed[block]
                continue
            fresh += [record for record, operation in news.items() if operation == "put"]
        self._put(tx, postings, sorted(fresh))
        for block in range(records.last_id(tx, self._tenant) // BLOCK + 1):
            if block not in sealed:
                postings.put_many(terms.in_range(tx, self._tenant, block * BLOCK, (block + 1) * BLOCK))
        self._postings, self._epoch, self._position = postings, epoch, last
        return postings

    def _put(self, tx: Transaction, postings: "Postings", ids: list[int]) -> None:
        entries = []
        for at in range(0, len(ids), SLICE):
            entries += terms.of_records(tx, self._tenant, ids[at : at + SLICE])
        postings.put_many(entries)


def _changed_since(tx: Transaction, tenant: int, sealed: dict[int, int]) -> dict[int, dict[int, str]]:
    """By block: the records that changed after it was sealed, with the last operation on each."""
    from indelible.search.postings import BLOCK

    found: dict[int, dict[int, str]] = {}
    if sealed:
        for change in changes.since(tx, tenant, min(sealed.values())):
            block = change.record // BLOCK
            if change.operation != "link" and change.position > sealed.get(block, change.position):
                found.setdefault(block, {})[change.record] = change.operation
    return found


def damaged_blocks(tx: Transaction, tenant: int) -> list[int]:
    """The sealed blocks that cannot be used: recall reads the rows instead."""
    from indelible.search.postings import unpack_block

    damaged = []
    for block, _, _, body in terms.blocks(tx, tenant):
        try:
            unpack_block(body)
        except ValueError:
            damaged.append(block)
    return damaged


def blocks_due(store: Database, tenant: int) -> list[int]:
    """The blocks that it pays to seal: never sealed, much changed since, or changed a long log ago."""
    from indelible.search.postings import BLOCK

    with store.read() as tx:
        last, oldest = changes.last(tx, tenant), changes.oldest(tx, tenant)
        sealed = {block: (at, count) for block, at, count in terms.block_sizes(tx, tenant) if at + 1 >= oldest}
        due = []
        for block in range(records.last_id(tx, tenant) // BLOCK + 1):
            low, high = block * BLOCK, (block + 1) * BLOCK
            if block not in sealed:
                changed, enough = terms.count_in_range(tx, tenant, low, high), SEAL_AFTER
            else:
                at, count = sealed[block]
                changed = changes.count_in_range(tx, tenant, at, low, high)
                enough = 0 if last - at > LONGEST_LOG else max(SEAL_AFTER, count // 4)
            if changed > enough:
                due.append(block)
        return due


def refresh_positions(store: Database, tenant: int) -> None:
    """Note of sealed blocks without changes for long that they are right as of now: a start reads less log."""
    from indelible.search.postings import BLOCK

    def work(tx: Transaction) -> None:
        last = changes.last(tx, tenant)
        for block, at, _ in terms.block_sizes(tx, tenant):
            low, high = block * BLOCK, (block + 1) * BLOCK
            if last - at > LONGEST_LOG and changes.count_in_range(tx, tenant, at, low, high) == 0:
                terms.move_block(tx, tenant, block, last)

    with store.read() as tx:
        last = changes.last(tx, tenant)
        old = any(last - at > LONGEST_LOG for _, at, _ in terms.block_sizes(tx, tenant))
    if old:
        store.write(work)


def seal(store: Database, tenant: int, block: int) -> None:
    """Write one block's postings as arrays, as of now. Done twice at once it is only done in vain."""
    from indelible.search.postings import BLOCK, pack_block

    with store.read() as tx:
        position = changes.last(tx, tenant)
        entries = []
        for low in range(block * BLOCK, (block + 1) * BLOCK, SLICE):
            entries += terms.in_range(tx, tenant, low, low + SLICE)
            time.sleep(0.001)  # the interpreter is shared with the calls that are being answered
    body = pack_block(entries)
    store.write(lambda tx: terms.put_block(tx, tenant, block, position, len(entries), body))
