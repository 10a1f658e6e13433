"""Solutions and failures by the similarity of their subjects to a query, over the arrays of an index.

The similarity is the cosine of query and subject. What has no embedding is compared by words instead: by the weighted
share of the query's words that it has, which is 0..1 too and is ranked among the cosines.
"""

from collections.abc import Collection, Sequence

import numpy as np

from indelible.dataclass import dataclass
from indelible.search import evidence
from indelible.search.index.experience import Experience
from indelible.search.index.postings import Postings
from indelible.search.index.slots import Group, Ints, Mask
from indelible.search.relevance import Floats, Vectors


@dataclass(frozen=True, slots=True)
class Found:
    """A record, its similarity with the boost of its repository, and what it is ranked by.

    `group` and `stack` number the groups and fingerprints of the index.
    """

    record: int
    similarity: float
    rank: float
    group: int
    stack: int


class Comparison:
    """One query with all solutions and failures of an index."""

    def __init__(self, query: str, words: Postings, experience: Experience, dense: Vectors | None) -> None:
        """`dense` is a unit vector; one of other dimensions is another model's, and counts as none."""
        self._query, self._words, self._experience = query, words, experience
        is_known = dense is not None and len(dense) == experience.dimensions
        self._cosines = experience.cosines(dense) if dense is not None and is_known else None

    def solutions(
        self,
        kind: str,
        scope: str | None,
        without: Collection[Group],
        boosts: tuple[Sequence[float], Sequence[float]],
        least: float,
        limit: int,
        excluded: Collection[int] = (),
    ) -> tuple[list[Found], int]:
        """Return the best `limit` by similarity x score, and how many there are; see `_best` for ties.

        Those of a kind and scope, of no group of `without`, none of `excluded`, whose similarity is at least `least`.
        `boosts` are the factors of each group (above 1 where it is the caller's repository) and of each fingerprint.
        """
        experience = self._experience
        mask = experience.mask(kind, scope, without)
        if excluded:
            mask &= ~np.isin(experience.records, list(excluded))
        same, similar = (np.array(each) for each in boosts)
        factors = np.where(same[experience.group] > 1, same[experience.group], similar[experience.stack])
        similarities = self._similarities(mask) * factors
        rows = np.flatnonzero(mask & (similarities >= least))
        return self._best(rows, similarities[rows], similarities[rows] * experience.scores[rows], limit), len(rows)

    def failures(self, kind: str, least: float, limit: int) -> list[Found]:
        """Return the most similar `limit` of a kind, of all repositories."""
        mask = self._experience.mask(kind, None, ())
        similarities = self._similarities(mask)
        rows = np.flatnonzero(mask & (similarities >= least))
        return self._best(rows, similarities[rows], similarities[rows], limit)

    def _similarities(self, mask: Mask) -> Floats:
        """Return the similarity of each row under the mask (others: any value), without the repository's boost."""
        found = np.zeros(len(mask))
        embedded = np.zeros(len(mask), np.bool_)
        if self._cosines is not None:
            embedded = self._experience.embedded
            found[embedded] = np.minimum(1.0, self._cosines[embedded])
        unembedded = np.flatnonzero(mask & ~embedded)
        if len(unembedded):
            found[unembedded] = self._shares(unembedded)
        return found

    def _shares(self, rows: Ints) -> Floats:
        """Return the share of the query's words, by weight, that each row's text has."""
        question = evidence.question(self._query, self._query, self._words)
        slots = self._words.slots_of(self._experience.records[rows])
        here = slots >= 0
        shares = np.zeros(len(rows))
        shares[here] = evidence.worded(question, slots[here]).shares
        return shares

    def _best(self, rows: Ints, similarities: Floats, ranks: Floats, limit: int) -> list[Found]:
        """Return the `limit` of the highest rank, then newest, and those that share the last one's place."""
        if limit == 0 or not len(rows):
            return []
        experience = self._experience
        created = experience.created[rows]
        order = np.lexsort((-created, -ranks))
        last = order[min(limit, len(order)) - 1]
        tied = (ranks[order] == ranks[last]) & (created[order] == created[last])
        order = order[: max(limit, int(np.flatnonzero(tied)[-1]) + 1)]
        chosen = rows[order]
        columns = (
            experience.records[chosen],
            similarities[order],
            ranks[order],
            experience.group[chosen],
            experience.stack[chosen],
        )
        return [Found(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
