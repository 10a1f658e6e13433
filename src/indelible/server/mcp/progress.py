"""A call in a thread: its caller in the event loop hears how far it is, and may take it back."""

import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.context import ServerRequestContext

from indelible.core.context.call import Caller

T = TypeVar("T")

EVERY = 0.25  # seconds between two notifications of one call


async def in_thread(
    request: ServerRequestContext[Any], work: Callable[[Caller], T], limiter: anyio.CapacityLimiter
) -> T:
    """Run `work` in a thread; progress is sent where the request carried a token for it.

    The wait is shielded: a cancelled call learns it from its caller, ends at the next point that suits it, and only
    then is this cancelled. So a write that began is finished, and no call outlives the store.
    """
    is_cancelled = _cancellation()
    if (request.meta or {}).get("progress_token") is None:
        return await anyio.to_thread.run_sync(work, Caller(cancelled=is_cancelled), limiter=limiter)
    reports = _Reports(request.session.report_progress)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(reports.send_as_they_come)
            result = await anyio.to_thread.run_sync(work, Caller(reports.progress, is_cancelled), limiter=limiter)
            await reports.send_latest()
            group.cancel_scope.cancel()
    except ExceptionGroup as failed:  # a token changes nothing about what `work` raises
        raise failed.exceptions[0] from None
    return result


def _cancellation() -> Callable[[], bool]:
    """Return whether the task was cancelled that waits for the thread in which this is asked."""
    cancelled = anyio.get_cancelled_exc_class()

    def is_cancelled() -> bool:
        try:
            anyio.from_thread.check_cancelled()
        except cancelled:
            return True
        return False

    return is_cancelled


class _Reports:
    """The progress of one call: reported by its thread, which never waits for the client, sent by the event loop.

    The first and the last report are sent, and of those between one in `EVERY` seconds; what is not ahead of the one
    before is dropped.
    """

    def __init__(self, send: Callable[[float, float | None, str | None], Awaitable[None]]):
        self._send = send
        self._sending = anyio.Lock()
        self._news = anyio.Event()
        self._latest: tuple[int, int | None, str] | None = None
        self._sent = -1
        self._next = 0.0  # when the loop is to be told again

    def progress(self, done: int, total: int | None, message: str) -> None:
        """Note a report; for the thread of the call."""
        self._latest = (done, total, message)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY
            anyio.from_thread.run_sync(self._news.set)

    async def send_as_they_come(self) -> None:
        """Send what is noted, until cancelled."""
        while True:
            await self._news.wait()
            self._news = anyio.Event()
            await self.send_latest()

    async def send_latest(self) -> None:
        """Send the latest report, unless it is sent or no later one."""
        async with self._sending:
            if self._latest is not None and self._latest[0] > self._sent:
                self._sent, total, message = self._latest
                await self._send(self._sent, total, message)
