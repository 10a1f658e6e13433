"""One tenant's rows of a PostgreSQL store as a SQLite file: a copy to try things on.

A migration (`copying.py`) can be stopped and is compared; this is one transaction without a sync, for minutes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import apsw

from indelible.errors import Forbidden
from indelible.filesystem import create_private
from indelible.store.database import Database, Row
from indelible.store.namespace_filter import LimitedStore
from indelible.store.sqlite.connection import connect, describe
from indelible.store.sqlite.migrate import migrate_sqlite

if TYPE_CHECKING:
    from psycopg import Connection

    from indelible.store.postgres.transactions import PostgresTransaction

AT_ONCE = 2_000  # rows that are fetched together
_DERIVED = "symbol_gram"  # filled from `symbol_name`, in each database in its own way


def copy_tenant(source: Database, target: Path) -> None:
    """Write the rows of a tenant, as they are at one moment, to a new store file.

    They keep their ids, their tenant, and their positions in the log of changes. The file is not synced: the caller
    removes it again. Raises StoreError, and Forbidden for a caller limited to namespaces.
    """
    if isinstance(source, LimitedStore):
        raise Forbidden("a token that is limited to namespaces cannot copy the whole store")
    create_private(target)
    migrate_sqlite(target)
    connection = connect(target, None, "OFF")
    try:
        with source.read() as tx:
            _copy(cast("PostgresTransaction", tx).connection, connection, source.tenant)
    except apsw.Error as error:
        raise describe(error, target) from error
    finally:
        connection.close()


def _copy(source: "Connection[Row]", target: apsw.Connection, tenant: int) -> None:
    target.pragma("foreign_keys", False)  # the rows come table by table, and all of them refer to each other
    with target:
        triggers = target.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            target.execute(f'DROP TRIGGER "{name}"').fetchall()
        for table in _tables(target):
            _copy_table(source, target, table, tenant)
        for _, sql in triggers:
            target.execute(str(sql)).fetchall()
        target.execute(f"INSERT INTO {_DERIVED} ({_DERIVED}) VALUES ('rebuild')").fetchall()


def _tables(target: apsw.Connection) -> list[str]:
    rows = target.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    return [str(name) for (name,) in rows if not str(name).startswith(("sqlite_", _DERIVED))]


def _copy_table(source: "Connection[Row]", target: apsw.Connection, table: str, tenant: int) -> None:
    columns = [str(row[1]) for row in target.execute(f"PRAGMA table_info({table})")]
    listed, marks = ", ".join(f'"{column}"' for column in columns), ", ".join("?" for _ in columns)
    query = f"SELECT {listed} FROM {table} WHERE tenant = %s"
    target.executemany(f"INSERT OR REPLACE INTO {table} ({listed}) VALUES ({marks})", _rows(source, query, tenant))


def _rows(source: "Connection[Row]", query: str, tenant: int) -> Iterator[Row]:
    with source.cursor(name="copied") as cursor:
        cursor.itersize = AT_ONCE
        cursor.execute(query, [tenant], binary=True)
        yield from cursor
