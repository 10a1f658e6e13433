"""The newest memories, on both databases."""

import pytest

from indelible.store.tables import records
from indelible.store.views import brief
from indelible.store.views import newest as newest_view
from samples import keep, record


@pytest.fixture(params=[20_000, 3, 0], ids="newest {} looked through".format)
def few(request, monkeypatch):
    """However many of the newest are looked through first, the answer is the same."""
    monkeypatch.setattr(newest_view, "LOOKED_AT", request.param)


def newest(db, *namespaces, limit=10, length=100):
    with db.read() as tx:
        return newest_view.newest(tx, namespaces, limit, length)


def test_the_newest_of_the_namespaces_come_first_ties_by_key(db, few):
    keep(
        db,
        *(record(f"a{i}", created=i, namespace="/a") for i in range(5)),
        *(record(f"b{i}", created=i, namespace="/b") for i in range(5)),
        *(record(f"c{i}", created=100 + i, namespace="/c") for i in range(5)),
    )
    assert [each.key for each in newest(db, "/a", limit=3)] == ["a4", "a3", "a2"]
    assert [each.key for each in newest(db, "/a", "/b", limit=5)] == ["a4", "b4", "a3", "b3", "a2"]
    assert [each.key for each in newest(db, "/a")] == ["a4", "a3", "a2", "a1", "a0"]
    assert newest(db, "/d") == newest(db) == newest(db, "/a", limit=0) == []


def test_what_is_replaced_or_no_memory_or_anothers_is_left_out(db, few):
    keep(
        db,
        record("kept", created=-5),
        record("old", created=7, replaced=True),
        record("sol", kind="solution", created=8),
        record("foreign", created=9, tenant=2),
    )
    assert [each.key for each in newest(db, "")] == ["kept"]


def test_texts_are_cut_by_characters(db):
    keep(db, record("a", text="日本語 text", tags=("x",), metadata={"trust": "untrusted"}))
    (found,) = newest(db, "", length=4)
    assert (found.text, found.tags, found.metadata) == ("日本語 ", ("x",), {"trust": "untrusted"})


def test_captured_memories_push_no_confirmed_one_out_of_the_list_or_the_tags(db, few):
    wait = {"trust": "untrusted"}
    keep(db, record("told", created=1, tags=("t",)), record("promoted", created=2, metadata={"trust": "trusted"}))
    keep(db, *(record(f"m{i}", created=9 + i, tags=("hostile",), metadata=wait) for i in range(5)))
    with db.read() as tx:
        found = newest_view.newest(tx, [""], 3, 100, untrusted=False)
        assert [each.key for each in found] == ["promoted", "told"]
        assert newest_view.tags(tx, 2) == [(), ("t",)]


def test_a_brief_looks_through_confirmed_memories_however_many_were_captured_since(db, monkeypatch):
    monkeypatch.setattr(brief, "LOOKED_AT", 3)
    monkeypatch.setattr(brief, "PASSED_BY", 8)
    keep(db, *(record(f"m{i}", type="insight", created=i) for i in range(5)))
    keep(db, *(record(f"w{i}", type="insight", created=9 + i, metadata={"trust": "untrusted"}) for i in range(4)))
    with db.read() as tx:
        assert [each.key for each in brief.newest(tx, [""], 10, 100)] == ["m4", "m3", "m2", "m1"]
        monkeypatch.setattr(brief, "PASSED_BY", 4)
        assert [each.key for each in brief.newest(tx, [""], 10, 100)] == ["m4"]


def test_tags_and_keys_are_those_of_the_newest(db):
    keep(db, *(record(f"m{i}", created=i, tags=(f"t{i}", "all")) for i in range(5)))
    with db.read() as tx:
        assert newest_view.tags(tx, 2) == [("t4", "all"), ("t3", "all")]
        assert newest_view.keys(tx, 3) == ["m4", "m3", "m2"]


def test_the_namespaces_in_use_are_found_one_after_the_other(db):
    with db.read() as tx:
        assert records.namespaces(tx) == []
    names = ["", "/a", "/a b", "/b", "B", "a", "ä", "日本"]
    keep(db, *(record(f"{name} {i}", namespace=name) for name in names for i in range(3)))
    keep(db, record("foreign", namespace="/z", tenant=2))
    with db.read() as tx:
        assert records.namespaces(tx) == names
