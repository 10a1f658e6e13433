"""The cycle `forget` and the daily removal of unused captures: memories never used are moved to the trash."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import trash
from indelible.core.records.trust import is_confirmed
from indelible.errors import Conflict
from indelible.model import Edge, Record
from indelible.settings import DAY
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import access, edges, records
from indelible.store.tables.events import Event
from indelible.store.views import consolidation as rows
from indelible.toolsets.lifecycle import cycle as lifecycle_cycle
from indelible.toolsets.lifecycle.associate import ORIGIN
from indelible.toolsets.lifecycle.cycle import Cycle, Tally

CAPTURED = "captured"  # the cycle that does it
ROUND = 500  # memories that housekeeping folds away at a time
FOLD = "fold_captured"  # the name of what is done with captured memories, in events and in the trash
# Relations that say that a memory is more than itself, at their source and at their target.
STANDS_FOR = {"SUPERSEDES", "SUMMARIZES"}
STOOD_FOR_BY = {"EVOLVED_INTO", "INVALIDATED_BY"}


def forget(ctx: Context, threshold: float) -> int:
    """Move the memories below an importance that were never returned to the trash; return how many.

    Memories that replaced or summarise others stay, since these would be lost with them.
    """
    cycle = Cycle(
        "forget", {"importance_threshold": threshold}, partial(_plan, threshold), partial(_act, threshold), 16
    )
    return lifecycle_cycle.run(ctx, cycle, "deleted", lambda tally: tally.counts["deleted"])


def _plan(threshold: float, ctx: Context) -> list[int]:
    with ctx.store.read() as tx:
        found = rows.unimportant(tx, threshold)
        return [
            record
            for at in range(0, len(found), trash.TOGETHER)
            for record in _without_a_role(ctx, tx, found[at : at + trash.TOGETHER])
        ]


def _without_a_role(ctx: Context, tx: Transaction, ids: Sequence[int]) -> list[int]:
    """Return those of the memories that neither replaced nor summarise any other, in any namespace, in their order."""
    found = edges.of_records(whole(tx), ids)
    needed = {edge.source for edge in found if edge.canonical in STANDS_FOR}
    needed |= {edge.target for edge in found if edge.canonical in STOOD_FOR_BY}
    return [record for record in ids if record not in needed]


def _act(threshold: float, ctx: Context, tx: Transaction, ids: Sequence[int]) -> Tally:
    found, used = records.by_ids(tx, ids), access.of_records(tx, ids)
    unneeded = set(_without_a_role(ctx, tx, ids))
    going = [
        found[record]
        for record in ids
        if record in found
        and record in unneeded
        and found[record].importance < threshold
        and (record not in used or used[record].count == 0)
    ]
    return _take_away(ctx, tx, going)


def _take_away(ctx: Context, tx: Transaction, going: Sequence[Record]) -> Tally:
    trash.delete_all(ctx, tx, [record.id for record in going])
    return Tally(Counter(deleted=len(going)), touched=tuple(record.key for record in going))


# --- What was captured ---


def fold_captured(ctx: Context, most: int | None = None, patience: float | None = None) -> int:
    """Move at most `most` captured memories unused for as long as events are kept to the trash; return how many.

    A memory that was returned, changed, promoted or related by a caller since stays. The removal is an event and an
    operation of its own, which `undo` reverts. `patience` as in `cycle.run`.
    """
    began = ctx.now()
    ctx = ctx.for_call(replace(Call(tool=FOLD), caller=ctx.call.caller))
    period = ctx.settings.event_days * DAY
    arguments = {"days": ctx.settings.event_days}
    cycle = Cycle(CAPTURED, arguments, partial(_unused_captures, period, most), partial(_fold, period), 16)
    folded = lifecycle_cycle.run(ctx, cycle, "deleted", lambda tally: tally.counts["deleted"], patience=patience)
    if folded:
        ctx.write_behind.happened(
            Event(
                time=began,
                session=ctx.session.id,
                conversation=ctx.session.id,
                tool=FOLD,
                records=tuple(ctx.call.touched),
                outcome="ok",
                duration=max(0, ctx.now() - began),
                size=0,
                who=ctx.session.grant.who,
            )
        )
    return folded


def fold_daily(ctx: Context) -> int:
    """Run `fold_captured` as part of housekeeping, once a day; does nothing while another call consolidates.

    The number at a time is limited, so that the rest of housekeeping does not wait; the others follow the next time.
    """
    with ctx.store.read() as tx:
        last, folded = lifecycle_cycle.last_run(ctx, tx, CAPTURED)
    if last is not None and ctx.now() - last < DAY and folded < ROUND:
        return 0
    try:
        return fold_captured(ctx, ROUND, 0.0)
    except Conflict:
        return 0


def _unused_captures(period: int, most: int | None, ctx: Context) -> list[int]:
    with ctx.store.read() as tx:
        found = rows.unused_captures(tx, ctx.now() - period)
        unrelated = (
            record
            for at in range(0, len(found), trash.TOGETHER)
            for record in _unrelated(ctx, tx, found[at : at + trash.TOGETHER])
        )
        return list(islice(unrelated, most))


def _unrelated(ctx: Context, tx: Transaction, ids: Sequence[int]) -> list[int]:
    """Return those of the memories that no caller related to anything, in their order."""
    related = {
        end for edge in edges.of_records(whole(tx), ids) if _is_by_a_caller(edge) for end in (edge.source, edge.target)
    }
    return [record for record in ids if record not in related]


def _is_by_a_caller(edge: Edge) -> bool:
    return not edges.is_derived(edge) and edge.metadata.get("origin") != ORIGIN


def _fold(period: int, ctx: Context, tx: Transaction, ids: Sequence[int]) -> Tally:
    before = ctx.now() - period
    found, used = records.by_ids(tx, ids), access.of_records(tx, ids)
    unrelated = set(_unrelated(ctx, tx, ids))
    going = [
        found[record]
        for record in ids
        if record in found
        and record in unrelated
        and not is_confirmed(found[record])
        and not found[record].replaced
        and max(found[record].updated, used[record].last if record in used else 0) <= before
    ]
    return _take_away(ctx, tx, going)
