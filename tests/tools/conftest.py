"""Open stores in this process, at a time that the test sets."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from indelible.api import Memory
from indelible.core.context.context import open_context
from indelible.settings import Settings

Open = Callable[..., Memory]


class Clock:
    """A Sunday noon that moves on by a millisecond with every look, and by what a test lets pass."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def pass_(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_store(tmp_path: Path, clock: Clock) -> Iterator[Open]:
    """Open a store, as another process would each time: `open_store("name", project=..., start=...)`."""
    opened: list[Memory] = []

    def open_it(name: str = "data", **settings: Any) -> Memory:
        given = {"start": tmp_path, "home": tmp_path, **settings}  # the home directory is no project
        opened.append(Memory(open_context(Settings(data=tmp_path / name, **given), clock)))
        return opened[-1]

    yield open_it
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_store: Open) -> Memory:
    """A new store of a process that belongs to no project."""
    return open_store()
