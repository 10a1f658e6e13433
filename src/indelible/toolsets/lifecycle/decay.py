"""The cycle `decay`: lowers the importance of unused memories."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import groupby

from indelible.clock import moment_of
from indelible.core.context.context import Context
from indelible.core.records import undo
from indelible.core.records.importance_changes import MARK, Weight, weighing, weight_of
from indelible.core.records.undo import Added
from indelible.model import Access, Record
from indelible.settings import DAY
from indelible.store.database import Transaction
from indelible.store.tables import access, records
from indelible.store.views import consolidation as rows
from indelible.toolsets.lifecycle import cycle as lifecycle_cycle
from indelible.toolsets.lifecycle.cycle import Cycle, Tally

FACTOR = 0.9
TOGETHER = 100  # memories of which the trash keeps one row, if they are of one namespace
_OURS = re.compile(r".{4}-..-..T..:..:..\..{6}Z")


def decay(ctx: Context, threshold_days: int) -> int:
    """Lower the importance of each memory unused for `threshold_days` by a tenth; return how many were lowered.

    A memory is used when it is stored, changed or returned; exactly `threshold_days` ago counts as unused. A memory
    decays at most once in that time, whichever caller runs the cycle; one of importance 0 never does.
    """
    period = threshold_days * DAY
    cycle = Cycle("decay", {"threshold_days": threshold_days}, partial(_plan, period), partial(_act, period), TOGETHER)
    return lifecycle_cycle.run(ctx, cycle, "affected", lambda tally: tally.counts["affected"])


def _plan(period: int, ctx: Context) -> list[int]:
    before = ctx.now() - period
    with ctx.store.read() as tx:
        return rows.unused(tx, before, _written(before))


def _act(period: int, ctx: Context, tx: Transaction, ids: Sequence[int]) -> Tally:
    now = ctx.now()
    found, used = records.by_ids(tx, ids), access.of_records(tx, ids)
    due = [record for record in found.values() if _is_due(record, used.get(record.id), now - period)]
    weights = [(record.id, weight_of(record), Weight(record.importance * FACTOR, (_written(now),))) for record in due]
    rows.set_importances(tx, [weighing(record, after) for record, (_, _, after) in zip(due, weights, strict=True)])
    of = {record.id: record.namespace for record in due}
    for namespace, some in groupby(sorted(weights, key=lambda each: of[each[0]]), key=lambda each: of[each[0]]):
        undo.note(ctx, tx, Added("", namespace, weights=list(some)))
    return Tally(Counter(affected=len(due)), touched=tuple(record.key for record in due))


def _is_due(record: Record, used: Access | None, before: int) -> bool:
    last = max(record.created, record.updated, used.last if used else 0)
    mark = record.metadata.get(MARK)
    has_decayed = isinstance(mark, str) and _OURS.fullmatch(mark) is not None and mark > _written(before)
    return record.importance > 0 and last <= before and not has_decayed


def _written(time: int) -> str:
    """Return a time in a form that sorts as text."""
    return f"{moment_of(time).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
