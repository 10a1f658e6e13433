"""The shared store: one schema of a PostgreSQL database, used by many processes and machines, through psycopg 3."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from indelible.errors import InvalidInput, MissingExtra, StoreError
from indelible.store import queries
from indelible.store.database import Row, Transaction
from indelible.store.writer import Writer, translated

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

T = TypeVar("T")

OLDEST_SERVER = 140_000
WAIT = 30.0  # seconds that a write waits for other processes, and that one may stand still while others wait
READERS = 4

_DEFAULTS = {
    "fallback_application_name": "indelible",
    "client_encoding": "UTF8",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
# An acknowledged write is on the disk: a server that is set to acknowledge earlier is overruled.
_PREPARE = """SELECT set_config('lock_timeout', %(wait)s, false),
  set_config('synchronous_commit', CASE WHEN value = 'off' THEN 'on' ELSE value END, false)
  FROM current_setting('synchronous_commit') AS value"""
# One transaction at a time writes a store, as in SQLite: what the engine reads in it stays true until it commits, the
# many writes of a group commit cannot deadlock with another's, and the change log becomes visible in its order.
LOCK = "pg_advisory_xact_lock(hashtextextended('indelible ' || {schema}, 0))"
_BEGIN_WRITE = f"""BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL idle_in_transaction_session_timeout = {{idle}};
  SELECT {LOCK.format(schema="current_schema()")};
  SELECT pg_current_xact_id()::text, value FROM setting WHERE tenant = 0 AND name = 'schema'"""
_BEGIN_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_NOTHING = "nothing of this call was written"
_READ_ONLY = (
    f"is read-only (a standby, or default_transaction_read_only); {_NOTHING}. Give the URL of the primary server"
)
_DAMAGED = "is damaged; restore it with pg_restore from a backup that pg_dump made"
_AT_ONCE = f"was changed by another program in the same moment; {_NOTHING}. Repeat the call"
_MEANINGS = {  # by SQLSTATE
    "25006": _READ_ONLY,
    "25P03": f"ended this session, which stood still for {{wait:g}} s in a write; {_NOTHING}. Repeat the call",
    "40001": _AT_ONCE,
    "40P01": _AT_ONCE,
    "42501": f"allows too little to this user; {_NOTHING}. GRANT USAGE and CREATE on its schema, and its tables",
    "53100": f"is on a full disk; {_NOTHING}. Free some space on the server, then repeat it",
    "53200": f"has a server that is out of memory; {_NOTHING}. Repeat the call",
    "53300": f"has a server with too many connections; {_NOTHING}. Raise max_connections, or repeat the call",
    "55000": _READ_ONLY,
    "55P03": f"was kept busy for {{wait:g}} s by other processes; {_NOTHING}. Repeat the call",
    "57014": f"took longer than the server's statement_timeout allows; {_NOTHING}. Raise it for this user",
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}


@dataclass(frozen=True, slots=True)
class Server:
    """Where a store is: the parameters of a connection, and the schema ('' for the connection's own)."""

    parameters: dict[str, Any] = field(repr=False)  # the password may be among them
    schema: str
    wait: float

    @classmethod
    def of(cls, url: str, schema: str | None, wait: float) -> "Server":
        """The server of a URL. Raises InvalidInput, which does not repeat it: it may hold a password."""
        from psycopg import ProgrammingError, conninfo

        try:
            given = conninfo.conninfo_to_dict(url)
        except ProgrammingError:
            raise InvalidInput(
                "the PostgreSQL URL cannot be read; write it as postgresql://USER@HOST:PORT/DATABASE"
            ) from None
        return cls({**_DEFAULTS, **given}, schema or "", wait)

    @property
    def name(self) -> str:
        """The store in messages, without user and password."""
        host, port, database = (str(self.parameters.get(part, "")) for part in ("host", "port", "dbname"))
        at = f"{host}:{port}" if port else host
        return f"the store postgresql://{at}/{database}" + (f" (schema {self.schema})" if self.schema else "")

    def connect(self) -> "Connection[Row]":
        """A new connection. Raises StoreError."""
        import psycopg

        with translated(self):
            connection = psycopg.connect(**self.parameters, autocommit=True)
            try:
                connection.execute(_PREPARE, {"wait": str(round(self.wait * 1000))})
                if self.schema:
                    connection.execute("SELECT set_config('search_path', quote_ident(%s), false)", [self.schema])
            except psycopg.Error:
                connection.close()
                raise
            return connection

    def failures(self) -> tuple[type[BaseException], ...]:
        """Every failure of a connection that writes nothing."""
        from psycopg import Error

        return (Error,)

    def describe(self, error: BaseException) -> StoreError:
        """A failure of PostgreSQL in words that say what to do."""
        from psycopg import InterfaceError, OperationalError

        state = getattr(error, "sqlstate", None)
        said = str(error).strip().split("\n", 1)[0]
        if state in _MEANINGS:
            return StoreError(f"{self.name} {_MEANINGS[state].format(wait=self.wait)}")
        if isinstance(error, (OperationalError, InterfaceError)) and (state is None or state.startswith(("08", "57"))):
            return StoreError(
                f"{self.name} cannot be reached ({said}); {_NOTHING}. "
                "Repeat the call; check the URL, and that the server runs"
            )
        return StoreError(f"{self.name} failed: {said}; {_NOTHING}")


class PostgresTransaction:
    """A transaction on one connection."""

    def __init__(self, connection: "Connection[Row]"):
        self.connection = connection
        self._sql = queries.load("postgres")

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        return self._execute(query, parameters).fetchall()

    def run(self, query: str, **parameters: Any) -> int:
        return self._execute(query, parameters).rowcount

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        with _index_limit(), self.connection.cursor() as cursor:
            cursor.executemany(self._sql[query], rows)

    def _execute(self, query: str, parameters: dict[str, Any]) -> "Cursor[Row]":
        with _index_limit():
            return self.connection.execute(self._sql[query], parameters, binary=True)


@contextmanager
def _index_limit() -> Iterator[None]:
    """The one limit that SQLite does not have: about 2,700 bytes of whatever stands in an index."""
    from psycopg import errors

    try:
        yield
    except errors.ProgramLimitExceeded as error:
        raise InvalidInput(
            "a namespace, id, relation or other name is too long: PostgreSQL allows about 2,700 bytes; shorten it"
        ) from error


class PostgresWriter(PostgresTransaction):
    """The connection of the writer thread; a lost one is replaced when the next transaction begins."""

    def __init__(self, server: Server, number: int):
        super().__init__(server.connect())
        self._server = server
        self._number = number
        self._transaction = ""
        self._saved = False

    def begin(self) -> None:
        from psycopg import Error

        try:
            found = self._begin()
        except Error:
            if not self.connection.closed:
                raise
            self.connection = self._server.connect()  # the server was restarted since; nothing was done yet
            found = self._begin()
        if found != self._number:
            from indelible.store.sqlite import upgraded

            raise upgraded(self._server.name, found, self._number)

    def _begin(self) -> int:
        self._saved = False
        cursor = self.connection.execute(_BEGIN_WRITE.format(idle=round(self._server.wait * 1000)))
        while cursor.nextset():
            pass
        self._transaction, found = cursor.fetchall()[0]
        return int(found)

    def commit(self) -> None:
        from psycopg import Error, InternalError

        try:
            answer = self.connection.execute("COMMIT").statusmessage
        except Error:
            if not self.connection.closed or not self._was_kept():
                raise
            return
        if answer != "COMMIT":  # PostgreSQL answers COMMIT with ROLLBACK, and no error, after a failure that was caught
            raise InternalError("a statement had failed and the failure was ignored")

    def _was_kept(self) -> bool:
        """Whether the transaction was committed in whose COMMIT the connection was lost."""
        from psycopg import Error

        try:
            self.connection = self._server.connect()
            with self.connection.transaction():
                # whoever gets the lock knows that the lost session has ended, one way or the other
                self.connection.execute(f"SELECT {LOCK.format(schema='current_schema()')}")
                query = "SELECT pg_xact_status(%s::xid8) = 'committed'"
                return bool(self.connection.execute(query, [self._transaction]).fetchall()[0][0])
        except (StoreError, Error) as error:
            raise StoreError(
                f"{self._server.name} was lost while it committed; whether this call was written is unknown. When it "
                "is back, look before you repeat it, or repeat it with the same request key"
            ) from error

    def rollback(self) -> None:
        from psycopg import Error
        from psycopg.pq import TransactionStatus

        if self.connection.closed or self.connection.info.transaction_status == TransactionStatus.IDLE:
            return
        try:
            self.connection.execute("ROLLBACK")
        except Error:
            self.connection.close()  # the server undoes what a lost session did; `begin` connects again

    def savepoint(self) -> None:
        self.connection.execute("RELEASE SAVEPOINT one; SAVEPOINT one" if self._saved else "SAVEPOINT one")
        self._saved = True

    def undo_to_savepoint(self) -> None:
        self.connection.execute("ROLLBACK TO SAVEPOINT one")

    def failures(self) -> tuple[type[BaseException], ...]:
        # not IntegrityError and DataError: they are about the data of one write, and undone with it
        from psycopg import InterfaceError, InternalError, NotSupportedError, OperationalError, ProgrammingError

        return (InterfaceError, InternalError, NotSupportedError, OperationalError, ProgrammingError)

    def describe(self, error: BaseException) -> StoreError:
        return self._server.describe(error)

    def close(self) -> None:
        self.connection.close()


class PostgresDatabase:
    """One schema as this process uses it: a writer thread, and a small pool of readers."""

    dialect = "postgres"

    def __init__(self, server: Server):
        self._server = server
        number = queries.newest_schema("postgres")
        self._writer = Writer(lambda: PostgresWriter(server, number))
        self._idle: queue.LifoQueue[Connection[Row]] = queue.LifoQueue()
        self._readers = threading.Semaphore(READERS)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """A transaction that sees one moment of the store and changes nothing."""
        with self._reading() as connection:
            yield PostgresTransaction(connection)

    @contextmanager
    def _reading(self) -> "Iterator[Connection[Row]]":
        from psycopg import Error

        with self._readers, translated(self._server):
            connection = self._begin_read()
            try:
                yield connection
            finally:
                try:
                    connection.execute("ROLLBACK")
                    self._idle.put(connection)
                except Error:
                    connection.close()  # lost; it has read, and there is nothing to undo

    def _begin_read(self) -> "Connection[Row]":
        """A connection in a transaction: an idle one that still answers, or a new one."""
        from psycopg import Error

        while True:
            connection, fresh = self._take()
            try:
                connection.execute(_BEGIN_READ)
                return connection
            except Error:
                connection.close()  # an idle one is lost where the server was restarted since
                if fresh:
                    raise

    def _take(self) -> "tuple[Connection[Row], bool]":
        try:
            return self._idle.get_nowait(), False
        except queue.Empty:
            return self._server.connect(), True

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction; see `Database.write`."""
        return self._writer.write(work)

    def backup(self, path: str) -> None:
        """Refuse: the server's own tool does it."""
        raise StoreError(
            f"{self._server.name} is backed up by PostgreSQL's own tool, not to {path} by Indelible: "
            f"pg_dump --format=custom --schema={self._server.schema} --file={path} URL"
        )

    def check(self) -> list[str]:
        """What is wrong with the server as far as it says so itself; empty if sound."""
        try:
            with self._reading() as connection:
                unsafe = connection.execute("SELECT current_setting('fsync') = 'off'").fetchall()[0][0]
        except StoreError as error:
            return [str(error)]
        if unsafe:
            return [f"{self._server.name}: fsync is off, a power loss can destroy it; set fsync = on on the server"]
        return []

    def size(self) -> int:
        """Bytes of the whole database on the server's disk."""
        with self._reading() as connection:
            return int(connection.execute("SELECT pg_database_size(current_database())").fetchall()[0][0])

    def close(self) -> None:
        """Finish waiting writes and close every connection."""
        self._writer.close()
        while not self._idle.empty():
            self._idle.get_nowait().close()


def open_postgres(url: str, schema: str | None = None, *, wait: float = WAIT) -> PostgresDatabase:
    """Open the store in a schema (None: the connection's own); make it, or bring it to this version, where that is due.

    `wait` is in seconds, see WAIT. Raises MissingExtra without psycopg, InvalidInput for a URL that is none, StoreError
    (no answer, server too old or not in UTF-8, tables of another program, being upgraded by another process) and
    Conflict (a newer version of Indelible wrote it).
    """
    _require_psycopg()
    from indelible.store.migrate_postgres import migrate_postgres, suitable

    server = Server.of(url, schema, wait)
    connection = server.connect()
    with closing(connection), translated(server):
        server = suitable(connection, server)
        migrate_postgres(connection, server)
    return PostgresDatabase(server)


def _require_psycopg() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise MissingExtra("a store in PostgreSQL needs psycopg; pip install 'indelible[postgres]'") from error
