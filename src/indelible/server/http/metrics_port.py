"""The metrics on a port of their own, for a Prometheus that has no token: /metrics and /health, and nothing else."""

import ipaddress
from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from indelible.server.http import prometheus
from indelible.server.http.middleware import SAFE, Names, host_name, refused

HEALTH, METRICS = "/health", "/metrics"


class MetricsPort:
    """The ASGI application of that port. It asks for no token: who can reach it may read it."""

    def __init__(self, called: Names, health: Callable[[], Awaitable[Response]], text: Callable[[], Awaitable[str]]):
        self._called = called
        self._health = health
        self._text = text

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = await self._answer(scope)
        answer.raw_headers.extend(SAFE)
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        host = Headers(scope=scope).get("host", "")
        if not self._is_ours(host_name(host)):
            return refused(421, f"the Host {host!r:.80} is not one of this server's names; connect by its IP address")
        if scope["path"] not in (HEALTH, METRICS):
            return refused(404, f"there is nothing at {scope['path']!r:.80}; on this port are {HEALTH} and {METRICS}")
        if scope["method"] != "GET":
            return refused(405, f"{scope['method']} is not supported here; use GET", {"Allow": "GET"})
        if scope["path"] == HEALTH:
            return await self._health()
        return Response(await self._text(), media_type=prometheus.CONTENT_TYPE)

    def _is_ours(self, name: str) -> bool:
        """Return whether a Host may be answered: no name that a web page can let lead here (DNS rebinding)."""
        if name in self._called.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True
