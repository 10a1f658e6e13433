"""The change log: what followers (the caches of every process) rest on."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from indelible.errors import NotFound
from indelible.store.tables import changes, edges, records
from samples import TENANT, edge, keep, link, of_tenant, record, stored

EVER = 1 << 62


def since(db, position=0, tenant=TENANT):
    with db.read() as tx:
        return changes.since(of_tenant(tx, tenant), position)


def log(db, position=0):
    return [(c.operation, c.record) for c in since(db, position)]


def last(db):
    with db.read() as tx:
        return changes.last(tx)


def test_an_empty_log_stands_at_nothing(db):
    assert since(db) == []
    with db.read() as tx:
        now = changes.moment(tx)
        assert (changes.last(tx), now.last, now.oldest, now.last_link) == (0, 0, 0, 0)


def test_every_change_of_a_record_or_relation_is_in_the_log_in_order(db):
    a, b = keep(db, record("a"), record("b"))
    db.write(lambda tx: records.update(tx, replace(a, text="new")))
    link(db, edge(a.id, b.id, weight=0.5))
    link(db, edge(a.id, b.id, weight=0.6))
    db.write(lambda tx: records.set_replaced(tx, b.id, True))
    db.write(lambda tx: edges.delete(tx, edges.of_records(tx, [a.id])[0]))
    assert log(db) == [
        ("put", a.id),
        ("put", b.id),
        ("put", a.id),
        ("link", a.id),
        ("link", a.id),
        ("put", b.id),
        ("link", a.id),
    ]
    positions = [c.position for c in since(db)]
    assert positions == sorted(set(positions))
    assert last(db) == positions[-1]


def test_what_falls_with_a_record_is_in_the_log_too(db):
    a, b, c = db.write(lambda tx: stored(tx, "a", "b", "c"))
    link(db, edge(a, b), edge(c, b), edge(b, a))
    at = last(db)
    db.write(lambda tx: records.delete(tx, b))
    assert Counter(log(db, at)) == Counter([("delete", b), ("link", a), ("link", b), ("link", c)])


def test_what_was_undone_is_not_in_the_log(db):
    keep(db, record("a"))

    def work(tx):
        stored(tx, "b")
        raise NotFound("undone")

    with pytest.raises(NotFound):
        db.write(work)
    keep(db, record("c"))
    with db.read() as tx:
        (c,) = records.by_key(tx, "c")
    assert log(db) == [("put", 1), ("put", c.id)]


def test_a_follower_goes_on_after_the_last_position_that_it_saw(db):
    keep(db, record("a"))
    at = last(db)
    assert since(db, at) == []
    keep(db, record("b"))
    assert [c.position > at for c in since(db, at)] == [True]
    assert len(since(db)) == 2


def test_the_last_change_of_a_relation_is_known(db):
    a, b = db.write(lambda tx: stored(tx, "a", "b"))
    link(db, edge(a, b))
    at = last(db)
    keep(db, record("c"))
    with db.read() as tx:
        assert changes.moment(tx).last_link == at < changes.last(tx)
        assert changes.moment(of_tenant(tx, 2)).last_link == 0


def test_the_log_is_cut_by_position_and_by_age_and_never_loses_its_newest_entry(db):
    db.write(lambda tx: stored(tx, "a", "b", "c", "d"))
    db.write(lambda tx: stored(tx, "x", tenant=2))
    positions = [c.position for c in since(db)]
    assert db.write(lambda tx: changes.trim(tx, 0, positions[1])) == 2
    with db.read() as tx:
        assert changes.moment(tx).oldest == positions[2]
        assert changes.moment(tx).last == changes.last(tx) == positions[3]
        assert [changes.moment(tx).reaches_back_to(position) for position in positions[:3]] == [
            False,
            True,
            True,
        ]
    assert db.write(lambda tx: changes.trim(tx, EVER, 0)) == 1
    assert db.write(lambda tx: changes.trim(tx, EVER, EVER)) == 0
    assert [c.position for c in since(db)] == positions[3:]
    assert len(since(db, 0, tenant=2)) == 1


def test_positions_go_on_after_a_cut(db):
    db.write(lambda tx: stored(tx, "a", "b"))
    at = last(db)
    db.write(lambda tx: changes.trim(tx, EVER, EVER))
    keep(db, record("c"))
    assert [c.position > at for c in since(db, at)] == [True]


def test_a_follower_misses_no_change_of_writers_in_several_processes(open_db):
    """Positions become visible in their order, whichever writer commits first and whatever is undone between."""
    handles = [open_db(), open_db()]
    follower = open_db()

    def run(job):
        db, name = handles[job % 2], f"writer {job}"
        for n in range(60):
            try:
                db.write(lambda tx, key=f"{name}-{n}", fail=n % 7 == 3: add(tx, key, fail))
            except NotFound:
                continue

    def add(tx, key, fail):
        stored(tx, key, f"{key}'")
        if fail:
            raise NotFound("undone")

    seen, position = [], 0
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(run, job) for job in range(4)]
        done = False
        while not done:
            done = all(job.done() for job in jobs)  # looked at before the last reading
            news = since(follower, position)
            seen += news
            position = news[-1].position if news else position
        for job in jobs:
            job.result()
    assert seen == since(follower)
    assert len(seen) == 4 * 2 * (60 - 9)
