"""MCP over standard input and output. Every request that came in is answered before the process leaves."""

import json
import os
import signal
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from indelible.core.context.context import Context
from indelible.server.background import PATIENCE, Background
from indelible.server.mcp.server import build


class _Open:
    """The ids of requests that are not answered yet."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._none = anyio.Event()

    def asked(self, message: Any) -> None:
        if isinstance(message, types.JSONRPCRequest):
            if message.method != "subscriptions/listen":  # which is answered when the client leaves
                self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def answered(self, message: Any) -> None:
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._settle(message.id)

    def _settle(self, request: Any) -> None:
        self._ids.discard(request)
        if not self._ids:
            self._none.set()

    async def settled(self) -> None:
        """Wait until all are answered, within reason."""
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()


class _Reading:
    """The client's messages; their end comes only when all are answered (the SDK cancels what runs at the end)."""

    def __init__(self, inner: Any, write: "_Writing", requests: _Open):
        self._inner, self._write, self._requests = inner, write, requests

    async def receive(self) -> SessionMessage | Exception:
        while True:
            try:
                item = await self._inner.receive()
            except anyio.EndOfStream:
                await self._requests.settled()
                raise
            if not isinstance(item, Exception):
                self._requests.asked(item.message)
                return item  # type: ignore[no-any-return]
            await self._write.send(_unreadable(item))

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> "_Reading":
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "_Reading":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class _Writing:
    """Our messages, with a note of what they answer."""

    def __init__(self, inner: Any, requests: _Open):
        self._inner, self._requests = inner, requests

    async def send(self, item: SessionMessage, /) -> None:
        await self._inner.send(item)
        self._requests.answered(item.message)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> "_Writing":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _unreadable(error: Exception) -> SessionMessage:
    """The answer to a line that is not a JSON-RPC message, with the id of its request where that can be read.

    The SDK's parser is stricter than others: JavaScript writes half of a surrogate pair, as an agent that cuts a text
    in the middle of an emoji has it, and would wait for ever for an answer of its own id.
    """
    answer = types.ErrorData(
        code=types.PARSE_ERROR, message="not a JSON-RPC 2.0 message: one JSON object per line, UTF-8"
    )
    number = None
    if isinstance(error, ValidationError) and (fault := error.errors()[0])["type"] == "json_invalid":
        request = _request(fault["input"])
        if request is not None:
            number, why = request["id"], _why(request, fault["msg"])
            answer = types.ErrorData(code=types.INVALID_PARAMS, message=f"the request cannot be read: {why}")
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=answer))


def _request(line: str) -> dict[str, Any] | None:
    """A request that Python can read, with its id, else None."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return None
    number = message.get("id")
    return message if isinstance(number, (str, int)) and not isinstance(number, bool) else None


def _why(request: dict[str, Any], fault: str) -> str:
    try:
        json.dumps(request, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair; send valid Unicode"
    return fault


def serve(ctx: Context) -> None:
    """Serve until the client closes our input, or SIGTERM or SIGINT comes; then write what waits, close the store."""
    background = Background(ctx)
    background.start()
    try:
        anyio.run(_serve, ctx, background.finish)
    finally:
        background.finish()


async def _serve(ctx: Context, finish: Callable[[], None]) -> None:
    server = build(ctx)
    requests = _Open()
    async with anyio.create_task_group() as group:
        group.start_soon(_leave_on_signal, requests, finish)
        async with stdio_server() as (read, write):
            writing = _Writing(write, requests)
            await server.run(_Reading(read, writing, requests), writing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _leave_on_signal(requests: _Open, finish: Callable[[], None]) -> None:
    if sys.platform == "win32":  # no signal receiver there; clients end a server by closing its input
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            await requests.settled()
            await anyio.to_thread.run_sync(finish)
            os._exit(0)  # the thread that waits for standard input cannot be woken
