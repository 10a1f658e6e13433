"""The graph of everything beside the graph of what is told: code weighs in the one, and nothing in the other."""

from __future__ import annotations

import itertools

import networkx
import pytest

from command_line import opened
from indelible.core.context.permissions import Grant
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.model import Edge, Record
from indelible.store.tables import edges, records
from indelible.toolsets.code import pagerank
from indelible.toolsets.memory import memories
from indelible.toolsets.memory.memories import NewMemory

BY_INDEX = {"origin": "index"}


@pytest.fixture
def ctx(tmp_path):
    with opened(tmp_path / "data") as ctx:
        yield ctx


def records_of(ctx, kind, *keys, namespace=""):
    where = {"namespace": namespace}
    made = [Record(key, kind, key, ctx.now(), ctx.now(), content_hash=f"{namespace}{key}", **where) for key in keys]
    return dict(zip(keys, ctx.store.write(lambda tx: records.add_many(tx, made)), strict=True))


def relate(ctx, ids, *pairs, weight=1.0, metadata=None):
    made = [Edge(ids[a], ids[b], "R", "R", weight, ctx.now(), metadata or {}) for a, b in pairs]
    ctx.store.write(lambda tx: edges.add_many(tx, made))


def ranks(ctx, damping=0.85):
    return {each.key: each.pagerank for each in pagerank.pagerank(ctx, 100, damping)}


def divided(ctx, resolution=1.0):
    found = pagerank.clusters(ctx, resolution, 100, 5_000)
    return list(zip(found.records, found.labels, strict=True)), found.modularity


def test_ranks_are_those_of_all_relations_by_their_weights(ctx):
    ids = records_of(ctx, "symbol", "a", "b", "c") | records_of(ctx, "memory", "m")
    relate(ctx, ids, ("a", "b"), ("c", "b"), weight=0.5, metadata=BY_INDEX)
    relate(ctx, ids, ("a", "c"), ("m", "a"))
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 0.5), ("c", "b", 0.5), ("a", "c", 1.0), ("m", "a", 1.0)])
    for damping in (0.85, 0.3, 0.0, 1.0):
        expected = networkx.pagerank(graph, alpha=damping, tol=1e-12, max_iter=10_000)
        assert ranks(ctx, damping) == pytest.approx(expected, abs=1e-6)


def test_what_changes_is_in_the_next_answer_what_the_index_changes_too(ctx):
    ids = records_of(ctx, "symbol", "a", "b", "c")
    assert ranks(ctx) == {}
    relate(ctx, ids, ("a", "b"), metadata=BY_INDEX)
    assert list(ranks(ctx)) == ["b", "a"]
    relate(ctx, ids, ("b", "a"), ("c", "a"), metadata=BY_INDEX)
    assert list(ranks(ctx)) == ["a", "b", "c"]
    assert [len(divided(ctx, each)[0]) for each in (0.5, 1.0)] == [3, 3]
    ctx.store.write(lambda tx: records.delete(tx, ids["c"]))
    relate(ctx, ids, ("b", "b"))
    assert list(ranks(ctx)) == ["b", "a"]


def test_communities_come_by_size_and_a_higher_resolution_gives_more(ctx):
    names = [f"{part}{number}" for part in "abc" for number in range(4)]
    ids = records_of(ctx, "symbol", *names)
    inside = [(one, other) for one in names for other in names if one < other and one[0] == other[0]]
    relate(ctx, ids, *inside, ("a0", "b0"), ("b1", "c1"), ("a1", "b1"), ("a2", "b2"), metadata=BY_INDEX)
    (members, modularity), (finer, _) = divided(ctx), divided(ctx, 30.0)
    assert len({label for _, label in members}) == len(modularity) == 3
    assert len({label for _, label in finer}) > 3
    assert sum(modularity) > 0.3


def test_a_caller_ranks_what_it_sees(ctx):
    ids = records_of(ctx, "memory", "a", "b", namespace="/p") | records_of(ctx, "memory", "x", "y", namespace="/q")
    relate(ctx, ids, ("a", "b"), ("x", "b"), ("x", "y"))
    limited = ctx.granted(Grant(who="a token", namespaces=frozenset({"/p"})))
    assert set(ranks(ctx)) == {"a", "b", "x", "y"}
    assert set(ranks(limited)) == {"a", "b"}
    assert len(divided(limited)[0]) == 2


def test_code_beside_the_memories_changes_nothing_of_what_they_weigh(ctx):
    for word in ("first", "second", "third", "fourth"):
        memories.store(ctx, NewMemory(f"axum router {word}", namespace="/p"))
    with ctx.store.read() as tx:
        ids = {record.text.rpartition(" ")[2]: record.id for record in records.newest(tx, "memory", None)}
    relate(ctx, ids, ("first", "second"), ("second", "third"), ("second", "fourth"))

    def shown():
        return {hit.record.id: hit.components["graph_strength"] for hit in recall(ctx, Query("axum router", 9))}

    before = shown()
    code = records_of(ctx, "symbol", *(f"s{number}" for number in range(300)), namespace="/p")
    names = list(code)
    relate(ctx, code, *((one, names[0]) for one in names[1:]), *itertools.pairwise(names), metadata=BY_INDEX)
    assert shown() == before
    assert max(before.values()) > 0.5
    relate(ctx, ids | code, ("first", "s0"), ("third", "s0"))
    assert shown() != before
