"""The embedded store: one SQLite file, several threads and processes, through apsw's own SQLite."""

import queue
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

import apsw

from indelible.dataclass import dataclass
from indelible.errors import StoreError
from indelible.filesystem import create_private
from indelible.store import named_queries, traced
from indelible.store.database import Transaction
from indelible.store.group_commit import Writer, translated
from indelible.store.schema import upgraded
from indelible.store.sqlite.connection import TENANT, SqliteTransaction, connect, describe
from indelible.store.sqlite.integrity import check_file
from indelible.store.tables import settings

T = TypeVar("T")

READERS = 4
CACHE = 2_000  # KiB of pages that the writer keeps, as SQLite does by itself
BULK_CACHE = 24_000  # the same while much is written: with 2,000 a run of the index takes a third longer
BULK = 2_000  # rows that a transaction changes, with those of its triggers; the events of two seconds are fewer

_LOST_TRANSACTION = (
    apsw.FullError,
    apsw.IOError,
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.BusyError,
    apsw.LockedError,
    apsw.ReadOnlyError,
    apsw.CantOpenError,
    apsw.NoMemError,
    apsw.InterruptError,
)


class SqliteWriter(SqliteTransaction):
    """The connection of the writer thread."""

    def __init__(self, connection: apsw.Connection, of: "SqliteDatabase"):
        super().__init__(connection)
        self.remembered = None
        connection.pragma("temp_store", 2)  # the pages that a statement changes are copied to memory, not to a file
        self._changed = connection.total_changes()
        self._keep(CACHE)
        self._of = of
        self._path = of.path
        self._schema = of.schema

    def begin(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        found = self.connection.pragma("user_version")
        if found != self._schema:
            raise upgraded(self._path, found, self._schema)
        if not self._of.receives:
            settings.refuse_unusable(self)

    def commit(self) -> None:
        self.connection.execute("COMMIT")
        before, self._changed = self._changed, self.connection.total_changes()
        cache = BULK_CACHE if self._changed - before >= BULK else CACHE
        if cache != self._cache:
            self._keep(cache)

    def _keep(self, cache: int) -> None:
        """Keep so many KiB of pages: each page that is written stays up to that, so a server fills it in a day."""
        self.connection.pragma("cache_size", -cache)
        self._cache = cache

    def rollback(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def savepoint(self) -> None:
        self.connection.execute("SAVEPOINT one")

    def undo_to_savepoint(self) -> None:
        self.connection.execute("ROLLBACK TO one")

    def again(self, error: BaseException) -> bool:
        return False  # a failure of a file does not pass in a moment

    def failures(self) -> tuple[type[BaseException], ...]:
        return _LOST_TRANSACTION

    def describe(self, error: BaseException) -> StoreError:
        return describe(error, self._path)

    def close(self) -> None:
        self.connection.close()


@dataclass(slots=True)
class _Pooled:
    """A connection that reads, and what its transactions remember of the file while that stays as it is."""

    connection: apsw.Connection
    version: int = -1
    remembered: dict[Hashable, Any] = field(default_factory=dict)

    def begin(self) -> SqliteTransaction:
        """Begin a transaction at this moment of the file."""
        self.connection.execute("BEGIN")
        # Another number whenever another connection, of whatever process, has committed something in between.
        ((version,),) = self.connection.execute("PRAGMA data_version")
        if version != self.version:
            self.version, self.remembered = version, {}
        return SqliteTransaction(self.connection, self.remembered)


class SqliteDatabase:
    """One store file of this process: a writer thread, and a small pool of readers."""

    dialect = "sqlite"
    tenant = TENANT

    def __init__(self, path: Path, *, vfs: str | None = None, synchronous: str = "FULL"):
        self.path = path
        self.receives = False
        self._vfs = vfs
        self._synchronous = synchronous
        self.schema = named_queries.newest_schema("sqlite")
        self._writer = Writer(lambda: SqliteWriter(self._connect(), self))
        self._idle: queue.LifoQueue[_Pooled] = queue.LifoQueue()
        self._readers = threading.Semaphore(READERS)

    def _connect(self) -> apsw.Connection:
        return connect(self.path, self._vfs, self._synchronous)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """A transaction that sees one moment of the store and changes nothing."""
        traced.take_place(self._readers, self.dialect)
        try:
            try:
                pooled = self._idle.get_nowait()
            except queue.Empty:
                pooled = _Pooled(self._connect())
            try:
                with translated(Reader(self.path)):
                    yield traced.reading(pooled.begin(), self.dialect)
            finally:
                if pooled.connection.in_transaction:
                    pooled.connection.execute("ROLLBACK")
                self._idle.put(pooled)
        finally:
            self._readers.release()

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction; see `Database.write`."""
        return traced.write(self._writer, work, self.dialect)

    def backup(self, path: str) -> None:
        """Copy one moment of the store to a new file; others go on writing meanwhile."""
        create_private(Path(path))
        source = self._connect()
        target = apsw.Connection(path)
        try:
            with translated(Reader(Path(path))), target.backup("main", source, "main") as copy:
                copy.step()
        finally:
            target.close()
            source.close()

    def replace_from(self, path: str, locked: Callable[[], object]) -> None:
        """Take over the whole content of another store file, in one transaction that other processes see.

        `locked` is called first, when nobody else can write any more: what it copies is all that is replaced.
        """
        source = connect(Path(path))
        target = self._connect()
        try:
            with translated(Reader(self.path)), target.backup("main", source, "main") as copy:
                copy.step(0)  # copies nothing yet, but takes the lock of writers until the end
                locked()
                while not copy.done:
                    copy.step()
        finally:
            target.close()
            source.close()

    def check(self) -> list[str]:
        """Return what `integrity_check` and `foreign_key_check` find; empty if sound."""
        return check_file(self.path)

    def size(self) -> int:
        """Bytes of the file and its write-ahead log."""
        paths = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(p.stat().st_size for p in paths if p.exists())

    def leave_in(self, seconds: float) -> None:
        """Do nothing: there is no server that could be away."""

    def close(self) -> None:
        """Finish waiting writes and close every connection."""
        self._writer.close()
        while not self._idle.empty():
            self._idle.get_nowait().connection.close()


class Reader:
    """Names the failures of a read for `translated`."""

    def __init__(self, path: Path):
        self._path = path

    def failures(self) -> tuple[type[BaseException], ...]:
        return (apsw.Error,)

    def describe(self, error: BaseException) -> StoreError:
        return describe(error, self._path)
