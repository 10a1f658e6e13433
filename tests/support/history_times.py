"""Times to ask a store's history for: its database has the clock, and SQLite's counts milliseconds."""

import time

from indelible.clock import micros, utc_now


def next_millisecond() -> None:
    """Wait until two changes, one before and one after this, have two times."""
    start = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 <= start + 1:
        pass


def moment_between() -> int:
    """Return a time in microseconds since 1970: every change so far is before it, every later one after it."""
    next_millisecond()
    moment = micros(utc_now())
    next_millisecond()
    return moment
