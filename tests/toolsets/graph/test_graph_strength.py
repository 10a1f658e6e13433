"""graph_strength, as a recall shows it: 0.4 PageRank + 0.3 betweenness + 0.2 degree + 0.1 for a community shared."""

import itertools
import threading
import time

import networkx
import pytest

from embedding_rows import leave_room
from foreign import take_in
from mcp_client import McpClient

PATIENCE = 15.0  # seconds for a server to compute scores in the background


def known(memory, *names, namespace="/p"):
    """Memories that fit the query alike, but for their names."""
    items = [{"id": name, "content": f"axum router {name}", "namespace": namespace} for name in names]
    assert memory.import_memories(memories=items)["imported"] == len(names)


def relate(memory, *pairs, **weight):
    for source, target in pairs:
        memory.associate_memories(source_id=source, target_id=target, relationship="LEADS_TO", **weight)


def strengths(memory, **arguments):
    """Graph strength by id: what a recall shows, without the relevance that it is multiplied by."""
    hits = memory.recall_memory(query="axum router", k=100, **arguments)
    parts = {hit["id"]: hit["score_breakdown"] for hit in hits}
    return {name: part["graph_strength"] / part["confidence"] for name, part in parts.items()}


def expected(nodes, pairs, together):
    """The same by networkx; `together` are those that share their community with another candidate."""
    graph = networkx.DiGraph(pairs)
    measures = (
        (0.4, networkx.pagerank(graph, tol=1e-12)),
        (0.3, networkx.betweenness_centrality(graph.to_undirected())),
        (0.2, dict(graph.degree())),
    )
    found = {node: 0.1 * (node in together) for node in nodes}
    for share, values in measures:
        largest = max(values[node] for node in nodes)
        for node in nodes:
            found[node] += share * values[node] / largest if largest else 0.0
    return pytest.approx(found, abs=1e-5)


GRAPHS = {
    "a chain": ([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")], "abcde"),
    "a star": ([("a", "b"), ("a", "c"), ("d", "a"), ("e", "a")], "abcde"),
    "two crowds and a way between": (
        [*itertools.permutations("abc", 2), ("c", "x"), ("x", "d"), *itertools.permutations("def", 2)],
        "abcdefx",
    ),
    "two pairs": ([("a", "b"), ("c", "d")], "abcd"),
}


@pytest.mark.parametrize(("pairs", "together"), GRAPHS.values(), ids=GRAPHS)
def test_strength_is_made_of_pagerank_betweenness_degree_and_community(memory, pairs, together):
    names = sorted({name for pair in pairs for name in pair})
    known(memory, *names, "alone")
    relate(memory, *pairs)
    found = strengths(memory)
    assert found.pop("alone") == 0
    assert found == expected(names, pairs, together)


def test_no_strength_exceeds_1_and_the_hub_of_all_has_all_of_it(memory):
    known(memory, *"abcdefg")
    relate(memory, *(("a", name) for name in "bcdefg"), *((name, "a") for name in "bcdefg"))
    found = strengths(memory)
    assert found["a"] == pytest.approx(1.0, abs=1e-5)
    assert all(value <= 1 for value in found.values())


def test_each_namespace_has_its_own_largest(memory):
    known(memory, *"abcde", namespace="/large")
    known(memory, *"xyz", namespace="/small")
    large, small = [("a", name) for name in "bcde"], [("x", "y"), ("y", "z")]
    relate(memory, *large, *small)
    whole = strengths(memory)
    pairs = large + small
    assert {name: whole[name] for name in "abcde"} == expected("abcde", pairs, "abcde")
    assert {name: whole[name] for name in "xyz"} == expected("xyz", pairs, "xyz")


def test_a_community_counts_only_where_another_of_it_is_a_candidate(memory):
    known(memory, "a", namespace="/a")
    known(memory, "b", namespace="/b")
    relate(memory, ("a", "b"))
    assert strengths(memory, namespace="/b") == pytest.approx({"b": 0.6}, abs=1e-5)
    assert strengths(memory, namespace="/a") == pytest.approx({"a": 0.6}, abs=1e-5)
    assert strengths(memory) == pytest.approx({"a": 0.7, "b": 0.7}, abs=1e-5)


def test_relations_without_positive_weight_bring_nobody_together(memory):
    known(memory, *"abcd")
    relate(memory, ("a", "b"), weight=0)
    relate(memory, ("c", "d"))
    found = strengths(memory)
    assert found["d"] - found["b"] > 0.1
    relate(memory, ("a", "b"), weight=1)
    assert strengths(memory)["b"] == strengths(memory)["d"]


def test_records_of_all_kinds_are_in_one_graph(memory):
    known(memory, "a", "b")
    take_in(memory, {"kind": "solution", "id": "sol_1", "content": "axum router solved", "namespace": "/p"})
    relate(memory, ("a", "sol_1"), ("sol_1", "b"))
    found = strengths(memory)
    assert max(found, key=found.get) == "sol_1"


def test_what_others_relate_and_delete_counts_with_the_next_recall(open_store):
    mine, theirs = open_store(), open_store()
    known(mine, *"abc")
    assert set(strengths(mine).values()) == {0}
    relate(theirs, ("a", "b"))
    assert strengths(mine) == strengths(theirs)
    assert strengths(mine)["b"] > 0
    relate(theirs, ("b", "c"), ("c", "b"))
    assert strengths(mine) == strengths(theirs)
    theirs.delete_memory(id="b")
    assert strengths(mine) == {"a": 0, "c": 0}


def test_recalls_while_others_relate_see_one_state_or_the_next(memory, open_store):
    names = [f"n{i}" for i in range(12)]
    known(memory, *names)
    failures = []

    def work(own):
        try:
            for first, second in itertools.combinations(own, 2):
                relate(memory, (first, second))
                assert all(0 <= value <= 1 for value in strengths(memory).values())
        except Exception as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(names[i::3],)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert strengths(memory) == strengths(open_store())


# --- Large graphs ---

CROWD = [f"m{i}" for i in range(70)]


def crowd():
    """Memories as import_memories takes them, with more relations than a recall computes scores of."""
    edges = {name: [] for name in CROWD}
    for source, target in itertools.combinations(CROWD, 2):
        edges[source].append({"source": source, "target": target, "relationship": "RELATES_TO"})
    return [{"id": name, "content": f"axum router {name}", "edges": edges[name]} for name in CROWD]


@pytest.mark.process
def test_no_recall_waits_for_a_large_graph_and_the_background_gives_its_scores(memory):
    assert memory.import_memories(memories=crowd())["errors"] == []
    scores = memory.context.indexes.graph
    assert set(strengths(memory).values()) == {0}
    with memory.context.store.read() as tx:
        computing = scores.refresh(tx)
    computing.join()
    first = strengths(memory)
    assert min(first.values()) > 0
    known(memory, "new")
    relate(memory, ("m0", "new"))
    assert strengths(memory) == pytest.approx({**first, "new": 0}, abs=1e-5)  # the last scores
    with memory.context.store.read() as tx:
        assert scores.refresh(tx) is None  # it rests, for many times as long as the last took


@pytest.mark.process
def test_a_server_computes_the_scores_of_a_large_graph_beside_its_calls(tmp_path):
    with McpClient(tmp_path / "data") as client:
        assert client.call("import_memories", {"memories": crowd()})["errors"] == []
        until = time.monotonic() + PATIENCE
        while not client.call("recall_memory", {"query": "axum router"})[0]["score_breakdown"]["graph_strength"]:
            assert time.monotonic() < until
            leave_room()
