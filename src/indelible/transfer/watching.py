"""Exports that are kept current: written again after each change of the store, until they are stopped."""

import time
from collections.abc import Callable

from indelible.core.context.context import Context
from indelible.errors import IndelibleError
from indelible.store.tables import changes

EVERY = 0.7  # seconds between looks at the change log
SHARE = 10  # of the time that an export takes is waited for after it, so that changes in a row are written at once


def wait(seconds: float) -> None:
    """Wait between two looks."""
    time.sleep(seconds)


def follow(ctx: Context, write: Callable[[], None], failed: Callable[[str], None]) -> None:
    """Call `write` now, and again whenever the store has changed since the call before; it ends by an interrupt only.

    Raises what the first `write` raises. What a later one raises is said by `failed`, once until it differs, and tried
    again: a disk may be full, or a directory away, for a while.
    """
    at, took, problem = _position(ctx), _timed(write), ""
    while True:
        wait(max(EVERY, SHARE * took))
        try:
            last = _position(ctx)  # before it is written: what comes meanwhile is written the next time
            if last == at and not problem:
                continue
            took, at, problem = _timed(write), last, ""
        except (IndelibleError, OSError) as error:
            if str(error) != problem:
                problem = str(error)
                failed(problem)


def _position(ctx: Context) -> int:
    with ctx.store.read() as tx:
        return changes.last(tx)


def _timed(write: Callable[[], None]) -> float:
    begun = time.monotonic()
    write()
    return time.monotonic() - begun
