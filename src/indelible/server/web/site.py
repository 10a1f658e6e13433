"""The page of a server: its routes, who is let in, and what a refusal looks like to a person."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs

import anyio
import anyio.to_thread
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from indelible.admin import doctor
from indelible.core.context.session import Session
from indelible.errors import Conflict, Forbidden, IndelibleError, InvalidInput, NotFound, QuotaExceeded, Unauthorized
from indelible.server.error_ids import public_message
from indelible.server.http.sessions import Sessions, Visitor
from indelible.server.http.tenants import Bearer, Tenants
from indelible.server.http.turns import WAIT, in_turn
from indelible.server.web import find, graph, home, projects, record, review, system, timeline
from indelible.server.web.examination import Examination
from indelible.server.web.live import Live
from indelible.server.web.page import ASSETS, LOOKED, UNDO, Page, assets, plain
from indelible.store.database import read_again

View = Callable[[Page], Response]
VISITOR, CONTEXT = "indelible.visitor", "indelible.page"
LINK, LOGIN, LOGOUT = "/open", "/login", "/logout"
VIEWS = (home, find, record, review, timeline, graph, projects, system)
_STATUS: tuple[tuple[type[IndelibleError], int], ...] = (
    (NotFound, 404),
    (Forbidden, 403),
    (QuotaExceeded, 403),
    (Conflict, 409),
)


class Site:
    """The page of one server, as its middleware and its routes use it."""

    FORM = "application/x-www-form-urlencoded"
    STREAM = "/live"

    def __init__(self, tenants: Tenants, port: int, limiter: anyio.CapacityLimiter):
        self._tenants = tenants
        self._sessions = Sessions(tenants, port)
        self._limiter = limiter
        self._asking = anyio.CapacityLimiter(4)
        self._live = Live()
        self._examination = Examination(partial(doctor.examined, tenants.own))
        views = [each for module in VIEWS for each in module.ROUTES]
        self.routes = [
            Route(LINK, self._open, methods=["GET"]),
            Route(LOGIN, self._login, methods=["GET", "POST"]),
            Route(LOGOUT, self._logout, methods=["POST"]),
            Route(ASSETS + "{name}", self._asset, methods=["GET"]),
            Route(self.STREAM, self._stream, methods=["GET"]),
            *(Route(path, partial(self._answer, view), methods=[method]) for method, path, view in views),
        ]
        self._segments = {_segment(route.path) for route in self.routes}

    def has(self, path: str) -> bool:
        """Return whether a path is one of the page."""
        return _segment(path) in self._segments

    def is_open(self, path: str) -> bool:
        """Return whether it is one that anybody may ask for."""
        return path in (LINK, LOGIN) or path.startswith(ASSETS)

    async def bearer(self, headers: Headers) -> Visitor:
        """Return who asks. Raises Unauthorized."""
        return await in_turn(self._asking, WAIT, read_again, partial(self._sessions.visitor, headers))

    @asynccontextmanager
    async def admitted(self, scope: Scope, visitor: Bearer) -> AsyncIterator[None]:
        """Note in a request's scope whom it comes from; that context stays open. Raises IndelibleError."""
        assert isinstance(visitor, Visitor)  # as `bearer` found it
        async with self._tenants.entered(visitor) as ctx:
            granted = ctx.granted(visitor.grant)
            session = Session(granted.session.location, visitor.grant, is_local=visitor.is_local)
            scope[VISITOR] = visitor
            scope[CONTEXT] = replace(granted, session=session)
            yield

    def refused(self, scope: Scope, status: int, message: str) -> Response:
        """Return the answer to a request that is refused: the log-in for who is not known, else an error page."""
        if status == 401 and scope["path"] not in (LINK, LOGIN, self.STREAM):
            return self._login_form(401, message)
        return plain("error.html", status, status=status, message=message)

    def end_streams(self) -> None:
        """End the streams that last."""
        self._live.end()

    async def _answer(self, view: View, request: Request) -> Response:
        visitor: Visitor = request.scope[VISITOR]
        lists = parse_qs((await request.body()).decode(errors="replace"), keep_blank_values=True)
        address = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
        page = Page(
            ctx=request.scope[CONTEXT],
            path=request.url.path,
            query=dict(request.query_params) | {f"/{name}": value for name, value in request.path_params.items()},
            form={name: values[0].replace("\r\n", "\n") for name, values in lists.items()},
            lists=lists,
            form_key=visitor.form_key,
            is_local=visitor.is_local,
            undoable=request.cookies.get(UNDO, ""),
            looked=request.cookies.get(LOOKED, ""),
            served=self._tenants.others,
            examination=self._examination,
            here=address if request.method == "GET" else "/",
            is_part="hx-request" in request.headers,
        )
        if request.method == "POST" and not visitor.made(page.form.get("form_key", "")):
            raise Forbidden("this form is not one of this page, or an old one; go back, reload, and send it again")
        answer = partial(_answered, view, page)
        if request.method == "GET":
            answer = partial(read_again, answer)
        return await anyio.to_thread.run_sync(answer, limiter=self._limiter)

    async def _open(self, request: Request) -> Response:
        try:
            ticket, secure = request.query_params.get("link", ""), request.url.scheme == "https"
            cookie = self._sessions.by_link(ticket, secure=secure)
        except Unauthorized as error:
            return self._login_form(401, str(error))
        return RedirectResponse("/", 303, {"Set-Cookie": cookie, "Cache-Control": "no-store"})

    async def _login(self, request: Request) -> Response:
        if request.method == "GET":
            return self._login_form(200, "")
        given = parse_qs((await request.body()).decode(errors="replace"))
        where = request.client.host if request.client else ""
        secure = request.url.hostname not in ("localhost", "127.0.0.1", "::1")
        secret = given.get("token", [""])[0].strip()
        signing = partial(self._sessions.by_token, secret, where, secure=secure)
        try:
            cookie = await in_turn(self._asking, WAIT, read_again, signing)
        except Unauthorized as error:
            return self._login_form(401, str(error))
        return RedirectResponse("/", 303, {"Set-Cookie": cookie, "Cache-Control": "no-store"})

    async def _logout(self, request: Request) -> Response:
        visitor: Visitor = request.scope[VISITOR]
        given = parse_qs((await request.body()).decode(errors="replace"))
        if not visitor.made(given.get("form_key", [""])[0]):
            raise Forbidden("this form is not one of this page; go back, reload, and send it again")
        answer = RedirectResponse(LOGIN, 303)
        for cookie in self._sessions.end(request.headers):
            answer.headers.append("set-cookie", cookie)
        return answer

    async def _asset(self, request: Request) -> Response:
        body = assets().get(request.path_params["name"])
        if body is None:
            raise HTTPException(404, f"there is no file {request.path_params['name']!r:.80}")
        kinds = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
        kind = kinds[request.path_params["name"].rpartition(".")[2]]
        return Response(body, 200, {"Cache-Control": "public, max-age=31536000, immutable"}, kind)

    async def _stream(self, request: Request) -> Response:
        return self._live.stream(request.scope[CONTEXT], request)

    def _login_form(self, status: int, message: str) -> Response:
        return plain("login.html", status, message=message)


def _answered(view: View, page: Page) -> Response:
    """Return the answer of a view, in a thread; an error is a page that names the next step."""
    try:
        with page.ctx.answering.call():
            return view(page)
    except (InvalidInput, NotFound, Forbidden, QuotaExceeded, Conflict) as error:
        status = next((status for kind, status in _STATUS if isinstance(error, kind)), 400)
        return page.shown("problem.html", status, message=public_message(page.path, error), status=status)


def _segment(path: str) -> str:
    return path.split("/", 2)[1]
