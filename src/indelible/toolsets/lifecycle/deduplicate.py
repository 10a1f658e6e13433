"""The cycle `cluster` (deduplicate): merges memories that differ only in white space and final punctuation."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from indelible.clock import sortable_text
from indelible.core.context.context import Context
from indelible.core.records import lifetimes, trash, undo
from indelible.core.records.bounds import MOST_TAGS
from indelible.core.records.lifetimes import EXPIRES_AT, PINNED
from indelible.core.records.trust import is_confirmed
from indelible.core.records.undo import Added, Counted
from indelible.dataclass import dataclass
from indelible.model import Access, Edge, Record
from indelible.search import duplicates
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import access, edges, records
from indelible.store.views import consolidation as rows
from indelible.toolsets.lifecycle import cycle as lifecycle_cycle
from indelible.toolsets.lifecycle import evidence
from indelible.toolsets.lifecycle.cycle import Cycle, Tally

TOGETHER = 50  # memories that are merged in one step


@dataclass(frozen=True, slots=True)
class _Duplicates:
    """Some duplicates of one content by row id; `stayed` are the memories kept of earlier parts of the group."""

    ids: list[int]
    stayed: list[int]
    is_first: bool


def merge_duplicates(ctx: Context) -> tuple[int, int]:
    """Merge the duplicates within each namespace and type into one memory; return how many were removed and kept.

    The most important memory is kept, of equal ones the newest; but an unconfirmed capture never replaces a confirmed
    memory. It gets the tags, relations and access counts of the others, and is pinned if one of them is; it expires
    when the last of them would, and never if one of them never does, but no capture makes a confirmed one last longer.
    Memories that are true at other times say other things. Those that were replaced or have expired are history, and
    are left alone.
    """
    cycle = Cycle("cluster", {}, _plan, _act, 1)
    return lifecycle_cycle.run(ctx, cycle, "merged", lambda tally: (tally.counts["merged"], tally.counts["kept"]))


def _plan(ctx: Context) -> list[_Duplicates]:
    with ctx.store.read() as tx:
        expired = evidence.expired(ctx, tx)
        groups = [
            group
            for name in records.namespaces(tx)
            for group in duplicates.groups(each for each in rows.texts(tx, name) if each[0] not in expired)
        ]
    return [part for group in groups for part in _parts(group)]


def _parts(group: list[int]) -> Iterator[_Duplicates]:
    """Yield a group in parts; the memory kept of each part is merged with the next."""
    stayed: list[int] = []
    for at in range(0, len(group), TOGETHER):
        yield _Duplicates(group[at : at + TOGETHER], stayed, at == 0)


def _act(ctx: Context, tx: Transaction, parts: Sequence[_Duplicates]) -> Tally:
    return sum((_merge(ctx, tx, part) for part in parts), Tally())


def _merge(ctx: Context, tx: Transaction, part: _Duplicates) -> Tally:
    ids = list(dict.fromkeys([*part.stayed, *part.ids]))
    now = sortable_text(ctx.now())
    there = records.by_ids(tx, ids).values()
    found = [record for record in there if not record.replaced and not lifetimes.has_expired(record, now)]
    alike = {
        (each.namespace, each.type, *lifetimes.true_at(each.metadata), duplicates.digest(each.text)) for each in found
    }
    if len(found) < 2 or len(alike) > 1:  # changed since
        return Tally()
    kept = min(found, key=lambda r: (not is_confirmed(r), -r.importance, -r.created, r.key))
    part.stayed.append(kept.id)  # beside the earlier ones: the transaction may be tried again
    going = [record for record in found if record.id != kept.id]
    tags = tuple(islice(dict.fromkeys(tag for record in (kept, *going) for tag in record.tags), MOST_TAGS))
    tags = max(tags, kept.tags, key=len)  # an older version let more in: they stay
    metadata = _lasting(kept, going)
    if tags != kept.tags or metadata != kept.metadata:
        trash.overwrite(ctx, tx, kept, replace(kept, tags=tags, metadata=metadata))
    made = _take_over(ctx, tx, kept, [record.id for record in going])
    counted = _add_up(ctx, tx, kept, going)
    undo.note(ctx, tx, Added(kept.key, kept.namespace, edges=made, accesses=counted))
    trash.delete_all(ctx, tx, [record.id for record in going])
    return Tally(
        Counter(merged=len(going), kept=int(part.is_first)), touched=(kept.key, *(record.key for record in going))
    )


def _lasting(kept: Record, going: Sequence[Record]) -> dict[str, Any]:
    """Return the metadata of the kept memory with the pin of any, and with the last end that all of them have."""
    new = {name: value for name, value in kept.metadata.items() if name != EXPIRES_AT}
    alike = [kept, *(each for each in going if is_confirmed(each) or not is_confirmed(kept))]
    ends = [end for each in alike if isinstance(end := each.metadata.get(EXPIRES_AT), str)]
    new |= {EXPIRES_AT: max(ends)} if len(ends) == len(alike) else {}
    return new | ({PINNED: True} if any(each.metadata.get(PINNED) is True for each in going) else {})


def _take_over(ctx: Context, tx: Transaction, kept: Record, going: Sequence[int]) -> list[Edge]:
    """Move the relations of the removed memories to the kept one, and return the new ones.

    Relations that the kept one has already are unchanged. Relations to records that the caller must not see are moved
    too, since they would be lost.
    """
    everything, group = whole(tx), {kept.id, *going}
    made = []
    for edge in edges.of_records(everything, going):
        if {edge.source, edge.target} <= group:
            continue
        source, target = (kept.id if end in group else end for end in (edge.source, edge.target))
        moved = replace(edge, id=0, source=source, target=target)
        if edges.add(everything, moved):
            made.append(moved)
    return made


def _add_up(ctx: Context, tx: Transaction, kept: Record, going: Sequence[Record]) -> dict[int, Counted]:
    """Add the access counts of the removed memories to the kept one; return its counts before and after."""
    used = access.of_records(tx, [kept.id, *(record.id for record in going)])
    before = used.pop(kept.id, None)
    if not used:
        return {}
    others = Access(sum(each.count for each in used.values()), max(each.last for each in used.values()))
    access.add(tx, {kept.id: others})
    return {kept.id: (before, access.of_records(tx, [kept.id])[kept.id])}
