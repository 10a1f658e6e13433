"""The graph of a store as arrays, read in slices: the interpreter is shared with the calls that are being answered."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indelible.model import CODE_KINDS
from indelible.store import edges, records
from indelible.store.database import Transaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.graph.analysis import Task

SLICE = 2_048  # ids of records whose relations are read at a time
PAUSE = 0.001  # seconds between slices
EVERYTHING = 1 << 62  # above every id


@dataclass(frozen=True, slots=True)
class Drawn:
    """The relations of a store, and the records that have some by kind and key; `groups` numbers what is compared.

    That is a namespace's code, or all else that is in it.
    """

    nodes: "NDArray[np.int64]"
    groups: "NDArray[np.int64]"
    sources: "NDArray[np.int64]"
    targets: "NDArray[np.int64]"
    weights: "NDArray[np.float64]"

    def task(
        self, *, damping: float | None = None, central: bool = False, quick: bool = False, resolution: float = 0.0
    ) -> "Task":
        """What `analysis.measures` is to do with it."""
        from indelible.graph import analysis, centrality

        graph = self.nodes, self.sources, self.targets, self.weights
        return analysis.Task(*graph, centrality.DAMPING if damping is None else damping, central, quick, resolution)

    def groups_by_id(self) -> "NDArray[np.int64]":
        """The group of each record, by ascending id."""
        import numpy as np

        found: NDArray[np.int64] = self.groups[np.argsort(self.nodes)]
        return found


def read(tx: Transaction, tenant: int, *, told: bool, at_once: bool = False) -> Drawn:
    """The graph as of a transaction; `told`: without what the index made. `at_once`: it is small, in one piece."""
    import numpy as np

    parts = []
    if at_once:
        parts.append(_columns(edges.in_range(tx, tenant, 0, EVERYTHING, told=told)))
    else:
        for low in range(0, records.last_id(tx, tenant) + 1, SLICE):
            parts.append(_columns(edges.in_range(tx, tenant, low, low + SLICE, told=told)))
            time.sleep(PAUSE)
    sources, targets, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    names: dict[tuple[str, bool], int] = {}
    rows = edges.nodes(tx, tenant, told=told)
    count = len(rows)
    nodes = np.fromiter((row[0] for row in rows), np.int64, count)
    groups = np.fromiter(
        (names.setdefault((row[1], row[2] in CODE_KINDS), len(names)) for row in rows), np.int64, count
    )
    return Drawn(nodes, groups, sources, targets, weights)


def _columns(
    rows: "list[tuple[int, int, float]]",
) -> "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]":
    import numpy as np

    count = len(rows)
    return (
        np.fromiter((row[0] for row in rows), np.int64, count),
        np.fromiter((row[1] for row in rows), np.int64, count),
        np.fromiter((row[2] for row in rows), np.float64, count),
    )
