"""Subscriptions to `memory://knowledge-graph`: changes by any server are sent, in both eras of the protocol.

The change log is asked every half a second, and only while somebody listens.
"""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import mcp_types as types
from anyio.abc import TaskGroup
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.subscriptions import ListenHandler, ResourceUpdated, ServerEvent
from mcp.shared.exceptions import MCPError

from indelible.core.context.context import Context
from indelible.errors import IndelibleError
from indelible.server.mcp.requests import ContextOf, words

log = logging.getLogger("indelible")

Seen = tuple[int, frozenset[str] | None]  # a tenant, and the namespaces in it; None for all

URI = "memory://knowledge-graph"
EVERY = 0.5  # seconds
MOST_LIMITED = 32  # sets of namespaces of one tenant that are watched


class GraphUpdates:
    """The subscribers of one server: connections of the 2025 era, streams of the 2026 era (it is their bus).

    Those who are limited to namespaces, or of another tenant, have subscribers of their own among them: they hear of
    what they see.
    """

    def __init__(self, ctx: Context):
        self._ctx = ctx
        self._context_of: ContextOf = lambda _: ctx
        self._apart: dict[Seen, GraphUpdates] = {}
        self._group: TaskGroup | None = None
        self._callers = 0  # whose streams are open, of subscribers that are apart
        self._watching: anyio.CancelScope | None = None
        self._sessions: dict[int, ServerSession] = {}
        self._listeners: dict[object, Callable[[ServerEvent], None]] = {}
        self._somebody = anyio.Event()
        self._seen: int | None = None  # the revision that the subscribers know; None where there are none
        self._failed = False
        self._streams = ListenHandler(self)

    def register(self, server: Server[Any], context_of: ContextOf, *, lasting: bool = True) -> None:
        """Let a server take subscriptions. It must run with `running` as its lifespan.

        A connection of the 2025 era can be told only where it is `lasting`, and not gone with its request.
        """
        self._context_of = context_of
        if lasting:
            server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, self._subscribe)
            server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, self._unsubscribe)
        server.add_request_handler("subscriptions/listen", types.SubscriptionsListenRequestParams, self._listen)

    def end_streams(self) -> None:
        """Let every stream of the 2026 era end as it should, with its result."""
        for each in (self, *self._apart.values()):
            each._streams.close()

    @asynccontextmanager
    async def running(self, _: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        """Watch the graph while a server runs."""
        async with anyio.create_task_group() as group:
            self._group = group
            group.start_soon(self._watch)
            yield {}
            group.cancel_scope.cancel()

    # --- The 2025 era ---

    async def _subscribe(
        self, request: ServerRequestContext[Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        if params.uri != URI:
            raise MCPError(types.INVALID_PARAMS, f"no updates are sent of {params.uri!a:.80}; there is {URI}")
        await self._begin(request)
        self._sessions[_connection(request)] = request.session
        self._somebody.set()
        return types.EmptyResult()

    async def _unsubscribe(
        self, request: ServerRequestContext[Any], _: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self._sessions.pop(_connection(request), None)
        return types.EmptyResult()

    # --- The 2026 era ---

    async def _listen(
        self, request: ServerRequestContext[Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        async with self._joined(self._context_of(request)) as joined:
            await joined._begin(request)
            return await joined._streams(request, params)

    @asynccontextmanager
    async def _joined(self, ctx: Context) -> "AsyncIterator[GraphUpdates]":
        """The subscribers among whom the caller of a context is; those that are apart go with the last of them."""
        seen = ctx.store.tenant, ctx.session.grant.namespaces
        if seen == (self._ctx.store.tenant, None):
            yield self
            return
        found = self._apart.get(seen) or self._watched(ctx, seen)
        watching = found._watching
        found._callers += 1
        try:
            yield found
        finally:
            found._callers -= 1
            if not found._callers and watching is not None:
                del self._apart[seen]
                watching.cancel()

    def _watched(self, ctx: Context, seen: Seen) -> "GraphUpdates":
        """New subscribers, who hear of what is in some namespaces, or in another tenant."""
        if self._group is None or sum(tenant == ctx.store.tenant for tenant, _ in self._apart) >= MOST_LIMITED:
            raise MCPError(
                types.INTERNAL_ERROR, "too many subscriptions with different namespaces; call read_graph instead"
            )
        found = self._apart[seen] = GraphUpdates(ctx)
        found._watching = anyio.CancelScope()
        self._group.start_soon(found._watch)
        return found

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Register a stream; what is returned takes it away."""
        token = object()
        self._listeners[token] = listener
        self._somebody.set()

        def unsubscribe() -> None:
            self._listeners.pop(token, None)

        return unsubscribe

    async def publish(self, event: ServerEvent) -> None:
        """Tell every stream."""
        for listener in list(self._listeners.values()):
            listener(event)
        await anyio.lowlevel.checkpoint()

    # --- Watching ---

    async def _begin(self, request: ServerRequestContext[Any]) -> None:
        """Note what the graph is like before the first subscriber is answered: nothing after that is missed."""
        if self._seen is not None:
            return
        try:
            seen = await anyio.to_thread.run_sync(self._revision)
        except IndelibleError as error:
            raise MCPError(types.INTERNAL_ERROR, words(request, error)) from None
        if self._seen is None:  # else another subscriber was faster, and may have missed something up to here
            self._seen = seen

    async def _watch(self) -> None:
        with self._watching or nullcontext():
            while True:
                await self._somebody.wait()
                self._somebody = anyio.Event()
                while self._sessions or self._listeners:
                    await anyio.sleep(EVERY)
                    await self._look()
                self._seen = None

    async def _look(self) -> None:
        try:
            revision = await anyio.to_thread.run_sync(self._revision)
        except IndelibleError as error:  # a full disk, a failing one: said once, and looked again
            if not self._failed:
                log.warning("graph_updates", extra={"key": error.code, "message_text": str(error)})
            self._failed = True
            return
        self._failed = False
        if revision != self._seen:
            self._seen = revision
            await self._tell()

    async def _tell(self) -> None:
        await self.publish(ResourceUpdated(uri=URI))
        for key, session in list(self._sessions.items()):
            try:
                await session.send_resource_updated(URI)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):  # the client left without a word
                self._sessions.pop(key, None)

    def _revision(self) -> int:
        with self._ctx.store.read() as tx:
            return self._ctx.indexes.entities.revision(tx)


def _connection(request: ServerRequestContext[Any]) -> int:
    """Return an id of a connection: every request has a session of its own, with the handshake's parameters."""
    return id(request.session.client_params)
