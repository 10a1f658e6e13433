"""Work in threads of which there are few: whoever waits for one does so as long as a call waits for its store."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.to_thread

from indelible.errors import StoreError

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

WAIT = 30.0  # seconds: as long as a read waits for a database that is away


async def in_turn(limiter: anyio.CapacityLimiter, wait: float, work: Callable[[*Ts], T], *given: *Ts) -> T:
    """Return what `work` returns, in a thread of `limiter`, which is waited for at most `wait` seconds.

    While the database is away each thread is held until its look is given up: who waited behind others would be
    answered after many times that, when nobody listens any more. Work that began is waited for. Raises StoreError.
    """
    with anyio.move_on_after(wait):
        return await anyio.to_thread.run_sync(work, *given, limiter=limiter)
    raise StoreError(
        f"{limiter.total_tokens} other requests wait for the store, and this one {wait:g} s for them; repeat the call"
    )
