"""The connections of the HTTP server: how many there are, and how long a client may take to say what it wants.

uvicorn waits for ever for the head of a request; here who says nothing whole in time is told so and cut off.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from indelible.serve.clients import Connection

MOST = 512  # open at once: a process may have about a thousand files
CONNECTION = "connection"  # the key in the ASGI state of a request


class PatientProtocol(H11Protocol):
    """One connection: refused where there are too many, ended where a head is not complete in time."""

    patience = 10.0  # seconds

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.app_state = {**self.app_state, CONNECTION: Connection()}
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a first request."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            self._end(503, f"this server has {MOST} connections, and takes no more; close some, or try again later")
        else:
            self._wait_for_a_head()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._wait_no_more()
        elif self._timer is None and self.timeout_keep_alive_task is None:  # the first bytes of a next request
            self._wait_for_a_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait_for_a_head(self) -> None:
        self._timer = self.loop.call_later(self.patience, self._too_late)

    def _wait_no_more(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_late(self) -> None:
        self._timer = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._end(408, f"the head of a request must arrive within {self.patience:g} seconds; send it in one piece")

    def _end(self, status: int, text: str) -> None:
        body = text.encode()
        head = f"HTTP/1.1 {status} \r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()


def patient(seconds: float) -> type[PatientProtocol]:
    """The protocol, with its patience."""
    return type("PatientProtocol", (PatientProtocol,), {"patience": seconds})
