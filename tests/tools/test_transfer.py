"""export_memories and import_memories: lossless there and back."""

import itertools
import json
import random

import pytest
from foreign import take_in

from indelible.engine import transfer
from indelible.errors import InvalidInput
from indelible.model import MEMORY_TYPES, RELATIONSHIPS


def whole(memory, **arguments):
    return memory.export_memories(limit=100_000, **arguments)


def take(memory, *items):
    return memory.import_memories(memories=list(items))


def errors(memory, item):
    """What an item alone is refused with."""
    result = take(memory, item)
    assert (result["imported"], result["skipped"], result["ids"]) == (0, 0, [])
    assert [problem["index"] for problem in result["errors"]] == [0]
    return result["errors"][0]["error"]


@pytest.fixture
def full(open_store, clock):
    """A store of 300 memories with all that one can have."""
    memory = open_store("full")
    pick = random.Random(7)
    words = ["axum", "gateway", "café", "連接池", "deploy 🚀", "retry_count", "naïve", "second\nline"]
    ids = []
    for i in range(300):
        clock.pass_(minutes=pick.randint(0, 90))
        ids.append(
            memory.store_memory(
                content=f"{pick.choice(words)} {pick.choice(words)} {i}",
                memory_type=pick.choice(MEMORY_TYPES),
                importance=pick.random(),
                tags=pick.choices(["a:b:c", "ops", "ümlaut", "x y"], k=pick.randint(0, 3)),
                **({"namespace": f"/project/{pick.randint(0, 3)}"} if pick.random() < 0.7 else {}),
                links=pick.sample(ids, min(len(ids), pick.randint(0, 2))),
            )["id"]
        )
    for _ in range(200):
        source, target = pick.sample(ids, 2)
        memory.associate_memories(
            source_id=source, target_id=target, relationship=pick.choice(RELATIONSHIPS), weight=pick.uniform(-1, 9)
        )
    for id_ in pick.sample(ids, 40):
        memory.update_memory(id=id_, content=f"updated {id_} {pick.choice(words)}", importance=pick.random())
    for id_ in pick.sample(ids, 10):
        memory.delete_memory(id=id_)
    take(
        memory,
        *(
            {
                "content": f"imported {i}",
                "confidence": i / 20,
                "metadata": {"n": i, "deep": {"list": [1, 2.5, None, True, "ü"], "": ""}, "big": 2**60, "neg": -0.5},
                "created_at": "2024-05-05T05:05:05Z",  # all at once: ties
                "session": f"session_{i % 3}",
                "position": i,
            }
            for i in range(20)
        ),
    )
    for word in words:
        memory.recall_memory(query=word, k=20)
    return memory


def test_an_export_imported_into_an_empty_store_exports_the_same_again(full, open_store):
    exported = whole(full)
    assert len(exported) == 310
    assert sum(len(item["edges"]) for item in exported) > 500
    assert sum(item["access_count"] for item in exported) > 50
    empty = open_store("empty")
    as_json = json.loads(json.dumps(exported))
    result = take(empty, *as_json)
    assert (result["imported"], result["skipped"], result["errors"]) == (310, 0, [])
    assert result["ids"] == [item["id"] for item in exported]
    assert whole(empty) == exported
    assert take(empty, *as_json)["skipped"] == 310
    assert whole(empty) == exported


def test_recall_and_walks_answer_the_same_after_the_way_there_and_back(full, open_store):
    copy = open_store("copy")
    take(copy, *whole(full))
    for query in ("axum gateway", "café", "連接池", "updated", "retry count last week", "imported 7"):
        answers = [store.recall_memory(query=query, k=15) for store in (full, copy)]
        assert [hit["id"] for hit in answers[0]] == [hit["id"] for hit in answers[1]]
        assert [hit["access_count"] for hit in answers[0]] == [hit["access_count"] for hit in answers[1]]
    start = whole(full)[0]["id"]
    assert full.graph_traverse(start_id=start, max_depth=3) == copy.graph_traverse(start_id=start, max_depth=3)
    assert full.codemem_stats()["graph"] == copy.codemem_stats()["graph"]


def test_an_export_is_newest_first_and_ties_by_id(full):
    exported = whole(full)
    times = [item["created_at"] for item in exported]
    assert times == sorted(times, reverse=True)
    tied = [item["id"] for item in exported if item["created_at"] == "2024-05-05T05:05:05Z"]
    assert len(tied) == 20
    assert tied == sorted(tied)


def test_an_export_takes_a_limit_a_namespace_and_a_type(full):
    exported = whole(full)
    assert full.export_memories() == exported[:100]
    assert full.export_memories(limit=7) == exported[:7]
    assert full.export_memories(limit=0) == []
    assert full.export_memories(limit=2**63 - 1) == exported
    some = [item for item in exported if item["namespace"] == "/project/1"]
    assert whole(full, namespace="/project/1") == some != []
    decisions = [item for item in some if item["memory_type"] == "decision"]
    assert whole(full, namespace="/project/1", memory_type="decision") == decisions != []
    assert full.export_memories(namespace="/project/1", memory_type="decision", limit=1) == decisions[:1]
    assert whole(full, namespace="/project/9") == []


def test_an_exported_memory_shows_all_there_is_to_know(memory):
    target = memory.store_memory(content="the target")["id"]
    stored = memory.store_memory(content="axum", memory_type="decision", importance=0.8, tags=["a"], links=[target])[
        "id"
    ]
    memory.recall_memory(query="axum")
    (item,) = [item for item in whole(memory) if item["id"] == stored]
    created = item["created_at"]
    assert item == {
        "id": stored,
        "kind": "memory",
        "content": "axum",
        "memory_type": "decision",
        "importance": 0.8,
        "confidence": 1.0,
        "tags": ["a"],
        "namespace": None,
        "metadata": {},
        "created_at": created,
        "updated_at": created,
        "access_count": 1,
        "last_accessed_at": item["last_accessed_at"],
        "session": memory.context.session,
        "position": item["position"],
        "edges": [
            {
                "source": stored,
                "target": target,
                "relationship": "RELATES_TO",
                "weight": 1.0,
                "metadata": {},
                "created_at": created,
            }
        ],
    }


# --- Import: what is given and what is not ---


def test_an_item_needs_no_more_than_content(memory):
    result = take(memory, {"content": "Always run clippy before committing"})
    assert (result["imported"], result["skipped"], result["errors"]) == (1, 0, [])
    (item,) = whole(memory)
    assert item["id"] == result["ids"][0]
    assert (item["memory_type"], item["importance"], item["confidence"]) == ("context", 0.5, 1.0)
    assert (item["tags"], item["metadata"], item["edges"], item["access_count"]) == ([], {}, [], 0)


@pytest.mark.parametrize(
    ("given", "kept"),
    [({}, "mine"), ({"namespace": None}, None), ({"namespace": "/theirs"}, "/theirs")],
    ids=["omitted", "null", "given"],
)
def test_an_omitted_namespace_is_the_servers_project_and_null_stays_none(open_store, given, kept):
    memory = open_store(project="mine")
    take(memory, {"content": "imported", **given})
    assert [item["namespace"] for item in whole(memory)] == [kept]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2025-08-08T10:30:00Z", "2025-08-08T10:30:00Z"),
        ("2025-08-08T10:30:00.123456Z", "2025-08-08T10:30:00.123456Z"),
        ("2025-08-08T10:30:00.5Z", "2025-08-08T10:30:00.500000Z"),
        ("2025-08-08T12:30:00+02:00", "2025-08-08T10:30:00Z"),
        ("2025-08-08T10:30:00", "2025-08-08T10:30:00Z"),
        ("2025-08-08", "2025-08-08T00:00:00Z"),
        ("1969-07-20T20:17:40Z", "1969-07-20T20:17:40Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_a_time_of_any_year_and_zone_is_kept(memory, given, shown):
    times = {"created_at": given, "updated_at": given, "last_accessed_at": given, "access_count": 3}
    assert take(memory, {"content": "axum in time", **times})["errors"] == []
    (item,) = whole(memory)
    assert {name: item[name] for name in times} == {**dict.fromkeys(times, shown), "access_count": 3}
    (hit,) = memory.recall_memory(query="axum")
    assert hit["created_at"] == f"{shown[:19]}Z"
    assert hit["access_count"] == 3


def test_an_id_is_kept_and_a_known_id_or_content_is_skipped(memory):
    first = take(memory, {"id": "mine-1", "content": "one"}, {"content": "two"})
    assert first["ids"][0] == "mine-1"
    before = whole(memory)
    result = take(
        memory,
        {"id": "mine-1", "content": "other content, same id"},
        {"id": "mine-2", "content": "one"},
        {"content": "two", "importance": 1.0},
        {"content": "three"},
        {"content": "three"},
    )
    assert (result["imported"], result["skipped"], result["errors"]) == (1, 4, [])
    assert [item for item in whole(memory) if item["content"] != "three"] == before


def test_the_same_content_is_known_only_in_its_own_namespace(memory):
    items = [{"content": "same", "namespace": name} for name in ("/a", "/b", None, "/a")]
    result = take(memory, *items)
    assert (result["imported"], result["skipped"]) == (3, 1)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_either_end_of_a_relation_may_come_later(memory, order):
    edge = {"source": "a", "target": "b", "relationship": "LEADS_TO", "weight": 0.25, "metadata": {"why": "x"}}
    items = [
        {"id": "a", "content": "memory a", "edges": [edge]},
        {"id": "b", "content": "memory b", "edges": [edge]},
        {"id": "c", "content": "memory c", "edges": [{**edge, "source": "b", "target": "c", "weight": 3}]},
    ]
    assert take(memory, *(items[i] for i in order))["errors"] == []
    found = {(e["source"], e["target"], e["weight"], str(e["metadata"])) for i in whole(memory) for e in i["edges"]}
    assert found == {("a", "b", 0.25, "{'why': 'x'}"), ("b", "c", 3, "{'why': 'x'}")}


def test_a_relation_may_end_at_what_the_store_has_already_and_at_any_kind(memory):
    known = memory.store_memory(content="known")["id"]
    take_in(memory, {"kind": "file", "id": "src/a.py", "content": "a.py"})
    edges = [
        {"source": "new", "target": known, "relationship": "LEADS_TO"},
        {"source": "file:src/a.py", "target": "new", "relationship": "contains"},
    ]
    assert take(memory, {"id": "new", "content": "imported", "edges": edges})["errors"] == []
    (item,) = [item for item in whole(memory) if item["id"] == "new"]
    assert sorted((e["source"], e["target"]) for e in item["edges"]) == [("file:src/a.py", "new"), ("new", known)]


def test_the_relations_of_a_skipped_item_are_made_with_the_memory_that_stands_for_it(memory):
    standing = memory.store_memory(content="one")["id"]
    edge = {"source": "theirs", "target": "two", "relationship": "LEADS_TO"}
    result = take(memory, {"id": "theirs", "content": "one", "edges": [edge]}, {"id": "two", "content": "two"})
    assert (result["imported"], result["skipped"], result["errors"]) == (1, 1, [])
    assert [(s["id"], s["depth"]) for s in memory.graph_traverse(start_id=standing)] == [(standing, 0), ("two", 1)]


def test_a_relation_to_nowhere_is_reported_and_its_memory_taken(memory):
    edge = {"source": "a", "target": "nowhere", "relationship": "LEADS_TO"}
    result = take(memory, {"content": "first"}, {"id": "a", "content": "second", "edges": [edge]})
    assert result["imported"] == 2
    assert result["errors"] == [{"index": 1, "error": "relation LEADS_TO left out: 'nowhere' is not in the store"}]


# --- Import: what is wrong ---

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
    ({"content": ("x",)}, "memories holds a tuple, which is no JSON"),
    ({"content": "x", "metadata": {5: 5}}, "memories holds an object with the key 5; keys must be text"),
]


@pytest.mark.parametrize(("item", "words"), WRONG)
def test_a_bad_item_is_reported_in_words_and_nothing_of_it_is_kept(memory, item, words):
    import re

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
        ({"memories": {}}, "memories must be a valid list"),
        ({"memories": "[]"}, r"memories must be a valid list, got '\[\]'"),
        ({"memories": None}, "memories must be a valid list, got None"),
        ({"memories": ()}, "memories holds a tuple, which is no JSON"),
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
        ({"limit": -1}, "limit must be greater than or equal to 0, got -1"),
        ({"limit": "5"}, "limit must be a valid integer, got '5'"),
        ({"limit": True}, "limit must be a valid integer, got True"),
        ({"limit": 1e300}, r"limit must be a valid integer.*, got 1e\+300"),
        ({"limit": 1 << 63}, r"limit must be a number below 2\^63"),
        ({"namespace": ""}, "namespace must .*got ''"),
        ({"memory_type": "all"}, "memory_type must be one of .*got 'all'"),
        ({"format": "csv"}, "unknown argument 'format'; allowed are: namespace, memory_type, limit"),
    ],
)
def test_an_export_with_bad_input_is_refused(memory, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.export_memories(**arguments)


# --- All kinds, as the command line does it ---


def test_all_records_of_all_kinds_go_there_and_back(full, open_store):
    take_in(
        full,
        {"kind": "solution", "id": "sol_1", "content": "restart it", "label": "a name", "tags": ["ops"]},
        {"kind": "entity", "id": "auth", "content": "the auth module", "memory_type": "module", "namespace": "/a"},
        {"kind": "entity", "id": "auth2", "content": "the same text"},
        {"kind": "entity", "id": "auth3", "content": "the same text"},
    )
    full.associate_memories(source_id="sol_1", target_id="entity:auth", relationship="EXPLAINS")
    exported = list(transfer.export_all(full.context))
    copy = open_store("copy")
    done = transfer.import_items(copy.context, json.loads(json.dumps(exported)))
    assert (done.errors, done.skipped, len(done.ids)) == ([], 0, 314)
    assert list(transfer.export_all(copy.context)) == exported
