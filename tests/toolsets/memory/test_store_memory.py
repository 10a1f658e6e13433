import hashlib
import re
from datetime import timedelta

import pytest

from foreign import take_in
from indelible.errors import Conflict, InvalidInput, NotFound
from park import undo

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def relations(memory, id_):
    """The relations of a memory as (source, relationship, target)."""
    (own,) = [item for item in memory.export_memories(limit=1000) if item["id"] == id_]
    return {(edge["source"], edge["relationship"], edge["target"]) for edge in own["edges"]}


def test_a_new_memory_is_stored_under_a_uuid_with_the_hash_of_its_content(memory):
    content = "Team decided to use Axum over Actix for the API layer"
    stored = memory.store_memory(content=content)
    assert UUID.fullmatch(stored["id"])
    assert stored == {
        "id": stored["id"],
        "status": "stored",
        "content_hash": hashlib.sha256(content.encode()).hexdigest(),
        "graph_node_created": True,
    }


def test_what_was_given_is_what_is_kept(memory):
    given = {
        "content": "  Use serde_json::Value\tfor dynamic JSON \r\n and keep   white space\n",
        "memory_type": "pattern",
        "importance": 0.6,
        "tags": ["serde", "json", "json", "lang:rust:serde"],
        "namespace": "/home/dev/project",
    }
    stored = memory.store_memory(**given)
    (item,) = memory.export_memories()
    assert {name: item[name] for name in given} == given
    assert (item["id"], item["confidence"], item["metadata"], item["edges"]) == (stored["id"], 1.0, {}, [])


def test_what_is_not_given_has_the_documented_defaults(memory):
    memory.store_memory(content="just this")
    (item,) = memory.export_memories()
    assert (item["memory_type"], item["importance"], item["tags"], item["namespace"]) == ("context", 0.5, [], None)
    assert item["access_count"] == 0
    assert item["last_accessed_at"] is None
    assert item["created_at"] == item["updated_at"]


@pytest.mark.parametrize("type_", ["decision", "pattern", "preference", "style", "habit", "insight", "context"])
def test_every_documented_memory_type_is_taken(memory, type_):
    memory.store_memory(content="typed", memory_type=type_)
    assert [item["memory_type"] for item in memory.export_memories()] == [type_]


# --- The same content ---


def test_the_same_content_again_is_a_duplicate_and_changes_nothing(memory, clock):
    first = memory.store_memory(content="kept once", importance=0.9, tags=["a"])
    other = memory.store_memory(content="something else")["id"]
    before = memory.export_memories()
    clock.pass_(days=1)
    again = memory.store_memory(content="kept once", importance=0.1, tags=["a"], memory_type="decision", links=[other])
    assert again == {**first, "status": "duplicate", "graph_node_created": False}
    assert memory.export_memories() == before


def test_a_retry_of_a_duplicate_with_the_same_request_key_gets_the_first_answer(memory):
    id_ = memory.store_memory(content="kept once")["id"]
    first = memory.call("store_memory", request_key="k", content="kept once")
    assert (first["id"], first["status"]) == (id_, "duplicate")
    memory.delete_memory(id=id_)
    assert memory.call("store_memory", request_key="k", content="kept once") == first


def test_new_tags_of_a_duplicate_are_added_and_found_and_an_undo_takes_them_back(memory):
    first = memory.store_memory(content="kept once", tags=["a", "b"])
    again = memory.store_memory(content="kept once", tags=["zebra:crossing", "b", "c"])
    assert again == {**first, "status": "duplicate", "graph_node_created": False}
    (item,) = memory.export_memories()
    assert item["tags"] == ["a", "b", "zebra:crossing", "c"]
    (hit,) = memory.recall_memory(query="zebra crossing")
    assert hit["id"] == first["id"]
    undo(memory)
    assert memory.export_memories()[0]["tags"] == ["a", "b"]


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ({"namespace": "/a"}, {"namespace": "/a"}, "duplicate"),
        ({"namespace": "/a"}, {"namespace": "/b"}, "stored"),
        ({}, {"namespace": "/a"}, "stored"),
        ({}, {}, "duplicate"),
    ],
)
def test_duplicates_are_looked_for_inside_one_namespace(memory, first, second, status):
    memory.store_memory(content="the same words", **first)
    assert memory.store_memory(content="the same words", **second)["status"] == status


@pytest.mark.parametrize("other", ["The same words", "the same words ", "the same words.", "the same  words"])
def test_only_exactly_the_same_content_is_a_duplicate(memory, other):
    memory.store_memory(content="the same words")
    assert memory.store_memory(content=other)["status"] == "stored"


@pytest.mark.parametrize(
    ("relationship", "old_is_source"), [("EVOLVED_INTO", True), ("INVALIDATED_BY", True), ("SUPERSEDES", False)]
)
def test_the_content_of_a_replaced_memory_is_no_duplicate(memory, relationship, old_is_source):
    old = memory.store_memory(content="the port is 5050")["id"]
    new = memory.store_memory(content="the port is 8080")["id"]
    source, target = (old, new) if old_is_source else (new, old)
    memory.associate_memories(source_id=source, target_id=target, relationship=relationship)
    back = memory.store_memory(content="the port is 5050")
    assert back["status"] == "stored"
    assert back["id"] != old
    assert memory.store_memory(content="the port is 5050") == {
        **back,
        "status": "duplicate",
        "graph_node_created": False,
    }


def test_a_memory_that_only_relates_to_another_is_not_replaced(memory):
    first = memory.store_memory(content="one")["id"]
    second = memory.store_memory(content="two")["id"]
    memory.associate_memories(source_id=first, target_id=second, relationship="LEADS_TO")
    memory.associate_memories(source_id=second, target_id=first, relationship="EVOLVED_INTO")
    assert memory.store_memory(content="one")["status"] == "duplicate"


def test_a_deleted_memory_can_be_stored_anew(memory):
    old = memory.store_memory(content="came back")["id"]
    memory.delete_memory(id=old)
    new = memory.store_memory(content="came back")
    assert new["status"] == "stored"
    assert new["id"] != old


# --- Links ---


def test_links_relate_the_new_memory_to_existing_ones(memory):
    first, second = (memory.store_memory(content=text)["id"] for text in ("first", "second"))
    new = memory.store_memory(content="third", links=[first, f"memory:{second}", first])["id"]
    assert relations(memory, new) == {(new, "RELATES_TO", first), (new, "RELATES_TO", second)}


def test_a_link_finds_a_record_of_any_kind_and_a_bare_id_that_fits_two_kinds_must_say_which(memory):
    take_in(
        memory,
        {"kind": "solution", "id": "sol_1", "content": "restart the worker"},
        {"kind": "entity", "id": "auth", "content": "the auth module", "memory_type": "module"},
        {"kind": "file", "id": "auth", "content": "src/auth.py", "memory_type": "python"},
    )
    new = memory.store_memory(content="about all of them", links=["sol_1", "entity:auth"])["id"]
    assert relations(memory, new) == {(new, "RELATES_TO", "solution:sol_1"), (new, "RELATES_TO", "entity:auth")}
    with pytest.raises(Conflict, match=r"links 'auth' matches several records.*entity:auth, file:auth"):
        memory.store_memory(content="not clear", links=["auth"])


def test_a_link_to_an_unknown_id_stores_nothing(memory):
    known = memory.store_memory(content="known")["id"]
    before = memory.export_memories()
    with pytest.raises(NotFound, match="links 'no-such-id' is unknown"):
        memory.store_memory(content="never stored", links=[known, "no-such-id"])
    assert memory.export_memories() == before
    assert memory.store_memory(content="never stored")["status"] == "stored"


# --- Limits ---


@pytest.mark.parametrize("unit", ["a", "words and ", "é", "語"], ids=["letter", "words", "accent", "cjk"])
def test_a_text_of_one_mebibyte_is_taken_whole_and_one_byte_more_is_refused(memory, unit):
    size = 1 << 20
    text = unit * (size // len(unit.encode()))
    text += "x" * (size - len(text.encode()))
    memory.store_memory(content=text)
    assert [item["content"] for item in memory.export_memories()] == [text]
    with pytest.raises(InvalidInput, match=r"content has 1,048,577 bytes, at most 1,048,576 are allowed"):
        memory.store_memory(content=text + "x")


REFUSED = [
    ({}, r"content is required"),
    ({"content": ""}, r"content must .*got ''"),
    ({"content": "   "}, r"^content must have at least one visible character, got '   '$"),
    ({"content": "\u200b\n\ufeff"}, r"^content must have at least one visible character, got "),
    ({"content": " \n", "file_name": "a.md"}, r"^content must have at least one visible character, got "),
    ({"content": None}, "content must be a text, got None"),
    ({"content": 5}, "content must be a text, got 5"),
    ({"content": ["x"]}, "content must be a text"),
    ({"content": "x\0y"}, r"content contains a NUL character at position 1"),
    ({"content": "x\ud800"}, r"content contains half of a surrogate pair at position 1"),
    ({"content": "x", "memory_type": "opinion"}, r"memory_type must be one of 'decision', .*got 'opinion'"),
    ({"content": "x", "memory_type": "Decision"}, r"memory_type must be one of"),
    ({"content": "x", "importance": 1.1}, r"importance must be between 0 and 1, got 1.1"),
    ({"content": "x", "importance": -0.1}, r"importance must be between 0 and 1, got -0.1"),
    ({"content": "x", "importance": True}, r"importance must be a number, got True"),
    ({"content": "x", "importance": "0.5"}, r"importance must be a number, got '0.5'"),
    ({"content": "x", "importance": float("nan")}, r"importance must be a finite number, got nan"),
    ({"content": "x", "importance": float("inf")}, r"importance must be a finite number, got inf"),
    ({"content": "x", "tags": "a,b"}, r"tags must be a list, got 'a,b'"),
    ({"content": "x", "tags": ["a", ""]}, r"tags.1 must .*got ''"),
    ({"content": "x", "tags": ["a", 1]}, r"tags.1 must be a text, got 1"),
    ({"content": "x", "namespace": ""}, r"namespace must .*got ''"),
    ({"content": "x", "namespace": 7}, r"namespace must be a text, got 7"),
    ({"content": "x", "links": "id"}, r"links must be a list, got 'id'"),
    ({"content": "x", "link": ["id"]}, r"unknown argument 'link'; allowed are: content, memory_type, importance"),
    ({"content": "x", "importance": 2, "tags": 3}, r"(?s)importance must .*\n.*tags must"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED)
def test_bad_input_is_refused_with_the_argument_what_was_given_and_what_is_allowed(memory, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.store_memory(**arguments)
    assert memory.export_memories() == []


def test_times_are_of_the_moment_of_storing_and_shown_in_utc_seconds(memory, clock):
    clock.now = clock.now.replace(microsecond=123456) - timedelta(milliseconds=1)
    memory.store_memory(content="a timed memory")
    (hit,) = memory.recall_memory(query="timed memory")
    assert hit["created_at"] == "2026-03-01T12:00:00Z"
    assert memory.export_memories()[0]["created_at"].startswith("2026-03-01T12:00:00.")
