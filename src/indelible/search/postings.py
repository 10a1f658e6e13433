"""The inverted index of one process: exact BM25 under a mask of filters, over arrays.

Records stand in *slots*, numbered in the order in which this process read them. A changed record gets a new slot
and its old one dies, so sealed arrays are never edited. The index is a cache: the `terms` rows of the store are
the truth, and what is here can be built again from them at any moment.
"""

import json
import math
import struct
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 16  # record ids a block: a posting's place in its block fits two bytes
K1, B = 1.2, 0.55  # BM25 (Robertson and Zaragoza, 2009); tuned on the data of bench/, see docs/benchmarks.md
COMMON = 0.05  # share of the records from which on a term is only looked up for candidates that rarer terms found
CANDIDATES = 4096  # best so far that common terms are added to
FEW = 64  # records that are added one by one; more make a segment at once
LARGEST_MERGED = BLOCK // 4  # slots of a merged segment, so that no merge takes a processor for long
MOST_PARTS = 48  # segments, from which on adding one merges at once what nobody merged in the background
LONGEST_TAIL = 4096  # records, before the tail becomes a segment

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index keeps of a record: `terms` as two arrays, term numbers (uint32) and their counts (uint8)."""

    record: int
    namespace: str
    kind: str
    type: str
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    size: int  # words of the record, with repeats


@dataclass(frozen=True, slots=True)
class Segment:
    """Postings sorted by term: those of `terms[i]` are `places` and `counts` from `offsets[i]` to `offsets[i + 1]`.

    A place counts from the segment's first slot. Three bytes a posting.
    """

    terms: NDArray[np.uint32]
    offsets: NDArray[np.uint32]
    places: NDArray[np.uint16]
    counts: NDArray[np.uint8]

    def postings(self, term: int) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
        """Places (ascending) and counts of one term."""
        i = int(self.terms.searchsorted(np.uint32(term)))  # a plain int would cast the whole array
        if i == len(self.terms) or self.terms[i] != term:
            return self.places[:0], self.counts[:0]
        here = slice(int(self.offsets[i]), int(self.offsets[i + 1]))
        return self.places[here], self.counts[here]


@dataclass(frozen=True, slots=True)
class TermPostings:
    """One term over the whole index: the slots that have it (ascending), how often each, and its weight (idf)."""

    slots: Ints
    counts: NDArray[Any]
    idf: float

    def at(self, slots: Ints) -> tuple[Mask, NDArray[Any]]:
        """Which of the slots have the term, and how often those have it."""
        if not len(self.slots):
            return np.zeros(len(slots), np.bool_), self.counts
        places = np.searchsorted(self.slots, slots)
        places[places == len(self.slots)] = 0
        found: Mask = self.slots[places] == slots
        return found, self.counts[places[found]]


def unpack_terms(body: bytes) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """The two arrays of a body that `tokens.pack` made."""
    count = len(body) // 5
    return np.frombuffer(body, "<u4", count), np.frombuffer(body, np.uint8, count, count * 4)


def build_segment(entries: Sequence[Entry]) -> Segment:
    """The segment of up to 65,536 entries, the place of each being its index."""
    if not entries:
        none = np.zeros(0, np.uint32)
        return Segment(none, np.zeros(1, np.uint32), none.astype(np.uint16), none.astype(np.uint8))
    terms = np.concatenate([e.terms for e in entries])
    counts = np.concatenate([e.counts for e in entries])
    places = np.repeat(np.arange(len(entries), dtype=np.uint16), [len(e.terms) for e in entries])
    order = np.argsort(terms, kind="stable")  # stable: places stay ascending within a term
    unique, first = np.unique(terms[order], return_index=True)
    offsets = np.append(first, len(terms)).astype(np.uint32)
    return Segment(unique, offsets, places[order], counts[order])


def pack_block(entries: Sequence[Entry]) -> bytes:
    """A sealed block: the segment of the entries and what filters need of them, as one blob with a checksum."""
    segment = build_segment(entries)
    names: dict[tuple[str, str, str], int] = {}
    groups = [names.setdefault((e.namespace, e.kind, e.type), len(names)) for e in entries]
    arrays: dict[str, NDArray[Any]] = {
        "terms": segment.terms,
        "offsets": segment.offsets,
        "places": segment.places,
        "counts": segment.counts,
        "records": np.array([e.record for e in entries], np.int64),
        "groups": np.array(groups, np.uint32),
        "sizes": np.array([e.size for e in entries], np.uint32),
    }
    layout = [(name, a.dtype.str, len(a)) for name, a in arrays.items()]
    header = json.dumps({"layout": layout, "groups": list(names)}).encode()
    body = b"".join([struct.pack("<I", len(header)), header, *(a.tobytes() for a in arrays.values())])
    return struct.pack("<I", crc32(body)) + body


def unpack_block(body: bytes) -> tuple[Segment, dict[str, NDArray[Any]], list[tuple[str, str, str]]]:
    """The segment, the arrays `records`, `groups` and `sizes`, and the (namespace, kind, type) of each group.

    Raises ValueError for a body that is not what `pack_block` made.
    """
    if len(body) < 8 or crc32(memoryview(body)[4:]) != int.from_bytes(body[:4], "little"):
        raise ValueError("a sealed block is damaged")
    (length,) = struct.unpack_from("<I", body, 4)
    header = json.loads(body[8 : 8 + length])
    arrays: dict[str, NDArray[Any]] = {}
    at = 8 + length
    for name, dtype, count in header["layout"]:
        arrays[name] = np.frombuffer(body, dtype, count, at)
        at += arrays[name].nbytes
    segment = Segment(*(arrays.pop(name) for name in ("terms", "offsets", "places", "counts")))
    return segment, arrays, [(a, b, c) for a, b, c in header["groups"]]


class Column:
    """An array that grows at its end."""

    def __init__(self, dtype: Any):
        self._data: NDArray[Any] = np.zeros(1024, dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def extend(self, values: Any) -> None:
        """Append one value a slot."""
        wanted = self._length + len(values)
        if wanted > len(self._data):
            grown = np.zeros(max(wanted, len(self._data) * 2), self._data.dtype)
            grown[: self._length] = self._data[: self._length]
            self._data = grown
        self._data[self._length : wanted] = values
        self._length = wanted

    @property
    def values(self) -> NDArray[Any]:
        """The array so far, as a view: valid until the next `extend`."""
        return self._data[: self._length]


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
    """All records of a store in slots: sealed blocks, segments of what came after, and a small tail by term."""

    def __init__(self) -> None:
        self.records = Column(np.int64)
        self.groups = Column(np.uint32)
        self.alive = Column(np.bool_)
        self._sizes = Column(np.uint32)
        self._parts: list[Part] = []  # by first slot; the tail's slots follow
        self._blocks: list[tuple[int, Ints]] = []  # first slot, records ascending
        self._tail: dict[int, array[int]] = {}  # term -> slot, count, slot, count ...
        self._tail_first = 0
        self._slot_of: dict[int, int] = {}  # of records that no block holds
        self._group_names: dict[tuple[str, str, str], int] = {}
        self._total_size = 0
        self.count = 0  # living records

    def add_block(self, body: bytes, stale: Iterable[int] = ()) -> None:
        """Take in a sealed block, without the records of it that changed since. Raises ValueError for a damaged one."""
        segment, arrays, names = unpack_block(body)
        records = arrays["records"]
        self._flush_tail()
        self._blocks.append((len(self.records), records))
        self._parts.append(Part(len(self.records), len(records), segment, sealed=True))
        self._extend(records, arrays["sizes"], self._codes(names)[arrays["groups"]] if len(records) else records)
        for record in stale:
            self.remove(record)

    def put_many(self, entries: Sequence[Entry]) -> None:
        """Add records, or replace what is here of them; each record at most once in `entries`."""
        if len(entries) <= FEW:
            for entry in entries:
                self._put(entry)
            if len(self.records) - self._tail_first > LONGEST_TAIL:
                self._flush_tail()
            return
        self._flush_tail()
        for at in range(0, len(entries), BLOCK):
            part = entries[at : at + BLOCK]
            first = len(self.records)
            for i, entry in enumerate(part):
                self.remove(entry.record)
                self._slot_of[entry.record] = first + i
            self._extend(
                np.array([e.record for e in part], np.int64),
                np.array([e.size for e in part], np.uint32),
                self._codes([(e.namespace, e.kind, e.type) for e in part]),
            )
            self._add_part(Part(first, len(part), build_segment(part)))

    def _put(self, entry: Entry) -> None:
        self.remove(entry.record)
        slot = len(self.records)
        self._slot_of[entry.record] = slot
        self._extend((entry.record,), (entry.size,), self._codes([(entry.namespace, entry.kind, entry.type)]))
        for term, count in zip(entry.terms.tolist(), entry.counts.tolist(), strict=True):
            pairs = self._tail.get(term)
            if pairs is None:
                pairs = self._tail[term] = array("I")
            pairs.append(slot)
            pairs.append(count)

    def _extend(self, records: Any, sizes: Any, groups: Any) -> None:
        self.records.extend(records)
        self._sizes.extend(sizes)
        self.groups.extend(groups)
        self.alive.extend(np.ones(len(records), np.bool_))
        self._total_size += int(sum(sizes)) if isinstance(sizes, tuple) else int(sizes.sum())
        self.count += len(records)
        if not self._tail:
            self._tail_first = len(self.records) - (len(records) if isinstance(records, tuple) else 0)

    def _flush_tail(self) -> None:
        """Turn the tail into a segment."""
        first, size = self._tail_first, len(self.records) - self._tail_first
        if self._tail:
            numbers = sorted(self._tail)
            pairs = [np.array(self._tail[n], np.uint32) for n in numbers]
            flat = np.concatenate(pairs)
            offsets = np.cumsum([0, *(len(p) // 2 for p in pairs)]).astype(np.uint32)
            places, counts = (flat[::2] - np.uint32(first)).astype(np.uint16), flat[1::2].astype(np.uint8)
            self._tail = {}
            self._add_part(Part(first, size, Segment(np.array(numbers, np.uint32), offsets, places, counts)))
        self._tail_first = len(self.records)

    def _add_part(self, part: Part) -> None:
        self._parts.append(part)
        self._tail_first = len(self.records)
        if len(self._parts) > MOST_PARTS:
            while (pair := self.to_merge()) is not None:
                self.merged(pair, merge(*pair))

    def to_merge(self) -> "tuple[Part, Part] | None":
        """Two neighbouring segments that should be one (of about one size, as in a log-structured merge tree,
        O'Neil et al., 1996). `merge` them, which needs no lock, and hand the result to `merged`.
        """
        for before, after in zip(reversed(self._parts[:-1]), reversed(self._parts[1:]), strict=True):
            fits = after.first + after.slots - before.first <= LARGEST_MERGED
            if fits and not before.sealed and not after.sealed and before.slots <= 3 * after.slots:
                return before, after
        return None

    def merged(self, pair: "tuple[Part, Part]", part: Part) -> None:
        """Put a merged segment in the place of its two parts, if they are still there."""
        for i in range(len(self._parts) - 1):
            if self._parts[i] is pair[0] and self._parts[i + 1] is pair[1]:
                self._parts[i : i + 2] = [part]
                return

    def remove(self, record: int) -> None:
        """Forget a record; unknown ones are fine."""
        slot = self._slot_of.pop(record, -1)
        if slot < 0:
            slot = self._sealed_slot(record)
        if slot >= 0 and self.alive.values[slot]:
            self.alive.values[slot] = False
            self._total_size -= int(self._sizes.values[slot])
            self.count -= 1

    def mask(self, kinds: Iterable[str] | None, type_: str | None, namespaces: Iterable[str] | None) -> Mask:
        """Which slots live and pass the filters; None lets everything pass."""
        wanted_kinds = None if kinds is None else set(kinds)
        wanted_namespaces = None if namespaces is None else set(namespaces)
        passing = np.array(
            [
                (wanted_kinds is None or kind in wanted_kinds)
                and (type_ is None or type_ == own_type)
                and (wanted_namespaces is None or namespace in wanted_namespaces)
                for namespace, kind, own_type in self._group_names
            ],
            np.bool_,
        )
        if passing.all():
            return self.alive.values.copy()
        mask: Mask = passing[self.groups.values]
        mask &= self.alive.values
        return mask

    @property
    def namespaces(self) -> set[str]:
        """Every namespace that a record has or had."""
        return {namespace for namespace, _, _ in self._group_names}

    def read(self, terms: Iterable[int]) -> list[TermPostings]:
        """The postings of each term; what a query needs of them is computed from this one reading."""
        return [self._read(term) for term in terms]

    def bm25(self, terms: Sequence[TermPostings], mask: Mask, wanted: int = 0) -> Floats:
        """The BM25 score of every slot for distinct terms, 0 outside the mask.

        Terms of over 5% of the records only add to the best 4,096 that the rarer ones found (a bound in the manner
        of MaxScore, Turtle and Flood 1995), unless those found fewer than `wanted`.
        """
        scores: Floats = np.zeros(len(self.records), np.float32)
        limit = max(CANDIDATES, int(self.count * COMMON))
        by_rarity = sorted((term for term in terms if len(term.slots)), key=lambda term: len(term.slots))
        rare = [term for term in by_rarity if len(term.slots) <= limit] or by_rarity
        common = by_rarity[len(rare) :]
        self._add(scores, rare)
        scores[~mask] = 0
        if common and np.count_nonzero(scores) < wanted:
            self._add(scores, common)
            scores[~mask] = 0
        elif common:
            best = np.sort(best_of(scores, CANDIDATES))
            for term in common:
                found, counts = term.at(best)
                scores[best[found]] += self._weight(term.idf, best[found], counts)
        return scores

    def _add(self, scores: Floats, terms: Sequence[TermPostings]) -> None:
        """Add the weight of terms to every slot that has them."""
        for term in terms:
            scores[term.slots] += self._weight(term.idf, term.slots, term.counts)

    def slots_of(self, records: Sequence[int]) -> Ints:
        """The living slot of each record, -1 where there is none."""
        found = []
        for record in records:
            slot = self._slot_of.get(record, -1)
            slot = slot if slot >= 0 else self._sealed_slot(record)
            found.append(slot if slot >= 0 and self.alive.values[slot] else -1)
        return np.array(found, np.int64)

    def _weight(self, idf: float, slots: Ints, counts: NDArray[Any]) -> Floats:
        average = max(1.0, self._total_size / max(1, self.count))
        count = counts.astype(np.float32)
        norm = self._sizes.values[slots].astype(np.float32) * np.float32(K1 * B / average) + np.float32(K1 * (1 - B))
        return (count / (count + norm) * np.float32(idf * (K1 + 1))).astype(np.float32, copy=False)

    def _read(self, term: int) -> TermPostings:
        slots: list[Ints] = []
        counts: list[NDArray[Any]] = []
        for part in self._parts:
            places, some = part.segment.postings(term)
            if len(places):
                slots.append(places.astype(np.int64) + part.first)
                counts.append(some)
        tail = self._tail.get(term)
        if tail:
            pairs = np.array(tail, np.int64)
            slots.append(pairs[::2])
            counts.append(pairs[1::2])
        if not slots:
            return TermPostings(np.zeros(0, np.int64), np.zeros(0, np.uint8), self._idf(0))
        if len(slots) == 1:
            return TermPostings(slots[0], counts[0], self._idf(len(slots[0])))
        return TermPostings(np.concatenate(slots), np.concatenate(counts), self._idf(sum(map(len, slots))))

    def _idf(self, frequency: int) -> float:
        """Inverse document frequency in Lucene's form: positive, about ln(records / frequency).

        The frequency counts dead slots that no block has dropped yet.
        """
        frequency = min(frequency, self.count)
        return math.log1p((self.count - frequency + 0.5) / (frequency + 0.5))

    def _sealed_slot(self, record: int) -> int:
        """The slot of a record in the sealed blocks, or -1."""
        for first, records in self._blocks:
            i = int(np.searchsorted(records, record))
            if i < len(records) and records[i] == record:
                return first + i
        return -1

    def _codes(self, groups: Sequence[tuple[str, str, str]]) -> NDArray[np.uint32]:
        names = self._group_names
        return np.array([names.setdefault(g, len(names)) for g in groups], np.uint32)


def best_of(scores: Floats, count: int) -> Ints:
    """The slots of the `count` highest positive scores, in no order."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > count:
        positive = positive[np.argpartition(scores[positive], -count)[-count:]]
    return positive
