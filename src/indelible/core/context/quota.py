"""The quota of a tenant: how much it may store, and how often it may call; and whether there is room for more.

It is a row of `setting`, which only an operator writes (`indelible tenant quota`). What is stored is counted by one
query now and then, and what this process adds is added to that, so that a write costs no counting: see `Room`.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from typing import TypeVar

from indelible.dataclass import dataclass
from indelible.errors import QuotaExceeded
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import records, settings
from indelible.store.views import usage

T = TypeVar("T")

LOOKED = 10.0  # seconds for which a quota holds as it was read
COUNTED = 60.0  # seconds for which a count holds; and fifty times what it took to count, so that it is 2% of the time
DOUBTED = 5.0  # the same before a write is refused: what was deleted since makes room
OF_THE_TIME = 50


@dataclass(frozen=True, slots=True)
class Quota:
    """The limits of what a tenant may have and do, each None where there is none.

    `bytes` are those of the texts, names, tags and fields of its records in UTF-8, not of the disk.
    """

    records: int | None = None
    bytes: int | None = None
    calls_per_minute: int | None = None

    @property
    def limits_storing(self) -> bool:
        """Return whether it says how much may be stored."""
        return self.records is not None or self.bytes is not None


NO_QUOTA = Quota()


def of(tx: Transaction) -> Quota:
    """Return the quota of the transaction's tenant; what another version noted beside it is not looked at."""
    text = settings.find(tx, settings.QUOTA)
    if text is None:
        return NO_QUOTA
    noted = json.loads(text)
    return Quota(**{each.name: noted.get(each.name) for each in fields(Quota)})


def put(tx: Transaction, quota: Quota) -> None:
    """Set the quota of the transaction's tenant."""
    if quota == NO_QUOTA:
        settings.drop(tx, settings.QUOTA)
    else:
        settings.put(tx, settings.QUOTA, json.dumps(asdict(quota)))


class Room:
    """Whether a tenant's quota leaves room for what a process stores.

    It is asked within the transaction that stores, so by one thread at a time. A count is as old as `COUNTED` at most,
    and what this process has added since is added to it; what other processes added since is not. So a tenant that
    several servers write for may exceed its quota by what they store in that time, and no more. Before a write is
    refused it is counted again, if that was not done just now: room that is there is denied for `DOUBTED` at most.
    """

    def __init__(self, *, limited: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        """Without `limited` there is room for everything: a store of one tenant has no quotas."""
        self._limited = limited
        self._clock = clock
        self._quota = NO_QUOTA
        self._looked = self._counted = float("-inf")
        self._took = 0.0
        self._used = usage.Stored(0, 0)
        self._own: usage.Stored | None = None  # among it, of the write that runs; None where its end is not known

    def around(self, work: Callable[[Transaction], T]) -> Callable[[Transaction], T]:
        """Return the work of a write, which gives back what it took where it fails and is undone."""
        if not self._limited:
            return work

        def run(tx: Transaction) -> T:
            self._own = usage.Stored(0, 0)
            try:
                done = work(tx)
                self._own = usage.Stored(0, 0)  # it stays taken
            finally:
                self._used -= self._own
                self._own = None
            return done

        return run

    def take(self, tx: Transaction, added: int, size: Callable[[], int], *, names_use: bool) -> None:
        """Note that so many records are stored, with `size` bytes more in all. Raises QuotaExceeded.

        The error says how much is used where it `names_use`: a caller who sees a part of it only is not told.
        """
        if not self._limited:
            return
        now = self._clock()
        if now - self._looked >= LOOKED:
            self._look(tx, now)
        if not self._quota.limits_storing:
            return
        more = usage.Stored(added, size())
        if more.records <= 0 and more.bytes <= 0:
            return
        over = self._over(more)
        if self._is_old(now, COUNTED if over is None else DOUBTED):
            self._look(tx, now)
            self._count(tx, now)
            over = self._over(more)
        if over is not None:
            raise _exceeded(tx.tenant, *over, names_use=names_use)
        self._used += more
        if self._own is not None:
            self._own += more

    def _look(self, tx: Transaction, now: float) -> None:
        self._quota, self._looked = of(whole(tx)), now

    def _is_old(self, now: float, age: float) -> bool:
        return now - self._counted >= max(age, OF_THE_TIME * self._took)

    def _count(self, tx: Transaction, now: float) -> None:
        self._used, self._counted = usage.stored(whole(tx)), now
        self._took = self._clock() - now

    def _over(self, more: usage.Stored) -> tuple[str, int, int] | None:
        """Return the limit that there is no room in, how much of it is used, and how much there is; None for none."""
        used, quota = self._used, self._quota
        before = used if self._own is None else used - self._own  # the write that is refused is undone
        limits = (
            ("records", used.records + more.records, more.records, before.records, quota.records),
            ("bytes", used.bytes + more.bytes, more.bytes, before.bytes, quota.bytes),
        )
        for name, needed, added, has, limit in limits:
            if limit is not None and added > 0 and needed > limit:
                return name, has, limit
        return None


def size_of(stored: Sequence[Record]) -> int:
    """Return the bytes of records as a quota counts them, and `usage.stored` does."""
    return sum(
        len(part.encode(errors="replace"))
        for each in stored
        for part in (each.text, each.label, records.dump(list(each.tags)), records.dump(each.metadata))
    )


def _exceeded(tenant: int, name: str, used: int, limit: int, *, names_use: bool) -> QuotaExceeded:
    has = f"it has {used:,} of {limit:,} {name}" if names_use else f"its {name} are used up"
    return QuotaExceeded(
        f"tenant {tenant} has no room left for this in its quota: {has}; it was not stored. Delete what is not "
        "needed (which counts after some seconds), or have the operator raise it: "
        f"`indelible tenant quota {tenant} --{name} N`"
    )
