"""Machines that sync: each a store with a clock of its own."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import on_postgres
from indelible.admin.sync import bundles, contents, merging, sync
from indelible.api import Memory
from indelible.core.context.context import open_context
from indelible.settings import Settings
from indelible.store.tables import records, sync_states

KEY = bytes(32)


class Machine:
    """A store with a clock of its own, and the directory through which it meets the others."""

    def __init__(
        self,
        path: Path,
        name: str,
        start: datetime = datetime(2026, 3, 1, tzinfo=UTC),
        project: Path | None = None,
        database: str = "",
    ) -> None:
        self.now, self.name = start, name
        self.settings = Settings(data=path / name, start=project or path, home=path)
        if database:
            self.settings = replace(self.settings, database=database, tenant=on_postgres.tenant_of(path / name))
        self.memory = Memory(open_context(self.settings, self.clock))

    def clock(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.memory.call(tool, **arguments)

    def meet(self, directory: Path, key: bytes | None = KEY) -> sync.Done:
        return sync.sync(self.memory.context, directory, lambda: key, lambda _: None)

    def crash_in_a_meeting(self, directory: Path, steps: int) -> None:
        """Meet in a process that ends after so many transactions and files of the meeting; the next one goes on."""
        with pytest.MonkeyPatch.context() as patch:
            left = iter(range(steps))
            for module, name in ((merging, "_batch"), (bundles, "write")):
                patch.setattr(module, name, partial(_or_crash, getattr(module, name), left))
            with suppress(_CrashError):
                self.meet(directory)
        self.memory.close()
        self.memory = Memory(open_context(self.settings, self.clock))

    def contents(self) -> dict[str, Any]:
        """All that is synced, by uid."""
        found: dict[str, Any] = {}
        with self.memory.context.store.read() as tx:
            page = records.after(tx, 0, 100_000)
            there = contents.of_records(tx, page)
            assert len({record.uid for record in page}) == len(page)
            found.update({record.uid: there[record.id] for record in page})
            last = 0
            while some := sync_states.edges_after(tx, last):
                found.update({each.edge.uid: contents.of_edge(each) for each in some})
                last = some[-1].edge.id
        return found

    def ids(self, kind: str) -> list[str]:
        with self.memory.context.store.read() as tx:
            return [record.key for record in records.newest(tx, kind, None)]


class _CrashError(Exception):
    """The end of a process, of which nothing of the program hears."""


def _or_crash(whole: Callable[..., Any], left: Iterator[int], *given: Any) -> Any:
    """Do a step of a meeting as long as one is left."""
    if next(left, None) is None:
        raise _CrashError
    return whole(*given)


def met(*machines: Machine, place: Path) -> None:
    """Let machines meet until all know all."""
    for _ in range(2):
        for each in machines:
            each.meet(place)
    assert all(each.contents() == machines[0].contents() for each in machines)
