"""What stands beside records and relations: terms, access, events, trash, request keys, settings, projects, leases."""

from dataclasses import replace

import numpy as np
import pytest

from indelible.embed.base import SparseVector
from indelible.model import Access
from indelible.store.tables import (
    access,
    applied,
    edges,
    embeddings,
    events,
    leases,
    pending,
    projects,
    records,
    settings,
    terms,
    trash,
)
from indelible.store.tables.events import Event
from indelible.store.tables.trash import Discarded
from samples import edge, keep, link, of_tenant, record, stored

DAY = 86_400_000_000


def read(db, query, *arguments):
    with db.read() as tx:
        return query(tx, *arguments)


# --- Terms and their blocks ---


def test_terms_come_back_as_they_were_stored_by_ascending_record(db):
    a, b = keep(db, record("a", namespace="n", type="style"), record("b", kind="chunk"))
    db.write(lambda tx: terms.put(tx, b.id, {0: 1, 2**32 - 1: 300}))
    db.write(lambda tx: terms.put(tx, a.id, {7: 2, 5: 1}))
    first, second = read(db, terms.of_records, [b.id, a.id, 10**15])
    assert (first.record, first.namespace, first.kind, first.type, first.size) == (a.id, "n", "memory", "style", 3)
    assert (list(first.terms), list(first.counts)) == ([5, 7], [1, 2])
    assert (second.record, second.size, list(second.terms), list(second.counts)) == (
        b.id,
        301,
        [0, 2**32 - 1],
        [1, 255],
    )


def test_terms_of_a_record_are_replaced(db):
    (a,) = db.write(lambda tx: stored(tx, "a"))
    db.write(lambda tx: terms.put(tx, a, {1: 1}))
    db.write(lambda tx: terms.put(tx, a, {}))
    (entry,) = read(db, terms.of_records, [a])
    assert (entry.size, len(entry.terms)) == (0, 0)


def test_terms_are_read_by_ranges_that_leave_their_end_out(db):
    ids = db.write(lambda tx: stored(tx, "a", "b", "c", "d"))
    db.write(lambda tx: [terms.put(tx, i, {1: 1}) for i in ids[:3]])
    assert [e.record for e in read(db, terms.in_range, ids[1], ids[3])] == ids[1:3]
    assert read(db, terms.count_in_range, ids[1], ids[3]) == 2
    assert read(db, terms.records_without) == 1


def put_block(db, change, body=b"body", count=3, block=0, space=terms.WORDS, version=1):
    db.write(lambda tx: terms.put_block(tx, space, version, block, change, count, body))


def blocks(db, space=terms.WORDS, version=1):
    return read(db, terms.blocks, space, version)


def test_an_older_block_never_overwrites_a_newer_one(db):
    put_block(db, 20, b"new\x00\xff", 5)
    put_block(db, 10, b"old", 1)
    assert blocks(db) == [(0, 20, 5, b"new\x00\xff")]
    put_block(db, 20, b"again", 6)
    put_block(db, 30, b"newer", 7)
    put_block(db, 1, b"", 0, block=1)
    assert blocks(db) == [(0, 30, 7, b"newer"), (1, 1, 0, b"")]
    assert read(db, terms.block_sizes, terms.WORDS, 1) == [(0, 30, 7), (1, 1, 0)]
    assert [read(db, terms.block, terms.WORDS, 1, n) for n in range(3)] == [(30, b"newer"), (1, b""), None]


def test_blocks_of_another_version_are_not_read_and_are_overwritten(db):
    put_block(db, 20, version=1)
    assert blocks(db, version=2) == read(db, terms.block_sizes, terms.WORDS, 2) == []
    put_block(db, 10, b"other", version=2)
    assert blocks(db, version=2) == [(0, 10, 3, b"other")]
    assert blocks(db, version=1) == []


def test_spaces_have_blocks_of_their_own(db):
    for space in (terms.WORDS, terms.SPARSE, terms.DENSE):
        put_block(db, 20, b"of %d" % space, space=space)
    db.write(lambda tx: terms.move_block(tx, terms.SPARSE, 0, 50))
    assert [blocks(db, space) for space in (terms.WORDS, terms.SPARSE, terms.DENSE)] == [
        [(0, 20, 3, b"of 1")],
        [(0, 50, 3, b"of 2")],
        [(0, 20, 3, b"of 3")],
    ]


# --- Embeddings ---


def embed(db, record, *views, model="m", words=()):
    """Embed a record, as far as the store is concerned."""
    sparse = SparseVector(np.array(words, np.uint32), np.ones(len(words), np.float32))

    def work(tx):
        number = embeddings.add_model(tx, model, 64).number
        terms.put_sparse(tx, record, sparse)
        embeddings.put(tx, record, number, views)
        return number

    return db.write(work)


def test_of_another_models_embedding_nothing_is_left(db):
    (a,) = keep(db, record("a"))
    first = embed(db, a.id, (b"one", b"1"), (b"two", b"2"), words=[3, 7])
    (entry,) = read(db, terms.sparse_of_records, first, [a.id])
    assert (list(entry.terms), entry.size) == ([3, 7], 2)
    assert sorted(read(db, embeddings.vectors, first, [a.id])) == [(a.id, b"one"), (a.id, b"two")]
    second = embed(db, a.id, (b"other", b"3"), model="n")
    assert read(db, embeddings.vectors, second, [a.id]) == [(a.id, b"other")]
    assert read(db, embeddings.vectors, first, [a.id]) == []
    assert read(db, terms.sparse_of_records, second, [a.id]) == []  # the other model gave none
    assert read(db, embeddings.count_by_model) == {"n": 1}


def test_terms_without_an_embedding_are_not_found_by(db):
    (a,) = keep(db, record("a"))
    number = embed(db, a.id, (b"one", b"1"), words=[3])
    db.write(lambda tx: embeddings.put(tx, a.id, number, []))
    assert read(db, terms.sparse_of_records, number, [a.id]) == []
    assert read(db, terms.sparse_in_range, number, 0, a.id + 1) == []


def test_a_record_that_is_neither_embedded_nor_waiting_can_be_put_on_the_list(db):
    a, b, c = keep(db, record("a"), record("b"), record("c"))
    keep(db, record("d", kind="document"), record("e", text=""))  # which are never embedded
    embed(db, b.id, (b"one", b"1"))

    def lose(tx):
        for gone in (a, b):
            pending.take(tx, "me", 1, 2, 10)
            assert pending.done(tx, gone.id, "me")

    assert read(db, pending.forgotten) == 0
    db.write(lose)
    assert (read(db, pending.forgotten), read(db, pending.count)) == (1, 1)  # a; c waits
    db.write(lambda tx: pending.add_forgotten(of_tenant(tx, 2)))
    assert read(db, pending.forgotten) == 1
    db.write(pending.add_forgotten)
    assert (read(db, pending.forgotten), read(db, pending.count)) == (0, 2)
    assert db.write(lambda tx: pending.take(tx, "you", 9, 10, 10)) == [c.id, a.id]


# --- Access ---


def test_access_adds_up_and_keeps_the_latest_time(db):
    a, b = db.write(lambda tx: stored(tx, "a", "b"))
    db.write(lambda tx: access.add(tx, {a: Access(2, 50)}))
    db.write(lambda tx: access.add(tx, {b: Access(1, 2**60), a: Access(3, 40)}))
    assert read(db, access.of_records, [a, b]) == {a: Access(5, 50), b: Access(1, 2**60)}
    assert read(db, access.of_records, []) == {}


def test_access_of_records_that_are_gone_is_left_out(db):
    (a,) = db.write(lambda tx: stored(tx, "a"))
    db.write(lambda tx: access.add(tx, {a: Access(1, 1), 10**15: Access(1, 1)}))
    db.write(lambda tx: access.add(of_tenant(tx, 2), {a: Access(1, 1)}))
    db.write(lambda tx: access.add(tx, {}))
    assert read(db, access.of_records, [a, 10**15]) == {a: Access(1, 1)}


# --- Events ---


def event(time, tool="recall_memory", outcome="ok"):
    return Event(time, "s", "c", tool, ("a", "ü"), outcome, 1234, 56)


def test_old_events_are_folded_into_days_and_added_to_those_that_are_there(db):
    def fold(before):
        return db.write(lambda tx: events.fold(tx, before))

    late = [event(20_000 * DAY - 1), event(20_000 * DAY), event(20_000 * DAY + 5, outcome="error"), event(30_000 * DAY)]
    db.write(lambda tx: events.add(tx, late))
    assert fold(20_000 * DAY + 6) == 3
    assert fold(20_000 * DAY + 6) == 0
    db.write(lambda tx: events.add(tx, [event(20_000 * DAY + 7), event(20_000 * DAY + 7, "Zoo")]))
    assert fold(20_001 * DAY) == 2
    assert read(db, events.days) == [
        ("2024-10-03", "recall_memory", "ok", 1),
        ("2024-10-04", "Zoo", "ok", 1),
        ("2024-10-04", "recall_memory", "error", 1),
        ("2024-10-04", "recall_memory", "ok", 2),
    ]
    (kept,) = read(db, events.conversations, "recall_memory")
    assert (kept.calls, kept.last) == (1, 30_000 * DAY)


# --- Trash ---


def discarded(operation, number, tool="delete_memory", time=100, **fields):
    state = record(f"key {number}", kind="symbol", uid="")
    return Discarded(operation, tool, "delete", number, state.key, state, [], {"n": number, "ü": None}, time, **fields)


def throw(db, *things):
    db.write(lambda tx: [trash.add(tx, thing) for thing in things])


def test_a_discarded_record_comes_back_whole(db):
    (whole,) = keep(db, record("a", tags=("t", "ü"), metadata={"m": [1]}, importance=0.1))
    link(db, edge(whole.id, whole.id, metadata={"e": 1}))
    (relation,) = read(db, edges.of_records, [whole.id])
    body = trash.body_of(Access(3, 4))
    throw(db, Discarded("op", "delete_memory", "delete", whole.id, whole.key, whole, [relation], body, 9))
    db.write(lambda tx: records.delete(tx, whole.id))
    (found,) = read(db, trash.of_operation, "op")
    assert found.state == whole
    assert found.edges == [relation]
    assert trash.access_of(found.body) == Access(3, 4)
    assert trash.access_of(trash.body_of(None)) is None


def test_what_an_operation_took_away_is_listed_last_first(db):
    throw(db, discarded("x", 1), discarded("y", 2), discarded("x", 3))
    assert read(db, trash.of_operation, "x") == [discarded("x", 3), discarded("x", 1)]
    assert read(db, trash.of_operation, "z") == []
    assert read(db, trash.recent, 2) == [discarded("x", 3), discarded("y", 2)]
    assert read(db, trash.of_key, "key 2") == [discarded("y", 2)]


@pytest.mark.parametrize(
    "mark", [{"bulk": True}, {"additive": True}, {"revision": True}, {"reverses": 1}, {"reverses": 2}], ids=str
)
def test_what_was_taken_away_says_how_it_comes_back(db, mark):
    throw(db, discarded("x", 1, **mark), discarded("y", 1))
    assert read(db, trash.recent, 2) == [discarded("y", 1), discarded("x", 1, **mark)]


def test_what_was_taken_away_says_whose_call_it_was(db):
    throw(db, discarded("x", 1, who="tok_a"), discarded("x", 2))
    assert [(thing.record, thing.who) for thing in read(db, trash.of_operation, "x")] == [(2, ""), (1, "tok_a")]


def test_operations_are_listed_newest_first_with_how_much_each_took_away(db):
    assert read(db, trash.operations, 9) == []
    throw(db, discarded("x", 1), discarded("y", 2), discarded("x", 3), discarded("z", 4))
    throw(db, replace(discarded("x", 5), action="update"))
    assert [operation for operation, _ in read(db, trash.operations, 9)] == ["x", "z", "y"]
    assert [operation for operation, _ in read(db, trash.operations, 2)] == ["x", "z"]
    assert read(db, trash.actions, "x") == {"delete": 2, "update": 1}
    assert read(db, trash.first_of_operation, "x", 2) == [discarded("x", 1), discarded("x", 3)]
    with db.read() as tx:
        assert trash.operations(of_tenant(tx, 2), 9) == trash.first_of_operation(of_tenant(tx, 2), "x", 9) == []
        assert trash.actions(of_tenant(tx, 2), "x") == {}


def test_the_last_operation_is_neither_undone_nor_an_undo(db):
    assert read(db, trash.last_operation) is None
    throw(db, discarded("x", 1), discarded("y", 2), discarded("u", 2, tool="undo", reverses=trash.REVERSES))
    assert read(db, trash.last_operation) == "y"
    db.write(lambda tx: trash.mark_undone(tx, "y", 555))
    assert read(db, trash.last_operation) == "x"
    assert read(db, trash.of_operation, "y") == [discarded("y", 2, undone=True)]
    assert read(db, trash.count) == 2


def test_later_operations_on_the_same_records_are_known_unless_undone(db):
    throw(db, discarded("x", 1), discarded("x", 2), discarded("other", 3))
    throw(db, discarded("z", 2, tool="update_memory"), discarded("Y", 1), discarded("z", 1, tool="update_memory"))
    throw(db, discarded("u", 1, tool="undo", reverses=trash.REVERSES))
    assert read(db, trash.later, "x") == [("Y", "delete_memory"), ("z", "update_memory")]
    assert read(db, trash.later, "Y") == [("z", "update_memory")]
    assert read(db, trash.later, "z") == []
    throw(db, discarded("again", 2, tool="undo", reverses=trash.REPEATS))
    assert read(db, trash.later, "z") == [("again", "undo")]
    assert read(db, trash.later, "u") == []
    throw(db, discarded("v", 1, tool="undo", reverses=trash.REVERSES))
    assert read(db, trash.later, "u") == [("v", "undo")]
    db.write(lambda tx: trash.mark_undone(tx, "again", 1))
    db.write(lambda tx: trash.mark_undone(tx, "z", 1))
    assert read(db, trash.later, "x") == [("Y", "delete_memory")]
    assert read(db, trash.later, "other") == []


def test_the_trash_is_emptied_of_what_is_old(db):
    throw(db, discarded("x", 1, time=99), discarded("x", 2, time=100))
    assert db.write(lambda tx: trash.trim(tx, 100)) == 1
    assert read(db, trash.recent, 9) == [discarded("x", 2)]


# --- Request keys, settings, projects, leases ---


@pytest.mark.parametrize("result", [None, {"id": "ü", "n": [1.5, True]}, "text"])
def test_the_answer_of_an_applied_request_is_kept_until_it_is_old(db, result):
    db.write(lambda tx: applied.add(tx, "key", "digest", result, 50))
    assert read(db, applied.find, "key") == ("digest", result)
    assert read(db, applied.find, "other") is None
    with db.read() as tx:
        assert applied.find(of_tenant(tx, 2), "key") is None
    assert db.write(lambda tx: applied.trim(tx, 50)) == 0
    assert db.write(lambda tx: applied.trim(tx, 51)) == 1
    assert read(db, applied.find, "key") is None


def test_a_setting_is_what_was_put_last_and_belongs_to_its_tenant(db):
    assert read(db, settings.find, "weights") is None
    db.write(lambda tx: settings.put(tx, "weights", "1"))
    db.write(lambda tx: settings.put(tx, "weights", "ü%"))
    assert read(db, settings.find, "weights") == "ü%"
    with db.read() as tx:
        assert settings.find(of_tenant(tx, 2), "weights") is None


def test_an_alias_stays_with_its_first_namespace(db):
    db.write(lambda tx: projects.add(tx, "/b", "/a", 1))
    db.write(lambda tx: projects.add(tx, "/B", "/x", 1))
    db.write(lambda tx: projects.add(tx, "/b", "/other", 2))
    db.write(lambda tx: projects.add(of_tenant(tx, 2), "/b", "/c", 2))
    assert list(read(db, projects.aliases).items()) == [("/B", "/x"), ("/b", "/a")]


def test_joined_namespaces_share_their_aliases_and_the_time_of_the_first(db):
    for alias, namespace, created in (("/a", "/a", 5), ("/b", "/b", 3), ("host/b", "/b", 4), ("/c", "/c", 1)):
        db.write(lambda tx, row=(alias, namespace, created): projects.add(tx, *row))
    db.write(lambda tx: projects.add(of_tenant(tx, 2), "/b", "/b", 1))
    assert read(db, projects.since) == {"/a": 5, "/b": 3, "/c": 1}
    db.write(lambda tx: projects.join(tx, "/b", "/a"))
    assert read(db, projects.aliases) == {"/a": "/a", "/b": "/a", "host/b": "/a", "/c": "/c"}
    assert read(db, projects.since) == {"/a": 3, "/c": 1}
    with db.read() as tx:
        assert projects.aliases(of_tenant(tx, 2)) == {"/b": "/b"}


def test_a_lease_is_had_by_one_until_it_is_over_or_given_back(db):
    def take(owner, now, name="seal"):
        return db.write(lambda tx: leases.take(tx, name, owner, now, now + 10))

    assert take("ann", 100)
    assert not take("bob", 109)
    assert take("bob", 109, "daily")
    assert take("ann", 109)  # renewed, to 119
    assert not take("bob", 118)
    assert take("bob", 119)
    db.write(lambda tx: leases.release(tx, "seal", "ann"))  # no longer hers
    assert not take("ann", 120)
    db.write(lambda tx: leases.release(tx, "seal", "bob"))
    assert take("ann", 120)
