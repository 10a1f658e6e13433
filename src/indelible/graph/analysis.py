"""All measures of a graph in one go, in this process or, for a large one, in a child of its own.

As a program (`python -m indelible.graph.analysis`) it measures the graph on its standard input.
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.graph import centrality, child
from indelible.graph.communities import communities, modularity

LARGE = 2_000  # relations above which the measures are a child's work: the interpreter is shared with calls

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Task:
    """Relations between records, and which measures to compute.

    `nodes` are the records that have relations, in an order independent of when they were stored: estimates depend on
    it. `resolution` 0 asks for no communities. With `quick` betweenness takes milliseconds.
    """

    nodes: Ids
    sources: Ids
    targets: Ids
    weights: Floats
    damping: float = centrality.DAMPING
    central: bool = False  # betweenness and degree too
    quick: bool = False
    resolution: float = 0.0

    def arrays(self) -> list[NDArray[Any]]:
        """Return the task as arrays for a child process."""
        asked = np.array([self.damping, self.central, self.quick, self.resolution], np.float64)
        return [self.nodes, self.sources, self.targets, self.weights, asked]

    @classmethod
    def of(cls, arrays: Sequence[NDArray[Any]]) -> "Task":
        """Return the task that `arrays` gave."""
        nodes, sources, targets, weights, asked = arrays
        damping, central, quick, resolution = asked.tolist()
        return cls(nodes, sources, targets, weights, damping, bool(central), bool(quick), resolution)


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of each record that has relations, by ascending id; 0 if not asked for, communities one for each.

    PageRank sums to 1. `modularity` is the part of each community in that of the division.
    """

    ids: Ids
    pagerank: Floats
    betweenness: Floats
    degree: Ids
    community: Ids
    modularity: Floats

    def highest(self, count: int, hidden: Collection[int] = ()) -> tuple[list[int], list[float]]:
        """Return ids and PageRank of the highest, and of all that equal the last of them; none of `hidden`."""
        seen = ~np.isin(self.ids, list(hidden))
        ids, ranks = self.ids[seen], self.pagerank[seen]
        if not len(ids):
            return [], []
        least = np.partition(ranks, -min(count, len(ids)))[-min(count, len(ids))]
        kept = np.flatnonzero(ranks >= least)
        return ids[kept].tolist(), ranks[kept].tolist()

    def division(self, communities: int, members: int, fewest: int) -> "Division":
        """Return the members of the first communities by PageRank, then id: about `members` in all, equally many each.

        A community is shown at least `fewest`, if it has as many.
        """
        sizes = np.bincount(self.community, minlength=len(self.modularity))
        order = np.lexsort((self.ids, -self.pagerank, self.community))
        place = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # within its community
        most = max(fewest, members // max(1, min(len(sizes), communities)))
        shown = order[(place < most) & (self.community[order] < communities)]
        return Division(
            self.ids[shown].tolist(),
            self.community[shown].tolist(),
            self.pagerank[shown].tolist(),
            sizes.tolist(),
            self.modularity.tolist(),
        )


@dataclass(frozen=True, slots=True)
class Division:
    """The most central records of the largest communities: the number of the community of each, and its PageRank.

    Communities are numbered from 0 by size; `sizes` and `modularity`, what each adds to that of the whole, are of all.
    """

    records: list[int]
    labels: list[int]
    ranks: list[float]
    sizes: list[int]
    modularity: list[float]


def measures(task: Task) -> Measures:
    """Return the measures: of a large graph by a child process, where there can be one."""
    if len(task.sources) > LARGE:
        found = child.run("analysis", task.arrays(), 6)
        if found is not None:
            return Measures(*found)
    return measured(task, alone=False)


def measured(task: Task, *, alone: bool) -> Measures:
    """Return the same in this process; `alone`: no other thread needs its interpreter."""
    by_id = np.argsort(task.nodes)
    ids = task.nodes[by_id]
    sources = by_id[np.searchsorted(ids, task.sources)]  # places in the order of `nodes`
    targets = by_id[np.searchsorted(ids, task.targets)]
    order = np.lexsort((task.weights, targets, sources))
    graph = len(ids), sources[order], targets[order], task.weights[order]
    nodes, sources, targets, weights = graph
    none = np.zeros(nodes)
    labels = communities(*graph, task.resolution, alone=alone) if task.resolution else np.arange(nodes)
    return Measures(
        ids=ids,
        pagerank=centrality.pagerank(*graph, damping=task.damping)[by_id],
        betweenness=centrality.betweenness(nodes, sources, targets, quick=task.quick)[by_id] if task.central else none,
        degree=(centrality.degree(nodes, sources, targets) if task.central else none.astype(np.int64))[by_id],
        community=labels[by_id],
        modularity=modularity(sources, targets, weights, labels, task.resolution) if task.resolution else none,
    )


def _work(given: child.Arrays) -> list[NDArray[Any]]:
    found = measured(Task.of(given), alone=True)
    return [found.ids, found.pagerank, found.betweenness, found.degree, found.community, found.modularity]


if __name__ == "__main__":
    child.serve(_work, 5)
