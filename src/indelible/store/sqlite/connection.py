"""Connections to the store file: opening, failures in plain words, and a single read for hooks.

A hook imports this module and not the rest of `store/sqlite`.
"""

import re
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from indelible.errors import StoreError
from indelible.filesystem import NOT_WRITABLE, is_read_only
from indelible.store import named_queries, schema
from indelible.store.database import Row, Transaction
from indelible.store.sqlite.read_only import Way, is_empty, open_to_read, state_of

# Imported late (hooks): indelible.store.sqlite.lost_file, random, shutil

# 3.7.0 to 3.51.2 can lose commits where two connections write and checkpoint at once (the WAL-reset bug).
OLDEST_SQLITE = 3_051_003
WAIT = 30.0  # seconds that a write waits for other processes
FILE = "indelible.db"
TENANT = 1  # the one that a file holds
LEAST_ROOM = 1 << 17  # bytes; SQLite's shared memory takes 32 KiB at a time, and a commit some pages


def patient(wait: float = WAIT) -> Callable[[int], bool]:
    """A busy handler that sleeps a random 0.5 to 1.5 ms each time: the stock one starves some of many writers."""
    since = 0.0

    def again(earlier_calls: int) -> bool:
        import random  # for who has to wait

        nonlocal since
        now = time.monotonic()
        if earlier_calls == 0:
            since = now
        time.sleep(random.uniform(0.0005, 0.0015))  # jitter
        return now - since < wait

    return again


def connect(path: Path, vfs: str | None = None, synchronous: str = "FULL") -> apsw.Connection:
    """Open a store file with the settings that durability rests on; in a read-only place, to be read only.

    Raises StoreError.
    """
    if _version() < OLDEST_SQLITE:
        raise StoreError(
            f"SQLite {apsw.sqlite_lib_version()} can lose commits when several processes write (the WAL-reset bug); "
            "install apsw>=3.51.3.0"
        )
    try:
        if vfs is None and is_read_only(path.parent):
            return open_to_read(path, state_of(path).way, patient())
        connection = apsw.Connection(str(path), vfs=vfs)
        connection.set_busy_handler(patient())
        for pragma in (
            f"synchronous={synchronous}",
            "fullfsync=1",
            "checkpoint_fullfsync=1",
            "foreign_keys=1",
            "trusted_schema=0",
            "journal_size_limit=67108864",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except apsw.Error as error:
        raise describe(error, path) from error
    return connection


def count_no_memory() -> None:
    """Let SQLite keep no figures of its memory, for which it takes a lock at each piece: a tenth of writing much.

    For the process of one command, before it opens a store: nothing is changed where there is a connection already.
    """
    if not apsw.connections():
        apsw.shutdown()
        apsw.config(apsw.SQLITE_CONFIG_MEMSTATUS, False)
        apsw.initialize()


def _version() -> int:
    major, minor, patch = (int(part) for part in apsw.sqlite_lib_version().split(".")[:3])
    return major * 1_000_000 + minor * 1_000 + patch


_DAMAGE = (apsw.CorruptError, apsw.NotADBError)
_FULL = "is on a full disk; nothing of this call was written. Free some space, then repeat it"
_MEANINGS: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((apsw.FullError,), _FULL),
    (
        (apsw.IOError,),
        "failed: disk I/O error; nothing of this call was written. See that the disk has room (a quota or a file size "
        "limit may be reached) and is not failing, then repeat it",
    ),
    (
        (apsw.ReadOnlyError,),
        NOT_WRITABLE,
    ),
    (
        (apsw.BusyError, apsw.LockedError),
        f"was kept busy for {WAIT:.0f} s by other processes; nothing was written. Repeat the call",
    ),
    (
        (apsw.CantOpenError,),
        "cannot be opened; check that its directory exists and is yours, or give --data DIR",
    ),
    (
        _DAMAGE,
        "is damaged; run `indelible doctor --repair`, or move it away and run `indelible restore` with a backup",
    ),
)


def describe(error: BaseException, path: Path) -> StoreError:
    """Return a failure of SQLite as an error that says what to do."""
    means = next((text for kinds, text in _MEANINGS if isinstance(error, kinds)), None)
    if isinstance(error, apsw.IOError) and has_no_room(path):
        means = _FULL
    return StoreError(f"the store {path} {means or f'failed: {error}; nothing of this call was written'}")


def is_damage(error: StoreError) -> bool:
    """Return whether an error that `describe` made is that of a damaged file."""
    return isinstance(error.__cause__, _DAMAGE)


def has_no_room(path: Path) -> bool:
    """Return whether the disk of a store is full.

    Where its shared memory cannot grow, SQLite reports an I/O error only.
    """
    import shutil

    try:
        return shutil.disk_usage(path.parent).free < LEAST_ROOM
    except OSError:  # the directory is gone, which is another trouble
        return False


ROWS = 256  # in one statement: of 60 columns, SQLite takes 32,766 parameters
_VALUES = re.compile(r"(INSERT INTO [^:;']*?\bVALUES\s*)\(\s*(:\w+(?:\s*,\s*:\w+)+)\s*\)([^:?]*)", re.DOTALL)
_NAME = re.compile(r":(\w+)")


class _Insertion(NamedTuple):
    """An INSERT of many rows in its parts, and a function that takes one row's values out of its parameters."""

    head: str
    row: str
    tail: str
    values_of: Callable[[dict[str, Any]], tuple[Any, ...]]


@lru_cache
def _insertion(sql: str) -> _Insertion | None:
    """Return the parts of an INSERT of one row of two or more parameters, None for any other statement."""
    found = _VALUES.fullmatch(sql)
    if found is None:
        return None
    head, listed, tail = found.groups()
    names = _NAME.findall(listed)
    return _Insertion(head, f"({', '.join('?' * len(names))})", tail, itemgetter(*names))


class SqliteTransaction:
    """A transaction on one connection. Statements are prepared once a connection."""

    tenant = TENANT
    remembered: dict[Hashable, Any] | None

    def __init__(self, connection: apsw.Connection, remembered: dict[Hashable, Any] | None = None):
        """`remembered` is what is known of this moment of the store already; None for nothing."""
        self.connection = connection
        self.scopes: dict[Hashable, Any] = {}
        self.remembered = {} if remembered is None else remembered
        self._sql = named_queries.load("sqlite")

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        """See Transaction."""
        return self.connection.execute(self._sql[query], {"tenant": self.tenant, **parameters}).fetchall()

    def run(self, query: str, **parameters: Any) -> int:
        """See Transaction."""
        self.connection.execute(self._sql[query], {"tenant": self.tenant, **parameters}).fetchall()
        return self.connection.changes()

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        """See Transaction. Rows are inserted many by one statement.

        Before each statement that a trigger follows SQLite copies the pages that it changes, and `executemany` takes a
        statement out of apsw's cache and puts it back for each row, each time in the place of another one.
        """
        rows = ({"tenant": self.tenant, **row} for row in rows)
        insertion = _insertion(self._sql[query])
        if insertion is None:
            self.connection.executemany(self._sql[query], rows).fetchall()
            return
        head, row, tail, values_of = insertion
        values = list(map(values_of, rows))
        at, count = 0, ROWS
        while at < len(values):
            while count > len(values) - at:
                count //= 2  # statements of few sizes: each is prepared once
            part = tuple(chain.from_iterable(values[at : at + count]))
            self.connection.execute(f"{head}{', '.join([row] * count)}{tail}", part).fetchall()
            at += count


@contextmanager
def read_once(path: Path, wait: float) -> Iterator[Transaction]:
    """Yield one transaction on the store file, for a process that reads once: nothing is made, upgraded or changed.

    It waits `wait` seconds for others. Raises StoreError (no file, damaged, lost, kept busy for longer) and Conflict
    (another schema than this version's, older or newer).
    """
    newest = named_queries.newest_schema("sqlite")
    if is_empty(path):
        from indelible.store.sqlite.lost_file import refuse_lost

        refuse_lost(path)
    try:
        way = state_of(path).way if is_read_only(path.parent) else Way.LOCKED
        connection = open_to_read(path, way, patient(wait))
    except apsw.Error as error:
        raise describe(error, path) from error
    try:
        connection.execute("BEGIN")
        found = connection.pragma("user_version")
        if found != newest:
            raise schema.unread(path, found, newest)
        yield SqliteTransaction(connection)
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()
