import hashlib

import pytest

from foreign import take_in
from indelible.core.records import history
from indelible.errors import Conflict, InvalidInput, NotFound


def exported(memory):
    return {item["id"]: item for item in memory.export_memories(limit=1000)}


def recalled(memory, query):
    return [hit["id"] for hit in memory.recall_memory(query=query)]


# --- update_memory ---


def test_an_update_replaces_content_and_importance_and_keeps_the_rest(memory, clock):
    other = memory.store_memory(content="other")["id"]
    stored = memory.store_memory(
        content="the port is 5050", memory_type="decision", importance=0.3, tags=["ops"], namespace="/a", links=[other]
    )["id"]
    before = exported(memory)[stored]
    clock.pass_(days=1)
    answer = memory.update_memory(id=stored, content="the port is 8080", importance=0.9)
    digest = hashlib.sha256(b"the port is 8080").hexdigest()
    assert answer == {"id": stored, "updated": True, "content_hash": digest}
    after = exported(memory)[stored]
    changed = {"content": "the port is 8080", "importance": 0.9, "updated_at": after["updated_at"]}
    assert after == {**before, **changed}
    assert after["updated_at"] > after["created_at"]


def test_an_update_without_importance_keeps_it(memory):
    stored = memory.store_memory(content="one", importance=0.3)["id"]
    memory.update_memory(id=stored, content="two")
    assert exported(memory)[stored]["importance"] == 0.3


def test_what_was_updated_is_found_by_its_new_words_and_no_longer_by_the_old(memory):
    stored = memory.store_memory(content="the database is postgres", tags=["storage"])["id"]
    memory.recall_memory(query="postgres")
    memory.update_memory(id=stored, content="the database is sqlite")
    assert recalled(memory, "sqlite") == [stored]
    assert recalled(memory, "postgres") == []
    assert recalled(memory, "storage") == [stored]


def test_a_content_that_another_memory_has_is_a_conflict_that_names_it(memory):
    first = memory.store_memory(content="one", namespace="/a")["id"]
    second = memory.store_memory(content="two", namespace="/a")["id"]
    before = exported(memory)
    with pytest.raises(Conflict, match=f"content equals memory {first} of the same namespace"):
        memory.update_memory(id=second, content="one", importance=1.0)
    assert exported(memory) == before


def test_the_same_content_in_another_namespace_or_of_a_replaced_memory_is_no_conflict(memory):
    elsewhere = memory.store_memory(content="one", namespace="/b")["id"]
    old = memory.store_memory(content="one", namespace="/a")["id"]
    new = memory.store_memory(content="two", namespace="/a")["id"]
    memory.associate_memories(source_id=old, target_id=new, relationship="EVOLVED_INTO")
    third = memory.store_memory(content="three", namespace="/a")["id"]
    memory.update_memory(id=third, content="one")
    assert [exported(memory)[id_]["content"] for id_ in (elsewhere, old, third)] == ["one", "one", "one"]


def test_an_update_to_what_it_is_already_changes_nothing(memory, clock):
    stored = memory.store_memory(content="one", importance=0.5)["id"]
    before = exported(memory)
    clock.pass_(hours=1)
    assert memory.update_memory(id=stored, content="one", importance=0.5)["updated"] is True
    assert exported(memory) == before
    assert history.history(memory.context, stored) == []


def test_an_updated_memory_leaves_its_old_content_free(memory):
    stored = memory.store_memory(content="one")["id"]
    memory.update_memory(id=stored, content="two")
    assert memory.store_memory(content="one")["status"] == "stored"
    assert memory.store_memory(content="two") == {
        "id": stored,
        "status": "duplicate",
        "content_hash": hashlib.sha256(b"two").hexdigest(),
        "graph_node_created": False,
    }


# --- delete_memory ---


def test_a_deleted_memory_is_gone_with_its_relations(memory):
    first, second, third = (memory.store_memory(content=f"axum {name}")["id"] for name in ("one", "two", "three"))
    memory.associate_memories(source_id=first, target_id=second, relationship="LEADS_TO")
    memory.associate_memories(source_id=second, target_id=third, relationship="LEADS_TO")
    assert memory.delete_memory(id=second) == {"id": second, "deleted": True}
    assert set(exported(memory)) == {first, third}
    assert all(item["edges"] == [] for item in exported(memory).values())
    assert set(recalled(memory, "axum")) == {first, third}
    assert memory.graph_traverse(start_id=first)[1:] == []
    assert memory.codemem_stats()["graph"] == {
        "nodes": 2,
        "edges": 0,
        "node_kinds": {"memory": 2},
        "relationship_types": {},
    }


def test_a_second_delete_says_that_there_is_none(memory):
    stored = memory.store_memory(content="one")["id"]
    memory.delete_memory(id=stored)
    with pytest.raises(NotFound, match=f"id '{stored}' is unknown: there is no memory with that id"):
        memory.delete_memory(id=stored)


# --- Both ---

CALLS = [("update_memory", {"content": "changed"}), ("delete_memory", {})]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_an_unknown_id_is_an_error_that_names_it(memory, tool, arguments):
    with pytest.raises(NotFound, match="id 'no-such-id' is unknown"):
        memory.call(tool, id="no-such-id", **arguments)


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
@pytest.mark.parametrize("given", ["sol_1", "solution:sol_1"])
def test_only_memories_are_changed(memory, tool, arguments, given):
    take_in(memory, {"kind": "solution", "id": "sol_1", "content": "restart it"})
    with pytest.raises(NotFound, match=f"id '{given}' is a solution, not a memory"):
        memory.call(tool, id=given, **arguments)
    assert [hit["content"] for hit in memory.recall_memory(query="restart")] == ["restart it"]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_of_two_kinds_with_one_id_the_memory_is_meant(memory, tool, arguments):
    take_in(
        memory,
        {"kind": "entity", "id": "auth", "content": "the auth entity"},
        {"kind": "memory", "id": "auth", "content": "the auth memory"},
    )
    assert memory.call(tool, id="auth", **arguments)["id"] == "auth"
    assert memory.recall_memory(query="auth entity")[0]["content"] == "the auth entity"
    assert "the auth memory" not in {item["content"] for item in memory.export_memories()}


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_kind_and_id_together_name_a_memory(memory, tool, arguments):
    stored = memory.store_memory(content="one")["id"]
    assert memory.call(tool, id=f"memory:{stored}", **arguments)["id"] == stored


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("update_memory", {}, r"(?s)id is required.*content is required"),
        ("update_memory", {"id": "x"}, r"content is required"),
        ("update_memory", {"id": "", "content": "x"}, r"id must .*got ''"),
        ("update_memory", {"id": "x", "content": ""}, r"content must .*got ''"),
        ("update_memory", {"id": 3, "content": "x"}, r"id must be a text, got 3"),
        ("update_memory", {"id": "x", "content": " "}, r"content must have at least one visible character, got ' '"),
        ("update_memory", {"id": "x", "content": "x", "importance": 1.5}, r"importance must be .*, got 1.5"),
        ("update_memory", {"id": "x", "content": "x", "importance": False}, r"importance must be .*, got False"),
        (
            "update_memory",
            {"id": "x", "content": "x", "tags": []},
            r"unknown argument 'tags'; allowed are: id, content",
        ),
        ("delete_memory", {}, r"id is required"),
        ("delete_memory", {"id": None}, r"id must be a text, got None"),
        ("delete_memory", {"id": ["x"]}, r"id must be a text"),
        ("delete_memory", {"id": "x", "force": True}, r"unknown argument 'force'; allowed are: id"),
    ],
)
def test_bad_input_is_refused(memory, tool, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.call(tool, **arguments)
