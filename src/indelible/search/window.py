"""Relevance lent between neighbours in a session: a turn of a talk is often understood from the ones before.

Tuned on half of the questions of bench data: LoCoMo's recall@10 rises by 0.05, other sets lose 0.01 at most, and texts
in random order lose nothing. docs/benchmarks.md has both halves.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.search.index.null_cosines import Scale

SHARES = (0.3, 0.15)  # of its value that a record lends to its neighbours, and to theirs
ANSWER = 0.8  # the same, of a record that asks something, to the one after it
ASKING = 0.05  # of the value of a record that asks something, which is answered by the one after it
SHORT = 0.15  # of the value of a record without words, and the less the more words it has,
WHOLE = 20  # up to so many
LEAST = 0.4  # of the best value: a record below it lends nothing
REPEATS = (0.4, 0.7)  # cosines between which neighbours become repeats, which gain nothing from each other
COHERENT = (0.03, 0.08)  # by how much more alike neighbours are than others, where their order has a meaning
JUDGED = 50  # best candidates whose neighbours show whether the order has a meaning
FEWEST = 12  # pairs of neighbours that suffice to judge


Vectors = NDArray[np.float32]  # unit rows, zeros where a text has none
Values = np.ndarray[Any, np.dtype[np.floating[Any]]]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Records, `distances` 1 or 2 apart in a session: arrays of one length, by places in others or by row ids.

    `answering` tells which borrowers come right after a lender that asks something.
    """

    lenders: Ints
    borrowers: Ints
    distances: Ints
    answering: Mask

    @classmethod
    def of(cls, rows: Sequence[tuple[int, ...]]) -> "Pairs":
        """Return those of rows (lender, the record before, the one before that, the one after, the one after that,
        whether the lender asks something), 0 standing for none.
        """
        table = np.array(rows, np.int64).reshape(-1, 6)
        borrowers = table[:, 1:5]
        distances, is_next = np.array([1, 2, 1, 2]), np.array([False, False, True, False])
        lender, beside = np.nonzero(borrowers)
        return cls(
            *(table[lender, 0], borrowers[lender, beside], distances[beside], is_next[beside] & (table[lender, 5] > 0))
        )

    def __len__(self) -> int:
        return len(self.lenders)

    def take(self, places: Any) -> "Pairs":
        """Return those of a mask or at places."""
        return Pairs(self.lenders[places], self.borrowers[places], self.distances[places], self.answering[places])

    def among(self, ids: Ints) -> "Pairs":
        """Return those by row ids as those by places in ascending ids, which have them all."""
        places = np.searchsorted(ids, self.lenders), np.searchsorted(ids, self.borrowers)
        return Pairs(*places, self.distances, self.answering)


def judged(values: Values, pairs: Pairs) -> Pairs:
    """Return the neighbours of the best candidates, which show whether the order has a meaning: best first.

    `values` are those of the lenders of the pairs.
    """
    near = np.flatnonzero(pairs.distances == 1)
    return pairs.take(near[np.argsort(-values[near], kind="stable")[: 2 * JUDGED]])


def coherence(vectors: Vectors, pairs: Pairs) -> float:
    """Return how much more alike neighbours are than a candidate and another's neighbour: about 0 for random order.

    The pairs are those that `judged` gives, by places in the vectors. Without this a list in an order of no meaning
    would lend at random, which costs 0.02 recall@10.
    """
    if len(pairs) < FEWEST:
        return 0.0
    lenders, borrowers = pairs.lenders, pairs.borrowers
    ours, theirs = vectors[lenders], vectors[borrowers]
    same = lenders[:, np.newaxis] == lenders
    same |= (lenders[:, np.newaxis] == borrowers) | (borrowers[:, np.newaxis] == borrowers)
    np.fill_diagonal(same, False)  # those are near by
    left_out = np.nonzero(same)
    others = same.size - len(pairs) - len(left_out[0])
    if not others:
        return 0.0
    near_by = alike(ours, theirs)
    every = float(ours.sum(axis=0, dtype=np.float64) @ theirs.sum(axis=0, dtype=np.float64))
    some = alike(ours[left_out[0]], theirs[left_out[1]]).sum(dtype=np.float64) + near_by.sum(dtype=np.float64)
    apart = (every - some) / others
    doubt = float(near_by.std()) / len(near_by) ** 0.5  # the standard error: a few pairs are alike by chance
    return float(float(near_by.mean()) - apart - doubt)


def alike(some: Vectors, others: Vectors) -> Vectors:
    """Return the cosine of each row with the row of the others in the same place."""
    return np.asarray(np.einsum("ij,ij->i", some, others), np.float32)


def trust(vectors: Vectors, pairs: Pairs, scale: Scale | None = None) -> float:
    """Return how far the order of records is taken to have a meaning: 0..1, by the `coherence` of those judged.

    `scale` is that of the model's cosines, None for the built-in one.
    """
    return float(_ramp(coherence(vectors, pairs) * (1.0 if scale is None else scale.slope), *COHERENT))


def said(trust: float, sizes: NDArray[Any], asking: Mask) -> NDArray[np.float64]:
    """Return what is left of the relevance of turns of a talk, of so many words, of which some ask something.

    A short turn, and one that asks, has the words and the subject of what is sought, as "Wow, did you like the
    concert?" has, and tells little of it.
    """
    short = np.maximum(0.0, 1 - sizes / WHOLE)
    return np.asarray((1 - trust * ASKING * asking) * (1 - trust * SHORT * short), np.float64)


def lending(values: Values, best: float) -> Mask:
    """Return which lenders of pairs lend anything, by their values and the best value."""
    return np.asarray(values > LEAST * best, np.bool_)


def lent(
    values: Values, best: float, vectors: Vectors, pairs: Pairs, trust: float, scale: Scale | None = None
) -> NDArray[np.float64]:
    """Return for each pair the fraction of the lender's components that the borrower gets.

    The pairs are by places in the vectors, `values` are those of their lenders, which are `lending`, `best` is the best
    of all; `trust` and `scale` are as in `trust`.
    """
    shares = np.where(pairs.answering, ANSWER, np.array(SHARES)[pairs.distances - 1])
    cosines = alike(vectors[pairs.lenders], vectors[pairs.borrowers])
    if scale is not None:
        cosines = scale.of(cosines)
    return np.asarray(trust * shares * (1 - LEAST * best / values) * (1 - _ramp(cosines, *REPEATS)), np.float64)


def _ramp(value: Any, low: float, high: float) -> Any:
    """Return 0 up to `low`, 1 from `high` on, and a straight line between."""
    return np.clip((value - low) / (high - low), 0.0, 1.0)
