"""The door of the HTTP server: every request is held against its rules before anything behind it sees it.

Who is let in: names of this server only (against DNS rebinding), pages of this server only (against other web pages),
callers with a token where one is needed, a limited number of requests of each at a time. What is let in: JSON, of a
limited size and depth, that arrives in time. Each refusal says what is wrong and how to mend it.
"""

import logging
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import field
from http import HTTPStatus
from typing import Protocol

import anyio
import anyio.to_thread
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indelible import tracing
from indelible.dataclass import dataclass
from indelible.errors import Forbidden, IndelibleError, InvalidInput, QuotaExceeded, StoreError, Unauthorized
from indelible.sanitize.prompt_frame import json_text, visible
from indelible.sanitize.secret_spans import redact_text
from indelible.server.error_ids import begin_request, log, logged_message, public_message
from indelible.server.http.connections import WRITTEN, Written
from indelible.server.http.rates import Rates
from indelible.server.http.tenants import Bearer

LARGEST = 4 << 20  # bytes of a body
DEEPEST = 200  # levels of JSON in a body: where the parser stops, in C; arguments have a smaller limit of their own
AT_ONCE = 64  # requests of one caller; and as many streams, which last
WORKED_ON = 8  # of them: the others wait, so that one caller takes neither all threads nor, unread, all memory
SLOW = 64 << 10  # bytes that are parsed in a thread
BODY = 3  # times the patience for a head: how long a body may take
GRANTED = 6  # times that patience: how long a stream goes on before it is asked again who it goes to
DRAIN = 2.0  # seconds in which what a refused client still sends is read, so that it reads why
# Headers of every answer that has none of its own by that name.
SAFE = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))
ARRIVED = {"network.transport": "tcp", "network.protocol.name": "http"}  # of a call's span, as OpenTelemetry says it
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PORTS = {"http": 80, "https": 443}
ONCE = (
    "authorization",
    "content-type",
    "origin",
    "x-indelible-project",
    "x-indelible-branch",
    "idempotency-key",
)  # in one request
OF_STRANGERS = (401, 403, 421)  # answers after which a connection is closed
UNREADABLE = ("recursion limit exceeded",)  # how the parser says "too deep"

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::([0-9]{1,5}))?")
_CODES = {
    HTTPStatus.UNAUTHORIZED: -32001,
    HTTPStatus.FORBIDDEN: -32003,
    HTTPStatus.INTERNAL_SERVER_ERROR: -32603,
    HTTPStatus.SERVICE_UNAVAILABLE: -32603,
}
_STATUS: tuple[tuple[type[IndelibleError], HTTPStatus], ...] = (
    (Unauthorized, HTTPStatus.UNAUTHORIZED),
    (Forbidden, HTTPStatus.FORBIDDEN),
    (QuotaExceeded, HTTPStatus.TOO_MANY_REQUESTS),
    (InvalidInput, HTTPStatus.BAD_REQUEST),
    (StoreError, HTTPStatus.SERVICE_UNAVAILABLE),
)


class Refusal(Exception):
    """A request that is not let in: the HTTP status, what is wrong and how to mend it.

    `closes`: its head is malformed, so that its connection is not kept for what another would take for its body.
    """

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None, *, closes: bool = False):
        super().__init__(message)
        self.status = HTTPStatus(status)
        self.headers = dict(headers or {})
        self.closes = closes


def refused(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request that is not let in: a JSON-RPC error without an id, which both kinds of clients read."""
    error = {"code": _CODES.get(HTTPStatus(status), -32600), "message": visible(redact_text(message)[0])}
    body = {"jsonrpc": "2.0", "id": None, "error": error}
    return Response(json_text(body), status, dict(headers or {}), media_type="application/json")


@dataclass
class Traffic:
    """Counters of requests: by path and status, and how many run now for each caller."""

    answered: Counter[tuple[str, int]] = field(default_factory=Counter)
    running: Counter[str] = field(default_factory=Counter)
    listening: Counter[str] = field(default_factory=Counter)  # of them: streams that last
    _turns: dict[str, anyio.CapacityLimiter] = field(default_factory=dict)

    def copy(self) -> "Traffic":
        """As it is now; for another thread than that of the event loop."""
        return Traffic(self.answered.copy(), self.running.copy(), self.listening.copy())

    @property
    def in_progress(self) -> int:
        """Return the number of requests that run now."""
        return sum(self.running.values()) + sum(self.listening.values())

    @contextmanager
    def one_of(self, who: str, *, listening: bool = False) -> Iterator[None]:
        """Count a request of a caller while it runs, a stream apart. Raises Refusal where there are too many."""
        counted = self.listening if listening else self.running
        if counted[who] >= AT_ONCE:
            what = "streams" if listening else "requests"
            raise Refusal(
                429,
                f"{AT_ONCE} {what} of yours are running, the most at once; wait for an answer",
                {"Retry-After": "1"},
            )
        counted[who] += 1
        try:
            yield
        finally:
            counted[who] -= 1
            if not counted[who]:
                del counted[who]
            if who not in self.running:
                self._turns.pop(who, None)

    def turn(self, who: str) -> anyio.CapacityLimiter:
        """Return the limiter that requests of a counted caller wait for before they are worked on."""
        return self._turns.setdefault(who, anyio.CapacityLimiter(WORKED_ON))


@dataclass(frozen=True, slots=True)
class Names:
    """The host names of a server, and the origins of pages that may call it.

    A page of a host that its user `allowed` may have any port, which is a proxy's; others must be of its own port.
    """

    hosts: frozenset[str]
    allowed: frozenset[str]
    port: int

    @property
    def are_public(self) -> bool:
        """Return whether it is meant to be called by a name that is not this machine's for itself."""
        return not self.allowed <= set(LOOPBACK)

    def has_page(self, origin: str) -> bool:
        """Return whether an Origin is a page of this server."""
        scheme, _, place = origin.partition("://")
        found = _HOST.fullmatch(place)
        if found is None or scheme not in PORTS:
            return False
        host = host_name(place)
        return host in self.allowed or (host in self.hosts and int(found[3] or PORTS[scheme]) == self.port)


class Pages(Protocol):
    """The pages for people: which paths are theirs, who asks for one, and how they say that something is refused."""

    FORM: str  # the content type of a POST
    STREAM: str  # the path of a stream that lasts

    def has(self, path: str) -> bool:
        """Return whether a path is one of a page."""

    def is_open(self, path: str) -> bool:
        """Return whether it is one that anybody may ask for."""

    async def bearer(self, headers: Headers) -> Bearer:
        """Return who asks. Raises Unauthorized."""

    def refused(self, scope: Scope, status: int, message: str) -> Response:
        """Return the answer to a request that is refused."""


class Middleware:
    """The ASGI application around the others."""

    def __init__(
        self,
        app: ASGIApp,
        called: Names,
        authenticate: Callable[[Headers], Awaitable[Bearer]],
        admit: Callable[[Scope, Headers, Bearer], AbstractAsyncContextManager[None]],
        patience: float,
        is_open: Callable[[Scope], bool],  # whether a request needs no token
        traffic: Traffic,
        pages: Pages | None = None,
        rates: Rates | None = None,
    ):
        self._rates = rates
        self._pages = pages
        self._app = app
        self._names = called
        self._authenticate = authenticate
        self._admit = admit
        self._patience = patience * BODY
        self._granted = patience * GRANTED
        self._is_open = is_open
        self._parsing = anyio.CapacityLimiter(1)
        self.traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request in, or say why not."""
        begun, headers = time.monotonic(), Headers(scope=scope)
        request = begin_request(headers.get("x-request-id"))
        tracing.arrived(headers, {**ARRIVED, "indelible.request.id": request})
        is_open = self._is_open(scope)
        talk = _Talk(scope, receive, send, request, closes=is_open)
        try:
            with _as_refusal(_route(scope["path"])):
                await self._serve(scope, talk, is_open=is_open)
        except Refusal as refusal:
            if talk.status:  # too late: what was begun is cut off
                return
            talk.closes |= refusal.closes
            if refusal.status != HTTPStatus.REQUEST_TIMEOUT:
                await talk.drain()
            await self._refused(scope, refusal.status, str(refusal), refusal.headers)(scope, receive, talk.send)
        except Exception as error:  # noqa: BLE001 - the one place of this transport: an id out, the rest to the log
            message = logged_message(_route(scope["path"]), error)
            if not talk.status:
                await self._refused(scope, 500, message)(scope, receive, talk.send)
        finally:
            self.traffic.answered[_route(scope["path"]), talk.status] += 1
            if log.isEnabledFor(logging.INFO):
                figures = {"status": talk.status, "durationMs": round((time.monotonic() - begun) * 1000, 1)}
                who = {"caller": talk.who} if talk.who else {}
                told = {"method": scope["method"], "route": _route(scope["path"]), **figures, **who}
                log.info("request", extra=told)

    def _refused(self, scope: Scope, status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
        reads_pages = status == HTTPStatus.NOT_FOUND and "text/html" in Headers(scope=scope).get("accept", "")
        if self._pages is not None and (reads_pages or self._pages.has(scope["path"])):
            answer = self._pages.refused(scope, status, visible(redact_text(message)[0]))
            if headers is not None and "Retry-After" in headers:
                answer.headers["Retry-After"] = headers["Retry-After"]
            return answer
        return refused(status, message, headers)

    async def _serve(self, scope: Scope, talk: "_Talk", *, is_open: bool) -> None:
        headers = Headers(scope=scope)
        _refuse_twice(headers)
        self._check_names(headers)
        path: str = scope["path"]
        pages = self._pages if self._pages is not None and self._pages.has(path) else None
        if is_open or (pages is not None and pages.is_open(path)):
            posts = pages is not None and scope["method"] == "POST"
            receive = await self._with_body(headers, talk.receive, pages) if posts else talk.receive
            await self._app(scope, receive, talk.send)
            return
        bearer = await self._bearer(headers, pages)
        address = scope["client"][0] if scope["client"] else ""
        who = talk.who = bearer.who if bearer.grant.who else f"at {address}"
        listening = _is_stream(path, headers) or (pages is not None and path == pages.STREAM)
        with self.traffic.one_of(who, listening=listening):
            async with self._admit(scope, headers, bearer):
                await self._answer(scope, talk, headers, who, pages, listening=listening)

    async def _bearer(self, headers: Headers, pages: Pages | None) -> Bearer:
        """Return who asks, whose tenant may still do a call, which is counted."""
        if self._rates is not None:
            self._rates.refuse_known(headers)
        bearer = await (self._authenticate if pages is None else pages.bearer)(headers)
        if self._rates is not None:
            await self._rates.take(headers, bearer)
        return bearer

    async def _answer(
        self, scope: Scope, talk: "_Talk", headers: Headers, who: str, pages: Pages | None, *, listening: bool
    ) -> None:
        """Have a request answered that was let in."""
        posted = scope["method"] == "POST"
        receive = await self._with_body(headers, talk.receive, pages) if posted else talk.receive
        if listening:
            again = self._authenticate if pages is None else pages.bearer
            await self._app(scope, self._while_granted(headers, receive, again), talk.send)
            await talk.end()
            return
        if not posted and pages is None:
            await self._app(scope, receive, talk.send)
            return
        async with self.traffic.turn(who):
            await self._app(scope, receive, talk.send)
            await talk.written()

    def _check_names(self, headers: Headers) -> None:
        """Refuse a request that was meant for another server, or comes from another's web page."""
        host = headers.get("host", "")
        if host_name(host) not in self._names.hosts:
            raise Refusal(
                421,
                f"the Host {host!r:.80} is not one of this server's names; connect by one of them, or start it with "
                f"--allowed-host NAME (INDELIBLE_ALLOWED_HOSTS)",
            )
        origin = headers.get("origin")
        if origin is not None and not self._names.has_page(origin):
            raise Refusal(
                403,
                f"the Origin {origin!r:.80} is another site than this server; web pages of other sites are not "
                "answered, unless it was started with --allowed-host NAME",
            )

    async def _with_body(self, headers: Headers, receive: Receive, pages: Pages | None) -> Receive:
        """Return a receiver of the body, read whole and checked against the limits. Raises Refusal."""
        _check_type(headers.get("content-type", ""), "application/json" if pages is None else pages.FORM)
        body = await self._read(headers.get("content-length", "0"), receive)
        if pages is None and body.count(b"[") + body.count(b"{") > DEEPEST:
            if len(body) > SLOW:
                await anyio.to_thread.run_sync(_check_depth, body, limiter=self._parsing)
            else:
                _check_depth(body)
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        return again

    def _while_granted(
        self, headers: Headers, receive: Receive, authenticate: Callable[[Headers], Awaitable[Bearer]]
    ) -> Receive:
        """Return a receiver that reports a disconnect when the token was revoked or expired."""

        async def granted() -> Message:
            while True:
                with anyio.move_on_after(self._granted):
                    return await receive()
                try:
                    await authenticate(headers)
                except IndelibleError:
                    return {"type": "http.disconnect"}

        return granted

    async def _read(self, length: str, receive: Receive) -> bytes:
        if length.isdecimal() and int(length) > LARGEST:
            raise _too_large(int(length))
        parts: list[bytes] = []
        size = 0
        with anyio.move_on_after(self._patience) as waiting:
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refusal(400, "the body is not complete")
                parts.append(message.get("body", b""))
                more = message.get("more_body", False)
                size += len(parts[-1])
                if size > LARGEST:
                    raise _too_large(size)
        if waiting.cancelled_caught:
            raise Refusal(408, f"the body must arrive within {self._patience:g} seconds; send it faster, or less of it")
        return b"".join(parts)


def _check_type(given: str, wanted: str) -> None:
    kind, *parameters = (part.strip().lower() for part in given.split(";"))
    charsets = [part.partition("=")[2].strip('"') for part in parameters if part.startswith("charset=")]
    if kind != wanted or any(charset not in ("utf-8", "utf8") for charset in charsets):
        raise Refusal(415, f"a POST needs Content-Type: {wanted} (in UTF-8), got {given!r:.80}")


def _check_depth(body: bytes) -> None:
    try:
        from_json(body)
    except ValueError as error:
        if any(message in str(error) for message in UNREADABLE):
            raise Refusal(400, f"the body is nested deeper than {DEEPEST} levels; send flatter JSON") from None


def _too_large(size: int) -> Refusal:
    return Refusal(
        413,
        f"the body has {size:,} bytes or more, at most {LARGEST:,} are taken; send it in parts (or `indelible import`)",
    )


@contextmanager
def _as_refusal(route: str) -> Iterator[None]:
    """Turn an error of a route into a Refusal with the status and message of its HTTP answer."""
    try:
        yield
    except IndelibleError as error:
        status = next((status for kind, status in _STATUS if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
        raise Refusal(status, public_message(route, error), getattr(error, "headers", None)) from None
    except HTTPException as error:
        raise Refusal(error.status_code, error.detail, error.headers) from None


class _Talk:
    """The exchange of one request: whether its body was read to the end, and the status of its answer."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, request: str, *, closes: bool):
        self._receive, self._send = receive, send
        self._request = (b"x-request-id", request.encode())
        self._written: Written | None = scope.get("state", {}).get(WRITTEN)
        headers = Headers(scope=scope)
        self._complete = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
        self._waits = "100-continue" in headers.get("expect", "")  # for our word, before it sends
        self.closes = closes
        self._ended = False
        self.status = 0
        self.who = ""

    async def receive(self) -> Message:
        """The next part of the request."""
        message = await self._receive()
        self._complete = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer.

        A request that was not read whole is the last one of its connection, and so is one that needs no token or has
        none: such connections are not kept for a next one.
        """
        if message["type"] == "http.response.start":
            self.status = message["status"]
            closes = self.closes or not self._complete or self.status in OF_STRANGERS
            close = [(b"connection", b"close")] if closes else []
            own = list(message.get("headers", ()))
            named = {name.lower() for name, _ in own}
            safe = [each for each in SAFE if each[0] not in named]
            message = {**message, "headers": [*own, *safe, self._request, *close]}
        else:
            self._ended = not message.get("more_body", False)
        await self._send(message)

    async def end(self) -> None:
        """End an answer that was begun and not ended."""
        if self.status and not self._ended:
            await self.send({"type": "http.response.body"})

    async def written(self) -> None:
        """Wait until the client has read all of the answer but what the network holds, or is gone."""
        if self._written is not None:
            await self._written()

    async def drain(self) -> None:
        """Read what the client still sends, for a while: one that is cut off while it writes may never read why."""
        if not self._waits:
            with anyio.move_on_after(DRAIN):
                while not self._complete:
                    await self.receive()


def _refuse_twice(headers: Headers) -> None:
    """Refuse what two readers may read in two ways: a proxy that checked the one, and this server that takes the other.

    (What says where a request ends is looked at before: see `heads`.)
    """
    for name in ONCE:
        if len(headers.getlist(name)) > 1:
            raise Refusal(400, f"the header {name} is given twice; send it once", closes=True)


def _is_stream(path: str, headers: Headers) -> bool:
    """Return whether a request opens a lasting stream; in the 2026 era its header says so, and the SDK checks that."""
    modern = headers.get("mcp-protocol-version", HANDSHAKE_PROTOCOL_VERSIONS[0]) not in HANDSHAKE_PROTOCOL_VERSIONS
    return modern and path.endswith("/mcp") and headers.get("mcp-method") == "subscriptions/listen"


def host_name(host: str) -> str:
    """The host of `host[:port]`, as names are compared; "" for what is none."""
    found = _HOST.fullmatch(host)
    return "" if found is None else (found[1] or found[2]).lower().removesuffix(".")


def names(bound: Collection[str], allowed: Collection[str], port: int) -> Names:
    """Return the names of a server: loopback, its bound address and the allowed hosts. Raises InvalidInput."""
    for host in allowed:
        if not host_name(host):
            raise InvalidInput(
                f"--allowed-host must be a host name or IP address, such as memory.example.org, got {host!r:.80}"
            )
    told_of = frozenset(host_name(host) for host in allowed)
    return Names(frozenset({*LOOPBACK, *(each.lower() for each in bound)}) | told_of, told_of, port)


def _route(path: str) -> str:
    """A path as it is counted: a project's name is nobody's business, and there are too many unknown ones."""
    last = "/" + path.rpartition("/")[2]
    return last if last in ("/mcp", "/jsonrpc", "/health", "/metrics") else "other"
