"""How often the callers of each tenant may call this server: its quota of calls a minute, without asking the database.

What a quota says is read once in `quota.LOOKED` seconds. Credentials that were good are known by their digest for a
while, so that a caller who is over the quota is refused before its token is looked up.
"""

import math
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from hashlib import sha256
from typing import TypeVar

import anyio
import anyio.to_thread

from indelible.core.context import quota
from indelible.dataclass import dataclass
from indelible.errors import QuotaExceeded, StoreError
from indelible.server.http.tenants import Bearer, Tenants
from indelible.store.database import read_again, shared

K = TypeVar("K")
V = TypeVar("V")

MINUTE = 60.0
MOST_KNOWN = 10_000  # tenants, and credentials, of which the last ones are known
READING = 4  # quotas at once
CREDENTIALS = ("authorization", "cookie")  # the headers that say who asks


@dataclass(slots=True)
class Allowance:
    """The calls that a tenant may still do: `limit` at once, and as many again in each minute, evenly; None: any."""

    limit: int | None
    looked: float
    left: float
    at: float

    def wait(self, calls: int, now: float, counted: int = 0) -> float:
        """Return in how many seconds there is room for so many calls: 0 for now, infinite for never.

        `counted` are calls of the same request that were counted before: there is never room for more than the limit.
        """
        if self.limit is None:
            return 0
        self.left, self.at = min(self.limit, self.left + (now - self.at) * self.limit / MINUTE), now
        if self.left >= calls:
            return 0
        return math.inf if calls + counted > self.limit else (calls - self.left) * MINUTE / self.limit

    def look(self, limit: int | None, now: float) -> None:
        """Take another limit over; what was used stays used."""
        if limit != self.limit:
            used = 0.0 if self.limit is None else self.limit - self.left
            self.left = 0.0 if limit is None else max(0.0, limit - used)
            self.limit, self.at = limit, now
        self.looked = now


class Rates:
    """The calls of all tenants of a server; for its event loop alone. Where the store is a file nothing is limited."""

    def __init__(self, tenants: Tenants, clock: Callable[[], float] = time.monotonic) -> None:
        self._tenants = tenants
        self._clock = clock
        self._limits = shared(tenants.own.store) is not None
        self._allowances: dict[int, Allowance] = {}  # the one that was read last is the last
        self._known: dict[bytes, int] = {}
        self._looking: dict[int, anyio.Lock] = {}  # of the tenants whose quotas are being read
        self._threads = anyio.CapacityLimiter(READING)

    def refuse_known(self, headers: Mapping[str, str]) -> None:
        """Raise QuotaExceeded for a caller who was let in before, and whose tenant has used its calls up."""
        tenant = self._known.get(_digest(headers)) if self._limits else None
        if tenant is not None:
            self._refuse(tenant, self._allowances.get(tenant), 1)

    async def take(self, headers: Mapping[str, str], bearer: Bearer) -> None:
        """Count a call of a caller who is let in. Raises QuotaExceeded; StoreError where its quota cannot be read."""
        if not self._limits:
            return
        _noted(self._known, _digest(headers), bearer.tenant)
        if self._is_old(bearer.tenant):
            await self._look_once(bearer.tenant)
        self._count(bearer.tenant, 1, 0)

    def take_more(self, tenant: int, calls: int) -> None:
        """Count the calls of a request that was let in, but the first. Raises QuotaExceeded."""
        self._count(tenant, calls, 1)

    def _count(self, tenant: int, calls: int, counted: int) -> None:
        found = self._allowances.get(tenant)
        self._refuse(tenant, found, calls, counted)
        if found is not None:
            found.left -= calls

    def _is_old(self, tenant: int) -> bool:
        found = self._allowances.get(tenant)
        return found is None or self._clock() - found.looked >= quota.LOOKED

    async def _look_once(self, tenant: int) -> None:
        """Read a tenant's quota, for all its requests that wait for it."""
        lock = self._looking.setdefault(tenant, anyio.Lock())
        try:
            async with lock:
                if self._is_old(tenant):
                    await self._look(tenant)
        finally:
            if not lock.locked():
                self._looking.pop(tenant, None)

    async def _look(self, tenant: int) -> None:
        found = self._allowances.get(tenant)
        try:
            limit = await anyio.to_thread.run_sync(read_again, partial(self._read, tenant), limiter=self._threads)
        except StoreError:
            if found is None:
                raise
            limit = found.limit  # it holds on until the store can be read again
        now = self._clock()
        found = found or Allowance(limit, now, limit or 0, now)
        found.look(limit, now)
        _noted(self._allowances, tenant, found)

    def _read(self, tenant: int) -> int | None:
        own = self._tenants.own.store
        database = shared(own)
        if database is None or tenant == own.tenant:
            with own.read() as tx:
                return quota.of(tx).calls_per_minute
        with closing(database.for_tenant(tenant)) as store, store.read() as tx:
            return quota.of(tx).calls_per_minute

    def _refuse(self, tenant: int, found: Allowance | None, calls: int, counted: int = 0) -> None:
        wait = 0 if found is None else found.wait(calls, self._clock(), counted)
        if found is None or not wait:
            return
        after = math.ceil(min(wait, MINUTE))
        instead = f"wait {after} s" if wait < math.inf else "send fewer at once"
        raise QuotaExceeded(
            f"tenant {tenant} has used its quota of {found.limit:,} calls a minute on this server; {instead}, or have "
            f"the operator raise it: `indelible tenant quota {tenant} --calls-per-minute N`",
            {"Retry-After": str(after)},
        )


def _digest(headers: Mapping[str, str]) -> bytes:
    return sha256("\n".join(headers.get(name, "") for name in CREDENTIALS).encode(errors="replace")).digest()


def _noted(known: dict[K, V], key: K, value: V) -> None:
    """Note a value as the last one, and forget the first where there are too many."""
    known.pop(key, None)
    known[key] = value
    if len(known) > MOST_KNOWN:
        del known[next(iter(known))]
