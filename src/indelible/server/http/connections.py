"""The connections of the HTTP server: how many there are, and how long a client may take to ask and to read.

uvicorn waits for ever for the head of a request and for the reading of an answer; here who does not come on is cut
off. Where there are too many connections, the one goes that waited longest without a request that was let in: who has
no token keeps nobody out who has one.
"""

import asyncio
import ipaddress
import os
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from indelible.server.http.heads import StrictConnection
from indelible.server.request_context import Connection

MOST = 512  # open at once: a process may have about a thousand files
STRANGERS = 128  # of one address of another machine, of which no request was let in yet
CONNECTION = "connection"  # the key in the ASGI state of a request
WRITTEN = "written"  # the key there of what waits until all that was sent is read, or nobody reads it any more
UNREAD = 3  # times the patience for a head: how long a client may read nothing of its answer
LEAST = 64 << 10  # bytes that it must read in that time
_AT_ONCE = struct.pack("ii", 1, 0)  # of SO_LINGER: forget what is not sent, do not keep it for who never reads

Written = Callable[[], Awaitable[None]]


class PatientProtocol(H11Protocol):
    """One connection: ended where there are too many, or a head is not complete or an answer not read in time."""

    patience = 10.0  # seconds
    conn: StrictConnection

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = StrictConnection()
        self._kept = Connection()
        self.app_state = {**self.app_state, CONNECTION: self._kept, WRITTEN: self._written}
        self._head: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._since = self.loop.time()  # when it began to wait for a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a first request, in the place of another connection where there are too many."""
        super().connection_made(transport)
        # Writing is paused as long as anything is not handed over. (TLS pauses at its limit, and for ever at 0.)
        transport.set_write_buffer_limits(high=1 if transport.get_extra_info("sslcontext") else 0, low=0)
        if self._has_a_place():
            self._wait_for_a_head()
        else:
            self._end(503, f"this server has {MOST} connections, and all are busy; try again later")

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._wait_no_more()
        elif self._head is None and self.timeout_keep_alive_task is None:  # the first bytes of a next request
            self._wait_for_a_head()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._wait_no_more()
        self._stop_watching()
        super().connection_lost(exc)

    # --- Places ---

    def _has_a_place(self) -> bool:
        """Return whether this connection may stay; another one may have to leave for it."""
        others = [each for each in self.connections if isinstance(each, PatientProtocol) and each is not self]
        address = self._address()
        if not _is_loopback(address):
            same = [each for each in others if not each._kept.known and each._address() == address]
            if len(same) >= STRANGERS and not _leave(same):
                return False
        if len(others) < MOST:
            return True
        return _leave(each for each in others if not each._kept.known) or _leave(others)

    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def _idles(self) -> bool:
        """Return whether no request runs on it, and it is not about to be closed."""
        at_work = self.cycle is not None and not self.cycle.response_complete
        return not (at_work or self.flow.write_paused or self.transport.is_closing())

    def _make_room(self) -> None:
        self._wait_no_more()
        if self.cycle is None:
            self._end(
                503, f"this server has {MOST} connections, and closed this idle one; connect again when you need it"
            )
        else:
            self.transport.close()
        self.connections.discard(self)  # its place is free at once

    # --- Heads ---

    def _wait_for_a_head(self) -> None:
        self._head = self.loop.call_later(self.patience, self._too_late)

    def _wait_no_more(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _too_late(self) -> None:
        self._head = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._end(408, f"the head of a request must arrive within {self.patience:g} seconds; send it in one piece")

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request, the last one of its connection: nobody can say where it ends."""
        answering = None if self.cycle is None or self.cycle.response_complete else self.cycle
        if answering is not None:
            answering.disconnected = True
            answering.message_event.set()
        if answering is not None and answering.response_started:
            self.transport.close()
        else:
            status, why = self.conn.refused
            self._end(status, f"the request is malformed, and its connection is closed: {why}")

    def _end(self, status: int, text: str) -> None:
        body = text.encode()
        head = f"HTTP/1.1 {status} \r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    # --- Answers ---

    def pause_writing(self) -> None:
        """Begin to watch whether the client reads."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Everything is handed over."""
        self._stop_watching()
        super().resume_writing()

    async def _written(self) -> None:
        await self.flow.drain()

    def _watch(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._reading = self.loop.call_later(self.patience * UNREAD, self._look, left)

    def _look(self, left: int) -> None:
        """Go on waiting for a client that read something; cut off one that did not, with what it was to read."""
        self._reading = None
        if left - self.transport.get_write_buffer_size() >= min(LEAST, left):
            self._watch()
        else:
            if os.name == "posix":
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            self.transport.abort()

    def _stop_watching(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def _leave(connections: Iterable[PatientProtocol]) -> bool:
    """Let the one leave that idles longest; False where all are at work."""
    idle = [each for each in connections if each._idles()]
    if idle:
        min(idle, key=lambda each: each._since)._make_room()
    return bool(idle)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:  # no address of the internet
        return True


def patient(seconds: float) -> type[PatientProtocol]:
    """The protocol, with its patience."""
    return type("PatientProtocol", (PatientProtocol,), {"patience": seconds})
