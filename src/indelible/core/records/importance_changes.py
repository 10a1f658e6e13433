"""Changes of importance by decay, as a few bytes for each memory: enough for an undo, where whole records in the trash
would take as much again as all that was stored.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import consolidation

MARK = "decayed_at"  # in a memory's metadata: when it decayed last

Weighing = tuple[int, "Weight", "Weight"]  # a memory by row id, its weight before, and after


@dataclass(frozen=True, slots=True)
class Weight:
    """The importance of a memory, and the mark in its metadata: one value, or none at all."""

    importance: float
    mark: tuple[Any, ...] = ()


def weight_of(record: Record) -> Weight:
    """Return the weight of a memory now."""
    return Weight(record.importance, tuple(record.metadata[name] for name in (MARK,) if name in record.metadata))


def weighing(record: Record, weight: Weight) -> Record:
    """Return a memory with that weight."""
    others = {name: value for name, value in record.metadata.items() if name != MARK}
    if weight.mark:  # which keeps its place among the others
        others = {**record.metadata, MARK: weight.mark[0]}
    return replace(record, importance=weight.importance, metadata=others)


def written(changes: Iterable[Weighing]) -> list[list[Any]]:
    """Return changes as JSON."""
    return [[record, was.importance, list(was.mark), now.importance, list(now.mark)] for record, was, now in changes]


def change(ctx: Context, tx: Transaction, weighings: Iterable[list[Any]]) -> tuple[list[Weighing], list[str]]:
    """Restore the earlier weights of memories that still have the later ones; returns the changes, and the ids.

    A memory changed since is left as it is.
    """
    read = [(row[0], Weight(row[1], tuple(row[2])), Weight(row[3], tuple(row[4]))) for row in weighings]
    found = records.by_ids(tx, [record for record, _, _ in read])
    changes = [(record, now, was) for record, was, now in read if record in found and weight_of(found[record]) == now]
    consolidation.set_importances(tx, [weighing(found[record], weight) for record, _, weight in changes])
    return changes, [found[record].key for record, _, _ in changes]
