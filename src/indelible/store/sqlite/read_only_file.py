"""The embedded store where its directory cannot be written: everything that reads, and a plain refusal of the rest."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import apsw

from indelible import filesystem
from indelible.errors import StoreError
from indelible.filesystem import NOT_WRITABLE
from indelible.store.database import Transaction
from indelible.store.group_commit import translated
from indelible.store.schema import upgraded
from indelible.store.sqlite.connection import FILE, SqliteTransaction, describe, patient
from indelible.store.sqlite.database import Reader, SqliteDatabase
from indelible.store.sqlite.integrity import faults_of, schema_in
from indelible.store.sqlite.lost_file import refuse_lost
from indelible.store.sqlite.read_only import State, Way, open_to_read, state_of

T = TypeVar("T")


class ReadOnlyFile(SqliteDatabase):
    """A store file that is only read, by a connection for each read, opened as the files are then.

    The disk may be writable elsewhere (a volume that this machine mounts read-only). Where the files are read without
    locks they are compared before and after: a read that saw half of somebody's write fails, it never answers.
    """

    def _connect(self) -> apsw.Connection:
        return self._opened(state_of(self.path))

    def _opened(self, state: State) -> apsw.Connection:
        try:
            return open_to_read(self.path, state.way, patient())
        except apsw.Error as error:
            raise describe(error, self.path) from error

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        """A connection; StoreError at the end where the files changed and no lock kept what it read together."""
        before = state_of(self.path)
        with closing(self._opened(before)) as connection, translated(Reader(self.path)):
            try:
                yield connection
            finally:
                if before.way is not Way.LOCKED and state_of(self.path) != before:
                    raise StoreError(
                        f"another process wrote the store {self.path} while it was read on a read-only disk; repeat "
                        "the call"
                    )

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """A transaction that sees one moment of the store, with all that was committed before."""
        with self._readers, self._reading() as connection:
            connection.execute("BEGIN")
            yield SqliteTransaction(connection)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Refuse it."""
        raise StoreError(f"the store {self.path} {NOT_WRITABLE}")

    def replace_from(self, path: str, locked: Callable[[], object]) -> None:
        """Refuse it."""
        raise StoreError(f"the store {self.path} {NOT_WRITABLE}")

    def backup(self, path: str) -> None:
        """Copy one moment of the store to a new file, on another disk."""
        with self._reading():
            super().backup(path)

    def check(self) -> list[str]:
        """Return what `integrity_check` and `foreign_key_check` find; empty if sound."""
        with self._reading() as connection:
            return faults_of(connection, self.path)

    def schema_found(self) -> int:
        """The number of the schema that the file has. Raises StoreError for a file with foreign parts."""
        with self._reading() as connection:
            return schema_in(connection, self.path, refused=True)


def open_read_only(directory: Path) -> ReadOnlyFile:
    """Open the store of a directory where nothing can be made. Raises StoreError and Conflict, as `open_sqlite` does.

    A store that an older version wrote cannot be upgraded there.
    """
    if sys.platform != "win32":
        filesystem.refuse_strangers(directory, directory.stat())
    path = directory / FILE
    if not path.exists():
        raise StoreError(f"there is no store in {directory}, and none can be made: that {NOT_WRITABLE}")
    refuse_lost(path)
    store = ReadOnlyFile(path)
    found = store.schema_found()
    if found > store.schema:
        raise upgraded(path, found, store.schema)
    if found < store.schema:
        raise StoreError(
            f"{path} has schema {found}, this version of indelible reads {store.schema}, and on a read-only disk it "
            "cannot be upgraded; copy the data directory to a disk that can be written and give that as --data DIR. "
            "Nothing was changed"
        )
    return store
