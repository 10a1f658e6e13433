"""Kills a client before each of its steps on the disk, and at the server, and looks what a later client makes of it.

One line of JSON for each step at which one was killed. A process of its own, because it forks for each step.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from indelible.client.client import Client
from indelible.client.failures import Failure
from indelible.client.retries import Policy, Timing

WRITES = [f"write {number}" for number in range(3)]
STEPS = ("open", "write", "fsync", "rename", "replace", "unlink", "mkdir")


class Ledger:
    """A server in a file: it does a write once for each request key, and writes down what it did."""

    largest = None

    def __init__(self, home: Path):
        self.home = home
        self.target = "ledger"
        self.is_up = True
        self.before: Callable[[], None] = lambda: None

    def done(self) -> list[list[str]]:
        path = self.home / "ledger"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def call(self, tool: str, arguments: Mapping[str, Any], key: str | None, timeout: float) -> Any:
        self.before()
        if not self.is_up:
            raise Failure("down", sent=False)
        if key not in [known for known, _ in self.done()]:
            with (self.home / "ledger").open("a") as file:
                file.write(json.dumps([key, arguments["title"]]) + "\n")
        self.before()  # done, and not answered
        return {}

    def probe(self, timeout: float) -> None:
        if not self.is_up:
            raise Failure("down", sent=False)

    def close(self) -> None:
        return


def client(ledger: Ledger) -> Client:
    clocks = iter(range(0, 10**6, 60))
    timing = Timing(monotonic=lambda: float(next(clocks)), sleep=lambda _: None)
    return Client(ledger, policy=Policy(attempts=1, catch_up=1e9), timing=timing, log=lambda _: None)


def work(home: Path, said: int) -> None:
    """Write while the server is away, then again when it is back; each acknowledgement is written down."""
    ledger = Ledger(home)
    own = client(ledger)
    for number, title in enumerate(WRITES):
        ledger.is_up = number != 1
        own.call("add_todo", title=title)
        os.pwrite(said, bytes([number + 1]), 0)
    ledger.is_up = True
    own.flush()


def die_before(step: int) -> Callable[[], None]:
    left = step

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os._exit(9)

    return count


def killed(home: Path, step: int, said: int) -> bool:
    """Work in a process that dies before a step; whether it came to that."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    count = die_before(step)

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            count()
            return real(*given, **named)

        return call

    for name in STEPS:
        setattr(os, name, counted(getattr(os, name)))
    Ledger.before = property(lambda _: count, lambda *_: None)  # type: ignore[assignment]
    work(home, said)
    os._exit(0)


def main(place: Path) -> None:
    step = 0
    while True:
        home = place / str(step)
        home.mkdir(mode=0o700)
        said = os.open(home / "said", os.O_RDWR | os.O_CREAT)
        os.write(said, b"\0")
        came_to_it = killed(home, step, said)
        acknowledged = os.pread(said, 1, 0)[0]
        os.close(said)
        later = Ledger(home)
        with client(later) as other:
            other.flush()
            left = other.waiting
            refused = len(other.refused())
        done = [title for _, title in later.done()]
        sys.stdout.write(json.dumps([step, acknowledged, done, left, refused]) + "\n")
        sys.stdout.flush()
        shutil.rmtree(home)
        if not came_to_it:
            return
        step += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]))
