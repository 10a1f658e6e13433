"""Pages of deleted rows in the files of a store: removing them, and the processes that still read them."""

import os
import sys
from pathlib import Path

import apsw

from indelible.store.sqlite.connection import connect, describe, patient

WAIT = 10.0  # seconds for readers to finish
_READ_LOCKS = range(123, 128)  # bytes of the shared memory that a reader of the write-ahead log locks (wal.c)
_SHOWN = 200  # characters of a command line


def vacuum(path: Path) -> None:
    """Rewrite the store, so that no page has anything left of deleted or overwritten rows.

    `secure_delete` would not do: it covers only deletions while it is on, and earlier texts stand in free pages and in
    the gaps of used ones. Readers go on with the moment that they see; writers wait. Needs twice as much room as the
    store: the new pages are collected in a nameless file, beside the store and not in the system's temporary directory,
    which may be small, then go through the write-ahead log. Raises StoreError.
    """
    connection = connect(path)
    beside = str(path.parent).replace("'", "''")
    try:
        connection.execute(f"PRAGMA temp_store_directory = '{beside}'").fetchall()
        connection.execute("VACUUM").fetchall()
        connection.execute("PRAGMA temp_store_directory = ''").fetchall()
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()


def live_size(path: Path) -> int:
    """Return the bytes of the pages in use: the size of the store after a vacuum. Raises StoreError."""
    connection = connect(path)
    try:
        count, free, size = (connection.pragma(name) for name in ("page_count", "freelist_count", "page_size"))
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()
    return int((count - free) * size)


def empty_log(path: Path, wait: float | None = None) -> bool:
    """Copy the write-ahead log into the store and cut it to nothing; False where a reader still needs what it held.

    It waits `wait` seconds for readers, or WAIT. Raises StoreError.
    """
    connection = connect(path)
    try:
        connection.set_busy_handler(patient(WAIT if wait is None else wait))
        ((busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except apsw.Error as error:
        raise describe(error, path) from error
    finally:
        connection.close()
    return not busy


def readers(path: Path, locks: Path = Path("/proc/locks")) -> list[str]:
    """The processes that read the store right now, by number and command line; empty where that cannot be known."""
    if sys.platform != "linux":
        return []
    try:
        inode = path.with_name(path.name + "-shm").stat().st_ino
        lines = locks.read_text().splitlines()
    except OSError:
        return []
    found = {_reader(line, inode) for line in lines} - {0, os.getpid()}
    return [_named(each) for each in sorted(found)]


def _reader(line: str, inode: int) -> int:
    """The process of a reader's lock, 0 for others; proc(5): `1: POSIX ADVISORY READ 7 8:1:99 123 123`."""
    words = line.split()
    if len(words) != 8 or words[5].rpartition(":")[2] != str(inode) or not words[6].isdecimal():
        return 0
    return int(words[4]) if int(words[6]) in _READ_LOCKS else 0


def _named(process: int) -> str:
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return f"process {process}"
    return f"process {process} ({command[:_SHOWN]})"
