"""Noting what changed on this machine: every record and relation is compared with the state in which it was noted last.

By comparing states and not from a log of changes, which is kept for some days only: a machine may be away for longer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from indelible.admin.sync import contents
from indelible.admin.sync.stamps import Clock, seen_with
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records, settings, sync_states, trash
from indelible.store.tables.sync_states import DELETED, EDGE, HERE, RECORD, SyncState

CLOCK = "sync clock"  # a setting


@dataclass(frozen=True, slots=True)
class Change:
    """A change, an addition or a deletion on this machine: its row (0 for none), its digest, and when that was."""

    uid: str
    part: str
    local_id: int
    digest: str
    moment: int


def clock_of(tx: Transaction, machine: str) -> Clock:
    """Return the clock of this machine."""
    return Clock.restored(machine, settings.find(tx, CLOCK))


def keep_clock(tx: Transaction, clock: Clock) -> None:
    """Store the clock of this machine."""
    settings.put(tx, CLOCK, clock.stored())


def note(ctx: Context, machine: str) -> int:
    """Stamp what changed since the last time; return how much that was."""
    now = ctx.now()
    here = [*_changed_records(ctx, now), *_changed_edges(ctx, now)]
    there = {each.uid for each in here}
    gone = [each for each in _gone(ctx, now) if each.uid not in there]
    found = sorted((*here, *gone), key=lambda each: (each.moment, each.uid))
    for at in range(0, len(found), sync_states.PAGE):
        ctx.store.write(partial(_stamp, machine, found[at : at + sync_states.PAGE]))
    return len(found)


def _stamp(machine: str, some: Sequence[Change], tx: Transaction) -> None:
    clock = clock_of(tx, machine)
    known = sync_states.of(tx, [each.uid for each in some])
    sync_states.put(tx, [stamped(clock, each, known.get(each.uid)) for each in map(partial(_own, tx, known), some)])
    keep_clock(tx, clock)


def _own(tx: Transaction, known: Mapping[str, SyncState], change: Change) -> Change:
    """Return a change under a uid of its own: an undo may bring back a record whose uid another one has by now."""
    state = known.get(change.uid)
    if state is None or not change.local_id or state.state == DELETED or state.local_id == change.local_id:
        return change
    if state.state == HERE and not sync_states.has_uid(tx, state):
        return change
    return renamed(tx, change)


def renamed(tx: Transaction, change: Change) -> Change:
    """Give what was changed another uid."""
    uid = records.new_uid()
    sync_states.rename(tx, change.part, change.local_id, uid)
    return replace(change, uid=uid)


def stamped(clock: Clock, change: Change, before: SyncState | None) -> SyncState:
    """Return the state after a change on this machine."""
    stamp = clock.tick(change.moment)
    return SyncState(
        change.uid,
        change.part,
        HERE if change.local_id else DELETED,
        change.local_id,
        digest=change.digest,
        stamp=stamp,
        seen=seen_with(stamp, before.seen if before else {}),
    )


def _changed_records(ctx: Context, now: int) -> Iterator[Change]:
    last = 0
    while True:
        with ctx.store.read() as tx:
            page = records.after(tx, last, sync_states.PAGE)
            if not page:
                return
            found = changed(tx, page, now)
        yield from found
        last = page[-1].id


def changed(tx: Transaction, page: Iterable[Record], now: int) -> list[Change]:
    """Return the changes of those records that are not as they were noted."""
    synced = [record for record in page if record.kind in contents.KINDS_SYNCED]
    known = sync_states.of(tx, [record.uid for record in synced])
    now_in_them = contents.of_records(tx, synced)
    found = []
    for record in synced:
        state, digest = known.get(record.uid), contents.digest(now_in_them[record.id])
        if state is None or (state.state, state.local_id, state.digest) != (HERE, record.id, digest):
            found.append(Change(record.uid, RECORD, record.id, digest, min(now, max(record.created, record.updated))))
    return found


def _gone(ctx: Context, now: int) -> Iterator[Change]:
    """Yield the deletions since the last time, each of its own moment, as the trash has it: a later edit holds."""
    with ctx.store.read() as tx:
        states = list(sync_states.gone(tx))
        for at in range(0, len(states), sync_states.PAGE):
            page = states[at : at + sync_states.PAGE]
            deleted = trash.deletion_times(tx, [state.local_id for state in page if state.part == RECORD])
            for state in page:
                moment = deleted.get(state.local_id, now) if state.part == RECORD else now
                yield Change(state.uid, state.part, 0, "", min(now, moment))


def _changed_edges(ctx: Context, now: int) -> Iterator[Change]:
    last = 0
    while True:
        with ctx.store.read() as tx:
            page = sync_states.edges_after(tx, last)
            known = sync_states.of(tx, [each.edge.uid for each in page])
        if not page:
            return
        for each in page:
            state, digest = known.get(each.edge.uid), contents.digest(contents.of_edge(each))
            if state is None or (state.state, state.local_id, state.digest) != (HERE, each.edge.id, digest):
                yield Change(
                    each.edge.uid, EDGE, each.edge.id, digest, min(now, each.edge.created) if state is None else now
                )
        last = page[-1].edge.id
