"""Standard input and output as the streams of messages that the SDK's server takes.

A thread of its own reads and parses, another writes, so a message is handed over once on its way in and once on its
way out. The SDK's transport has a pooled thread for each line that it reads, each that it writes and each flush, which
was more than half of the processor time that a request costs beside its work.
"""

import asyncio
import json
import os
import select
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from indelible.server.background import PATIENCE

MOST_AHEAD = 64  # messages that are read before the server takes them
ROOM = 1 << 20  # bytes that wait for the client to read them; who sends beyond that waits
PIECE = 1 << 16  # bytes of one read


@contextmanager
def claimed() -> Iterator[tuple[int, int]]:
    """Yield descriptors of the client's two pipes, which nothing else has while the block runs.

    Meanwhile descriptor 0 is the null device and 1 is standard error: what a library or a child process prints gets
    between no two answers.
    """
    ours, theirs = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        os.dup2(null, 1)
    os.close(null)
    try:
        yield ours, theirs
    finally:
        # Not closed: a thread may wait for input for as long as the process lives.
        os.dup2(ours, 0)
        os.dup2(theirs, 1)


class Unanswered:
    """The ids of requests that are not answered yet."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._none = anyio.Event()

    def asked(self, message: Any) -> None:
        """Note a message of the client."""
        if isinstance(message, types.JSONRPCRequest):
            if message.method != "subscriptions/listen":  # which is answered when the client leaves
                self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def answered(self, message: Any) -> None:
        """Note a message to the client."""
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._settle(message.id)

    def _settle(self, request: Any) -> None:
        if isinstance(request, (str, int)):  # a client may send anything
            self._ids.discard(request)
        if not self._ids:
            self._none.set()

    async def settled(self) -> None:
        """Wait until all are answered, within reason."""
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()


class _Stream:
    """The rest of what the SDK asks of a stream; nothing is closed, since the thread of each ends by itself."""

    async def aclose(self) -> None:
        pass

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Output(_Stream):
    """Our messages, written by a thread in their order."""

    def __init__(self, descriptor: int, requests: Unanswered) -> None:
        self._descriptor, self._requests = descriptor, requests
        self._loop = asyncio.get_running_loop()
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._sent = self._written = 0  # bytes, each counted by one thread
        self._progress: anyio.Event | None = None  # there while somebody waits for it
        self.client_left = anyio.Event()
        self._thread = threading.Thread(target=self._write, name="stdout", daemon=True)
        self._thread.start()

    async def send(self, item: SessionMessage, /) -> None:
        """Let a message be written after those before it; waits while the client leaves too many bytes unread."""
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        self._sent += len(line)
        self._waiting.put(line)
        while self._sent - self._written > ROOM and not self.client_left.is_set():
            progress = self._progress = self._progress or anyio.Event()
            if self._sent - self._written > ROOM:  # the thread counts before it looks for the event
                await progress.wait()
        self._requests.answered(item.message)

    async def finish(self) -> None:
        """Wait until everything is written, within reason."""
        self._waiting.put(None)
        await anyio.to_thread.run_sync(self._thread.join, PATIENCE)

    def _write(self) -> None:
        try:
            while (line := self._waiting.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[_written(self._descriptor, rest) :]
                self._written += len(line)
                if self._progress is not None:
                    hand_over(self._loop, self._wake)
        except OSError:  # the pipe has no reader
            hand_over(self._loop, self._end)

    def _wake(self) -> None:
        """Let those go on that wait; in the loop, as all that sets the event or takes it away."""
        progress, self._progress = self._progress, None
        if progress is not None:
            progress.set()

    def _end(self) -> None:
        self.client_left.set()
        self._wake()


class Input(_Stream):
    """The client's messages, read and parsed by a thread. Lines that are none are answered here.

    They end when the client closes its pipe or reads no more, and then only when all requests are answered: the SDK
    cancels what runs at the end.
    """

    def __init__(self, descriptor: int, output: Output, requests: Unanswered) -> None:
        self._descriptor, self._output, self._requests = descriptor, output, requests
        self._loop = asyncio.get_running_loop()
        self._ahead = threading.Semaphore(MOST_AHEAD)
        self._arrived: deque[SessionMessage | ValueError | None] = deque()
        self._news = anyio.Event()
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    async def receive(self) -> SessionMessage:
        """Return the next message. Raises EndOfStream."""
        while True:
            while not self._arrived:
                self._news = anyio.Event()
                await self._news.wait()
            item = self._arrived.popleft()
            if item is None:
                self._arrived.append(None)  # the SDK asks again where nothing came before the end
                await self._requests.settled()
                raise anyio.EndOfStream
            self._ahead.release()
            if isinstance(item, SessionMessage):
                self._requests.asked(item.message)
                return item
            await self._output.send(_unreadable(item))

    def end(self) -> None:
        """Let the messages end."""
        self._take(None)

    def __aiter__(self) -> "Input":
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    def _take(self, item: SessionMessage | ValueError | None) -> None:
        self._arrived.append(item)
        self._news.set()

    def _read(self) -> None:
        try:
            for line in _lines(self._descriptor):
                self._ahead.acquire()
                hand_over(self._loop, self._take, _parsed(line))
        finally:
            hand_over(self._loop, self._take, None)


def hand_over(loop: asyncio.AbstractEventLoop, work: Callable[..., None], *arguments: Any) -> None:
    """Let a function run in the loop, unless that has ended: then nobody waits for it."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(work, *arguments)


def _lines(descriptor: int) -> Iterator[bytes]:
    """Yield the lines of a pipe without their ends, the last one also where it has none.

    By `os.read`: a buffer of Python's own cannot be closed while a thread waits in it, not even at the program's end.
    """
    parts: list[bytes] = []  # of a line that has not ended
    while piece := _piece(descriptor):
        first, *others = piece.split(b"\n")
        parts.append(first)
        for other in others:
            yield b"".join(parts)
            parts = [other]
    if last := b"".join(parts):
        yield last


def _piece(descriptor: int) -> bytes:
    while True:
        try:
            return os.read(descriptor, PIECE)
        except BlockingIOError:  # whoever started us shares the pipe, and does not wait at it
            select.select([descriptor], [], [])
        except OSError:  # as a terminal that was closed
            return b""


def _written(descriptor: int, rest: memoryview) -> int:
    while True:
        try:
            return os.write(descriptor, rest)
        except BlockingIOError:
            select.select([], [descriptor], [])


def _parsed(line: bytes) -> SessionMessage | ValueError:
    try:
        message = types.jsonrpc_message_adapter.validate_json(line.decode(), by_name=False)
        # the SDK takes a request whose id is none of JSON-RPC for a notification, and its client would wait for ever
        is_other = isinstance(message, types.JSONRPCNotification) and not message.method.startswith("notifications/")
        return _BadId() if is_other and "id" in json.loads(line) else SessionMessage(message)
    except ValueError as error:
        return error


class _BadId(ValueError):
    """A request with an id that is neither a text nor a whole number."""


def _unreadable(error: ValueError) -> SessionMessage:
    """The answer to a line that is not a JSON-RPC message, with the id of its request where that can be read.

    The SDK's parser is stricter than others: JavaScript writes half of a surrogate pair, as an agent that cuts a text
    in the middle of an emoji has it, and would wait for ever for an answer of its own id.
    """
    answer = types.ErrorData(
        code=types.PARSE_ERROR, message="not a JSON-RPC 2.0 message: one JSON object per line, UTF-8"
    )
    number = None
    if isinstance(error, _BadId):
        answer = types.ErrorData(
            code=types.INVALID_REQUEST,
            message="the `id` of a request must be a string or a whole number; nothing was run",
        )
    elif isinstance(error, UnicodeDecodeError):
        request = _request(error.object.decode(errors="replace"))
        if request is not None:
            why = f"byte {error.start} of its line is no UTF-8; nothing was run"
            number = request["id"]
            answer = types.ErrorData(code=types.INVALID_PARAMS, message=f"the request cannot be read: {why}")
    elif isinstance(error, ValidationError) and (fault := error.errors()[0])["type"] == "json_invalid":
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
    is_one = isinstance(number, int) and not isinstance(number, bool)
    return message if is_one or (isinstance(number, str) and _is_unicode(number)) else None


def _why(request: dict[str, Any], fault: str) -> str:
    is_unicode = _is_unicode(json.dumps(request, ensure_ascii=False))
    return fault if is_unicode else "it holds half of a surrogate pair; send valid Unicode"


def _is_unicode(text: str) -> bool:
    """Whether a text has no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
