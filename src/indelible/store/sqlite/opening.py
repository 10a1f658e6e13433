"""Opening the store file of a data directory: made, brought to this version's schema, or only read."""

import os
from pathlib import Path

from indelible.errors import StoreError
from indelible.filesystem import FileLock, is_read_only, prepare
from indelible.store import named_queries
from indelible.store.location import refuse_unsafe
from indelible.store.schema import upgraded
from indelible.store.sqlite import migrate
from indelible.store.sqlite.connection import FILE, connect
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.sqlite.integrity import schema_in
from indelible.store.sqlite.lost_file import keep_earlier, refuse_lost
from indelible.store.sqlite.read_only_file import open_read_only

# Imported late (start, hooks): logging

LOCK = "upgrade.lock"  # in a data directory: of who makes, upgrades or puts back its store file


def open_sqlite(
    directory: Path, *, make: bool = True, vfs: str | None = None, synchronous: str = "FULL"
) -> SqliteDatabase:
    """Open the store of a data directory; make it, or bring it to this version's schema, where that is due.

    Without `make` a store that is not there is an error. Where nothing can be made in the directory it is only read.
    Raises StoreError (that; unsafe place, damaged, unreadable or lost file, being upgraded by another
    process) and Conflict
    (a newer version of Indelible wrote it).
    """
    refuse_unsafe(directory)
    path = directory / FILE
    if not make and not os.path.lexists(path):
        raise StoreError(
            f"there is no store in {directory}; give the directory of one (`indelible remember`, `import`, `restore` "
            "and `serve` make a new one)"
        )
    if is_read_only(directory):
        return open_read_only(directory)
    prepare(directory)
    newest = named_queries.newest_schema("sqlite")
    found = schema_of(path, vfs, refused=True)
    if found > newest:
        raise upgraded(path, found, newest)
    if found < newest:
        lock = FileLock(directory / LOCK)
        if found > 0 and not lock.try_acquire():
            raise StoreError(f"upgrading: another process is upgrading {path} to a newer version; repeat in a moment")
        try:
            if found == 0:
                lock.acquire()
                refuse_lost(path)  # with the lock: another process may just have been making it
                _tell_earlier(path)
            migrate.migrate_sqlite(path, vfs)
        finally:
            lock.release()
    return SqliteDatabase(path, vfs=vfs, synchronous=synchronous)


def _tell_earlier(path: Path) -> None:
    """Keep the backups of an earlier store where its file is gone, and tell of them."""
    if path.exists():
        return
    if earlier := keep_earlier(path):
        import logging

        logging.getLogger("indelible").warning(
            "%s is new, and beside it there are backups of an earlier store, which are kept; "
            "to have that back, run `indelible restore %s`",
            *(path, earlier[0]),
        )


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
