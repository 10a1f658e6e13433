"""Ranking of solutions by similarity of problem and query, boosted by the likeness of their repositories."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from indelible.clock import sortable_text
from indelible.core.context import visibility
from indelible.core.context.context import Context
from indelible.core.recall.returned import returned
from indelible.core.recall.unembedded import embedding_of, settled
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.search import rewards
from indelible.search.rewards import ContextBoost
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import lifetimes
from indelible.store.views.solutions import FAILURE, SOLUTION
from indelible.toolsets import shapes

if TYPE_CHECKING:
    from indelible.search.subjects import Found

# Imported late (start, cli): indelible.search.subjects

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
    stands: Mapping[str, Any] = field(default_factory=dict)  # see `shapes.standings`


@dataclass(frozen=True, slots=True)
class Recalled:
    """The best solutions, how many match in all, and similar failures."""

    solutions: list[Match]
    total: int
    failures: list[Match]


def recall(ctx: Context, query: str, limit: int, least: float, scope: str | None) -> Recalled:
    """The solutions whose similarity is at least `least`, by similarity x score, ties by newest, then id.

    The similarity is that of query and problem (see `search/subjects`), times the boost of the repository. Every
    visible solution that has not expired is compared, so that the total is exact.
    """
    from indelible.search.subjects import Comparison

    with settled(ctx, query, (SOLUTION, FAILURE)) as (tx, question):
        asked = embedding_of(ctx, question)
        expired = lifetimes.expired(tx, sortable_text(ctx.now()))
        hidden, location = visibility.hidden_groups(ctx, tx), ctx.scope(tx).location
        with ctx.indexes.records.current(
            tx, ctx.embedder.model if asked is not None else None, experience=True
        ) as caches:
            experience = caches.experience
            assert experience is not None
            own = ctx.scope(tx).own_among({namespace for namespace, _, _ in experience.groups if namespace})
            same = [rewards.boost(namespace in own, 0.0) for namespace, _, _ in experience.groups]
            similar = [rewards.boost(False, near) for near in ctx.indexes.repository.alike(location, experience.stacks)]
            compared = Comparison(query, caches.words, experience, None if asked is None else asked.dense[0])
            factors = [factor for factor, _ in same], [factor for factor, _ in similar]
            found, total = compared.solutions(SOLUTION, scope, hidden, factors, least, limit, expired)
            related = compared.failures(FAILURE, RELATED_FROM, RELATED)
        labels = {each.record: same[each.group][1] or similar[each.stack][1] for each in found}
        ranks = {each.record: each.rank for each in found}
        solutions = _matches(ctx, tx, found, labels)
        solutions.sort(key=lambda m: (-ranks[m.record.id], -m.record.created, m.record.key))
        failures = _matches(ctx, tx, related, {})
        failures.sort(key=lambda m: (-m.similarity, -m.record.created, m.record.key))
    result = Recalled(solutions[:limit], total, failures[:RELATED])
    shown = [match.record for match in (*result.solutions, *result.failures)]
    returned(ctx, shown)
    return result


def _matches(
    ctx: Context, tx: Transaction, found: "Sequence[Found]", labels: dict[int, ContextBoost | None]
) -> list[Match]:
    ids = [each.record for each in found]
    known, used = records.by_ids(tx, ids), ctx.write_behind.access_of(tx, ids)
    stand = shapes.standings(ctx, tx, list(known.values()))
    return [
        Match(known[id_], each.similarity, used[id_].count if id_ in used else 0, labels.get(id_), stand[id_])
        for each in found
        if (id_ := each.record) in known
    ]
