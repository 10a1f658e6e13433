"""Processes that stay: the server and the encoder."""

import argparse
import gc
from typing import TYPE_CHECKING

from indelible.cli.opening import Adding, open_context_of, settings_of
from indelible.cli.terminal import out
from indelible.errors import InvalidInput, StoreError
from indelible.server.options import DEFAULT, add_address, add_filters, add_logging, add_workspace
from indelible.stderr import say

if TYPE_CHECKING:
    import socket

    from indelible.server.http import listen


def add(command: Adding) -> None:
    """Declare the commands."""
    serve = command("serve", _serve, "serve MCP over stdio (what an agent starts), or over HTTP")
    add_address(serve)
    add_logging(serve)
    add_filters(serve)
    add_workspace(serve)
    ui = command("ui", _ui, "see, question and correct what is remembered, in a browser")
    ui.add_argument(
        "--http", metavar="[HOST:]PORT", help=f"where to serve the page; default: {DEFAULT}, else a free port"
    )
    ui.add_argument("--no-browser", action="store_true", help="only print the link")
    ui.add_argument(
        "--idle",
        type=float,
        default=90,
        help="seconds without an open page and a request after which a server that was started for it leaves, 0 for "
        "never; default: %(default)s",
    )
    encoder = command("encoder", _encoder, "run the models for all servers of this user (they start it themselves)")
    encoder.add_argument("--idle", type=float, default=600, help="seconds without a request; default: %(default)s")


def _serve(arguments: argparse.Namespace) -> int:
    gc.disable()  # until it serves: a seventh of its start
    import logging

    from indelible.server import json_logs

    json_logs.start(logging.getLevelNamesMapping()[arguments.log_level.upper()], arguments.log_file)
    from indelible.toolsets import profiles

    profiles.offered(settings_of(arguments))  # a wrong name is refused before a store is made
    if arguments.http is not None:
        return _serve_http(arguments)
    _refuse_without_http(arguments)
    ctx = open_context_of(arguments, drains=False)
    from indelible.server.mcp import stdio

    stdio.serve(ctx)
    return 0


def _refuse_without_http(arguments: argparse.Namespace) -> None:
    """Refuse what only a server over HTTP has."""
    for flag in ("tls_cert", "tls_key", "metrics"):
        if getattr(arguments, flag) is not None:
            raise InvalidInput(f"--{flag.replace('_', '-')} is for a server over HTTP; give --http as well")


def _serve_http(arguments: argparse.Namespace) -> int:
    from indelible.server.http import listen
    from indelible.server.http.tls import Certificate

    chain, key = arguments.tls_cert, arguments.tls_key
    if (chain is None) != (key is None):
        raise InvalidInput("--tls-cert and --tls-key belong together: the certificate with its chain, and its key")
    certificate = None if chain is None else Certificate(chain, key)
    address = listen.parse(arguments.http, "http" if certificate is None else "https")
    sockets, metrics = listen.listening(address), []
    if arguments.metrics is not None:
        watched = listen.parse(arguments.metrics, flag="--metrics")
        metrics = listen.listening(watched)
        say(f"indelible: metrics at {listen.where(metrics, watched).url}/metrics")
    ctx = open_context_of(arguments, drains=False)
    from indelible.server.web import serving

    serving.serve(ctx, sockets, listen.where(sockets, address), certificate=certificate, metrics=metrics)
    return 0


def _ui(arguments: argparse.Namespace) -> int:
    """Open the page in a browser: that of a server that runs, else of one that is started for it and leaves with it."""
    from indelible.server import json_logs
    from indelible.server.web import serving

    settings = settings_of(arguments)
    if running := serving.running(settings.data):
        _show(serving.link_to(settings.data, running), browser=not arguments.no_browser)
        return 0
    json_logs.start()

    sockets, address = _listening(arguments.http)
    ctx = open_context_of(arguments, drains=False)
    _show(serving.link_to(settings.data, address.url), browser=not arguments.no_browser)
    serving.serve(ctx, sockets, address, idle=max(0.0, arguments.idle))
    return 0


def _listening(given: str | None) -> "tuple[list[socket.socket], listen.Address]":
    """Return open sockets: at the address that was given, else at the usual port, else at any that is free."""
    from indelible.server.http import listen

    if given is not None:
        address = listen.parse(given)
        sockets = listen.listening(address)
        return sockets, listen.where(sockets, address)
    try:
        return _listening(DEFAULT)
    except StoreError:
        return _listening("127.0.0.1:0")


def _show(link: str, *, browser: bool) -> None:
    """Open a link in the user's browser, and print it: there may be none here."""
    opened = False
    if browser:
        import webbrowser

        opened = webbrowser.open(link)
    out(link)
    say("the page is open in your browser" if opened else "open this link in a browser: it holds for 60 seconds, once")


def _encoder(arguments: argparse.Namespace) -> int:
    import logging

    from indelible.embed import server as embed_server
    from indelible.server import json_logs

    json_logs.start(logging.INFO)
    if not embed_server.run(arguments.idle):
        say("an encoder of this version is already running")
    return 0
