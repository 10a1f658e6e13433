"""The dense vectors of one process: two bits a dimension, whose signs are scanned whole under a mask of filters.

The signs find a pool, both bits find the nearest of it; the caller rescores these with the vectors of the store. Like
the postings this is a cache of rows. A text of several windows has several vectors, each in a slot of its own.
"""

from collections.abc import Iterable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.search.index.slots import Column, Group, Ints, Mask, Slots, lowest, pack_arrays, unpack_arrays

WORD = 64  # bits
# With these 0.995 to 0.999 of the ten nearest were among the 200 found, in 10,000 to 1,000,000 made-up vectors.
POOL = 4  # times the vectors asked for are taken by their signs, to be ordered by both bits; at least ...
POOL_FACTOR, POOL_POWER = 1.3, 0.7  # ... 1.3 times this power of those that pass: in a crowd signs alone tell less
NARROWED = 16  # times the vectors asked for are taken of the pool by their signs and the query's values
LARGE = 3.0  # a value above the mean of its vector's magnitudes, if the others are 1
LEVELS = 31  # of a query's values in the estimate, so that its sums are exact and ties are ties on every machine
DIGITS = np.array([1, 2, 4, 8, 16, -32], np.float32)  # what each binary digit of these stands for, in two's complement
SLICE = 1 << 14  # slots that are scanned at a time: what a step writes stays in the fastest caches
SPARSE = 0.05  # share of the slots up to which those under the mask are gathered before they are compared
FARTHEST = np.iinfo(np.uint16).max

Codes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Coded:
    """The index entry of a record: `codes` are those of its vectors in order, (views, bytes) of `codes_of`."""

    record: int
    namespace: str
    kind: str
    type: str
    codes: Codes

    @property
    def group(self) -> Group:
        """The fields that filters test."""
        return self.namespace, self.kind, self.type


def width(dimensions: int) -> int:
    """Bytes of a code: 16 for each 64 dimensions begun."""
    return -(-dimensions // WORD) * 16


def codes_of(dense: Floats) -> Codes:
    """The codes of (n, d) vectors, (n, `width(d)`), two bits a value.

    Bit j of the first half tells whether value j is above 0, that of the second half whether its magnitude is above the
    mean one of its vector; the rest of each half is zeros.
    """
    size = width(dense.shape[1]) // 2
    large = np.abs(dense) > np.abs(dense).mean(axis=1, keepdims=True)
    return np.concatenate((_packed(dense > 0, size), _packed(large, size)), axis=1)


def _packed(is_one: NDArray[np.bool_], size: int) -> Codes:
    """Return rows of bits as rows of so many bytes, filled up with zeros."""
    bits = np.packbits(is_one, axis=1)
    if bits.shape[1] == size:
        return bits
    packed = np.zeros((len(bits), size), np.uint8)
    packed[:, : bits.shape[1]] = bits
    return packed


def pack_codes_block(entries: Sequence[Coded]) -> bytes:
    """Return a sealed block: the codes of the entries (by ascending record) and their groups."""
    repeated = [entry for entry in entries for _ in range(len(entry.codes))]
    words = _words([entry.codes for entry in entries])
    return pack_arrays([e.record for e in repeated], [e.group for e in repeated], {"codes": words.reshape(-1)})


def _words(codes: Sequence[Codes]) -> Words:
    """Return codes as (words, n), all first words, then all second ones: each step of a scan reads one run."""
    if not codes:
        return np.zeros((0, 0), "<u8")
    return np.ascontiguousarray(np.ascontiguousarray(np.concatenate(codes)).view("<u8").T)


class VectorIndex:
    """The codes of the vectors of one partition, of one model: all have the same number of dimensions."""

    def __init__(self, dimensions: int) -> None:
        if not 0 < dimensions < FARTHEST:
            raise ValueError(f"`dimensions` is {dimensions}, it must be between 1 and {FARTHEST - 1}")
        self.dimensions = dimensions
        self.slots = Slots()
        self._codes = Column("<u8", rows=width(dimensions) // 8)

    def within(self, namespaces: Iterable[str]) -> "VectorIndex":
        """Return the same index with the records of some namespaces only. Valid until anything is added or removed."""
        view = copy(self)
        view.slots = self.slots.within(namespaces)
        return view

    def put_many(self, entries: Sequence[Coded]) -> None:
        """Add or replace records; each record at most once in `entries`.

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
        """Add a sealed block without its records that changed since.

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
        """Remove a record; unknown ones are ignored."""
        self.slots.remove(record)

    def search(self, query: Floats, mask: Mask) -> "Nearest":
        """Return what searches for the vectors under the mask that are nearest to a query.

        Raises ValueError for a query of other dimensions.
        """
        if query.shape != (self.dimensions,):
            raise ValueError(f"`query` has the shape {query.shape}, this index takes ({self.dimensions},)")
        return Nearest(self._codes.values, query, mask)

    def nearest(self, query: Floats, mask: Mask, count: int) -> Ints:
        """Return the `count` slots that `search` gives first."""
        return self.search(query, mask).best(count)


class Nearest:
    """One query over the codes of an index under a mask. Asked for more, it compares no code by its signs again."""

    def __init__(self, codes: Words, query: Floats, mask: Mask) -> None:
        self._codes, self._mask = codes, mask
        words = len(codes) // 2
        self._signs = _packed(query[np.newaxis] > 0, words * WORD // 8).view("<u8")[0]
        self._estimate = _Estimate(query, words)
        self._passing = int(np.count_nonzero(mask))
        # The slots that are compared, None for all, and in how many signs each differs from the query.
        self._compared: tuple[Ints | None, NDArray[np.uint16]] | None = None

    def best(self, count: int) -> Ints:
        """The `count` slots that are nearest by their codes, nearest first; fewer where fewer pass.

        Of a pool (see `pool_size`) whose signs differ from the query's in the fewest places, at most 16 x `count` are
        left by their signs and the query's values, and of these `count` by both bits: see `_Estimate`. Ties go to the
        lower slot.
        """
        count = min(count, self._passing)
        if count <= 0:
            return np.zeros(0, np.int64)
        if self._compared is None:
            self._compared = self._scan()
        slots, apart = self._compared
        pool = lowest(apart, min(pool_size(count, self._passing), self._passing))  # so none that is masked
        if slots is not None:
            pool = slots[pool]
        of_signs, of_sizes = self._codes[: len(self._signs)], self._codes[len(self._signs) :]
        signs = _columns(of_signs, pool)
        by_signs = self._estimate.summed(signs)
        if len(pool) > NARROWED * count:
            highest = lowest(-by_signs, NARROWED * count)
            pool, signs, by_signs = pool[highest], _columns(signs, highest), by_signs[highest]
        finer = self._estimate.finer(signs, _columns(of_sizes, pool), by_signs)
        return pool[_highest(finer, count)]

    def _scan(self) -> tuple[Ints | None, NDArray[np.uint16]]:
        """Return the passing slots (ascending) where these are few, else None for all, and the distance of each.

        Masked slots among all are farthest.
        """
        codes, code, mask = self._codes[: len(self._signs)], self._signs, self._mask
        if self._passing <= SPARSE * len(mask):
            slots = np.flatnonzero(mask)
            near = [distances(codes[:, slots[at : at + SLICE]], code) for at in range(0, len(slots), SLICE)]
            return slots, np.concatenate(near)
        apart = np.full(len(mask), FARTHEST, np.uint16)
        for at in range(0, len(mask), SLICE):
            here = mask[at : at + SLICE]
            if here.any():
                own = distances(codes[:, at : at + SLICE], code)
                own |= np.subtract(here, 1, dtype=np.uint16)  # masked slots become FARTHEST
                apart[at : at + SLICE] = own
        return None, apart


def _columns(codes: Words, places: Ints) -> Words:
    """Return the codes of some places, each row in one run: indexing all rows at once would turn them round."""
    return np.array([row[places] for row in codes])


def distances(codes: Words, code: Words) -> NDArray[np.uint16]:
    """Return in how many bits each of (words, n) codes differs from one of (words,)."""
    total = np.zeros(codes.shape[1], np.uint16)
    for row, word in zip(codes, code, strict=True):
        total += np.bitwise_count(row ^ word)
    return total


def pool_size(count: int, passing: int) -> int:
    """Return how many of the passing slots are taken by their signs, where `count` are asked for."""
    return max(POOL * count, int(POOL_FACTOR * passing**POOL_POWER))


class _Estimate:
    """A query in 31 levels, for estimates of its cosines with vectors by their codes.

    All sums are of whole numbers, and exact. With 255 levels no more of the ten nearest were found (of 50,000 vectors
    0.9925 with either).
    """

    def __init__(self, query: Floats, words: int) -> None:
        values = np.zeros(words * WORD, np.int16)
        values[: len(query)] = np.rint(query * (LEVELS / max(float(np.abs(query).max()), 1e-30)))
        digits = (values >> np.arange(len(DIGITS), dtype=np.int16)[:, np.newaxis]) & 1
        self._planes = _packed(digits.astype(np.bool_), words * WORD // 8).view("<u8")  # (digits, words)
        self._total = np.float32(values.sum())
        self._dimensions = len(query)

    def summed(self, bits: Words) -> Floats:
        """Return for each of (words, n) signs the sum of the query's values where it has ones.

        It grows with the expected cosine of a vector with these signs (as in asymmetric hashing, Gordo et al., 2014).
        """
        counts = np.bitwise_count(bits & self._planes[:, :, np.newaxis]).sum(axis=1, dtype=np.uint16)
        sums: Floats = np.einsum("i,ij->j", DIGITS, counts.astype(np.float32))
        return sums

    def finer(self, signs: Words, large: Words, by_signs: Floats) -> Floats:
        """Return for each of (words, n) codes the cosine of the query with a vector of 1, -1, 3 or -3 by its two bits.

        In a unit of its own. `large` has the second bits, `by_signs` is what `summed` gives for the signs.
        """
        both = self.summed(np.concatenate((signs & large, large), axis=1))
        signed, extra = 2 * by_signs - self._total, 2 * both[: len(by_signs)] - both[len(by_signs) :]
        squares = self._dimensions + (LARGE**2 - 1) * np.bitwise_count(large).sum(axis=0, dtype=np.float32)
        cosines: Floats = (signed + np.float32(LARGE - 1) * extra) / np.sqrt(squares, dtype=np.float32)
        return cosines


def _highest(values: Floats, count: int) -> Ints:
    """Where the `count` highest are, highest first; ties go to the lower place."""
    places = lowest(-values, count)  # to sort all 3,200 for the best 200 takes eight times as long
    return places[np.argsort(-values[places], kind="stable")]
