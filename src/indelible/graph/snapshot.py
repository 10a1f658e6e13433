"""The graph of a store as arrays, and how strongly its records stand in it."""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.graph import analysis, centrality
from indelible.graph.analysis import Floats, Ids, Task

PAGERANK, BETWEENNESS, DEGREE, COMMUNITY = 0.4, 0.3, 0.2, 0.1  # shares of graph strength

Relation = Sequence[int | float]  # source, target, weight


@dataclass(frozen=True, slots=True)
class Drawn:
    """The relations of a store, and the records that have some by kind and key; `groups` numbers their groups."""

    nodes: Ids
    groups: Ids
    sources: Ids
    targets: Ids
    weights: Floats

    @classmethod
    def of(cls, relations: Iterable[Sequence[Relation]], nodes: Iterable[Sequence[tuple[int, Hashable]]]) -> "Drawn":
        """Return the graph of relations and of records with the group of each, both in parts.

        A part is taken apart before the next is asked for: whoever yields them can let others work in between.
        """
        parts = [_columns(part) for part in relations] or [_columns(())]
        sources, targets, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        numbers: dict[Hashable, int] = {}
        ids, groups = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for part in nodes:
            ids.append(np.array([node for node, _ in part], np.int64))
            groups.append(np.array([numbers.setdefault(group, len(numbers)) for _, group in part], np.int64))
        return cls(np.concatenate(ids), np.concatenate(groups), sources, targets, weights)

    def task(
        self,
        *,
        damping: float = centrality.DAMPING,
        central: bool = False,
        quick: bool = False,
        resolution: float = 0.0,
    ) -> Task:
        """Return the input of `analysis.measures` for this graph."""
        return Task(self.nodes, self.sources, self.targets, self.weights, damping, central, quick, resolution)


def _columns(rows: Sequence[Relation]) -> tuple[Ids, Ids, Floats]:
    sources, targets, weights = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(sources, np.int64), np.array(targets, np.int64), np.array(weights, np.float64)


@dataclass(frozen=True, slots=True)
class Strengths:
    """Measures by record, ascending by id: fractions (0..1) of the largest of the record's group, and its community."""

    ids: Ids
    pagerank: Floats
    betweenness: Floats
    degree: Floats
    community: Ids

    @classmethod
    def of(cls, drawn: Drawn, *, quick: bool) -> "Strengths":
        """Measure a graph; of a large one these are approximations that take some seconds at most, `quick` or not."""
        found = analysis.measures(drawn.task(central=True, quick=quick, resolution=1.0))
        groups = drawn.groups[np.argsort(drawn.nodes)]
        return cls(
            found.ids,
            centrality.fraction_of_largest(found.pagerank, groups),
            centrality.fraction_of_largest(found.betweenness, groups),
            centrality.fraction_of_largest(found.degree.astype(np.float64), groups),
            found.community,
        )

    def strengths_of(self, records: Iterable[int]) -> dict[int, float]:
        """Return the graph strength (0..1) of each record of one ranking that has relations.

        0.4 PageRank + 0.3 betweenness + 0.2 degree, + 0.1 where another of these records is in the same community.
        """
        at = self._places(records)
        _, number, members = np.unique(self.community[at], return_inverse=True, return_counts=True)
        total = PAGERANK * self.pagerank[at] + BETWEENNESS * self.betweenness[at] + DEGREE * self.degree[at]
        total += COMMUNITY * (members > 1)[number]
        return dict(zip(self.ids[at].tolist(), total.tolist(), strict=True))

    def pagerank_of(self, records: Iterable[int]) -> dict[int, float]:
        """Return the PageRank of each record that has relations."""
        return self._of(self.pagerank, records)

    def betweenness_of(self, records: Iterable[int]) -> dict[int, float]:
        """Return the betweenness of each record that has relations."""
        return self._of(self.betweenness, records)

    def _of(self, measure: Floats, records: Iterable[int]) -> dict[int, float]:
        at = self._places(records)
        return dict(zip(self.ids[at].tolist(), measure[at].tolist(), strict=True))

    def _places(self, records: Iterable[int]) -> NDArray[np.int64]:
        """Return the positions of those records that have relations, each once, ascending by id."""
        wanted = np.unique(np.fromiter(records, np.int64))
        at = np.minimum(np.searchsorted(self.ids, wanted), len(self.ids) - 1)
        found: NDArray[np.int64] = at[self.ids[at] == wanted]
        return found
