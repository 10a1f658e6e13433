"""PageRank and degree, held against networkx."""

import random

import networkx
import numpy as np
import pytest

from indelible.graph.centrality import degree, fraction_of_largest, pagerank


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
