"""Centrality measures of the nodes of a graph."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass

DAMPING = 0.85
TOLERANCE = 1e-8  # difference of two rounds, summed, for each node
FOCUSED = 0.9  # share of the rank that comes from the focus, where there is one; the rest from all other seeds
MOST_ROUNDS = 1_000  # some 60 are done with the usual damping; one of nearly 1 would not end

EXACT = 2_000  # nodes of a graph up to which the paths from all of them are counted
FEWEST_SOURCES, MOST_SOURCES = 64, 5_000  # from which the paths of one connected part are counted
WORK = 60_000_000  # nodes and relations times sources up to which there are more sources than the fewest: 3 s
QUICK_SOURCES, QUICK_WORK = 256, 400_000  # the same for a waiting caller: 50 ms
CELLS = 1 << 18  # nodes and relations of the rounds that are done together: a step of it takes milliseconds at most
LEVELS = 8  # of a search in which each is a small part of the graph: so many times as many rounds are done together
LARGEST = 700.0  # logarithm of the number of paths that a float can hold
SEED = 20070  # of the sources that are drawn


def pagerank(
    nodes: int,
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    weights: NDArray[np.float64],
    *,
    damping: float = DAMPING,
    seeds: NDArray[np.float64] | None = None,
    tolerance: float = TOLERANCE,
    rounds: int = MOST_ROUNDS,
) -> NDArray[np.float64]:
    """Weighted PageRank (Page and Brin, 1998) of nodes 0..n-1 by power iteration; sums to 1.

    `damping` (0..1) is the share of the rank that follows relations; the rest goes to all nodes alike, or by the
    weights of `seeds`, one a node, none negative, which personalise it (Haveliwala, 2002); seeds that are all 0 are
    none. So does the rank of a node without outgoing weight. Negative weights count as 0. It ends when a round changes
    less than `tolerance` a node, or after as many rounds as are allowed.
    """
    if nodes == 0:
        return np.zeros(0)
    start = _shares(nodes, seeds)
    weights = np.maximum(weights, 0.0)
    weights = weights / (weights.max(initial=0.0) or 1.0)  # so that no sum is infinite
    out = np.bincount(sources, weights, nodes)
    share = np.divide(weights, out[sources], out=np.zeros_like(weights), where=out[sources] > 0)
    dangling = np.flatnonzero(out == 0)
    rank = start
    for _ in range(rounds):
        flow = np.bincount(targets, rank[sources] * share, nodes) + rank[dangling].sum() * start
        new: NDArray[np.float64] = (1 - damping) * start + damping * flow
        if np.abs(new - rank).sum() < tolerance * nodes:
            return new
        rank = new
    return rank


def focused(
    own: Sequence[int], relations: Sequence[tuple[int, int, float]], seeds: Sequence[bool], focus: Sequence[float]
) -> list[float]:
    """Return the PageRank of some nodes, personalised to a focus, or without one to the seeds among them.

    Relations are (source, target, weight) and may lead to other nodes; `seeds` and `focus` (weights, 0 for most) stand
    beside `own`. With a focus, nodes near it count more than those that are central anyway: the rank from the focus is
    weighted by the root of its share of both ranks.
    """
    ids = np.array(own, np.int64)
    sources, targets = (np.fromiter((row[side] for row in relations), np.int64) for side in (0, 1))
    weights = np.fromiter((row[2] for row in relations), np.float64, len(relations))
    nodes = np.unique(np.concatenate((ids, sources, targets)))
    places = np.searchsorted(nodes, ids)
    plain = np.ones(len(nodes))
    plain[places] = seeds
    sought = np.zeros(len(nodes))
    sought[places] = focus
    graph = len(nodes), np.searchsorted(nodes, sources), np.searchsorted(nodes, targets), weights
    rank = pagerank(*graph, seeds=plain)
    if sought.any():
        everywhere = plain / (plain.sum() or 1.0)
        near = pagerank(*graph, seeds=FOCUSED * sought / sought.sum() + (1 - FOCUSED) * everywhere)
        rank = near * np.sqrt(near / np.maximum(near + rank, np.finfo(float).tiny))
    ranks: list[float] = rank[places].tolist()
    return ranks


def _shares(nodes: int, seeds: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return the sources of rank: the seeds as shares of their sum, all nodes alike where there are none."""
    largest = 0.0 if seeds is None else float(seeds.max())
    if seeds is None or not largest:
        return np.full(nodes, 1 / nodes)
    scaled = seeds / largest  # so that the sum is not infinite
    shares: NDArray[np.float64] = scaled / scaled.sum()
    return shares


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


def betweenness(
    nodes: int, sources: NDArray[np.int64], targets: NDArray[np.int64], *, quick: bool = False
) -> NDArray[np.float64]:
    """Share (0..1) of the shortest paths between all other nodes that lead over each node 0..n-1 (Freeman, 1977).

    Relations count in both directions, several between the same two nodes as one, weights not at all. Dependencies are
    accumulated from sources (Brandes, 2001): from all nodes of a graph of up to 2,000, which is exact. In a larger one
    from all nodes of a connected part or as many as a few seconds allow, at least 64, drawn with a fixed seed, which
    estimates it (Brandes and Pich, 2007). With `quick` it takes milliseconds, and parts of more than 256 nodes (64 in
    a graph of many relations) are estimated. Paths so long that a float could not count them are none: those of over
    512 relations in a graph of 2,000 nodes, of over 72 in one of a million.
    """
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    pairs = np.sort((low * nodes + high)[low != high])  # np.unique would keep the interpreter to itself
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    if nodes < 3 or len(pairs) < 2:
        return np.zeros(nodes)
    low, high = pairs // nodes, pairs % nodes
    most = _rounds(nodes, len(pairs), quick)
    first_round, scale = _sources(_connected_parts(nodes, low, high), most)
    rounds = int(first_round.max(where=first_round < most, initial=-1)) + 1
    graph, longest = _Neighbours.of(nodes, low, high), _longest(nodes)
    total = np.zeros(nodes)
    begin, cells = 0, CELLS
    while begin < rounds:
        end = min(begin + max(1, cells // (nodes + 2 * len(pairs))), rounds)
        starts = np.flatnonzero((first_round >= begin) & (first_round < end))
        found, levels = _dependencies(graph, end - begin, (first_round[starts] - begin) * nodes + starts, longest)
        total += found
        begin, cells = end, CELLS * min(max(1, levels // LEVELS), LEVELS)
    return total * scale / ((nodes - 1) * (nodes - 2))


def _rounds(nodes: int, pairs: int, quick: bool) -> int:
    """Return from how many sources of each part the paths are counted."""
    if nodes <= EXACT and not quick:
        return nodes
    work, most = (QUICK_WORK, QUICK_SOURCES) if quick else (WORK, MOST_SOURCES)
    return int(np.clip(work // (nodes + 2 * pairs), FEWEST_SOURCES, most))


def _longest(nodes: int) -> int:
    """Relations up to which no graph of so many nodes has more shortest paths between two than a float can hold.

    Most are where the nodes stand in levels of one size, and each has a relation to all of the next.
    """
    levels = np.arange(1, nodes + 1)
    return int((np.cumsum(levels * np.log(nodes / levels) > LARGEST) == 0).sum())


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


def _dependencies(
    graph: _Neighbours, rounds: int, starts: NDArray[np.int64], longest: int
) -> tuple[NDArray[np.float64], int]:
    """Dependency of all sources on each node, summed over the rounds, and the levels of the deepest search.

    `starts` are the sources' cells.

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
    while len(level) and len(levels) <= longest:
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
    return summed, len(levels)
