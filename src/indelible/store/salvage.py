"""Reads what can be read of a damaged SQLite file into a new one."""

from pathlib import Path

import apsw

from indelible.errors import StoreError
from indelible.store import queries
from indelible.store.migrate import migrate_sqlite
from indelible.store.places import create_private

# In the order that foreign keys ask for; caches (posting_block) are built again.
TABLES = (
    "setting",
    "record",
    "edge",
    "terms",
    "access",
    "event",
    "event_day",
    "trash",
    "applied",
    "project",
)


def salvage(source: Path, target: Path) -> dict[str, tuple[int, int]]:
    """Copy every readable row to a new store; by table: (rows saved, rows or runs of rows that could not be read).

    The source is opened read-only. Raises StoreError where not even its schema can be read.
    """
    create_private(target)
    migrate_sqlite(target)
    try:
        old = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
        known = {str(name) for (name,) in old.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    except apsw.Error as error:
        raise StoreError(
            f"{source}: nothing can be read ({error}); restore a backup with `indelible restore`"
        ) from error
    new = apsw.Connection(str(target))
    try:
        new.execute("DELETE FROM setting").fetchall()
        counts = {table: _copy(old, new, table) for table in TABLES if table in known}
        new.execute(
            "DELETE FROM edge WHERE source NOT IN (SELECT id FROM record) OR target NOT IN (SELECT id FROM record)"
        )
        for table in ("terms", "access"):
            new.execute(f"DELETE FROM {table} WHERE record NOT IN (SELECT id FROM record)")
        new.pragma("user_version", queries.newest_schema("sqlite"))
    finally:
        new.close()
        old.close()
    return counts


def _copy(old: apsw.Connection, new: apsw.Connection, table: str) -> tuple[int, int]:
    columns = [str(row[1]) for row in new.execute(f"PRAGMA table_info({table})")]
    wanted = ", ".join(f'"{column}"' for column in columns)
    marks = ", ".join("?" for _ in columns)
    insert = f"INSERT OR IGNORE INTO {table} ({wanted}) VALUES ({marks})"
    saved = lost = 0
    with new:
        try:
            for row in old.execute(f"SELECT {wanted} FROM {table}"):
                new.execute(insert, row).fetchall()
                saved += 1
        except apsw.Error:
            more, lost = _copy_by_row(old, new, table, wanted, insert)
            saved = max(saved, more)
    return saved, lost


def _copy_by_row(old: apsw.Connection, new: apsw.Connection, table: str, wanted: str, insert: str) -> tuple[int, int]:
    """Go around what cannot be read: ranges of row ids, halved until single rows are given up."""
    key = "rowid" if table in ("record", "edge", "access", "event", "trash") else "record" if table == "terms" else None
    if key is None:
        return 0, 1
    top = _highest(old, table, key)
    saved = lost = 0
    ranges = [(0, top + 1)]
    while ranges:
        low, high = ranges.pop()
        try:
            rows = old.execute(f"SELECT {wanted} FROM {table} WHERE {key} >= ? AND {key} < ?", (low, high)).fetchall()
        except apsw.Error:
            if high - low == 1:
                lost += 1
                continue
            middle = (low + high) // 2
            ranges += [(middle, high), (low, middle)]
            continue
        new.executemany(insert, rows).fetchall()
        saved += len(rows)
    return saved, lost


def _highest(old: apsw.Connection, table: str, key: str) -> int:
    """The highest row id, or where that cannot be read a power of two above any that can."""
    try:
        ((highest,),) = old.execute(f"SELECT coalesce(max({key}), 0) FROM {table}").fetchall()
        assert isinstance(highest, int)
        return highest
    except apsw.Error:
        return 1 << 24
