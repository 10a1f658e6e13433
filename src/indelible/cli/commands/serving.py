"""Processes that stay: the server and the encoder."""

import argparse
import gc

from indelible.cli.opening import Adding, open_context_of, settings_of
from indelible.server.options import add_address, add_filters, add_workspace
from indelible.stderr import say


def add(command: Adding) -> None:
    """Declare the commands."""
    serve = command("serve", _serve, "serve MCP over stdio (what an agent starts), or over HTTP")
    add_address(serve)
    add_filters(serve)
    add_workspace(serve)
    encoder = command("encoder", _encoder, "run the models for all servers of this user (they start it themselves)")
    encoder.add_argument("--idle", type=float, default=600, help="seconds without a request; default: %(default)s")


def _serve(arguments: argparse.Namespace) -> int:
    gc.disable()  # until it serves: a seventh of its start
    from indelible.server import json_logs

    json_logs.start()
    from indelible.toolsets import profiles

    profiles.offered(settings_of(arguments))  # a wrong name is refused before a store is made
    if arguments.http is not None:
        return _serve_http(arguments)
    ctx = open_context_of(arguments, drains=False)
    from indelible.server.mcp import stdio

    stdio.serve(ctx)
    return 0


def _serve_http(arguments: argparse.Namespace) -> int:
    from indelible.server.http import listen

    address = listen.parse(arguments.http)
    sockets = listen.listening(address)
    ctx = open_context_of(arguments, drains=False)
    from indelible.server.http import server

    server.serve(ctx, sockets, listen.where(sockets, address))
    return 0


def _encoder(arguments: argparse.Namespace) -> int:
    import logging

    from indelible.embed import server as embed_server
    from indelible.server import json_logs

    json_logs.start(logging.INFO)
    if not embed_server.run(arguments.idle):
        say("an encoder of this version is already running")
    return 0
