"""Associations of memories by their tags: for each memory the nearest of other types."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass

BEST = 5  # partners of a memory
BUDGET = 200_000_000  # sets of tags that are compared in all; above, only a part of those that share a frequent tag

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of memories by their places, low < high, each once, ascending; `weight` is the Jaccard index (0..1)."""

    low: Ints
    high: Ints
    weight: Floats

    def of(self, ids: Sequence[int]) -> "Pairs":
        """Return the same pairs by what stands in these places; then neither is the lower one."""
        numbers = np.array(ids, np.int64)
        return Pairs(numbers[self.low], numbers[self.high], self.weight)

    def unrelated(self, ids: Sequence[int], related: Iterable[tuple[int, int]]) -> "Pairs":
        """Return those between whose `ids`, in these places, there is no relation in either direction."""
        numbers, ends = np.array(ids, np.int64), np.fromiter(related, np.dtype("i8,i8"))
        order = np.argsort(numbers)
        at = [order[np.searchsorted(numbers, ends[end], sorter=order) % len(numbers)] for end in ("f0", "f1")]
        there = (numbers[at[0]] == ends["f0"]) & (numbers[at[1]] == ends["f1"])  # others are of other memories
        known = np.minimum(*at)[there] * len(numbers) + np.maximum(*at)[there]
        return self._take(~np.isin(self.low * len(numbers) + self.high, known))

    def batches(self, size: int) -> Iterator["Pairs"]:
        """Yield them in order, so many at a time."""
        for at in range(0, len(self.low), size):
            yield self._take(slice(at, at + size))

    def __iter__(self) -> Iterator[tuple[int, int, float]]:
        """Yield (low, high, weight) of each."""
        return zip(self.low.tolist(), self.high.tolist(), self.weight.tolist(), strict=True)

    def _take(self, places: Any) -> "Pairs":
        return Pairs(self.low[places], self.high[places], self.weight[places])


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The different sets of tags, each with a type: all memories of a shape are equally near to every other one.

    The places of the members of a shape, ascending, are `count` of `places` from `start` on.
    """

    tags: list[frozenset[str]]
    type: Ints
    size: Ints
    places: Ints
    start: Ints
    count: Ints

    def members(self, of: Ints) -> Ints:
        """The places of the members of some shapes, ascending."""
        count = self.count[of]
        ends = np.cumsum(count)
        return np.sort(self.places[np.arange(ends[-1]) + np.repeat(self.start[of] - ends + count, count)])


@dataclass(frozen=True, slots=True)
class _Postings:
    """The shapes that have each tag; of one that was cut also, for each shape, 1 if it has the tag and is not there."""

    of: dict[str, Ints]
    cut: dict[str, Ints]


def best_pairs(types: Sequence[str], tags: Sequence[frozenset[str]], best: int = BEST) -> Pairs:
    """Return the pairs of memories that share a tag, differ in type, and are each among the `best` of the other.

    Similarity is the Jaccard index of their tags (Jaccard, 1901), ties are broken by distance in place, then by the
    first place. That both choose each other (the mutual nearest neighbours of Gowda and Krishna, 1978) leaves no memory
    more than `best` partners, not even one whose tag all others have. The pairs depend on nothing but the arguments, so
    making them twice adds nothing. Where all comparisons of frequent tags would take more than the budget, a memory is
    compared only with those of a frequent tag that have the fewest tags, which are the most similar if they share no
    other.
    """
    shapes = _shapes(types, tags)
    postings = _postings(shapes)
    chosen = [
        one for shape in range(len(shapes.tags)) for one in _chosen(shapes, shape, _near(shapes, postings, shape), best)
    ]
    if not chosen:
        return Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    own, other, weight = (np.concatenate(column) for column in zip(*chosen, strict=True))
    ends, places, times = np.unique(
        np.minimum(own, other) * len(types) + np.maximum(own, other), return_index=True, return_counts=True
    )
    mutual = times == 2
    return Pairs(ends[mutual] // len(types), ends[mutual] % len(types), weight[places[mutual]])


def _shapes(types: Sequence[str], tags: Sequence[frozenset[str]]) -> _Shapes:
    numbers: dict[tuple[str, frozenset[str]], int] = {}
    of = np.full(len(types), -1, np.int64)
    for place, shape in enumerate(zip(types, tags, strict=True)):
        if shape[1]:
            of[place] = numbers.setdefault(shape, len(numbers))
    names: dict[str, int] = {}
    places = np.argsort(of, kind="stable")[np.count_nonzero(of < 0) :]
    count = np.bincount(of[of >= 0], minlength=len(numbers)).astype(np.int64)
    return _Shapes(
        tags=[own for _, own in numbers],
        type=np.array([names.setdefault(type_, len(names)) for type_, _ in numbers], np.int64),
        size=np.array([len(own) for _, own in numbers], np.int64),
        places=places,
        start=np.cumsum(count) - count,
        count=count,
    )


def _postings(shapes: _Shapes) -> _Postings:
    """Return the shapes of each tag; for a tag with too many those with the fewest tags.

    Of equally many those whose first member comes first.
    """
    of: dict[str, list[int]] = {}
    for shape in np.argsort(shapes.size, kind="stable").tolist():  # shapes stand in the order of their first members
        for tag in shapes.tags[shape]:
            of.setdefault(tag, []).append(shape)
    longest = max(map(len, of.values()), default=0)
    while sum(min(len(found), longest) * len(found) for found in of.values()) > BUDGET and longest > 1:
        longest //= 2
    cut = {}
    for tag, found in of.items():
        if len(found) > longest:
            cut[tag] = np.zeros(len(shapes.tags), np.int64)
            cut[tag][found[longest:]] = 1
    return _Postings({tag: np.array(found[:longest], np.int64) for tag, found in of.items()}, cut)


def _near(shapes: _Shapes, postings: _Postings, shape: int) -> Iterator[tuple[float, Ints]]:
    """Yield the shapes of other types that share a tag with one, in groups of equal similarity, the nearest first."""
    tags = sorted(shapes.tags[shape])
    found, overlap = _counted(np.concatenate([postings.of[tag] for tag in tags]), len(shapes.tags))
    kept = shapes.type[found] != shapes.type[shape]
    found, overlap = found[kept], overlap[kept]
    for tag in tags:
        if tag in postings.cut:
            overlap = overlap + postings.cut[tag][found]
    nearness = overlap / (shapes.size[shape] + shapes.size[found] - overlap)
    while len(found) and (near := float(nearness.max())) > 0:
        group = nearness == near
        yield near, found[group]
        nearness[group] = 0.0


def _counted(numbers: Ints, end: int) -> tuple[Ints, Ints]:
    """The different numbers, all below `end`, ascending, and how often each is there."""
    if 8 * len(numbers) < end:
        found, counts = np.unique(numbers, return_counts=True)
        return found, counts
    all_counts = np.bincount(numbers, minlength=1)
    found = np.flatnonzero(all_counts)
    return found, all_counts[found]


def _chosen(
    shapes: _Shapes, shape: int, near: Iterator[tuple[float, Ints]], best: int
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """For each member of a shape its `best` partners, as (own places, theirs, how near they are)."""
    own = shapes.members(np.array([shape]))
    left = best
    for nearness, group in near:
        others = shapes.members(group)
        chosen = np.tile(others, (len(own), 1)) if len(others) <= left else _beside(own, others, left)
        yield np.repeat(own, chosen.shape[1]), chosen.ravel(), np.full(chosen.size, nearness)
        left -= chosen.shape[1]
        if left == 0:
            return


def _beside(own: Ints, others: Ints, count: int) -> Ints:
    """For each place the `count` nearest of the others, of which there are more; both ascend. A row each."""
    at = np.searchsorted(others, own)[:, None] + np.arange(-count, count)
    inside = (at >= 0) & (at < len(others))
    beside = others[np.clip(at, 0, len(others) - 1)]
    distance = np.where(inside, 2 * np.abs(beside - own[:, None]) + (beside > own[:, None]), np.iinfo(np.int64).max)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(beside, nearest, axis=1)
