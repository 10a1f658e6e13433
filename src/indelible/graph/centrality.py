"""How central the nodes of a graph are."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DAMPING = 0.85
TOLERANCE = 1e-8
MOST_ROUNDS = 100


def pagerank(
    nodes: int, sources: NDArray[np.int64], targets: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weighted PageRank (Page and Brin, 1998) of nodes 0..n-1 by power iteration; sums to 1.

    A node without outgoing weight spreads its rank over all. Negative weights count as 0.
    """
    if nodes == 0:
        return np.zeros(0)
    weights = np.maximum(weights, 0.0)
    out = np.bincount(sources, weights, nodes)
    share = np.divide(weights, out[sources], out=np.zeros_like(weights), where=out[sources] > 0)
    dangling = out == 0
    rank = np.full(nodes, 1 / nodes)
    for _ in range(MOST_ROUNDS):
        flow = np.bincount(targets, rank[sources] * share, nodes) + rank[dangling].sum() / nodes
        new: NDArray[np.float64] = (1 - DAMPING) / nodes + DAMPING * flow
        if np.abs(new - rank).sum() < TOLERANCE * nodes:
            return new
        rank = new
    return rank


def degree(nodes: int, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of relations at each node, in either direction."""
    return np.bincount(sources, minlength=nodes) + np.bincount(targets, minlength=nodes)


def fraction_of_largest(
    values: Sequence[float] | NDArray[np.float64], groups: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Each value as a fraction of the largest of its group; groups are numbered from 0."""
    array = np.asarray(values, np.float64)
    largest = np.zeros(int(groups.max()) + 1 if len(groups) else 0)
    np.maximum.at(largest, groups, array)
    return np.divide(array, largest[groups], out=np.zeros_like(array), where=largest[groups] > 0)
