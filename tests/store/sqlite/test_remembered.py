"""What transactions on a file remember of it: as long as it stays as it is, whoever could have changed it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from indelible.model import Record
from indelible.store.database import Transaction, once
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.tables import records, settings
from indelible.store.views import lifetimes, opening

pytestmark = pytest.mark.sqlite("the versions of a file")

SEVEN, EIGHT, NINE = (f"2026-01-01T0{hour}:00:00.000000Z" for hour in (7, 8, 9))


def name_it(store: SqliteDatabase, value: str) -> None:
    store.write(lambda tx: settings.put(tx, "name", value))


def name_of(store: SqliteDatabase) -> str | None:
    with store.read() as tx:
        found: str | None = once(tx, "name", lambda: settings.find(tx, "name"))
        return found


def expiring(at: str) -> Record:
    return Record(key=at, kind="memory", text=at, content_hash=at, metadata={"expires_at": at}, created=1, updated=1)


def test_it_is_remembered_for_the_next_transaction(store: SqliteDatabase) -> None:
    name_it(store, "one")
    assert name_of(store) == "one"
    with store.read() as tx:
        assert tx.remembered == {"name": "one"}
    assert name_of(store) == "one"


def test_it_is_forgotten_with_what_this_process_writes(store: SqliteDatabase) -> None:
    for value in ("one", "two", "three"):
        name_it(store, value)
        assert name_of(store) == value


@pytest.mark.process
def test_it_is_forgotten_with_what_another_process_writes(store: SqliteDatabase) -> None:
    name_it(store, "one")
    assert name_of(store) == "one"
    change = "UPDATE setting SET value = 'two' WHERE value = 'one'"
    other = "import sys, apsw; apsw.Connection(sys.argv[1]).execute(sys.argv[2])"
    subprocess.run([sys.executable, "-c", other, str(store.path), change], check=True)
    assert name_of(store) == "two"


def test_each_of_two_transactions_remembers_its_own_moment(store: SqliteDatabase) -> None:
    name_it(store, "one")
    with store.read() as early:
        assert once(early, "name", lambda: settings.find(early, "name")) == "one"
        name_it(store, "two")
        assert name_of(store) == "two"
        assert once(early, "again", lambda: settings.find(early, "name")) == "one"
    assert name_of(store) == "two"
    assert name_of(store) == "two"


def test_what_was_undone_is_not_remembered(store: SqliteDatabase) -> None:
    name_it(store, "one")
    assert name_of(store) == "one"

    def fail(tx: Transaction) -> None:
        settings.put(tx, "name", "two")
        raise ValueError("changed its mind")

    with pytest.raises(ValueError, match="changed its mind"):
        store.write(fail)
    assert name_of(store) == "one"


def test_time_passes_in_a_file_that_stays_as_it_is(store: SqliteDatabase) -> None:
    def add(tx: Transaction) -> list[int | None]:
        return [records.insert(tx, expiring(at)) for at in (SEVEN, NINE)]

    early, late = store.write(add)
    with store.read() as tx:
        opening.read(tx, EIGHT)
        assert lifetimes.expired(tx, EIGHT) == {early}
    with store.read() as tx:
        opening.read(tx, NINE)  # which it need not, as the file is the same
        assert lifetimes.expired(tx, NINE) == {early, late}
        assert lifetimes.expired(tx, EIGHT) == {early}
        assert lifetimes.expired(tx, "2026-01-01T06:59:59.999999Z") == set()
