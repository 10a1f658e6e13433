"""Rescue of a damaged SQLite file: every readable row is copied into a new one."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw

from indelible.errors import StoreError
from indelible.filesystem import create_private
from indelible.store import named_queries
from indelible.store.sqlite.migrate import migrate_sqlite
from indelible.store.tables.terms import CODE_WORDS, COMMIT_WORDS, WORDS

# In the order that foreign keys ask for, each with the number that its rows stand by, if they have one. Caches
# (posting_block) are built again, and the log of changes starts anew. Embeddings are made again: the copied records
# are put on the list of what waits by the new store itself.
TABLES: dict[str, str | None] = {
    "setting": None,
    "record": "id",
    "edge": "id",
    "terms": "record",
    "access": "record",
    "event": "id",
    "event_day": None,
    "trash": "id",
    "applied": None,
    "project": None,
    "sequence": None,
    "token": "id",
    "activity": "id",
    "repository": "id",
    "symbol_name": "id",
    "source_file": "record",
    "symbol": "record",
    "record_version": "id",
    "edge_version": "id",
    "sync_state": None,
}
ONLY = {"terms": f"space IN ({WORDS}, {CODE_WORDS}, {COMMIT_WORDS})"}  # sparse terms belong to an embedding
NUMBERED = ("record", "edge", "event", "trash")  # a lost row's number is not given again: logs and the trash name it
# Used where the sequence itself could not be read: it goes on after the last number present.
_RAISE_SEQUENCE = """
INSERT INTO sequence (tenant, last)
SELECT tenant, max(CAST(key AS INTEGER)) FROM record
WHERE kind IN ('document', 'chunk', 'todo', 'attempt') AND key NOT GLOB '*[^0-9]*' AND length(key) BETWEEN 1 AND 12
GROUP BY tenant
ON CONFLICT (tenant) DO UPDATE SET last = max(last, excluded.last)
"""
# Rows that depend on lost ones, in an order in which all of them are found.
_WITHOUT_BASE = """
DELETE FROM edge WHERE source NOT IN (SELECT id FROM record) OR target NOT IN (SELECT id FROM record);
DELETE FROM terms WHERE record NOT IN (SELECT id FROM record);
DELETE FROM access WHERE record NOT IN (SELECT id FROM record);
DELETE FROM source_file WHERE record NOT IN (SELECT id FROM record) OR repository NOT IN (SELECT id FROM repository);
DELETE FROM symbol WHERE record NOT IN (SELECT id FROM record) OR file NOT IN (SELECT record FROM source_file)
  OR name NOT IN (SELECT id FROM symbol_name);
DELETE FROM symbol_name WHERE id NOT IN (SELECT name FROM symbol);
"""
# A store of before schema 7 has the words of code among those of all else.
_CODE_APART = f"""
UPDATE OR REPLACE terms SET space = {CODE_WORDS}
WHERE space = {WORDS} AND record IN (SELECT id FROM record WHERE kind IN ('symbol', 'file'))
"""
# Of a store of before schema 11: rows have no names yet, and those of the trash do not say how they are brought back.
_NAMED = """
UPDATE record SET uid = lower(hex(randomblob(16))) WHERE uid = '';
UPDATE edge SET uid = lower(hex(randomblob(16))) WHERE uid = '';
"""
# It is unknown what is missing of the code and its commits: the next run reads all of them again.
_READ_AGAIN = """
UPDATE repository SET version = 0, summary = json_remove(summary, '$.history');
UPDATE source_file SET hash = '', resolved = 0;
"""
AT_ONCE = 1024  # numbers that are read together
_JSON = {"tags": list, "metadata": dict, "records": list, "body": dict, "detail": dict, "summary": dict, "places": list}
# A damaged page may give an error, a text that is not UTF-8, or a row that never was one.
_UNREADABLE = (apsw.Error, UnicodeDecodeError)


def salvage(source: Path, target: Path) -> dict[str, tuple[int, int]]:
    """Copy every readable row to a new store; by table: (rows saved, rows or runs of rows that could not be read).

    The source is opened read-only. Raises StoreError where not even its schema can be read.
    """
    try:
        old = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
        old.pragma("writable_schema", 1)  # else a file that was cut is not opened at all
        known = {str(name) for (name,) in old.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    except _UNREADABLE as error:
        raise StoreError(
            f"{source}: nothing can be read ({error}); move it away and run `indelible restore` with a backup"
        ) from error
    create_private(target)
    migrate_sqlite(target)
    new = apsw.Connection(str(target))
    try:
        new.execute("DELETE FROM setting").fetchall()
        counts = {table: _Copy(old, new, table).run() for table in TABLES if table in known}
        new.execute(_WITHOUT_BASE).fetchall()
        new.execute(_CODE_APART).fetchall()
        new.execute(_NAMED).fetchall()
        if "trash" in known and "bulk" not in _columns(old, "trash"):
            new.execute(_end_of(11, "UPDATE trash SET reverses")).fetchall()
        if "trash" in known and "version" not in _columns(old, "trash"):
            new.execute(_end_of(15, "UPDATE trash SET revision")).fetchall()
        new.execute(_READ_AGAIN).fetchall()
        _keep_numbers(old, new)
        new.execute(_RAISE_SEQUENCE).fetchall()
        new.pragma("user_version", named_queries.newest_schema("sqlite"))
    finally:
        new.close()
        old.close()
    return counts


def _end_of(number: int, first: str) -> str:
    """Return the statements of a migration that mark rows of the trash, from the first of them to its end."""
    migration = dict(named_queries.migrations("sqlite"))[number]
    return migration[migration.index(first) :]


class _Copy:
    """The copy of one table."""

    def __init__(self, old: apsw.Connection, new: apsw.Connection, table: str):
        there = _columns(old, table)  # an older schema may have fewer
        self._columns = [column for column in _columns(new, table) if column in there]
        self._old, self._new, self._table = old, new, table
        listed = ", ".join(f'"{column}"' for column in self._columns)
        marks = ", ".join("?" for _ in self._columns)
        self._select = f"SELECT {listed} FROM {table} WHERE {ONLY.get(table, 'true')}"
        self._insert = f"INSERT OR IGNORE INTO {table} ({listed}) VALUES ({marks})"

    def run(self) -> tuple[int, int]:
        """Copy; (rows saved, rows or runs of rows lost)."""
        key = TABLES[self._table]
        with self._new:
            done = self._from_both_ends() if key is None else self._by_number(key)
        return done

    def _from_both_ends(self) -> tuple[int, int]:
        """Read up to the first unreadable row, then from the end down to it."""
        saved = 0
        primary = [str(row[1]) for row in self._new.execute(f"PRAGMA table_info({self._table})") if row[5]]
        down = ", ".join(f"{column} DESC" for column in primary)
        for query in (self._select, f"{self._select} ORDER BY {down}"):
            try:
                for row in self._old.execute(query):
                    saved += self._keep(row)
            except _UNREADABLE:
                continue
            return saved, 0
        return saved, 1

    def _by_number(self, key: str) -> tuple[int, int]:
        """Read ranges of numbers, then each number they did not give: noise among the keys ends a range too early."""
        saved = lost = 0
        top, place = self._top(key), self._columns.index(key)
        for low in range(0, top + 1, AT_ONCE):
            rows = self._read(f"{key} >= ? AND {key} < ?", low, low + AT_ONCE) or []
            seen = {row[place] for row in rows}
            for number in range(low, min(low + AT_ONCE, top + 1)):
                if number not in seen:
                    found = self._read(f"{key} = ?", number)
                    rows += found or []
                    lost += found is None
            kept = sum(self._keep(row) for row in rows)
            saved, lost = saved + kept, lost + len(rows) - kept
        return saved, lost

    def _read(self, where: str, *numbers: int) -> list[tuple[Any, ...]] | None:
        """The rows of a condition, None where something on the way to them cannot be read."""
        try:
            return self._old.execute(f"{self._select} AND {where}", numbers).fetchall()
        except _UNREADABLE:
            return None

    def _top(self, key: str) -> int:
        """Return a number that no row is above, as low as can be known."""
        if key == "record":  # what hangs on a lost record is of no use
            return _number(self._new, "SELECT max(id) FROM record") or 0
        last = _number(self._old, f"SELECT seq FROM sqlite_sequence WHERE name = '{self._table}'")
        if last is not None:
            return last
        pages = _number(self._old, "PRAGMA page_count") or 0
        highest = _number(self._old, f"SELECT max({key}) FROM {self._table}")
        return 64 * pages if highest is None else min(highest, 1024 * pages)  # noise may look like any number

    def _keep(self, row: tuple[Any, ...]) -> bool:
        """Store a row, if it is one; whether it is new here."""
        if not _is_sound(dict(zip(self._columns, row, strict=True))):
            return False
        before = self._new.total_changes()
        try:
            self._new.execute(self._insert, row).fetchall()
        except (apsw.ConstraintError, apsw.MismatchError):  # values that do not fit the columns
            return False
        return self._new.total_changes() > before


def _is_sound(row: dict[str, Any]) -> bool:
    """Whether a row can be one that was written: its JSON parses, and a memory's text has its hash."""
    for column, kind in _JSON.items():
        if isinstance(row.get(column), str):
            try:
                if not isinstance(json.loads(row[column]), kind):
                    return False
            except (ValueError, RecursionError):
                return False
    if row.get("kind") == "memory" and row.get("content_hash") and (text := row["text"]) is not None:
        return isinstance(text, str) and sha256(text.encode()).hexdigest() == row["content_hash"]
    return True


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]


def _number(connection: apsw.Connection, query: str) -> int | None:
    """The only value of a query, None where there is none or it cannot be read."""
    try:
        rows = connection.execute(query).fetchall()
    except _UNREADABLE:
        return None
    return rows[0][0] if rows and isinstance(rows[0][0], int) else None


def _keep_numbers(old: apsw.Connection, new: apsw.Connection) -> None:
    for table in NUMBERED:
        last = _number(old, f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'")
        if last is None:
            continue
        new.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, table)).fetchall()
        if new.changes() == 0:
            new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last)).fetchall()
