"""Entities among the records, and the relations between two of them: the same on both databases."""

from indelible.store.database import Database
from indelible.store.views import entities
from indelible.store.views.entities import Relation
from samples import edge, keep, link, record


def entity(key: str, *observations: str, **fields):
    return record(key, kind="entity", type="thing", metadata={"observations": list(observations)}, **fields)


def read(db: Database, query, *arguments):
    with db.read() as tx:
        return query(tx, *arguments)


def test_entities_are_read_in_the_order_of_creation_and_nothing_else_is(db):
    b, _, a = keep(db, entity("b"), record("memory"), entity("a'%_é\\", "one", "два"))
    assert [each.key for each in read(db, entities.page)] == ["b", "a'%_é\\"]
    assert [each.key for each in read(db, entities.page, 1, 1)] == ["a'%_é\\"]
    assert list(read(db, entities.named, ["a'%_é\\", "memory", "b", "b", "none"])) == ["b", "a'%_é\\"]
    assert read(db, entities.named, []) == {}
    everything = read(db, entities.contents)
    assert [(each.id, each.name, each.type, each.observations) for each in everything] == [
        (b.id, "b", "thing", ()),
        (a.id, "a'%_é\\", "thing", ("one", "два")),
    ]
    assert read(db, entities.contents, [a.id, 2, 99]) == everything[1:]


def test_an_entity_of_another_tool_has_its_text_as_its_only_observation(db):
    keep(db, record("plain", kind="entity", text="said by an import"), record("bare", kind="entity", text="bare"))
    assert [each.observations for each in read(db, entities.contents)] == [("said by an import",), ()]
    assert [entities.observations_of(each) for each in read(db, entities.page)] == [["said by an import"], []]


def test_relations_are_those_between_two_entities(db):
    memory, a, b, c = keep(db, record("memory"), entity("a"), entity("b"), entity("c"))
    link(
        db,
        edge(b.id, a.id, "knows"),
        edge(memory.id, a.id),
        edge(a.id, memory.id),
        edge(a.id, a.id, "is"),
        edge(b.id, c.id, "Knows"),
    )
    everything = read(db, entities.relations)
    assert [(each.from_name, each.relation, each.canonical, each.to_name) for each in everything] == [
        ("b", "knows", "KNOWS", "a"),
        ("a", "is", "IS", "a"),
        ("b", "Knows", "KNOWS", "c"),
    ]
    assert isinstance(everything[0], Relation)
    assert (everything[0].source, everything[0].target) == (b.id, a.id)
    assert read(db, entities.relations_of, [a.id]) == everything[:2]
    assert read(db, entities.relations_of, [c.id, memory.id]) == everything[2:]
    assert read(db, entities.relations_of, []) == []


def test_a_name_of_two_thousand_bytes_fits_the_indexes(db):
    name = "é" * 1000
    (kept,) = keep(db, entity(name))
    assert kept.id > 0
    (other,) = keep(db, entity("x"))
    link(db, edge(kept.id, other.id, "ü" * 1000))
    assert list(read(db, entities.named, [name])) == [name]
