"""The communities of the graph as answers show them: with names, and their most central members first."""

from collections import Counter
from collections.abc import Sequence

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.records.relations import LABEL
from indelible.dataclass import dataclass
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
    """The 100 largest communities; `count` and `modularity` are of the whole division."""

    count: int
    modularity: float
    clusters: tuple[Shown, ...]


def get_clusters(ctx: Context, resolution: float) -> Clusters:
    """Return the communities of the part of the graph that the caller sees, the largest first.

    At most 500 members are named in all, by PageRank, with an equal limit for each community.
    """
    found = pagerank.clusters(ctx, resolution, MOST_CLUSTERS, LOOKED_AT)
    with ctx.store.read() as tx:
        hidden = visibility.hidden(ctx, tx, found.records)
        known = records.glimpses(tx, set(found.records) - hidden, LABEL)
        paths = symbols.paths(tx, found.records)
    members, labels = [], []
    for record, label, rank in zip(found.records, found.labels, found.ranks, strict=True):
        if record in known:  # neither hidden nor deleted by another call meanwhile
            kind, key, name = known[record]
            members.append(Member(ids.shown_key(kind, key), name, paths.get(record, ""), rank))
            labels.append(label)
    hidden_in = Counter(label for record, label in zip(found.records, found.labels, strict=True) if record not in known)
    visible = [
        (each, found.sizes[each.number] - hidden_in[each.number])
        for each in clusters.clusters(members, labels, found.modularity)
    ]
    visible.sort(key=lambda pair: (-pair[1], pair[0].number))
    most = _share([len(each.members) for each, _ in visible], MOST_MEMBERS)
    return Clusters(
        len(found.sizes) - (min(len(found.sizes), MOST_CLUSTERS) - len(visible)),
        sum(found.modularity, 0.0),
        tuple(_shown(number, each, size, most) for number, (each, size) in enumerate(visible)),
    )


def _share(sizes: Sequence[int], room: int) -> int:
    """Return the most members to show of each community, so that those of all fit into `room`."""
    most = min(max(sizes, default=0), room)
    while most > 1 and sum(min(size, most) for size in sizes) > room:
        most -= 1
    return most


def _shown(number: int, cluster: Cluster, size: int, most: int) -> Shown:
    return Shown(number, size, cluster.label, tuple(each.key for each in cluster.members[:most]))
