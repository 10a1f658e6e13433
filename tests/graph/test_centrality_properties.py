"""PageRank, degree, betweenness, modularity and the arrays under them, on any graph, held against networkx."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indelible.graph import centrality
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


@pytest.mark.slow
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
