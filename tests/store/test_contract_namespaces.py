from dataclasses import replace

import pytest

from indelible.model import Access
from indelible.store.tables import access, edges, records, trash
from indelible.store.tables.records import Summary
from indelible.store.tables.trash import Discarded
from samples import edge, keep, link, of_tenant, record, stored

NAMES = ["", "/a", "/a b%s", "Ω'\"\\"]


def some(name, *kinds):
    """A record of each of the kinds."""
    return [record(f"{name} {kind} {n}", namespace=name, kind=kind) for n, kind in enumerate(kinds)]


@pytest.fixture
def filled(db):
    """Memories and other kinds in four namespaces, and those of another tenant."""
    keep(
        db,
        *some("", "memory"),
        *some("/a", "memory", "memory", "solution"),
        *some("/a b%s", "entity"),
        *some(NAMES[3], "memory", "entity", "entity"),
        record("foreign", tenant=2, namespace="/a"),
        record("foreign too", tenant=2, namespace="/t"),
    )
    return db


def read(db, query, *arguments):
    with db.read() as tx:
        return query(tx, *arguments)


def counted(filled, kind):
    with filled.read() as tx:
        return {name: each.number for name, each in records.count_by_namespace(tx, kind).items()}


def test_the_newest_of_a_namespace_is_of_the_kind(db):
    keep(db, *(record(f"{n}", namespace="/a", created=n) for n in (5, 9, 7)), record("s", kind="solution", created=99))
    assert read(db, records.count_by_namespace, "memory") == {"/a": (3, 9)}


def test_records_of_a_kind_are_counted_by_namespace(filled):
    assert counted(filled, "memory") == {"": 1, "/a": 2, NAMES[3]: 1}
    assert counted(filled, "entity") == {"/a b%s": 1, NAMES[3]: 2}
    assert counted(filled, "todo") == {}
    with filled.read() as tx:
        others = records.count_by_namespace(of_tenant(tx, 2), "memory")
        assert {name: each.number for name, each in others.items()} == {"/a": 1, "/t": 1}


def test_kinds_are_counted_over_several_namespaces_by_name(filled):
    assert list(read(filled, records.count_kinds_in, NAMES).items()) == [("entity", 3), ("memory", 4), ("solution", 1)]
    assert read(filled, records.count_kinds_in, ["/a"]) == {"memory": 2, "solution": 1}
    assert read(filled, records.count_kinds_in, [""]) == {"memory": 1}
    assert read(filled, records.count_kinds_in, ["/t", "/nowhere", "%"]) == {}
    assert read(filled, records.count_kinds_in, []) == {}


def test_ids_of_namespaces_are_listed_with_what_is_replaced_first_then_the_oldest(filled):
    with filled.read() as tx:
        everything = [r.id for r in records.after(tx, 0, 100)]
    first, second = read(filled, records.ids_in, ["/a"], "memory")
    assert read(filled, records.ids_in, NAMES, None) == everything
    assert read(filled, records.ids_in, NAMES, "memory") == [everything[n] for n in (0, 1, 2, 5)]
    filled.write(lambda tx: records.set_replaced(tx, second, True))
    assert read(filled, records.ids_in, ["/a"], "memory") == [second, first]
    assert read(filled, records.ids_in, ["/a"], None)[0] == second
    assert read(filled, records.ids_in, [], None) == []
    assert read(filled, records.ids_in, ["/nowhere"], None) == []


def test_a_summary_of_nothing_has_no_means_and_no_times(filled):
    nothing = Summary(0, None, None, None, None, {}, {})
    assert read(filled, records.summary, [], "memory") == nothing
    assert read(filled, records.summary, ["/a"], "todo") == nothing
    assert read(filled, records.summary, ["/t"], "memory") == nothing


def test_a_summary_adds_up_the_records_of_a_kind_in_several_namespaces(db):
    keep(
        db,
        record("a", namespace="/a", type="style", importance=0.25, confidence=0.5, tags=("β", "x", "β"), created=-5),
        record("b", namespace="/a", type="habit", importance=0.75, tags=("x", 'it\'s "q" \\', "a,b"), created=2**60),
        record("c", namespace="/b", type="habit", importance=0.5, tags=(), created=7, replaced=True),
        record("d", namespace="/c", type="decision", tags=("x",), created=2**61),
        record("e", namespace="/a", kind="solution", type="s", tags=("x",), created=-9),
        record("f", namespace="/a", tenant=2, tags=("x",), created=-99),
    )
    found = read(db, records.summary, ["/a", "/b", "/nowhere"], "memory")
    assert replace(found, types={}, tags={}) == Summary(3, 0.5, pytest.approx(2.5 / 3), -5, 2**60, {}, {})
    assert list(found.types.items()) == [("habit", 2), ("style", 1)]
    assert list(found.tags.items()) == [("x", 2), ("a,b", 1), ('it\'s "q" \\', 1), ("β", 1)]


def test_many_records_are_deleted_with_all_that_hangs_on_them_and_no_others(db):
    a, b, c, d = db.write(lambda tx: stored(tx, "a", "b", "c", "d"))
    (other,) = keep(db, record("other", tenant=2))
    link(db, edge(a, b), edge(b, c), edge(c, d))
    db.write(lambda tx: access.add(tx, {a: Access(1, 2), d: Access(3, 4)}))
    assert db.write(lambda tx: records.delete_many(tx, [a, b, other.id, 10**15])) == 2
    assert read(db, records.by_ids, [a, b, c, d]).keys() == {c, d}
    assert [(e.source, e.target) for e in read(db, edges.of_records, [a, b, c, d])] == [(c, d)]
    assert read(db, access.of_records, [a, d]) == {d: Access(3, 4)}
    with db.read() as tx:
        assert records.by_ids(of_tenant(tx, 2), [other.id])
    assert db.write(lambda tx: records.delete_many(tx, [])) == 0


def test_many_things_are_discarded_at_once_and_come_back_last_first(db):
    given = [record(key) for key in ("a", "b", "c")]
    things = [
        Discarded(
            "op", "purge", "delete", n, r.key, r, [edge(1, 2)], trash.body_of(Access(n, 9)), 5, self_contained=True
        )
        for n, r in enumerate(given)
    ]
    db.write(lambda tx: trash.add_many(tx, things))
    db.write(lambda tx: trash.add_many(tx, []))
    assert read(db, trash.of_operation, "op") == things[::-1]
    assert read(db, trash.count) == 3
