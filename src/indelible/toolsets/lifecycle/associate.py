"""The cycle `creative` (associate): relates memories of different types that share tags."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indelible.core.context.context import Context
from indelible.core.records import undo
from indelible.core.records.trust import is_confirmed
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import consolidation as rows
from indelible.toolsets.lifecycle import cycle as lifecycle_cycle
from indelible.toolsets.lifecycle.cycle import Cycle, Tally

if TYPE_CHECKING:
    from indelible.graph.associations import Flags, Floats, Ints, Pairs

# Imported late (start, cli): indelible.graph.associations, numpy

RELATION = "RELATES_TO"
ORIGIN = "consolidation"  # in the metadata of what a cycle made
TOGETHER = 32  # pairs that are related in one step


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Some pairs of memories of one namespace by row id, and the similarity of their tags (0..1)."""

    source: "Ints"
    target: "Ints"
    weight: "Floats"


def relate(ctx: Context) -> int:
    """Relate the memories of each namespace that share a tag, differ in type and are among each other's nearest.

    Returns the number of new relations, at most five a memory. Pairs that are related already, in either direction, are
    left as they are; a second run adds none. Only current and confirmed memories are related, since an unconfirmed
    capture must gain no weight, and no summaries, which are related to their sources already.
    """
    cycle = Cycle("creative", {}, _plan, _act, 1)
    return lifecycle_cycle.run(ctx, cycle, "new", lambda tally: tally.counts["new"])


def _plan(ctx: Context) -> list[_Pairs]:
    with ctx.store.read() as tx:
        names = records.namespaces(tx)
    return [some for name in names for some in _pairs(ctx, name)]


def _pairs(ctx: Context, namespace: str) -> Iterator[_Pairs]:
    """Yield the pairs of a namespace that are not related yet; the newer memory of a pair is the source."""
    import numpy as np

    from indelible.graph.associations import best_pairs

    ids, types, tags = _tagged(ctx, namespace)
    if len(set(types)) < 2:
        return
    found = best_pairs(types, tags)
    new = _unrelated(ctx, namespace, ids, found)
    source, target, weight = ids[found.low[new]], ids[found.high[new]], found.weight[new]
    for at in range(0, np.count_nonzero(new), TOGETHER):
        some = slice(at, at + TOGETHER)
        yield _Pairs(source[some], target[some], weight[some])


def _tagged(ctx: Context, namespace: str) -> "tuple[Ints, list[str], list[frozenset[str]]]":
    """Return row ids, types and tags of the memories that may be related, the newest first, then by id."""
    import numpy as np

    known: dict[tuple[str, tuple[str, ...]], tuple[str, frozenset[str]]] = {}  # most have the tags of others
    ids, created, shapes = [], [], []
    with ctx.store.read() as tx:
        for memory in rows.tagged(tx, namespace):
            ids.append(memory.id)
            created.append(memory.created)
            shapes.append(
                known.get((memory.type, memory.tags))
                or known.setdefault((memory.type, memory.tags), (memory.type, _compared(memory.tags)))
            )
    order = np.argsort(-np.array(created, np.int64), kind="stable")
    ordered = [shapes[at] for at in order.tolist()]
    return np.array(ids, np.int64)[order], [type_ for type_, _ in ordered], [own for _, own in ordered]


def _unrelated(ctx: Context, namespace: str, ids: "Ints", found: "Pairs") -> "Flags":
    """Return, for each pair of positions in `ids`, whether it has no relation yet."""
    import numpy as np

    with ctx.store.read() as tx:
        related = np.fromiter(rows.relating(tx, namespace), np.dtype("i8,i8"))
    order = np.argsort(ids)
    ends = [order[np.searchsorted(ids, related[end], sorter=order) % len(ids)] for end in ("f0", "f1")]
    there = (ids[ends[0]] == related["f0"]) & (ids[ends[1]] == related["f1"])  # others are of other memories
    known = np.minimum(*ends)[there] * len(ids) + np.maximum(*ends)[there]
    new: Flags = ~np.isin(found.low * len(ids) + found.high, known)
    return new


def _compared(tags: Sequence[str]) -> frozenset[str]:
    """Return tags in the form for comparison: normalized to NFC and case-folded."""
    return frozenset(unicodedata.normalize("NFC", tag).casefold() for tag in tags)


def _act(ctx: Context, tx: Transaction, parts: Sequence[_Pairs]) -> Tally:
    return sum((_relate(ctx, tx, part) for part in parts), Tally())


def _relate(ctx: Context, tx: Transaction, pairs: _Pairs) -> Tally:
    ids = sorted({*pairs.source.tolist(), *pairs.target.tolist()})
    found = records.by_ids(tx, ids)
    known = {frozenset((edge.source, edge.target)) for edge in edges.among(tx, ids, [RELATION])}
    now, made = ctx.now(), []
    for one, other, weight in zip(pairs.source.tolist(), pairs.target.tolist(), pairs.weight.tolist(), strict=True):
        source, target = found.get(one), found.get(other)
        if source is None or target is None or not _is_pair(source, target) or {one, other} in known:
            continue
        edge = Edge(one, other, RELATION, RELATION, weight, now, {"origin": ORIGIN, "cycle": "creative"})
        edges.add(tx, edge)
        made.append(edge)
    if made:
        first = found[made[0].source]
        undo.note(ctx, tx, undo.Added(first.key, first.namespace, edges=made))
    return Tally(Counter(new=len(made)), touched=tuple(found[edge.source].key for edge in made))


def _is_pair(one: Record, other: Record) -> bool:
    """Return whether two memories still fulfil the conditions under which they were paired."""
    if one.replaced or other.replaced or one.type == other.type or one.namespace != other.namespace:
        return False
    return is_confirmed(one) and is_confirmed(other) and bool(_compared(one.tags) & _compared(other.tags))
