"""Numbered migrations: one process, one transaction, after a backup, with the rows counted."""

import shutil
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import apsw

from indelible.errors import StoreError
from indelible.filesystem import create_private
from indelible.store import named_queries
from indelible.store.schema import refuse_loss
from indelible.store.sqlite.connection import connect, describe
from indelible.store.sqlite.integrity import check_file


def migrate_sqlite(path: Path, vfs: str | None = None) -> None:
    """Bring a store file to the newest schema; the caller holds the upgrade lock. Raises StoreError.

    A store that holds anything is backed up first, beside it; on any failure it stays as it was.
    """
    create_private(path)
    connection = connect(path, vfs)
    try:
        found = int(connection.pragma("user_version"))
        due = [(number, sql) for number, sql in named_queries.migrations("sqlite") if number > found]
        if not due:
            return  # another process was first
        if found == 0:
            connection.pragma("journal_mode", "wal")
            _apply(connection, due)
        else:
            _upgrade(connection, path, found, due)
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()


def _upgrade(connection: apsw.Connection, path: Path, found: int, due: list[tuple[int, str]]) -> None:
    copy = _backup(connection, path, found)
    with ExitStack() as on_failure:
        on_failure.callback(copy.unlink, missing_ok=True)  # else each start that fails would leave one more
        try:
            _apply(connection, due)
        except apsw.Error as error:
            raise StoreError(
                f"the upgrade to schema {due[-1][0]} failed and the store is as it was, the version before still works "
                f"with it: {describe(error, path)}"
            ) from error
        on_failure.pop_all()


def _apply(connection: apsw.Connection, due: list[tuple[int, str]]) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        before = _row_counts(connection)
        for number, sql in due:
            connection.execute(sql).fetchall()  # to the end: a statement that gives rows would stop the script
            connection.pragma("user_version", number)
        refuse_loss(before, _row_counts(connection))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _backup(connection: apsw.Connection, path: Path, schema: int) -> Path:
    needed = path.stat().st_size * 2
    free = shutil.disk_usage(path.parent).free
    if free < needed:
        raise StoreError(
            f"the upgrade of {path} needs a backup first: {needed:,} bytes free, there are {free:,}. "
            "Free some space and start again; nothing was changed"
        )
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    copy = path.parent / "backups" / f"before-schema-{schema + 1}-{stamp}.db"
    copy.parent.mkdir(mode=0o700, exist_ok=True)
    create_private(copy)
    target = apsw.Connection(str(copy))
    try:
        with target.backup("main", connection, "main") as step:
            step.step()
    finally:
        target.close()
    faults = check_file(copy)
    if faults:
        raise StoreError(f"the backup before the upgrade is not sound ({faults[0]}); nothing was changed")
    return copy


def _row_counts(connection: apsw.Connection) -> dict[str, int]:
    tables = [
        str(name)
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
    ]
    return {table: _count(connection, table) for table in tables}


def _count(connection: apsw.Connection, table: str) -> int:
    ((count,),) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchall()
    assert isinstance(count, int)
    return count
