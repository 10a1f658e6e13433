"""What import_memories and export_memories refuse, and that the rest is taken."""

import re

import pytest

from indelible.errors import InvalidInput


def whole(memory):
    return memory.export_memories(limit=100_000)


def take(memory, *items):
    return memory.import_memories(memories=list(items))


def errors(memory, item):
    """What an item alone is refused with."""
    result = take(memory, item)
    assert (result["imported"], result["skipped"], result["ids"]) == (0, 0, [])
    assert [problem["index"] for problem in result["errors"]] == [0]
    return result["errors"][0]["error"]


WRONG = [
    ("just text", "each item must be an object with at least `content`, got str"),
    (None, "each item must be an object with at least `content`, got NoneType"),
    ([], "each item must be an object"),
    ({}, "content must be a non-empty string, got null"),
    ({"content": ""}, 'content must be a non-empty string, got ""'),
    ({"content": 5}, "content must be a non-empty string, got 5"),
    ({"content": "x", "memory_type": "opinion"}, "memory_type must be one of decision, .*got 'opinion'"),
    ({"content": "x", "memory_type": None}, "memory_type must be a non-empty string, got null"),
    ({"content": "x", "importance": 2}, "importance must be a number from 0 to 1, got 2"),
    ({"content": "x", "importance": True}, "importance must be a number from 0 to 1, got true"),
    ({"content": "x", "importance": float("nan")}, "memories must be a finite number, got nan"),
    ({"content": "x", "confidence": "high"}, 'confidence must be a number from 0 to 1, got "high"'),
    ({"content": "x", "tags": "a,b"}, "tags must be a list, got str"),
    ({"content": "x", "tags": ["a", 1]}, "tags must be a list of non-empty strings, got 1 in it"),
    ({"content": "x", "tags": [""]}, 'tags must be a list of non-empty strings, got "" in it'),
    ({"content": "x", "namespace": ""}, 'namespace must be a non-empty string, got ""'),
    ({"content": "x", "namespace": 5}, "namespace must be a non-empty string, got 5"),
    ({"content": "x", "metadata": [1]}, "metadata must be an object, got list"),
    ({"content": "x", "created_at": "yesterday"}, "created_at must be an ISO 8601 time .*, got 'yesterday'"),
    ({"content": "x", "created_at": ""}, "created_at must be an ISO 8601 time .*, got ''"),
    ({"content": "x", "created_at": 1754649000}, "created_at must be an ISO 8601 time .*, got 1754649000"),
    ({"content": "x", "created_at": "9999-12-31T23:59:59-23:59"}, "created_at must be an ISO 8601 time"),
    ({"content": "x", "created_at": "0001-01-01T00:00:00+23:59"}, "created_at must be an ISO 8601 time"),
    ({"content": "x", "updated_at": "2025-13-01"}, "updated_at must be an ISO 8601 time"),
    ({"content": "x", "access_count": 1, "last_accessed_at": "x"}, "last_accessed_at must be an ISO 8601 time"),
    ({"content": "x", "access_count": -1}, "access_count must be a whole number of at least 0, got -1"),
    ({"content": "x", "access_count": 1.5}, "access_count must be a whole number of at least 0, got 1.5"),
    ({"content": "x", "position": "first"}, "position must be a whole number of at least 0"),
    ({"content": " \n\u200b"}, "content must have at least one visible character, got ' "),
    ({"content": "x", "id": ""}, 'id must be a non-empty string, got ""'),
    ({"content": "x", "id": 7}, "id must be a non-empty string, got 7"),
    ({"content": "x", "kind": "memo"}, "kind must be one of memory, solution"),
    ({"content": "x", "session": 5}, "session must be a non-empty string, got 5|session must be"),
    ({"content": "x", "replaced": "yes"}, 'replaced must be true or false, got "yes"'),
    ({"content": "x", "edges": "a-b"}, "edges must be a list, got str"),
    ({"content": "x", "edges": ["a-b"]}, "edges must hold objects with source, target and relationship, got str"),
    ({"content": "x", "edges": [{"source": "a", "target": "b"}]}, "relationship must be a non-empty string, got null"),
    (
        {"content": "x", "edges": [{"source": "a", "target": "b", "relationship": "LEADS_TO", "weight": "1"}]},
        'edges: weight must be a number, got "1"',
    ),
    ({"content": "x", "color": "red"}, "unknown field 'color'; allowed are access_count, confidence, content"),
    ({"content": "x\0"}, "memories contains a NUL character at position 1"),
    ({"content": "x\udc80"}, "memories contains half of a surrogate pair at position 1"),
    ({"content": "x" * (1 << 20) + "y"}, "memories has 1,048,577 bytes, at most 1,048,576 are allowed"),
    ({"content": "x", "metadata": {"n": 1 << 63}}, r"memories must be a number below 2\^63"),
    ({"content": ("x",)}, "memories holds a tuple, which is not JSON"),
    ({"content": "x", "metadata": {5: 5}}, "memories holds an object with the key 5; keys must be text"),
]


@pytest.mark.parametrize(("item", "words"), WRONG)
def test_a_bad_item_is_reported_in_words_and_nothing_of_it_is_kept(memory, item, words):
    assert re.search(words, errors(memory, item))
    assert whole(memory) == []


def test_bad_items_are_reported_by_their_place_and_the_others_are_taken(memory):
    bad = [item for item, _ in WRONG]
    items = [thing for i, wrong in enumerate(bad) for thing in ({"content": f"good {i}"}, wrong)]
    result = take(memory, *items)
    assert result["imported"] == len(bad)
    assert [problem["index"] for problem in result["errors"]] == list(range(1, 2 * len(bad), 2))
    assert {item["content"] for item in whole(memory)} == {f"good {i}" for i in range(len(bad))}
    assert result["ids"] == [i["id"] for c in range(len(bad)) for i in whole(memory) if i["content"] == f"good {c}"]


@pytest.mark.parametrize("depth", [66, 3000])
def test_an_item_that_is_nested_too_deeply_is_a_bad_item(memory, depth):
    deep: list = []
    for _ in range(depth):
        deep = [deep]
    result = take(memory, {"content": "deep", "metadata": {"a": deep}}, deep, {"content": "good"})
    assert [problem["error"] for problem in result["errors"]] == ["memories is nested deeper than 64 levels"] * 2
    assert result["imported"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "memories is required"),
        ({"memories": {}}, "memories must be a list"),
        ({"memories": "[]"}, r"memories must be a list, got '\[\]'"),
        ({"memories": None}, "memories must be a list, got None"),
        ({"memories": ()}, "memories holds a tuple, which is not JSON"),
        ({"memories": [], "namespace": "/a"}, "unknown argument 'namespace'; allowed are: memories"),
    ],
)
def test_an_import_of_no_list_is_refused(memory, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.import_memories(**arguments)


def test_an_import_of_nothing_imports_nothing(memory):
    assert take(memory) == {"imported": 0, "skipped": 0, "ids": [], "errors": []}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"limit": -1}, "limit must be at least 0, got -1"),
        ({"limit": "5"}, "limit must be a whole number, got '5'"),
        ({"limit": True}, "limit must be a whole number, got True"),
        ({"limit": 1e300}, r"limit must be a whole number, got 1e\+300"),
        ({"limit": 1 << 63}, r"limit must be a number below 2\^63"),
        ({"namespace": ""}, "namespace must .*got ''"),
        ({"memory_type": "all"}, "memory_type must be one of .*got 'all'"),
        ({"format": "csv"}, "unknown argument 'format'; allowed are: namespace, memory_type, limit"),
    ],
)
def test_an_export_with_bad_input_is_refused(memory, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.export_memories(**arguments)
