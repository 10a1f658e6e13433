import re
from dataclasses import replace

import pytest

from indelible.model import Access
from indelible.store.tables import access, edges, records, terms
from samples import edge, keep, link, of_tenant, record, stored


def one(db, key):
    with db.read() as tx:
        (found,) = records.by_key(tx, key)
    return found


def test_a_record_comes_back_as_it_was_stored(db):
    full = record(
        "Δ ☃ 😀",
        namespace="/home/ann/a b%s",
        type="decision",
        label='it\'s a "label" %(key)s :key',
        text="first\r\n\ttab \x01 \\ % ' \uffff 𝄞 :tenant ::json",
        tags=("β", "a,b", ""),
        metadata={"nested": {"list": [1, None, True, 0.1]}, "ключ": "значение"},
        importance=0.1 + 0.2,
        confidence=1.0,
        content_hash="f" * 64,
        session="session_1",
        position=2**60,
        replaced=True,
        created=-5,
        updated=2**62,
        uid="0" * 32,
        origin="another store",
    )
    assert keep(db, full) == [one(db, full.key)]


def test_each_record_and_relation_is_given_a_name_of_its_own(db):
    ids = db.write(lambda tx: stored(tx, "a", "b", uid="") + records.add_many(tx, [record("c", uid="")]))
    link(db, *(edge(ids[0], other, uid="") for other in ids[1:]))
    db.write(lambda tx: edges.add_many(tx, [edge(ids[1], ids[2], uid="")]))
    with db.read() as tx:
        named = [*records.by_ids(tx, ids).values(), *edges.of_records(tx, ids)]
    assert len({each.uid for each in named}) == 6
    assert all(re.fullmatch("[0-9a-f]{32}", each.uid) and each.origin == "" for each in named)


@pytest.mark.parametrize("count", [0, 1, 2, 255, 256, 257, 700])
def test_many_records_that_differ_in_some_fields_are_stored_as_each_would_be(db, count: int):
    pattern = record("", kind="symbol", namespace="it's", tags=("?1", ":key"), session="s", position=7, origin="o")
    each = [records.Own(f"type {i}", f"key {i}", "?2", f"text ?{i} :text", f'{{"at":{i}}}') for i in range(count)]
    ids = db.write(lambda tx: records.add_alike(tx, pattern, each))
    with db.read() as tx:
        found = records.by_ids(tx, ids)
    assert [(found[i].type, found[i].key, found[i].text, found[i].metadata["at"]) for i in ids] == [
        (f"type {i}", f"key {i}", f"text ?{i} :text", i) for i in range(count)
    ]
    alike = {"id": 0, "uid": "", "type": "", "key": "", "text": "", "metadata": {}, "label": "?2"}
    assert all(replace(one, **alike) == replace(pattern, **alike) for one in found.values())
    assert len({one.uid for one in found.values()}) == count


def test_a_key_is_taken_only_in_its_namespace_and_kind(db):
    def work(tx):
        taken = records.insert(tx, record("a", content_hash="other"))
        elsewhere = stored(tx, "a", namespace="n")
        return taken, elsewhere, stored(tx, "a", kind="vector"), stored(tx, "a", tenant=2)

    keep(db, record("a"))
    taken, *free = db.write(work)
    assert taken is None
    assert all(free)
    with db.read() as tx:
        found = records.by_key(tx, "a")
    assert [(r.namespace, r.kind) for r in found] == [("", "memory"), ("n", "memory"), ("", "vector")]


def test_a_content_is_taken_only_by_a_current_memory_of_the_namespace(db):
    same = record("b", content_hash="a")
    keep(db, record("a"))
    assert db.write(lambda tx: records.insert(tx, same)) is None
    assert keep(db, replace(same, namespace="n"), replace(same, key="c", kind="chunk"))
    with db.read() as tx:
        assert records.by_content(tx, "", "a").key == "a"
        assert records.by_content(tx, "n", "a").key == "b"
        assert records.by_content(tx, "x", "a") is None
    db.write(lambda tx: records.set_replaced(tx, 1, True))
    with db.read() as tx:
        assert records.by_content(tx, "", "a") is None
    assert db.write(lambda tx: records.insert(tx, same)) is not None
    with db.read() as tx:
        assert records.by_content(tx, "", "a").key == "b"


def test_an_update_changes_what_may_change_and_nothing_else(db):
    (old,) = keep(db, record("a"))
    wanted = replace(
        old,
        type="style",
        label="l",
        text="new",
        tags=("t",),
        metadata={"m": 1},
        importance=0.9,
        confidence=0.2,
        content_hash="h",
        replaced=True,
        updated=99,
    )
    moved = replace(wanted, key="z", namespace="n", kind="vector", session="s", position=7, created=1)
    moved = replace(moved, uid="1" * 32, origin="another store")
    assert db.write(lambda tx: records.update(tx, moved)) == 1
    assert one(db, "a") == wanted
    assert db.write(lambda tx: records.update(tx, replace(moved, id=77))) == 0
    assert db.write(lambda tx: records.update(of_tenant(tx, 2), moved)) == 0


def test_a_deleted_record_takes_its_relations_terms_and_access_with_it(db):
    ids = db.write(lambda tx: stored(tx, "a", "b", "c"))
    link(db, edge(ids[0], ids[1]), edge(ids[2], ids[0]), edge(ids[1], ids[2]))

    def fill(tx):
        for i in ids:
            terms.put(tx, i, {7: 1})
        access.add(tx, {i: Access(1, 5) for i in ids})

    db.write(fill)
    assert db.write(lambda tx: records.delete(tx, ids[0])) == 1
    assert db.write(lambda tx: records.delete(tx, ids[0])) == 0
    with db.read() as tx:
        assert [(e.source, e.target) for e in edges.of_records(tx, ids)] == [(ids[1], ids[2])]
        assert [entry.record for entry in terms.of_records(tx, ids)] == ids[1:]
        assert access.of_records(tx, ids).keys() == set(ids[1:])


def test_ids_are_never_used_again(db):
    db.write(lambda tx: stored(tx, "a", "b"))
    db.write(lambda tx: records.delete(tx, 2))
    (third,) = db.write(lambda tx: stored(tx, "c"))
    assert third > 2
    db.write(lambda tx: [records.delete(tx, i) for i in (1, third)])
    assert db.write(lambda tx: stored(tx, "d"))[0] > third


def test_a_deleted_record_can_come_back_with_its_id(db):
    first, last = keep(db, record("a"), record("b"))
    db.write(lambda tx: records.delete(tx, last.id))
    assert db.write(lambda tx: records.insert(tx, last)) == last.id
    assert one(db, "b") == last
    assert db.write(lambda tx: records.insert(tx, replace(first, key="c", content_hash="c"))) is None  # id taken
    assert db.write(lambda tx: stored(tx, "d"))[0] > last.id


@pytest.mark.parametrize("page", [1, 2, 3, 500])
def test_the_newest_come_first_and_ties_by_key_and_id_on_every_page(db, page):
    stamped = [("g", 5), ("Z", 9), ("ä", 9), ("a", 9), ("f", 1), ("a", 9), ("e", 5)]
    kept = [record(key, created=t, namespace=str(n), content_hash=str(n)) for n, (key, t) in enumerate(stamped)]
    ids = [r.id for r in keep(db, *kept)]
    keep(db, record("other", kind="chunk", created=9))
    with db.read() as tx:
        found = [r.id for r in records.newest(tx, "memory", None, page)]
    assert found == [ids[n] for n in (1, 3, 5, 2, 6, 0, 4)]


def test_the_newest_of_a_type_are_only_of_that_type(db):
    keep(db, record("a", type="style"), record("b", type="habit"), record("c", type="style"))
    with db.read() as tx:
        assert [r.key for r in records.newest(tx, "memory", "style")] == ["a", "c"]
        assert list(records.newest(tx, "memory", "insight")) == []


def test_records_are_found_by_ids_and_walked_by_ids(db):
    ids = db.write(lambda tx: stored(tx, "a", "b", "c"))
    with db.read() as tx:
        assert list(records.by_ids(tx, [ids[2], 10**15, ids[0]])) == [ids[0], ids[2]]
        assert records.by_ids(tx, []) == {}
        assert [r.id for r in records.after(tx, ids[0], 1)] == [ids[1]]
        assert [r.id for r in records.after(tx, ids[0], 9)] == ids[1:]
        assert records.last_id(tx) == ids[2]
        assert records.last_id(of_tenant(tx, 2)) == 0


def test_names_are_ordered_by_their_bytes(db):
    names = ["z", "Z", "a", "ä", "_", "-b", "ab", "a b", "", "\U0001f600", "\ufffd", "Ä"]
    keep(db, *(record(str(n), namespace=name, kind=f"k{name}") for n, name in enumerate(names)))
    with db.read() as tx:
        assert records.namespaces(tx) == sorted(names, key=str.encode)
        assert list(records.count_by_kind(tx).items()) == [(f"k{name}", 1) for name in sorted(names, key=str.encode)]


def test_a_replaced_record_is_current_again_only_where_nothing_replaces_it_and_its_content_is_free(db):
    ids = db.write(lambda tx: stored(tx, "a", "b", "c"))
    link(db, edge(ids[0], ids[1], "EVOLVED_INTO"), edge(ids[2], ids[0], "SUPERSEDES"))
    assert one(db, "a").replaced

    def remove(source, target, relation):
        db.write(lambda tx: edges.delete(tx, edges.find(tx, source, target, relation)))

    remove(ids[0], ids[1], "EVOLVED_INTO")
    assert one(db, "a").replaced  # the other relation still says so
    db.write(lambda tx: stored(tx, "twin", content_hash="a"))
    remove(ids[2], ids[0], "SUPERSEDES")
    assert one(db, "a").replaced  # its content stands in the twin
    db.write(lambda tx: records.delete(tx, one(db, "twin").id))
    db.write(lambda tx: records.set_replaced(tx, ids[0], False))
    assert not one(db, "a").replaced
