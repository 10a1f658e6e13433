"""Embeddings of a store and what waits for them, as its rows say; contexts and servers with the encoder of a test."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import encoders
import store_file
from command_line import settings
from encoders import PATIENCE
from indelible.clock import utc_now
from indelible.core.context.context import Context, open_context
from indelible.core.indexes.embedder import Embedder
from indelible.store.sqlite.connection import FILE
from indelible.toolsets.memory import memories
from mcp_client import McpClient

# --- The rows ---


def rows(data: Path, query: str) -> list[Any]:
    connection = store_file.opened(data / FILE)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def waiting(data: Path) -> int:
    return rows(data, "SELECT count(*) FROM pending WHERE late <= 1")[0][0]


def embedded(data: Path) -> int:
    return rows(data, "SELECT count(*) FROM embedding WHERE view = 0")[0][0]


def times_embedded(data: Path) -> list[int]:
    """How often each record that is embedded now ever was, as the change log has it."""
    return [
        count
        for (count,) in rows(
            data,
            """SELECT (SELECT count(*) FROM change WHERE change.record = record.id AND operation = 'embed')
            FROM record WHERE EXISTS (SELECT 1 FROM embedding WHERE embedding.record = record.id)""",
        )
    ]


def assert_each_once(data: Path, count: int) -> None:
    """Each of so many short records has one embedding, and was given it once."""
    assert waiting(data) == 0
    assert rows(data, "SELECT count(*), count(DISTINCT record) FROM embedding") == [(count, count)]
    assert rows(data, "SELECT count(*) FROM terms WHERE space = 2") == [(count,)]
    assert times_embedded(data) == [1] * count


def until(true: Callable[[], object]) -> None:
    """Ask until it is so."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        leave_room()


def leave_room() -> None:
    """Leave the processor for a moment to whom a test waits for, which it would take by asking again and again."""
    time.sleep(0.005)


def health(client: McpClient) -> str:
    said: str = client.call("codemem_health")["embeddings"]
    return said


def settled(*clients: McpClient) -> None:
    """Wait until these servers find everything by meaning."""
    for client in clients:
        client.call("recall_memory", {"query": "wake up"})
        until(lambda client=client: re.fullmatch(r"ok: \d+ records embedded", health(client)))


@contextmanager
def opened(data: Path, clock: Callable[[], datetime] = utc_now) -> Iterator[Context]:
    """A context that uses the encoder of the test; nothing works in its background."""
    ctx = open_context(replace(settings(data), encoder="shared"), clock)
    try:
        yield ctx
    finally:
        ctx.close()


@contextmanager
def ready(data: Path, clock: Callable[[], datetime] = utc_now) -> Iterator[Context]:
    with opened(data, clock) as ctx:
        encoders.rewoken(ctx.embedder)
        yield ctx


def later(**time_: float) -> Callable[[], datetime]:
    """A clock that is ahead: for whoever looks at it, leases of now have run out."""
    return lambda: utc_now() + timedelta(**time_)


def keep_waiting(ctx: Context, *contents: str) -> list[int]:
    """Store texts as if no model were warm; their row ids."""
    cold = replace(ctx, embedder=Embedder(None))
    keys = [memories.store(cold, memories.NewMemory(content))["id"] for content in contents]
    return [row for key in keys for (row,) in rows(ctx.settings.data, f"SELECT id FROM record WHERE key = '{key}'")]
