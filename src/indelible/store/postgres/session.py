"""A connection that notices when its server says nothing for long and is not at work either.

A limit on the time of a statement would cut a migration or a purge that takes it, and the server's own limits
(`statement_timeout`) help nobody where it is frozen, or where the network swallows what is sent.
"""

import time
from collections.abc import Callable
from typing import Any

from psycopg import Connection
from psycopg.errors import ConnectionTimeout


class Session(Connection[tuple[Any, ...]]):
    """A connection; after `watch` each long silence is examined."""

    _silence: float | None = None
    _is_at_work: Callable[["Session"], bool]

    def watch(self, silence: float, is_at_work: Callable[["Session"], bool]) -> None:
        """Ask whether the server is at work for this session whenever it has said nothing for `silence` seconds.

        If not, the session is closed, and what waits for it raises ConnectionTimeout.
        """
        self._silence, self._is_at_work = silence, is_at_work

    def wait(self, gen: Any, *interval: Any, **more: Any) -> Any:
        """Wait as psycopg does, but not for ever."""
        return super().wait(gen if self._silence is None else self._watched(gen, self._silence), *interval, **more)

    def _watched(self, gen: Any, silence: float) -> Any:
        """The same generator; it is resumed with nothing every tenth of a second."""
        heard, doubted = time.monotonic(), False
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready:
                    heard, doubted = now, False
                elif doubted:  # and its answer was not on the way while it was asked for
                    self.close()
                    raise ConnectionTimeout(f"it has not answered for {silence:g} s and is not working")
                elif now - heard >= silence:
                    doubted = not self._is_at_work(self)
                    heard = time.monotonic()
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value
