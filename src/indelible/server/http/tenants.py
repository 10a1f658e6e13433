"""The tenants that a server answers for: its own, and others of its database, each in a context opened on demand.

A number alone opens nothing: whose token it is was looked up before, among the tokens of that tenant.
"""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread

from indelible.admin import tenants, tokens
from indelible.core.context.context import Context
from indelible.core.context.metrics import Metrics
from indelible.core.context.permissions import EVERYTHING, Grant
from indelible.dataclass import dataclass
from indelible.errors import Forbidden, IndelibleError
from indelible.server.background import LEAVING, Background
from indelible.store.tables.tokens import Token

log = logging.getLogger("indelible")

MOST = 64  # contexts of other tenants at a time: each has caches, and threads that keep it up
IDLE = 600.0  # seconds without a request after which one is closed
EVERY = 30.0  # seconds between looks for such


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whom a request comes from: what it may do, in which tenant; `token` is one whose use is to be noted there."""

    grant: Grant
    tenant: int
    token: Token | None = None

    @property
    def who(self) -> str:
        """Return an id of this caller among those of all tenants; that of an anonymous caller ends with a space."""
        return f"{self.tenant} {self.grant.who}"


@dataclass(slots=True)
class _Place:
    """An open tenant: its context, what works beside its calls, how many use it, and when the last one left."""

    ctx: Context
    background: Background
    left: float
    users: int = 0


class Tenants:
    """The contexts of one server; `own` is that of the tenant that it was started for.

    `bearer` is for any thread, all else for the event loop.
    """

    def __init__(
        self, ctx: Context, *, most: int = MOST, idle: float = IDLE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.figures = Metrics()  # of the calls of all tenants
        ctx.metrics.part_of(self.figures)
        self.own = ctx
        self._most, self._idle, self._clock = most, idle, clock
        self._places: dict[int, _Place] = {}
        self._opening = anyio.Lock()
        self._threads = anyio.CapacityLimiter(2)

    @property
    def others(self) -> list[int]:
        """The other tenants whose contexts are open, in the order in which they were opened."""
        return list(self._places)

    @property
    def other_contexts(self) -> list[Context]:
        """The contexts of `others`; each may be closed at any time."""
        return [place.ctx for place in self._places.values()]

    def anybody(self) -> Bearer:
        """Return the caller without a token, where none is needed."""
        return Bearer(EVERYTHING, self.own.store.tenant)

    def bearer(self, secret: str) -> Bearer | None:
        """Return the caller whose token has this secret, by one look-up in its tenant; None where there is none."""
        tenant = tokens.tenant_of(secret)
        if tenant is None:
            return None
        if tenant == self.own.store.tenant:
            grant = tokens.verify(self.own, secret)
            return None if grant is None else Bearer(grant, tenant)
        token = tenants.token_of(self.own, tenant, lambda now, store: tokens.holding(store, secret, now))
        return None if token is None else Bearer(tokens.grant_of(token), tenant, token)

    def issued(self, grant: Grant, tenant: int | None) -> Bearer:
        """Return the caller with a grant of an issuer for a tenant, None meaning our own. Raises Forbidden."""
        if tenant is None or tenant == self.own.store.tenant:
            return Bearer(grant, self.own.store.tenant)
        if not tenants.are_several(self.own):
            raise Forbidden(
                f"the token is for tenant {tenant}, and this server's store is a file, which holds tenant "
                f"{self.own.store.tenant} only; use the server of that tenant"
            )
        return Bearer(grant, tenant)

    @asynccontextmanager
    async def entered(self, bearer: Bearer) -> AsyncIterator[Context]:
        """The context of a bearer's tenant, which stays open meanwhile. Raises Unserved and StoreError."""
        if bearer.tenant == self.own.store.tenant:
            yield self.own
            return
        place = await self._place(bearer.tenant)
        place.users += 1
        try:
            if bearer.token is not None:
                tokens.note_use(place.ctx, bearer.token, place.ctx.now())
            yield place.ctx
        finally:
            place.users -= 1
            place.left = self._clock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Close what idles, and in the end everything but `own`."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._close_idle_ones)
            try:
                yield
            finally:
                group.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    for place in self._places.values():
                        place.ctx.store.leave_in(LEAVING)
                    for tenant in self.others:
                        await self._close(tenant)

    async def _close_idle_ones(self) -> None:
        while True:
            await anyio.sleep(EVERY)
            try:
                await self.close_idle()
                await self.close_deleted()
            except IndelibleError as error:  # it is closed all the same, and the others are still looked after
                log.warning("tenants", extra={"key": error.code, "message_text": str(error)})

    async def close_deleted(self) -> None:
        """Close the contexts of tenants that were deleted meanwhile; what waits in them is refused by the database."""
        for tenant in self.others:
            place = self._places.get(tenant)
            if place is not None and not place.users:
                gone = await anyio.to_thread.run_sync(tenants.is_deleted, place.ctx, limiter=self._threads)
                if gone and not place.users and self._places.get(tenant) is place:
                    await self._close(tenant)

    async def close_idle(self) -> None:
        """Close the contexts that nobody asked for in a while."""
        for tenant in self.others:
            place = self._places.get(tenant)
            if place is not None and not place.users and self._clock() - place.left >= self._idle:
                await self._close(tenant)

    async def _place(self, tenant: int) -> _Place:
        """Return the open context of a tenant; the first request opens it, and others wait."""
        if tenant not in self._places:
            async with self._opening:
                if tenant not in self._places:
                    await self._make_room()
                    await self._open(tenant)
        return self._places[tenant]

    async def _open(self, tenant: int) -> None:
        with anyio.CancelScope(shield=True):  # what is open is known, also when nobody waits for it any more
            self._places[tenant] = await anyio.to_thread.run_sync(self._opened, tenant, limiter=self._threads)

    async def _make_room(self) -> None:
        while len(self._places) >= self._most:
            idle = [tenant for tenant, place in self._places.items() if not place.users]
            if not idle:
                raise tenants.Unserved(
                    f"this server already works for {self._most} other tenants at once; try again soon",
                    {"Retry-After": "5"},
                )
            await self._close(min(idle, key=lambda tenant: self._places[tenant].left))

    async def _close(self, tenant: int) -> None:
        place = self._places.pop(tenant)
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(place.background.finish, limiter=self._threads)

    def _opened(self, tenant: int) -> _Place:
        ctx = tenants.opened(self.own, tenant)
        ctx.metrics.part_of(self.figures)
        background = Background(ctx)
        background.start()
        return _Place(ctx, background, self._clock())
