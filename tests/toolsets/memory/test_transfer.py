"""export_memories and import_memories: lossless there and back."""

import itertools
import json
import random

import pytest

import store_file
from foreign import take_in
from indelible.api import Memory
from indelible.core.context.context import open_context
from indelible.core.records import exporting
from indelible.model import MEMORY_TYPES, RELATIONSHIPS, Edge
from indelible.settings import Settings
from indelible.store.tables import edges, records
from indelible.toolsets.memory import importing, merged_projects
from open_stores import Clock


def whole(memory, **arguments):
    return memory.export_memories(limit=100_000, **arguments)


def take(memory, *items):
    return memory.import_memories(memories=list(items))


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A closed store of hundreds of memories, with all that one can have, to be copied, and the time after it."""
    place, clock = tmp_path_factory.mktemp("filled"), Clock()
    with Memory(open_context(Settings(data=place / "data", start=place, home=place), clock)) as memory:
        fill(memory, clock)
    return place / "data", clock.now


@pytest.fixture
def full(filled, open_store, tmp_path, clock):
    """A copy of that store for one test."""
    data, clock.now = filled
    store_file.copy(data, tmp_path / "full")
    return open_store("full")


def fill(memory, clock):
    pick = random.Random(7)
    words = ["axum", "gateway", "café", "連接池", "deploy 🚀", "retry_count", "naïve", "second\nline"]
    ids = []
    for i in range(250):
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
    for _ in range(175):
        source, target = pick.sample(ids, 2)
        memory.associate_memories(
            source_id=source, target_id=target, relationship=pick.choice(RELATIONSHIPS), weight=pick.uniform(-1, 9)
        )
    for id_ in pick.sample(ids, 20):
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


@pytest.mark.slow
def test_an_export_imported_into_an_empty_store_exports_the_same_again(full, open_store):
    exported = whole(full)
    assert len(exported) == 260
    assert sum(len(item["edges"]) for item in exported) > 350
    assert sum(item["access_count"] for item in exported) > 50
    empty = open_store("empty")
    as_json = json.loads(json.dumps(exported))
    result = take(empty, *as_json)
    assert (result["imported"], result["skipped"], result["errors"]) == (260, 0, [])
    assert result["ids"] == [item["id"] for item in exported]
    assert whole(empty) == exported
    assert take(empty, *as_json)["skipped"] == 260
    assert whole(empty) == exported


@pytest.mark.slow
def test_recall_and_walks_answer_the_same_after_the_way_there_and_back(full, open_store):
    copy = open_store("copy")
    take(copy, *whole(full))
    for i in range(20):
        first, second = (store.recall_memory(query=f"imported {i}", k=1)[0] for store in (full, copy))
        assert (first["id"], first["access_count"]) == (second["id"], second["access_count"])
    for item in whole(full)[::20]:
        walks = [store.graph_traverse(start_id=item["id"], max_depth=3) for store in (full, copy)]
        assert walks[0] == walks[1]
    assert full.codemem_stats()["graph"] == copy.codemem_stats()["graph"]


@pytest.mark.slow
def test_an_export_is_newest_first_and_ties_by_id(full):
    exported = whole(full)
    times = [item["created_at"] for item in exported]
    assert times == sorted(times, reverse=True)
    tied = [item["id"] for item in exported if item["created_at"] == "2024-05-05T05:05:05Z"]
    assert len(tied) == 20
    assert tied == sorted(tied)


@pytest.mark.slow
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
        "session": memory.context.session.id,
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


def test_a_relation_is_to_that_of_two_vectors_of_one_id_which_it_was_to(memory, open_store):
    memory.memorize(id="v", vector=[1.0], text="moved with its project")
    chosen = merged_projects.chosen_of(memory.context, "", ["vector:v"])
    merged_projects.split(memory.context, "", "/projects/moved", chosen)
    memory.memorize(id="v", vector=[1.0], text="stored since")
    source = memory.store_memory(content="about it", namespace="/projects/moved")["id"]
    with memory.context.store.read() as tx:
        (own,), (since,) = records.by_key(tx, source), [r for r in records.by_key(tx, "v") if not r.namespace]
    memory.context.store.write(lambda tx: edges.add(tx, Edge(own.id, since.id, "ABOUT", "ABOUT", 1.0, 1)))
    exported = list(exporting.export_all(memory.context))
    other = open_store("other")
    assert importing.import_items(other.context, exported).errors == []
    assert list(exporting.export_all(other.context)) == exported
    with other.context.store.read() as tx:
        (relation,) = edges.of_records(tx, [each.id for each in records.by_key(tx, source)])
        assert records.by_ids(tx, [relation.target])[relation.target].text == "stored since"


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


# As codemem's export_memories and `codemem export` write them.
CODEMEM = [
    {
        "id": "5a0d4fa9-6cf8-4b43-9a6a-0d4e1ac1f5f1",
        "content": "Axum over Actix",
        "memory_type": "decision",
        "importance": 0.8,
        "confidence": 1.0,
        "tags": ["api"],
        "namespace": "/Users/dev/myproject",
        "metadata": {},
        "created_at": "2026-01-05T10:30:00.123456+00:00",
        "updated_at": "2026-01-05T10:30:00.123456+00:00",
        "edges": [
            {
                "id": "5a0d4fa9-RELATES_TO-7c1e",
                "src": "5a0d4fa9-6cf8-4b43-9a6a-0d4e1ac1f5f1",
                "dst": "7c1e93b2-11aa-4c0e-bc55-91f6a7a0c001",
                "relationship": "LEADS_TO",
                "weight": 0.7,
            },
            {
                "src": "sym:api::router",
                "dst": "5a0d4fa9-6cf8-4b43-9a6a-0d4e1ac1f5f1",
                "relationship": "EXPLAINS",
                "weight": 1.0,
                "properties": {"why": "it is built there"},
                "created_at": "2026-01-06T10:30:00Z",
            },
        ],
    },
    {"id": "7c1e93b2-11aa-4c0e-bc55-91f6a7a0c001", "content": "Tower middleware", "namespace": None, "edges": []},
]


def test_edges_are_taken_in_the_form_of_codemem_too(memory):
    take_in(memory, {"kind": "symbol", "id": "sym:api::router", "content": "pub fn router()"})
    first, second = (item["id"] for item in CODEMEM)
    assert take(memory, *CODEMEM) == {"imported": 2, "skipped": 0, "ids": [first, second], "errors": []}
    (item,) = [item for item in whole(memory) if item["id"] == first]
    edges = {(e["source"], e["relationship"], e["target"], e["weight"]) for e in item["edges"]}
    assert edges == {(first, "LEADS_TO", second, 0.7), ("symbol:sym:api::router", "EXPLAINS", first, 1.0)}
    (explains,) = [e for e in item["edges"] if e["relationship"] == "EXPLAINS"]
    assert (explains["metadata"], explains["created_at"][:19]) == ({"why": "it is built there"}, "2026-01-06T10:30:00")


@pytest.mark.parametrize(
    ("edge", "says"),
    [
        ({"src": "a", "source": "b", "dst": "x", "relationship": "LEADS_TO"}, 'edges: source "b" and src "a" are two'),
        ({"src": "", "dst": "x", "relationship": "LEADS_TO"}, "source must be a non-empty string"),
        ({"src": "a", "relationship": "LEADS_TO"}, "target must be a non-empty string"),
        ({"src": "a", "dst": "x", "relationship": "LEADS_TO", "properties": 3}, "properties must be an object"),
    ],
)
def test_an_edge_that_is_neither_form_is_a_bad_one(memory, edge, says):
    (error,) = take(memory, {"id": "x", "content": "x", "edges": [edge]})["errors"]
    assert says in error["error"]


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


# --- All kinds, as the command line does it ---


@pytest.mark.slow
def test_all_records_of_all_kinds_go_there_and_back(full, open_store):
    take_in(
        full,
        {"kind": "solution", "id": "sol_1", "content": "restart it", "label": "a name", "tags": ["ops"]},
        {"kind": "entity", "id": "auth", "content": "the auth module", "memory_type": "module", "namespace": "/a"},
        {"kind": "entity", "id": "auth2", "content": "the same text"},
        {"kind": "entity", "id": "auth3", "content": "the same text"},
    )
    full.associate_memories(source_id="sol_1", target_id="entity:auth", relationship="EXPLAINS")
    exported = list(exporting.export_all(full.context))
    copy = open_store("copy")
    done = importing.import_items(copy.context, json.loads(json.dumps(exported)))
    assert (done.errors, done.skipped, len(done.ids)) == ([], 0, 264)
    assert list(exporting.export_all(copy.context)) == exported


def test_a_whole_export_names_each_record_by_its_uid_and_an_import_keeps_it(open_store):
    first, other = open_store("first"), open_store("other")
    first.store_memory(content="Tower is middleware")
    first.add_todo(title="Write the guide", description="for Tower")
    exported = list(exporting.export_all(first.context))
    assert len({item["uid"] for item in exported}) == 2
    assert not importing.import_items(other.context, exported).errors
    assert list(exporting.export_all(other.context)) == exported
    assert "uid" not in whole(first)[0]


def test_a_record_that_was_changed_here_is_known_by_its_uid(open_store):
    first, other = open_store("first"), open_store("other")
    stored = first.store_memory(content="Tower is middleware")["id"]
    exported = list(exporting.export_all(first.context))
    importing.import_items(other.context, exported)
    other.update_memory(id=stored, content="Tower is middleware of Axum", importance=0.5)
    (moved,) = ({**item, "id": "another", "namespace": "/elsewhere"} for item in exported)
    done = importing.import_items(other.context, [moved])
    assert (done.ids, done.skipped) == ([], 1)


def test_of_items_with_one_uid_only_the_first_keeps_it(memory):
    items = [
        {
            "id": f"m{each}",
            "content": f"version {each}",
            "uid": "3a" * 16,
            "created_at": f"{2025 - each}-08-08T10:30:00Z",
        }
        for each in range(150)
    ]
    assert importing.import_items(memory.context, items).errors == []
    uids = {item["id"]: item["uid"] for item in exporting.export_all(memory.context)}
    assert uids["m0"] == "3a" * 16
    assert len(set(uids.values())) == len(uids) == 150


@pytest.mark.parametrize("uid", ["", "A" * 32, "0" * 31, 7])
def test_a_uid_that_is_none_is_refused_by_name(memory, uid):
    done = importing.import_items(memory.context, [{"content": "x", "uid": uid}])
    assert done.errors[0]["error"].startswith("uid must be 32 hexadecimal digits in lower case, got ")
