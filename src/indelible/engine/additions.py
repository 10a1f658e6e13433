"""What a call added, so that its undo takes it away again: relations, records, access counts; and what it let decay.

The trash keeps what was there before. For what was not there a row of it says so: its body has `added`, and in the
place of a record one that was never stored.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from indelible.engine import dependents, discard, importances
from indelible.engine.context import Context
from indelible.engine.importances import Weighing
from indelible.model import Access, Edge, Record
from indelible.store import access, edges, records, trash
from indelible.store.database import Transaction
from indelible.store.limited import whole
from indelible.store.trash import Discarded

Counted = tuple[Access | None, Access | None]  # what was known of a record's accesses before, and after


@dataclass(frozen=True, slots=True)
class Added:
    """What a part of an operation added. `key` names a record under which the history has it, "" for none.

    Where `record` is given, a row id, a later call that touches that record must be undone first. `removed` are
    relations that were taken away, which the undo of an undo brings back. `weights` are changes of importance: they
    stand in the trash without the memories, of which there may be all. `unchanged` are records that go, with what goes
    with them (see `dependents`), only if they were not updated since: by row id, when they were last.
    """

    key: str
    namespace: str
    record: int = 0
    records: Sequence[int] = ()
    edges: Sequence[Edge] = ()
    removed: Sequence[Edge] = ()
    accesses: Mapping[int, Counted] = field(default_factory=dict)
    weights: Sequence[Weighing] = ()
    unchanged: Mapping[int, int] = field(default_factory=dict)


def note(ctx: Context, tx: Transaction, added: Added) -> None:
    """Keep in the trash what a call added, in the call's own transaction."""
    now = ctx.now()
    absent = Record(
        key=added.key,
        kind="memory",
        text=_told(added),
        created=now,
        updated=now,
        tenant=ctx.tenant,
        namespace=added.namespace,
    )
    body: dict[str, Any] = {
        **trash.body_of(absent, list(added.removed), None),
        "added": written(added),
    }
    # A row that is of no one record must not seem to be of the same one as others.
    record = added.record or -(uuid.uuid4().int >> 66)
    trash.add(whole(tx), ctx.tenant, replace(discard.discarded(ctx, "edge", absent, body), record=record))


def written(added: Added) -> dict[str, Any]:
    """What was added as a body of the trash has it."""
    return {
        "records": list(added.records),
        "edges": [[edge.source, edge.target, edge.relation, edge.weight] for edge in added.edges],
        "accesses": [[record, _fields(was), _fields(is_)] for record, (was, is_) in added.accesses.items()],
        "weights": importances.written(added.weights),
        "unchanged": [[record, updated] for record, updated in added.unchanged.items()],
    }


def made_by(ctx: Context, tx: Transaction, operation: str) -> tuple[str, ...]:
    """The ids of the records that an operation added so far, in their order."""
    things = reversed(trash.of_operation(whole(tx), ctx.tenant, operation))
    return tuple(thing.key for thing in things if thing.body.get("added", {}).get("records"))


def _told(added: Added) -> str:
    if added.record:
        return "(it was not there)"
    if added.weights:
        return f"({len(added.weights):,} {'memory' if len(added.weights) == 1 else 'memories'} had another importance)"
    count, were = (len(added.removed), "there") if added.removed else (len(added.edges), "not there")
    return f"({count} {'relation was' if count == 1 else 'relations were'} {were})"


def _fields(used: Access | None) -> list[int] | None:
    return None if used is None else [used.count, used.last]


def take_back(ctx: Context, tx: Transaction, thing: Discarded) -> list[str]:
    """Take away what a row of the trash says was added, as far as it is still as it was then; the ids of what it was.

    Of relations that is the one id under which the row stands.
    """
    told = thing.body["added"]
    gone = _take_edges(ctx, tx, told["edges"])
    there = records.keys_of(tx, ctx.tenant, told["records"])
    discard.delete_all(ctx, tx, [record for record in told["records"] if record in there])
    _take_unchanged(ctx, tx, told.get("unchanged", ()))
    counted = _take_accesses(ctx, tx, told["accesses"])
    weights, named = importances.change(ctx, tx, told.get("weights", ()))
    if gone or counted or weights:
        namespace = str(thing.body["record"]["namespace"])
        note(ctx, tx, Added(thing.key, namespace, removed=gone, accesses=counted, weights=weights))
    return named if told.get("weights") else [thing.key]


def _take_edges(ctx: Context, tx: Transaction, told: Iterable[tuple[int, int, str, float]]) -> list[Edge]:
    """Remove relations that have the weight that they were added with: others were set by somebody since."""
    gone = []
    for source, target, relation, weight in told:
        edge = edges.find(tx, ctx.tenant, source, target, relation)
        if edge is not None and edge.weight == weight:
            edges.delete(tx, ctx.tenant, edge)
            gone.append(edge)
    return gone


def _take_unchanged(ctx: Context, tx: Transaction, told: Iterable[tuple[int, int]]) -> None:
    """Delete records that were not updated since they were added, with what goes with them."""
    noted = {record: updated for record, updated in told}
    for record in records.by_ids(tx, ctx.tenant, list(noted)).values():
        if record.updated == noted[record.id]:
            discard.delete_all(ctx, tx, sorted({record.id, *dependents.of_failure(ctx, tx, record.id)}))


def _take_accesses(
    ctx: Context, tx: Transaction, told: Sequence[tuple[int, list[int] | None, list[int] | None]]
) -> dict[int, Counted]:
    """Take back what was added to access counts; accesses since then stay."""
    now = access.of_records(tx, ctx.tenant, [record for record, _, _ in told])
    changed: dict[int, Counted] = {}
    for record, was, is_ in told:
        current = now.get(record)
        if _fields(current) == is_:
            wanted = None if was is None else Access(*was)
        elif current is not None:
            fewer = current.count - (is_[0] if is_ else 0) + (was[0] if was else 0)
            wanted = Access(max(0, fewer), current.last)
        else:
            continue
        access.restore(tx, ctx.tenant, record, wanted)
        ctx.behind.landed()
        changed[record] = (current, wanted)
    return changed
