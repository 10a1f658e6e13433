import pytest

from command_line import undo
from foreign import take_in
from indelible.core.records import embedding_queue
from indelible.errors import InvalidInput, NotFound
from indelible.toolsets.memory import refinement
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient, ToolError

SOURCE = {
    "id": "whole",
    "content": "Axum serves HTTP. The pool has 20 connections. 日本語もある。",
    "memory_type": "decision",
    "importance": 0.8,
    "confidence": 0.4,
    "tags": ["web", "db"],
    "namespace": "/a",
    "metadata": {"origin": "capture", "trust": "untrusted"},
}


@pytest.fixture
def whole(memory):
    take_in(memory, SOURCE)
    return "whole"


def exported(memory):
    return {item["id"]: item for item in memory.export_memories(limit=1000)}


def parts_of(memory, source):
    return {
        edge["source"]
        for edge in exported(memory)[source]["edges"]
        if edge["relationship"] == "PART_OF" and edge["target"] == source
    }


def test_a_memory_is_split_into_parts_that_are_part_of_it(memory, whole):
    before = exported(memory)[whole]
    answer = memory.split_memory(
        id=whole, parts=[{"content": "Axum serves HTTP"}, {"content": "The pool has 20"}, {"content": "日本語もある"}]
    )
    assert answer == {"source_id": whole, "parts": answer["parts"], "relationship": "PART_OF"}
    stored = exported(memory)
    assert [stored[id_]["content"] for id_ in answer["parts"]] == [
        "Axum serves HTTP",
        "The pool has 20",
        "日本語もある",
    ]
    assert parts_of(memory, whole) == set(answer["parts"])
    assert stored[whole] == {**before, "edges": stored[whole]["edges"]}  # it stays as it is, and current


INHERITED = {"memory_type": "decision", "importance": 0.8, "tags": ["web", "db"]}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"tags": ["own"]},
        {"tags": []},
        {"importance": 0.1},
        {"importance": 0},
        {"memory_type": "habit"},
        {"tags": ["a", "b"], "importance": 1.0, "memory_type": "style"},
    ],
    ids=str,
)
def test_a_part_inherits_type_tags_importance_and_namespace_where_it_gives_none(memory, whole, given):
    (part,) = memory.split_memory(id=whole, parts=[{"content": "a part", **given}])["parts"]
    stored = exported(memory)[part]
    assert {name: stored[name] for name in INHERITED} == {**INHERITED, **given}
    assert (stored["namespace"], stored["confidence"], stored["metadata"]) == ("/a", 1.0, {})


def test_equal_parts_are_one_memory(memory, whole):
    given = [{"content": "twice", "tags": ["first"]}, {"content": "once"}, {"content": "twice", "tags": ["second"]}]
    first, other, second = memory.split_memory(id=whole, parts=given)["parts"]
    assert first == second != other
    assert len(exported(memory)) == 3
    assert exported(memory)[first]["tags"] == ["first"]


def test_a_part_that_is_known_already_is_related_and_not_stored_twice(memory, whole):
    known = memory.store_memory(content="Axum serves HTTP", tags=["mine"], namespace="/a")["id"]
    elsewhere = memory.store_memory(content="The pool has 20", namespace="/b")["id"]
    before = exported(memory)[known]
    parts = [{"content": "Axum serves HTTP", "tags": ["other"]}, {"content": "The pool has 20"}]
    first, second = memory.split_memory(id=whole, parts=parts)["parts"]
    assert first == known
    assert second != elsewhere
    assert exported(memory)[known] == {**before, "edges": exported(memory)[known]["edges"]}
    assert parts_of(memory, whole) == {first, second}


def test_a_captured_memory_that_is_given_as_a_part_is_trusted(memory, whole):
    take_in(memory, {**SOURCE, "id": "captured", "content": "a captured part"})
    assert memory.split_memory(id=whole, parts=[{"content": "a captured part"}])["parts"] == ["captured"]
    trusted = {"origin": "capture", "trust": "trusted", "promoted_by": "split_memory"}
    assert exported(memory)["captured"]["metadata"] == trusted


def test_the_same_split_again_changes_nothing(memory, whole):
    parts = [{"content": "one"}, {"content": "two"}]
    first = memory.split_memory(id=whole, parts=parts)
    before = exported(memory)
    assert memory.split_memory(id=whole, parts=parts) == first
    assert exported(memory) == before


def test_many_parts_come_back_in_the_order_in_which_they_were_given(memory, whole):
    contents = [f"part {n}: queue{n} is drained" for n in range(40)]
    parts = memory.split_memory(id=whole, parts=[{"content": content} for content in contents])["parts"]
    stored = exported(memory)
    assert [stored[id_]["content"] for id_ in parts] == contents
    assert memory.recall_memory(query="queue17 drained", k=1)[0]["id"] == parts[17]


def test_a_split_does_not_wait_for_the_embeddings_of_its_parts(memory, whole):
    ctx = with_meaning(memory.context)
    embed_all(ctx)
    refinement.split(ctx, whole, [refinement.Part(f"part {n}") for n in range(40)])
    assert embedding_queue.waiting(ctx) == 40
    embed_all(ctx)
    assert embedding_queue.waiting(ctx) == 0


def test_a_replaced_memory_can_be_split(memory, whole):
    memory.refine_memory(id=whole, content="newer")
    (part,) = memory.split_memory(id=whole, parts=[{"content": "an old part"}])["parts"]
    assert parts_of(memory, whole) == {part}


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([], "parts must have at least 1 item"),
        (None, "parts must be a list, got None"),
        ("text", "parts must be a list, got 'text'"),
        ({"content": "x"}, "parts must be a list"),
        (["text"], "parts.0 must be an object, got 'text'"),
        ([{}], "parts.0.content is required"),
        ([{"content": "good"}, {"tags": ["x"]}], "parts.1.content is required"),
        ([{"content": ""}], "parts.0.content must have at least 1 character, got ''"),
        ([{"content": "good"}, {"content": " "}], "parts.1.content must have at least one visible character, got ' '"),
        ([{"content": "good"}, {"content": 7}], "parts.1.content must be a text, got 7"),
        ([{"content": "good"}, {"content": "nul\0"}], "parts contains a NUL character at position 3"),
        ([{"content": "x" * ((1 << 20) + 1)}], "parts has 1,048,577 bytes, at most 1,048,576 are allowed"),
        ([{"content": "good", "tags": [""]}], "parts.0.tags.0 must have at least 1 character"),
        ([{"content": "good", "tags": "x"}], "parts.0.tags must be a list, got 'x'"),
        ([{"content": "good", "importance": 2}], "parts.0.importance must be .*, got 2"),
        ([{"content": "good", "importance": False}], "parts.0.importance must be .*, got False"),
        ([{"content": "good", "memory_type": "fact"}], "parts.0.memory_type must be one of 'decision', .*, got 'fact'"),
        (
            [{"content": "good", "namespace": "/b"}],
            "unknown argument 'parts.0.namespace'; allowed are: content, tags, ",
        ),
        (
            [{"content": "good"}, {"content": SOURCE["content"]}],
            "parts.1.content is the whole content of memory whole; give a part of it, or use refine_memory",
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_one_bad_part_is_refused_by_its_place_and_nothing_is_stored(memory, whole, parts, words):
    before = exported(memory)
    with pytest.raises(InvalidInput, match=words):
        memory.split_memory(id=whole, parts=parts)
    assert exported(memory) == before


def test_only_a_memory_is_split(memory):
    with pytest.raises(NotFound, match="id 'nobody' is unknown: there is no memory with that id"):
        memory.split_memory(id="nobody", parts=[{"content": "x"}])
    take_in(memory, {"kind": "solution", "id": "sol_1", "content": "restart it"})
    with pytest.raises(NotFound, match="id 'sol_1' is a solution, not a memory"):
        memory.split_memory(id="sol_1", parts=[{"content": "x"}])
    assert memory.export_memories() == []


def test_deleting_the_whole_and_undoing_it_brings_the_relations_of_its_parts_back(memory, whole):
    parts = memory.split_memory(id=whole, parts=[{"content": "one"}, {"content": "two"}])["parts"]
    before = exported(memory)
    memory.delete_memory(id=whole)
    assert set(exported(memory)) == set(parts)
    undo(memory.context)
    assert exported(memory) == before


@pytest.mark.process
def test_a_server_advertises_what_a_part_is_and_splits(tmp_path):
    with McpClient(tmp_path / "data") as client:
        (schema,) = [tool["inputSchema"] for tool in client.tools() if tool["name"] == "split_memory"]
        item = schema["properties"]["parts"]["items"]
        assert (set(item["properties"]), item["required"]) == (
            {"content", "tags", "importance", "memory_type"},
            ["content"],
        )
        whole = client.call("store_memory", {"content": "one and two", "tags": ["t"]})["id"]
        answer = client.call("split_memory", {"id": whole, "parts": [{"content": "one"}, {"content": "two"}]})
        assert (answer["source_id"], len(set(answer["parts"])), answer["relationship"]) == (whole, 2, "PART_OF")
        nodes = client.call("graph_traverse", {"start_id": whole})
        assert {node["id"] for node in nodes} == {whole, *answer["parts"]}
        with pytest.raises(ToolError, match=r"parts\.1\.content is required"):
            client.call("split_memory", {"id": whole, "parts": [{"content": "three"}, {}]})
        assert client.call("codemem_stats")["storage"]["memories"] == 3
