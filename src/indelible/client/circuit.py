"""The circuit breaker of a client: calls do not wait again and again for a server that is down.

After M. Nygard, Release It! (2007): closed, calls go through; open, they do not; when its pause is over one call asks
whether the server is back (half-open), the others go on as if it were not.
"""

import threading

from indelible.client.retries import Policy, Timing


class Circuit:
    """Whether the server is worth asking. Safe to share between threads."""

    def __init__(self, policy: Policy, timing: Timing):
        self._policy = policy
        self._timing = timing
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0
        self._probing = False
        self._why = ""

    @property
    def why(self) -> str:
        """Why it is open; "" while it is closed."""
        return self._why

    def probes(self) -> bool:
        """Whether the caller is to ask if the server is back; then it says `works` or `fails`, or `gives_up`."""
        with self._lock:
            if not self._why or self._probing or self._timing.monotonic() < self._until:
                return False
            self._probing = True
            return True

    def gives_up(self) -> None:
        """The probe ended without an answer to its question; the next call asks."""
        with self._lock:
            self._probing = False

    def answers(self) -> None:
        """A probe was answered: calls go through again. What it failed before is forgotten when one of them works."""
        with self._lock:
            self._probing = False
            self._why = ""

    def works(self) -> bool:
        """A call was answered; whether the circuit was open, or had been lately."""
        with self._lock:
            was = self._failures > 0
            self._failures, self._probing, self._why = 0, False, ""
            return was

    def fails(self, why: str, after: float | None = None) -> float:
        """The server is down; for how many seconds it is left alone. It may have said so itself, with `after`."""
        with self._lock:
            self._probing = False
            left = self._until - self._timing.monotonic()
            if self._why and left > 0:  # of several calls that fail together one is counted
                return left
            self._failures += 1
            asked = min(after or 0.0, self._policy.longest_after)
            pause = max(self._policy.pause_after(self._failures, self._timing.chance()), asked)
            self._until = self._timing.monotonic() + pause
            self._why = why or "the server cannot be reached"
            return pause
