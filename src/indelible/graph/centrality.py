"""How central the nodes of a graph are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DAMPING = 0.85
TOLERANCE = 1e-8
MOST_ROUNDS = 100

FEWEST_SOURCES, MOST_SOURCES = 64, 256  # from which the paths of one connected part are counted
WORK = 400_000  # nodes and relations times sources up to which there are more sources than the fewest
CELLS = 1 << 18  # nodes and relations of the rounds that are done together: a step of it takes milliseconds at most
LONGEST = 64  # relations of a path that counts; with it no graph has too many paths for a float
SEED = 20070  # of the sources that are drawn


def pagerank(
    nodes: int, sources: NDArray[np.int64], targets: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weighted PageRank (Page and Brin, 1998) of nodes 0..n-1 by power iteration; sums to 1.

    A node without outgoing weight spreads its rank over all. Negative weights count as 0.
    """
    if nodes == 0:
        return np.zeros(0)
    weights = np.maximum(weights, 0.0)
    weights = weights / (weights.max(initial=0.0) or 1.0)  # so that no sum is infinite
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


def betweenness(nodes: int, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Share (0..1) of the shortest paths between all other nodes that lead over each node 0..n-1 (Freeman, 1977).

    Relations count in both directions, several between the same two nodes as one, weights not at all, and paths of
    more than 64 relations as none. Dependencies are accumulated from sources (Brandes, 2001): from all nodes of a
    connected part of at most 256 nodes (64 in a graph of many relations), which is exact, else from as many drawn
    with a fixed seed, which estimates it (Brandes and Pich, 2007).
    """
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    pairs = np.sort((low * nodes + high)[low != high])  # np.unique would keep the interpreter to itself
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    if nodes < 3 or len(pairs) < 2:
        return np.zeros(nodes)
    low, high = pairs // nodes, pairs % nodes
    rounds = int(np.clip(WORK // (nodes + 2 * len(pairs)), FEWEST_SOURCES, MOST_SOURCES))
    first_round, scale = _sources(_connected_parts(nodes, low, high), rounds)
    graph = _Neighbours.of(nodes, low, high)
    total = np.zeros(nodes)
    together = max(1, CELLS // (nodes + 2 * len(pairs)))
    for begin in range(0, rounds, together):
        end = min(begin + together, rounds)
        starts = np.flatnonzero((first_round >= begin) & (first_round < end))
        total += _dependencies(graph, end - begin, (first_round[starts] - begin) * nodes + starts)
    return total * scale / ((nodes - 1) * (nodes - 2))


def _connected_parts(nodes: int, low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.int64]:
    """The part that each node is in, named by its smallest node; parts grow together as trees do (Shiloach, 1982)."""
    part = np.arange(nodes)
    while True:
        one, other = part[low], part[high]
        smaller = np.minimum(one, other)
        joined = part.copy()
        np.minimum.at(joined, one, smaller)
        np.minimum.at(joined, other, smaller)
        while not np.array_equal(joined, above := joined[joined]):
            joined = above
        if np.array_equal(joined, part):
            return part
        part = joined


def _sources(part: NDArray[np.int64], rounds: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The round in which each node is the source of its part, `rounds` or more for never; the factor of its sum.

    Parts do not meet, so one source of each is searched at the same time. Fewer than three nodes have none between.
    """
    _, number, sizes = np.unique(part, return_inverse=True, return_counts=True)
    drawn = np.random.default_rng(SEED).permutation(len(part))
    drawn = drawn[np.argsort(number[drawn], kind="stable")]
    turn = np.empty(len(part), np.int64)
    turn[drawn] = np.arange(len(part)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    turn[sizes[number] < 3] = rounds
    counted = np.minimum(sizes, rounds)[number] - (turn < rounds)  # no node is between itself and another
    return turn, (sizes[number] - 1) / counted


@dataclass(frozen=True, slots=True)
class _Neighbours:
    """Those of node i are `nodes[first[i] : first[i + 1]]`."""

    first: NDArray[np.int64]
    nodes: NDArray[np.int64]

    @classmethod
    def of(cls, nodes: int, low: NDArray[np.int64], high: NDArray[np.int64]) -> "_Neighbours":
        ends = np.concatenate((low, high))
        others = np.concatenate((high, low))[np.argsort(ends, kind="stable")]
        return cls(np.concatenate(([0], np.cumsum(np.bincount(ends, minlength=nodes)))), others)

    def around(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The neighbours of cells one after another, and where those of each begin. Cell r * n + i is i in round r."""
        at = cells % (len(self.first) - 1)
        counts = self.first[at + 1] - self.first[at]
        begins = np.cumsum(counts) - counts
        places = np.repeat(self.first[at] - begins, counts) + np.arange(int(counts.sum()))
        return self.nodes[places] + np.repeat(cells - at, counts), begins


def _dependencies(graph: _Neighbours, rounds: int, starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Dependency of all sources on each node, summed over the rounds; `starts` are the sources' cells.

    A level is done at once in all rounds. What is not reached yet has 0 paths, so a sum over all neighbours is one
    over those that are one step nearer; on the way back what was not left yet has no share, and it is one over those
    that are one step farther.
    """
    nodes = len(graph.first) - 1
    paths, share, dependency = (np.zeros(rounds * nodes) for _ in range(3))
    last = np.zeros(rounds * nodes, np.int64)  # place at which a cell was met last: one of several is kept
    levels: list[tuple[NDArray[np.int64], ...]] = []
    level = starts
    paths[starts] = 1
    while len(level) and len(levels) <= LONGEST:
        around, begins = graph.around(level)
        if levels:
            paths[level] = np.add.reduceat(paths[around], begins)
        levels.append((level, around, begins))
        fresh = around.compress(paths[around] == 0)
        place = np.arange(len(fresh))
        last[fresh] = place
        level = fresh.compress(last[fresh] == place)
    for level, around, begins in reversed(levels):
        own = paths[level]
        found = own * np.add.reduceat(share[around], begins)
        share[level] = (1 + found) / own
        dependency[level] = found
    dependency[starts] = 0
    summed: NDArray[np.float64] = dependency.reshape(rounds, nodes).sum(axis=0)
    return summed
