"""The HTTP server with its page, and how a user on the machine comes to it."""

import contextlib
import socket
import ssl
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from indelible.core.context.context import Context
from indelible.server.http import listen, server, sessions
from indelible.server.http.metrics_port import HEALTH
from indelible.server.http.tls import Certificate
from indelible.server.web.site import LINK, Site

PATIENCE = 2.0  # seconds that a server which may have ended is waited for
EVERYWHERE = ("0.0.0.0", "::")  # addresses at which a server listens, and which no certificate is for


def serve(
    ctx: Context,
    sockets: Sequence[socket.socket],
    address: listen.Address,
    idle: float = 0,
    certificate: Certificate | None = None,
    metrics: Sequence[socket.socket] = (),
) -> None:
    """Serve MCP, JSON-RPC and the page, as `http.server.serve`; meanwhile `indelible ui` finds this server."""
    named = address if certificate is None else certified(address, ctx.settings.allowed_hosts)
    with _noted(ctx.settings.data, named.url):
        server.serve(ctx, sockets, address, make_pages=Site, idle=idle, certificate=certificate, metrics=metrics)


def certified(address: listen.Address, allowed: Sequence[str]) -> listen.Address:
    """Return an address by the name that its certificate is likely to be for: a browser asks for that."""
    return replace(address, host=[*allowed, "localhost"][0]) if address.host in EVERYWHERE else address


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
    if not url.startswith(("http://", "https://")):
        return ""
    unchecked = ssl.create_default_context()  # it is asked whether it is there; the browser checks its certificate
    unchecked.check_hostname = False
    unchecked.verify_mode = ssl.CERT_NONE
    direct = urllib.request.ProxyHandler({})
    opener = urllib.request.build_opener(direct, urllib.request.HTTPSHandler(context=unchecked))
    try:
        with opener.open(f"{url}{HEALTH}", timeout=PATIENCE) as answer:
            return url if answer.status == 200 else ""
    except OSError:
        return ""
