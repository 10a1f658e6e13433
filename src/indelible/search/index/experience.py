"""The in-memory index of solutions and failures: the exact vector of each one's subject, and the sort keys.

Unlike recall, which takes the nearest by their codes and rescores them, a look-up of solutions counts all that reach
a similarity. So each vector is compared: 0.6 ms and 15 MB for 10,000 of 384 dimensions. Like postings and codes this is
a cache of rows.
"""

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.search.index.slots import Column, Group, Ints, Mask
from indelible.search.index.vectors import unpack

T = TypeVar("T")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Known:
    """The entry of a solution or failure.

    `vector` are the float16 values of its first window, which for a solution begins its problem, None where it is not
    embedded; `stack` is the fingerprint of its repository as JSON, "" where there is none.
    """

    record: int
    group: Group
    created: int
    score: float
    stack: str
    vector: bytes | None


class Experience:
    """A row for each solution and failure; rows of deleted ones are used again."""

    def __init__(self, dimensions: int = 0) -> None:
        self.dimensions = dimensions
        self.groups: list[Group] = []  # by the number in `group`
        self.stacks: list[str] = []  # by the number in `stack`
        self._group_numbers: dict[Group, int] = {}
        self._stack_numbers: dict[str, int] = {}
        self._row_of: dict[int, int] = {}
        self._free: list[int] = []
        self._records, self._created = Column(np.int64), Column(np.int64)
        self._scores = Column(np.float64)
        self._group, self._stack = Column(np.uint32), Column(np.uint32)
        self._alive, self._embedded = Column(np.bool_), Column(np.bool_)
        self._vectors = Column(np.float32, rows=dimensions)

    def within(self, namespaces: Collection[str]) -> "Experience":
        """Return the same rows with only those of some namespaces living. Valid until anything is added or removed."""
        view = copy(self)
        allowed = np.array([namespace in namespaces for namespace, _, _ in self.groups], np.bool_)
        view._alive = Column(np.bool_)
        view._alive.extend(self._alive.values & allowed[self._group.values] if self.groups else self._alive.values)
        return view

    def put_many(self, entries: Sequence[Known]) -> None:
        """Add or replace records; each record at most once in `entries`."""
        if not entries:
            return
        rows = np.array([self._row(entry.record) for entry in entries], np.int64)
        self._grow(int(rows.max()) + 1)
        for column, values in (
            (self._records, [entry.record for entry in entries]),
            (self._created, [entry.created for entry in entries]),
            (self._scores, [entry.score for entry in entries]),
            (self._group, [_number(entry.group, self._group_numbers, self.groups) for entry in entries]),
            (self._stack, [_number(entry.stack, self._stack_numbers, self.stacks) for entry in entries]),
            (self._embedded, [entry.vector is not None for entry in entries]),
            (self._alive, [True] * len(entries)),
        ):
            column.values[rows] = values
        embedded = [i for i, entry in enumerate(entries) if entry.vector is not None]
        if embedded:
            self._vectors.values[:, rows[embedded]] = unpack([entries[i].vector or b"" for i in embedded]).T

    def add_block(self, body: bytes, stale: Iterable[int] = ()) -> None:
        """Raise ValueError: these rows are never sealed."""
        raise ValueError("solutions and failures are read by rows")

    def remove(self, record: int) -> None:
        """Remove a record; unknown ones are ignored."""
        row = self._row_of.pop(record, None)
        if row is not None:
            self._alive.values[row] = False
            self._free.append(row)

    def mask(self, kind: str, scope: str | None, without: Collection[Group]) -> Mask:
        """Return a mask of rows of a kind, of a scope if one is given, and of none of the groups `without`."""
        wanted = [
            own_kind == kind and scope in (None, own_scope) and (namespace, own_kind, own_scope) not in without
            for namespace, own_kind, own_scope in self.groups
        ]
        if not wanted:
            return np.zeros(0, np.bool_)
        return np.asarray(np.array(wanted, np.bool_)[self._group.values] & self._alive.values, np.bool_)

    def cosines(self, query: Floats) -> Floats:
        """Return the cosine of a unit query (dimensions,) with each row's vector; any value for rows without one."""
        # einsum: with `@` numpy's BLAS waits for threads on other cores, which may be busy
        return np.asarray(np.einsum("d,dn->n", query, self._vectors.values), np.float32)

    @property
    def records(self) -> Ints:
        """The record of each row."""
        return self._records.values

    @property
    def created(self) -> Ints:
        """When the record of each row was stored."""
        return self._created.values

    @property
    def scores(self) -> NDArray[np.float64]:
        """The reward score of each row."""
        return self._scores.values

    @property
    def group(self) -> NDArray[np.uint32]:
        """The number of each row's group in `groups`."""
        return self._group.values

    @property
    def stack(self) -> NDArray[np.uint32]:
        """The number of each row's fingerprint in `stacks`."""
        return self._stack.values

    @property
    def embedded(self) -> Mask:
        """A mask of the rows that have a vector."""
        return self._embedded.values

    def _row(self, record: int) -> int:
        row = self._row_of.get(record)
        if row is None:
            row = self._free.pop() if self._free else len(self._row_of)
            self._row_of[record] = row
        return row

    def _grow(self, rows: int) -> None:
        more = rows - len(self._records)
        if more <= 0:
            return
        for column in (
            self._records,
            self._created,
            self._scores,
            self._group,
            self._stack,
            self._alive,
            self._embedded,
        ):
            column.extend(np.zeros(more))
        self._vectors.extend(np.zeros((self.dimensions, more), np.float32))


def _number(value: T, numbers: dict[T, int], values: list[T]) -> int:
    number = numbers.get(value)
    if number is None:
        number = numbers[value] = len(values)
        values.append(value)
    return number
