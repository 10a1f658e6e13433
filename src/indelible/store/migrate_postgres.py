"""Migrations of a PostgreSQL store: one process, one transaction, with the rows counted."""

from dataclasses import replace
from typing import TYPE_CHECKING

from indelible.errors import StoreError
from indelible.store import queries
from indelible.store.database import Row
from indelible.store.postgres import LOCK, OLDEST_SERVER, Server

if TYPE_CHECKING:
    from psycopg import Connection


def suitable(connection: "Connection[Row]", server: Server) -> Server:
    """The server with its schema named, if it can hold a store. Raises StoreError."""
    if connection.info.server_version < OLDEST_SERVER:
        raise StoreError(f"{server.name} needs PostgreSQL {OLDEST_SERVER // 10_000} or newer; upgrade the server")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"{server.name} is kept in {encoding}; make a database with `createdb -T template0 -E UTF8`")
    if server.schema:
        return server
    schema = connection.execute("SELECT current_schema()").fetchall()[0][0]
    if schema is None:
        raise StoreError(f"{server.name} has no schema for this user; CREATE SCHEMA indelible, and name it")
    server = replace(server, schema=str(schema))
    connection.execute("SELECT set_config('search_path', quote_ident(%s), false)", [server.schema])
    return server


def migrate_postgres(connection: "Connection[Row]", server: Server) -> None:
    """Bring a store to the newest schema; the server undoes all of it on any failure.

    The first of several processes makes a new store while the others wait; during an upgrade they are told so. A
    server's administrator makes the backup beforehand: a client cannot. Raises StoreError and Conflict.
    """
    from psycopg import errors

    try:
        found = _schema_of(connection, server)
        if _due(server, found):
            _apply(connection, server, found)
    except (errors.DuplicateTable, errors.UndefinedColumn) as error:
        raise StoreError(
            f"{server.name} holds tables of another program ({str(error).splitlines()[0]}); nothing was changed. "
            "Give Indelible a schema of its own"
        ) from error


def _apply(connection: "Connection[Row]", server: Server, found: int) -> None:
    from psycopg import IsolationLevel

    from indelible.store.migrate import refuse_loss

    # a snapshot of what is there after the wait, whatever isolation the server is set to
    connection.isolation_level = IsolationLevel.READ_COMMITTED
    with connection.transaction():
        _claim(connection, server, found)
        due = _due(server, _schema_of(connection, server))  # another process may have been first
        before = _row_counts(connection)
        for number, sql in due:
            connection.execute(sql)
            put = queries.load("postgres")["settings.put"]
            connection.execute(put, {"tenant": 0, "name": "schema", "value": str(number)})
        refuse_loss(before, _row_counts(connection))


def _schema_of(connection: "Connection[Row]", server: Server) -> int:
    """The schema number of a store, 0 where there is none yet."""
    table = connection.execute("SELECT to_regclass(quote_ident(%s) || '.setting')", [server.schema]).fetchall()[0][0]
    if table is None:
        return 0
    found = connection.execute("SELECT value FROM setting WHERE tenant = 0 AND name = 'schema'").fetchall()
    return int(found[0][0]) if found else 0


def _due(server: Server, found: int) -> list[tuple[int, str]]:
    """The migrations that a store still needs. Raises Conflict where it is newer than this version."""
    newest = queries.newest_schema("postgres")
    if found > newest:
        from indelible.store.sqlite import upgraded

        raise upgraded(server.name, found, newest)
    return [(number, sql) for number, sql in queries.migrations("postgres") if number > found]


def _claim(connection: "Connection[Row]", server: Server, found: int) -> None:
    """Be the one who makes or upgrades the store, until the transaction ends."""
    from psycopg.sql import SQL, Identifier

    if found > 0:
        upgrade = "SELECT pg_try_advisory_xact_lock(hashtextextended('indelible upgrade ' || %s, 0))"
        if not connection.execute(upgrade, [server.schema]).fetchall()[0][0]:
            raise StoreError(
                f"upgrading: another process is bringing {server.name} to a newer version; repeat in a moment"
            )
    connection.execute(f"SELECT {LOCK.format(schema='%s')}", [server.schema])
    if not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [server.schema]).fetchall():
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(server.schema)))


def _row_counts(connection: "Connection[Row]") -> dict[str, int]:
    from psycopg.sql import SQL, Identifier

    tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
    count = SQL("SELECT count(*) FROM {}")
    return {str(t): int(connection.execute(count.format(Identifier(t))).fetchall()[0][0]) for (t,) in tables}
