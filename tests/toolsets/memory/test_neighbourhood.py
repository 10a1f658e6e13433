"""The part of the graph around a record: two hops, the heaviest first, bounded whatever a record has."""

import pytest

from in_turn import FULL_ON_BOTH
from indelible.errors import NotFound
from indelible.toolsets.memory import neighbourhood
from indelible.toolsets.memory.neighbourhood import around


def hub_of(memory, count):
    """Store an entity with so many relations."""
    spokes = [f"spoke {number}" for number in range(count)]
    for at in range(0, len(spokes), 500):
        names = spokes[at : at + 500]
        memory.create_entities(entities=[{"name": name, "entityType": "spoke", "observations": []} for name in names])
    memory.create_entities(entities=[{"name": "hub", "entityType": "hub", "observations": ["in the middle"]}])
    for at in range(0, len(spokes), 500):
        relations = [{"from": "hub", "to": name, "relationType": "has"} for name in spokes[at : at + 500]]
        memory.create_relations(relations=relations)


@pytest.mark.parametrize("relations", [400, pytest.param(5_000, marks=FULL_ON_BOTH)])
def test_an_entity_of_very_many_relations_shows_300_records_and_says_how_many_there_are(memory, relations):
    hub_of(memory, relations)
    found = around(memory.context, "entity:hub")
    assert len(found.depths) == neighbourhood.MOST
    assert found.related == relations
    assert found.depths[found.middle.id] == 0
    assert set(found.depths.values()) == {0, 1}
    ends = {end for edge in found.relations for end in (edge.source, edge.target)}
    assert ends <= found.depths.keys()


def test_what_is_related_to_what_is_related_comes_and_nothing_further(open_store):
    memory = open_store()
    names = ("a", "b", "c", "d")
    memory.create_entities(entities=[{"name": name, "entityType": "t", "observations": []} for name in names])
    relations = [("a", "b", "uses"), ("b", "c", "uses"), ("c", "d", "uses"), ("a", "c", "knows")]
    memory.create_relations(
        relations=[{"from": start, "to": end, "relationType": name} for start, end, name in relations[:3]]
    )
    found = around(memory.context, "entity:a")
    assert {record.key: depth for key, depth in found.depths.items() for record in [found.records[key]]} == {
        "a": 0,
        "b": 1,
        "c": 2,
    }
    memory.create_relations(relations=[{"from": "a", "to": "c", "relationType": "knows"}])
    found = around(memory.context, "entity:a", "KNOWS")
    assert {found.records[key].key for key in found.depths} == {"a", "c"}
    assert found.names == ["KNOWS", "USES"]


def test_an_unknown_record_is_refused(open_store):
    with pytest.raises(NotFound):
        around(open_store().context, "entity:nothing")
