"""Toolset vectors: search, memorize, feedback and delete over entries that the caller embeds itself."""

import json
import math
import random
import re
from dataclasses import replace

import pytest

from earlier import EarlierFirst
from foreign import take_in
from indelible.core.context.permissions import Grant
from indelible.errors import InvalidInput
from indelible.store.tables import changes, records
from indelible.toolsets.vectors import vectors
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient, ToolError, text_of
from park import exported, of_kind, undo


def found(memory, vector, limit=5):
    return {match["id"]: match["similarity"] for match in memory.search(vector=vector, limit=limit)}


def test_a_search_that_began_before_a_write_that_the_index_has_begins_anew(memory):
    """Two searches at once share the index: the later one brings it to a moment that the other does not see."""
    memory.memorize(id="stays", vector={"1": 1, "2": 1})
    ctx = memory.context
    with ctx.store.read() as earlier:
        changes.last(earlier)  # its moment is now
        memory.memorize(id="new", vector={"1": 1})
        assert list(found(memory, {"1": 1})) == ["new", "stays"]
        for limit, expected in ((1, ["new"]), (5, ["new", "stays"])):
            matches = vectors.search(replace(ctx, store=EarlierFirst(ctx.store, earlier)), {1: 1.0}, limit)
            assert [match["id"] for match in matches] == expected


def test_an_entry_that_moved_out_of_a_caller_s_sight_is_found_no_more(memory):
    def of(namespace):
        return memory.context.granted(Grant("who", "write", frozenset({namespace})))

    ours = of("ours")
    vectors.memorize(ours, vectors.NewEntry("moves", {1: 1.0}))
    vectors.memorize(ours, vectors.NewEntry("stays", {1: 1.0, 2: 1.0}))
    assert [match["id"] for match in vectors.search(ours, {1: 1.0}, 5)] == ["moves", "stays"]

    memory.context.store.write(lambda tx: records.move(tx, records.by_key(tx, "moves")[0].id, "theirs"))
    assert [match["id"] for match in vectors.search(ours, {1: 1.0}, 5)] == ["stays"]


# --- The reference's examples ---


def test_the_examples_of_the_reference_run_as_written(memory):
    """vecfs.md: both forms of a vector, each tool with its parameters, each answer with its fields and words."""
    sparse = {"3": 0.42, "17": -0.31, "128": 0.15}
    answer = memory.memorize(id="lesson-1", vector=sparse, text="Run the linter first", metadata={"topic": "ci"})
    assert answer == "Stored entry: lesson-1"
    assert memory.memorize(id="lesson-2", vector=[0.0, 0.0, 0.42, 0.0]) == "Stored entry: lesson-2"
    first, second = memory.search(vector=sparse)
    assert first == {
        "id": "lesson-1",
        "vector": sparse,
        "metadata": {"topic": "ci", "text": "Run the linter first"},
        "score": 0,
        "similarity": 1,
    }
    assert second == {"id": "lesson-2", "vector": {"2": 0.42}, "metadata": {}, "score": 0, "similarity": 0}
    for adjustment in (1, 0.5, -1, -2):
        assert memory.feedback(id="lesson-1", scoreAdjustment=adjustment) == "Updated score for entry: lesson-1"
    assert memory.search(vector=sparse, limit=1)[0]["score"] == -1.5
    assert memory.feedback(id="lesson-3", scoreAdjustment=1) == "Entry not found: lesson-3"
    assert memory.delete(id="lesson-1") == "Deleted entry: lesson-1"
    assert memory.delete(id="lesson-1") == "Entry not found: lesson-1"
    assert found(memory, sparse) == {"lesson-2": 0}


def test_five_entries_are_found_where_no_limit_is_given(memory):
    for n in range(7):
        memory.memorize(id=f"e{n}", vector={"1": 1, "2": n})
    assert len(memory.search(vector={"1": 1})) == 5
    assert len(memory.search(vector={"1": 1}, limit=7.0)) == 7
    assert len(memory.search(vector={"1": 1}, limit=1_000_000)) == 7
    assert memory.search(vector={"1": 1}, limit=0) == []


def test_an_empty_store_answers(memory):
    assert memory.search(vector=[1, 2]) == []
    assert memory.feedback(id="x", scoreAdjustment=1) == "Entry not found: x"
    assert memory.delete(id="x") == "Entry not found: x"
    assert exported(memory) == []


# --- Vectors ---

FORMS = {
    "a sparse object": {"3": 0.42, "17": -0.31},
    "in another order": {"17": -0.31, "3": 0.42},
    "with zeros": {"3": 0.42, "5": 0, "6": -0.0, "17": -0.31},
    "a dense array": [0, 0, 0, 0.42, *[0.0] * 13, -0.31, 0],
    "a sparse object as a text": '{"3": 0.42, "17": -0.31}',
    "a dense array as a text": json.dumps([0, 0, 0, 0.42, *[0.0] * 13, -0.31]),
    "a text with white space": ' {"3":4.2e-1,\n"17":-0.31} ',
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_vector_may_have_any_of_its_forms(memory, form):
    memory.memorize(id="stored", vector=form)
    (match,) = memory.search(vector={"3": 0.42, "17": -0.31})
    assert (match["vector"], match["similarity"]) == ({"3": 0.42, "17": -0.31}, 1)
    assert found(memory, form) == {"stored": 1}


def test_weights_come_back_to_the_last_bit(memory):
    pick = random.Random(1)
    weights = [pick.gauss(0, 1) for _ in range(50)] + [1e308, 5e-324, -1e-310, 2**53 + 1.0, 0.1 + 0.2, math.pi]
    vector = {str(pick.randrange(1 << 62)): weight for weight in weights}
    vector |= {"0": 1.0, "4294967295": 2.0, "4294967296": 3.0, str(2**63 - 1): 4.0}
    memory.memorize(id="exact", vector=vector)
    (match,) = memory.search(vector=vector)
    assert match["vector"] == vector
    assert list(match["vector"]) == sorted(vector, key=int)


WRONG = {
    "null": (None, "must be an object"),
    "a number": (5, "must be an object.*got 5"),
    "a bool": (True, "must be an object"),
    "a text": ("near", "is a text that is not JSON: 'near'"),
    "an empty text": ("", "is a text that is not JSON: ''"),
    "a number as a text": ("5", "must be an object.*got 5"),
    "a text in a text": ('"[1]"', "must be an object"),
    "half of a text": ("[1, 2", "not JSON"),
    "a deep text": ("[" * 100_000, "not JSON"),
    "a word as index": ({"a": 1}, "has the index 'a'"),
    "a negative index": ({"-1": 1}, "has the index '-1'"),
    "a fraction as index": ({"1.0": 1}, "has the index '1.0'"),
    "a space in the index": ({" 3": 1}, "has the index ' 3'"),
    "a leading zero": ({"03": 1}, "has the index '03'.*without leading zeros"),
    "other digits": ({"３": 1}, "has the index '３'"),
    "an empty index": ({"": 1}, "has the index ''"),
    "an index that is too high": ({str(2**63): 1}, "the highest that is allowed is 9223372036854775807"),
    "a long index": ({"9" * 5000: 1}, "the highest that is allowed"),
    "a text as weight": ({"3": "0.4"}, "has '0.4' at index 3; a weight must be a finite number"),
    "null as weight": ([1, None], "has None at index 1"),
    "a bool as weight": ([True], "has True at index 0"),
    "a list as weight": ([[1]], r"has \[1\] at index 0"),
    "an object as weight": ({"1": {"2": 3}}, "at index 1"),
    "NaN": ([math.nan], "finite number, got nan"),
    "infinity": ({"1": math.inf}, "finite number, got inf"),
    "NaN in a text": ("[NaN]", "has nan at index 0"),
    "infinity in a text": ('{"1": -Infinity}', "has -inf at index 1"),
    "too large in a text": ("[1e999]", "has inf at index 0"),
    "a whole number too large": ("[1" + "0" * 400 + "]", "at index 0; a weight must be a finite number"),
    "a whole number of many digits": ("[1" + "0" * 5000 + "]", "at index 0; a weight must be a finite number"),
    "an index that stands twice in a text": ('{"3": 1, "4": 2, "3": 1}', "has the index '3' twice"),
    "more weights than are allowed": pytest.param(
        [1] * ((1 << 19) + 1), "at most 524,288 weights", marks=pytest.mark.full
    ),
    "a text over 1 MiB": ("[" + "1," * (1 << 19) + "1]", "has 1,048,579 bytes, at most 1,048,576 are allowed"),
}


@pytest.mark.parametrize(("wrong", "words"), WRONG.values(), ids=WRONG)
def test_what_is_no_vector_is_refused_by_its_name(memory, wrong, words):
    memory.memorize(id="known", vector=[1])
    before = exported(memory)
    for tool, arguments in (("search", {}), ("memorize", {"id": "known"})):
        with pytest.raises(InvalidInput, match=f"vector .*{words}") as refusal:
            memory.call(tool, vector=wrong, **arguments)
        assert len(str(refusal.value)) < 400
    assert exported(memory) == before


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("search", {}, "vector is required"),
        ("search", {"vector": [1], "limit": -1}, "limit must .*got -1"),
        ("search", {"vector": [1], "limit": 2.5}, "limit must .*got 2.5"),
        ("search", {"vector": [1], "limit": True}, "limit must .*got True"),
        ("search", {"vector": [1], "limit": "3"}, "limit must .*got '3'"),
        ("search", {"vector": [1], "limit": None}, "limit must"),
        ("memorize", {"vector": [1]}, "id is required"),
        ("memorize", {"id": "", "vector": [1]}, "id must .*got ''"),
        ("memorize", {"id": 5, "vector": [1]}, "id must .*got 5"),
        ("memorize", {"id": "ü" * 1001, "vector": [1]}, "id must have at most 2,000 bytes, got 2,002"),
        ("memorize", {"id": "a\0b", "vector": [1]}, "id contains a NUL character"),
        ("memorize", {"id": "a", "vector": [1], "text": 5}, "text must .*got 5"),
        ("memorize", {"id": "a", "vector": [1], "text": "x" * ((1 << 20) + 1)}, "text has 1,048,577 bytes"),
        ("memorize", {"id": "a", "vector": [1], "metadata": []}, "metadata must"),
        ("memorize", {"id": "a", "vector": [1], "metadata": {"n": math.nan}}, "metadata must be a finite number"),
        ("memorize", {"id": "a", "vector": [1], "tags": []}, "unknown argument 'tags'"),
        ("feedback", {"id": "known"}, "scoreAdjustment is required"),
        ("feedback", {"id": "known", "scoreAdjustment": "1"}, "scoreAdjustment must .*got '1'"),
        ("feedback", {"id": "known", "scoreAdjustment": True}, "scoreAdjustment must .*got True"),
        ("feedback", {"id": "known", "scoreAdjustment": math.inf}, "scoreAdjustment must be a finite number"),
        ("feedback", {"id": "", "scoreAdjustment": 1}, "id must"),
        ("delete", {}, "id is required"),
        ("delete", {"id": None}, "id must"),
    ],
)
def test_other_bad_input_is_refused_by_its_name_and_nothing_is_written(memory, tool, arguments, words):
    memory.memorize(id="known", vector=[1])
    before = exported(memory)
    with pytest.raises(InvalidInput, match=words):
        memory.call(tool, **arguments)
    assert exported(memory) == before


def test_a_score_stays_finite(memory):
    memory.memorize(id="liked", vector=[1])
    memory.feedback(id="liked", scoreAdjustment=1.5e308)
    with pytest.raises(InvalidInput, match=r"scoreAdjustment 1.5e.308 on the score 1.5e.308 gives no finite number"):
        memory.feedback(id="liked", scoreAdjustment=1.5e308)
    assert memory.search(vector=[1])[0]["score"] == 1.5e308


@pytest.mark.slow
@pytest.mark.parametrize("weights", [1 << 15, pytest.param(1 << 19, marks=pytest.mark.full)])
def test_a_vector_of_many_weights_is_kept_and_found(memory, weights):
    vector = [1.0] * weights
    memory.memorize(id="long", vector=vector)
    memory.memorize(id="text", vector="[" + ",".join("1" * (weights // 2)) + "]")
    assert found(memory, vector) == {"long": 1, "text": pytest.approx(math.sqrt(0.5))}


# --- Order ---


def test_similar_ones_come_first_then_unrelated_ones_then_opposite_ones(memory):
    vectors = {"same": [1, 1], "near": [1, 0], "zero": [], "other": [0, 0, 5], "opposite": [-2, -2], "far": [-1, 0]}
    for name, vector in vectors.items():
        memory.memorize(id=name, vector=vector)
    matches = memory.search(vector=[3, 3], limit=10)
    assert [match["id"] for match in matches] == ["same", "near", "other", "zero", "far", "opposite"]
    half = round(math.sqrt(0.5), 6)
    assert [match["similarity"] for match in matches] == [1, half, 0, 0, -half, -1]


def test_equally_similar_ones_are_ordered_by_score_then_newest_then_id(memory, clock, monkeypatch):
    for name in ("old", "new"):
        memory.memorize(id=name, vector=[0, 2])
    for name in ("liked", "disliked"):
        memory.memorize(id=name, vector=[0, 0.3])
        memory.feedback(id=name, scoreAdjustment=1 if name == "liked" else -1)
    moment = clock.now
    for name in ("b", "a"):
        clock.now = moment
        memory.memorize(id=name, vector=[0, 7])
    order = ["liked", "a", "b", "new", "old", "disliked"]
    assert list(found(memory, [0, 1], 10)) == order
    assert list(found(memory, [0, 1], 3)) == order[:3]
    assert list(found(memory, [1], 10)) == order  # all at 0
    memory.feedback(id="old", scoreAdjustment=0.5)  # which makes it no newer
    memory.feedback(id="old", scoreAdjustment=-0.5)
    assert list(found(memory, [0, 1], 10)) == order


# --- Entries ---


def test_an_entry_is_replaced_under_its_id_and_its_score_reset(memory):
    memory.memorize(id="e", vector=[1, 0], text="first", metadata={"a": 1, "b": 2})
    memory.feedback(id="e", scoreAdjustment=2)
    memory.memorize(id="e", vector=[0, 1], metadata={"c": 3})
    assert memory.search(vector=[0, 1]) == [
        {"id": "e", "vector": {"1": 1}, "metadata": {"c": 3}, "score": 0, "similarity": 1}
    ]
    assert memory.recall_memory(query="first") == []
    assert len(of_kind(memory, "vector")) == 1


def test_the_same_entry_again_changes_nothing(memory):
    entry = {"id": "e", "vector": {"1": 1.5}, "text": "kept", "metadata": {"a": [1, {"b": None}]}}
    memory.memorize(**entry)
    before = exported(memory)
    assert memory.memorize(**entry) == "Stored entry: e"
    assert exported(memory) == before


TEXTS = [
    ({"text": "given"}, {"text": "given"}, "given"),
    ({"text": "given", "metadata": {"text": "tag", "n": 1}}, {"text": "given", "n": 1}, "given"),
    ({"metadata": {"text": "tag", "n": 1}}, {"text": "tag", "n": 1}, "tag"),
    ({"metadata": {"text": ["no", "text"]}}, {"text": ["no", "text"]}, ""),
    ({"text": ""}, {"text": ""}, ""),
    ({"text": None, "metadata": None}, {}, ""),
    ({"text": "日本語 café 🚀\n"}, {"text": "日本語 café 🚀\n"}, "日本語 café 🚀\n"),
]


@pytest.mark.parametrize(("given", "shown", "text"), TEXTS)
def test_the_text_is_part_of_the_metadata(memory, given, shown, text):
    memory.memorize(id="e", vector=[1], **given)
    assert memory.search(vector=[1])[0]["metadata"] == shown
    assert of_kind(memory, "vector")[0]["content"] == text


@pytest.mark.parametrize("name", ["ü ö", "日本語", "👩‍👩‍👧", "a b\tc\n", "'; DROP TABLE record; --", "%_*", "x" * 2000])
def test_an_id_may_be_any_text(memory, name):
    assert memory.memorize(id=name, vector=[1]) == f"Stored entry: {name}"
    assert found(memory, [1]) == {name: 1}
    assert memory.feedback(id=name, scoreAdjustment=1) == f"Updated score for entry: {name}"
    assert memory.delete(id=name) == f"Deleted entry: {name}"
    assert found(memory, [1]) == {}


def test_an_entry_is_also_known_by_its_kind_and_id(memory):
    memory.memorize(id="e", vector=[1])
    memory.memorize(id="vector:e", vector=[0, 1])
    assert memory.delete(id="vector:e") == "Deleted entry: vector:e"
    assert memory.delete(id="vector:e") == "Deleted entry: vector:e"
    assert found(memory, [1]) == {}


def test_secrets_are_in_no_part_of_an_entry(memory):
    secret = "ghp_" + "a1B2" * 9
    memory.memorize(id="e", vector=[1], text=f"token {secret}", metadata={"key": secret})
    assert secret not in json.dumps(exported(memory))
    assert "[REDACTED:" in memory.search(vector=[1])[0]["metadata"]["text"]


# --- One memory ---


def test_a_text_is_found_by_recall_and_its_vector_by_search(memory):
    memory.memorize(id="e", vector=[1], text="Axum was chosen over Actix")
    memory.memorize(id="silent", vector=[1])
    (hit,) = memory.recall_memory(query="why axum")
    assert (hit["id"], hit["kind"], hit["memory_type"]) == ("e", "vector", "context")
    assert hit["content"] == "Axum was chosen over Actix"
    assert memory.recall_memory(query="why axum", memory_type="context") == []


def test_a_text_is_found_by_its_meaning_and_never_by_the_callers_vector(open_store):
    memory = open_store()
    ctx = with_meaning(memory.context)
    memory.memorize(id="e", vector=[1, 2, 3], text="the owls are fed at night")
    memory.memorize(id="silent", vector=[1, 2, 3])
    embed_all(ctx)
    assert memory.codemem_stats()["storage"]["embeddings"] == 1


def test_any_record_can_be_related_to_an_entry(memory):
    memory.memorize(id="e", vector=[1], text="tower layers")
    stored = memory.store_memory(content="why tower", links=["e"])
    assert [node["id"] for node in memory.graph_traverse(start_id=stored["id"])] == [stored["id"], "e"]
    memory.associate_memories(source_id="vector:e", target_id=stored["id"], relationship="EXPLAINS")
    assert memory.codemem_stats()["graph"]["relationship_types"] == {"RELATES_TO": 1, "EXPLAINS": 1}


def test_only_its_own_kind_is_overwritten_and_deleted(memory):
    stored = memory.store_memory(content="a memory")["id"]
    take_in(memory, {"id": "shared", "kind": "entity", "content": "an entity"})
    for name in (stored, "shared"):
        assert memory.delete(id=name) == f"Entry not found: {name}"
        assert memory.feedback(id=name, scoreAdjustment=1) == f"Entry not found: {name}"
        memory.memorize(id=name, vector=[1], text=f"under the id {name}")
        assert memory.delete(id=name) == f"Deleted entry: {name}"
    assert [item["content"] for item in exported(memory)] == ["a memory", "an entity"]
    memory.memorize(id="e", vector=[1])
    assert memory.codemem_stats()["storage"]["memories"] == 1
    assert len(memory.export_memories()) == 1
    assert memory.codemem_stats()["graph"]["node_kinds"] == {"memory": 1, "entity": 1, "vector": 1}


def test_entries_are_one_space_whatever_project_a_server_belongs_to(open_store, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        project = open_store(project=str(tmp_path / name))
        project.memorize(id="shared", vector=[1], text=f"of {name}")
        project.close()
    (entry,) = of_kind(open_store(), "vector")
    assert (entry["namespace"], entry["content"]) == (None, "of two")


# --- Back again ---


def test_what_was_overwritten_or_deleted_can_be_undone(memory):
    memory.memorize(id="e", vector=[1, 2], text="first", metadata={"a": 1})
    memory.feedback(id="e", scoreAdjustment=0.5)
    before = memory.search(vector=[1, 2])
    memory.memorize(id="e", vector=[5], text="second")
    undo(memory)
    assert memory.search(vector=[1, 2]) == before
    memory.delete(id="e")
    assert memory.search(vector=[1, 2]) == []
    undo(memory)
    assert memory.search(vector=[1, 2]) == before
    assert [hit["id"] for hit in memory.recall_memory(query="first")] == ["e"]


@pytest.mark.process
def test_confirmations_are_plain_texts_and_matches_an_array(tmp_path):
    with McpClient(tmp_path / "data", "--toolsets", "vectors") as client:
        assert [tool["name"] for tool in client.tools()] == ["search", "memorize", "feedback", "delete"]
        stored = client.result("memorize", {"id": "e", "vector": '{"3": 1}'})
        assert (text_of(stored), stored["structuredContent"]) == ("Stored entry: e", {"result": "Stored entry: e"})
        matches = client.result("search", {"vector": [0, 0, 0, 2]})
        assert json.loads(text_of(matches)) == matches["structuredContent"]["result"]
        assert json.loads(text_of(matches))[0]["vector"] == {"3": 1}
        missing = client.result("delete", {"id": "x"})
        assert (text_of(missing), missing.get("isError", False)) == ("Entry not found: x", False)
        with pytest.raises(ToolError, match="vector has the index 'x'"):
            client.call("search", {"vector": {"x": 1}})


@pytest.mark.process
def test_a_read_only_server_searches_and_refuses_the_rest(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        client.call("memorize", {"id": "e", "vector": [1]})
    with McpClient(data, "--read-only", "--toolsets", "vectors") as client:
        assert [tool["name"] for tool in client.tools()] == ["search"]
        assert client.call("search", {"vector": [1]})[0]["id"] == "e"


def test_the_schema_says_which_forms_a_vector_may_have(memory):
    from indelible.toolsets.registry import find_tool

    forms = find_tool("search").input_schema["properties"]["vector"]
    assert [form["type"] for form in forms["anyOf"]] == ["object", "array", "string"]
    assert re.search(r"Sparse .*dense", forms["description"])
