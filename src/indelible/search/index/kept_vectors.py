"""The vectors of some records, unpacked: those read last, in a ring of rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from indelible.search.index.slots import Ints
from indelible.search.index.vectors import unpack

Vectors = NDArray[np.float32]


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

    def with_more(self, others: "Windows") -> "Windows":
        """Return these and those of other records of the same question."""
        if not len(self.places) or not len(others.places):
            return self if len(self.places) else others
        vectors = np.concatenate([self.vectors, others.vectors])
        return Windows(vectors, np.concatenate([self.places, others.places]))


class KeptVectors:
    """At most so many vectors of one model; those that were kept first go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._first_of: dict[int, int] = {}  # by record: the first of its rows
        self._owners: list[int | None] = [None] * most  # of each row
        self._counts = np.zeros(most, np.int64)  # of a record's rows, at the first of them
        self._rows: Vectors = np.zeros((0, 0), np.float32)
        self._next = 0

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self._first_of)

    def find(self, ids: Ints) -> tuple[Windows, Ints]:
        """Return the vectors of records, as a copy, and those of the records that are not kept."""
        first = np.fromiter(map(self._first_of.get, ids.tolist(), repeat(-1)), np.int64, len(ids))
        places = np.flatnonzero(first >= 0)
        rows = first[places]
        counts = self._counts[rows]
        if (counts > 1).any():
            places = np.repeat(places, counts)
            rows = np.repeat(rows - np.cumsum(counts) + counts, counts) + np.arange(len(places))
        return Windows(self._rows[rows], places), ids[first < 0]

    def keep(self, ids: Ints, windows: Windows) -> None:
        """Keep the vectors of records; one of more windows than there is room for is not kept."""
        if not len(windows.places):
            return
        if not len(self._rows):
            self._rows = np.zeros((self._most, windows.vectors.shape[1]), np.float32)
        starts = np.flatnonzero(np.diff(windows.places, prepend=-1))
        if len(starts) == len(windows.places):  # most texts have one window
            self._put_each(ids[windows.places].tolist(), windows.vectors)
            return
        ends = np.append(starts[1:], len(windows.places))
        for record, start, end in zip(
            ids[windows.places[starts]].tolist(), starts.tolist(), ends.tolist(), strict=True
        ):
            if end - start <= self._most:
                self._put(record, windows.vectors[start:end])

    def _put_each(self, records: Sequence[int], vectors: Vectors) -> None:
        """Keep records of one vector each, as many together as stand in the ring's next rows."""
        done = 0
        while done < len(records):
            first = self._next if self._next < self._most else 0
            part = records[done : done + self._most - first]
            last = first + len(part)
            self.forget(owner for owner in self._owners[first:last] if owner is not None)
            self._rows[first:last] = vectors[done : done + len(part)]
            self._counts[first:last] = 1
            self._owners[first:last] = part
            self._first_of.update(zip(part, range(first, last), strict=True))
            self._next = last
            done += len(part)

    def _put(self, record: int, vectors: Vectors) -> None:
        first = self._next if self._next + len(vectors) <= self._most else 0
        last = first + len(vectors)
        self.forget([record])
        self.forget(owner for owner in self._owners[first:last] if owner is not None)
        self._rows[first:last] = vectors
        self._counts[first] = len(vectors)
        self._owners[first:last] = [record] * len(vectors)
        self._first_of[record] = first
        self._next = last

    def forget(self, records: Iterable[int]) -> None:
        """Drop records; unknown ones are ignored."""
        for record in records:
            self._first_of.pop(record, None)
