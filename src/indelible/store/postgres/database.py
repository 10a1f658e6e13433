"""The shared store: a tenant's part of one schema of a PostgreSQL database, used by many processes and machines."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TypeVar

from psycopg import Connection, Error

from indelible.errors import InvalidInput, StoreError
from indelible.store import named_queries, traced
from indelible.store.database import Row, Standby, Transaction
from indelible.store.group_commit import Writer
from indelible.store.postgres import foreign_parts, maintenance, roles, tenants
from indelible.store.postgres.migrate import migrate_postgres, suitable
from indelible.store.postgres.pool import Connections
from indelible.store.postgres.retry import Patience, passes_at_first
from indelible.store.postgres.server import WAIT, Server
from indelible.store.postgres.transactions import PostgresTransaction, PostgresWriter
from indelible.store.postgres.vector_indexes import NeighborIndexes

T = TypeVar("T")

LARGEST_TENANT = (1 << 63) - 1


class PostgresDatabase:
    """A tenant's rows as this process uses them: a writer thread, and readers that all tenants of the process share."""

    dialect = "postgres"

    def __init__(self, connections: Connections, tenant: int):

        self.tenant = _checked(tenant)
        self.receives = False
        self._connections = connections
        self._server = connections.server
        self._closing = threading.Event()
        self._waits_no_more = threading.Event()
        self._lock = threading.Lock()
        self._closed = False
        number = named_queries.newest_schema("postgres")
        self._writer = Writer(
            lambda: PostgresWriter(connections, self.tenant, lambda: self.receives, number, self._waits_no_more)
        )

    def for_tenant(self, tenant: int) -> "PostgresDatabase":
        """Return the rows of another tenant on the same server; each is closed by itself, the last ends the readers.

        Costs nothing until it is used. Where `bypasses_row_security` only the queries keep tenants apart, not the
        database: serve one tenant then. Raises InvalidInput for a number below 1, StoreError where this is closed.
        """
        _checked(tenant)
        self._refuse_closed()
        return PostgresDatabase(self._connections.share(), tenant)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """A transaction that sees one moment of the store and changes nothing.

        A server that is away is waited for. Raises Interrupted where it goes away in the middle.
        """
        server = self._server
        with self._reading() as connection:
            own = PostgresTransaction(self.tenant, connection, server.limited_role, server.distributed)
            yield traced.reading(own, self.dialect)

    @contextmanager
    def _reading(self) -> Iterator[Connection[Row]]:
        self._refuse_closed()
        with self._connections.reading(self.tenant, self._waits_no_more) as connection:
            yield connection

    def _refuse_closed(self) -> None:
        if self._closing.is_set():
            raise StoreError("the store is closed; open it again")

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction; see `Database.write`.

        Where the server is away, or undid the transaction for the sake of another one, `work` is run again.
        """
        return traced.write(self._writer, work, self.dialect)

    def check(self) -> list[str]:
        """Return faults that the server reports about itself, and foreign parts of the store; empty if sound."""
        try:
            with self._reading() as connection:
                ((unsafe, unlimited, several),) = connection.execute(_CHECKS).fetchall()
                parts = foreign_parts.differences(connection)
        except StoreError as error:
            return [str(error)]
        found = []
        if unsafe:
            found.append(
                f"{self._server.name}: fsync is off, a power loss can destroy it; set fsync = on on the server"
            )
        if unlimited and several:
            found.append(
                f"{self._server.name} holds several tenants, and the database does not keep them apart for this role "
                "(SUPERUSER or BYPASSRLS); serve it with a role that has neither: indelible database upgrade --role"
            )
        if parts:
            found.append(
                f"{self._server.name} has {', '.join(parts)}: drop what is foreign and is not your own doing; what is "
                "missing or switched off, a dump of the server brings back"
            )
        return found

    def standby(self) -> Standby | None:
        """Return how far the server is behind its primary; None where it is one itself.

        In the same round trip a table is read: raises StoreError where that cannot be, or there is no answer.
        """
        with self._reading() as connection:
            cursor = connection.execute(f"SELECT FROM setting WHERE tenant = {self.tenant} LIMIT 1; {_STANDBY}")
            cursor.nextset()
            ((is_standby, connected, waiting, age),) = cursor.fetchall()
        if not is_standby:
            return None
        is_current = connected and waiting == 0
        seconds = 0.0 if is_current else None if age is None else max(0.0, float(age))
        return Standby(bool(connected), int(waiting), seconds)

    def bypasses_row_security(self) -> bool:
        """Whether the role sees the rows of every tenant: it may serve one tenant only. Raises StoreError."""
        with self._reading() as connection:
            return bool(connection.execute(f"SELECT {_UNLIMITED}").fetchall()[0][0])

    def tenants(self) -> list[int]:
        """Return the numbers of the tenants that have stored something, ascending; see `tenants.numbers`."""
        return tenants.numbers(self._server)

    def count_rows(self) -> None:
        """Have the statistics of the planner made now; see `SharedDatabase.count_rows`.

        A table that somebody else vacuums or changes is left out.
        """
        maintenance.analyze(self._server)

    def neighbor_indexes(self) -> NeighborIndexes:
        """Return the pgvector indexes of nearest vectors; only the owner of the tables can maintain them."""
        return NeighborIndexes(self._server)

    def size(self) -> int:
        """Bytes of the whole database on the server's disk."""
        with self._reading() as connection:
            return int(connection.execute("SELECT pg_database_size(current_database())").fetchall()[0][0])

    def leave_in(self, seconds: float) -> None:
        """Wait no longer than that for an unreachable server, from now on; see `Database.leave_in`."""
        timer = threading.Timer(seconds, self._waits_no_more.set)
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """Finish waiting writes and close every connection of its own; does not wait for an unreachable server."""
        self._closing.set()
        self._waits_no_more.set()
        self._writer.close()
        with self._lock:
            closed, self._closed = self._closed, True
        if not closed:
            self._connections.close()


_UNLIMITED = "(SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user)"
_CHECKS = f"""SELECT current_setting('fsync') = 'off', {_UNLIMITED},
  (SELECT min(tenant) < max(tenant) FROM record)"""

# Of the receiver every role sees that it is there, and no more. What is read from an archive counts as replayed.
_STANDBY = """SELECT pg_is_in_recovery(), EXISTS (SELECT FROM pg_stat_wal_receiver),
  greatest(0, coalesce(pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), 0)),
  extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())"""


def open_postgres(
    url: str, schema: str | None = None, *, tenant: int = 1, wait: float = WAIT, make: bool = True
) -> PostgresDatabase:
    """Open a tenant's part of the store in a schema (None: the connection's own).

    The store is made where `make` says so, and brought to this version, where that is due. `wait` is in seconds, see
    `Server`. A server that does not answer at all is not waited for: the URL may be a wrong one. Raises
    InvalidInput (a URL or tenant that is none), StoreError (no answer, server too old or not in UTF-8,
    tables of another program, being upgraded by another process, no store and not to be made) and Conflict (a newer
    version of Indelible wrote it).
    """
    _checked(tenant)
    server = Server.of(url, schema, wait)
    patience = Patience(wait, threading.Event())
    while True:
        try:
            return PostgresDatabase(Connections(_made(server, make)), tenant)
        except Error as error:
            if not (passes_at_first(error) and patience.pause()):
                raise server.describe(error) from error


def _made(server: Server, make: bool) -> Server:
    """The server with its schema named, and a store in it. Raises psycopg.Error and what `migrate_postgres` raises."""
    with closing(server.dial()) as connection:
        server = suitable(connection, server)
        migrate_postgres(connection, server, make=make)
        return replace(server, limited_role=roles.limited_role(connection, server.schema))


def _checked(tenant: int) -> int:
    if not 1 <= tenant <= LARGEST_TENANT:
        raise InvalidInput(f"a tenant is a number from 1, got {tenant}")
    return tenant
