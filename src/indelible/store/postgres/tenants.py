"""The tenants of a store in PostgreSQL as a whole: which there are, and what it takes to delete one.

A tenant is deleted a thousand rows at a time, of every table that has rows by tenants. A row of `setting` stays, which
each write looks for as it begins: without it a server that had the tenant open would write what waits in it anew.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager

from psycopg import Connection
from psycopg.sql import SQL, Identifier, Literal

from indelible.dataclass import dataclass
from indelible.errors import StoreError
from indelible.store.database import Row
from indelible.store.group_commit import translated
from indelible.store.postgres import roles
from indelible.store.postgres.migrate import migrate_postgres, suitable
from indelible.store.postgres.server import WAIT as PATIENCE
from indelible.store.postgres.server import Server
from indelible.store.tables.settings import DELETED

WAIT = 5.0  # seconds for the table, which writes hold for a moment
SOME = 1_000  # rows a transaction
FIRST = "record"  # whose rows take those of most other tables with them
_SEES = """SELECT rolsuper OR rolbypassrls,
    pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'record_number'::regclass), 'USAGE')
  FROM pg_roles WHERE rolname = current_user"""
_NUMBERS = "SELECT DISTINCT tenant FROM record_number ORDER BY tenant"
_MARK = "INSERT INTO setting (tenant, name, value) VALUES (%s, %s, %s) ON CONFLICT (tenant, name) DO NOTHING"
_PROJECTS = """SELECT namespace FROM record WHERE tenant = %(tenant)s UNION SELECT namespace FROM project
  WHERE tenant = %(tenant)s UNION SELECT alias FROM project WHERE tenant = %(tenant)s"""
_INDEXES = """SELECT relname::text, pg_has_role(relowner, 'USAGE') FROM pg_class
  WHERE relkind = 'i' AND relnamespace = quote_ident(current_schema())::regnamespace AND relname ~ %s ORDER BY 1"""


@dataclass(frozen=True, slots=True)
class Contents:
    """A tenant: its rows by table, where it has any, and the names of its projects; whether it was deleted before."""

    rows: Mapping[str, int]
    projects: frozenset[str]
    is_deleted: bool


def numbers(server: Server) -> list[int]:
    """Return the tenants that have stored records, ascending.

    The owner of the tables sees the rows of all within a transaction in which row-level security is not forced on it,
    of a table that readers do not need. Raises StoreError, for a role that may see one tenant at a time too.
    """
    with translated(server), closing(server.connect()) as connection, connection.transaction():
        connection.execute(f"{server.scope(0)}; SET LOCAL lock_timeout = {round(WAIT * 1000)}")
        ((sees_all, owns),) = connection.execute(_SEES).fetchall()
        if not (sees_all or owns):
            raise StoreError(
                f"{server.name} shows this role one tenant at a time; name one, or connect as the role that owns the "
                "tables"
            )
        if not sees_all:
            connection.execute("ALTER TABLE record_number NO FORCE ROW LEVEL SECURITY")
        found = connection.execute(_NUMBERS).fetchall()
        if not sees_all:
            connection.execute("ALTER TABLE record_number FORCE ROW LEVEL SECURITY")
    return [int(tenant) for (tenant,) in found]


def contents(url: str, tenant: int, schema: str | None = None) -> Contents:
    """Return what a tenant has. Raises StoreError, and Conflict for another version's tables."""
    with _connected(url, schema) as (server, connection), connection.transaction():
        connection.execute(server.scope(tenant))
        rows = {table: _count(connection, table, tenant) for table in roles.tables(connection, server.schema)}
        projects = connection.execute(_PROJECTS, {"tenant": tenant}).fetchall()
        marked = connection.execute("SELECT FROM setting WHERE tenant = %s AND name = %s", [tenant, DELETED]).fetchall()
    left = {table: count for table, count in rows.items() if count}
    return Contents(left, frozenset(str(name) for (name,) in projects), bool(marked))


def mark(url: str, tenant: int, schema: str | None = None) -> None:
    """Note that a tenant is deleted: from now on nobody writes for it. Raises as `contents`."""
    with _connected(url, schema) as (server, connection), _writing(server, connection, tenant):
        connection.execute(_MARK, [tenant, DELETED, str(time.time_ns() // 1_000)])


def delete(url: str, tenant: int, report: Callable[[str, int], None], schema: str | None = None) -> list[str]:
    """Delete every row of a marked tenant but its mark, and the indexes that are of it alone.

    `report` gets a table and how many rows were deleted. Where it is interrupted the next one goes on. Returns the
    indexes that this role may not drop: they are empty. Raises as `contents`.
    """
    with _connected(url, schema) as (server, connection):
        tables = sorted(roles.tables(connection, server.schema), key=lambda name: name != FIRST)
        found = True
        while found:  # triggers write rows of other tables as these are deleted
            found = any([_emptied(server, connection, table, tenant, report) for table in tables])
        return _drop_indexes(server, connection, tenant)


def _count(connection: Connection[Row], table: str, tenant: int) -> int:
    query = SQL("SELECT count(*) FROM {} WHERE tenant = {}{}").format(
        Identifier(table), Literal(tenant), _but_the_mark(table)
    )
    return int(connection.execute(query).fetchall()[0][0])


def _emptied(
    server: Server, connection: Connection[Row], table: str, tenant: int, report: Callable[[str, int], None]
) -> bool:
    """Delete the rows of a table; whether there were any."""
    some = SQL("SELECT ctid FROM {} WHERE tenant = {}{} LIMIT {}").format(
        Identifier(table), Literal(tenant), _but_the_mark(table), Literal(SOME)
    )
    statement = SQL("DELETE FROM {} WHERE tenant = {} AND ctid = ANY (ARRAY({}))").format(
        Identifier(table), Literal(tenant), some
    )
    total = 0
    while True:
        with _writing(server, connection, tenant):
            count = connection.execute(statement).rowcount
        if not count:
            return total > 0
        total += count
        report(table, total)


def _but_the_mark(table: str) -> SQL:
    return SQL(f" AND name <> '{DELETED}'" if table == "setting" else "")


def _drop_indexes(server: Server, connection: Connection[Row], tenant: int) -> list[str]:
    """Drop the indexes of a tenant's nearest vectors; return those that belong to another role."""
    with connection.transaction():
        connection.execute(f"{server.scope(tenant)}; SET LOCAL lock_timeout = {round(WAIT * 1000)}")
        found = connection.execute(_INDEXES, [f"^neighbors_{int(tenant)}_[0-9]+_[01](_half_made)?$"]).fetchall()
        for name, owns in found:
            if owns:
                connection.execute(SQL("DROP INDEX {}").format(Identifier(name)))
    return [str(name) for name, owns in found if not owns]


@contextmanager
def _connected(url: str, schema: str | None) -> Iterator[tuple[Server, Connection[Row]]]:
    server = Server.of(url, schema, PATIENCE)
    with translated(server), closing(server.connect()) as connection:
        server = suitable(connection, server)
        migrate_postgres(connection, server, make=False)
        yield server, connection


@contextmanager
def _writing(server: Server, connection: Connection[Row], tenant: int) -> Iterator[None]:
    """Yield within a transaction beside which nobody writes for the tenant."""
    with connection.transaction():
        connection.execute(f"{server.scope(tenant)}; {server.lock(tenant)}")
        yield
