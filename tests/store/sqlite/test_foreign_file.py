"""A database of claude-matrix is read as it is, and left as it was."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from indelible.errors import StoreError
from indelible.store.sqlite.foreign_file import ForeignFile

TABLE = "CREATE TABLE solutions (id TEXT PRIMARY KEY, problem TEXT, problem_embedding BLOB)"


def made(path: Path, journal: str) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA journal_mode={journal}")
    connection.execute(TABLE)
    add(connection, "sol_1")
    return connection


def add(connection: apsw.Connection, key: str) -> None:
    connection.execute("INSERT INTO solutions VALUES (?, '問題', x'00ff')", (key,))


def keys(path: Path) -> list[str]:
    with closing(ForeignFile(path, "claude-matrix")) as file:
        return [row["id"] for row in file.rows("solutions")]


@pytest.mark.parametrize("journal", ["wal", "delete"])
@pytest.mark.parametrize("name", ["matrix.db", "100% #1?.db", "記憶.db"])
def test_a_file_that_nobody_has_open_is_read_and_nothing_is_left_beside_it(tmp_path, journal, name):
    path = tmp_path / name
    made(path, journal).close()
    before = path.read_bytes()
    assert keys(path) == ["sol_1"]
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert path.read_bytes() == before


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_what_another_process_has_just_written_is_read(tmp_path, journal):
    path = tmp_path / "matrix.db"
    with closing(made(path, journal)) as other:
        add(other, "sol_2")
        with closing(ForeignFile(path, "claude-matrix")) as file:
            if journal == "wal":  # which waits for no reader
                add(other, "sol_3")
            assert [row["id"] for row in file.rows("solutions")] == ["sol_1", "sol_2"]


def test_rows_come_by_column_without_blobs_and_a_missing_table_is_empty(tmp_path):
    path = tmp_path / "matrix.db"
    made(path, "wal").close()
    with closing(ForeignFile(path, "claude-matrix")) as file:
        assert list(file.rows("solutions")) == [{"id": "sol_1", "problem": "問題"}]
        assert list(file.rows("failures")) == []
        with pytest.raises(ValueError, match="is no name of a table"):
            list(file.rows("a b; --"))


def test_an_empty_file_is_a_database_without_tables(tmp_path):
    (tmp_path / "matrix.db").touch()
    assert keys(tmp_path / "matrix.db") == []


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\2" * 200, None], ids=range(3))
def test_what_is_no_database_is_refused_by_its_path(tmp_path, content):
    path = tmp_path / "matrix.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StoreError, match=r"matrix\.db cannot be read as a database of claude-matrix"):
        keys(path)
