"""The vectors of some records, unpacked: those read last, in a ring of rows."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.search.index.slots import Ints
from indelible.search.index.vectors import unpack

Vectors = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Windows:
    """The vectors of records that were asked for: a row for each window, and the place of its record in the question.

    The rows of one record stand together and in their order.
    """

    vectors: Vectors
    places: Ints

    @classmethod
    def of(cls, ids: Ints, rows: Iterable[tuple[int, bytes]]) -> "Windows":
        """Return those of (record, packed values), in no order but that of each record's; the ids ascend."""
        ordered = sorted(rows, key=lambda row: row[0])
        vectors = unpack([body for _, body in ordered])
        return cls(vectors, np.searchsorted(ids, np.array([record for record, _ in ordered], np.int64)))

    def highest(self, count: int, products: Vectors) -> tuple[NDArray[np.float64], Mask]:
        """Return for each of `count` records its highest product, of those of each row with a query, and if it has any.

        A record without any has -1.
        """
        products = np.maximum(products, -1.0)
        if self._one_each(count):
            return products.astype(np.float64), np.ones(count, np.bool_)
        highest, has_any = np.full(count, -1.0), np.zeros(count, np.bool_)
        starts = self._starts()
        if len(starts):
            owners = self.places[starts]
            highest[owners], has_any[owners] = np.maximum.reduceat(products, starts), True
        return highest, has_any

    def directions(self, count: int, dimensions: int) -> Vectors:
        """Return the direction of each of `count` records: a unit vector, of several windows that of their sum.

        That of a record without any is zeros.
        """
        if self._one_each(count):
            return self.vectors
        directions = np.zeros((count, dimensions), np.float32)
        starts = self._starts()
        if not len(starts):
            return directions
        if len(starts) == len(self.places):
            directions[self.places] = self.vectors
        else:
            sums = np.add.reduceat(self.vectors, starts, axis=0)
            directions[self.places[starts]] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        return directions

    def _one_each(self, count: int) -> bool:
        """Whether each record has one window, as most texts do."""
        return len(self.places) == count and bool((self.places == np.arange(count)).all())

    def _starts(self) -> Ints:
        """Return where the rows of each record begin."""
        return np.flatnonzero(np.diff(self.places, prepend=-1))

    def with_more(self, others: "Windows") -> "Windows":
        """Return these and those of other records of the same question."""
        if not len(self.places) or not len(others.places):
            return self if len(self.places) else others
        vectors = np.concatenate([self.vectors, others.vectors])
        return Windows(vectors, np.concatenate([self.places, others.places]))


class KeptVectors:
    """At most so many vectors of one model; those that were kept first go first.

    The rows of a record stand together. Which are whose is looked up in their sorted numbers: of some hundred records
    in a fifth of the time that a dictionary takes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._owners = np.full(most, _NOBODY, np.int64)  # the record of each row
        self._rows: Vectors = np.zeros((0, 0), np.float32)
        self._next = 0
        self._sorted: tuple[Ints, Ints] | None = None  # the owners, ascending, and their rows; None after a change

    def __len__(self) -> int:
        """Return the number of records."""
        return len(np.unique(self._owners[self._owners != _NOBODY]))

    def find(self, ids: Ints) -> tuple[Windows, Ints]:
        """Return the vectors of records, as a copy, and those of the records that are not kept."""
        rows, counts = self._rows_of(ids)
        return Windows(self._rows[rows], np.repeat(np.arange(len(ids)), counts)), ids[counts == 0]

    def keep(self, ids: Ints, windows: Windows) -> None:
        """Keep the vectors of records; one of more windows than there is room for is not kept."""
        if not len(windows.places):
            return
        if not len(self._rows):
            self._rows = np.zeros((self._most, windows.vectors.shape[1]), np.float32)
        owners = ids[windows.places]
        self.forget(owners.tolist())
        ends = np.flatnonzero(np.diff(owners, append=_NOBODY)) + 1  # a record's rows are not parted
        done = 0
        while done < len(owners):
            last = ends[np.searchsorted(ends, done + self._most - self._next, side="right") - 1]
            if done < last <= done + self._most - self._next:
                self._put(owners[done:last], windows.vectors[done:last])
                done = int(last)
            elif (end := int(ends[np.searchsorted(ends, done, side="right")])) - done > self._most:
                done = end
            else:
                self._next = 0

    def _put(self, owners: Ints, vectors: Vectors) -> None:
        """Write the next rows; what they are taken from loses those behind them too."""
        first, last = self._next, self._next + len(owners)
        cut = self._owners[last - 1]
        behind = self._owners[last:]
        behind[behind == cut] = _NOBODY
        self._rows[first:last] = vectors
        self._owners[first:last] = owners
        self._next, self._sorted = last, None

    def forget(self, records: Iterable[int]) -> None:
        """Drop records; unknown ones are ignored."""
        rows, _ = self._rows_of(np.array(list(records), np.int64))
        if len(rows):
            self._owners[rows] = _NOBODY
            self._sorted = None

    def _rows_of(self, ids: Ints) -> tuple[Ints, Ints]:
        """Return the rows of records, one after the other, and how many each has."""
        if self._sorted is None:
            places = np.sort(self._owners * self._most + np.arange(self._most))  # those of one owner by row
            self._sorted = places // self._most, places % self._most
        owners, rows = self._sorted
        first = owners.searchsorted(ids)
        counts = owners.searchsorted(ids, side="right") - first
        at = np.repeat(first - np.cumsum(counts) + counts, counts)
        return rows[at + np.arange(len(at))], counts


_NOBODY = -1
