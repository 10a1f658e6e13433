"""Documents and their chunks in an export and an import: lossless there and back."""

import json
import random

from indelible.search.chunking import chunks
from indelible.toolsets.memory import importing
from park import EDITS, GUIDE, SUBJECTS, exported, text_of, texts_in_order

# --- Export and import ---


def imported(memory, items):
    return importing.import_items(memory.context, json.loads(json.dumps(items)))


def linked_store(open_store, name):
    memory = open_store(name)
    memory.store_memory(content=GUIDE, file_name="park.md", namespace="/zoo", tags=["zoo"], memory_type="insight")
    memory.store_memory(content=EDITS["sections in another order"], file_name="park.md", namespace="/zoo")
    memory.store_memory(content="- a\n- b\n", file_name="b.md")
    memory.store_memory(content="a note", links=["chunk_4", "doc_1"])
    return memory


def test_documents_go_there_and_back_with_their_numbers(open_store):
    before = exported(linked_store(open_store, "full"))
    empty = open_store("empty")
    done = imported(empty, before)
    assert (done.errors, done.skipped) == ([], 0)
    assert exported(empty) == before
    again = imported(empty, before)
    assert (again.errors, again.ids, again.skipped) == ([], [], len(before))
    assert exported(empty) == before
    assert empty.store_memory(content="next", file_name="next")["resource_id"] == 1 + max(
        int(item["id"]) for item in before if item["kind"] in ("document", "chunk")
    )
    stored = empty.store_memory(content=GUIDE, file_name="park.md", namespace="/zoo", resource_type="guide")
    assert stored["id"] == "doc_1"
    assert {int(item["id"]) for item in before if item["kind"] == "chunk"} & set(stored["chunk_ids"])


def test_a_number_that_is_taken_is_replaced_and_what_names_it_follows(open_store):
    before = exported(linked_store(open_store, "full"))
    memory = open_store("other")
    own = memory.store_memory(content=text_of("bats", "bees", "bears"), file_name="own.md")
    mine = exported(memory)
    for turn in range(2):
        done = imported(memory, before)
        assert done.errors == []
        assert len(done.ids) == (0 if turn else len(before))
    after = exported(memory)
    assert [item for item in after if item in mine] == mine
    numbers = [int(item["id"]) for item in after if item["kind"] != "memory"]
    assert len(set(numbers)) == len(numbers) == len(before) - 1 + len(mine)
    zoo = memory.store_memory(content=EDITS["sections in another order"], file_name="park.md", namespace="/zoo")
    assert zoo["status"] == "duplicate"
    assert zoo["resource_id"] not in (own["resource_id"], *own["chunk_ids"])
    assert texts_in_order(memory, zoo["resource_id"]) == [
        chunk.text for chunk in chunks(EDITS["sections in another order"])
    ]
    (note,) = memory.export_memories()
    ends = {edge["target"] for edge in note["edges"]}
    linked = next(item["content"] for item in before if (item["kind"], item["id"]) == ("chunk", "4"))
    (chunk,) = [item for item in after if item["kind"] == "chunk" and item["content"] == linked]
    assert ends == {f"document:{zoo['resource_id']}", f"chunk:{chunk['id']}"}
    assert int(chunk["id"]) in zoo["chunk_ids"]


def test_a_chunk_may_come_before_its_document_but_not_without_it(open_store):
    before = exported(linked_store(open_store, "full"))
    memory = open_store("shuffled")
    random.Random(1).shuffle(before)
    assert imported(memory, before).errors == []
    assert sorted(exported(memory), key=str) == sorted(before, key=str)
    lonely = open_store("lonely")
    park = lonely.store_memory(content="another document with the number of theirs", file_name="mine")
    done = imported(lonely, [item for item in before if item["kind"] == "chunk" and item["session"] == "document:1"])
    assert done.ids == []
    assert len(done.errors) == len(SUBJECTS)
    assert "belongs to document:1, which is not among what is imported" in done.errors[0]["error"]
    assert texts_in_order(lonely, park["resource_id"]) == ["another document with the number of theirs"]


def test_a_document_that_is_here_with_another_text_stays_as_it_is(open_store):
    before = exported(linked_store(open_store, "full"))
    memory = open_store("newer")
    memory.store_memory(content="the newest text", file_name="park.md", namespace="/zoo")
    done = imported(memory, before)
    assert done.errors == []
    assert texts_in_order(memory, 1) == ["the newest text"]
    (note,) = memory.export_memories()
    assert {edge["target"] for edge in note["edges"]} == {"document:1"}


def test_documents_come_with_a_memory_import_too_and_a_bad_one_is_reported(memory):
    result = memory.import_memories(
        memories=[
            {"kind": "document", "id": "7", "label": "a.md", "content": "whole"},
            {"kind": "chunk", "id": "8", "label": "a.md", "content": "whole", "session": "document:7", "position": 1},
            {"kind": "chunk", "id": "9", "content": "lonely", "session": "document:99"},
            {"kind": "document", "id": "10", "label": "a.md", "content": "another of that name"},
            {"kind": "document", "label": "b.md", "content": ""},
        ]
    )
    assert (result["imported"], result["skipped"]) == (2, 1)
    assert sorted(error["index"] for error in result["errors"]) == [2, 4]
    assert memory.store_memory(content="whole", file_name="a.md")["chunk_ids"] == [8]
    assert memory.store_memory(content="x", file_name="next")["resource_id"] == 9
