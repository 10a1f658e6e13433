"""One tenant of a PostgreSQL store as a store file, and such a file in the place of what a tenant has.

A migration (`transfer/migration.py`) can be stopped, and needs a source that nobody writes to. This is of one moment,
beside others that write, and in one transaction each way.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import apsw

from indelible.errors import Forbidden
from indelible.filesystem import create_private
from indelible.store.copy import tables
from indelible.store.copy.sequences import PostgresNumbers, SqliteNumbers
from indelible.store.copy.tables import FILLED_BY_TRIGGERS, TABLES, Copy
from indelible.store.database import Database, Row, Transaction
from indelible.store.namespace_filter import LimitedStore
from indelible.store.sqlite.connection import TENANT, connect, describe
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.sqlite.migrate import migrate_sqlite
from indelible.store.tables import settings

if TYPE_CHECKING:
    from psycopg import Connection

    from indelible.store.postgres.transactions import PostgresTransaction

AT_ONCE = 2_000  # rows that are fetched together
_DERIVED = "symbol_gram"  # filled from `symbol_name`, in each database in its own way
# What stays as it is where a file is put in the place of a tenant's rows, beside its tokens and its quota.
STAYS = {
    "change": "the log goes on, so that every process sees what was replaced",
    "posting_block": "sealed at positions of another log",
    "event": "the calls of the last weeks, which are billed to the tenant that made them",
    "event_day": "those before, by day",
}


def backup(store: Database, target: Path) -> None:
    """Write a copy of one moment of a store, of a database that of one tenant, to a new store file.

    Raises StoreError, and Forbidden for a caller limited to namespaces.
    """
    if isinstance(store, LimitedStore):
        raise Forbidden("a token that is limited to namespaces cannot copy the whole store")
    if isinstance(store, SqliteDatabase):
        store.backup(str(target))
        return
    with store.read() as tx:
        write(tx, target)


def write(tx: Transaction, target: Path) -> None:
    """Write the rows of a transaction's tenant, as it sees them, to a new store file, which is durable afterwards.

    They keep their ids, and their positions in the log of changes. Raises StoreError.
    """
    create_private(target)
    migrate_sqlite(target)
    connection = connect(target, None, "OFF")
    try:
        _copy(cast("PostgresTransaction", tx).connection, connection, tx.tenant)
    except apsw.Error as error:
        raise describe(error, target) from error
    finally:
        connection.close()
    with target.open("rb") as file:
        os.fsync(file.fileno())


def put_back(store: Database, file: Database, replaced: Callable[[Transaction], None]) -> None:
    """Replace what the tenant of a database has by what a store file has, in one transaction.

    `replaced` is called with it when nobody else writes for the tenant any more, before anything is changed. Tokens and
    the quota stay as they are, tokens only where there are any: an older state would let in who was shut out since.
    Raises Forbidden where a number that was given in the file is above those of the database, and this role may not
    set them.
    """

    def work(tx: Transaction) -> None:
        replaced(tx)
        theirs = Copy(store, tx)
        stay = {*STAYS, *(["token"] if theirs.count(tables.NAMED["token"]) else [])}
        quota = settings.find(tx, settings.QUOTA)
        coming = [table for table in TABLES if table.name not in stay]
        for table in reversed(coming):
            theirs.clear(table)
        with file.read() as source:
            ours = Copy(file, source)
            for table in coming:
                if table.name in FILLED_BY_TRIGGERS:
                    theirs.clear(table)
                columns = tables.same_columns(table, ours.columns(table), theirs.columns(table))
                last = None
                while rows := ours.batch(table, columns, last):
                    theirs.put(table, columns, rows)
                    last = ours.key_of(table, columns, rows[-1])
            _go_on(cast("PostgresNumbers", theirs.numbers), ours.numbers.last())
        if quota is None:
            settings.drop(tx, settings.QUOTA)
        else:
            settings.put(tx, settings.QUOTA, quota)

    store.write(work)


def _go_on(theirs: PostgresNumbers, given: dict[str, int]) -> None:
    """Let no number be given again that was given in the file.

    Those of records are counted apart from the rows, and a tenant that had none has no count yet: it comes first.
    """
    theirs.tenant_goes_on_after(given)
    now = theirs.last()
    higher = {table: number for table, number in given.items() if number > now[table]}
    if theirs.step_over(higher):
        return
    if not theirs.may_go_on():
        raise Forbidden(
            f"numbers of {', '.join(sorted(higher))} are higher in the file than in the database, and this user may "
            "not set those of the database; give the URL of the tables' owner"
        )
    theirs.go_on_after(higher)


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
        given = PostgresNumbers(lambda query, *values: source.execute(query, values).fetchall(), tenant).last()
        SqliteNumbers(lambda query, *values: target.execute(query, values).fetchall(), TENANT).go_on_after(given)


def _tables(target: apsw.Connection) -> list[str]:
    rows = target.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    return [str(name) for (name,) in rows if not str(name).startswith(("sqlite_", _DERIVED))]


def _copy_table(source: "Connection[Row]", target: apsw.Connection, table: str, tenant: int) -> None:
    columns = [str(row[1]) for row in target.execute(f"PRAGMA table_info({table})") if row[1] != "tenant"]
    listed, marks = ", ".join(f'"{column}"' for column in columns), ", ".join("?" for _ in columns)
    query = f"SELECT {listed} FROM {table} WHERE tenant = %s"
    statement = f"INSERT OR REPLACE INTO {table} (tenant, {listed}) VALUES ({TENANT}, {marks})"
    target.executemany(statement, _rows(source, query, tenant))


def _rows(source: "Connection[Row]", query: str, tenant: int) -> Iterator[Row]:
    with source.cursor(name="copied") as cursor:
        cursor.itersize = AT_ONCE
        cursor.execute(query, [tenant], binary=True)
        yield from cursor
