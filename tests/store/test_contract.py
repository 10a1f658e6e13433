"""What every database promises: durable, all or nothing, one writer undone alone, readers of one moment."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import apsw
import psycopg
import pytest

from indelible.errors import Conflict, NotFound, StoreError
from indelible.store.database import Database
from indelible.store.tables import changes, records, settings
from samples import TENANT, keep, of_tenant, record, stored


def keys(db: Database, tenant: int = TENANT) -> list[str]:
    with db.read() as tx:
        return [r.key for r in records.after(of_tenant(tx, tenant), 0, 1000)]


def test_a_write_that_returned_is_seen_by_other_processes_and_after_opening_again(open_db):
    first, second = open_db(), open_db()
    assert first.write(lambda tx: stored(tx, "a", "b")) == [1, 2]
    assert keys(second) == ["a", "b"]
    first.close()
    second.close()
    assert keys(open_db()) == ["a", "b"]


def test_a_transaction_sees_its_own_changes_and_nobody_else_does_before_it_returns(open_db):
    db, other = open_db(), open_db()

    def work(tx):
        stored(tx, "a")
        return [r.key for r in records.after(tx, 0, 9)], keys(other), keys(db)

    assert db.write(work) == (["a"], [], [])
    assert keys(other) == ["a"]


def test_a_reader_sees_one_moment_while_writes_go_on(open_db):
    db, other = open_db(), open_db()
    keep(db, record("a"))
    with db.read() as tx:
        before = records.count_by_kind(tx)
        keep(db, record("b"))
        keep(other, record("c"))
        assert records.count_by_kind(tx) == before == {"memory": 1}
        assert records.by_key(tx, "c") == []
    assert keys(db) == ["a", "b", "c"]


def test_a_reader_changes_nothing(db):
    with contextlib.suppress(StoreError), db.read() as tx:
        stored(tx, "a")
    assert keys(db) == []
    assert keep(db, record("a"))


def test_an_exception_undoes_the_whole_of_its_write_and_reaches_the_caller(db):
    keep(db, record("before"))

    def work(tx):
        stored(tx, "a", "b")
        records.delete(tx, 1)
        raise NotFound("no such thing")

    with pytest.raises(NotFound, match="no such thing"):
        db.write(work)
    assert keys(db) == ["before"]


def test_a_failure_in_one_of_many_waiting_writes_undoes_only_that_one(db):
    started, waiting = threading.Event(), threading.Semaphore(0)

    def first(tx):
        started.set()
        for _ in range(20):  # the others stand in the queue meanwhile, and are committed together
            waiting.acquire()
        return stored(tx, "first")

    def other(number):
        def work(tx):
            stored(tx, f"{number:02}")
            if number % 3 == 1:
                raise NotFound(f"number {number}")
            if number % 3 == 2:
                stored(tx, f"{number:02} too important", importance=7.0)

        started.wait()
        waiting.release()
        try:
            db.write(work)
        except NotFound:
            return "refused"
        except (apsw.ConstraintError, psycopg.errors.CheckViolation):
            return "impossible"
        return "stored"

    with ThreadPoolExecutor(21) as pool:
        ahead = pool.submit(db.write, first)
        answers = list(pool.map(other, range(20)))
        ahead.result()
    assert answers == (["stored", "refused", "impossible"] * 7)[:20]
    assert sorted(keys(db)) == [f"{n:02}" for n in range(0, 20, 3)] + ["first"]


@pytest.mark.parametrize("importance", [0.5, 7.0], ids=["by us", "by the database"])
def test_a_failure_in_the_first_of_waiting_writes_leaves_nothing_of_it_and_takes_nothing_of_the_others(db, importance):
    started, waiting = threading.Event(), threading.Semaphore(0)

    def first(tx):
        stored(tx, "half")
        started.set()
        for _ in range(5):
            waiting.acquire()
        stored(tx, "other half", importance=importance)
        raise NotFound("the first")

    def other(number):
        started.wait()
        waiting.release()
        db.write(lambda tx: stored(tx, f"{number}"))

    with ThreadPoolExecutor(6) as pool:
        ahead = pool.submit(db.write, first)
        list(pool.map(other, range(5)))
        with pytest.raises((NotFound, apsw.ConstraintError, psycopg.errors.CheckViolation)):
            ahead.result()
    assert sorted(keys(db)) == [f"{n}" for n in range(5)]


def test_all_writes_of_many_threads_are_there(db):
    def run(thread):
        return [keep(db, record(f"{thread}-{n}"))[0].id for n in range(50)]

    with ThreadPoolExecutor(8) as pool:
        ids = [i for part in pool.map(run, range(8)) for i in part]
    assert len(set(ids)) == 400
    with db.read() as tx:
        kept = records.by_ids(tx, ids)
    assert {r.key for r in kept.values()} == {f"{t}-{n}" for t in range(8) for n in range(50)}


def test_what_a_write_reads_stays_true_until_it_commits(open_db):
    """The engine looks before it writes: two processes that count up together lose no step."""
    handles = [open_db(), open_db()]

    def count_up(tx):
        settings.put(tx, "counter", str(int(settings.find(tx, "counter") or 0) + 1))

    def run(db):
        for _ in range(40):
            db.write(count_up)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, handles * 2))
    with handles[0].read() as tx:
        assert settings.find(tx, "counter") == "160"


def test_opening_a_new_store_many_times_at_once_makes_one(open_new):
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _: open_new(), range(6)))
    for number, db in enumerate(opened):
        keep(db, record(str(number)))
    assert sorted(keys(opened[0])) == ["0", "1", "2", "3", "4", "5"]
    epochs = []
    for db in opened:
        with db.read() as tx:
            epochs.append(settings.epoch(tx))
    assert len(set(epochs)) == 1
    assert len(epochs[0]) == 16


def test_a_store_that_a_newer_version_upgraded_is_read_but_not_written(open_db):
    db = open_db()
    keep(db, record("a"))
    if db.dialect == "sqlite":
        raw = apsw.Connection(str(db.path))
        raw.pragma("user_version", 99)
        raw.close()
    else:
        db.write(lambda tx: settings.put(of_tenant(tx, 0), "schema", "99"))
    with pytest.raises(Conflict, match=r"store was upgraded, restart me: .* has schema 99.*pip install -U indelible"):
        keep(db, record("b"))
    assert keys(db) == ["a"]
    with pytest.raises(Conflict, match="restart"):
        open_db()


def test_a_closed_store_refuses_writes(db):
    keep(db, record("a"))
    db.close()
    with pytest.raises(StoreError, match="closed"):
        keep(db, record("b"))


def test_a_store_says_that_it_is_sound_and_how_large_it_is(db):
    keep(db, record("a"))
    assert db.check() == []
    assert db.size() > 1000


def test_one_tenant_sees_nothing_of_another(db):
    mine, *theirs = keep(db, record("a", tenant=1), record("a", tenant=2), record("b", tenant=2))
    assert (keys(db, 1), keys(db, 2), keys(db, 3)) == (["a"], ["a", "b"], [])
    with db.read() as tx:
        assert [r.id for r in records.by_key(tx, "a")] == [mine.id]
        assert records.by_ids(tx, [1, 2, 3]).keys() == {mine.id}
        assert records.last_id(tx) == mine.id
        assert [c.record for c in changes.since(of_tenant(tx, 2), 0)] == [one.id for one in theirs]
    assert db.write(lambda tx: records.delete(tx, theirs[1].id)) == 0
    assert keys(db, 2) == ["a", "b"]
