"""PageRank, degree and betweenness, held against networkx."""

import random

import networkx
import numpy as np
import pytest

from indelible.graph.centrality import betweenness, degree, fraction_of_largest, pagerank


@pytest.mark.parametrize("seed", range(5))
def test_pagerank_is_that_of_networkx(seed: int) -> None:
    random_ = random.Random(seed)
    nodes = 60
    pairs = {(random_.randrange(nodes), random_.randrange(nodes)) for _ in range(150)}
    edges = [(a, b, random_.uniform(0.1, 3)) for a, b in sorted(pairs) if a != b]
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from(edges)
    expected = networkx.pagerank(graph, alpha=0.85, tol=1e-10)
    sources, targets = (np.array([e[side] for e in edges]) for side in (0, 1))
    ranks = pagerank(nodes, sources, targets, np.array([e[2] for e in edges]))
    assert ranks.tolist() == pytest.approx([expected[i] for i in range(nodes)], abs=1e-6)
    assert degree(nodes, sources, targets).tolist() == [graph.degree(i) for i in range(nodes)]


def test_no_nodes_have_no_rank() -> None:
    nothing = np.zeros(0, np.int64)
    assert pagerank(0, nothing, nothing, np.zeros(0)).tolist() == []


def test_ranks_sum_to_one_where_nodes_lead_nowhere_or_weigh_nothing() -> None:
    sources, targets = np.array([0, 1, 1]), np.array([1, 2, 3])
    assert pagerank(5, sources, targets, np.array([0.0, -2.0, 1.0])).sum() == pytest.approx(1)


def test_each_group_has_its_own_largest() -> None:
    shares = fraction_of_largest(np.array([1.0, 2.0, 5.0, 10.0, 0.0]), np.array([0, 0, 1, 1, 2]))
    assert shares.tolist() == [0.5, 1.0, 0.5, 1.0, 0.0]


# --- Betweenness ---


def ends(graph):
    """The relations of a networkx graph as two arrays."""
    pairs = np.array(list(graph.edges()), np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def expected_betweenness(graph):
    found = networkx.betweenness_centrality(graph)
    return pytest.approx([found[i] for i in range(len(graph))], abs=1e-12)


GRAPHS = {
    "a club": networkx.karate_club_graph(),
    "a path": networkx.path_graph(40),
    "a ring": networkx.cycle_graph(41),
    "a star": networkx.star_graph(30),
    "a grid": networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(9, 9)),
    "a tree": networkx.balanced_tree(3, 4),
    "all with all": networkx.complete_graph(20),
    "two parts and some alone": networkx.disjoint_union_all(
        [networkx.gnm_random_graph(60, 90, seed=1), networkx.barbell_graph(6, 3), networkx.empty_graph(5)]
    ),
    "no small one": networkx.gnm_random_graph(700, 800, seed=2),
    "a long way": networkx.path_graph(300),
    "a deep tree": networkx.random_labeled_tree(500, seed=5),
    "a pair": networkx.path_graph(2),
    "three": networkx.path_graph(3),
}


@pytest.mark.slow
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_betweenness_of_a_small_graph_is_exactly_that_of_networkx(graph):
    assert betweenness(len(graph), *ends(graph)).tolist() == expected_betweenness(graph)


@pytest.mark.parametrize("seed", range(5))
def test_directions_repeats_and_loops_make_no_difference_to_betweenness(seed):
    graph = networkx.gnm_random_graph(50, 80, seed=seed)
    sources, targets = ends(graph)
    more = np.concatenate((sources, targets, sources, np.arange(50)))
    still_more = np.concatenate((targets, sources, targets, np.arange(50)))
    order = np.random.default_rng(seed).permutation(len(more))
    assert betweenness(50, more[order], still_more[order]).tolist() == expected_betweenness(graph)


def test_small_parts_of_a_large_graph_are_exact():
    parts = [networkx.gnm_random_graph(4 + i % 50, 6 + i % 70, seed=i) for i in range(30)]
    graph = networkx.disjoint_union_all(parts)
    assert len(graph) > 500
    assert betweenness(len(graph), *ends(graph)).tolist() == expected_betweenness(graph)
    assert betweenness(len(graph), *ends(graph), quick=True).tolist() == expected_betweenness(graph)


@pytest.mark.slow
def test_quick_betweenness_of_a_large_part_is_near_that_of_networkx():
    graph = networkx.barabasi_albert_graph(600, 2, seed=3)
    expected = np.array(list(networkx.betweenness_centrality(graph).values()))
    found = betweenness(len(graph), *ends(graph), quick=True)
    assert np.corrcoef(found, expected)[0, 1] > 0.98
    assert found.sum() == pytest.approx(expected.sum(), rel=0.05)
    assert set(np.argsort(found)[-6:]) == set(np.argsort(expected)[-6:])


def test_the_only_way_between_two_crowds_and_its_ends_have_the_most_paths():
    crowd = networkx.gnm_random_graph(800, 3000, seed=4)
    graph = networkx.disjoint_union(crowd, crowd)
    graph.add_edges_from([(0, 1600), (1600, 800)])
    found = betweenness(1601, *ends(graph), quick=True)
    assert set(np.argsort(found)[-3:]) == {0, 800, 1600}
    assert found[1600] == pytest.approx(0.5, abs=0.01)


def test_betweenness_is_the_same_each_time_and_in_any_order_of_relations():
    graph = networkx.gnm_random_graph(1000, 2000, seed=5)
    sources, targets = ends(graph)
    first = betweenness(1000, sources, targets, quick=True).tolist()
    assert betweenness(1000, sources, targets, quick=True).tolist() == first
    assert betweenness(1000, targets[::-1], sources[::-1], quick=True).tolist() == first


def test_paths_too_long_for_a_float_do_not_count():
    nodes = 3000
    found = betweenness(nodes, np.arange(nodes - 1), np.arange(1, nodes), quick=True)
    assert 0 < found.max() < 0.3  # 0.5 with all of them
    levels = np.repeat(np.arange(500), 4)  # each of four has a relation to each of the next four: 4**499 paths
    firsts, seconds = np.nonzero((levels[:, None] + 1) == levels[None, :])
    many = betweenness(2000, firsts, seconds, quick=True)
    assert np.isfinite(many).all()
    assert many.max() > 0


@pytest.mark.parametrize("nodes", [0, 1, 2, 5])
def test_what_has_no_relations_is_between_nothing(nodes):
    nothing = np.zeros(0, np.int64)
    assert betweenness(nodes, nothing, nothing).tolist() == [0.0] * nodes


def test_huge_weights_are_weights_like_others():
    sources, targets = np.array([0, 0, 1]), np.array([1, 2, 2])
    usual = pagerank(3, sources, targets, np.array([1.0, 0.5, 1.0]))
    huge = pagerank(3, sources, targets, np.array([1.7e308, 0.85e308, 1.7e308]))
    assert huge.tolist() == pytest.approx(usual.tolist())
