from foreign import take_in
from indelible.toolsets.memory import statistics

EMPTY = {
    "storage": {"memories": 0, "embeddings": 0, "graph_nodes": 0, "graph_edges": 0},
    "vector": {"indexed": 0, "dimensions": 384, "metric": "cosine"},
    "graph": {"nodes": 0, "edges": 0, "node_kinds": {}, "relationship_types": {}},
    "embeddings": {"available": False, "model": "none", "cache": {"size": 0, "hits": 0, "misses": 0}},
}


def test_an_empty_store_counts_nothing(memory):
    assert memory.codemem_stats() == EMPTY


def test_a_person_is_told_that_an_empty_store_has_no_memory(memory):
    ctx = memory.context
    assert statistics.lines(ctx, statistics.stats(ctx))[0] == ("memory", "0")


def test_memories_are_counted_apart_and_nodes_and_edges_count_everything(memory):
    first, second = (memory.store_memory(content=name)["id"] for name in ("one", "two"))
    take_in(
        memory,
        {"kind": "solution", "id": "sol_1", "content": "restart it"},
        {"kind": "file", "id": "file:a.py", "content": "a.py"},
    )
    memory.associate_memories(source_id=first, target_id=second, relationship="LEADS_TO")
    memory.associate_memories(source_id=first, target_id="sol_1", relationship="EXPLAINS")
    stats = memory.codemem_stats()
    assert stats["storage"] == {"memories": 2, "embeddings": 0, "graph_nodes": 4, "graph_edges": 2}
    assert stats["graph"] == {
        "nodes": 4,
        "edges": 2,
        "node_kinds": {"file": 1, "memory": 2, "solution": 1},
        "relationship_types": {"EXPLAINS": 1, "LEADS_TO": 1},
    }
    assert {item["kind"] for item in memory.export_memories()} == {"memory"}
    memory.delete_memory(id=first)
    assert memory.codemem_stats()["storage"] == {"memories": 1, "embeddings": 0, "graph_nodes": 3, "graph_edges": 0}


def test_counts_are_those_of_all_processes(open_store):
    first, second = open_store(), open_store()
    first.store_memory(content="one")
    second.store_memory(content="two")
    assert first.codemem_stats() == second.codemem_stats()
    assert first.codemem_stats()["storage"]["memories"] == 2


def test_every_subsystem_of_a_sound_store_is_well(memory):
    memory.store_memory(content="one")
    health = memory.codemem_health()
    assert health["healthy"] is True
    assert health["storage"] == "ok"
    assert health["graph"].startswith("ok")
    assert all(isinstance(health[part], str) and health[part] for part in ("vector", "embeddings"))
    assert set(health) == {"healthy", "storage", "vector", "graph", "embeddings"}
