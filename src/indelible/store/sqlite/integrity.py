"""Checks of a SQLite file."""

from pathlib import Path

import apsw

from indelible.errors import StoreError
from indelible.store import named_queries
from indelible.store.sqlite import shape
from indelible.store.sqlite.connection import connect, describe

_NAMES = "symbol_gram"


def check_file(path: Path) -> list[str]:
    """Return the faults that SQLite finds in a store file; empty if sound. A damaged file is not changed.

    The index of the names of symbols is left out: it is a cache, see `names_are_sound`.
    """
    try:
        connection = connect(path)
    except StoreError as error:
        return [str(error)]
    found = faults_of(connection, path)
    if found:  # the write-ahead log is not copied into it, as the last to close would do
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.close()
    return found


def faults_of(connection: apsw.Connection, path: Path) -> list[str]:
    """Return the faults that SQLite finds in the store file of a connection; empty if sound."""
    try:
        rows = connection.execute("PRAGMA integrity_check(20)").fetchall()
        found = [str(row[0]) for row in rows if row[0] != "ok" and _NAMES not in str(row[0])]
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    except apsw.Error as error:
        return [str(describe(error, path))]
    found += [f"{table} row {row} refers to a missing {parent}" for table, row, parent, _ in broken[:20]]
    return found or _foreign(connection)


def _foreign(connection: apsw.Connection) -> list[str]:
    """Return the parts of a file that no version of Indelible made; none for a file of a newer version."""
    with connection:  # both are read of one moment: another process may be making or upgrading the store
        schema = int(connection.pragma("user_version"))
        parts = shape.shape_of(connection)
    return [] if schema > named_queries.newest_schema("sqlite") else shape.differences(parts, schema)


def names_are_sound(path: Path) -> bool:
    """Whether the index of the names of symbols matches the names; it is a cache, see `rebuild_names`."""
    connection = connect(path)
    try:
        # SQLite checks by an INSERT, so that the lock of writers is needed; it is rolled back when it is closed
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"INSERT INTO {_NAMES} ({_NAMES}, rank) VALUES ('integrity-check', 1)").fetchall()
    except apsw.CorruptError:
        return False
    except apsw.ReadOnlyError:  # which cannot be asked
        return True
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()
    return True


def rebuild_names(path: Path) -> None:
    """Build the index of the names of symbols anew. Raises StoreError."""
    connection = connect(path)
    try:
        connection.execute(f"INSERT INTO {_NAMES} ({_NAMES}) VALUES ('rebuild')").fetchall()
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()


def schema_in(connection: apsw.Connection, path: Path, *, refused: bool) -> int:
    """Return the schema number through an open connection; see `schema_of` in `opening`."""
    try:
        with connection:  # so that the number is of the same moment
            schema = int(connection.pragma("user_version"))
            foreign = _foreign(connection) if refused else []
    except apsw.Error as error:
        raise describe(error, path) from error
    if foreign:
        raise StoreError(
            f"{path} is not opened: {shape.sentence_of(foreign)}; nothing was written. Remove that from it, or run "
            "`indelible restore` with a backup"
        )
    return schema
