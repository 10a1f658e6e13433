"""Digests of index entries, by which a sealed block is compared with the rows that it was made from."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from indelible.search.index.entries import Entry
from indelible.search.index.postings import Segment, build_segment, unpack_block
from indelible.search.index.slots import Group, Ints, unpack_arrays
from indelible.search.index.vector_index import Coded

Numbers = NDArray[np.uint64]
Digests = dict[int, tuple[Group, int]]  # by record: its group, and the digest

_FACTORS = tuple(np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
_SHIFT = np.uint64(29)


def of_entries(entries: Sequence[Entry]) -> Digests:
    """Return the digests of rows of words or sparse terms, up to 65,536 of them."""
    segment = build_segment(entries)
    sums = _summed(len(entries), segment) + _mixed(np.array([e.size for e in entries], np.uint64))
    return {e.record: (e.group, int(n)) for e, n in zip(entries, sums, strict=True)}


def of_block(body: bytes) -> Digests:
    """Return the digests of a sealed block of words or sparse terms. Raises ValueError for an invalid block."""
    segment, arrays, groups = unpack_block(body)
    records: Ints = arrays["records"]
    sums = _summed(len(records), segment)
    sums += _mixed(arrays["sizes"].astype(np.uint64))
    numbered = zip(records.tolist(), arrays["groups"].tolist(), sums.tolist(), strict=True)
    return {record: (groups[group], number) for record, group, number in numbered}


def of_codes(entries: Sequence[Coded]) -> Digests:
    """Return the digests of rows of vectors."""
    if not entries:
        return {}
    words = np.ascontiguousarray(np.concatenate([e.codes for e in entries])).view("<u8")
    places = np.repeat(np.arange(len(entries)), [len(e.codes) for e in entries])
    sums = _of_vectors(len(entries), places, words)
    return {e.record: (e.group, int(n)) for e, n in zip(entries, sums, strict=True)}


def of_codes_block(body: bytes) -> Digests:
    """Return the digests of a sealed block of vectors. Raises ValueError for an invalid block."""
    arrays, groups = unpack_arrays(body)
    slots: Ints = arrays["records"]
    if not len(slots):
        return {}
    records, first, places = np.unique(slots, return_index=True, return_inverse=True)
    words = arrays["codes"].reshape(-1, len(slots)).T
    sums = _of_vectors(len(records), places, words)
    own = arrays["groups"][first].tolist()
    numbered = zip(records.tolist(), own, sums.tolist(), strict=True)
    return {record: (groups[group], number) for record, group, number in numbered}


def _of_vectors(count: int, places: Ints, words: NDArray[np.uint64]) -> Numbers:
    """Return digests of vectors; `words` are (vectors, words of each), and a record's vectors count in their order."""
    order = np.arange(1, len(places) + 1) - np.searchsorted(places, places)
    by_order = order.astype(np.uint64) * _FACTORS[1]
    sums = np.zeros(count, np.uint64)
    for at in range(words.shape[1]):
        weighted = _mixed(_mixed(words[:, at] + np.uint64(at)) + by_order)
        np.add.at(sums, places, weighted)
    return sums


def _summed(count: int, segment: Segment) -> Numbers:
    often = segment.offsets[1:].astype(np.int64) - segment.offsets[:-1]
    terms = np.repeat(segment.terms, often).astype(np.uint64)
    sums = np.zeros(count, np.uint64)
    np.add.at(sums, segment.places.astype(np.int64), _mixed(terms * _FACTORS[1] + segment.counts.astype(np.uint64)))
    return sums


def _mixed(values: Numbers) -> Numbers:
    """Return numbers that differ in many bits where the values differ in one; sums wrap around on purpose."""
    mixed = values * _FACTORS[0]
    mixed ^= mixed >> _SHIFT
    mixed *= _FACTORS[2]
    found: Numbers = mixed ^ (mixed >> _SHIFT)
    return found
