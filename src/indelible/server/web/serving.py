"""The HTTP server with its page, and how a user on the machine comes to it."""

import contextlib
import socket
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from indelible.core.context.context import Context
from indelible.server.http import listen, server, sessions
from indelible.server.http.metrics_port import HEALTH
from indelible.server.http.tls import Certificate
from indelible.server.web.site import LINK, Site

PATIENCE = 2.0  # seconds that a server which may have ended is waited for


def serve(
    ctx: Context,
    sockets: Sequence[socket.socket],
    address: listen.Address,
    idle: float = 0,
    certificate: Certificate | None = None,
    metrics: Sequence[socket.socket] = (),
) -> None:
    """Serve MCP, JSON-RPC and the page, as `http.server.serve`; meanwhile `indelible ui` finds this server.

    It does not find one that speaks TLS, whose certificate is for another name than this machine's for itself.
    """
    with contextlib.nullcontext() if certificate else _noted(ctx.settings.data, address.url):
        server.serve(ctx, sockets, address, make_pages=Site, idle=idle, certificate=certificate, metrics=metrics)


@contextlib.contextmanager
def _noted(data: Path, url: str) -> Iterator[None]:
    sessions.note_server(data, url)
    try:
        yield
    finally:
        sessions.forget_server(data)


def link_to(data: Path, url: str) -> str:
    """Return a link that opens the page of a server of this data directory, once."""
    return f"{url}{LINK}?link={sessions.make_link(data)}"


def running(data: Path) -> str:
    """Return the address at which the page of a data directory is served now, "" where it is not."""
    url = sessions.noted_server(data)
    if not url.startswith("http://"):
        return ""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{url}{HEALTH}", timeout=PATIENCE) as answer:
            return url if answer.status == 200 else ""
    except OSError:
        return ""
