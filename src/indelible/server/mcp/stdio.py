"""MCP over standard input and output. Every request that came in is answered before the process leaves."""

import os
import signal
import sys
from collections.abc import Callable

import anyio
import anyio.to_thread

from indelible.core.context.context import Context
from indelible.server import traces
from indelible.server.background import Background, collect_garbage
from indelible.server.local.listening import HookListener
from indelible.server.mcp.server import build
from indelible.server.mcp.standard_streams import Input, Output, Unanswered, claimed


def serve(ctx: Context) -> None:
    """Serve until the client closes our input, or SIGTERM or SIGINT comes; then write what waits, close the store."""
    traces.start()
    background, hooks = Background(ctx), HookListener(ctx)

    def finish() -> None:
        hooks.stop()
        background.leave()
        traces.finish()

    background.start()
    hooks.start()
    try:
        with claimed() as descriptors:
            anyio.run(_serve, ctx, finish, *descriptors)
    finally:
        finish()


async def _serve(ctx: Context, finish: Callable[[], None], descriptor_in: int, descriptor_out: int) -> None:
    server = build(ctx)
    collect_garbage()
    requests = Unanswered()
    output = Output(descriptor_out, requests)
    input_ = Input(descriptor_in, output, requests)
    async with anyio.create_task_group() as group:
        group.start_soon(_leave_on_signal, requests, output, finish)
        group.start_soon(_leave_with_client, input_, output)
        await server.run(input_, output, server.create_initialization_options())
        await output.finish()
        group.cancel_scope.cancel()


async def _leave_with_client(input_: Input, output: Output) -> None:
    """A client that reads no answers has gone, whatever still holds its end of our input."""
    await output.client_left.wait()
    input_.end()


async def _leave_on_signal(requests: Unanswered, output: Output, finish: Callable[[], None]) -> None:
    if sys.platform == "win32":  # no signal receiver there; clients end a server by closing its input
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            await requests.settled()
            await output.finish()
            await anyio.to_thread.run_sync(finish)
            os._exit(0)  # the thread that waits for standard input cannot be woken
