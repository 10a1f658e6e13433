"""PageRank and communities of the whole graph that a caller may see, of code and of memories."""

from typing import TYPE_CHECKING

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records.relations import label_of
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.tables import records
from indelible.toolsets.code.impact import kind_of

if TYPE_CHECKING:
    from indelible.graph.analysis import Division

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


def pagerank(ctx: Context, top_k: int, damping: float = DAMPING) -> list[Ranked]:
    """The `top_k` records of the highest weighted PageRank, ties by kind, key, row id."""
    if top_k == 0:
        return []
    found = ctx.indexes.graph.whole.measures(ctx.store, damping)
    with ctx.store.read() as tx:
        ids, ranks = found.highest(top_k, visibility.hidden(ctx, tx, found.ids.tolist()))
        glimpses = records.glimpses(tx, ids, 0)
        order = sorted((-rank, glimpses[each], each) for each, rank in zip(ids, ranks, strict=True) if each in glimpses)
        best = [(record, -rank) for rank, _, record in order[:top_k]]
        known = records.by_ids(tx, [record for record, _ in best])
    ctx.call.touched.extend(known[record].key for record, _ in best)
    return [_ranked(known[record], rank) for record, rank in best]


def _ranked(record: Record, rank: float) -> Ranked:
    return Ranked(ids.shown_key(record.kind, record.key), kind_of(record), label_of(record), rank)


def clusters(ctx: Context, resolution: float, communities: int, members: int) -> "Division":
    """Communities by Leiden with a fixed seed; a `resolution` above 1 gives more and smaller ones.

    At most `communities` are returned, with about `members` in all, equally many of each, by PageRank, then row id.
    """
    found = ctx.indexes.graph.whole.measures(ctx.store, DAMPING, resolution)
    return found.division(communities, members, FEWEST)
