"""Another tool's database, read and never written.

All columns that there are are read, since later versions of a tool add some; a table that is missing is empty.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from indelible.errors import StoreError
from indelible.store.sqlite.connection import patient

LONGEST = 64 << 20  # bytes of a value
# Text as its bytes: one that is not in the encoding of the database would end the reading of its table.
_COLUMN = """CASE typeof("{0}") WHEN 'text' THEN CAST("{0}" AS BLOB) ELSE "{0}" END, typeof("{0}")"""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


class ForeignFile:
    """An open database of another tool, as of the moment it was opened. Close it after use."""

    def __init__(self, path: Path, tool: str):
        """Open the file. Raises StoreError for one that cannot be read, or is not a SQLite database."""
        self._path, self._tool = path, tool
        try:
            self._connection = apsw.Connection(_address(path), flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
            self._connection.set_busy_handler(patient())
            self._connection.execute("PRAGMA trusted_schema=0").fetchall()
            self._connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST)
            self._connection.execute("BEGIN")
            ((encoding,),) = self._connection.execute("PRAGMA encoding").fetchall()
            self._encoding = str(encoding)
            listed = self._connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            self._there = {name for (name,) in listed}
        except (apsw.Error, OSError) as error:
            raise self._failure(error) from error

    def has(self, table: str) -> bool:
        """Return whether there is such a table."""
        return table in self._there

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table in the order of storing, by column, without blobs. Raises StoreError.

        What should be text and is not UTF-8 is None.
        """
        if not _NAME.fullmatch(table):
            raise ValueError(f"{table!r} is no name of a table")
        if table not in self._there:
            return
        try:
            described = self._connection.execute(f"PRAGMA table_info({table})").fetchall()
            names = [str(name) for _, name, *_ in described]
            columns = ", ".join(_COLUMN.format(name.replace('"', '""')) for name in names)
            for row in self._connection.execute(f"SELECT {columns} FROM {table} ORDER BY rowid"):
                values = zip(names, row[::2], row[1::2], strict=True)
                yield {name: self._value(value, type_) for name, value, type_ in values if type_ != "blob"}
        except (apsw.Error, UnicodeDecodeError) as error:
            raise self._failure(error) from error

    def _value(self, value: Any, type_: Any) -> Any:
        if type_ != "text":
            return value
        try:
            return bytes(value).decode(self._encoding)
        except UnicodeDecodeError:
            return None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _failure(self, error: BaseException) -> StoreError:
        return StoreError(f"{self._path} cannot be read as a database of {self._tool}: {error}; it was left as it is")


def _address(path: Path) -> str:
    """The URI of a database: as one that does not change, where it keeps a write-ahead log and has none now.

    To read such a file SQLite would make the log and its index beside it, and leave them there. As long as there is no
    log nobody has written since the last one ended, and who does writes to a log first.
    """
    with open(path, "rb") as file:
        header = file.read(20)
    is_still = header[18:20] == b"\x02\x02" and not Path(f"{path}-wal").exists()
    return path.absolute().as_uri() + ("?immutable=1" if is_still else "")
