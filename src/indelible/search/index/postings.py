"""The inverted index of one process: exact BM25 and exact dot products under a mask of filters, over arrays.

One class for two partitions: words with their counts, and the terms of the sparse model with their weights in 8 bits.
Sealed arrays are never edited: a changed record gets a new slot. The index is a cache of the `terms` rows of the store
and can be built again from them at any moment.
"""

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.search.index.entries import WEIGHT_STEP, Counts, Entry, Floats, unpack_terms
from indelible.search.index.slots import Column, Group, Ints, Mask, Slots, best_of, pack_arrays, unpack_arrays

BLOCK = 1 << 16  # record ids a block: a posting's place in its block fits two bytes
K1, B = 1.2, 0.55  # BM25 (Robertson and Zaragoza, 2009); tuned on the data of bench/, see docs/benchmarks.md
COMMON = 0.05  # share of the records from which on a term is only looked up for candidates that rarer terms found
CANDIDATES = 4096  # best so far that common terms are added to
SMALLEST = 20  # records from which on it is counted how rare a word is; in fewer any word is in a large share of them
FEW = 256  # records that are added one by one; more make a segment at once
LARGEST_MERGED = BLOCK // 4  # slots of a merged segment, so that no merge takes a processor for long
MOST_PARTS = 48  # segments, from which on adding one merges at once those not merged in the background yet
LONG_TAIL, LONGEST_TAIL = 256, 4096  # slots, with which the tail becomes a segment in the background, and at once

Places = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Segment:
    """Postings sorted by term: those of `terms[i]` are `places` and `counts` from `offsets[i]` to `offsets[i + 1]`.

    A place counts from the segment's first slot. Three bytes a posting.
    """

    terms: NDArray[np.uint32]
    offsets: NDArray[np.uint32]
    places: NDArray[np.uint16]
    counts: NDArray[np.uint8]

    def postings(self, terms: NDArray[np.uint32]) -> Iterator[tuple[int, Places, Counts]]:
        """Yield of each of these terms that is here its place among them, its places (ascending) and its counts."""
        if not len(self.terms):
            return
        at = self.terms.searchsorted(terms)
        here = np.flatnonzero(self.terms.take(at, mode="clip") == terms)
        at = at[here]
        starts, ends = self.offsets[at].tolist(), self.offsets[at + 1].tolist()
        for each, start, end in zip(here.tolist(), starts, ends, strict=True):
            yield each, self.places[start:end], self.counts[start:end]


class Piece(NamedTuple):
    """One term in one part of the index, whose first slot is `first`: places (ascending, from there) and counts."""

    first: int
    places: Places
    counts: Counts

    @property
    def last(self) -> int:
        """The last slot that has the term."""
        return self.first + int(self.places[-1])


class TermPostings(NamedTuple):
    """One term over the whole index: its pieces by first slot, how many slots they have, and its weight (idf).

    The pieces are views: reading a term costs nothing for each slot that has it.
    """

    pieces: Sequence[Piece]
    frequency: int
    idf: float

    @property
    def slots(self) -> Ints:
        """The slots that have the term, ascending; made anew at each use."""
        slots = [piece.places.astype(np.int64) + piece.first for piece in self.pieces]
        return np.concatenate(slots) if slots else np.zeros(0, np.int64)

    def slots_from(self, first: int) -> Ints:
        """The slots from `first` on that have the term, ascending, counted from there."""
        found = []
        for piece in self.pieces:
            if piece.last >= first:
                slots = piece.places.astype(np.int64) + (piece.first - first)
                found.append(slots[slots.searchsorted(0) :])
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def has(self, ascending: Ints) -> Mask:
        """Return a mask of the slots (ascending) that have the term."""
        found = np.zeros(len(ascending), np.bool_)
        for piece, low, high in self._within(ascending):
            local = (ascending[low:high] - piece.first).astype(np.uint16)
            found[low:high] = piece.places[piece.places.searchsorted(local)] == local
        return found

    def _within(self, ascending: Ints) -> Iterator[tuple[Piece, int, int]]:
        """Yield the pieces that may have some of the slots (ascending), and the range of these."""
        for piece in self.pieces:
            low, high = int(ascending.searchsorted(piece.first)), int(ascending.searchsorted(piece.last, side="right"))
            if low < high:
                yield piece, low, high

    def at(self, slots: Ints) -> tuple[Mask, Counts]:
        """Return a mask of the slots that have the term, and their counts; fastest where `slots` ascend."""
        order = np.argsort(slots, kind="stable")
        ascending = slots[order]
        found, counts = np.zeros(len(slots), np.bool_), np.zeros(len(slots), np.uint8)
        for piece, low, high in self._within(ascending):
            local = (ascending[low:high] - piece.first).astype(np.uint16)
            places = piece.places.searchsorted(local)
            found[order[low:high]] = piece.places[places] == local
            counts[order[low:high]] = piece.counts[places]
        return found, counts[found]


def idf(frequency: int, count: int) -> float:
    """Return the inverse document frequency of a term that so many of `count` records have; see `Postings`."""
    count = max(count, SMALLEST)
    return math.log1p((count - frequency + 0.5) / (frequency + 0.5))


def build_segment(entries: Sequence[Entry]) -> Segment:
    """The segment of up to 65,536 entries, the place of each being its index."""
    bodies = [(e.packed, len(e.packed) // 5) for e in entries]
    terms = np.frombuffer(b"".join([body[: 4 * count] for body, count in bodies]), "<u4")
    counts = np.frombuffer(b"".join([body[4 * count : 5 * count] for body, count in bodies]), np.uint8)
    places = np.repeat(np.arange(len(entries), dtype=np.uint16), [count for _, count in bodies])
    order = np.argsort(terms, kind="stable")  # stable: places stay ascending within a term
    unique, first = np.unique(terms[order], return_index=True)
    offsets = np.append(first, len(terms)).astype(np.uint32)
    return Segment(unique, offsets, places[order], counts[order])


def pack_block(entries: Sequence[Entry]) -> bytes:
    """Return a sealed block: the segment of the entries (by ascending record) and their groups."""
    segment = build_segment(entries)
    arrays: dict[str, NDArray[Any]] = {
        "terms": segment.terms,
        "offsets": segment.offsets,
        "places": segment.places,
        "counts": segment.counts,
        "sizes": np.array([e.size for e in entries], np.uint32),
    }
    return pack_arrays([e.record for e in entries], [e.group for e in entries], arrays)


def unpack_block(body: bytes) -> tuple[Segment, dict[str, NDArray[Any]], list[Group]]:
    """The segment, the arrays `records`, `groups` and `sizes`, and the (namespace, kind, type) of each group.

    Raises ValueError for a body that is not what `pack_block` made.
    """
    arrays, names = unpack_arrays(body)
    segment = Segment(*(arrays.pop(name) for name in ("terms", "offsets", "places", "counts")))
    return segment, arrays, names


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A segment in its place: the slots from `first` on, `slots` of them."""

    first: int
    slots: int
    segment: Segment
    sealed: bool = False


def merge(left: Part, right: Part) -> Part:
    """Two neighbouring parts as one."""
    terms = np.concatenate([np.repeat(p.segment.terms, np.diff(p.segment.offsets)) for p in (left, right)])
    shift = right.first - left.first
    places = np.concatenate([left.segment.places, (right.segment.places + shift).astype(np.uint16)])
    counts = np.concatenate([left.segment.counts, right.segment.counts])
    order = np.argsort(terms, kind="stable")
    unique, first = np.unique(terms[order], return_index=True)
    offsets = np.append(first, len(terms)).astype(np.uint32)
    return Part(left.first, shift + right.slots, Segment(unique, offsets, places[order], counts[order]))


class Postings:
    """All records of a store in slots: sealed blocks, segments of later records, and a small tail by term."""

    def __init__(self) -> None:
        self.slots = Slots()
        self._sizes = Column(np.uint32)  # the words of each slot
        self._parts: list[Part] = []  # by first slot; the tail's slots follow
        self._tail: dict[int, array[int]] = {}  # term -> slot, count, slot, count ...
        self._tail_first = 0
        self._total_size = 0
        self._living: Mask | None = None  # of a part of an index: the slots that its postings are of

    def frozen(self) -> "Postings":
        """Return the index as it is now, whatever is added or removed later; terms must be read before that."""
        view = copy(self)
        view.slots, view._sizes = self.slots.frozen(), self._sizes.frozen()
        return view

    def within(self, namespaces: Iterable[str]) -> "Postings":
        """Return the same index as if it had the records of some namespaces only, including frequencies and lengths.

        Valid until anything is added or removed.
        """
        view = copy(self)
        view.slots = self.slots.within(namespaces)
        view._living = view.slots.alive.values
        view._total_size = int(self._sizes.values[view._living].sum())
        return view

    @property
    def records(self) -> Column:
        """The record of each slot."""
        return self.slots.records

    @property
    def count(self) -> int:
        """Living records."""
        return self.slots.count

    @property
    def namespaces(self) -> set[str]:
        """Every namespace that a record has or had."""
        return self.slots.namespaces

    def slots_of(self, records: Sequence[int] | Ints) -> Ints:
        """The living slot of each record, -1 where there is none."""
        return self.slots.slots_of(records)

    def sizes_of(self, slots: Ints) -> Ints:
        """Return how many words each slot has, with repeats."""
        return np.asarray(self._sizes.values[slots], np.int64)

    def mask(
        self,
        kinds: Iterable[str] | None,
        type_: str | None,
        namespaces: Iterable[str] | None,
        without: Collection[Group] = (),
    ) -> Mask:
        """Return a mask of living slots that pass the filters and are of no group in `without`; None passes all."""
        return self.slots.mask(kinds, type_, namespaces, without)

    def add_block(self, body: bytes, stale: Iterable[int] = ()) -> None:
        """Add a sealed block without its records that changed since. Raises ValueError for a damaged one."""
        segment, arrays, names = unpack_block(body)
        self.flush_tail()
        first = self.slots.add_block(arrays["records"], arrays["groups"], names)
        self._add_sizes(arrays["sizes"])
        self._parts.append(Part(first, len(arrays["records"]), segment, sealed=True))
        self._tail_first = len(self.slots)
        for record in stale:
            self.remove(record)

    def put_many(self, entries: Sequence[Entry]) -> None:
        """Add or replace records; each record at most once in `entries`."""
        if len(entries) <= FEW:
            self._put_few(entries)
            self.flush_tail(LONGEST_TAIL)
            return
        self.flush_tail()
        for at in range(0, len(entries), BLOCK):
            part = entries[at : at + BLOCK]
            self._add_part(Part(self._add_slots(part), len(part), build_segment(part)))

    def _put_few(self, entries: Sequence[Entry]) -> None:
        """Add or replace records in the tail. Their slots are added together: one by one they cost as much as terms."""
        if not self._tail:
            self._tail_first = len(self.slots)
        for slot, entry in enumerate(entries, self._add_slots(entries)):
            terms, counts = unpack_terms(entry.packed)
            for term, count in zip(terms.tolist(), counts.tolist(), strict=True):
                pairs = self._tail.get(term)
                if pairs is None:
                    pairs = self._tail[term] = array("I")
                pairs.append(slot)
                pairs.append(count)

    def _add_slots(self, entries: Sequence[Entry]) -> int:
        """Add a slot for each entry, replacing its record's earlier slots; returns the first."""
        for entry in entries:
            self.remove(entry.record)
        self._add_sizes(np.array([e.size for e in entries], np.uint32))
        return self.slots.add([e.record for e in entries], [e.group for e in entries])

    def _add_sizes(self, sizes: NDArray[np.uint32]) -> None:
        self._sizes.extend(sizes)
        self._total_size += int(sizes.sum())

    def remove(self, record: int) -> None:
        """Remove a record; unknown ones are ignored."""
        slot, number = self.slots.remove(record)
        if number:
            self._total_size -= int(self._sizes.values[slot])

    def flush_tail(self, least: int = 0) -> None:
        """Turn the tail into a segment, if it has `least` slots: then no later `put_many` does it for many of them."""
        first, size = self._tail_first, len(self.slots) - self._tail_first
        if size < least:
            return
        if self._tail:
            numbers = sorted(self._tail)
            pairs = [self._tail[number] for number in numbers]
            flat = np.frombuffer(b"".join(pairs), np.uint32)  # an array of each would take five times as long
            offsets = np.cumsum([0, *(len(each) // 2 for each in pairs)]).astype(np.uint32)
            places, counts = (flat[::2] - np.uint32(first)).astype(np.uint16), flat[1::2].astype(np.uint8)
            self._tail = {}
            self._add_part(Part(first, size, Segment(np.array(numbers, np.uint32), offsets, places, counts)))
        self._tail_first = len(self.slots)

    def _add_part(self, part: Part) -> None:
        self._parts.append(part)
        self._tail_first = len(self.slots)
        if len(self._parts) > MOST_PARTS:
            while (pair := self.to_merge()) is not None:
                self.merged(pair, merge(*pair))

    def to_merge(self) -> "tuple[Part, Part] | None":
        """Return two neighbouring segments that should be merged (of about one size, as in a log-structured merge tree,
        O'Neil et al., 1996), else None. `merge` them, which needs no lock, and pass the result to `merged`.
        """
        for before, after in zip(reversed(self._parts[:-1]), reversed(self._parts[1:]), strict=True):
            fits = after.first + after.slots - before.first <= LARGEST_MERGED
            if fits and not before.sealed and not after.sealed and before.slots <= 3 * after.slots:
                return before, after
        return None

    def merged(self, pair: "tuple[Part, Part]", part: Part) -> None:
        """Replace two parts by their merged segment, if they are still there."""
        for i in range(len(self._parts) - 1):
            if self._parts[i] is pair[0] and self._parts[i + 1] is pair[1]:
                self._parts[i : i + 2] = [part]
                return

    def read(self, terms: Iterable[int]) -> list[TermPostings]:
        """Return the postings of each term; a query computes everything from this one reading."""
        numbers = list(terms)
        pieces: list[list[Piece]] = [[] for _ in numbers]
        asked = np.array(numbers, np.uint32)
        for part in self._parts:
            for at, places, counts in part.segment.postings(asked):
                pieces[at].append(Piece(part.first, places, counts))
        if self._tail:
            for at, number in enumerate(numbers):
                pieces[at] += self._in_tail(number)
        return [self._whole(found) for found in pieces]

    def dot(self, terms: Sequence[TermPostings], weights: Sequence[float], mask: Mask) -> Floats:
        """The dot product of every slot with distinct terms that have `weights`, 0 outside the mask."""
        scores: Floats = np.zeros(len(self.slots), np.float32)
        factors = [np.float32(weight * WEIGHT_STEP) for weight in weights]
        for piece, factor in _by_part(terms, factors):
            places = piece.places.astype(np.intp)  # numpy would cast them twice
            scores[piece.first :][places] += piece.counts * factor
        scores *= mask
        return scores

    def add_weights(self, scores: Floats, terms: Sequence[TermPostings]) -> None:
        """Add the weight of terms to the score of every slot that has them."""
        for piece, idf in _by_part(terms, [term.idf for term in terms]):
            places = piece.places.astype(np.intp)
            sizes = self._sizes.values[piece.first :][places]
            scores[piece.first :][places] += self._weight(idf, sizes, piece.counts)

    def add_weights_at(self, scores: Floats, terms: Sequence[TermPostings], slots: Ints) -> None:
        """Add the weight of terms to the scores of some slots (ascending) that have them."""
        for term in terms:
            found, counts = term.at(slots)
            scores[slots[found]] += self._weight(term.idf, self._sizes.values[slots[found]], counts)

    def _weight(self, idf: float, sizes: NDArray[np.uint32], counts: Counts) -> Floats:
        average = max(1.0, self._total_size / max(1, self.count))
        count = counts.astype(np.float32)
        norm = sizes.astype(np.float32) * np.float32(K1 * B / average) + np.float32(K1 * (1 - B))
        return (count / (count + norm) * np.float32(idf * (K1 + 1))).astype(np.float32, copy=False)

    def _in_tail(self, term: int) -> list[Piece]:
        tail = self._tail.get(term)
        if not tail:
            return []
        pairs = np.array(tail, np.uint32)
        places = (pairs[::2] - np.uint32(self._tail_first)).astype(np.uint16)
        return [Piece(self._tail_first, places, pairs[1::2].astype(np.uint8))]

    def _whole(self, pieces: list[Piece]) -> TermPostings:
        if self._living is not None:
            pieces = [left for piece in pieces if len((left := _living(piece, self._living)).places)]
        frequency = sum([len(piece.places) for piece in pieces])
        return TermPostings(pieces, frequency, self._idf(frequency))

    def _idf(self, frequency: int) -> float:
        """Inverse document frequency in Lucene's form: positive, about ln(records / frequency).

        Of fewer than SMALLEST records it is that of so many: in a store of one every word of the only record would be
        a common one. The frequency counts dead slots that no block has dropped yet.
        """
        return idf(min(frequency, self.count), self.count)


class Bm25:
    """The BM25 scores of one query.

    Terms of over 5% of the records only add to the best 4,096 that the rarer ones found (a bound in the manner of
    MaxScore, Turtle and Flood 1995), unless more are wanted than those found.
    """

    def __init__(self, postings: Postings, terms: Sequence[TermPostings], mask: Mask) -> None:
        """Score by the rarer of some distinct terms under a mask."""
        limit = max(CANDIDATES, int(postings.count * COMMON))
        by_rarity = sorted((term for term in terms if term.frequency), key=lambda term: term.frequency)
        rare = [term for term in by_rarity if term.frequency <= limit] or by_rarity
        self._postings, self._mask, self._common = postings, mask, by_rarity[len(rare) :]
        self._rare: Floats = np.zeros(len(postings.slots), np.float32)
        postings.add_weights(self._rare, rare)
        self._rare *= mask
        self._found = int(np.count_nonzero(self._rare)) if self._common else 0
        self._bounded: Floats | None = None
        self._whole: Floats | None = None if self._common else self._rare

    def of_best(self, wanted: int) -> Floats:
        """Return the score of every slot, 0 outside the mask; not to be changed. Right for the best `wanted`."""
        if self._whole is None and wanted > self._found:
            self._whole = self._rare.copy()
            self._postings.add_weights(self._whole, self._common)
            self._whole *= self._mask
        if self._whole is not None:
            return self._whole
        if self._bounded is None:
            self._bounded = self._rare.copy()
            self._postings.add_weights_at(self._bounded, self._common, best_of(self._rare, CANDIDATES))
        return self._bounded


def _living(piece: Piece, living: Mask) -> Piece:
    """A piece without the slots that are not among the living."""
    kept = living[piece.first + piece.places.astype(np.intp)]
    return Piece(piece.first, piece.places[kept], piece.counts[kept])


def _by_part(terms: Sequence[TermPostings], factors: Sequence[Any]) -> Iterator[tuple[Piece, Any]]:
    """The pieces with the factor of their term, one part of the index after the other: its scores stay in the cache.

    Within a part the terms keep their order, so that sums are rounded alike wherever a record stands.
    """
    pieces = [(piece, factor) for term, factor in zip(terms, factors, strict=True) for piece in term.pieces]
    return iter(sorted(pieces, key=lambda pair: pair[0].first))
