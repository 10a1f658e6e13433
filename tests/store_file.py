"""The store's file, past our code."""

from pathlib import Path

import apsw

PATIENCE = 60_000  # milliseconds: whoever closes the store last holds its file for a moment


def opened(path: Path, *, write: bool = False) -> apsw.Connection:
    """The file, beside processes that use it: what they hold for a moment is waited for."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE if write else apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(PATIENCE)
    return connection
