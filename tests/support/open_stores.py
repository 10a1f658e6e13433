"""Fixtures for every test: open stores in this process, at a time that the test sets."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from empty_store import begin
from indelible.api import Memory
from indelible.core.context.context import Context, open_context
from indelible.settings import Settings

Open = Callable[..., Memory]
OpenTenant = Callable[[int], Context]


class Clock:
    """A Sunday noon that moves on by a millisecond with every look, and by what a test lets pass."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def pass_(self, **time: float) -> None:
        self.now += timedelta(**time)


_NUMBERS = count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for the test. To find a free name pytest's own looks through those of all tests before."""
    name = re.sub(r"\W", "_", request.node.name)[:25]
    return tmp_path_factory.mktemp(f"{name}-{next(_NUMBERS)}", numbered=False)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_store(tmp_path: Path, clock: Clock) -> Iterator[Open]:
    """Open a store, as another process would each time: `open_store("name", project=..., start=...)`."""
    opened: list[Memory] = []

    def open_it(name: str = "data", **settings: Any) -> Memory:
        given = {"start": tmp_path, "home": tmp_path, **settings}  # the home directory is no project
        if not given.get("database"):
            begin(tmp_path / name)
        opened.append(Memory(open_context(Settings(data=tmp_path / name, **given), clock)))
        return opened[-1]

    yield open_it
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_store: Open) -> Memory:
    """A new store of a process that belongs to no project."""
    return open_store()


@pytest.fixture(scope="module")
def open_tenant(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenTenant]:
    """Open a tenant of the database in this process, as its owner does on a machine of its own."""
    place: Path = tmp_path_factory.mktemp("owner")
    with ExitStack() as opened:

        def open_it(tenant: int) -> Context:
            settings = Settings(data=place / "data", database=database, tenant=tenant, start=place, home=place)
            ctx = open_context(settings)
            opened.callback(ctx.close)
            return ctx

        yield open_it
