"""PageRank, degree, betweenness, modularity and the arrays under them, on any graph, held against networkx."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indelible.graph import centrality
from indelible.graph.adjacency import Relations
from indelible.graph.centrality import betweenness, degree, pagerank
from indelible.graph.communities import communities, modularity

WEIGHTS = st.floats(0.0625, 16, width=32)


@st.composite
def graphs(draw):
    """(nodes, sources, targets, weights) without loops, each pair of a direction once."""
    nodes = draw(st.integers(1, 30))
    pair = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)).filter(lambda ends: ends[0] != ends[1])
    pairs = draw(st.lists(pair, max_size=80, unique=True)) if nodes > 1 else []
    weights = draw(st.lists(WEIGHTS, min_size=len(pairs), max_size=len(pairs)))
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    return nodes, ends[:, 0], ends[:, 1], np.array(weights, np.float64)


def directed(graph):
    nodes, sources, targets, weights = graph
    made = networkx.DiGraph()
    made.add_nodes_from(range(nodes))
    made.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True))
    return made


@given(graphs(), st.sampled_from([0.0, 0.3, 0.85, 0.99]), st.data())
def test_pagerank_with_any_damping_and_seeds_is_that_of_networkx(graph, damping, data):
    nodes, sources, targets, weights = graph
    seeds = np.array(data.draw(st.lists(st.integers(0, 3), min_size=nodes, max_size=nodes)), np.float64)
    personal = dict(enumerate(seeds.tolist())) if seeds.any() else None
    expected = networkx.pagerank(directed(graph), alpha=damping, personalization=personal, tol=1e-12, max_iter=20_000)
    found = pagerank(nodes, sources, targets, weights, damping=damping, seeds=seeds, tolerance=1e-12, rounds=20_000)
    assert found.tolist() == pytest.approx([expected[node] for node in range(nodes)], abs=1e-9)
    assert found.sum() == pytest.approx(1)


@given(graphs())
def test_degree_is_that_of_networkx(graph):
    nodes, sources, targets, _ = graph
    assert degree(nodes, sources, targets).tolist() == [directed(graph).degree(node) for node in range(nodes)]


@given(graphs(), st.booleans())
def test_betweenness_is_that_of_networkx(graph, quick):
    nodes, sources, targets, _ = graph
    expected = networkx.betweenness_centrality(directed(graph).to_undirected())
    found = betweenness(nodes, sources, targets, quick=quick)
    assert found.tolist() == pytest.approx([expected[node] for node in range(nodes)], abs=1e-12)


@given(graphs(), st.sampled_from([0.5, 1.0, 2.0]))
def test_modularity_is_that_of_networkx_and_no_less_than_louvains(graph, resolution):
    nodes, sources, targets, weights = graph
    labels = communities(nodes, sources, targets, weights, resolution)
    shares = modularity(sources, targets, weights, labels, resolution)
    if not len(sources):
        assert shares.tolist() == [0.0] * nodes
        return
    made = networkx.Graph()
    made.add_nodes_from(range(nodes))
    for source, target, weight in zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True):
        known = made.get_edge_data(source, target, {"weight": 0.0})["weight"]
        made.add_edge(source, target, weight=known + weight)
    parts = [set(np.flatnonzero(labels == label).tolist()) for label in range(labels.max() + 1)]
    assert shares.sum() == pytest.approx(networkx.community.modularity(made, parts, resolution=resolution), abs=1e-9)
    louvain = networkx.community.louvain_communities(made, seed=7, resolution=resolution)
    assert shares.sum() >= networkx.community.modularity(made, louvain, resolution=resolution) - 1e-6


def test_a_seed_lifts_what_is_near_it():
    ring = np.arange(20)
    seeds = np.zeros(20)
    seeds[7] = 1
    ranks = pagerank(20, ring, (ring + 1) % 20, np.ones(20), seeds=seeds)
    assert ranks.argmax() == 7
    assert (np.diff(np.roll(ranks, -7)) < 0).all()


@pytest.mark.parametrize("rounds", [0, 1, 50])
def test_the_ranks_that_were_reached_are_given_when_the_rounds_are_up(rounds):
    ranks = pagerank(3, np.array([0, 1]), np.array([1, 2]), np.ones(2), damping=1.0, rounds=rounds)
    assert ranks.sum() == pytest.approx(1)


def test_sampled_betweenness_orders_the_most_central_of_a_large_graph_as_the_exact_one_does(monkeypatch):
    from scipy.stats import spearmanr

    graph = networkx.barabasi_albert_graph(2100, 3, seed=11)
    ends = np.array(list(graph.edges()), np.int64)
    monkeypatch.setattr(centrality, "WORK", 9_000_000)  # a fourth of the nodes are sources
    sampled = betweenness(2100, ends[:, 0], ends[:, 1])
    monkeypatch.setattr(centrality, "EXACT", 2100)
    exact = betweenness(2100, ends[:, 0], ends[:, 1])
    top = np.argsort(-exact)[:100]
    assert (sampled != exact).any()
    assert spearmanr(sampled[top], exact[top]).statistic >= 0.9


# --- Arrays that follow changes ---

ROW = st.tuples(st.integers(1, 40), st.integers(1, 9), st.integers(1, 9), WEIGHTS)


@given(st.lists(st.tuples(st.lists(st.integers(1, 40), max_size=5), st.lists(ROW, max_size=8)), max_size=6))
def test_relations_that_follow_changes_are_those_that_are_built_anew(changes):
    known = {}
    followed = Relations.of([])
    for gone, came in changes:
        for each in gone:
            known.pop(each, None)
        known.update({row[0]: row for row in came})
        followed = followed.changed(gone, came)
    anew = Relations.of(list(known.values()))
    for name in ("ids", "sources", "targets", "weights"):
        assert getattr(followed, name).tolist() == getattr(anew, name).tolist()
    graph = followed.graph()
    assert sorted({end for row in known.values() for end in row[1:3]}) == graph.nodes.tolist()
    assert graph.nodes[graph.sources].tolist() == followed.sources.tolist()
    assert graph.nodes[graph.targets].tolist() == followed.targets.tolist()


def test_a_node_is_found_by_its_id():
    graph = Relations.of([(1, 30, 10, 1.0), (2, 10, 20, 0.5)]).graph()
    assert [graph.place(node) for node in (10, 20, 30, 15, 99)] == [0, 1, 2, None, None]
    assert graph.places([30, 99, 10, 30]).tolist() == [0, 2]
    assert Relations.of([]).graph().places([1]).tolist() == []
    assert Relations.of([]).graph().place(1) is None
