"""A store file that has a trigger, view, table, index or definition which no version of Indelible made is refused.

A trigger or view runs with the writes and reads of whoever opens the file: one that was put into a backup would run on
the machine that restores it.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from command_line import done, indelible, opened, refused
from indelible.errors import StoreError
from indelible.store import named_queries
from indelible.store.sqlite import shape
from indelible.store.sqlite.connection import FILE, connect
from indelible.store.sqlite.integrity import check_file, schema_in
from indelible.store.sqlite.opening import open_sqlite
from indelible.toolsets.memory import memories
from indelible.toolsets.memory.memories import NewMemory

pytestmark = pytest.mark.sqlite("what is in a file")

SPY = "CREATE TRIGGER spy AFTER INSERT ON record BEGIN DELETE FROM trash; END"
TRIGGER = "record_to_embed"  # one of the store's own
# By what is said of it: what is done to a file.
FOREIGN = {
    "foreign trigger spy (of record)": [SPY],
    "foreign view spy": ["CREATE VIEW spy AS SELECT * FROM record"],
    "foreign table spy": ["CREATE TABLE spy (a)"],
    "foreign index spy (of record)": ["CREATE INDEX spy ON record (kind)"],
    "foreign table words": ["CREATE VIRTUAL TABLE words USING fts5 (a)"],
    "another table trash": ["ALTER TABLE trash ADD COLUMN spy TEXT GENERATED ALWAYS AS (upper(body)) VIRTUAL"],
    f"no trigger {TRIGGER}": [f"DROP TRIGGER {TRIGGER}"],
    f"another trigger {TRIGGER}": [
        f"DROP TRIGGER {TRIGGER}",
        f"CREATE TRIGGER {TRIGGER} AFTER INSERT ON record BEGIN SELECT 1; END",
    ],
}


def change(file: Path, *statements: str) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        for statement in statements:
            connection.execute(statement).fetchall()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The directory of a store with a memory."""
    with opened(tmp_path / "data") as ctx:
        memories.store(ctx, NewMemory("Kumquat"))
    return tmp_path / "data"


@pytest.mark.parametrize("said", FOREIGN)
def test_a_file_with_a_foreign_part_is_not_opened_and_says_which(data: Path, said: str) -> None:
    change(data / FILE, *FOREIGN[said])
    before = (data / FILE).read_bytes()
    with pytest.raises(StoreError, match="which no version of Indelible made") as error:
        open_sqlite(data)
    assert said in str(error.value)
    assert said in check_file(data / FILE)[0]
    assert (data / FILE).read_bytes() == before


@pytest.mark.process
def test_every_command_and_doctor_name_it_and_a_backup_of_it_is_not_restored(data: Path) -> None:
    backup = data.parent / "sound.db"
    done("backup", backup, data=data)
    change(backup, SPY)
    assert "foreign trigger spy (of record)" in refused("restore", backup, data=data)
    assert "Kumquat" in done("recall", "kumquat", data=data)
    change(data / FILE, SPY)
    assert "foreign trigger spy (of record)" in refused("recall", "kumquat", data=data)
    examined = indelible("doctor", data=data)
    assert examined.returncode == 1
    assert "foreign trigger spy (of record)" in (examined.stdout + examined.stderr).decode()


def test_a_foreign_trigger_does_not_run_in_the_upgrade_of_an_older_store(tmp_path: Path) -> None:
    """The migrations write; it is looked at before them what the file has, by the schema that it has."""
    oldest = named_queries.migrations("sqlite")[0][1]
    file = tmp_path / FILE
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute(oldest).fetchall()
        connection.pragma("user_version", 1)
    change(file, "CREATE TRIGGER spy AFTER INSERT ON record BEGIN DELETE FROM trash; END")
    with pytest.raises(StoreError, match="foreign trigger spy"):
        open_sqlite(tmp_path)
    with closing(apsw.Connection(str(file))) as connection:
        assert connection.pragma("user_version") == 1


def test_a_file_of_something_else_does_not_become_a_store(tmp_path: Path) -> None:
    change(tmp_path / FILE, "CREATE TABLE accounts (name)")
    with pytest.raises(StoreError, match="foreign table accounts"):
        open_sqlite(tmp_path)


def test_what_sqlite_makes_for_itself_is_not_foreign(data: Path) -> None:
    change(data / FILE, "ANALYZE", "VACUUM")
    assert check_file(data / FILE) == []
    open_sqlite(data).close()


def test_the_digest_of_the_newest_schema_is_known() -> None:
    """Else each opening builds a store in memory, to compare with."""
    newest = named_queries.newest_schema("sqlite")
    assert shape.digest(shape._made(newest)) == shape.KNOWN[newest]


def test_a_store_that_another_process_makes_meanwhile_has_nothing_foreign(tmp_path: Path):
    """Its number and its parts are read of one moment: two servers may start at once on a new directory."""
    path = tmp_path / FILE
    with closing(connect(path)) as ours, closing(connect(path)) as theirs:
        theirs.pragma("journal_mode", "wal")
        made = []

        def make_before_the_parts_are_read(_: object, sql: str, __: object) -> bool:
            if "sqlite_schema" in sql and not made:
                theirs.execute("BEGIN; CREATE TABLE record (id); PRAGMA user_version = 1; COMMIT").fetchall()
                made.append(sql)
            return True

        ours.exec_trace = make_before_the_parts_are_read
        assert schema_in(ours, path, refused=True) == 0
        assert made
