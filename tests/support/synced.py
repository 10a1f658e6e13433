"""Machines that sync: each a store with a clock of its own."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import on_postgres
from indelible.admin.sync import contents, sync
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

    def contents(self) -> dict[str, Any]:
        """All that is synced, by uid."""
        found: dict[str, Any] = {}
        with self.memory.context.store.read() as tx:
            page = records.after(tx, 0, 100_000)
            there = contents.of_records(tx, page)
            found.update({record.uid: there[record.id] for record in page})
            last = 0
            while some := sync_states.edges_after(tx, last):
                found.update({each.edge.uid: contents.of_edge(each) for each in some})
                last = some[-1].edge.id
        return found

    def ids(self, kind: str) -> list[str]:
        with self.memory.context.store.read() as tx:
            return [record.key for record in records.newest(tx, kind, None)]


def met(*machines: Machine, place: Path) -> None:
    """Let machines meet until all know all."""
    for _ in range(2):
        for each in machines:
            each.meet(place)
    assert all(each.contents() == machines[0].contents() for each in machines)
