"""The embedded store: one SQLite file, several threads and processes, through apsw's own SQLite."""

import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import apsw

from indelible.errors import Conflict, StoreError
from indelible.store import queries, settings, shape
from indelible.store.database import Transaction
from indelible.store.places import FileLock, create_private, prepare, refuse_unsafe
from indelible.store.read_only import is_read_only
from indelible.store.sqlite_connection import FILE, SqliteTransaction, connect, describe
from indelible.store.writer import Writer, translated

T = TypeVar("T")

READERS = 4
WRITER_CACHE = 24_000  # KiB at most: with SQLite's 2,000 a run of the index takes a third longer
_NAMES = "symbol_gram"

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
        connection.pragma("cache_size", -WRITER_CACHE)
        connection.pragma("temp_store", 2)  # the pages that a statement changes are copied to memory, not to a file
        self._of = of
        self._path = of.path
        self._schema = of.schema

    def begin(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        found = self.connection.pragma("user_version")
        if found != self._schema:
            raise upgraded(self._path, found, self._schema)
        if not self._of.receives:
            settings.refuse_unfinished(self, 1)

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def rollback(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def savepoint(self) -> None:
        self.connection.execute("SAVEPOINT one")

    def undo_to_savepoint(self) -> None:
        self.connection.execute("ROLLBACK TO one")

    def again(self, error: BaseException) -> bool:
        return False  # what a file cannot do now it cannot do in a moment

    def failures(self) -> tuple[type[BaseException], ...]:
        return _LOST_TRANSACTION

    def describe(self, error: BaseException) -> StoreError:
        return describe(error, self._path)

    def close(self) -> None:
        self.connection.close()


def upgraded(path: Path | str, found: Any, own: int) -> Conflict:
    """The answer of a version that is older than the store."""
    return Conflict(
        f"store was upgraded, restart me: {path} has schema {found}, this version of indelible writes {own}. "
        "Nothing was written; restart this server so that it runs the newer version (pip install -U indelible)"
    )


class SqliteDatabase:
    """One store file of this process: a writer thread, and a small pool of readers."""

    dialect = "sqlite"

    def __init__(self, path: Path, *, vfs: str | None = None, synchronous: str = "FULL"):
        self.path = path
        self.receives = False
        self._vfs = vfs
        self._synchronous = synchronous
        self.schema = queries.newest_schema("sqlite")
        self._writer = Writer(lambda: SqliteWriter(self._connect(), self))
        self._idle: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        self._readers = threading.Semaphore(READERS)

    def _connect(self) -> apsw.Connection:
        return connect(self.path, self._vfs, self._synchronous)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """A transaction that sees one moment of the store and changes nothing."""
        with self._readers:
            try:
                connection = self._idle.get_nowait()
            except queue.Empty:
                connection = self._connect()
            try:
                with translated(Reader(self.path)):
                    connection.execute("BEGIN")
                    yield SqliteTransaction(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._idle.put(connection)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction; see `Database.write`."""
        return self._writer.write(work)

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
        """What `integrity_check` and `foreign_key_check` find; empty if sound."""
        return check_file(self.path)

    def size(self) -> int:
        """Bytes of the file and its write-ahead log."""
        paths = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(p.stat().st_size for p in paths if p.exists())

    def close(self) -> None:
        """Finish waiting writes and close every connection."""
        self._writer.close()
        while not self._idle.empty():
            self._idle.get_nowait().close()


class Reader:
    """Names the failures of a read for `translated`."""

    def __init__(self, path: Path):
        self._path = path

    def failures(self) -> tuple[type[BaseException], ...]:
        return (apsw.Error,)

    def describe(self, error: BaseException) -> StoreError:
        return describe(error, self._path)


def check_file(path: Path) -> list[str]:
    """What SQLite finds wrong in a store file; empty if sound. A damaged file stays as it is, byte for byte.

    The index of the names of symbols is left out: it is a cache, see `names_are_sound`.
    """
    try:
        connection = connect(path)
    except StoreError as error:
        return [str(error)]
    found = faults_of(connection, path)
    if found:  # the write-ahead log is not copied into it, as the last to close would do
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.close()
    return found


def faults_of(connection: apsw.Connection, path: Path) -> list[str]:
    """What SQLite finds wrong in the store file of a connection; empty if sound."""
    try:
        rows = connection.execute("PRAGMA integrity_check(20)").fetchall()
        found = [str(row[0]) for row in rows if row[0] != "ok" and _NAMES not in str(row[0])]
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    except apsw.Error as error:
        return [str(describe(error, path))]
    found += [f"{table} row {row} refers to a missing {parent}" for table, row, parent, _ in broken[:20]]
    return found or _foreign(connection)


def _foreign(connection: apsw.Connection) -> list[str]:
    """What is in a file that no version of Indelible made; nothing is said of one that a newer version made."""
    schema = int(connection.pragma("user_version"))
    if schema > queries.newest_schema("sqlite"):
        return []
    return shape.differences(shape.shape_of(connection), schema)


def names_are_sound(path: Path) -> bool:
    """Whether the index of the names of symbols says what the names are; it is a cache, see `rebuild_names`."""
    connection = connect(path)
    try:
        connection.execute("BEGIN IMMEDIATE")  # rolled back when it is closed
        connection.execute(f"INSERT INTO {_NAMES} ({_NAMES}, rank) VALUES ('integrity-check', 1)").fetchall()
    except apsw.CorruptError:
        return False
    except apsw.ReadOnlyError:  # which cannot be asked
        return True
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()
    return True


def rebuild_names(path: Path) -> None:
    """Build the index of the names of symbols anew. Raises StoreError."""
    connection = connect(path)
    try:
        connection.execute(f"INSERT INTO {_NAMES} ({_NAMES}) VALUES ('rebuild')").fetchall()
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()


def open_sqlite(
    directory: Path, *, make: bool = True, vfs: str | None = None, synchronous: str = "FULL"
) -> SqliteDatabase:
    """Open the store of a data directory; make it, or bring it to this version's schema, where that is due.

    Without `make` a store that is not there is an error. Where nothing can be made in the directory it is only read.
    Raises StoreError (that; unsafe place, damaged or unreadable file, being upgraded by another process) and Conflict
    (a newer version of Indelible wrote it).
    """
    from indelible.store import migrate

    refuse_unsafe(directory)
    path = directory / FILE
    if not make and not os.path.lexists(path):
        raise StoreError(
            f"there is no store in {directory}; give the directory of one (`indelible remember`, `import`, `restore` "
            "and `serve` make a new one)"
        )
    if is_read_only(directory):
        from indelible.store.read_only_file import open_read_only

        return open_read_only(directory)
    prepare(directory)
    newest = queries.newest_schema("sqlite")
    found = schema_of(path, vfs, refused=True)
    if found > newest:
        raise upgraded(path, found, newest)
    if found < newest:
        lock = FileLock(directory / "upgrade.lock")
        if found > 0 and not lock.try_acquire():
            raise StoreError(f"upgrading: another process is bringing {path} to a newer version; repeat in a moment")
        try:
            if found == 0:
                lock.acquire()
            migrate.migrate_sqlite(path, vfs)
        finally:
            lock.release()
    return SqliteDatabase(path, vfs=vfs, synchronous=synchronous)


def schema_of(path: Path, vfs: str | None = None, *, refused: bool = False) -> int:
    """The schema number of a store file, 0 where there is none yet.

    `refused`: raise StoreError where there is something in the file that no version of Indelible made.
    """
    if not path.exists() or path.stat().st_size == 0:
        return 0
    connection = connect(path, vfs)
    try:
        return schema_in(connection, path, refused=refused)
    finally:
        connection.close()


def schema_in(connection: apsw.Connection, path: Path, *, refused: bool) -> int:
    """The same through an open connection."""
    try:
        schema = int(connection.pragma("user_version"))
        foreign = _foreign(connection) if refused else []
    except apsw.Error as error:
        raise describe(error, path) from error
    if foreign:
        raise StoreError(
            f"{path} is not opened: {shape.told(foreign)}; nothing was written. Take that out of it, or run "
            "`indelible restore` with a backup"
        )
    return schema
