"""A server that is frozen, or behind a network that swallows all: nobody waits for ever, nothing at work is cut."""

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import psycopg
import pytest

from indelible.errors import Interrupted, StoreError
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.maintenance import read_once
from indelible.store.postgres.pool import READERS
from indelible.store.tables import records
from samples import TENANT, keep, record
from wire import Wire

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

WAIT = 4.0  # seconds: a silence is looked into after one
LONGER = 3.0
SLOW = f"SELECT pg_sleep({LONGER})"


def names(db):
    with db.read() as tx:
        return [r.key for r in records.after(tx, 0, 10_000)]


@pytest.fixture
def wire(postgres_url):
    with closing(Wire(postgres_url)) as wire:
        yield wire


@pytest.fixture
def db(open_pg, wire):
    db = open_pg(wire.url, wait=WAIT)
    keep(db, record("kept"))
    assert names(db) == ["kept"]
    yield db
    db.close()
    wire.swallows = False


@contextmanager
def stopped(process):
    """A process of the server that does nothing meanwhile."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def process_of(tx):
    return tx.connection.info.backend_pid


def test_a_read_of_a_server_that_says_nothing_more_ends_with_the_cause(db, wire):
    wire.swallows = True
    with pytest.raises(StoreError, match="cannot be reached"):
        names(db)


def test_a_read_in_whose_middle_the_server_falls_silent_is_interrupted_and_its_connection_not_used_again(db, wire):
    def read():
        with db.read() as tx:
            used.append(tx.connection)
            wire.swallows = True
            records.after(tx, 0, 10)

    used = []
    with pytest.raises(Interrupted, match=r"has not answered for .* and is not working"):
        read()
    assert used[0].closed
    wire.swallows = False
    assert names(db) == ["kept"]


def test_a_write_to_a_server_that_says_nothing_more_ends_with_the_cause_and_the_next_one_goes_well(db, wire):
    wire.swallows = True
    with pytest.raises(StoreError, match=r"cannot be reached .*nothing of this call was written"):
        keep(db, record("lost"))
    wire.swallows = False
    keep(db, record("after"))
    assert names(db) == ["kept", "after"]


def test_a_short_look_at_a_server_that_says_nothing_more_ends(db, wire):
    def look():
        with glance_at(db, wire) as tx:
            wire.swallows = True
            records.after(tx, 0, 10)

    with pytest.raises(StoreError, match="cannot be reached"):
        look()


def glance_at(db, wire):
    schema = db._server.schema.replace(" ", "\\ ")
    return read_once(psycopg.conninfo.make_conninfo(wire.url, options=f'-csearch_path="{schema}"'), TENANT, WAIT)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
def test_a_read_leaves_a_frozen_process_of_the_server_for_another_one(db):
    with db.read() as tx:
        process = process_of(tx)
    with stopped(process):
        assert names(db) == ["kept"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
def test_a_write_leaves_a_frozen_process_of_the_server_for_another_one(db):
    with stopped(db.write(process_of)):
        keep(db, record("all the same"))
        assert names(db) == ["kept", "all the same"]


def test_a_statement_that_takes_long_is_not_cut(db):
    with db.read() as tx:
        tx.connection.execute(SLOW)
    db.write(lambda tx: tx.connection.execute(SLOW))
    assert names(db) == ["kept"]


def test_a_server_without_room_for_the_question_whether_it_is_at_work_cuts_nobody(postgres_url, new_schema):
    name = "alone_with_two"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT 1")
        server.execute(f"GRANT CREATE ON DATABASE postgres TO {name}")
    url = psycopg.conninfo.make_conninfo(postgres_url, user=name)
    with closing(open_postgres(url, new_schema(), wait=WAIT)) as alone, alone.read() as tx:
        tx.connection.execute(SLOW)


def test_who_reads_within_a_read_needs_no_turn(db):
    everybody = threading.Barrier(READERS)

    def nested(_):
        with db.read():
            everybody.wait()
            return names(db)

    with ThreadPoolExecutor(READERS) as threads:
        assert list(threads.map(nested, range(READERS))) == [["kept"]] * READERS


def test_who_has_waited_too_long_for_a_turn_to_read_is_told(db):
    done, reading = threading.Event(), threading.Barrier(READERS + 1)

    def hold(_):
        with db.read():
            reading.wait()
            done.wait()

    with ThreadPoolExecutor(READERS) as threads:
        held = threads.map(hold, range(READERS))
        reading.wait()
        with pytest.raises(StoreError, match=f"is read by {READERS} other calls"):
            names(db)
        done.set()
        list(held)
