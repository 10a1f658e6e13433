"""The graph of a store as arrays, read in slices so that other threads get the interpreter in between."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indelible.model import CODE_KINDS
from indelible.store.database import Row, Transaction
from indelible.store.tables import edges, records

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.graph.analysis import Task

    _Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]

# Imported late (start, cli): indelible.graph.analysis, indelible.graph.centrality, numpy

FIRST, WIDEST = 256, 4_096  # ids of records whose relations are read at a time
FEW, MANY = 500, 2_000  # relations of a slice: with more it is made narrower, with fewer the next is wider
AT_ONCE = 5_000  # records whose rows are taken apart at a time
PAUSE = 0.001  # seconds between slices
EVERYTHING = 1 << 62  # above every id


@dataclass(frozen=True, slots=True)
class Drawn:
    """The relations of a store, and the records that have some by kind and key; `groups` numbers the compared groups.

    A group is a namespace's code, or all else in it.
    """

    nodes: "NDArray[np.int64]"
    groups: "NDArray[np.int64]"
    sources: "NDArray[np.int64]"
    targets: "NDArray[np.int64]"
    weights: "NDArray[np.float64]"

    def task(
        self, *, damping: float | None = None, central: bool = False, quick: bool = False, resolution: float = 0.0
    ) -> "Task":
        """Return the input of `analysis.measures` for this graph."""
        from indelible.graph import analysis, centrality

        graph = self.nodes, self.sources, self.targets, self.weights
        return analysis.Task(*graph, centrality.DAMPING if damping is None else damping, central, quick, resolution)

    def groups_by_id(self) -> "NDArray[np.int64]":
        """Return the group of each record, by ascending id."""
        import numpy as np

        found: NDArray[np.int64] = self.groups[np.argsort(self.nodes)]
        return found


def read(tx: Transaction, *, stated: bool, at_once: bool = False) -> Drawn:
    """Return the graph as of a transaction; `stated`: without the code index's relations; `at_once`: in one piece."""
    import numpy as np

    if at_once:
        parts = [_columns(edges.in_range(tx, 0, EVERYTHING, stated=stated, limit=EVERYTHING))]
    else:
        parts = list(_slices(tx, stated))
    sources, targets, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    nodes, groups = _nodes(edges.nodes(tx, stated=stated))
    return Drawn(nodes, groups, sources, targets, weights)


def _slices(tx: Transaction, stated: bool) -> "Iterator[_Columns]":
    """Yield the relations in slices small enough that no other thread waits long for the interpreter."""
    low, width, last = 0, FIRST, records.last_id(tx)
    while low <= last:
        most = MANY if width > 1 else EVERYTHING
        rows = edges.in_range(tx, low, low + width, stated=stated, limit=most)
        if len(rows) < most:
            yield _columns(rows)
            low += width
        width = max(1, width // 4) if len(rows) == most else min(WIDEST, 2 * width) if len(rows) < FEW else width
        time.sleep(PAUSE)


def _nodes(rows: Sequence[Row]) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return the records, and the number of the group of each: its namespace, code apart from the rest."""
    import numpy as np

    names: dict[tuple[str, bool], int] = {}
    nodes, groups = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    for at in range(0, len(rows), AT_ONCE):
        part = rows[at : at + AT_ONCE]
        nodes[at : at + AT_ONCE] = [row[0] for row in part]
        groups[at : at + AT_ONCE] = [names.setdefault((row[1], row[2] in CODE_KINDS), len(names)) for row in part]
        time.sleep(PAUSE if at + AT_ONCE < len(rows) else 0)
    return nodes, groups


def _columns(rows: Sequence[Row]) -> "_Columns":
    import numpy as np

    sources, targets, weights = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(sources, np.int64), np.array(targets, np.int64), np.array(weights, np.float64)
