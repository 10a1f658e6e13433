"""Nearest-neighbour search in the database's own vector index, where it has one: then no codes are kept in memory.

The filters are those of the caches: the index is asked for more than is wanted and what does not pass is dropped; or
the database compares only those that pass, where they are few. Either way candidates are rescored like all others.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.search.index.postings import Postings
from indelible.search.index.slots import Mask
from indelible.store.database import Transaction
from indelible.store.tables.embeddings import Model
from indelible.store.views import nearest_vectors

FEWEST = 10_000  # records from which on it is asked whether there is an index; one is made from twice as many on
MORE = 1.5  # times what a filter that passes some at random would need is asked for ...
AGAIN = 4  # ... and so many times more where that was too little
DEARER = 6  # times what comparing a vector costs is what one found through the index costs (measured, 384 dimensions)

Ints = NDArray[np.int64]
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class DatabaseIndex:
    """The vector index of a partition in the database, as of a transaction; see `store/views/nearest_vectors`."""

    tx: Transaction
    model: Model
    code: bool

    def nearest(self, query: Floats, records: Postings, mask: Mask, count: int) -> tuple[Ints, bool]:
        """Return the records of the `count` vectors nearest to a query, of those under the mask; whether these are all.

        Nearest first, once for each of a record's vectors. At least 0.98 of the ten nearest are found (see
        bench/postgres.py); fewer than `count` only where no more pass.
        """
        passing = int(np.count_nonzero(mask))
        reach = float(count) if passing >= records.count else MORE * count * records.count / max(1, passing)
        while reach * DEARER < passing:
            most = int(reach)
            found = self._found(query, most)
            slots = records.slots_of(found)
            kept = np.array(found, np.int64)[(slots >= 0) & mask[slots]]
            if len(kept) >= count:
                return kept[:count], False
            if len(found) < most:  # the index gave up
                break
            reach *= AGAIN
        exact = self._found(query, count, records.records.values[mask].tolist())
        return np.array(exact, np.int64), len(exact) < count

    def _found(self, query: Floats, most: int, among: list[int] | None = None) -> list[int]:
        return nearest_vectors.nearest(self.tx, self.model, query.tolist(), most, code=self.code, among=among)
