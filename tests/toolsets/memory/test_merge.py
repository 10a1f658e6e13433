import pytest

from foreign import take_in
from indelible.errors import Conflict, InvalidInput, NotFound
from mcp_client import McpClient

ONE = {"id": "one", "content": "retry on 503", "tags": ["http", "retry"], "confidence": 0.9, "importance": 0.2}
TWO = {"id": "two", "content": "retry on 504", "tags": ["retry", "limits"], "confidence": 0.4, "memory_type": "habit"}
THREE = {"id": "three", "content": "back off", "tags": ["http", "日本"], "confidence": 0.2, "memory_type": "pattern"}


@pytest.fixture
def sources(memory):
    take_in(memory, *({**item, "namespace": "/a"} for item in (ONE, TWO, THREE)))
    return ["one", "two", "three"]


def exported(memory):
    return {item["id"]: item for item in memory.export_memories(limit=1000)}


def summarised(memory, merged):
    return {
        edge["target"]
        for edge in exported(memory)[merged]["edges"]
        if edge["relationship"] == "SUMMARIZES" and edge["source"] == merged
    }


def test_merged_memories_are_kept_and_summarised_by_one(memory, sources):
    before = exported(memory)
    answer = memory.merge_memories(source_ids=sources, content="retry gateway errors with back-off")
    merged = answer["merged_id"]
    assert answer == {"merged_id": merged, "source_ids": sources, "relationship": "SUMMARIZES"}
    after = exported(memory)
    assert {id_: {**after[id_], "edges": []} for id_ in sources} == before
    assert summarised(memory, merged) == set(sources)
    stored = after[merged]
    assert (stored["content"], stored["namespace"]) == ("retry gateway errors with back-off", "/a")
    assert (stored["memory_type"], stored["importance"]) == ("insight", 0.7)
    assert stored["confidence"] == pytest.approx(0.5)
    assert stored["tags"] == ["http", "retry", "limits", "日本"]
    assert stored["metadata"] == {}


@pytest.mark.parametrize(
    ("ids", "tags"),
    [
        (["one", "two"], ["http", "retry", "limits"]),
        (["two", "one"], ["retry", "limits", "http"]),
        (["three", "one", "two"], ["http", "日本", "retry", "limits"]),
    ],
    ids=str,
)
def test_tags_that_are_not_given_are_those_of_the_sources_in_the_order_of_first_appearance(memory, sources, ids, tags):
    merged = memory.merge_memories(source_ids=ids, content="merged")["merged_id"]
    assert exported(memory)[merged]["tags"] == tags


@pytest.mark.parametrize(
    "given", [{"tags": ["own"]}, {"tags": []}, {"importance": 0}, {"memory_type": "decision"}], ids=str
)
def test_what_is_given_is_taken(memory, sources, given):
    merged = memory.merge_memories(source_ids=sources, content="merged", **given)["merged_id"]
    assert {name: exported(memory)[merged][name] for name in given} == given


@pytest.mark.parametrize(
    ("ids", "confidence"), [(["one", "two"], 0.65), (["two", "three"], 0.3), (["one", "one", "two"], 0.65)], ids=str
)
def test_the_confidence_is_the_mean_of_the_sources(memory, sources, ids, confidence):
    merged = memory.merge_memories(source_ids=ids, content="merged")["merged_id"]
    assert exported(memory)[merged]["confidence"] == pytest.approx(confidence)


def test_a_memory_that_is_named_twice_counts_once(memory, sources):
    answer = memory.merge_memories(source_ids=["two", "one", "memory:two", "two"], content="merged")
    assert answer["source_ids"] == ["two", "one"]
    assert summarised(memory, answer["merged_id"]) == {"one", "two"}


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([], "source_ids must have at least 2 items"),
        (["one"], "source_ids must have at least 2 items"),
        (["one", "one"], "source_ids must name at least two different memories, got 1"),
        (["one", "memory:one"], "source_ids must name at least two different memories, got 1"),
        ("one", "source_ids must be a list, got 'one'"),
        (["one", ""], "source_ids.1 must have at least 1 character, got ''"),
        (["one", 2], "source_ids.1 must be a text, got 2"),
        (["one", "elsewhere"], "source_ids must be of one namespace, these are of '/a', '/b'"),
        (["one", "nowhere"], "source_ids must be of one namespace, these are of none, '/a'"),
    ],
    ids=str,
)
def test_fewer_than_two_memories_of_one_namespace_are_refused(memory, sources, ids, words):
    take_in(
        memory,
        {"id": "elsewhere", "content": "in another project", "namespace": "/b"},
        {"id": "nowhere", "content": "in none", "namespace": None},
    )
    before = exported(memory)
    with pytest.raises(InvalidInput, match=words):
        memory.merge_memories(source_ids=ids, content="merged")
    assert exported(memory) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"content": ""}, "content must have at least 1 character, got ''"),
        ({"content": "\n"}, "content must have at least one visible character, got "),
        ({"content": None}, "content must be a text, got None"),
        ({"content": "x", "memory_type": "fact"}, "memory_type must be one of 'decision', .*, got 'fact'"),
        ({"content": "x", "importance": -0.1}, "importance must be .*, got -0.1"),
        ({"content": "x", "tags": [3]}, "tags.0 must be a text, got 3"),
        ({"content": "x", "confidence": 1}, "unknown argument 'confidence'; allowed are: source_ids, content"),
    ],
    ids=str,
)
def test_bad_input_is_refused(memory, sources, arguments, words):
    before = exported(memory)
    with pytest.raises(InvalidInput, match=words):
        memory.merge_memories(source_ids=sources, **arguments)
    assert exported(memory) == before


def test_an_unknown_or_foreign_id_is_an_error_that_names_it(memory, sources):
    take_in(memory, {"kind": "solution", "id": "sol_1", "content": "restart it"})
    before = exported(memory)
    with pytest.raises(NotFound, match="source_ids 'nobody' is unknown: there is no memory with that id"):
        memory.merge_memories(source_ids=["one", "nobody"], content="x")
    with pytest.raises(NotFound, match="source_ids 'sol_1' is a solution, not a memory"):
        memory.merge_memories(source_ids=["one", "sol_1"], content="x")
    assert exported(memory) == before


@pytest.mark.parametrize("content", ["retry on 503", "known"])
def test_a_content_that_a_current_memory_has_is_a_conflict_that_names_it(memory, sources, content):
    known = memory.store_memory(content=content, namespace="/a")["id"]
    before = exported(memory)
    with pytest.raises(Conflict, match=f"content equals memory {known} of the same namespace"):
        memory.merge_memories(source_ids=sources, content=content)
    assert exported(memory) == before


def test_a_merge_again_is_a_conflict_that_names_the_first(memory, sources):
    merged = memory.merge_memories(source_ids=sources, content="merged")["merged_id"]
    with pytest.raises(Conflict, match=f"content equals memory {merged}"):
        memory.merge_memories(source_ids=sources, content="merged")
    assert len(exported(memory)) == 4


def test_memories_without_a_namespace_are_merged_into_one_without(memory):
    ids = [memory.store_memory(content=content)["id"] for content in ("alpha", "beta")]
    merged = memory.merge_memories(source_ids=ids, content="both")["merged_id"]
    assert exported(memory)[merged]["namespace"] is None


def test_memories_of_two_names_of_one_project_are_merged(open_store, tmp_path):
    top = tmp_path / "repo"
    (top / "inner").mkdir(parents=True)
    memory = open_store(project=str(top))
    own = memory.store_memory(content="alpha")["id"]
    inner = memory.store_memory(content="beta", namespace=str(top / "inner"))["id"]
    merged = memory.merge_memories(source_ids=[inner, own], content="both")["merged_id"]
    assert exported(memory)[merged]["namespace"] == str(top / "inner")


@pytest.mark.process
def test_a_server_merges_and_recalls_the_summary(tmp_path):
    with McpClient(tmp_path / "data") as client:
        ids = [client.call("store_memory", {"content": f"{name} retries"})["id"] for name in ("Alpha", "Beta")]
        answer = client.call("merge_memories", {"source_ids": ids, "content": "Every gateway client retries thrice"})
        assert answer["source_ids"] == ids
        assert client.call("recall_memory", {"query": "gateway thrice"})[0]["id"] == answer["merged_id"]
        nodes = client.call("graph_traverse", {"start_id": answer["merged_id"]})
        assert {node["id"] for node in nodes} == {answer["merged_id"], *ids}
