"""Occasional work on a PostgreSQL store, each on a connection of its own: one short read, and a vacuum."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from psycopg import Error, errors

from indelible.errors import StoreError
from indelible.store import named_queries, schema
from indelible.store.database import Transaction
from indelible.store.group_commit import translated
from indelible.store.postgres import roles
from indelible.store.postgres.server import WAIT, Server, first_line, placed, quoted
from indelible.store.postgres.transactions import PostgresTransaction


@contextmanager
def read_once(url: str, tenant: int, wait: float) -> Iterator[Transaction]:
    """Yield one transaction on a tenant's rows, for a process that reads once: nothing is made, upgraded or changed.

    The server has `wait` seconds to answer the first time (2 at least), and for each query. Raises StoreError (no
    answer, or too busy) and Conflict (no store there, or one of another schema than this version's).
    """
    server = Server.of(url, None, wait)
    with translated(server), closing(server.connect()) as connection:
        server = replace(server, distributed=bool(placed(connection)))
        limit = f"SELECT set_config('statement_timeout', '{round(wait * 1000)}', true)"
        connection.execute(f"{server.begin_read(tenant)}; {limit}")
        try:
            rows = connection.execute("SELECT value FROM setting WHERE tenant = 0 AND name = 'schema'").fetchall()
        except errors.UndefinedTable as error:
            raise schema.NoStoreYet(f"{server.name} holds no store of Indelible yet") from error
        found, newest = int(rows[0][0]) if rows else 0, named_queries.newest_schema("postgres")
        if found != newest:
            raise schema.unread(server.name, found, newest)
        yield PostgresTransaction(tenant, connection)


def analyze(server: Server) -> None:
    """Have the statistics of the planner made of each table, but for those that are locked or that this role may not.

    The server says of these in warnings, which nobody reads: it makes them by itself in time. Raises StoreError.
    """
    try:
        with closing(server.dial()) as connection:
            schema = server.schema or str(connection.execute("SELECT current_schema()").fetchall()[0][0])
            own = (f"{quoted(schema)}.{quoted(table)}" for table in roles.tables(connection, schema))
            connection.execute(f"ANALYZE (SKIP_LOCKED) {', '.join(own)}")
    except Error as error:
        raise StoreError(f"{server.name} could not count its rows: {first_line(error)}") from error


def vacuum(url: str) -> list[str]:
    """Let the server reuse the room of deleted rows, table by table; returns the tables this role may not vacuum.

    The tables are not rewritten: that would stop all of a team's tenants. Raises StoreError.
    """
    server = Server.of(url, None, WAIT)
    refused = []
    with translated(server), closing(server.connect()) as connection:
        schema = str(connection.execute("SELECT current_schema()").fetchall()[0][0])
        for table in roles.tables(connection, schema):
            said: list[str] = []
            connection.add_notice_handler(lambda notice, said=said: said.append(str(notice.message_primary)))  # type: ignore[misc]
            connection.execute(f"VACUUM {quoted(schema)}.{quoted(table)}")
            if any("permission denied" in each for each in said):
                refused.append(table)
    return refused
