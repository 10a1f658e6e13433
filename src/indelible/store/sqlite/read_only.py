"""Opening of a store file in a directory where nothing can be made, so that every commit is seen.

A connection to a file with a write-ahead log wants an index of that log beside it (`-shm`), and makes one where there
is none. Where it cannot, the files beside the store decide how it is read.
"""

import os
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import apsw


class Way(Enum):
    """How a store file is read."""

    LOCKED = "log and index are there: with locks, beside whoever writes by another mount of the disk"
    LOG_ALONE = "a log without an index, as a copy may be: this process makes an index in its memory, without locks"
    WHOLE = "no log: all is in the file, which is read without locks"


Stamp = tuple[int, ...]  # of a file: which it is, its size, when it was changed last


class State(NamedTuple):
    """How the files are to be read now; where that takes no locks, the stamps that show whether they changed."""

    way: Way
    stamps: tuple[Stamp, ...] = ()


def state_of(path: Path) -> State:
    """Return how the files beside a store file now call for it to be read."""
    log, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    if log.exists() and index.exists():
        return State(Way.LOCKED)
    stamps = [_stamp(path)]
    if log.exists():
        stamps.append(_stamp(log))
    has_log = len(stamps) > 1 and stamps[1] and stamps[1][1] > 0
    return State(Way.LOG_ALONE if has_log else Way.WHOLE, tuple(stamps))


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:  # it is deleted, which opening it reports
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def is_empty(path: Path) -> bool:
    """Return whether a file is there and has no bytes."""
    stamp = _stamp(path)
    return bool(stamp) and stamp[1] == 0


def open_to_read(path: Path, way: Way, busy: Callable[[int], bool]) -> apsw.Connection:
    """A connection that changes and makes nothing. Raises apsw.Error."""
    flags = apsw.SQLITE_OPEN_READONLY
    if way is Way.WHOLE:
        name = f"file:{quote(path.as_posix())}?immutable=1"
        connection = apsw.Connection(name, flags=flags | apsw.SQLITE_OPEN_URI)
    elif way is Way.LOG_ALONE:
        connection = apsw.Connection(str(path), flags=flags, vfs="win32-none" if os.name == "nt" else "unix-none")
        connection.pragma("locking_mode", "exclusive")  # which keeps the index of the log in memory
    else:
        connection = apsw.Connection(str(path), flags=flags)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_handler(busy)
    connection.execute("PRAGMA trusted_schema=0").fetchall()
    connection.execute("PRAGMA temp_store=2").fetchall()  # there may be no disk at all that can be written
    return connection
