"""The HTTP server: one process for many clients. MCP at /mcp, the tools alone at /jsonrpc, /health and /metrics."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any, Protocol

import anyio
import anyio.to_thread
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from indelible.admin import tenants as of_database
from indelible.core.context.context import Context
from indelible.core.context.visibility import refuse_other_project
from indelible.errors import IndelibleError, InvalidInput
from indelible.server import readiness, traces
from indelible.server.background import PATIENCE, Background, collect_garbage
from indelible.server.http import auth, listen, prometheus
from indelible.server.http.connections import CONNECTION, patient
from indelible.server.http.jsonrpc import Envelope
from indelible.server.http.metrics_port import HEALTH, METRICS, MetricsPort
from indelible.server.http.middleware import LARGEST, Middleware, Names, Pages, Traffic, names, refused
from indelible.server.http.rates import Rates
from indelible.server.http.tenants import Bearer, Tenants
from indelible.server.http.tls import Certificate
from indelible.server.local.listening import HookListener
from indelible.server.mcp import server
from indelible.server.mcp.subscriptions import GraphUpdates
from indelible.server.request_context import SCOPE_KEY, Client, client
from indelible.stderr import say
from indelible.store.database import read_again
from indelible.toolsets.memory import diagnostics

KEEP_ALIVE = 75  # seconds that a connection may idle between two requests
HEALTH_PATIENCE = (
    2.0  # seconds that a load balancer waits for the store's answer; calls wait longer for one that is away
)
PROJECT = "/p/{project:path}"

Build = Callable[..., Server[Any]]
MakePages = Callable[[Tenants, int, anyio.CapacityLimiter], "SitePages"]


class SitePages(Pages, Protocol):
    """The pages of a server, with their routes and the way in which who asks for one is let in."""

    routes: list[Route]

    def admitted(self, scope: Scope, visitor: Bearer) -> AbstractAsyncContextManager[None]:
        """Note in a request's scope whom it comes from; that context stays open. Raises IndelibleError."""

    def end_streams(self) -> None:
        """End the streams that last."""


def serve(
    ctx: Context,
    sockets: Sequence[socket.socket],
    address: listen.Address,
    build: Build = server.build,
    make_pages: MakePages | None = None,
    idle: float = 0,
    certificate: Certificate | None = None,
    metrics: Sequence[socket.socket] = (),
) -> None:
    """Serve until SIGTERM or SIGINT comes; then answer what was accepted, write what waits, close the store.

    With `idle` it also leaves when nobody has asked for anything for so many seconds and no stream is open. With a
    `certificate` it speaks TLS. Whoever connects to the sockets of `metrics` gets these without a token.

    Raises InvalidInput, with the store closed, where others could connect and nobody would be asked who they are.
    """
    traces.start()
    background, hooks = Background(ctx), HookListener(ctx)
    try:
        bound = [str(opened.getsockname()[0]) for opened in sockets]
        called = names([address.host, *bound], ctx.settings.allowed_hosts, address.port)
        needed = auth.is_needed(ctx)
        of_database.warn_of_rights(ctx)
        if not needed:
            _refuse_to_be_open(ctx, sockets, address, called)
        background.start()
        hooks.start()
        anyio.run(_serve, ctx, sockets, address, called, needed, build, make_pages, idle, certificate, metrics)
    finally:
        hooks.stop()
        background.leave()
        traces.finish()
        for opened in (*sockets, *metrics):
            opened.close()


def _refuse_to_be_open(ctx: Context, sockets: Sequence[socket.socket], address: listen.Address, called: Names) -> None:
    """Refuse to serve others where nobody would be asked for a token."""
    reached = ""
    if not listen.is_loopback(list(sockets)):
        reached = f"{address.host} can be reached from other machines"
    elif called.are_public:
        reached = f"--allowed-host {', '.join(sorted(called.allowed))} lets clients in through a proxy"
    if reached:
        raise InvalidInput(
            f"{reached}, and the store {ctx.settings.place} has no token, so that everybody could read and write it; "
            "run `indelible token create` first, or serve this machine alone: on 127.0.0.1, by no other name"
        )


async def _serve(
    ctx: Context,
    sockets: Sequence[socket.socket],
    address: listen.Address,
    called: Names,
    needed: bool,
    build: Build,
    make_pages: MakePages | None,
    idle: float,
    certificate: Certificate | None,
    metrics: Sequence[socket.socket],
) -> None:
    tenants = Tenants(ctx if ctx.settings.project else ctx.at(None))
    asking = auth.Authentication(tenants, needed=needed)
    async with application(tenants, called, asking, build, make_pages) as (app, end_streams, watched):
        collect_garbage()
        server = _Server(_configured(app, ctx, certificate), end_streams, readiness.say_ready)
        server.leave_on_signals()
        if certificate is not None and hasattr(signal, "SIGHUP"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, certificate.renew)
        say(f"indelible: serving {address.url}/mcp and {address.url}/jsonrpc")
        leaving = asyncio.ensure_future(_leave_when_idle(server, app.traffic, idle)) if idle else None
        async with _metrics_served(MetricsPort(called, watched.health, watched.text), ctx, metrics):
            await server.serve(list(sockets))
        if leaving is not None:
            leaving.cancel()


@asynccontextmanager
async def _metrics_served(port: MetricsPort, ctx: Context, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Serve the metrics on their sockets, if there are any, while the block runs."""
    if not sockets:
        yield
        return
    server = _Server(_configured(port, ctx, None), lambda: None, lambda: None)
    serving = asyncio.ensure_future(server.serve(list(sockets)))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


def _configured(app: Any, ctx: Context, certificate: Certificate | None) -> uvicorn.Config:
    """Return how uvicorn serves an application."""
    return uvicorn.Config(
        app,
        http=patient(ctx.settings.http_patience),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",  # who sends what is no HTTP would fill the log
        access_log=False,  # the door writes its own, with the ids of requests
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(PATIENCE),
        ssl_context_factory=None if certificate is None else lambda _, __: certificate.context,
    )


async def _leave_when_idle(server: uvicorn.Server, traffic: Traffic, idle: float) -> None:
    """Let a server leave once nobody has used it for so many seconds."""
    use = Use(idle)
    while not use.has_ended(traffic, anyio.current_time()):
        await asyncio.sleep(min(1.0, idle / 4))
    server.should_exit = True


class Use:
    """The use of a server, which ends when for `idle` seconds no request was answered and none, no stream, is open."""

    def __init__(self, idle: float):
        self._idle = idle
        self._answered, self._since = -1, 0.0

    def has_ended(self, traffic: Traffic, now: float) -> bool:
        """Return whether it has ended by now, in seconds; to be asked several times in that while."""
        total = traffic.answered.total()
        if total != self._answered or traffic.in_progress:
            self._answered, self._since = total, now
        return now - self._since >= self._idle


class _Server(uvicorn.Server):
    """uvicorn's server, which leaves with exit code 0 when it is told to, and ends endless streams before it waits."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None], say_ready: Callable[[], None]):
        super().__init__(config)
        self._end_streams, self._say_ready = end_streams, say_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self._say_ready()

    def capture_signals(self) -> Any:
        """Nothing: uvicorn would raise the signal again in the end, and die of it before the store is closed."""
        return nullcontext()

    def leave_on_signals(self) -> None:
        """Leave on SIGTERM and SIGINT; a second one waits for nobody."""

        # A function and no method: sse-starlette cuts all streams where the handler's object is a leaving server.
        def leave(_: int, __: FrameType | None) -> None:
            self.force_exit = self.should_exit
            self.should_exit = True

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, leave)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more, answer what was accepted."""
        self._end_streams()
        await super().shutdown(sockets)


@asynccontextmanager
async def application(
    tenants: Tenants,
    called: Names,
    authentication: auth.Authentication,
    build: Build = server.build,
    make_pages: MakePages | None = None,
) -> AsyncIterator[tuple[Middleware, Callable[[], None], "_Behind"]]:
    """The ASGI application of a store, as long as it may be asked, what ends its endless streams, and what watches it.

    Raises InvalidInput for settings of JWTs that cannot be.
    """
    base = tenants.own
    limiter = anyio.CapacityLimiter(server.THREADS)
    updates = GraphUpdates(base)
    manager = StreamableHTTPSessionManager(
        build(base, _client_of, limiter, updates), stateless=True, max_request_body_size=LARGEST
    )
    own_routes = auth.routes(base.settings)
    traffic, rates = Traffic(), Rates(tenants)
    envelope = Envelope(base.settings, limiter, rates.take_more)
    behind = _Behind(tenants, traffic)
    pages = None if make_pages is None else make_pages(tenants, called.port, limiter)
    routes = [
        *(Route(f"{where}/jsonrpc", envelope.__call__, methods=["POST"]) for where in ("", PROJECT)),
        *(Route(f"{where}/mcp", _Posting(manager), methods=["POST"]) for where in ("", PROJECT)),
        Route(HEALTH, behind.answer_health, methods=["GET"]),
        Route(METRICS, behind.answer_metrics, methods=["GET"]),
        *own_routes,
        *(pages.routes if pages is not None else ()),
    ]
    answered, opened = _Routes(routes), {HEALTH, *(route.path for route in own_routes)}
    middleware = Middleware(
        answered,
        called,
        authenticate=authentication.bearer,
        admit=partial(_admitted, tenants, limiter, pages),
        patience=base.settings.http_patience,
        # That there is nothing at an address is no secret, and 401 would send clients to look for who gives tokens.
        is_open=lambda scope: scope["path"] in opened or not answered.has(scope),
        traffic=traffic,
        rates=rates,
        pages=pages,
    )

    def end_streams() -> None:
        updates.end_streams()
        if pages is not None:
            pages.end_streams()

    async with tenants.running(), manager.run():
        yield middleware, end_streams, behind


class _Routes:
    """The application behind the door: what no route answers is raised, and answered by the door."""

    def __init__(self, routes: Sequence[Route]):
        self._routes = routes

    def has(self, scope: Scope) -> bool:
        """Return whether there is something at the address of a request, for whatever method."""
        return any(route.matches(scope)[0] is not Match.NONE for route in self._routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        allowed: set[str] = set()
        for route in self._routes:
            match, more = route.matches(scope)
            if match is Match.FULL:
                scope.update(more)
                return await route.handle(scope, receive, send)
            if match is Match.PARTIAL:
                allowed |= route.methods or set()
        if not allowed:
            raise _no_route(scope)
        methods = ", ".join(sorted(allowed))
        raise HTTPException(405, f"{scope['method']} is not supported here; use {methods}", {"Allow": methods})


class _Posting:
    """MCP's own handler as an ASGI application behind a route."""

    def __init__(self, manager: StreamableHTTPSessionManager):
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


class _Behind:
    """The routes that are asked by machines that watch over this one."""

    def __init__(self, tenants: Tenants, traffic: Traffic):
        self._tenants = tenants
        self._traffic = traffic
        self._limiter = anyio.CapacityLimiter(2)  # threads of their own: they are asked when all others are busy too
        self._look: asyncio.Future[dict[str, Any] | None] | None = None

    async def answer_health(self, _: Request) -> Response:
        """Answer whether the store can be read soon, and how far it is behind where its server is a standby."""
        return await self.health()

    async def health(self) -> Response:
        """Answer as `answer_health` does."""
        found = await self._found()
        return JSONResponse({"status": "unavailable"}, 503) if found is None else JSONResponse(found)

    async def _found(self) -> dict[str, Any] | None:
        """Return what is to be said of a store that can be read soon, else None. One check at a time, for all that ask
        meanwhile.
        """
        if self._look is None or self._look.done():
            looking = anyio.to_thread.run_sync(self._answers, limiter=self._limiter)
            self._look = asyncio.ensure_future(looking)
        answered, _late = await asyncio.wait([self._look], timeout=HEALTH_PATIENCE)
        return next((look.result() for look in answered), None)

    def _answers(self) -> dict[str, Any] | None:
        try:
            standby = diagnostics.reachable(self._tenants.own)
        except IndelibleError:
            return None
        return {"status": "ok", **({} if standby is None else {"standby": diagnostics.standby_figures(standby)})}

    async def answer_metrics(self, request: Request) -> Response:
        """Answer with the metrics, for a caller that may see everything in the store and the server."""
        client: Client = request.scope[SCOPE_KEY]
        if client.ctx.session.grant.limited:
            return refused(403, "metrics cover the whole store, and this token is limited to namespaces; use another")
        if not client.ctx.settings.own_machine:
            return refused(403, "metrics cover the whole server, and this token belongs to another tenant")
        return Response(await self.text(), media_type=prometheus.CONTENT_TYPE)

    async def text(self) -> str:
        """Return the metrics of this server, also where its store is away: then above all they are asked for."""
        readable = await self._found() is not None
        served = replace(self._tenants.own, metrics=self._tenants.figures)
        counted = self._traffic.copy(), self._tenants.other_contexts
        write = partial(prometheus.text, served, *counted, readable=readable)
        return await anyio.to_thread.run_sync(write, limiter=self._limiter)


@asynccontextmanager
async def _admitted(
    tenants: Tenants,
    limiter: anyio.CapacityLimiter,
    pages: SitePages | None,
    scope: Scope,
    headers: Headers,
    bearer: Bearer,
) -> AsyncIterator[None]:
    """Note in a request's scope whom it comes from; that context stays open.

    Raises InvalidInput, StoreError, and Forbidden for a project that a limited token does not hold in.
    """
    auth.refuse_in_address(scope["query_string"])
    path: str = scope["path"]
    if pages is not None and pages.has(path):
        async with pages.admitted(scope, bearer):
            scope["state"][CONNECTION].known = True
            yield
        return
    in_path = path.removeprefix("/p/").rpartition("/")[0] if path.startswith("/p/") else None
    connection = scope["state"][CONNECTION]
    async with tenants.entered(bearer) as ctx:
        scope[SCOPE_KEY] = asking = client(ctx, bearer.grant, connection, headers, in_path)
        if bearer.grant.limited and asking.names_project:
            refuse = partial(refuse_other_project, asking.ctx)
            await anyio.to_thread.run_sync(read_again, refuse, limiter=limiter)
        connection.known = True
        yield


def _client_of(request: ServerRequestContext[Any]) -> Client:
    asked: Request | None = request.request
    assert asked is not None  # every message of this transport came with one
    found: Client = asked.scope[SCOPE_KEY]
    return found


def _no_route(scope: Scope) -> HTTPException:
    return HTTPException(
        404,
        f"there is nothing at {scope['path']!r:.80}; there are POST /mcp and /jsonrpc (also behind /p/PROJECT), "
        f"GET {HEALTH} and {METRICS}, and the page at /",
    )
