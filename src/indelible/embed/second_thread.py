"""One thread that computes while its caller does, on another core where there is one."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import ParamSpec, TypeVar

# Imported late (platform): ctypes

P = ParamSpec("P")
T = TypeVar("T")


class SecondThread:
    """Runs one piece of work after another, each beside the caller that gave it and works on something else.

    Linux wakes a thread where it ran last, and looks for an idle core only where it expects to find one: on two cores
    that are busy now and then it does not. The thread then waits for its caller, who waits for it in the end: after a
    rest a question took both models 4.1 ms instead of 2.6 (bench/encoder.py).
    """

    def __init__(self, name: str) -> None:
        """The thread starts with the first work, at the priority of who gives that."""
        self._thread: int | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=self._start)

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> "Future[T] | None":
        """Give it work; None where the interpreter ends, and takes no more."""
        self._keep_off_the_callers_core()
        try:
            return self._pool.submit(work, *args, **kwargs)
        except RuntimeError:
            return None

    def _start(self) -> None:
        self._thread = threading.get_native_id()

    def _keep_off_the_callers_core(self) -> None:
        """Let the thread run on the other cores that its caller may use; where there are none, it stays as it is."""
        here = _core()
        if here is None or self._thread is None:
            return
        with suppress(OSError):  # a sandbox forbids it, or has taken cores away just now
            others = os.sched_getaffinity(0) - {here}
            if others:
                os.sched_setaffinity(self._thread, others)


def _core() -> int | None:
    """Return the number of the core that the caller runs on; None where that cannot be told or be of use."""
    ask = _asking()
    number = -1 if ask is None else ask()
    return None if number < 0 else number


@cache
def _asking() -> Callable[[], int] | None:
    if sys.platform != "linux":
        return None
    import ctypes

    # by PyDLL, which does not let another thread have the interpreter meanwhile
    return getattr(ctypes.PyDLL(None), "sched_getcpu", None)
