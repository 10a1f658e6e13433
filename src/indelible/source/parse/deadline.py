"""The time limit of a file: one amount of processor time for all work on it, in any module.

The clock is read between steps, so one call of C (a parse, a query) can exceed it. A process that does only such work
has a `HardLimit` beside it, at which the system ends the process.
"""

import signal
import time

MOST_SECONDS = 5.0


class NotSource(ValueError):
    """A file that cannot be read as source; the message says why, in a word or two."""


class Deadline:
    """An amount of this thread's processor time, MOST_SECONDS where none is given."""

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds = MOST_SECONDS if seconds is None else seconds
        self._until = time.thread_time() + seconds
        self._asked = 0
        self._ticks = 0

    def passed(self) -> bool:
        """Whether it is over; cheap for frequent calls: the clock is read once in a hundred times."""
        self._asked += 1
        return self._asked % 100 == 0 and time.thread_time() > self._until

    def check(self) -> None:
        """Raise NotSource where it is over."""
        if time.thread_time() > self._until:
            raise NotSource(f"over {self._seconds:g} s of work")

    def tick(self) -> None:
        """Do so with the first call of 64: for what is done for each symbol, in less time than the clock takes."""
        if not self._ticks & 63:
            self.check()
        self._ticks += 1


class HardLimit:
    """A processor time of this process after which the system ends it, whatever it does; none on Windows.

    The parent process sees by the signal (SIGPROF), or by the end alone, that a file took too long.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        if hasattr(signal, "SIGPROF"):
            signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends a process, even if its parent ignored it

    def begin(self) -> None:
        """Start counting, anew for each file."""
        self._set(self._seconds)

    def end(self) -> None:
        """Stop counting."""
        self._set(0)

    def _set(self, seconds: float) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, seconds)
