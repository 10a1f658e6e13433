"""PageRank and communities of the whole graph that a caller may see, of code and of memories."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records.relations import label_of
from indelible.model import Record
from indelible.store.tables import records
from indelible.toolsets.code.impact import kind_of

if TYPE_CHECKING:
    from indelible.graph.analysis import Measures

# Imported late (start, cli): numpy

MOST = 10_000  # records of one ranking
DAMPING = 0.85
FEWEST = 50  # members of a community that are shown, if it has as many


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record and its PageRank, which sums to 1 over all records that have relations."""

    key: str
    kind: str
    label: str
    pagerank: float


@dataclass(frozen=True, slots=True)
class Division:
    """The most central records of the largest communities: the number of the community of each, and its PageRank.

    Communities are numbered from 0 by size; `sizes` and `modularity`, what each adds to that of the whole, are of all.
    """

    records: list[int]
    labels: list[int]
    ranks: list[float]
    sizes: list[int]
    modularity: list[float]


def pagerank(ctx: Context, top_k: int, damping: float = DAMPING) -> list[Ranked]:
    """The `top_k` records of the highest weighted PageRank, ties by kind, key, row id."""
    if top_k == 0:
        return []
    found = ctx.graph_scores.whole.measures(ctx.store, damping)
    with ctx.store.read() as tx:
        ids, ranks = _highest(found, top_k, visibility.hidden(ctx, tx, found.ids.tolist()))
        glimpses = records.glimpses(tx, ids, 0)
        order = sorted((-rank, glimpses[each], each) for each, rank in zip(ids, ranks, strict=True) if each in glimpses)
        best = [(record, -rank) for rank, _, record in order[:top_k]]
        known = records.by_ids(tx, [record for record, _ in best])
    ctx.call.touched.extend(known[record].key for record, _ in best)
    return [_ranked(known[record], rank) for record, rank in best]


def _ranked(record: Record, rank: float) -> Ranked:
    return Ranked(ids.shown_key(record.kind, record.key), kind_of(record), label_of(record), rank)


def _highest(found: "Measures", count: int, hidden: Collection[int]) -> tuple[list[int], list[float]]:
    """The records of the highest ranks that are not hidden, and all that have the same rank as the last of them."""
    import numpy as np

    seen = ~np.isin(found.ids, list(hidden))
    ids, ranks = found.ids[seen], found.pagerank[seen]
    if not len(ids):
        return [], []
    least = np.partition(ranks, -min(count, len(ids)))[-min(count, len(ids))]
    kept = np.flatnonzero(ranks >= least)
    return ids[kept].tolist(), ranks[kept].tolist()


def clusters(ctx: Context, resolution: float, communities: int, members: int) -> Division:
    """Communities by Leiden with a fixed seed; a `resolution` above 1 gives more and smaller ones.

    At most `communities` are returned, with about `members` in all, equally many of each, by PageRank, then row id.
    """
    import numpy as np

    found = ctx.graph_scores.whole.measures(ctx.store, DAMPING, resolution)
    sizes = np.bincount(found.community, minlength=len(found.modularity))
    order = np.lexsort((found.ids, -found.pagerank, found.community))
    place = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # within its community
    most = max(FEWEST, members // max(1, min(len(sizes), communities)))
    shown = order[(place < most) & (found.community[order] < communities)]
    return Division(
        found.ids[shown].tolist(),
        found.community[shown].tolist(),
        found.pagerank[shown].tolist(),
        sizes.tolist(),
        found.modularity.tolist(),
    )
