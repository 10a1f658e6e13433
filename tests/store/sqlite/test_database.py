"""The pages that the writer of a store file keeps in memory, and the figures of what is kept."""

from __future__ import annotations

import subprocess
import sys

import apsw
import pytest

from indelible.store.database import Transaction
from indelible.store.sqlite.connection import count_no_memory
from indelible.store.sqlite.database import BULK, BULK_CACHE, CACHE, SqliteDatabase, SqliteTransaction
from indelible.store.tables import events
from indelible.store.tables.events import Event

pytestmark = pytest.mark.sqlite("the cache of its pages")

WIDE = 2_000  # characters: two rows fill a page


def write(store: SqliteDatabase, count: int) -> None:
    """Write so many events of half a page in one transaction."""
    store.write(lambda tx: events.add(tx, [Event(1, "", "", "x" * WIDE, (), "ok", 1, 1)] * count))


def kept(store: SqliteDatabase) -> int:
    """Return the KiB of pages that the writer keeps, as the next transaction finds them."""

    def look(tx: Transaction) -> int:
        assert isinstance(tx, SqliteTransaction)
        return tx.connection.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0] >> 10

    return store.write(look)


def test_many_small_writes_do_not_fill_memory(store: SqliteDatabase) -> None:
    for _ in range(40):
        write(store, BULK // 20)  # 8 MB in all
    assert kept(store) < 1.5 * CACHE


def test_a_bulk_of_writes_keeps_its_pages_until_it_is_over(store: SqliteDatabase) -> None:
    for _ in range(4):
        write(store, BULK)  # 4 MB each
    assert 4 * CACHE < kept(store) < 1.5 * BULK_CACHE
    assert kept(store) < 1.5 * CACHE  # the transaction that looked was none of a bulk


def test_the_memory_is_counted_on_where_a_connection_is_open(store: SqliteDatabase) -> None:
    write(store, 1)
    assert apsw.memory_used() > 0
    count_no_memory()
    write(store, 1)
    assert apsw.memory_used() > 0


@pytest.mark.process
def test_a_process_of_one_command_counts_no_memory() -> None:
    asked = """
import apsw
from indelible.store.sqlite.connection import count_no_memory
count_no_memory()
connection = apsw.Connection(":memory:")
print(connection.execute("SELECT count(*) FROM sqlite_schema").get, apsw.memory_used())
"""
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, text=True)
    assert said.stdout == "0 0\n"
