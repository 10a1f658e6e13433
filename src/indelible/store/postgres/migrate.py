"""Migrations of a PostgreSQL store: one process, one transaction, with the rows counted."""

from contextlib import closing
from dataclasses import replace

from psycopg import Connection, IsolationLevel, errors
from psycopg.sql import SQL, Identifier

from indelible.errors import StoreError
from indelible.store import named_queries
from indelible.store.database import Row
from indelible.store.group_commit import translated
from indelible.store.postgres import placing, roles
from indelible.store.postgres.server import OLDEST_SERVER, WAIT, Server, own_copy, placed
from indelible.store.schema import refuse_loss, upgraded

UPGRADE = "indelible database upgrade"  # the command that the owner of a store runs


def suitable(connection: Connection[Row], server: Server) -> Server:
    """The server with its schema named, and whether it is distributed, if it can hold a store. Raises StoreError."""
    if connection.info.server_version < OLDEST_SERVER:
        raise StoreError(f"{server.name} needs PostgreSQL {OLDEST_SERVER // 10_000} or newer; upgrade the server")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"{server.name} is kept in {encoding}; make a database with `createdb -T template0 -E UTF8`")
    schema = server.schema or connection.execute("SELECT current_schema()").fetchall()[0][0]
    if schema is None:
        raise StoreError(f"{server.name} has no schema for this user; CREATE SCHEMA indelible, and name it")
    named = replace(server, schema=str(schema))
    if not placed(connection, named.schema):
        return named
    return replace(named, distributed=True, settings=own_copy(connection, named.schema))


def migrate_postgres(
    connection: Connection[Row],
    server: Server,
    role: str | None = None,
    limited_role: str | None = None,
    *,
    make: bool = True,
) -> None:
    """Bring a store to the newest schema; the server rolls all of it back on any failure.

    The first of several processes makes a new store while the others wait; during an upgrade they get an error. `role`
    may serve it from then on, beside those that may already, and `limited_role` is that of limited callers' statements.
    Where there is no store, `make` says whether one is made. A server's administrator makes the backup beforehand: a
    client cannot. Raises StoreError, Conflict, and InvalidInput for the roles.
    """
    try:
        found = _schema_of(connection, server)
        if not (found or make):
            raise StoreError(
                f"{server.name} holds no store of Indelible, and this command creates none; check the URL, or make one "
                f"with `{UPGRADE}`"
            )
        if _due(server, found):
            _apply(connection, server, found)
        with connection.transaction():
            if role is not None:
                roles.grant(connection, server.schema, [role])
            if limited_role is not None:
                roles.set_limited(connection, server.schema, limited_role)
    except (errors.DuplicateTable, errors.UndefinedColumn) as error:
        raise StoreError(
            f"{server.name} holds tables of another program ({str(error).splitlines()[0]}); nothing was changed. "
            "Give Indelible a schema of its own"
        ) from error
    except errors.InsufficientPrivilege as error:
        raise StoreError(
            f"{server.name} cannot be made or upgraded to schema {named_queries.newest_schema('postgres')} by this "
            f"user ({str(error).splitlines()[0]}); nothing was changed. Run `{UPGRADE}` with the URL of the role that "
            "owns it, and with --role where another one serves it"
        ) from error


def upgrade_postgres(
    url: str, schema: str | None = None, role: str | None = None, limited_role: str | None = None
) -> None:
    """Make a store, or bring it to the newest schema, as its owner; a service role may use it from then on.

    `limited_role` is the role of limited callers' statements from then on (`roles.set_limited`). Raises what
    `open_postgres` raises, and InvalidInput for the roles.
    """
    server = Server.of(url, schema, WAIT)
    connection = server.connect()
    with closing(connection), translated(server):
        migrate_postgres(connection, suitable(connection, server), role, limited_role)


def _apply(connection: Connection[Row], server: Server, found: int) -> None:

    # a snapshot taken after the wait, whatever isolation the server is set to
    connection.isolation_level = IsolationLevel.READ_COMMITTED
    with connection.transaction():
        claim(connection, server, found)
        due = _due(server, _schema_of(connection, server))  # another process may have been first
        if not due:
            return
        if server.distributed:
            placing.allow_changes(connection)
        else:  # beside Citus the functions get to the nodes with the tables that need them (`placing`), not before
            connection.execute("SET LOCAL citus.enable_ddl_propagation = off")
        serving = roles.granted_roles(connection, server.schema)
        roles.set_forced(connection, server.schema, forced=False)
        before = placing.row_counts(connection, server)
        for number, sql in due:
            for statement in placing.statements(sql) if server.distributed else [sql]:
                connection.execute(statement)
            put = named_queries.load("postgres")["settings.put"]
            connection.execute(put, {"tenant": 0, "name": "schema", "value": str(number)})
        refuse_loss(before, placing.row_counts(connection, server))
        if server.distributed:
            placing.place(connection, server)
        roles.set_forced(connection, server.schema, forced=True)
        roles.grant(connection, server.schema, serving)
        for limited in roles.limited_roles(connection, server.schema):
            roles.set_limited(connection, server.schema, limited)  # of tables that are new, too


def _schema_of(connection: Connection[Row], server: Server) -> int:
    """The schema number of a store, 0 where there is none yet."""
    table = connection.execute("SELECT to_regclass(quote_ident(%s) || '.setting')", [server.schema]).fetchall()[0][0]
    if table is None:
        return 0
    number = SQL("SELECT value FROM {} WHERE tenant = 0 AND name = 'schema'")
    found = connection.execute(number.format(Identifier(server.schema, "setting"))).fetchall()
    return int(found[0][0]) if found else 0


def _due(server: Server, found: int) -> list[tuple[int, str]]:
    """The migrations that a store still needs. Raises Conflict where it is newer than this version."""
    newest = named_queries.newest_schema("postgres")
    if found > newest:
        raise upgraded(server.name, found, newest)
    return [(number, sql) for number, sql in named_queries.migrations("postgres") if number > found]


def claim(connection: Connection[Row], server: Server, found: int) -> None:
    """Take the lock to make, upgrade or move the store, until the transaction ends. Raises StoreError.

    `found` is its schema; from 1 on nobody waits for another who does the same.
    """
    # The session's temporary tables last: else one of them could stand for a table of the store, in functions too.
    connection.execute("SELECT set_config('search_path', quote_ident(%s) || ', pg_temp', true)", [server.schema])
    # How long it waits for others is limited, how long it works is not, whatever this role is otherwise allowed.
    limits = "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', '0', true)"
    connection.execute(limits, [str(round(server.wait * 1000))])
    if found > 0:
        upgrade = "SELECT pg_try_advisory_xact_lock(hashtextextended('indelible upgrade ' || %s, 0))"
        if not connection.execute(upgrade, [server.schema]).fetchall()[0][0]:
            raise StoreError(
                f"upgrading: another process is upgrading {server.name} to a newer version; repeat in a moment"
            )
    connection.execute(f"SELECT pg_advisory_xact_lock({roles.STORE_KEY.format(schema='%s')})", [server.schema])
    if not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [server.schema]).fetchall():
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(server.schema)))
