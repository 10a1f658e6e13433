"""The policy of retries: the number of attempts and the pauses between them."""

import math
import random
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import TypeVar

from indelible.client.failures import Failure
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Policy:
    """The client's limits; times in seconds.

    `attempts`: how often a call is tried in all. Between two attempts it waits a random time between 0 and the smaller
    of `cap` and `base` x 2^n after attempt n = 0, 1, ... ("full jitter": M. Brooker, Exponential Backoff And Jitter,
    AWS 2015), or as long as the server asks for with Retry-After; where that is more than `cap` it gives up.
    `timeout`: how long one attempt waits for its answer; `probe`: how long the question whether the server is back.
    `pause`: how long the first failure keeps a server from being asked again, doubled with each further one up to
    `longest_pause`; a server may ask for more, up to `longest_after`.
    `catch_up`: how long a call goes on replaying what waits before it.
    `key_days`: for how many days a server surely knows a request key (it keeps them for `applied_days`, 7).
    """

    attempts: int = 3
    base: float = 0.25
    cap: float = 4.0
    timeout: float = 30.0
    probe: float = 2.0
    pause: float = 1.0
    longest_pause: float = 30.0
    longest_after: float = 300.0
    catch_up: float = 5.0
    key_days: float = 6.0

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise InvalidInput(f"attempts must be at least 1, got {self.attempts}")
        for name, value in asdict(self).items():
            if not 0 <= value < math.inf:
                raise InvalidInput(f"{name} must be a number from 0, got {value}")

    def wait(self, attempt: int, chance: float) -> float:
        """Seconds to wait after attempt 0, 1, ...; `chance` is a random number from 0 to 1."""
        return chance * min(self.cap, self.base * 2.0 ** min(attempt, 32))

    def pause_after(self, failures: int, chance: float) -> float:
        """Seconds for which a server is left alone after 1, 2, ... failures: half of them fixed, half random."""
        whole = min(self.longest_pause, self.pause * 2.0 ** min(failures - 1, 32))
        return whole * (1 + chance) / 2


@dataclass(frozen=True, slots=True)
class Timing:
    """The clocks, the rest and the chance of a client; tests bring their own."""

    now: Callable[[], int] = time.time_ns
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random


def attempted(
    once: Callable[[], T], policy: Policy, timing: Timing, failed: Callable[[Failure], None]
) -> tuple[T, int]:
    """Return the result of `once` and the number of failures before it; `failed` is called before each further attempt.

    Raises the last Failure, `sent` if any attempt was; what is no Failure is raised at once.
    """
    sent = False
    for attempt in range(policy.attempts):
        try:
            return once(), attempt
        except Failure as failure:
            sent = failure.sent = failure.sent or sent
            failure.retries = attempt
            if attempt + 1 >= policy.attempts or not failure.retry or (failure.after or 0) > policy.cap:
                raise
            failed(failure)
            timing.sleep(max(policy.wait(attempt, timing.chance()), failure.after or 0))
    raise AssertionError("a policy has at least one attempt")
