"""A session with PostgreSQL that is lost: in a write, in its commit, in a read."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from indelible.errors import Conflict, Interrupted, StoreError
from indelible.store.group_commit import unrepeated
from indelible.store.tables import records
from postgres_store import NOTHING_WRITTEN, fail_with, fetch, keys, wait_for_a_waiting_writer
from samples import keep, record, stored


def end_sessions(connection):
    """End every session of Indelible; returns when they are gone."""
    connection.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE application_name = 'indelible' AND pid <> pg_backend_pid()"
    )


@pytest.mark.process
def test_lost_sessions_are_replaced_at_the_next_use(pg, psql):
    keep(pg, record("a"))
    with pg.read() as first, pg.read() as second:
        assert records.last_id(first) == records.last_id(second) == 1
    end_sessions(psql())
    assert keys(pg) == ["a"]
    end_sessions(psql())
    keep(pg, record("b"))
    assert keys(pg) == ["a", "b"]
    assert pg.check() == []


def losing(times, runs):
    """A write that stores `lost`, whose session ends that many times before it is done."""

    def work(tx):
        runs.append(stored(tx, "lost"))
        if len(runs) <= times:
            fetch(tx, "SELECT pg_terminate_backend(pg_backend_pid())")

    return work


@pytest.mark.process
def test_a_write_whose_session_is_lost_is_run_again_and_done_once(pg):
    runs = []
    pg.write(losing(2, runs))
    keep(pg, record("a"))
    assert (len(runs), keys(pg)) == (3, ["lost", "a"])


@pytest.mark.process
def test_a_write_whose_session_is_lost_again_and_again_is_reported_as_not_written(open_pg):
    pg, runs = open_pg(wait=1), []  # each connecting anew must fit in it, on a busy machine too
    with pytest.raises(StoreError, match=f"cannot be reached .*{NOTHING_WRITTEN}. Repeat"):
        pg.write(losing(1000, runs))
    keep(pg, record("a"))
    assert keys(pg) == ["a"]
    assert len(runs) > 1


@pytest.mark.process
def test_what_cannot_be_run_again_is_not_and_says_so(pg):
    runs = []
    with pytest.raises(Interrupted, match=r"what was committed before is kept\. Repeat"):
        pg.write(unrepeated(losing(1, runs)))
    assert (len(runs), keys(pg)) == (1, [])
    pg.write(unrepeated(losing(0, runs)))
    assert keys(pg) == ["lost"]


@pytest.mark.process
@pytest.mark.parametrize("state", ["40001", "40P01", "26000", "42P05"])
def test_a_write_that_the_server_undid_for_the_sake_of_another_is_run_again(pg, state):
    runs = []

    def work(tx):
        runs.append(stored(tx, "a"))
        if len(runs) == 1:
            fail_with(tx, state)

    pg.write(work)
    assert (len(runs), keys(pg)) == (2, ["a"])


@pytest.mark.process
def test_writes_that_were_to_be_committed_with_a_lost_one_are_done_once_each_and_get_their_own_answers(pg):
    """The first is held up until the others wait, so that all of them are of one transaction."""
    others_wait, runs = threading.Event(), []

    def held_up(tx):
        others_wait.wait()
        runs.append("held up")
        return stored(tx, "first")

    def refused(tx):
        stored(tx, "never")
        raise Conflict("refused")

    def second(tx):
        stored(tx, "second")
        if runs == ["held up"]:
            fetch(tx, "SELECT pg_terminate_backend(pg_backend_pid())")
        return "second"

    with ThreadPoolExecutor() as pool:
        first = pool.submit(pg.write, held_up)
        rest = [pool.submit(pg.write, work) for work in (refused, second)]
        while pg._writer._waiting.qsize() < 2:
            pass
        others_wait.set()
        assert first.result()
        with pytest.raises(Conflict, match="refused"):
            rest[0].result()
        assert rest[1].result() == "second"
    assert sorted(keys(pg)) == ["first", "second"]
    assert len(runs) == 2


@pytest.mark.process
def test_a_session_that_is_lost_in_a_read_is_reported_and_replaced(pg, psql):
    keep(pg, record("a"))
    other = psql()

    def lose_it():
        with pg.read() as tx:
            end_sessions(other)
            records.last_id(tx)

    with pytest.raises(Interrupted, match="cannot be reached"):
        lose_it()
    assert keys(pg) == ["a"]


@pytest.mark.process
def test_a_write_whose_commit_never_arrived_is_run_again(wire, pg):
    keep(wire.db, record("a"))
    wire.lose = "commit"
    keep(wire.db, record("b"))
    assert keys(pg) == ["a", "b"]


@pytest.mark.process
def test_a_write_whose_commit_was_done_but_not_answered_is_acknowledged(wire, pg):
    keep(wire.db, record("a"))
    wire.lose = "answer"
    keep(wire.db, record("b"))
    keep(wire.db, record("c"))
    assert keys(pg) == ["a", "b", "c"]


@pytest.mark.process
def test_a_write_whose_session_is_lost_but_still_at_work_is_told_only_when_it_has_ended(wire, pg, psql):
    keep(wire.db, record("a"))
    wire.lose = "late"
    with ThreadPoolExecutor() as pool:
        lost = pool.submit(keep, wire.db, record("b"))
        wait_for_a_waiting_writer(psql())
        assert not lost.done()
        wire.deliver()
        lost.result()
    assert keys(pg) == ["a", "b"]


@pytest.mark.process
@pytest.mark.parametrize(("lost", "kept"), [("commit", []), ("answer", ["a"])])
def test_a_write_is_reported_as_unknown_where_nobody_can_be_asked(wire, open_pg, pg, lost, kept):
    hasty = open_pg(wire.url, wait=1)
    hasty.write(lambda tx: None)
    wire.lose, wire.for_good = lost, True
    with pytest.raises(StoreError, match=r"whether this call was written is unknown.*same request key"):
        keep(hasty, record("a"))
    keep(pg, record("z"))  # waits for what the lost session did
    assert keys(pg) == [*kept, "z"]
    with pytest.raises(StoreError, match=f"cannot be reached .*{NOTHING_WRITTEN}"):
        keep(hasty, record("b"))
    (found,) = hasty.check()
    assert "cannot be reached" in found
    hasty.close()


@pytest.mark.process
def test_a_write_that_stands_still_does_not_keep_the_others_waiting_for_ever(open_pg):
    hasty, patient = open_pg(wait=1), open_pg()
    others_are_done, begun = threading.Event(), threading.Event()

    def stand_still(tx):
        stored(tx, "slow")
        begun.set()
        others_are_done.wait()

    with ThreadPoolExecutor() as pool:
        slow = pool.submit(hasty.write, stand_still)
        begun.wait()
        try:
            keep(patient, record("a"))
        finally:
            others_are_done.set()
        with pytest.raises(StoreError, match=f"stood still.*{NOTHING_WRITTEN}|cannot be reached.*{NOTHING_WRITTEN}"):
            slow.result()
    keep(hasty, record("b"))
    assert keys(patient) == ["a", "b"]
