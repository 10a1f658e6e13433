"""Vectors, sparse terms and what is still to be embedded; and which records stand beside which."""

from dataclasses import replace

import numpy as np
import pytest

from indelible.embed.base import SparseVector
from indelible.search.index import vectors
from indelible.store.tables import changes, embeddings, pending, records, terms
from indelible.store.tables.embeddings import Model
from samples import TENANT, keep, of_tenant, record, stored

MINE, THEIRS = "m-é/1", "M-é/1"  # two names, though of one sort of letters
SOON, LATE = 1000, 2000


def read(db, query, *arguments, tenant=TENANT):
    with db.read() as tx:
        return query(of_tenant(tx, tenant), *arguments)


def write(db, query, *arguments, tenant=TENANT):
    return db.write(lambda tx: query(of_tenant(tx, tenant), *arguments))


@pytest.fixture
def mine(db):
    return write(db, embeddings.add_model, MINE, 16).number


@pytest.fixture
def theirs(db):
    return write(db, embeddings.add_model, THEIRS, 8).number


def store(db, *keys):
    """Store a text of each key; the ids."""
    return db.write(lambda tx: stored(tx, *keys))


def views(*numbers):
    """Vectors and codes that tell their numbers."""
    return [(bytes([n, 255]), bytes([n]) * 8) for n in numbers]


def embed(db, record, model, *numbers):
    write(db, embeddings.put, record, model, views(*numbers))


def bodies(db, model, *ids):
    return sorted(read(db, embeddings.vectors, model, ids))


def sparse(*terms_):
    return SparseVector(np.array(terms_, np.uint32), np.ones(len(terms_), np.float32))


def codes(found):
    return [(coded.record, coded.codes[:, 0].tolist()) for coded in found]


# --- Models ---


def test_a_model_gets_a_number_once_and_keeps_its_dimensions(db):
    assert read(db, embeddings.model, MINE) is None
    first = write(db, embeddings.add_model, MINE, 384)
    assert first.dimensions == 384
    assert write(db, embeddings.add_model, MINE, 7) == first == read(db, embeddings.model, MINE)
    second = write(db, embeddings.add_model, THEIRS, 8)
    assert second.number > first.number
    assert read(db, embeddings.models) == [first, second] == [Model(first.number, 384), Model(second.number, 8)]


def test_a_model_of_another_tenant_is_another_model(db, mine):
    assert read(db, embeddings.model, MINE, tenant=2) is None
    assert write(db, embeddings.add_model, MINE, 4, tenant=2).number != mine
    assert [model.number for model in read(db, embeddings.models)] == [mine]


# --- Vectors ---


def test_vectors_come_back_as_they_were_stored(db, mine):
    a, b = store(db, "a", "b")
    embed(db, a, mine, 1, 2, 3)
    embed(db, b, mine, 4)
    assert bodies(db, mine, a, b, 10**15) == [(a, b"\x01\xff"), (a, b"\x02\xff"), (a, b"\x03\xff"), (b, b"\x04\xff")]
    assert bodies(db, mine, b) == [(b, b"\x04\xff")]
    assert bodies(db, mine) == []


def test_the_vectors_of_a_text_are_replaced_whole_whatever_model_made_them(db, mine, theirs):
    (a,) = store(db, "a")
    embed(db, a, mine, 1, 2, 3)
    embed(db, a, mine, 9)
    assert bodies(db, mine, a) == [(a, b"\x09\xff")]
    embed(db, a, theirs, 5, 6)
    assert bodies(db, mine, a) == []
    assert bodies(db, theirs, a) == [(a, b"\x05\xff"), (a, b"\x06\xff")]
    assert read(db, embeddings.count_by_model) == {THEIRS: 1}


def test_records_are_counted_by_model_not_their_windows(db, mine, theirs):
    a, b, c = store(db, "a", "b", "c")
    embed(db, a, mine, 1, 2, 3)
    embed(db, b, mine, 1)
    embed(db, c, theirs, 1, 2)
    assert read(db, embeddings.count_by_model) == {MINE: 2, THEIRS: 1}
    assert read(db, embeddings.count_by_model, tenant=2) == {}
    assert read(db, embeddings.count_in_range, mine, a, c + 1) == 2
    assert read(db, embeddings.count_in_range, mine, a, b) == 1
    assert read(db, embeddings.count_in_range, theirs, a, c) == 0


def test_codes_come_by_ascending_record_with_their_windows_in_order(db, mine, theirs):
    a, b, c, d = (
        kept.id
        for kept in keep(
            db, record("a", namespace="n", type="style"), record("b", kind="chunk"), record("c"), record("d")
        )
    )
    numbers = list(range(12, 0, -1))  # more than nine windows: 10 comes after 9, not after 1
    embed(db, c, mine, 7)
    embed(db, b, theirs, 8)
    embed(db, a, mine, *numbers)
    assert codes(read(db, embeddings.codes_of, mine, [c, d, b, a])) == [(a, numbers), (c, [7])]
    assert codes(read(db, embeddings.codes_in_range, mine, a, d)) == [(a, numbers), (c, [7])]
    assert codes(read(db, embeddings.codes_in_range, mine, a, c)) == [(a, numbers)]
    assert codes(read(db, embeddings.codes_in_range, mine, a + 1, d)) == [(c, [7])]
    (first, _) = read(db, embeddings.codes_of, mine, [a, c])
    assert first.group == ("n", "memory", "style")
    assert first.codes.shape == (12, 8)
    (foreign,) = read(db, embeddings.codes_of, theirs, [b])
    assert foreign.group == ("", "chunk", "")


def test_real_vectors_survive_the_store(db, mine):
    (a,) = store(db, "a")
    dense = np.random.default_rng(1).standard_normal((3, 16)).astype(np.float32)
    dense /= np.linalg.norm(dense, axis=1, keepdims=True)
    write(db, embeddings.put, a, mine, vectors.pack(dense))
    found = vectors.unpack([body for _, body in read(db, embeddings.vectors, mine, [a])])
    np.testing.assert_allclose(sorted(found.tolist()), sorted(dense.tolist()), atol=1e-3)
    (coded,) = read(db, embeddings.codes_of, mine, [a])
    assert [bin(int(row[:2].view(">u2")[0]))[2:].zfill(16) for row in coded.codes] == [
        "".join("1" if value > 0 else "0" for value in row) for row in dense
    ]


# --- Sparse terms ---


def test_sparse_terms_belong_to_the_model_that_embedded_the_record(db, mine, theirs):
    a, b, c = store(db, "a", "b", "c")
    for each, model in ((a, mine), (b, theirs), (c, mine)):
        embed(db, each, model, 1)
        write(db, terms.put_sparse, each, sparse(each + 5, each + 9))
    found = read(db, terms.sparse_of_records, mine, [c, b, a])
    assert [(entry.record, entry.terms.tolist()) for entry in found] == [(a, [a + 5, a + 9]), (c, [c + 5, c + 9])]
    assert [entry.record for entry in read(db, terms.sparse_in_range, mine, a, c)] == [a]
    assert [entry.record for entry in read(db, terms.sparse_in_range, theirs, a, c)] == [b]


def test_sparse_terms_are_replaced(db, mine):
    (a,) = store(db, "a")
    embed(db, a, mine, 1, 2)  # two windows, one row of terms
    write(db, terms.put_sparse, a, sparse(1, 2, 3))
    write(db, terms.put_sparse, a, sparse(4))
    (entry,) = read(db, terms.sparse_of_records, mine, [a])
    assert (entry.terms.tolist(), entry.size) == ([4], 1)


def test_a_vector_without_sparse_terms_leaves_none_of_the_one_before(db, mine, theirs):
    (a,) = store(db, "a")
    embed(db, a, mine, 1)
    write(db, terms.put_sparse, a, sparse(1, 2, 3))
    embed(db, a, theirs, 1)
    write(db, terms.put_sparse, a, sparse())
    assert [entry.terms.tolist() for entry in read(db, terms.sparse_of_records, theirs, [a])] == []


# --- What the database itself sees to ---


def operations(db, record):
    return [change.operation for change in read(db, changes.since, 0) if change.record == record]


def embedded(db, mine, key="a", **fields):
    """A record that has vectors and sparse terms and waits for nothing; as it is in the store."""
    (kept,) = keep(db, record(key, **fields))

    def work(tx):
        assert pending.done(tx, kept.id, "")
        embeddings.put(tx, kept.id, mine, views(1, 2))
        terms.put(tx, kept.id, {1: 1})
        terms.put_sparse(tx, kept.id, sparse(1, 2))

    db.write(work)
    return kept


def state(db, mine, record):
    """(waits, vectors, records with sparse terms, records with words)"""
    return (
        record in write(db, pending.take, "looking", 0, 0, 100),
        len(bodies(db, mine, record)),
        len(read(db, terms.sparse_of_records, mine, [record])),
        len(read(db, terms.of_records, [record])),
    )


def change(db, kept, **fields):
    assert write(db, lambda tx: records.update(tx, replace(kept, **fields))) == 1


@pytest.mark.parametrize("kind", ["memory", "chunk", "solution", "message"])
def test_a_new_text_waits_for_its_embedding(db, mine, kind):
    (kept,) = keep(db, record("a", kind=kind))
    assert state(db, mine, kept.id) == (True, 0, 0, 0)


@pytest.mark.parametrize("fields", [{"kind": "document"}, {"kind": "file"}, {"text": ""}])
def test_whole_documents_and_empty_texts_are_not_embedded(db, fields):
    keep(db, record("a", **fields))
    assert read(db, pending.count) == 0


def test_a_changed_text_loses_its_vectors_and_waits_again(db, mine):
    kept = embedded(db, mine)
    assert state(db, mine, kept.id) == (False, 2, 1, 1)
    change(db, kept, text="another text")
    assert state(db, mine, kept.id) == (True, 0, 0, 1)
    assert operations(db, kept.id) == ["put", "embed", "put"]


def test_a_text_that_becomes_empty_loses_its_vectors_and_waits_for_nothing(db, mine):
    kept = embedded(db, mine)
    change(db, kept, text="")
    assert state(db, mine, kept.id) == (False, 0, 0, 1)


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"a": 1}},
        {"tags": ("t",)},
        {"importance": 0.1},
        {"type": "style"},
        {"label": "l"},
        {"replaced": True},
        {"updated": 99},
        {},
    ],
)
def test_what_is_not_the_text_may_change_and_the_vectors_stay(db, mine, fields):
    kept = embedded(db, mine)
    change(db, kept, **fields)
    assert state(db, mine, kept.id) == (False, 2, 1, 1)


def test_a_text_that_changes_while_it_is_claimed_is_claimed_by_nobody(db):
    (kept,) = keep(db, record("a"))
    assert write(db, pending.take, "ann", 0, SOON, 9) == [kept.id]
    change(db, kept, text="another text")
    assert write(db, pending.done, kept.id, "ann") is False
    assert write(db, pending.take, "bob", 0, SOON, 9) == [kept.id]


def test_with_a_record_go_its_vectors_and_its_place_on_the_list(db, mine):
    a, b = embedded(db, mine).id, embedded(db, mine, "b").id
    (c,) = store(db, "c")
    write(db, records.delete, a)
    write(db, records.delete, c)
    assert bodies(db, mine, a, b) == [(b, b"\x01\xff"), (b, b"\x02\xff")]
    assert read(db, embeddings.count_by_model) == {MINE: 1}
    assert read(db, pending.count) == 0
    assert operations(db, a)[-1] == "delete"


def test_the_log_notes_one_embedding_of_a_text_of_many_windows(db, mine):
    (a,) = store(db, "a")
    embed(db, a, mine, *range(20))
    assert operations(db, a) == ["put", "embed"]
    embed(db, a, mine, 1)
    assert operations(db, a) == ["put", "embed", "embed"]
    assert read(db, changes.count_in_range, 0, a, a + 1, True) == 3
    assert read(db, changes.count_in_range, 0, a, a + 1, False) == 1
    assert read(db, changes.since, 0, tenant=2) == []


# --- The list of what waits ---


def test_the_newest_are_claimed_first_and_each_by_one(db):
    a, b, c = store(db, "a", "b", "c")
    assert write(db, pending.take, "ann", 0, SOON, 2) == [c, b]
    assert write(db, pending.take, "bob", 0, SOON, 2) == [a]
    assert write(db, pending.take, "cid", 0, SOON, 2) == []
    assert read(db, pending.count) == 3
    assert write(db, pending.take, "dan", 0, SOON, 2, tenant=2) == []


def test_a_claim_holds_to_the_end_of_its_lease_and_not_longer(db):
    (a,) = store(db, "a")
    write(db, pending.take, "ann", 0, SOON, 9)
    assert write(db, pending.take, "bob", SOON - 1, LATE, 9) == []
    assert write(db, pending.take, "bob", SOON, LATE, 9) == [a]
    assert write(db, pending.done, a, "ann") is False  # bob is at it
    assert write(db, pending.done, a, "bob") is True
    assert write(db, pending.done, a, "bob") is False
    assert read(db, pending.count) == 0


def test_a_claim_can_be_prolonged_by_who_has_it(db):
    a, b = store(db, "a", "b")
    write(db, pending.take, "ann", 0, SOON, 1)
    write(db, pending.take, "bob", 0, SOON, 1)
    write(db, pending.prolong, "ann", [a, b], LATE)
    assert write(db, pending.take, "cid", SOON, LATE + 9, 9) == [a]
    assert write(db, pending.take, "cid", LATE, LATE + 9, 9) == [b]


def test_what_is_given_back_is_free_at_once_and_nothing_else(db):
    a, b = store(db, "a", "b")
    write(db, pending.take, "ann", 0, SOON, 1)
    write(db, pending.take, "bob", 0, SOON, 1)
    write(db, pending.release, "ann", [a, b])
    assert write(db, pending.take, "cid", 0, SOON, 9) == [b]
    assert write(db, pending.done, a, "bob") is True


def test_the_newest_that_wait_come_by_kind_and_namespace(db):
    keep(db, record("old"))
    texts = keep(db, *(record(f"a{n}", namespace="/a") for n in range(3)), record("b", namespace="/b"))
    symbols = keep(db, record("s", kind="symbol"), record("t", kind="symbol"))
    keep(db, record("other", tenant=2))
    write(db, pending.take, "ann", 0, SOON, 1)
    found = {each.namespace: each for each in read(db, pending.groups, 4)}
    ids = [kept.id for kept in texts]
    assert sorted(found.pop("/a").records) == ids[:3]
    assert found == {"/b": ("memory", "/b", ids[3:], True)}
    (code,) = read(db, lambda tx: pending.groups(tx, 9, code=True))
    assert (sorted(code.records), code.claimed) == ([kept.id for kept in symbols], False)


def test_it_can_be_asked_of_some_whether_they_wait(db):
    a, b, c = store(db, "a", "b", "c")
    write(db, pending.take, "ann", 0, SOON, 9)
    assert write(db, pending.done, b, "ann")
    assert read(db, pending.unembedded, [a, b, c + 99]) == {a}
    assert read(db, pending.unembedded, [a], tenant=2) == set()


def test_of_what_was_claimed_a_part_can_be_given_back(db):
    a, b, c, d = store(db, "a", "b", "c", "d")
    write(db, pending.take, "bob", 0, SOON, 1)
    write(db, pending.take, "ann", 0, SOON, 3)
    write(db, pending.release, "ann", [a, c, d])
    assert write(db, pending.take, "cid", 0, SOON, 9) == [c, a]
    assert write(db, pending.done, d, "bob") is True
    assert write(db, pending.done, b, "ann") is True
    write(db, pending.release, "cid", [a, b, c, d])
    assert write(db, pending.take, "dan", 0, SOON, 9) == [c, a]


def test_another_tenants_claims_are_not_touched(db):
    (theirs,) = (kept.id for kept in keep(db, record("a", tenant=2)))
    assert write(db, pending.take, "ann", 0, SOON, 9, tenant=2) == [theirs]
    write(db, pending.release, "ann", [theirs])
    write(db, pending.prolong, "ann", [theirs], 0)
    assert write(db, pending.done, theirs, "ann") is False
    assert write(db, pending.take, "bob", 0, SOON, 9, tenant=2) == []
    assert write(db, pending.done, theirs, "ann", tenant=2) is True


def test_what_another_model_embedded_is_put_on_the_list_once(db, mine, theirs):
    a, b = embedded(db, mine).id, embedded(db, mine, "b").id
    (c,) = store(db, "c")  # waits already
    embed(db, b, theirs, 1, 2)
    for _ in range(2):
        write(db, pending.add_other_models, theirs)
        assert read(db, pending.count) == 2
    assert write(db, pending.take, "ann", 0, SOON, 9) == [c, a]
    write(db, pending.add_other_models, 0)  # a model without a number yet: everything is another's
    assert read(db, pending.count) == 3
    assert write(db, pending.take, "bob", 0, SOON, 9) == [b]
    assert len(bodies(db, mine, a)) == 2  # found by it until it is renewed


# --- Neighbours ---


def beside(db, window, *ids):
    return sorted(tuple(row)[:5] for row in read(db, records.beside, list(ids), window))


def turns(db, *positions, session="s", **fields):
    given = [
        record(f"{session}{fields.get('tenant', '')}{i}", session=session, position=p, **fields)
        for i, p in enumerate(positions)
    ]
    return [kept.id for kept in keep(db, *given)]


def test_the_two_before_and_the_two_after_are_neighbours_whatever_the_order_of_storing(db):
    e, b, d, a, c = turns(db, 50, 20, 40, 10, 30)
    assert beside(db, 1000, c) == [(c, b, a, d, e)]
    assert beside(db, 1000, a) == [(a, 0, 0, b, c)]
    assert beside(db, 1000, e, b) == sorted([(e, d, c, 0, 0), (b, a, 0, c, d)])


def test_neighbours_are_at_most_a_window_away(db):
    a, b, c = turns(db, 100, 200, 301)
    assert beside(db, 100, b) == [(b, a, 0, 0, 0)]
    assert beside(db, 101, b) == [(b, a, 0, c, 0)]
    assert beside(db, 99, b) == [(b, 0, 0, 0, 0)]


def test_neighbours_at_one_position_follow_each_other_by_their_ids(db):
    a, b, c, d = turns(db, 5, 5, 5, 5)
    assert beside(db, 0, b) == [(b, a, 0, c, d)]
    assert beside(db, 0, d) == [(d, c, b, 0, 0)]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Which port?", True),
        ("Which port? [a picture]", True),
        ("どのポートですか？", True),
        ("The port is 8080", False),
        ("See https://example.com/?port=8080", False),
        ("Which port? " + "x" * 200, False),
        ("x" * 2000 + " which port?", True),
        ("", False),
    ],
)
def test_a_neighbour_says_whether_its_text_ends_with_a_question(db, text, asks):
    (id_,) = turns(db, 10, text=text)
    ((*_, found),) = read(db, records.beside, [id_], 1000)
    assert bool(found) is asks


def test_only_what_has_a_session_has_neighbours_and_only_of_its_own(db):
    (alone,) = turns(db, 10, session="other")
    nobodys = turns(db, 10, 11, 12, session="")
    theirs = turns(db, *range(10, 20), tenant=2)[-2:]  # ids that no record of ours has
    a, b = turns(db, 10, 11)
    assert beside(db, 1000, *nobodys) == []
    assert beside(db, 1000, alone) == [(alone, 0, 0, 0, 0)]
    assert beside(db, 1000, a, *theirs) == [(a, 0, 0, b, 0)]
    assert beside(db, 1000, 10**15) == []
    assert beside(db, 1000) == []
