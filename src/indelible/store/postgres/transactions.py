"""Transactions of a store in PostgreSQL, and the connection of the thread that writes."""

import itertools
import threading
import time
import uuid
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from psycopg import (
    Connection,
    Cursor,
    Error,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    errors,
)
from psycopg.errors import ReadOnlySqlTransaction
from psycopg.pq import TransactionStatus

from indelible.errors import InvalidInput, StoreError
from indelible.store import named_queries
from indelible.store.database import Row
from indelible.store.group_commit import Spoiled
from indelible.store.limited_form import FORM
from indelible.store.postgres import known_aliases
from indelible.store.postgres.known_aliases import KnownAliases
from indelible.store.postgres.pool import Connections
from indelible.store.postgres.retry import Patience, is_lost, passes
from indelible.store.schema import upgraded
from indelible.store.tables import settings

# A commit is known by a row that it leaves, the last one of each writer: a transaction's number would not do. Where the
# server has crashed, or another took over from it, the number of the lost transaction is given out again, and
# `pg_xact_status` then says of it what became of somebody else's transaction (seen on PostgreSQL 18).
_KEPT = "commit "  # and the writer's id: the name of its row in `lease`
# Until when it is kept is by this machine's clock, as leases are, and a constant: a function there takes a coordinator
# 0.1 ms.
_LEAVE = """INSERT INTO lease (tenant, name, owner, until) SELECT {tenant}, '{name}', '{number}', {until}
  WHERE pg_current_xact_id_if_assigned() IS NOT NULL
  ON CONFLICT (tenant, name) DO UPDATE SET owner = excluded.owner, until = excluded.until"""
_KEPT_FOR = 86_400_000_000  # microseconds
# In a cluster a node has the number of what was written there, the coordinator has none: the row is left always. So it
# is left at the beginning, and tells what has changed since the last one (`known_aliases`). A new row counts on from a
# number that none before it had.
_LEAVE_FIRST = """INSERT INTO lease (tenant, name, owner, until, projects)
  VALUES ({tenant}, '{name}', '{number}', {until}, {first})
  ON CONFLICT (tenant, name) DO UPDATE SET owner = excluded.owner, until = excluded.until RETURNING projects"""
_LEFT = """SELECT pg_is_in_recovery(), (SELECT owner FROM lease WHERE tenant = {tenant} AND name = '{name}')"""
# There a session of the coordinator with a node can still be at work when the client's with the coordinator has ended:
# what writes the same row waits for it. A row that is new with this is undone.
_LEFT_ON_NODE = """INSERT INTO lease (tenant, name, owner, until) VALUES ({tenant}, '{name}', '', 0)
  ON CONFLICT (tenant, name) DO UPDATE SET until = lease.until RETURNING false, owner"""
_ONCE_MORE = "UPDATE lease SET until = until WHERE tenant = {tenant} AND name = '{name}'"
_BECOME = "SELECT set_config('role', %s, true), set_config('indelible.namespaces', %s, true)"
_FORGET = """DELETE FROM lease WHERE tenant = {tenant} AND name >= 'commit ' AND name < 'commit!'
  AND until < (extract(epoch FROM statement_timestamp()) * 1000000)::bigint"""

_Begun = tuple[bool, list[str], int]  # whether it can only read, settings that keep writes out, the schema

_ON_EVERY_NODE = ("settings.put", "settings.drop")  # in a cluster they write to a table of which each node has a copy


class PostgresTransaction:
    """A transaction on one connection."""

    connection: Connection[Row]
    remembered: dict[Hashable, Any] | None

    def __init__(
        self, tenant: int, connection: Connection[Row] | None = None, limited_role: str = "", distributed: bool = False
    ):
        self.tenant = tenant
        self.scopes: dict[Hashable, Any] = {}
        self.remembered = {}
        self._limited_role = limited_role
        # of whom it is now: the namespaces of a limited caller, "" for all others, None where that is unknown
        self._granted: str | None = ""
        if connection is not None:
            self.connection = connection
        self._sql = named_queries.load("postgres")
        self._distributed = distributed
        self._spoiled = False

    @contextmanager
    def _every_node_needed(self) -> Iterator[None]:
        """Refuse what a lost node does not let through: else a tenant of another node waits with all that it writes."""
        try:
            yield
        except Error as error:
            if not is_lost(error):
                raise
            self._spoiled = True  # the coordinator commits nothing of this transaction, a savepoint before it or not
            raise StoreError(
                "a node of the cluster is away, and settings are kept on every node; nothing was written. Repeat it "
                "when the node is back"
            ) from error

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        return self._execute(query, parameters).fetchall()

    def run(self, query: str, **parameters: Any) -> int:
        if self._distributed and query in _ON_EVERY_NODE:
            with self._every_node_needed():
                return self._execute(query, parameters).rowcount
        return self._execute(query, parameters).rowcount

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        rows = list(rows)
        given = [{"tenant": self.tenant, **row} for row in rows]
        if not given:
            return
        self._become(query, given[0])
        named = any("tenant" in row for row in rows)
        with _index_limit(), self.connection.cursor() as cursor:
            cursor.executemany(self._text(query, has_own_tenant=named), given)

    def _become(self, query: str, parameters: dict[str, Any]) -> None:
        """Take on the role of limited callers for a query of one, where there is such a role; and one's own again.

        A query that says of itself that it is not limited is asked by the role that the connection has.
        """
        limited = query.startswith(FORM) and query.removeprefix(FORM) not in self._sql.whole
        granted = str(parameters["granted"]) if limited else ""
        if self._limited_role and granted != self._granted:
            self.connection.execute(_BECOME, [self._limited_role if limited else "none", granted])
            self._granted = granted

    def _execute(self, query: str, parameters: dict[str, Any]) -> Cursor[Row]:
        self._become(query, parameters)
        with _index_limit():
            text = self._text(query, has_own_tenant="tenant" in parameters)
            return self.connection.execute(text, {"tenant": self.tenant, **parameters}, binary=True)

    def _text(self, query: str, *, has_own_tenant: bool) -> str:
        """Return the SQL of a query; for a cluster with its tenant in it, by which the coordinator keeps a plan.

        Where a parameter says which node it is that a query of several tables reaches, it is planned every time.
        """
        text = self._sql[query]
        if not self._distributed or has_own_tenant:
            return text
        return text.replace("%(tenant)s", f"{int(self.tenant)}::bigint")


@contextmanager
def _index_limit() -> Iterator[None]:
    """The one limit that SQLite does not have: about 2,700 bytes of whatever stands in an index."""
    try:
        yield
    except errors.ProgramLimitExceeded as error:
        raise InvalidInput(
            "a namespace, id, relation or other name is too long: PostgreSQL allows about 2,700 bytes; shorten it"
        ) from error


class PostgresWriter(PostgresTransaction):
    """The connection of a tenant's writer thread. It is made when a transaction begins, and again when it was lost."""

    def __init__(
        self,
        connections: Connections,
        tenant: int,
        receives: Callable[[], bool],
        newest: int,
        closing: threading.Event,
    ):
        """`receives` tells whether a migration into the tenant is this process's; `newest` is the schema."""
        super().__init__(tenant, None, connections.server.limited_role, connections.server.distributed)
        self.remembered = None
        self._connections = connections
        self._server = connections.server
        self._receives = receives
        self._newest = newest
        self._closing = closing
        self._connected = False
        self._saved = False
        self._kept = f"{_KEPT}{uuid.uuid4().hex}"
        self._numbers = itertools.count(1)
        self._number = 0
        self._has_forgotten = False
        self._aliases = KnownAliases(tenant) if connections.server.distributed else None
        self._patience: Patience | None = None

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        known = self._aliases
        tenant = parameters.get("tenant", self.tenant)
        if known is None or known.tenant != tenant or not known_aliases.is_asked_for(query):
            return super().rows(query, **parameters)
        return known.rows(lambda: super(PostgresWriter, self).rows(query, **parameters))

    def run(self, query: str, **parameters: Any) -> int:
        self._may_change(query)
        return super().run(query, **parameters)

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        self._may_change(query)
        super().run_many(query, rows)

    def _may_change(self, query: str) -> None:
        if self._aliases is not None and known_aliases.may_change(query):
            self._aliases.change()

    # --- Beginning ---

    def begin(self) -> None:
        fresh = self._connect()
        read_only, unusable, found = self._begin()
        if read_only and not fresh:  # the server that it was made to may be a standby now, and the URL name another
            self.close()
            self._connect()
            read_only, unusable, found = self._begin()
        if read_only:
            raise ReadOnlySqlTransaction("transaction_read_only is on")
        self._refuse(unusable, found)

    def _refuse(self, unusable: list[str], found: int) -> None:
        """Raise what keeps a write out, by the settings and the schema that it found."""
        if found != self._newest:
            raise upgraded(self._server.name, found, self._newest)
        if settings.DELETED in unusable:
            raise settings.deleted(self.tenant)
        if unusable and not self._receives():
            raise settings.unfinished()

    def _connect(self) -> bool:
        """Have a connection; whether it is a new one."""
        if self._connected and not self.connection.closed:
            return False
        self.connection = self._connections.connect()
        self._connected = True
        return True

    def _begin(self) -> _Begun:
        self._saved, self._spoiled, self._granted = False, False, ""
        self._number = next(self._numbers)
        begin = self._server.begin_write(self.tenant)
        if self._aliases is None:
            return self._begun(self._answers(begin)[-1])
        try:
            *_, found, ((changes,),) = self._answers(f"{begin}; {self._marking(_LEAVE_FIRST)}")
        except Error as error:
            if self.connection.closed or is_lost(error):
                raise
            self.rollback()
            read_only, unusable, schema = self._begun(self._answers(begin)[-1])
            if not read_only:
                self._refuse(unusable, schema)
                raise
            return read_only, unusable, schema
        self._aliases.begin(int(changes))
        return self._begun(found)

    def _answers(self, statements: str) -> list[list[Row]]:
        """Execute statements in one round trip; the rows of each that returns some."""
        cursor = self.connection.execute(statements)
        found = []
        while True:
            if cursor.description:
                found.append(cursor.fetchall())
            if not cursor.nextset():
                return found

    def _begun(self, found: list[Row]) -> _Begun:
        """Read what the server says of itself at the beginning of a transaction."""
        ((process, read_only, unusable, schema),) = found
        self._connections.saw(self.connection, process)
        return read_only, unusable, int(schema)

    # --- Ending ---

    def commit(self) -> None:

        try:
            # after a failure that was ignored the first of the two fails too, and nothing is committed
            forget = "" if self._has_forgotten else f"{self._marking(_FORGET)}; "
            last = self._marking(_LEAVE) if self._aliases is None else "SELECT"
            self.connection.execute(f"{forget}{last}; COMMIT")
            self._has_forgotten = True
        except Error as error:
            if not self._lost(error) or not self._was_kept():
                raise
        if self._aliases is not None:
            self._aliases.commit()
        self._patience = None

    def _marking(self, statement: str) -> str:
        return statement.format(
            tenant=int(self.tenant),
            name=self._kept,
            number=self._number,
            until=time.time_ns() // 1000 + _KEPT_FOR,
            first=self._number << 32,
        )

    def _lost(self, error: BaseException) -> bool:
        """Whether the session has ended; it is never used again then."""
        if not (self.connection.closed or is_lost(error)):
            return False
        self.connection.close()
        return True

    def _was_kept(self) -> bool:
        """Whether the transaction in whose COMMIT the session was lost is committed: asked until there is an answer."""
        look = self._marking(_LEFT_ON_NODE if self._server.distributed else _LEFT)
        while True:
            try:
                self._connect()
                cursor = self.connection.execute(f"{self._server.begin_look(self.tenant)}; {look}")
                while cursor.nextset():
                    pass
                ((standby, left),) = cursor.fetchall()
                if standby:  # what it does not have yet says nothing of the commit
                    raise ReadOnlySqlTransaction("the server is a standby")
                if left == str(self._number):
                    # what is seen here may not be where a commit has to be to be acknowledged, on a synchronous
                    # standby: this one is after it in the log, and is acknowledged later
                    self.connection.execute(f"{self._marking(_ONCE_MORE)}; COMMIT")
                    return True
            except Error as again:
                self.close()
                if not self._may_retry():
                    self._patience = None
                    raise StoreError(
                        f"{self._server.name} was lost while it committed; whether this call was written is unknown. "
                        "When it is back, check before you repeat it, or repeat it with the same request key"
                    ) from again
            else:
                self.rollback()
                return False

    def rollback(self) -> None:

        if self._aliases is not None:
            self._aliases.undo()
        if not self._connected or self.connection.closed:
            return
        if self.connection.info.transaction_status == TransactionStatus.IDLE:
            return
        try:
            self.connection.execute("ROLLBACK")
        except Error:
            self.connection.close()  # the server undoes what a lost session did; `begin` connects again

    def savepoint(self) -> None:
        self.connection.execute("RELEASE SAVEPOINT one; SAVEPOINT one" if self._saved else "SAVEPOINT one")
        self._saved = True

    def undo_to_savepoint(self) -> None:
        if self._spoiled:
            raise Spoiled
        self.connection.execute("ROLLBACK TO SAVEPOINT one")
        self._granted = None  # what was set since then is undone too
        if self._aliases is not None:
            self._aliases.undo()

    # --- Failing ---

    def again(self, error: BaseException) -> bool:
        if self._connected:
            self._connections.failed(self.connection, error)
        if passes(error) and self._may_retry():
            return True
        self._patience = None
        return False

    def _may_retry(self) -> bool:
        """Wait a little after a failure; False where it was enough."""
        if self._patience is None:
            self._patience = Patience(self._server.wait, self._closing)
        return self._patience.pause()

    def failures(self) -> tuple[type[BaseException], ...]:
        # not IntegrityError and DataError: they are about the data of one write, and undone with it

        return (InterfaceError, InternalError, NotSupportedError, OperationalError, ProgrammingError)

    def describe(self, error: BaseException) -> StoreError:
        return self._server.describe(error)

    def close(self) -> None:
        if self._connected:
            self.connection.close()
