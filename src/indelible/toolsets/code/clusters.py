"""The communities of the graph as a caller can read them: named by what they are about, the most central first."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records.relations import LABEL
from indelible.source import clusters
from indelible.source.clusters import Cluster, Member
from indelible.store.tables import records, symbols
from indelible.toolsets.code import pagerank

MOST_MEMBERS = 500  # of all communities together that an answer names
MOST_CLUSTERS = 100
LOOKED_AT = 5_000  # members of all of them, the most central, by which they are named


@dataclass(frozen=True, slots=True)
class Shown:
    """A community: how many records are in it, and the ids of its most central ones."""

    number: int
    size: int
    label: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clusters:
    """`count` and `modularity` are of the whole division; of the communities the 100 largest are told."""

    count: int
    modularity: float
    clusters: tuple[Shown, ...]


def get_clusters(ctx: Context, resolution: float) -> Clusters:
    """The communities of what the caller sees of the graph, the largest first.

    500 members are named in all, by PageRank: every one of a small graph, of a large one as many of each community.
    """
    found = pagerank.clusters(ctx, resolution, MOST_CLUSTERS, LOOKED_AT)
    with ctx.store.read() as tx:
        hidden = visibility.hidden(ctx, tx, found.records)
        known = records.glimpses(tx, ctx.tenant, set(found.records) - hidden, LABEL)
        paths = symbols.paths(tx, ctx.tenant, found.records)
    members, labels = [], []
    for record, label, rank in zip(found.records, found.labels, found.ranks, strict=True):
        if record in known:  # neither hidden nor deleted by another call meanwhile
            kind, key, name = known[record]
            members.append(Member(ids.shown_key(kind, key), name, paths.get(record, ""), rank))
            labels.append(label)
    hidden_in = Counter(label for record, label in zip(found.records, found.labels, strict=True) if record not in known)
    told = [
        (each, found.sizes[each.number] - hidden_in[each.number])
        for each in clusters.clusters(members, labels, found.modularity)
    ]
    told.sort(key=lambda pair: (-pair[1], pair[0].number))
    most = _share([len(each.members) for each, _ in told], MOST_MEMBERS)
    return Clusters(
        len(found.sizes) - (min(len(found.sizes), MOST_CLUSTERS) - len(told)),
        sum(found.modularity, 0.0),
        tuple(_shown(number, each, size, most) for number, (each, size) in enumerate(told)),
    )


def _share(sizes: Sequence[int], room: int) -> int:
    """The most members of each community, so that those of all are no more than there is room for."""
    most = min(max(sizes, default=0), room)
    while most > 1 and sum(min(size, most) for size in sizes) > room:
        most -= 1
    return most


def _shown(number: int, cluster: Cluster, size: int, most: int) -> Shown:
    return Shown(number, size, cluster.label, tuple(each.key for each in cluster.members[:most]))
