"""All relations of a graph as arrays: cheap to build, and to follow change by change."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Row = tuple[int, int, int, float]  # id of a relation, of its source, of its target, its weight


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes 0..n-1 with the ids `nodes`, ascending; relation i leads from `sources[i]` to `targets[i]`."""

    nodes: NDArray[np.int64]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]

    def place(self, node: int) -> int | None:
        """The number of the node with an id, None if it has no relation."""
        at = int(np.searchsorted(self.nodes, node))
        return at if at < len(self.nodes) and self.nodes[at] == node else None

    def places(self, nodes: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of those of the nodes that have relations, each once, ascending."""
        wanted = np.sort(np.asarray(nodes, np.int64))
        wanted = wanted[np.diff(wanted, prepend=-1) > 0]
        if not len(self.nodes):
            return np.zeros(0, np.int64)
        at = np.minimum(np.searchsorted(self.nodes, wanted), len(self.nodes) - 1)
        found: NDArray[np.int64] = at[self.nodes[at] == wanted]
        return found


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations by id, ascending, between nodes by id, all above 0. A change makes a new one, and writes to none."""

    ids: NDArray[np.int64]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Relations":
        """Of (id, source, target, weight) in any order; of several with one id the last counts."""
        latest = {row[0]: row for row in rows}
        kept = sorted(latest.values())
        count = len(kept)
        ids, sources, targets = (np.fromiter((row[side] for row in kept), np.int64, count) for side in range(3))
        return cls(ids, sources, targets, np.fromiter((row[3] for row in kept), np.float64, count))

    def changed(self, gone: Sequence[int], came: Sequence[Row]) -> "Relations":
        """Without those that are gone and with those that came; one that came with a known id takes its place.

        It copies the arrays and sorts nothing but what came: some milliseconds for a million relations.
        """
        new = Relations.of(came)
        out = np.sort(np.concatenate((np.asarray(gone, np.int64), new.ids)))
        at = np.searchsorted(self.ids, out)
        inside = at < len(self.ids)
        drop = at[inside][self.ids[at[inside]] == out[inside]]
        kept = np.ones(len(self.ids), np.bool_)
        kept[drop] = False
        ids = self.ids[kept]
        where = np.searchsorted(ids, new.ids)
        return Relations(
            np.insert(ids, where, new.ids),
            np.insert(self.sources[kept], where, new.sources),
            np.insert(self.targets[kept], where, new.targets),
            np.insert(self.weights[kept], where, new.weights),
        )

    def graph(self) -> Graph:
        """Their nodes numbered from 0 in the order of their ids."""
        ends = np.sort(np.concatenate((self.sources, self.targets)))
        nodes = ends[np.diff(ends, prepend=-1) > 0]
        return Graph(nodes, np.searchsorted(nodes, self.sources), np.searchsorted(nodes, self.targets), self.weights)
