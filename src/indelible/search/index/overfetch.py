"""Filtered nearest-neighbour search by an index that knows no filters, such as a database's.

The index is asked for more than is wanted, and what does not pass is dropped; where few pass, only these are compared.
"""

from typing import Protocol

import numpy as np

from indelible.search.index.postings import Postings
from indelible.search.index.slots import Ints, Mask

MORE = 1.5  # times what a filter that passes some at random would need is asked for ...
AGAIN = 4  # ... and so many times more where that was too little
DEARER = 6  # times what comparing a vector costs is what one found through the index costs (measured, 384 dimensions)


class Find(Protocol):
    """A search for the nearest vectors to a query: their records, nearest first, once for each vector."""

    def __call__(self, most: int, among: list[int] | None = None) -> list[int]:
        """Return at most so many; of all records by the index, `among` some by comparing each."""
        ...


def nearest(find: Find, records: Postings, mask: Mask, count: int) -> tuple[Ints, bool]:
    """Return the records of the `count` nearest vectors of those under the mask; whether these are all.

    Nearest first, once for each of a record's vectors; fewer than `count` only where no more pass.
    """
    passing = int(np.count_nonzero(mask))
    reach = float(count) if passing >= records.count else MORE * count * records.count / max(1, passing)
    while reach * DEARER < passing:
        most = int(reach)
        found = find(most)
        slots = records.slots_of(found)
        kept = np.array(found, np.int64)[(slots >= 0) & mask[slots]]
        if len(kept) >= count:
            return kept[:count], False
        if len(found) < most:  # the index gave up
            break
        reach *= AGAIN
    exact = find(count, records.records.values[mask].tolist())
    return np.array(exact, np.int64), len(exact) < count
