"""Whether the store answers, for those who watch over a server: told soon, also where the store takes its time."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from indelible.errors import IndelibleError

log = logging.getLogger("indelible")

SOON = 1.5  # seconds: what asks most often gives up after two


class _Asked:
    """A question to the store, and what came of it."""

    def __init__(self) -> None:
        self.answered = anyio.Event()
        self.trouble = ""


class Pulse:
    """One thread asks the store, on behalf of all who want to know meanwhile."""

    def __init__(self, ask: Callable[[], None]):
        self._ask = ask
        self._limiter = anyio.CapacityLimiter(1)  # of its own: it is asked when all other threads are busy too
        self._group: TaskGroup | None = None
        self._asked: _Asked | None = None

    @asynccontextmanager
    async def felt(self) -> AsyncIterator[None]:
        """As long as it may be asked; in the end an answer that is still due is not waited for."""
        async with anyio.create_task_group() as self._group:
            try:
                yield
            finally:
                self._group.cancel_scope.cancel()

    async def trouble(self) -> str:
        """What is wrong, for anybody; "" where the store answers. At most SOON seconds later."""
        asked = self._asked
        if asked is None:
            assert self._group is not None  # a request comes while it is felt
            asked = self._asked = _Asked()
            self._group.start_soon(self._tell, asked)
        with anyio.move_on_after(SOON):
            await asked.answered.wait()
            return asked.trouble
        return f"the store has not answered within {SOON:g} s"

    async def _tell(self, asked: _Asked) -> None:
        try:
            await anyio.to_thread.run_sync(self._ask, limiter=self._limiter, abandon_on_cancel=True)
        except IndelibleError as error:  # whose words may name places, which are not for anybody
            log.warning("health", extra={"key": error.code, "message_text": str(error)})
            asked.trouble = "the store cannot be read; the server's log says why"
        finally:
            self._asked = None
            asked.answered.set()
