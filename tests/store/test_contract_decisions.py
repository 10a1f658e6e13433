"""What expansion, impact and chains of decisions ask of the store, on both databases."""

import itertools
from dataclasses import replace

import pytest

from indelible.store.tables import edges, records, trash
from indelible.store.tables.trash import Discarded
from samples import TENANT, edge, keep, link, of_tenant, record, stored

CHAIN = ("EVOLVED_INTO", "LEADS_TO")


@pytest.fixture
def ids(db):
    return db.write(lambda tx: stored(tx, "a", "b", "c", "d", "e"))


def ask(db, question, *arguments, tenant=TENANT):
    with db.read() as tx:
        return question(of_tenant(tx, tenant), *arguments)


# --- Relations around records ---


def test_relations_around_records_are_seen_from_each_of_them(db, ids):
    a, b, c, d, e = ids
    link(db, edge(a, b, weight=0.5), edge(c, a, "Z", 2.0), edge(d, e), edge(a, d, weight=0), edge(a, e, weight=-1))
    assert sorted(ask(db, edges.around, [a])) == [(a, b, 0.5), (a, c, 2.0)]
    assert sorted(ask(db, edges.around, [a, b])) == [(a, b, 0.5), (a, c, 2.0), (b, a, 0.5)]
    assert sorted(ask(db, edges.around, ids)) == sorted(
        [(a, b, 0.5), (b, a, 0.5), (a, c, 2.0), (c, a, 2.0), (d, e, 1.0), (e, d, 1.0)]
    )
    assert ask(db, edges.around, []) == ask(db, edges.around, [10**15]) == ask(db, edges.around, [a], tenant=2) == []


def test_degrees_count_every_relation_of_a_record(db, ids):
    a, b, c, *_ = ids
    link(db, edge(a, b), edge(a, b, "Z", 0), edge(c, a))
    assert ask(db, edges.degrees, [*ids[:4], 10**15]) == {a: 3, b: 2, c: 1, ids[3]: 0}
    assert ask(db, edges.degrees, []) == ask(db, edges.degrees, ids, tenant=2) == {}


def test_linked_records_are_those_of_a_kind_and_type_in_the_order_of_weight_time_and_key(db, ids):
    a, b, *_ = ids
    chosen = keep(
        db,
        record("old", type="decision", created=1),
        record("new", type="decision", created=2),
        record("also new", type="decision", created=2),
        record("heavy", type="decision", created=0, metadata={"ü": [1]}),
        record("insight", type="insight"),
        record("failure", kind="failure", type="decision"),
        record("far", type="decision"),
    )
    old, new, also, heavy, insight, failure, far = (one.id for one in chosen)
    link(db, *(edge(a, end, weight=0.5) for end in (old, new, also, insight, failure)))
    link(db, edge(heavy, a, "Y", 0.25), edge(a, heavy, "Z", 0.75), edge(b, heavy), edge(heavy, far))
    found = ask(db, edges.linked, [a, b], ("memory",), "decision")
    assert [(one.of, one.key) for one in found] == [
        *((a, key) for key in ("heavy", "also new", "new", "old")),
        (b, "heavy"),
    ]
    assert found[0] == edges.Linked(a, heavy, "memory", "heavy", {"ü": [1]})
    everything = ask(db, edges.linked, [a], ("memory", "failure"))
    assert {one.key for one in everything} == {"heavy", "also new", "new", "old", "insight", "failure"}
    assert ask(db, edges.linked, [], ("memory",)) == ask(db, edges.linked, [a], ()) == []
    assert ask(db, edges.linked, [a], ("memory",), tenant=2) == []


def test_sources_are_where_relations_of_some_names_come_from(db, ids):
    a, b, c, d, _ = ids
    (symbol,) = keep(db, record("sym", kind="symbol", metadata={"file_path": "x"}))
    link(db, edge(b, a, "calls"), edge(b, a, "IMPORTS"), edge(a, c, "CALLS"), edge(d, a, "EXPLAINS"))
    link(db, edge(symbol.id, b, "CALLS"))
    found = ask(db, edges.sources, [a, b], ("CALLS", "IMPORTS"), ("memory", "symbol"))
    assert found == [
        edges.Linked(a, b, "memory", "b", {}),
        edges.Linked(b, symbol.id, "symbol", "sym", {"file_path": "x"}),
    ]
    assert [one.key for one in ask(db, edges.sources, [a, b], ("CALLS",), ("symbol",))] == ["sym"]
    assert ask(db, edges.sources, [a], (), ("memory",)) == ask(db, edges.sources, [], ("CALLS",), ("memory",)) == []
    assert ask(db, edges.sources, [a], ("CALLS",), ("memory",), tenant=2) == []


# --- Chains ---


def test_what_relations_of_some_names_reach_in_either_direction(db, ids):
    a, b, c, d, e = ids
    link(db, edge(b, a, "LEADS_TO"), edge(b, c, "evolved_into"), edge(c, a, "LEADS_TO"), edge(c, d, "EXPLAINS"))
    for start in (a, b, c):
        assert ask(db, edges.reachable, [start], CHAIN) == [a, b, c]
    assert ask(db, edges.reachable, [d, a, 10**15], CHAIN) == [a, b, c, d]
    assert ask(db, edges.reachable, [e], CHAIN) == [e]
    assert ask(db, edges.reachable, [c], ("EVOLVED_INTO",)) == [b, c]
    assert ask(db, edges.reachable, [], CHAIN) == ask(db, edges.reachable, [a], CHAIN, tenant=2) == []
    assert ask(db, edges.reachable, [a], ()) == [a]


def test_a_chain_of_thousands_is_reached_from_its_middle(db):
    many = db.write(lambda tx: stored(tx, *(str(i) for i in range(3000))))
    link(db, *(edge(one, other, "LEADS_TO") for one, other in itertools.pairwise(many)))
    assert ask(db, edges.reachable, [many[1500]], CHAIN) == many
    assert len(ask(db, edges.among, many, CHAIN)) == 2999


def test_relations_among_records_have_both_ends_there(db, ids):
    a, b, c, d, _ = ids
    link(db, edge(b, a, "leads_to"), edge(a, c, "LEADS_TO"), edge(a, b, "EVOLVED_INTO"), edge(a, b, "EXPLAINS"))
    link(db, edge(c, d, "LEADS_TO"))
    found = ask(db, edges.among, [a, b, d], CHAIN)
    assert [(e.source, e.target, e.relation, e.canonical) for e in found] == [
        (b, a, "leads_to", "LEADS_TO"),
        (a, b, "EVOLVED_INTO", "EVOLVED_INTO"),
    ]
    assert ask(db, edges.among, [], CHAIN) == ask(db, edges.among, [a, b], ()) == []
    assert ask(db, edges.among, [a, b], CHAIN, tenant=2) == []


# --- Modifications ---


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ([], {}),
        (["ab"], {"a": 1, "b": 1}),
        (["ab", "bc", "cd"], {"a": 1, "b": 2, "c": 3, "d": 3}),
        (["ac", "bc", "cd"], {"a": 1, "b": 1, "c": 3, "d": 3}),
        (["ab", "ac", "ad"], {"a": 3, "b": 1, "c": 1, "d": 1}),
        (["ab", "ac", "bd", "cd"], {"a": 2, "b": 2, "c": 2, "d": 4}),
        (["ab", "bc", "ca"], {"a": 3, "b": 3, "c": 3}),
    ],
    ids=" ".join,
)
def test_refinements_are_those_that_led_to_a_record_and_those_of_itself(db, ids, pairs, counts):
    of = dict(zip("abcde", ids, strict=True))
    link(db, *(edge(of[source], of[target], "EVOLVED_INTO") for source, target in pairs))
    link(db, edge(of["e"], of["a"], "SUPERSEDES"), edge(of["d"], of["e"], "LEADS_TO"))
    assert ask(db, edges.refinements, ids) == {of[name]: count for name, count in counts.items()}
    assert ask(db, edges.refinements, [of["b"]]) == ({of["b"]: counts["b"]} if "b" in counts else {})
    assert ask(db, edges.refinements, []) == ask(db, edges.refinements, ids, tenant=2) == {}


def overwrite(db, old, text=None, tool="update_memory", action="update", **fields):
    """Change a record, its old state into the trash; the record as it is then."""
    new = replace(old, text=old.text if text is None else text, **fields)
    marks = {"revision": tool == "update_memory", "reverses": int(tool == "undo")}

    def work(tx):
        body = trash.body_of(None)
        trash.add(tx, Discarded(f"{tool} {text}", tool, action, old.id, old.key, old, [], body, 1, **marks))
        records.update(tx, new)

    db.write(work)
    return new


def test_updates_are_calls_of_update_memory_and_other_changes_of_the_text(db):
    (one, other, third) = keep(db, record("a"), record("b"), record("c"))
    one = overwrite(db, one, "ü 'quoted' \\ \"\n")
    one = overwrite(db, one, importance=0.1)
    one = overwrite(db, one, importance=0.2, tool="consolidate_decay")
    one = overwrite(db, one, "by another tool", tool="add_observations")
    overwrite(db, one, tool="delete_memory", action="delete")
    overwrite(db, other, importance=0.2, tool="consolidate_decay")
    ids = [one.id, other.id, third.id]
    assert ask(db, trash.count_updates, ids) == {one.id: 3}
    assert ask(db, trash.count_updates, []) == ask(db, trash.count_updates, ids, tenant=2) == {}


def test_what_was_undone_is_no_update(db):
    (one,) = keep(db, record("a"))
    one = overwrite(db, one, "first")
    one = overwrite(db, one, "second")
    db.write(lambda tx: trash.mark_undone(tx, "update_memory second", 5))
    one = overwrite(db, one, "first", tool="undo")
    assert ask(db, trash.count_updates, [one.id]) == {one.id: 1}


# --- Records by their texts ---


def test_keys_are_read_without_the_records(db, ids):
    assert ask(db, records.keys_of, [ids[1], ids[0], 10**15]) == {ids[0]: ("memory", "a"), ids[1]: ("memory", "b")}
    assert ask(db, records.keys_of, []) == ask(db, records.keys_of, ids, tenant=2) == {}


def test_records_that_contain_a_part_in_text_tags_or_metadata(db):
    texts = keep(
        db,
        record("text", text="see Auth.rs 100%"),
        record("tag", tags=("x:Auth.rs",)),
        record("metadata", metadata={"deep": ["Auth.rs"]}),
        record("case", text="see auth.rs"),
        record("other", text="A_th.rs"),
    )
    ids = [one.id for one in texts]
    found = ask(db, records.containing, ids, "Auth.rs")
    assert found == [
        (ids[0], "see Auth.rs 100%", [], {}),
        (ids[1], "text of tag", ["x:Auth.rs"], {}),
        (ids[2], "text of metadata", [], {"deep": ["Auth.rs"]}),
    ]
    assert [row[0] for row in ask(db, records.containing, ids, "")] == ids
    assert [row[0] for row in ask(db, records.containing, ids, "0%")] == ids[:1]
    assert [row[0] for row in ask(db, records.containing, ids, "A_")] == ids[4:]
    assert ask(db, records.containing, [], "x") == ask(db, records.containing, ids, "", tenant=2) == []


def test_records_of_a_kind_that_contain_a_part_in_their_key(db):
    keep(db, *(record(key, kind="file") for key in ("file:src/auth.rs", "file:lib/AUTH.rs", "file:src/db.rs")))
    keep(db, record("note on src/auth.rs"))
    assert [key for _, key in ask(db, records.named, "file", "auth.rs")] == ["file:src/auth.rs"]
    assert [key for _, key in ask(db, records.named, "file", "")] == [
        "file:src/auth.rs",
        "file:lib/AUTH.rs",
        "file:src/db.rs",
    ]
    assert ask(db, records.named, "symbol", "auth") == ask(db, records.named, "file", "", tenant=2) == []
