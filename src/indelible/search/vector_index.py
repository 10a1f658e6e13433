"""The dense vectors of one process: a sign bit a dimension, scanned whole under a mask of filters.

The bits find candidates; whoever asks rescores these with the vectors of the store. Like the postings this is a cache
of rows. A text of several windows has several vectors, each in a slot of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from indelible.search.slots import SLICE, Column, Group, Ints, Lowest, Mask, Slots, pack_arrays, unpack_arrays

WORD = 64  # bits
POOL = 4  # times the slots asked for: as many are taken by differing bits, to be ordered by the estimate ...
POOL_SHARE = 200  # ... or one of so many that pass, where that is more: in a crowd the bits alone tell less
LEVELS = 255  # of a query's values in the estimate, so that its sums are exact and ties are ties on every machine
SPARSE = 0.05  # share of the slots up to which those under the mask are gathered before they are compared
FARTHEST = np.iinfo(np.uint16).max

Codes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Coded:
    """What the index keeps of a record: `codes` are those of its vectors in order, (views, bytes) of `sign_code`."""

    record: int
    namespace: str
    kind: str
    type: str
    codes: Codes

    @property
    def group(self) -> Group:
        """What filters look at."""
        return self.namespace, self.kind, self.type


def width(dimensions: int) -> int:
    """Bytes of a code: 8 for each 64 dimensions begun."""
    return -(-dimensions // WORD) * 8


def sign_code(dense: Floats) -> Codes:
    """The codes of (n, d) vectors, (n, `width(d)`): bit j tells whether value j is above 0, the rest is zeros."""
    codes = np.zeros((len(dense), width(dense.shape[1])), np.uint8)
    bits = np.packbits(dense > 0, axis=1)
    codes[:, : bits.shape[1]] = bits
    return codes


def pack_codes_block(entries: Sequence[Coded]) -> bytes:
    """A sealed block: the codes of the entries (by ascending record) and what filters need of them."""
    repeated = [entry for entry in entries for _ in range(len(entry.codes))]
    words = _words([entry.codes for entry in entries])
    return pack_arrays([e.record for e in repeated], [e.group for e in repeated], {"codes": words.reshape(-1)})


def _words(codes: Sequence[Codes]) -> Words:
    """Codes as (words, n): the first words of all, then the second ones. So each step of a scan reads one run."""
    if not codes:
        return np.zeros((0, 0), "<u8")
    return np.ascontiguousarray(np.ascontiguousarray(np.concatenate(codes)).view("<u8").T)


class VectorIndex:
    """The sign codes of the vectors of one partition, of one model: all have the same number of dimensions."""

    def __init__(self, dimensions: int) -> None:
        if not 0 < dimensions < FARTHEST:
            raise ValueError(f"`dimensions` is {dimensions}, it must be between 1 and {FARTHEST - 1}")
        self.dimensions = dimensions
        self.slots = Slots()
        self._codes = Column("<u8", rows=width(dimensions) // 8)

    def put_many(self, entries: Sequence[Coded]) -> None:
        """Add records, or replace what is here of them; each record at most once in `entries`.

        Raises ValueError, and changes nothing, where a code is not of this index's dimensions.
        """
        for entry in entries:
            if entry.codes.ndim != 2 or entry.codes.shape[1] != width(self.dimensions):
                raise ValueError(
                    f"the codes of record {entry.record} have the shape {entry.codes.shape}, "
                    f"{self.dimensions} dimensions need (views, {width(self.dimensions)}); use the index of their model"
                )
        for entry in entries:
            self.slots.remove(entry.record)
        views = [entry for entry in entries for _ in range(len(entry.codes))]
        if views:
            self.slots.add([entry.record for entry in views], [entry.group for entry in views])
            self._codes.extend(_words([entry.codes for entry in entries]))

    def add_block(self, body: bytes, stale: Iterable[int] = ()) -> None:
        """Take in a sealed block, without the records of it that changed since.

        Raises ValueError for a damaged block and for one of other dimensions.
        """
        arrays, names = unpack_arrays(body)
        records, codes = arrays["records"], arrays["codes"]
        if len(codes) != len(records) * width(self.dimensions) // 8:
            raise ValueError(
                f"a sealed block has {len(codes)} words for {len(records)} vectors, {self.dimensions} dimensions need "
                f"{width(self.dimensions) // 8} a vector; seal it again"
            )
        self.slots.add_block(records, arrays["groups"], names)
        if len(records):
            self._codes.extend(codes.reshape(-1, len(records)))
        for record in stale:
            self.remove(record)

    def remove(self, record: int) -> None:
        """Forget a record; unknown ones are fine."""
        self.slots.remove(record)

    def nearest(self, query: Floats, mask: Mask, count: int) -> Ints:
        """The `count` slots under the mask that are nearest by their codes, nearest first; fewer where it passes fewer.

        Of the 4 x `count` (or a 200th of those that pass, where that is more) whose codes differ from the query's in
        the fewest bits, those with the highest `estimates` are taken: the query's values tell more than their signs.
        Ties go to fewer bits, then to the lower slot.
        Raises ValueError for a query of other dimensions.
        """
        if query.shape != (self.dimensions,):
            raise ValueError(f"`query` has the shape {query.shape}, this index takes ({self.dimensions},)")
        passing = int(np.count_nonzero(mask))
        count = min(count, passing)
        if count <= 0:
            return np.zeros(0, np.int64)
        code = sign_code(query[np.newaxis]).view("<u8")[0]
        best = Lowest(max(POOL * count, passing // POOL_SHARE), FARTHEST)
        for slots, distances in self._scan(code, mask, passing <= SPARSE * len(mask)):
            best.offer(slots, distances)
        pool, _ = best.found()
        codes = self._codes.values[:, pool]  # `take` would copy all codes, which stand in a part of a larger array
        order = np.argsort(-estimates(codes, query), kind="stable")
        return pool[order[:count]]

    def _scan(self, code: Words, mask: Mask, sparse: bool) -> Iterator[tuple[Ints, NDArray[np.uint16]]]:
        """Slots, a slice at a time and ascending, with their distances; what the mask stops is farthest or left out."""
        codes = self._codes.values
        if sparse:
            passing = np.flatnonzero(mask)
            for at in range(0, len(passing), SLICE):
                slots = passing[at : at + SLICE]
                yield slots, distances(codes[:, slots], code)
            return
        for first in range(0, len(mask), SLICE):
            here = mask[first : first + SLICE]
            if here.any():
                own = distances(codes[:, first : first + SLICE], code)
                own |= np.subtract(here, 1, dtype=np.uint16)  # what the mask stops becomes FARTHEST
                yield np.arange(first, first + len(here)), own


def distances(codes: Words, code: Words) -> NDArray[np.uint16]:
    """In how many bits each of (words, n) codes differs from one of (words,)."""
    total = np.zeros(codes.shape[1], np.uint16)
    for row, word in zip(codes, code, strict=True):
        total += np.bitwise_count(row ^ word)
    return total


def estimates(codes: Words, query: Floats) -> Floats:
    """Of each of (words, n) codes: the sum of the query's values where it has ones, the query in 255 levels.

    It grows with the expected cosine of a vector with these signs (as in asymmetric hashing, Gordo et al., 2014).
    """
    values = np.zeros(len(codes) * WORD, np.float32)
    values[: len(query)] = np.rint(query * (LEVELS / max(float(np.abs(query).max()), 1e-30)))
    ones = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1)
    sums = values.reshape(-1, 8) @ ones.T.astype(np.float32)  # (bytes, 256): what a byte of the code adds
    octets = np.ascontiguousarray(codes.T).view(np.uint8).T
    total = np.zeros(codes.shape[1], np.float32)
    for table, own in zip(sums, octets, strict=True):
        total += table.take(own)
    return total
