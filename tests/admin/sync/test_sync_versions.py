"""What memories were made of others comes whole to the other machine: each is a record of its own there."""

from indelible.store.tables import records
from indelible.store.views import soundness
from synced import met


def test_versions_parts_and_summaries_come_whole_to_the_other_machine(two):
    one, other, place = two
    first = one.call("store_memory", content="Sessions live for 24 hours, and the till closes at noon")["id"]
    second = one.call("refine_memory", id=first, content="Sessions live for 8 hours, and the till closes at noon")
    third = one.call("refine_memory", id=second["new_id"], content="Sessions live for 4 hours, the till closes at one")
    parts = [{"content": "Sessions live for 4 hours"}, {"content": "The till closes at one"}]
    made = one.call("split_memory", id=third["new_id"], parts=parts)["parts"]
    one.call("merge_memories", source_ids=made, content="Sessions live for 4 hours; the till closes at one")
    before = one.contents()
    met(one, other, place=place)
    assert one.contents() == other.contents() == before
    assert len(other.call("export_memories")) == 6


def test_memories_that_an_earlier_version_gave_one_uid_come_whole_to_the_other_machine(two):
    one, other, place = two
    old = one.call("store_memory", content="Sessions live for 24 hours")["id"]
    one.call("refine_memory", id=old, content="Sessions live for 8 hours")

    def as_before(tx):
        first, second = records.after(tx, 0, 2)
        soundness.set_uid(tx, second.id, first.uid)

    one.memory.context.store.write(as_before)
    met(one, other, place=place)
    assert one.contents() == other.contents()
    for each in two[:2]:
        texts = sorted(found["content"] for found in each.call("export_memories"))
        assert texts == ["Sessions live for 24 hours", "Sessions live for 8 hours"]
