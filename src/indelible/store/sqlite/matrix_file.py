"""Another tool's database, read and never written: solutions and failures of claude-matrix.

Its schema as published in its repository (src/db/schema.sql, later schema.ts, December 2024 to 2026): tables `repos`,
`solutions`, `failures`, `usage_log`. Later versions added columns, so all that there are are read; a table that is
missing is empty.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from indelible.errors import StoreError
from indelible.store.sqlite.connection import patient

TABLES = ("repos", "solutions", "failures", "usage_log")


class MatrixFile:
    """An open file of claude-matrix, as of the moment it was opened. Close it after use."""

    def __init__(self, path: Path):
        """Open the file. Raises StoreError for one that cannot be read, or is not a SQLite database."""
        self._path = path
        try:
            self._connection = apsw.Connection(_address(path), flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
            self._connection.set_busy_handler(patient())
            self._connection.execute("PRAGMA trusted_schema=0").fetchall()
            self._connection.execute("BEGIN")
            self._there = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_schema")}
        except (apsw.Error, OSError) as error:
            raise self._failure(error) from error

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of one of `TABLES` in the order of storing, by column, without blobs. Raises StoreError."""
        if table not in TABLES:
            raise ValueError(f"{table!r} is none of {TABLES}")
        if table not in self._there:
            return
        try:
            cursor = self._connection.execute(f"SELECT * FROM {table} ORDER BY rowid")
            for row in cursor:
                names = [column[0] for column in cursor.get_description()]
                yield {name: value for name, value in zip(names, row, strict=True) if not isinstance(value, bytes)}
        except apsw.Error as error:
            raise self._failure(error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _failure(self, error: BaseException) -> StoreError:
        return StoreError(f"{self._path} cannot be read as a database of claude-matrix: {error}; it was left as it is")


def _address(path: Path) -> str:
    """The URI of a database: as one that does not change, where it keeps a write-ahead log and has none now.

    To read such a file SQLite would make the log and its index beside it, and leave them there. As long as there is no
    log nobody has written since the last one ended, and who does writes to a log first.
    """
    with open(path, "rb") as file:
        header = file.read(20)
    is_still = header[18:20] == b"\x02\x02" and not Path(f"{path}-wal").exists()
    return path.absolute().as_uri() + ("?immutable=1" if is_still else "")
