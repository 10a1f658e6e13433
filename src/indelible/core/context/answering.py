"""Which calls a process is answering, so that its background and bulk work gives way to them.

One process has one interpreter lock: what follows the writes, or an import, would make each recall beside it twice as
slow. So it is counted for all tenants of a server together.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from indelible.batching import never

QUIET = 0.02  # seconds after a call in which the next one may come: an agent reads an answer before it asks again
# The same for a bulk call, and for a piece of housekeeping: until the answer is on its way, or, where it was looked up
# who asks, until what is asked begins.
HANDED_OVER = 0.001
LONGEST_WAY = 0.25  # seconds that one piece of other work gives way, or it would never be done beside many calls


class GiveWay(Protocol):
    """A function that a call of much work runs between its pieces: it waits for others, see `Answering.bulk`."""

    def __call__(self, longest: float | None = None, /) -> float:
        """Wait until no other call is being answered, so many seconds at most, by default LONGEST_WAY.

        Return how many were waited.
        """


class Answering:
    """The calls that are being answered by the contexts that share this. Safe to share between threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards all of these
        self._calls = 0  # that are being answered, bulk ones among them
        self._bulk = 0
        self._ended = -QUIET  # when the last call did

    @contextmanager
    def call(self) -> Iterator[None]:
        """Let other work give way to a call while the block answers it."""
        with self._changed:
            self._calls += 1
        try:
            yield
        finally:
            with self._changed:
                self._calls -= 1
                self._ended = time.monotonic()
                if self._bulk:  # what gives way longer than until now looks by itself
                    self._changed.notify_all()

    @contextmanager
    def bulk(self) -> Iterator[GiveWay]:
        """Let a call of much work give way as background work does; nothing gives way to it while the block does it.

        Yields what it is to call between its pieces, which waits until no other call is being answered.
        """
        with self._changed:
            self._bulk += 1
        try:
            yield lambda longest=None: self.give_way(quiet=HANDED_OVER, longest=longest)
        finally:
            with self._changed:
                self._bulk -= 1

    def give_way(
        self, stop: Callable[[], bool] = never, *, quiet: float = QUIET, longest: float | None = None
    ) -> float:
        """Wait until no call is being answered, nor was in the last `quiet` seconds, or until `stop`.

        At most `longest` seconds, by default LONGEST_WAY. Return how many were waited.
        """
        began = now = time.monotonic()
        until = began + (LONGEST_WAY if longest is None else longest)
        with self._changed:
            while now < until:
                rest = QUIET if self._calls > self._bulk else self._ended + quiet - now
                if rest <= 0 or stop():
                    break
                self._changed.wait(min(until - now, rest))
                now = time.monotonic()
        return now - began
