"""The cycle `creative` (associate): relates memories of different types that share tags."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indelible.core.context.context import Context
from indelible.core.records import undo
from indelible.core.records.trust import is_confirmed
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import consolidation as rows
from indelible.toolsets.lifecycle import cycle as lifecycle_cycle
from indelible.toolsets.lifecycle import evidence
from indelible.toolsets.lifecycle.cycle import Cycle, Tally

if TYPE_CHECKING:
    from indelible.graph.associations import Pairs

# Imported late (start, cli): indelible.graph.associations

RELATION = "RELATES_TO"
ORIGIN = "consolidation"  # in the metadata of what a cycle made
TOGETHER = 32  # pairs that are related in one step


def relate(ctx: Context) -> int:
    """Relate the memories of each namespace that share a tag, differ in type and are among each other's nearest.

    Returns the number of new relations, at most five a memory. Pairs that are related already, in either direction, are
    left as they are; a second run adds none. Only current and confirmed memories are related, since an unconfirmed
    capture must gain no weight, no summaries, which are related to their sources already, and none that have expired,
    are not true now or speak of code which is gone.
    """
    cycle = Cycle("creative", {}, _plan, _act, 1)
    return lifecycle_cycle.run(ctx, cycle, "new", lambda tally: tally.counts["new"])


def _plan(ctx: Context) -> "list[Pairs]":
    with ctx.store.read() as tx:
        names = records.namespaces(tx)
    return [some for name in names for some in _pairs(ctx, name)]


def _pairs(ctx: Context, namespace: str) -> "Iterator[Pairs]":
    """Yield the pairs of a namespace by row id that are not related yet, the newer memory of each first."""
    from indelible.graph.associations import best_pairs

    ids, types, tags = _tagged(ctx, namespace)
    if len(set(types)) < 2:
        return
    found = best_pairs(types, tags)
    with ctx.store.read() as tx:
        found = found.unrelated(ids, rows.relating(tx, namespace))
    yield from found.of(ids).batches(TOGETHER)


def _tagged(ctx: Context, namespace: str) -> tuple[list[int], list[str], list[frozenset[str]]]:
    """Return row ids, types and tags of the memories that may be related, the newest first, then by key."""
    known: dict[tuple[str, tuple[str, ...]], tuple[str, frozenset[str]]] = {}  # most have the tags of others
    found = []
    with ctx.store.read() as tx:
        without = evidence.none_in(ctx, tx, namespace)
        for memory in rows.tagged(tx, namespace):
            if memory.id in without:
                continue
            shape = known.get((memory.type, memory.tags))
            if shape is None:
                shape = known[memory.type, memory.tags] = (memory.type, _compared(memory.tags))
            found.append((memory.created, memory.id, shape))
    found.sort(key=lambda row: -row[0])
    return [id_ for _, id_, _ in found], [type_ for *_, (type_, _) in found], [tags for *_, (_, tags) in found]


def _compared(tags: Sequence[str]) -> frozenset[str]:
    """Return tags in the form for comparison: normalized to NFC and case-folded."""
    return frozenset(unicodedata.normalize("NFC", tag).casefold() for tag in tags)


def _act(ctx: Context, tx: Transaction, parts: "Sequence[Pairs]") -> Tally:
    return sum((_relate(ctx, tx, part) for part in parts), Tally())


def _relate(ctx: Context, tx: Transaction, pairs: "Pairs") -> Tally:
    ids = sorted({end for one, other, _ in pairs for end in (one, other)})
    there = records.by_ids(tx, ids)
    without = evidence.none_among(ctx, tx, there)
    found = {record: each for record, each in there.items() if record not in without}
    known = {frozenset((edge.source, edge.target)) for edge in edges.among(tx, ids, [RELATION])}
    now, made = ctx.now(), []
    for one, other, weight in pairs:
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
