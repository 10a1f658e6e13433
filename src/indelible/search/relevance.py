"""The relevance of records to a query, before scoring: of one record, and of many as arrays."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.search.index.slots import Ints, Mask, places_in
from indelible.search.scoring import LENT, fused

Floats = NDArray[np.floating[Any]]
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Relevance:
    """The two components of a record that look at its text, 0..1: `overlap` of words and `similarity` of meaning."""

    overlap: float
    similarity: float
    by_words: bool = False  # nothing is known of its meaning

    @property
    def value(self) -> float:
        """Both in one, 0..1: weighted as in the score, the words alone where there is nothing else."""
        return self.overlap if self.by_words else float(fused(self.overlap, self.similarity))

    def part(self, share: float) -> "Relevance":
        """Return the fraction of it that is lent to another record."""
        return Relevance(self.overlap * share, self.similarity * share, self.by_words)

    def with_more(self, lent: "Relevance") -> "Relevance":
        """Return it with the relevance lent by another on top of its own."""
        return Relevance(
            min(1.0, self.overlap + lent.overlap), min(1.0, self.similarity + lent.similarity), self.by_words
        )


@dataclass(frozen=True, slots=True, eq=False)
class Relevances:
    """The relevance of some records: arrays of one length, in the order of `ids`, which ascend and do not repeat."""

    ids: Ints
    overlaps: Floats
    similarities: Floats
    by_words: Mask
    values: Floats = field(init=False)  # as `Relevance.value`

    def __post_init__(self) -> None:
        values = np.where(self.by_words, self.overlaps, fused(self.overlaps, self.similarities))
        object.__setattr__(self, "values", values)

    @classmethod
    def of(cls, each: Mapping[int, Relevance]) -> "Relevances":
        """Return those of a mapping by row id."""
        ids = np.array(sorted(each), np.int64)
        rows = [each[record] for record in ids.tolist()]
        return cls(
            ids,
            np.array([row.overlap for row in rows], np.float64),
            np.array([row.similarity for row in rows], np.float64),
            np.array([row.by_words for row in rows], np.bool_),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Relevance]:
        """Yield each, by ascending id."""
        columns = (self.overlaps.tolist(), self.similarities.tolist(), self.by_words.tolist())
        return (Relevance(*row) for row in zip(*columns, strict=True))

    def by_id(self) -> dict[int, Relevance]:
        """Return each by its row id."""
        return dict(zip(self.ids.tolist(), self, strict=True))

    def take(self, places: Ints | Mask) -> "Relevances":
        """Return those of a mask, or at ascending places."""
        return Relevances(self.ids[places], self.overlaps[places], self.similarities[places], self.by_words[places])

    def best(self, count: int) -> Ints:
        """Return the places of the `count` most relevant, best first; ties go to the record stored last."""
        return np.lexsort((-self.ids, -self.values))[:count]

    def places_of(self, ids: Ints) -> Ints:
        """Return the place of each id, -1 where it is not here."""
        return places_in(self.ids, ids)

    def among(self, ids: Collection[int]) -> "Relevances":
        """Return those of some row ids."""
        return self.take(np.array([record in ids for record in self.ids.tolist()], np.bool_))

    def replaced_by(self, others: "Relevances") -> "Relevances":
        """Return these and others together; of a record in both the others' counts."""
        if not len(others):
            return self
        kept = others.places_of(self.ids) < 0
        ids = np.concatenate([self.ids[kept], others.ids])
        order = np.argsort(ids)
        return Relevances(
            ids[order],
            np.concatenate([self.overlaps[kept], others.overlaps])[order],
            np.concatenate([self.similarities[kept], others.similarities])[order],
            np.concatenate([self.by_words[kept], others.by_words])[order],
        )


def lent(relations: Iterable[tuple[int, int, float]], best: Mapping[int, Relevance]) -> dict[int, Relevance]:
    """Return the relevance that the best answers lend along their relations; one between two answers gets of both.

    A relation is (answer, other end, weight). Of several between the same two the heaviest counts.
    """
    weights: dict[int, dict[int, float]] = {}
    for near, far, weight in relations:
        of = weights.setdefault(far, {})
        of[near] = max(min(1.0, weight), of.get(near, 0.0))
    return {
        far: together([best[near].part(LENT * weight) for near, weight in of.items()]) for far, of in weights.items()
    }


def together(shares: Sequence[Relevance]) -> Relevance:
    """Combine the relevance that several lend to one record: the two that lend most count.

    Otherwise a record related to many weak hits would come before an exact one.
    """
    if len(shares) == 1:
        return shares[0]
    two = sorted(shares, key=lambda share: (share.value, share.overlap))[-2:]
    overlap = 1 - math.prod(1 - share.overlap for share in two)
    similarity = 1 - math.prod(1 - share.similarity for share in two)
    return Relevance(overlap, similarity, all(share.by_words for share in two))


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The measures of some records against the query: arrays of one length, in the order of their `relevance`."""

    relevance: Relevances
    cosines: Floats  # of the nearest window's dense vector, -1 for texts without
    shares: Floats  # of the weight of the query's words
    worded: Mask  # its words alone are evidence
    embedded: Mask  # it has a vector of the model that is asked
    own: Mask  # it is the server's project's

    @property
    def ids(self) -> Ints:
        """The row ids, ascending."""
        return self.relevance.ids

    def take(self, places: Ints) -> "Measured":
        """Return those at ascending places."""
        return Measured(
            self.relevance.take(places),
            self.cosines[places],
            self.shares[places],
            self.worded[places],
            self.embedded[places],
            self.own[places],
        )

    def weighed(self, words: float, alone: float) -> Floats:
        """Return for each: its overlap weighed by `words` and its similarity by the rest; `alone` of its overlap where
        it has no vector.
        """
        near = self.relevance
        both = words * near.overlaps + (1 - words) * near.similarities
        found: Floats = np.where(self.embedded, both, alone * near.overlaps)
        return found
