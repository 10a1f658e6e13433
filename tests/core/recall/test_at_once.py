"""Recalls of several threads: the caches are held for the look-up of a query, and not for what is computed of it."""

import threading

import pytest

from indelible.core.recall.candidates import Query, candidates, searching
from indelible.core.recall.recall import recall
from indelible.store.tables import records
from made_up_meaning import embed_all, with_meaning

PATIENCE = 60.0


@pytest.fixture
def ctx(memory):
    ctx = with_meaning(memory.context)
    for number in range(30):
        memory.store_memory(content=f"the deploy of service {number} failed at night")
    embed_all(ctx)
    return ctx


def in_another_thread(work):
    """Run it to its end, and return what it gave."""
    given = []
    thread = threading.Thread(target=lambda: given.append(work()), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert given, "the other thread waits for this recall"
    return given[0]


def texts(ctx, query):
    return [hit.record.text for hit in recall(ctx, Query(query, 5))]


def state_of(ctx, tx, query, search):
    found = candidates(ctx, tx, query, search, None, 60)
    return found.near.ids.tolist(), found.near.values.tolist(), found.complete


def test_while_one_recall_goes_on_others_recall_and_follow_changes_and_it_stays_at_its_moment(memory, ctx):
    query = Query("which deploy failed", 5)

    def change_and_recall():
        (first, second, *_) = memory.recall_memory(query="deploy of service 7", k=5)
        memory.delete_memory(id=first["id"])
        memory.update_memory(id=second["id"], content="a deploy that went well")
        for number in range(3):
            memory.store_memory(content=f"another deploy failed by day {number}")
        embed_all(ctx)
        return texts(ctx, "a deploy that went well")[0]

    with ctx.store.read() as tx, searching(ctx, tx, query, query.text, 60) as search:
        before = state_of(ctx, tx, query, search)
        assert in_another_thread(change_and_recall) == "a deploy that went well"
        assert state_of(ctx, tx, query, search) == before
        assert search.best(10)[0].tolist() == search.best(10)[0].tolist()
        ids = search.best(1_000)[0]
        assert len(ids) == 30
        assert set(records.by_ids(tx, ids.tolist())) == set(ids.tolist())
    assert texts(ctx, "another deploy failed by day 1")[0] == "another deploy failed by day 1"


@pytest.mark.slow
def test_many_recalls_beside_many_changes_find_all_that_they_should(memory, ctx):
    found, wrong, ended = [0] * 3, [], threading.Event()

    def ask(place):
        while not (ended.is_set() and found[place]) and not wrong:
            number = found[place] % 30
            hits = recall(ctx, Query(f"which deploy of service {number} failed", 5))
            if len(hits) != 5 or f"the deploy of service {number} failed at night" not in [h.record.text for h in hits]:
                wrong.append([hit.record.text for hit in hits])
            found[place] += 1

    threads = [threading.Thread(target=ask, args=(place,), daemon=True) for place in range(len(found))]
    for thread in threads:
        thread.start()
    for number in range(12):
        id_ = memory.store_memory(content=f"a change by hand {number}")["id"]
        embed_all(ctx)
        if number % 2:
            memory.update_memory(id=id_, content=f"another change {number}")
        if number % 3 == 0:
            memory.delete_memory(id=id_)
    ended.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert wrong == []
    assert all(found)
