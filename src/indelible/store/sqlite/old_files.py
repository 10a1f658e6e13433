"""Reading of other store files, such as backups, for what the store has lost."""

from pathlib import Path

import apsw


def text_of(file: Path, kind: str, namespace: str, key: str) -> str | None:
    """Return the text of a record in a store file of any schema; None if it is missing or the file is unreadable."""
    try:
        connection = apsw.Connection(f"file:{file}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    except apsw.Error:
        return None
    try:
        query = "SELECT text FROM record WHERE tenant = 1 AND namespace = ? AND kind = ? AND key = ?"
        rows = connection.execute(query, (namespace, kind, key)).fetchall()
    except (apsw.Error, UnicodeDecodeError):
        return None
    finally:
        connection.close()
    return str(rows[0][0]) if rows else None
