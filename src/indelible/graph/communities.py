"""Communities: parts of a graph that have more relations inside than chance would give them.

As a program (`python -m indelible.graph.communities`) it finds those of the graph on its standard input: a large
graph's memory and processor time are a child's, with a lower priority.
"""

from collections.abc import Collection, Iterable, Iterator

import numpy as np
from cluster_libreville import edges_to_csr, leiden
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.graph import child

SEED = 20190
ITERATIONS = 8  # each goes on from the one before; some graphs would take hundreds until nothing moves any more
# How far the refinement goes by chance: little is better where groups are clear, more where most relations lead out
# of them. The better result of the two is taken.
RANDOMNESS = (0.01, 0.3)
LIGHTEST = 1e-9  # weight of a relation as a fraction of the heaviest
LARGE = 25_000  # related pairs from which it is a child's work


def communities(
    nodes: int,
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    weights: NDArray[np.float64],
    resolution: float = 1.0,
    seed: int = SEED,
    *,
    alone: bool = False,
) -> NDArray[np.int64]:
    """The community of each node 0..n-1 by Leiden (Traag, Waltman and van Eck, 2019), which maximises modularity.

    Communities are numbered from 0 by size, of equal ones that with the smallest node first. Relations count in both
    directions, the weights of several between two nodes are added. A node with no relation of positive weight to
    another is a community of its own. A `resolution` above 1 gives more and smaller ones; it must be above 0.
    A large graph is a child's work, unless this process is `alone` with it.
    """
    counted = (weights > 0) & (sources != targets)
    if not counted.any():
        return np.arange(nodes)
    low, high = np.minimum(sources, targets)[counted], np.maximum(sources, targets)[counted]
    pairs, place = np.unique(low * nodes + high, return_inverse=True)
    weight = np.bincount(place, weights[counted] / weights[counted].max())
    weight = np.maximum(weight / weight.max(), LIGHTEST)  # one that rounds to 0 would be none
    graph = _Graph(pairs // nodes, pairs % nodes, weight, resolution, seed)
    found = _in_child(graph) if len(pairs) >= LARGE and not alone else None
    members, labels = found or _leiden(graph)
    own = np.arange(nodes) + len(members)  # above every label
    own[members] = labels
    return _by_size(own)


def ends(relations: Iterable[tuple[int, int, float]], without: Collection[int] = ()) -> NDArray[np.void]:
    """Return relations (one id, another, weight) as an array for `members`, but those of an id of `without`."""
    found = np.fromiter(relations, np.dtype("i8,i8,f8"))
    left_out = np.array(list(without), np.int64)
    kept: NDArray[np.void] = found[~np.isin(found["f0"], left_out) & ~np.isin(found["f1"], left_out)]
    return kept


def members(relations: NDArray[np.void]) -> Iterator[tuple[int, ...]]:
    """Yield the communities of relations, which `ends` gave, the largest first, each with its ids ascending."""
    if not len(relations):
        return
    ids, places = np.unique(np.concatenate((relations["f0"], relations["f1"])), return_inverse=True)
    source, target = places[: len(relations)], places[len(relations) :]
    label = communities(len(ids), source, target, np.ascontiguousarray(relations["f2"]))
    starts = np.flatnonzero(np.diff(np.sort(label))) + 1
    for some in np.split(np.argsort(label, kind="stable"), starts):
        yield tuple(ids[some].tolist())


def modularity(
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    weights: NDArray[np.float64],
    labels: NDArray[np.int64],
    resolution: float = 1.0,
) -> NDArray[np.float64]:
    """Return the part of each community 0..k-1 in the modularity of a division (Newman and Girvan, 2004), their sum.

    `labels` is the community of each node. Relations are counted as `communities` does; without any all is 0.
    """
    count = int(labels.max(initial=-1)) + 1
    counted = (weights > 0) & (sources != targets)
    weight = weights[counted]
    if not len(weight):
        return np.zeros(count)
    weight = weight / weight.max()
    one, other = labels[sources[counted]], labels[targets[counted]]
    total = weight.sum()
    inside = np.bincount(one[one == other], weight[one == other], count)
    around = np.bincount(one, weight, count) + np.bincount(other, weight, count)
    shares: NDArray[np.float64] = inside / total - resolution * (around / (2 * total)) ** 2
    return shares


def _by_size(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Any labels as the numbers that `communities` promises."""
    _, smallest, number, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), np.int64)
    rank[np.lexsort((smallest, -sizes))] = np.arange(len(sizes))
    return rank[number]


@dataclass(frozen=True, slots=True)
class _Graph:
    """Each related pair once, and how it is to be divided."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    weight: NDArray[np.float64]
    resolution: float
    seed: int


def _leiden(graph: _Graph) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nodes that have relations, and the label of each."""
    members, ends = np.unique(np.concatenate([graph.low, graph.high]), return_inverse=True)
    rows = edges_to_csr(*ends.reshape(2, -1), graph.weight, n=len(members))
    best, highest = np.zeros(len(members), np.int64), -np.inf
    for randomness in RANDOMNESS:
        labels, run = leiden(
            rows,
            resolution=graph.resolution,
            n_iterations=ITERATIONS,
            theta=randomness,
            seed=graph.seed,
            threads=1,  # beside a server's calls; the labels are the same with any number
            check_symmetry=False,  # made so
            return_info=True,
        )
        if run["modularity"] > highest:
            best, highest = labels.astype(np.int64), run["modularity"]
    return members, best


def _in_child(graph: _Graph) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The same by a process of its own, None where there can be none."""
    given = [graph.low, graph.high, graph.weight, np.float64(graph.resolution), np.int64(graph.seed)]
    found = child.run("communities", [np.asarray(part) for part in given], 1)
    if found is None:
        return None
    members, labels = found[0]
    return members, labels


def _work(given: child.Arrays) -> list[NDArray[np.int64]]:
    low, high, weight, resolution, seed = given
    return [np.stack(_leiden(_Graph(low, high, weight, float(resolution), int(seed))))]


if __name__ == "__main__":
    child.serve(_work, 5)
