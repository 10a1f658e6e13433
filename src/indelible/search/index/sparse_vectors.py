"""The index of callers' vectors in one process: exact cosines over inverted arrays, in double precision.

Entries stand in parts of up to 16,384. A part keeps, for each index that one of its vectors has, who has it and with
which weight; an index that at least half of them have is kept as a whole column instead. Arrays are never edited: an
entry that changed stands in a new part, its old place is dead, and small or half-dead parts are made into larger ones
(the log-structured merge of O'Neil et al., 1996). Weights that are single precision in truth, as most models give them,
are kept so; all that is computed of them is in double precision.
"""

import heapq
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass

LARGEST = 1 << 14  # entries of a part: their dot products (128 KB) stay in a core's own cache, a merge takes 0.1 s
DECIMALS = 12  # of a similarity: what two ways of rounding differ by must not decide who comes first
DENSE = 0.5  # share of a part's entries from which on an index is kept as a column
DIGIT = 16  # bits: the width that numpy sorts by counting

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Weights = NDArray[np.floating]  # in double precision, or in single where that is the same
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Entry:
    """The index entry of a record: `indices` are integers, distinct and ascending, `weights` none of them 0.

    `score` is the caller's feedback, `time` when it was memorized (microseconds since 1970).
    """

    record: int
    key: str
    score: float
    time: int
    indices: NDArray[np.integer]
    weights: Floats

    @classmethod
    def stored(cls, record: int, key: str, score: float, time: int, packed: tuple[bytes, bytes]) -> "Entry":
        """Return the entry of packed indices (4 or 8 bytes each) and weights (8 bytes), as they are; see `valid`."""
        indices, weights = packed
        width: np.dtype[Any] = np.dtype("<i8") if len(indices) == len(weights) else np.dtype("<u4")
        return cls(record, key, score, time, np.frombuffer(indices, width), np.frombuffer(weights, np.dtype("<f8")))


@dataclass(frozen=True, slots=True)
class Flat:
    """Postings in any order: the vector at `places[i]` has `weights[i]` at `indices[i]`.

    Millions of them are sorted at a time, so indices and places are as narrow as they can be.
    """

    indices: NDArray[np.integer]
    places: NDArray[np.uint16]
    weights: Weights


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The entries of a part by ascending record; `norms` are those of the scaled vectors."""

    records: Ints
    keys: list[str]
    scores: Floats
    times: Ints
    norms: Floats


class Part:
    """Some entries and their postings, sorted by index."""

    def __init__(self, table: Table, flat: Flat):
        self.table = table
        self.alive: Mask = np.ones(len(table.records), np.bool_)
        self.living = len(table.records)
        order = _by_index(flat.indices)
        indices = flat.indices[order]
        first = np.flatnonzero(np.concatenate([np.ones(min(1, len(indices)), np.bool_), indices[1:] != indices[:-1]]))
        counts = np.diff(np.append(first, len(indices)))
        self.indices: Ints = indices[first].astype(np.int64)
        dense = counts >= max(2.0, self.living * DENSE)
        flat = replace(flat, weights=_as_short(flat.weights))
        self.columns = {
            i: self._column(flat, order[first[i] : first[i] + counts[i]]) for i in np.flatnonzero(dense).tolist()
        }
        kept = order[~np.repeat(dense, counts)] if len(self.columns) else order
        self.offsets: Ints = np.concatenate([[0], np.cumsum(np.where(dense, 0, counts))]).astype(np.int64)
        self.places = flat.places[kept]
        self.weights = flat.weights[kept]

    def _column(self, flat: Flat, own: Ints) -> Weights:
        column: Weights = np.zeros(self.living, flat.weights.dtype)
        column[flat.places[own]] = flat.weights[own]
        return column

    def remove(self, record: int) -> bool:
        """Remove a record; whether it lived here."""
        at = int(np.searchsorted(self.table.records, record))
        if at == len(self.alive) or self.table.records[at] != record or not self.alive[at]:
            return False
        self.alive[at] = False
        self.living -= 1
        return True

    def flat(self) -> Flat:
        """Return all postings, those of dead entries too."""
        own = np.diff(self.offsets)
        known = _narrowed(self.indices)
        indices, places, weights = [np.repeat(known, own)], [self.places], [self.weights]
        for i, column in self.columns.items():
            there = np.flatnonzero(column).astype(np.uint16)
            indices.append(np.full(len(there), known[i]))
            places.append(there)
            weights.append(column[there])
        return Flat(np.concatenate(indices), np.concatenate(places), np.concatenate(weights))

    def similarities(self, indices: Ints, weights: Floats, norm: float) -> Floats:
        """The cosine of every entry, dead ones too, with a scaled query that is not 0.

        Products are added by ascending index, wherever an entry stands: equal vectors get equal bits.
        """
        dots: Floats = np.zeros(len(self.alive))
        at = np.minimum(np.searchsorted(self.indices, indices), max(0, len(self.indices) - 1))
        known = np.flatnonzero(self.indices[at] == indices) if len(self.indices) else np.zeros(0, np.int64)
        at = at[known]
        for i, low, high, weight in zip(
            at.tolist(),
            self.offsets[at].tolist(),
            self.offsets[at + 1].tolist(),
            weights[known].tolist(),
            strict=True,
        ):
            if low == high:
                dots += np.multiply(self.columns[i], weight, dtype=np.float64)
            else:
                places = self.places[low:high].astype(np.intp)  # numpy would cast them twice
                dots[places] += np.multiply(self.weights[low:high], weight, dtype=np.float64)
        norms = self.table.norms * norm
        cosines = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
        rounded: Floats = np.round(np.clip(cosines, -1, 1), DECIMALS) + 0.0  # no -0.0
        return rounded


class SparseVectors:
    """Every vector of a store, searched in its current state."""

    def __init__(self) -> None:
        self._parts: list[Part] = []

    @property
    def count(self) -> int:
        """Living entries."""
        return sum(part.living for part in self._parts)

    def put_many(self, entries: Sequence[Entry]) -> None:
        """Add entries, replacing those of their records. Fastest with many at once, by ascending record."""
        latest = {entry.record: entry for entry in entries}
        for record in latest:
            self.remove(record)
        ordered = [latest[record] for record in sorted(latest)]
        for at in range(0, len(ordered), LARGEST):
            self._parts.append(_part_of(ordered[at : at + LARGEST]))
            self._tidy()

    def remove(self, record: int) -> None:
        """Remove a record; unknown ones are ignored."""
        for at, part in enumerate(self._parts):
            if part.remove(record):
                if part.living * 2 < len(part.alive):
                    self._parts[at : at + 1] = [merged([part])] if part.living else []
                return

    def search(
        self, indices: Ints | Sequence[int], weights: Floats | Sequence[float], limit: int
    ) -> list[tuple[int, float]]:
        """(record, cosine) of the `limit` nearest entries, all where there are fewer; `indices` ascending.

        The order is by cosine, then score, newest, key. Cosines are rounded to 12 decimals, and 0 for a vector of
        zeros; there is no threshold.
        """
        if not self._parts or limit < 1:
            return []
        indices = np.asarray(indices, np.int64)
        scaled, norms = _scaled(np.asarray(weights, np.float64), np.array([0, len(weights)]))
        if norms[0] > 0:
            cosines = np.concatenate([part.similarities(indices, scaled, norms[0]) for part in self._parts])
        else:
            cosines = np.zeros(sum(len(part.alive) for part in self._parts))
        tables = [part.table for part in self._parts]
        scores = np.concatenate([table.scores for table in tables])
        times = np.concatenate([table.times for table in tables])
        keys = _Keys(tables)
        living = np.flatnonzero(np.concatenate([part.alive for part in self._parts]))
        best = _best(living, (cosines, scores, times), keys, limit)
        best.sort(key=lambda slot: (-cosines[slot], -scores[slot], -times[slot], keys[slot]))
        records = np.concatenate([table.records for table in tables])
        return list(zip(records[best].tolist(), cosines[best].tolist(), strict=True))

    def _tidy(self) -> None:
        """Merge the last parts while the later is at least half as large: few parts, each entry merged rarely."""
        parts = self._parts
        while len(parts) > 1:
            left, right = parts[-2].living, parts[-1].living
            if right * 2 < left or left + right > LARGEST:
                return
            parts[-2:] = [merged(parts[-2:])]


class _Keys:
    """The keys of all slots, the parts' one after the other."""

    def __init__(self, tables: Sequence[Table]):
        self._tables = tables
        self._ends = np.cumsum([len(table.keys) for table in tables])

    def __getitem__(self, slot: int) -> str:
        part = int(np.searchsorted(self._ends, slot, side="right"))
        keys = self._tables[part].keys
        return keys[slot - int(self._ends[part]) + len(keys)]


def merged(parts: Sequence[Part]) -> Part:
    """One part with the living entries of several."""
    tables = [part.table for part in parts]
    records = np.concatenate([table.records for table in tables])
    alive = np.concatenate([part.alive for part in parts])
    order = np.argsort(records, kind="stable")
    order = order[alive[order]]
    place = np.full(len(records), -1, np.int32)
    place[order] = np.arange(len(order))
    keys = [key for table in tables for key in table.keys]
    table = Table(
        records[order],
        [keys[slot] for slot in order.tolist()],
        np.concatenate([table.scores for table in tables])[order],
        np.concatenate([table.times for table in tables])[order],
        np.concatenate([table.norms for table in tables])[order],
    )
    flats = [part.flat() for part in parts]
    firsts = np.cumsum([0, *(len(part.alive) for part in parts)])
    places = np.concatenate([place[first:][flat.places] for flat, first in zip(flats, firsts.tolist(), strict=False)])
    kept = places >= 0
    indices = np.concatenate([flat.indices for flat in flats])[kept]
    weights = np.concatenate([flat.weights for flat in flats])[kept]
    return Part(table, Flat(indices, places[kept].astype(np.uint16), weights))


def _part_of(entries: Sequence[Entry]) -> Part:
    """A part of up to 16,384 entries by ascending record."""
    sizes = [len(entry.indices) for entry in entries]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    weights, norms = _scaled(np.concatenate([entry.weights for entry in entries]), offsets)
    table = Table(
        np.array([entry.record for entry in entries], np.int64),
        [entry.key for entry in entries],
        np.array([entry.score for entry in entries], np.float64),
        np.array([entry.time for entry in entries], np.int64),
        norms,
    )
    indices = _narrowed(np.concatenate([entry.indices for entry in entries]))
    return Part(table, Flat(indices, np.repeat(np.arange(len(entries), dtype=np.uint16), sizes), weights))


def valid(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return entries of which each vector that is not as `Entry` says is one of zeros: imports and disks bring them.

    The same check as in `core/indexes/vector_format`, of many at once.
    """
    if _are_valid(entries):
        return entries
    return [
        each if _are_valid([each]) else replace(each, indices=each.indices[:0], weights=each.weights[:0])
        for each in entries
    ]


def _are_valid(entries: Sequence[Entry]) -> bool:
    if not entries:
        return True
    weights = np.concatenate([entry.weights for entry in entries])
    indices = np.concatenate([entry.indices for entry in entries])
    sizes = np.array([len(entry.indices) for entry in entries])
    ascending = np.ones(len(indices), np.bool_)
    ascending[1:] = indices[1:] > indices[:-1]
    ascending[(np.cumsum(sizes) - sizes)[sizes > 0]] = True  # where another vector begins
    return bool(ascending.all() and (indices >= 0).all() and np.isfinite(weights).all() and weights.all())


def _as_short(weights: Weights) -> Weights:
    """The weights in single precision if all of them are that, else as they are."""
    with np.errstate(over="ignore"):
        single = weights.astype(np.float32)
    return single if np.array_equal(single, weights) else weights


def _narrowed(indices: NDArray[np.integer]) -> NDArray[np.integer]:
    fit = not len(indices) or int(indices.max()) < 1 << 32
    return indices.astype(np.uint32, copy=False) if fit else indices.astype(np.int64, copy=False)


def _scaled(weights: Floats, offsets: Ints) -> tuple[Floats, Floats]:
    """Vectors, those between two offsets each, brought near length 1, and their norms then (0 where one is empty).

    They are multiplied by powers of two, which rounds nothing, so that no product of weights leaves the doubles' range.
    """
    sizes = np.diff(offsets)
    own = np.flatnonzero(sizes)
    norms: Floats = np.zeros(len(sizes))
    if not len(own):
        return weights, norms
    starts = offsets[own]
    _, exponents = np.frexp(np.maximum.reduceat(np.abs(weights), starts))
    scaled: Floats = np.ldexp(weights, -np.repeat(exponents, sizes[own]))
    norms[own] = np.sqrt(np.add.reduceat(scaled * scaled, starts))
    return scaled, norms


def _by_index(indices: NDArray[np.integer]) -> Ints:
    """The order of ascending indices, sorted digit by digit: far faster than comparing, whatever the indices."""
    order: Ints = np.arange(len(indices))
    bits = int(indices.max()).bit_length() if len(indices) else 0
    for shift in range(0, bits, DIGIT):
        digits = (indices[order] >> shift).astype(np.uint16)
        order = order[np.argsort(digits, kind="stable")]
    return order


def _best(slots: Ints, ranks: Sequence[NDArray[np.generic]], keys: _Keys, wanted: int) -> list[int]:
    """The `wanted` first of the slots, in no order: highest in the first rank, ties by the next, then by lowest key."""
    sure: list[int] = []
    for rank in ranks:
        if len(slots) <= wanted - len(sure):
            break
        own = rank[slots]
        last = np.partition(own, len(own) - (wanted - len(sure)))[len(own) - (wanted - len(sure))]
        sure += slots[own > last].tolist()
        slots = slots[own == last]
    return sure + heapq.nsmallest(wanted - len(sure), slots.tolist(), key=keys.__getitem__)
