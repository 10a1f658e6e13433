"""How long a file may take: one amount of processor time for all that is done for it, whoever does it."""

import time

MOST_SECONDS = 5.0


class NotSource(ValueError):
    """A file that cannot be read as source; the message says why, in a word or two."""


class Deadline:
    """An amount of this thread's processor time."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self._seconds = seconds
        self._until = time.thread_time() + seconds
        self._asked = 0

    def passed(self) -> bool:
        """Whether it is over; for who asks very often: the clock is looked at once in a hundred times."""
        self._asked += 1
        return self._asked % 100 == 0 and time.thread_time() > self._until

    def check(self) -> None:
        """Raise NotSource where it is over."""
        if time.thread_time() > self._until:
            raise NotSource(f"over {self._seconds:g} s of work")
