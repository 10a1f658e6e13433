"""Ranking of solutions by similarity of problem and query, boosted by the likeness of their repositories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indelible.core.context import visibility
from indelible.core.context.context import Context
from indelible.core.indexes.record_index import Caches
from indelible.core.recall.returned import returned
from indelible.core.recall.unembedded import settled
from indelible.embed.base import Embedding
from indelible.model import Record
from indelible.search import rewards
from indelible.search.rewards import ContextBoost
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views.solutions import FAILURE, SOLUTION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.search.index.experience import Experience
    from indelible.search.index.slots import Ints, Mask

    Values = NDArray[np.floating[Any]]

# Imported late (start, cli): indelible.search.evidence, numpy

MOST = 10_000  # results of one recall
RELATED = 2  # failures that are shown with solutions
RELATED_FROM = 0.5  # similarity


@dataclass(frozen=True, slots=True)
class Match:
    """A solution or failure with its similarity, boosted and unrounded; `uses` is how often it was recalled before."""

    record: Record
    similarity: float
    uses: int = 0
    boost: ContextBoost | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """The best solutions, how many match in all, and similar failures."""

    solutions: list[Match]
    total: int
    failures: list[Match]


def recall(ctx: Context, query: str, limit: int, least: float, scope: str | None) -> Recalled:
    """The solutions whose similarity is at least `least`, by similarity x score, ties by newest, then id.

    The similarity is the cosine of query and problem, times the boost of the repository. Solutions without an embedding
    are compared by words instead: by the weighted share of the query's words that they have, which is 0..1 too and is
    ranked among the cosines. Every visible solution is compared, so that the total is exact.
    """
    import numpy as np

    asked = ctx.embedder.question(query)
    with settled(ctx, query, (SOLUTION, FAILURE)) as tx:
        model = ctx.embedder.model if asked is not None else None
        with ctx.index.current(tx, model, experience=True) as caches:
            search = _Search(ctx, tx, query, caches, asked)
            mask = search.experience.mask(SOLUTION, scope, visibility.hidden_groups(ctx, tx))
            similarities = search.similarities(mask) * search.factors()
            rows = np.flatnonzero(mask & (similarities >= least))
            ranks = similarities[rows] * search.experience.scores[rows]
            best = search.best(rows, ranks, limit)
            found = [(int(search.experience.records[row]), float(similarities[row])) for row in best]
            labels = {record: search.label(row) for row, (record, _) in zip(best, found, strict=True)}
            order = {id_: near * search.experience.scores[row] for row, (id_, near) in zip(best, found, strict=True)}
            related = search.failures()
        solutions = _matches(ctx, tx, found, labels)
        solutions.sort(key=lambda m: (-order[m.record.id], -m.record.created, m.record.key))
        failures = _matches(ctx, tx, related, {})
        failures.sort(key=lambda m: (-m.similarity, -m.record.created, m.record.key))
    result = Recalled(solutions[:limit], len(rows), failures[:RELATED])
    shown = [match.record for match in (*result.solutions, *result.failures)]
    returned(ctx, shown)
    return result


def _matches(
    ctx: Context, tx: Transaction, found: Sequence[tuple[int, float]], labels: dict[int, ContextBoost | None]
) -> list[Match]:
    ids = [record for record, _ in found]
    known, used = records.by_ids(tx, ids), ctx.write_behind.access_of(tx, ids)
    return [
        Match(known[id_], similarity, used[id_].count if id_ in used else 0, labels.get(id_))
        for id_, similarity in found
        if id_ in known
    ]


class _Search:
    """One query over the solutions and failures of a transaction; results are row numbers of the cache."""

    def __init__(self, ctx: Context, tx: Transaction, query: str, caches: Caches, asked: Embedding | None):
        assert caches.experience is not None
        self.experience: Experience = caches.experience
        self._query, self._words = query, caches.words
        dense = None if asked is None else asked.dense[0]
        # a query of other dimensions is another model's
        is_known = dense is not None and len(dense) == self.experience.dimensions
        self._cosines = self.experience.cosines(dense) if dense is not None and is_known else None
        groups, stacks = self.experience.groups, self.experience.stacks
        own = ctx.scope(tx).own_among({namespace for namespace, _, _ in groups if namespace})
        self._by_group = [rewards.boost(namespace in own, 0.0) for namespace, _, _ in groups]
        location = visibility.own_location(ctx, tx)
        self._by_stack = [rewards.boost(False, near) for near in ctx.repository.alike(location, stacks)]

    def similarities(self, mask: "Mask") -> "Values":
        """Return the similarity of each row under the mask (others: any value), without the repository's boost."""
        import numpy as np

        found = np.zeros(len(mask))
        embedded = np.zeros(len(mask), np.bool_)
        if self._cosines is not None:
            embedded = self.experience.embedded
            found[embedded] = np.minimum(1.0, self._cosines[embedded])
        unembedded = np.flatnonzero(mask & ~embedded)
        if len(unembedded):
            found[unembedded] = self._shares(unembedded)
        return found

    def _shares(self, rows: "Ints") -> "Values":
        """The share of the query's words, by weight, that each row's text has."""
        import numpy as np

        from indelible.search import evidence

        question = evidence.question(self._query, self._query, self._words)
        slots = self._words.slots_of(self.experience.records[rows].tolist())
        here = slots >= 0
        shares = np.zeros(len(rows))
        shares[here] = evidence.worded(question, slots[here]).shares
        return shares

    def factors(self) -> "Values":
        """Return the factor by which each row's repository boosts its similarity."""
        import numpy as np

        same = np.array([factor for factor, _ in self._by_group])[self.experience.group]
        similar = np.array([factor for factor, _ in self._by_stack])[self.experience.stack]
        return np.where(same > 1, same, similar)

    def label(self, row: int) -> ContextBoost | None:
        """Why a row's similarity is boosted."""
        _, same = self._by_group[int(self.experience.group[row])]
        _, similar = self._by_stack[int(self.experience.stack[row])]
        return same or similar

    def best(self, rows: "Ints", ranks: "Values", limit: int) -> list[int]:
        """The `limit` rows of the highest rank, then newest, and those that share the last one's place."""
        import numpy as np

        if limit == 0 or not len(rows):
            return []
        created = self.experience.created[rows]
        order = np.lexsort((-created, -ranks))
        last = order[min(limit, len(order)) - 1]
        tied = (ranks[order] == ranks[last]) & (created[order] == created[last])
        end = max(limit, int(np.flatnonzero(tied)[-1]) + 1)
        chosen: list[int] = rows[order[:end]].tolist()
        return chosen

    def failures(self) -> list[tuple[int, float]]:
        """The nearest failures of all repositories: record and similarity."""
        import numpy as np

        mask = self.experience.mask(FAILURE, None, ())
        similarities = self.similarities(mask)
        rows = np.flatnonzero(mask & (similarities >= RELATED_FROM))
        chosen = self.best(rows, similarities[rows], RELATED)
        return [(int(self.experience.records[row]), float(similarities[row])) for row in chosen]
