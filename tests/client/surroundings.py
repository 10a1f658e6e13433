"""What tests of the client bring: a clock that moves when it is looked at, a store that can be out of reach."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from indelible.client.client import Client
from indelible.client.failures import Failure
from indelible.client.in_process import InProcess
from indelible.client.retries import Policy, Timing

SECOND = 10**9
DAY = 86_400 * SECOND
AWAY = "connection refused"
SECRET = "ghp_" + "4kT9xQz2LmV7bR1nYw8CsD3fGh6JpK0aEuXi"  # nobody's


class Hours:
    """Clocks that go on by `step` seconds at each look and by what is slept; nobody waits."""

    def __init__(self, step: float = 0.0, chance: float = 0.5):
        self.passed = 0.0
        self.slept: list[float] = []
        self.step = step
        self.began = 1_800_000_000 * SECOND
        self.timing = Timing(self.now, self.monotonic, self.sleep, lambda: chance)

    def now(self) -> int:
        return self.began + round(self.monotonic() * SECOND)

    def monotonic(self) -> float:
        self.passed += self.step
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds


class Reach(InProcess):
    """A real store that can be out of reach: before a call gets there (`away`), or before its answer is back (`deaf`).

    `calls` are the calls that were tried, as (tool, key).
    """

    def __init__(self, data: Path):
        super().__init__(data, "a-project")
        self.away = ""
        self.deaf = 0
        self.calls: list[tuple[str, str | None]] = []
        self.between: Callable[[], None] = lambda: None

    def call(self, tool: str, arguments: Mapping[str, Any], key: str | None, timeout: float) -> Any:
        self.calls.append((tool, key))
        self.between()
        if self.away:
            raise Failure(self.away, sent=False)
        value = super().call(tool, arguments, key, timeout)
        if self.deaf:
            self.deaf -= 1
            raise Failure("the answer broke off", sent=True)
        return value

    def probe(self, timeout: float) -> None:
        if self.away:
            raise Failure(self.away, sent=False)
        super().probe(timeout)


def client(reach: Reach, hours: Hours | None = None, policy: Policy | None = None, **options: Any) -> Client:
    """A client whose log is nobody's, where it is not asked for."""
    options.setdefault("log", lambda _: None)
    return Client(reach, timing=(hours or Hours()).timing, policy=policy, **options)


def contents(asked: Client) -> list[str]:
    """The contents of all memories, the oldest first."""
    answer = asked.call("export_memories", limit=100_000).value
    memories = answer["memories"] if isinstance(answer, dict) else answer
    return [memory["content"] for memory in reversed(memories)]


def back(reach: Reach, hours: Hours) -> None:
    """The server is back, and its pause is over."""
    reach.away = ""
    hours.sleep(60)


class Lines:
    """A log, line by line."""

    def __init__(self) -> None:
        self.text = ""

    def __call__(self, text: str) -> None:
        self.text += text

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    def named(self, event: str) -> list[dict[str, Any]]:
        return [each for each in self.events if each["event"] == event]
