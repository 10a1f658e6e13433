import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import purging
import store_file
from command_line import assert_sound, opened, undo
from foreign import take_in
from in_turn import FULL_ON_BOTH
from indelible.api import Memory
from indelible.core.context.call import Call
from indelible.core.records import exporting, history
from indelible.errors import Conflict, InvalidInput
from indelible.store.sqlite.connection import FILE
from indelible.toolsets.memory import importing
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient, ToolError

UNKNOWN = {
    "count": 0,
    "avg_importance": None,
    "avg_confidence": None,
    "type_distribution": {},
    "tag_frequency": {},
    "oldest": None,
    "newest": None,
}
TABLES = ("record", "edge", "terms", "access", "pending")


def exported(memory):
    """Every record of every kind as an export shows it."""
    return list(exporting.export_all(memory.context))


def contents(memory):
    return {item["content"] for item in exported(memory)}


def listed(memory):
    return {item["name"]: item["memory_count"] for item in memory.list_namespaces()["namespaces"]}


def rows(data):
    """What the store holds, as it stands on the disk."""
    connection = store_file.opened(data / FILE)
    try:
        return {table: store_file.as_stored(connection, table) for table in TABLES}
    finally:
        connection.close()


# --- list_namespaces ---


def test_an_empty_store_has_no_namespaces(memory):
    assert memory.list_namespaces() == {"namespaces": []}


def test_namespaces_are_listed_by_name_and_their_counts_add_up_to_all_memories(memory):
    for namespace, count in {"/b": 2, "/a": 1, "Ω": 1, "ä ö": 3, "Z": 1, "/a/b": 2}.items():
        for n in range(count):
            memory.store_memory(content=f"{namespace} {n}", namespace=namespace)
    memory.store_memory(content="in none")
    old = memory.store_memory(content="replaced", namespace="/b")["id"]
    memory.refine_memory(id=old, content="its successor")
    take_in(memory, {"kind": "solution", "id": "sol_1", "content": "not counted", "namespace": "/s"})
    take_in(memory, {"kind": "entity", "id": "e", "content": "not counted", "namespace": "/b"})
    names = [item["name"] for item in memory.list_namespaces()["namespaces"]]
    assert names == sorted(names) == ["", "/a", "/a/b", "/b", "Z", "ä ö", "Ω"]
    assert listed(memory) == {"": 1, "/a": 1, "/a/b": 2, "/b": 4, "Z": 1, "ä ö": 3, "Ω": 1}
    assert sum(listed(memory).values()) == memory.codemem_stats()["storage"]["memories"]


def test_the_names_of_one_project_are_listed_as_one(open_store, tmp_path):
    top = tmp_path / "repo"
    (top / "inner").mkdir(parents=True)
    memory = open_store(project=str(top))
    memory.store_memory(content="own")
    memory.store_memory(content="inner", namespace=str(top / "inner"))
    memory.store_memory(content="beside", namespace=str(tmp_path / "repository"))
    assert listed(memory) == {str(top): 2, str(tmp_path / "repository"): 1}
    for name, count in listed(memory).items():  # what is listed is what the other tools mean by the name
        assert memory.namespace_stats(namespace=name)["count"] == count
        assert memory.delete_namespace(namespace=name, confirm=True)["deleted"] == count


# --- namespace_stats ---


def test_a_namespace_is_described(memory, clock):
    start = clock.now
    memory.store_memory(content="one", namespace="/a", memory_type="habit", importance=0.1, tags=["x", "ß", "x"])
    clock.pass_(days=1)
    memory.store_memory(content="two", namespace="/a", memory_type="decision", importance=0.2, tags=["x", "b"])
    clock.pass_(days=1)
    take_in(memory, {"content": "three", "namespace": "/a", "memory_type": "habit", "confidence": 0.5, "tags": ["a"]})
    memory.store_memory(content="elsewhere", namespace="/b", importance=1.0, tags=["x"])
    take_in(memory, {"kind": "solution", "id": "s", "content": "of another kind", "namespace": "/a", "tags": ["x"]})
    found = memory.namespace_stats(namespace="/a")
    assert found == {
        "namespace": "/a",
        "count": 3,
        "avg_importance": 0.266667,
        "avg_confidence": 0.833333,
        "type_distribution": {"habit": 2, "decision": 1},
        "tag_frequency": {"x": 2, "a": 1, "b": 1, "ß": 1},
        "oldest": f"{start:%Y-%m-%dT%H:%M:%SZ}",
        "newest": f"{clock.now:%Y-%m-%dT%H:%M:%SZ}",
    }
    assert list(found["type_distribution"]) == ["habit", "decision"]
    assert list(found["tag_frequency"]) == ["x", "a", "b", "ß"]


def test_an_unknown_namespace_has_nothing(memory):
    memory.store_memory(content="one", namespace="/a")
    take_in(memory, {"kind": "solution", "id": "s", "content": "of another kind", "namespace": "/s"})
    for name in ("/nowhere", "/a/", "/A", "/s", "%", ""):
        assert memory.namespace_stats(namespace=name) == {"namespace": name, **UNKNOWN}


def test_the_empty_name_describes_what_belongs_to_no_namespace(memory):
    memory.store_memory(content="one", importance=0.25)
    memory.store_memory(content="two", namespace="/a")
    assert memory.namespace_stats(namespace="")["count"] == 1
    assert memory.namespace_stats(namespace="")["avg_importance"] == 0.25


def test_statistics_are_those_that_an_export_gives(memory):
    rng = random.Random(5)
    tags = ["a", "b:c", "日本", "B", "z z", '"quoted"', "back\\slash"]
    take_in(
        memory,
        *(
            {
                "content": f"memory {n}",
                "namespace": rng.choice(["/a", "/b"]),
                "memory_type": rng.choice(["decision", "habit", "style"]),
                "importance": rng.random(),
                "confidence": rng.random(),
                "tags": rng.sample(tags, rng.randint(0, 4)),
            }
            for n in range(120)
        ),
    )
    for name in ("/a", "/b"):
        items = memory.export_memories(namespace=name, limit=1000)
        found = memory.namespace_stats(namespace=name)
        assert found["count"] == len(items)
        for key, field in (("avg_importance", "importance"), ("avg_confidence", "confidence")):
            assert found[key] == pytest.approx(sum(item[field] for item in items) / len(items), abs=1e-6)
        assert found["type_distribution"] == Counter(item["memory_type"] for item in items)
        counted = Counter(tag for item in items for tag in item["tags"])
        assert list(found["tag_frequency"].items()) == sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


# --- delete_namespace ---


def full(memory):
    """A namespace with relations of every kind to itself and to others, accesses, foreign kinds; others beside it."""
    take_in(
        memory,
        *(
            {"id": f"m{n}", "content": f"memory {n} of the shop", "namespace": "/shop", "access_count": n}
            for n in range(12)
        ),
        {"id": "same", "content": "refined in its tags only", "namespace": "/shop"},
        {"id": "out", "content": "another project", "namespace": "/out"},
        {"id": "old", "content": "replaced from the shop", "namespace": "/out"},
        {"id": "none", "content": "in none", "namespace": None},
        {"kind": "solution", "id": "s", "content": "of another kind", "namespace": "/shop"},
    )
    same = memory.refine_memory(id="same", tags=["new"])["new_id"]
    memory.refine_memory(id=same, importance=0.9)
    memory.merge_memories(source_ids=["m1", "m2"], content="merged")
    memory.split_memory(id="m3", parts=[{"content": "part"}, {"content": "memory 4 of the shop"}])
    for source, relationship, target, weight in (
        ("m0", "LEADS_TO", "m11", 0.5),
        ("m11", "LEADS_TO", "m0", 2.0),
        ("out", "DEPENDS_ON", "m5", 1.0),
        ("m6", "EXPLAINS", "none", 1.0),
        ("m7", "SUPERSEDES", "old", 1.0),
        ("m8", "RELATES_TO", "solution:s", 0.25),
        ("m9", "SUPERSEDES", "m10", 1.0),
        ("m10", "EVOLVED_INTO", "m9", 1.0),
    ):
        memory.associate_memories(source_id=source, target_id=target, relationship=relationship, weight=weight)
    memory.recall_memory(query="memory of the shop", k=3)


def test_a_deleted_namespace_is_gone_with_all_that_hangs_on_its_memories(memory, tmp_path):
    full(memory)
    count = memory.namespace_stats(namespace="/shop")["count"]
    answer = memory.delete_namespace(namespace="/shop", confirm=True)
    assert answer == {"namespace": "/shop", "deleted": count}
    assert count == 17
    assert contents(memory) == {"another project", "replaced from the shop", "in none", "of another kind"}
    assert all(item["edges"] == [] for item in exported(memory))
    assert not any(item.get("replaced") for item in exported(memory))  # what only the shop replaced is current
    assert listed(memory) == {"": 1, "/out": 2}
    assert memory.namespace_stats(namespace="/shop") == {"namespace": "/shop", **UNKNOWN}
    assert memory.recall_memory(query="memory of the shop", namespace="/shop", memory_type="context") == []
    kept = {row[0] for row in rows(tmp_path / "data")["record"]}
    for table in ("terms", "access", "pending"):
        assert {row[0] for row in rows(tmp_path / "data")[table]} <= kept


def test_an_undo_brings_a_namespace_back_with_relations_accesses_and_ids(memory, tmp_path):
    full(memory)
    memory.context.write_behind.flush()
    before = exported(memory), rows(tmp_path / "data")
    memory.delete_namespace(namespace="/shop", confirm=True)
    undone = undo(memory.context)
    assert undone["tool"] == "delete_namespace"
    assert len(undone["restored"]) == 17
    assert (exported(memory), rows(tmp_path / "data")) == before
    assert memory.recall_memory(query="memory 5 shop", k=1)[0]["id"] == "m5"
    again = memory.delete_namespace(namespace="/shop", confirm=True)
    assert again["deleted"] == 17


def test_accesses_that_were_not_written_yet_come_back_too(memory):
    full(memory)
    memory.recall_memory(query="memory 5 shop", k=1)
    before = exported(memory)
    memory.delete_namespace(namespace="/shop", confirm=True)
    undo(memory.context)
    assert exported(memory) == before


@pytest.mark.parametrize("seed", range(6))
def test_a_namespace_and_single_memories_come_back_in_whatever_order_they_are_undone(memory, tmp_path, seed):
    full(memory)
    memory.context.write_behind.flush()
    before = exported(memory), rows(tmp_path / "data")
    rng = random.Random(seed)
    # Of one text only the newest can be current: one that comes back before what replaced it is in its way.
    several = [item for item in exported(memory) if item["content"] != "refined in its tags only"]
    for key in rng.sample([item["id"] for item in several if item["kind"] == "memory"], 6):
        memory.delete_memory(id=key)
    memory.delete_namespace(namespace="/shop", confirm=True)
    memory.delete_namespace(namespace="/out", confirm=True)
    operations = list(dict.fromkeys(past["operation"] for past in history.history(memory.context, limit=100)))
    rng.shuffle(operations)
    for operation in operations:
        undo(memory.context, operation)
    assert (exported(memory), rows(tmp_path / "data")) == before


def test_replaced_memories_of_one_content_come_back_in_whatever_order_they_were_stored(memory):
    things = [
        {"id": f"v{n}", "content": "one text", "namespace": "/a", **({"replaced": True} if n != 2 else {})}
        for n in range(5)
    ]
    chain = [("v4", "v0"), ("v0", "v3"), ("v3", "v1"), ("v1", "v2")]
    edges = [{"source": a, "target": b, "relationship": "EVOLVED_INTO"} for a, b in chain]
    take_in(memory, *things[:-1], {**things[-1], "edges": edges})
    before = exported(memory)
    assert [item["id"] for item in before if not item.get("replaced")] == ["v2"]
    assert memory.delete_namespace(namespace="/a", confirm=True)["deleted"] == 5
    undo(memory.context)
    assert exported(memory) == before


def test_an_undo_is_refused_where_a_content_was_stored_again_meanwhile(memory):
    full(memory)
    memory.delete_namespace(namespace="/shop", confirm=True)
    stored = memory.store_memory(content="memory 3 of the shop", namespace="/shop")["id"]
    before = exported(memory)
    with pytest.raises(Conflict, match="memory m3 cannot be restored: its id, name or content is taken by a newer one"):
        undo(memory.context)
    assert exported(memory) == before
    memory.delete_memory(id=stored)
    undo(memory.context, history.history(memory.context, "m3")[0]["operation"])
    assert memory.namespace_stats(namespace="/shop")["count"] == 17


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"namespace": "/shop", "confirm": False}, "confirm must be true to delete all memories of namespace '/shop'"),
        ({"namespace": "/shop"}, "confirm is required"),
        ({"namespace": "/shop", "confirm": "true"}, "confirm must be true or false, got 'true'"),
        ({"namespace": "/shop", "confirm": 1}, "confirm must be true or false, got 1"),
        ({"namespace": "/shop", "confirm": None}, "confirm must be true or false, got None"),
        ({"confirm": True}, "namespace is required"),
        ({"namespace": None, "confirm": True}, "namespace must be a text, got None"),
        ({"namespace": "", "confirm": True}, "namespace must have at least 1 character, got ''"),
        ({"namespace": "/shop", "confirm": True, "kind": "x"}, "unknown argument 'kind'; allowed are: namespace, conf"),
    ],
    ids=str,
)
def test_without_a_clear_confirmation_nothing_is_deleted(memory, arguments, words):
    full(memory)
    before = exported(memory)
    with pytest.raises(InvalidInput, match=words):
        memory.delete_namespace(**arguments)
    assert exported(memory) == before


def test_an_unknown_namespace_deletes_nothing(memory):
    full(memory)
    before = exported(memory)
    for name in ("/nowhere", "/sho", "/shop/", "/SHOP", "%", "*"):
        assert memory.delete_namespace(namespace=name, confirm=True) == {"namespace": name, "deleted": 0}
    assert exported(memory) == before


def test_the_whole_project_is_deleted_by_any_of_its_names(open_store, tmp_path):
    top = tmp_path / "repo"
    (top / "inner").mkdir(parents=True)
    memory = open_store(project=str(top))
    memory.store_memory(content="own")
    memory.store_memory(content="inner", namespace=str(top / "inner"))
    memory.store_memory(content="beside", namespace=str(tmp_path / "repository"))
    assert memory.delete_namespace(namespace=str(top / "inner"), confirm=True)["deleted"] == 2
    assert contents(memory) == {"beside"}


def test_a_retry_with_the_same_request_key_gets_the_first_answer(memory):
    full(memory)
    call = {"namespace": "/shop", "confirm": True}
    first = memory.call("delete_namespace", request_key="k", **call)
    memory.store_memory(content="stored since", namespace="/shop")
    assert memory.call("delete_namespace", request_key="k", **call) == first
    assert "stored since" in contents(memory)


def many(count, namespace):
    """Memories with tags, each related to the one before, every fifth replaced by the next."""
    for n in range(count):
        edges = [{"source": f"n{n}", "target": f"n{n - 1}", "relationship": "PRECEDED_BY"}] if n else []
        if n % 5 == 0:
            edges.append({"source": f"n{n}", "target": f"n{n + 1}", "relationship": "EVOLVED_INTO"})
        yield {
            "id": f"n{n}",
            "content": f"memory {n}: the queue{n} of module{n % 17} is drained",
            "namespace": namespace,
            "tags": [f"number:{n % 10}"],
            "edges": edges,
        }


@pytest.mark.slow
@pytest.mark.parametrize("count", [201, pytest.param(1_101, marks=FULL_ON_BOTH)])
def test_very_many_memories_go_and_come_back_whole(memory, tmp_path, count):
    things = list(many(count, "/big"))
    assert len(importing.import_items(memory.context, things).ids) == count
    memory.store_memory(content="beside", namespace="/small")
    before = rows(tmp_path / "data")
    assert memory.delete_namespace(namespace="/big", confirm=True)["deleted"] == count
    assert contents(memory) == {"beside"}
    assert len(undo(memory.context)["restored"]) == count
    assert rows(tmp_path / "data") == before


def test_the_vectors_of_a_deleted_namespace_go_and_are_made_again_after_an_undo(memory, tmp_path):
    full(memory)
    ctx = with_meaning(memory.context)
    embed_all(ctx)

    def embedded():
        connection = store_file.opened(tmp_path / "data" / FILE)
        try:
            return {row[0] for row in connection.execute("SELECT record FROM embedding")}
        finally:
            connection.close()

    before = embedded()
    assert before == {row[0] for row in rows(tmp_path / "data")["record"]}
    memory.delete_namespace(namespace="/shop", confirm=True)
    assert embedded() == {row[0] for row in rows(tmp_path / "data")["record"]} < before
    undo(memory.context)
    embed_all(ctx)
    assert embedded() == before


# --- Several processes ---


@pytest.mark.process
def test_a_server_lists_describes_and_deletes_what_another_stored(tmp_path):
    with McpClient(tmp_path / "data") as client, McpClient(tmp_path / "data") as other:
        for n in range(3):
            client.call("store_memory", {"content": f"memory {n} of the shop", "namespace": "/shop", "tags": ["t"]})
        assert other.call("list_namespaces") == {"namespaces": [{"name": "/shop", "memory_count": 3}]}
        found = other.call("namespace_stats", {"namespace": "/shop"})
        assert (found["count"], found["tag_frequency"]) == (3, {"t": 3})
        assert other.call("namespace_stats", {"namespace": "/none"}) == {"namespace": "/none", **UNKNOWN}
        with pytest.raises(ToolError, match="confirm must be true"):
            other.call("delete_namespace", {"namespace": "/shop", "confirm": False})
        assert len(client.call("recall_memory", {"query": "shop memory"})) == 3
        assert other.call("delete_namespace", {"namespace": "/shop", "confirm": True})["deleted"] == 3
        assert client.call("recall_memory", {"query": "shop memory"}) == []
        assert client.call("list_namespaces") == {"namespaces": []}
        annotations = {tool["name"]: tool["annotations"] for tool in client.tools()}
        assert annotations["delete_namespace"]["destructiveHint"] is True
        assert annotations["list_namespaces"]["readOnlyHint"] is True


@pytest.mark.process
def test_a_read_only_server_lists_namespaces_and_deletes_none(tmp_path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        Memory(ctx).store_memory(content="one", namespace="/a")
    with McpClient(data, "--read-only") as client:
        names = {tool["name"] for tool in client.tools()}
        assert {"list_namespaces", "namespace_stats"} <= names
        assert not names & {"delete_namespace", "refine_memory", "split_memory", "merge_memories"}
        assert client.call("list_namespaces")["namespaces"] == [{"name": "/a", "memory_count": 1}]


@pytest.mark.process
def test_memories_stored_while_their_namespace_is_deleted_are_there_or_in_the_trash(tmp_path):
    data = tmp_path / "data"
    acknowledged, deleted, rounds = [], 0, 60
    with McpClient(data) as client, McpClient(data) as other:
        first = client.call("store_memory", {"content": "an end of every relation", "namespace": "/keep"})["id"]

        def store():
            for n in range(rounds):
                given = {"content": f"memory {n} of the shop", "namespace": "/shop", "links": [first]}
                acknowledged.append(client.call("store_memory", given)["id"])

        def delete():
            count = 0
            for _ in range(rounds // 4):
                count += other.call("delete_namespace", {"namespace": "/shop", "confirm": True})["deleted"]
            return count

        with ThreadPoolExecutor(2) as pool:
            storing, deleting = pool.submit(store), pool.submit(delete)
            storing.result()
            deleted = deleting.result()
    with opened(data) as ctx:
        there = {item["id"]: item for item in exporting.export_all(ctx)}
        trashed = [past["id"] for past in history.history(ctx, limit=1000)]
        assert len(trashed) == deleted
        assert sorted([*trashed, *there]) == sorted([*acknowledged, first])
        assert all(len(item["edges"]) == 1 for id_, item in there.items() if id_ != first)
        for operation in dict.fromkeys(past["operation"] for past in history.history(ctx, limit=1000)):
            undo(ctx, operation)
        assert {item["id"] for item in exporting.export_all(ctx)} == {*acknowledged, first}
        assert Memory(ctx).codemem_stats()["graph"]["edges"] == rounds
    assert_sound(data)


# --- purge, which the command line offers ---


def test_a_purge_takes_every_kind_away_and_comes_back_whole(memory, tmp_path):
    full(memory)
    memory.context.write_behind.flush()
    before = json.dumps(exported(memory)), rows(tmp_path / "data")
    ctx = memory.context.for_call(Call(tool="purge"))
    assert purging.contents(ctx, "/shop") == {"memory": 17, "solution": 1}
    assert purging.purge(ctx, "/shop") == {"memory": 17, "solution": 1}
    assert contents(memory) == {"another project", "replaced from the shop", "in none"}
    assert purging.contents(ctx, "/shop") == purging.purge(ctx, "/shop") == {}
    assert undo(memory.context)["tool"] == "purge"
    assert (json.dumps(exported(memory)), rows(tmp_path / "data")) == before
