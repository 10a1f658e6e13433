"""Undoing what a cycle of consolidation did to many memories: in short transactions, so that nobody waits for it."""

import time
from dataclasses import replace
from functools import partial

from indelible.engine import discard, transfer
from indelible.engine.context import Context
from indelible.engine.discard import Undone
from indelible.store import trash
from indelible.store.database import Transaction
from indelible.store.trash import Discarded

LONG = 500  # things from which an operation is undone in several transactions
TOGETHER = 2  # rows of the trash, each of which may tell of hundreds of things, between two looks at the clock
BUSY = 0.03  # seconds of work in one transaction


def is_long(ctx: Context, tx: Transaction, operation: str | None) -> bool:
    """Whether the operation, by default the last one, is a bulk operation that did much, or the undo of one."""
    wanted = operation or trash.last_operation(tx, ctx.tenant)
    last = trash.of_operation_last(tx, ctx.tenant, wanted) if wanted else None
    if wanted is None or last is None or not last.bulk:
        return False
    return sum(trash.actions(tx, ctx.tenant, wanted).values()) > LONG


def undo(ctx: Context, operation: str) -> Undone:
    """Bring everything of an operation back, the last first; it must be one that can be undone.

    What is brought back is marked with it: who is killed in the middle, or comes upon something that cannot come back,
    goes on from there with the next undo of the operation. Raises Conflict as `discard.undo` does.
    """
    ctx = ctx.for_call(replace(ctx.call, bulk=True, reverses=True))
    restored: set[str] = set()
    last: Discarded | None = None
    while True:
        done, named = ctx.write(partial(_some, ctx, operation, last))
        if done is None:
            return {"operation": operation, "tool": "" if last is None else last.tool, "restored": sorted(restored)}
        restored.update(named)
        last = done
        transfer.breathe()


def _some(ctx: Context, operation: str, last: Discarded | None, tx: Transaction) -> tuple[Discarded | None, list[str]]:
    """Bring back what came before the last thing, until the transaction has been busy for long enough.

    The thing that was reached, None where there was none left, and the ids of what came back.
    """
    began = time.perf_counter()
    reached: Discarded | None = None
    named: list[str] = []
    while reached is None or time.perf_counter() - began < BUSY:
        things = trash.last_of_operation(tx, ctx.tenant, operation, TOGETHER, reached or last)
        if not things:
            break
        for thing in things:
            named += discard.bring_back(ctx, tx, thing)
        reached = things[-1]
        trash.mark_part_undone(tx, ctx.tenant, things, ctx.now())
    return reached, named
