from dataclasses import replace

import apsw
import psycopg
import pytest

from indelible.store.tables import changes, edges, records
from samples import edge, keep, link, of_tenant, record, stored


@pytest.fixture
def ids(db):
    return db.write(lambda tx: stored(tx, "a", "b", "c", "d"))


def around(db, *of):
    with db.read() as tx:
        return edges.of_records(tx, of)


def replaced(db):
    with db.read() as tx:
        return sorted(r.key for r in records.newest(tx, "memory", None) if r.replaced)


def test_a_relation_comes_back_as_it_was_stored(db, ids):
    a, b, *_ = ids
    given = edge(a, b, "likes%", 0.1 + 0.2, canonical="LIKES%", metadata={"why": ["ü", 1]}, created=2**60)
    link(db, given)
    (found,) = around(db, a)
    assert found == replace(given, id=found.id)
    with db.read() as tx:
        assert edges.find(tx, a, b, "likes%") == found
        assert edges.find(tx, b, a, "likes%") is None
        assert edges.find(tx, a, b, "LIKES%") is None


def test_a_relation_that_exists_takes_the_new_weight_and_keeps_everything_else(db, ids):
    a, b, *_ = ids
    link(db, edge(a, b, weight=0.5, metadata={"first": 1}))
    (old,) = around(db, a)
    link(db, edge(a, b, weight=0.7, metadata={"second": 2}, created=99))
    assert around(db, a) == [replace(old, weight=0.7)]


def test_storing_the_same_weight_again_changes_nothing(db, ids):
    a, b, *_ = ids
    link(db, edge(a, b, weight=0.5))
    with db.read() as tx:
        position = changes.last(tx)
    link(db, edge(a, b, weight=0.5))
    with db.read() as tx:
        assert changes.last(tx) == position


def test_adding_a_relation_that_exists_leaves_it_alone_and_says_so(db, ids):
    a, b, *_ = ids
    assert db.write(lambda tx: edges.add(tx, edge(a, b, weight=0.5)))
    assert not db.write(lambda tx: edges.add(tx, edge(a, b, weight=0.9)))
    assert db.write(lambda tx: edges.add(tx, edge(b, a)))
    assert [e.weight for e in around(db, a)] == [0.5, 1.0]


def test_relations_are_found_from_both_ends_once_and_oldest_first(db, ids):
    a, b, c, d = ids
    link(db, edge(c, d), edge(b, a), edge(a, b), edge(a, a, "SELF"), edge(b, c))
    assert [(e.source, e.target) for e in around(db, a, b)] == [(b, a), (a, b), (a, a), (b, c)]
    assert [(e.source, e.target) for e in around(db, d)] == [(c, d)]
    assert around(db) == around(db, 10**15) == []


@pytest.mark.parametrize(
    ("relation", "old"), [("EVOLVED_INTO", "a"), ("INVALIDATED_BY", "a"), ("SUPERSEDES", "b"), ("CONTRADICTS", None)]
)
def test_a_relation_marks_what_it_replaces_until_it_goes(db, ids, relation, old):
    link(db, edge(ids[0], ids[1], relation))
    assert replaced(db) == ([old] if old else [])
    (found,) = around(db, ids[0])
    db.write(lambda tx: edges.delete(tx, found))
    assert (around(db, ids[0]), replaced(db)) == ([], [])


def test_a_deleted_relation_comes_back_with_its_id_and_its_marks(db, ids):
    link(db, edge(ids[0], ids[1], "EVOLVED_INTO"), edge(ids[1], ids[2]))
    old, _ = around(db, ids[0], ids[1])
    db.write(lambda tx: edges.delete(tx, old))
    db.write(lambda tx: edges.reinsert(tx, old))
    db.write(lambda tx: edges.reinsert(tx, old))
    assert around(db, ids[0]) == [old]
    assert replaced(db) == ["a"]
    link(db, edge(ids[2], ids[3]))
    assert around(db, ids[3])[0].id > old.id + 1


def test_a_relation_to_nothing_is_refused_and_nothing_of_its_write_stays(db, ids):
    def work(tx):
        stored(tx, "e")
        edges.put(tx, edge(ids[0], 10**15))

    with pytest.raises((apsw.ConstraintError, psycopg.errors.ForeignKeyViolation)):
        db.write(work)
    with db.read() as tx:
        assert records.by_key(tx, "e") == []


def test_relations_are_counted_by_name_and_listed_by_the_range_of_their_sources(db, ids):
    (other,) = keep(db, record("n", namespace="/n"))
    link(db, edge(ids[0], ids[1], "z"), edge(ids[1], ids[0], "Z"), edge(other.id, ids[0], "b", 0.25))
    with db.read() as tx:
        assert list(edges.count_by_relation(tx).items()) == [("B", 1), ("Z", 2)]
        assert edges.in_range(tx, ids[0], ids[1], stated=True, limit=9) == [(ids[0], ids[1], 1.0)]
        assert sorted(edges.in_range(tx, 0, 1 << 62, stated=False, limit=9)) == [
            (ids[0], ids[1], 1.0),
            (ids[1], ids[0], 1.0),
            (other.id, ids[0], 0.25),
        ]
        assert (
            edges.in_range(of_tenant(tx, 2), 0, 1 << 62, stated=False, limit=9)
            == edges.nodes(of_tenant(tx, 2), stated=True)
            == []
        )


def test_what_the_index_says_of_source_code_is_not_told_and_not_logged(db, ids):
    with db.read() as tx:
        before = changes.moment(tx).last_link
    made = replace(edge(ids[0], ids[1], "CALLS"), metadata={"origin": "index", "count": 2})
    db.write(lambda tx: edges.add_many(tx, [made]))
    with db.read() as tx:
        assert changes.moment(tx).last_link == before
        assert edges.count_stated(tx) == 0
        assert edges.nodes(tx, stated=True) == edges.in_range(tx, 0, 1 << 62, stated=True, limit=9) == []
        assert edges.in_range(tx, 0, 1 << 62, stated=False, limit=9) == [(ids[0], ids[1], 1.0)]
        assert [record for record, _, _ in edges.nodes(tx, stated=False)] == [ids[0], ids[1]]
    db.write(lambda tx: edges.drop_all_index_edges(tx, ids[:1]))
    link(db, edge(ids[0], ids[1], "x"))
    with db.read() as tx:
        assert changes.moment(tx).last_link > before
        assert edges.count_stated(tx) == 1


def test_records_with_relations_are_listed_by_kind_and_key_whatever_was_stored_first(db):
    last, symbol, first, _ = keep(db, record("z"), record("a", kind="symbol"), record("B"), record("lonely"))
    link(db, edge(symbol.id, last.id, "x"), edge(last.id, first.id, "x"))
    with db.read() as tx:
        assert [row[0] for row in edges.nodes(tx, stated=True)] == [first.id, last.id, symbol.id]
        assert edges.nodes(tx, stated=False) == edges.nodes(tx, stated=True)
