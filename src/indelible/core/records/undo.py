"""Undo of a call: what it deleted or overwrote comes back, what it added is removed."""

import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from indelible import batching
from indelible.core.context.context import Context
from indelible.core.records import dependents, entity_fields, history, importance_changes, lifetimes, taken
from indelible.core.records import trash as records_trash
from indelible.core.records.history import Relations, Undone
from indelible.core.records.importance_changes import Weighing
from indelible.core.records.insert import index_words
from indelible.core.records.trash import delete_all, keep, keep_edge, overwrite, rewrite
from indelible.dataclass import dataclass
from indelible.errors import Conflict, NotFound
from indelible.model import CODE_KINDS, Access, Edge, Record
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import access, edges, records, symbols, trash
from indelible.store.tables.trash import Discarded
from indelible.store.views import documents, entities

Counted = tuple[Access | None, Access | None]  # a record's access data before, and after


@dataclass(frozen=True, slots=True)
class Added:
    """The additions of a part of an operation. `key` names a record under which the history has it, "" for none.

    Where `record` is given, a row id, a later call that touches that record must be undone first. `removed` are
    relations that were taken away, which the undo of an undo brings back. `weights` are changes of importance: they
    stand in the trash without the memories, of which there may be all. `unchanged` are records to delete along with
    their dependents (see `dependents`), only if they were not updated since, and entities only if nothing else uses
    them: by row id, the time of the last update.
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
        text=_described(added),
        created=now,
        updated=now,
        namespace=added.namespace,
    )
    body: dict[str, Any] = {**trash.body_of(None), "added": written(added)}
    # A row of no single record must not seem to be of the same one as others.
    record = added.record or -(uuid.uuid4().int >> 66)
    thing = records_trash.discarded(ctx, "edge", absent, list(added.removed), body, self_contained=True)
    trash.add(whole(tx), replace(thing, record=record))


def written(added: Added) -> dict[str, Any]:
    """Return the additions as the JSON body of a row of the trash."""
    return {
        "records": list(added.records),
        "edges": records_trash.relations_added(added.edges),
        "accesses": [[record, _fields(was), _fields(is_)] for record, (was, is_) in added.accesses.items()],
        "weights": importance_changes.written(added.weights),
        "unchanged": [[record, updated] for record, updated in added.unchanged.items()],
    }


def made_by(ctx: Context, tx: Transaction, operation: str) -> tuple[str, ...]:
    """Return the ids of the records that an operation added so far, in their order."""
    things = reversed(trash.of_operation(whole(tx), operation))
    return tuple(thing.key for thing in things if thing.body.get("added", {}).get("records"))


def _described(added: Added) -> str:
    """Return the text of additions for the history, without a number: these may be a part of those of an operation."""
    if added.record:
        return "(it was not there)"
    if added.weights:
        return f"({'a memory' if len(added.weights) == 1 else 'memories'} had another importance)"
    if added.records and not added.edges:
        return f"({'a record was' if len(added.records) == 1 else 'records were'} not there)"
    count, were = (len(added.removed), "there") if added.removed else (len(added.edges), "not there")
    return f"({'a relation was' if count == 1 else 'relations were'} {were})"


def _fields(used: Access | None) -> list[int] | None:
    return None if used is None else [used.count, used.last]


def _take_back(ctx: Context, tx: Transaction, thing: Discarded, relations: Relations) -> list[str]:
    """Remove what a row of the trash says was added, unless it changed since; returns the ids of the records it was."""
    added = thing.body["added"]
    removed = _take_edges(ctx, tx, added["edges"])
    relations.update(history.related(tx, removed, there=False))  # while its ends are there
    _take_unchanged(ctx, tx, added.get("unchanged", ()))  # first: the failures whose entities they are say so
    there = records.keys_of(tx, added["records"])
    records_trash.delete_all(ctx, tx, [record for record in added["records"] if record in there])
    counted = _take_accesses(ctx, tx, added["accesses"])
    weights, named = importance_changes.change(ctx, tx, added.get("weights", ()))
    if removed or counted or weights:
        note(ctx, tx, Added(thing.key, thing.state.namespace, removed=removed, accesses=counted, weights=weights))
    if added.get("weights"):
        return named
    only_relations = bool(added["edges"] or thing.edges) and not added["accesses"]
    return [key for _, key in there.values()] or ([] if only_relations else [thing.key])


def _take_edges(ctx: Context, tx: Transaction, added: Iterable[tuple[int, int, str, float]]) -> list[Edge]:
    """Remove relations that still have the weight that they were added with: others were changed since.

    One that went with a record that was deleted since does not come back with it.
    """
    removed = []
    for source, target, relation, weight in added:
        edge = edges.find(tx, source, target, relation)
        if edge is None:
            for thing in filter(None, (trash.deletion(tx, end) for end in (source, target))):
                named = (source, target, relation, weight)
                kept = [each for each in thing.edges if (each.source, each.target, each.relation, each.weight) != named]
                if len(kept) < len(thing.edges):
                    trash.set_edges(tx, thing, kept)
        elif edge.weight == weight:
            edges.delete(tx, edge)
            removed.append(edge)
    return removed


def _take_unchanged(ctx: Context, tx: Transaction, added: Iterable[tuple[int, int]]) -> None:
    """Delete records that were not updated since they were added, with their dependents; no entity that others use."""
    noted = {record: updated for record, updated in added}
    for record in records.by_ids(tx, list(noted)).values():
        if record.updated == noted[record.id] and not (record.kind == entities.KIND and dependents.is_used(tx, record)):
            records_trash.delete_all(ctx, tx, sorted({record.id, *dependents.of_failure(ctx, tx, record.id)}))


def _take_accesses(
    ctx: Context, tx: Transaction, added: Sequence[tuple[int, list[int] | None, list[int] | None]]
) -> dict[int, Counted]:
    """Subtract what was added to access counts; accesses since then stay."""
    now = access.of_records(tx, [record for record, _, _ in added])
    changed: dict[int, Counted] = {}
    for record, was, is_ in added:
        current = now.get(record)
        if _fields(current) == is_:
            wanted = None if was is None else Access(*was)
        elif current is not None:
            fewer = current.count - (is_[0] if is_ else 0) + (was[0] if was else 0)
            wanted = Access(max(0, fewer), current.last)
        else:
            continue
        access.restore(tx, record, wanted)
        ctx.write_behind.landed()
        changed[record] = (current, wanted)
    return changed


def undo(ctx: Context, operation: str | None = None) -> Undone:
    """Restore what the newest deleting or overwriting call (or the one named) took away.

    The state that this overwrites goes to the trash itself, so that an undo can be undone. Raises NotFound where
    there is nothing to undo, Conflict where a later call changed the same records.
    """
    with ctx.store.read() as tx:
        long = _to_undo(ctx, tx, operation) if is_long(ctx, tx, operation) else None
    if long is not None:
        return undo_in_parts(ctx, long)

    def work(tx: Transaction) -> Undone:
        wanted = _to_undo(ctx, tx, operation)
        things = [thing for thing in trash.of_operation(tx, wanted) if not thing.undone]
        undoing = _undoing(ctx, things[0], bulk=all(thing.bulk for thing in things))
        restored: set[str] = set()
        relations: Relations = {}
        changed = _Documents(_keep_documents(undoing, tx, things))
        for thing in things:
            restored.update(_bring_back(undoing, tx, thing, relations, changed))
        _name(undoing, tx, changed.unnamed)
        trash.mark_undone(tx, wanted, ctx.now())
        return _undone(wanted, things[0].tool, restored, relations)

    return ctx.write(work)


def _undoing(ctx: Context, thing: Discarded, *, bulk: bool) -> Context:
    """Return the context of the undo of the operation that a thing is of.

    What an undo of an undo does is a change again: the newest one, and a later one for those before it.
    """
    reverses = trash.REPEATS if thing.reverses == trash.REVERSES else trash.REVERSES
    return ctx.for_call(replace(ctx.call, bulk=bulk, restores=True, reverses=reverses))


def _undone(operation: str, tool: str, restored: Iterable[str], relations: Relations) -> Undone:
    return {"operation": operation, "tool": tool, "restored": sorted(restored), "relations": [*relations.values()]}


def _to_undo(ctx: Context, tx: Transaction, operation: str | None) -> str:
    """Return the operation to undo. Raises NotFound, and Conflict where it cannot be undone."""
    wanted = operation or trash.last_operation(tx)
    last = trash.of_operation_last(tx, wanted) if wanted else None
    if wanted is None or last is None:
        what = f"operation {operation!r} is unknown" if operation else "there is nothing to undo"
        raise NotFound(f"{what}; `indelible history` lists what can be undone for {ctx.settings.trash_days} days")
    if last.undone and not trash.last_of_operation(tx, wanted, 1):
        raise Conflict(f"operation {wanted} ({last.tool}) is already undone")
    later = trash.later(tx, wanted)
    if later:
        newer, tool = later[-1]
        raise Conflict(
            f"a later {tool} changed the same records; undo that first: `indelible undo --operation {newer}`"
        )
    return wanted


@dataclass(slots=True)
class _Documents:
    """The documents of an operation that is undone in one transaction."""

    kept: set[int]  # whose state is in the trash already, from before their chunks were restored
    unnamed: list[Record] = field(default_factory=list)  # whose name another one has until the rest is restored


def _keep_documents(ctx: Context, tx: Transaction, things: Iterable[Discarded]) -> set[int]:
    """Put the documents that an operation changed into the trash as they are now; return their row ids.

    The places of their chunks are kept with them, so it must be done before any chunk is restored.
    """
    changed = records.by_ids(tx, [thing.record for thing in things if "layout" in thing.body])
    for document in changed.values():
        keep(ctx, tx, document, "update")
    return set(changed)


def _name(ctx: Context, tx: Transaction, unnamed: Iterable[Record]) -> None:
    """Give restored documents their names. Raises Conflict where a name is still another's."""
    for document in unnamed:
        current = records.by_ids(tx, [document.id]).get(document.id)
        if current is not None:
            if taken.is_stored_anew(tx, document):
                raise taken.error(document)
            rewrite(ctx, tx, current, replace(current, label=document.label))


def _bring_back(
    ctx: Context, tx: Transaction, thing: Discarded, relations: Relations, changed: _Documents | None = None
) -> list[str]:
    """Restore one thing that an operation deleted or overwrote, the last one first; returns the ids of its records.

    Relations that were changed by themselves are added to `relations`. Without `changed` a document whose name another
    one has raises Conflict.
    """
    if thing.action == "delete":
        _bring_back_deleted(ctx, tx, thing, changed)
        _note_return(ctx, tx, thing)
    elif thing.action == "update":
        # What was added goes first: the entities of a failure are known by its state.
        named = _take_back(ctx, tx, thing, relations) if "added" in thing.body else []
        _bring_back_state(ctx, tx, taken.fitting(thing.state), changed, added_stays=thing.additive)
        _bring_back_layout(ctx, tx, thing)
        return [thing.key, *named]
    else:
        back = [edge for edge in thing.edges if _bring_back_weight(ctx, tx, thing.state, edge)]
        if back:
            note(ctx, tx, Added(thing.key, thing.state.namespace, edges=back))
        relations.update(history.related(tx, thing.edges, there=True))
    named = _take_back(ctx, tx, thing, relations) if "added" in thing.body else []  # which itself discards
    return named if thing.action == "edge" else [thing.key, *named]


def _note_return(ctx: Context, tx: Transaction, thing: Discarded) -> None:
    """Note that an undo of this undo must delete again what came back."""
    back = thing.state
    note(ctx, tx, Added(back.key, back.namespace, record=back.id, records=[back.id]))


def _bring_back_state(
    ctx: Context, tx: Transaction, old: Record, changed: _Documents | None, *, added_stays: bool
) -> None:
    current = records.by_ids(tx, [old.id]).get(old.id)
    if current is None:
        raise _deleted(f"{old.kind} {old.key}")
    if added_stays:  # adding an observation puts nothing into the trash, so no conflict would say that it goes
        old = entity_fields.joined(old, current)
    # Whether it is replaced follows from relations, which this undo leaves as they are.
    old = replace(old, replaced=current.replaced)
    if old.kind == "memory" and not old.replaced:
        twin = records.by_content(tx, old.namespace, old.content_hash)
        if twin is not None and twin.id != old.id:
            raise taken.error(old)
    if old.namespace != current.namespace and taken.is_occupied(tx, old):
        raise taken.error(old)
    old = _nameable(tx, old, changed)
    if changed is not None and old.id in changed.kept:
        rewrite(ctx, tx, current, old)
    else:
        overwrite(ctx, tx, current, old)
    if old.namespace != current.namespace:
        records.move(tx, old.id, old.namespace)


def _bring_back_layout(ctx: Context, tx: Transaction, thing: Discarded) -> None:
    """Give a document exactly the chunks it had, where it had them; deleted ones are restored by their own rows."""
    wanted = dict(thing.body.get("layout", ()))
    if "layout" in thing.body:
        there = documents.layout(tx, thing.key)
        delete_all(ctx, tx, [chunk for chunk, _, _ in there if chunk not in wanted])
        documents.place(tx, [(chunk, wanted[chunk]) for chunk, at, _ in there if wanted.get(chunk, at) != at])


def _bring_back_weight(ctx: Context, tx: Transaction, source: Record, edge: Edge) -> bool:
    """Give a relation its earlier weight and times, or restore it; whether it was not there."""
    ends = records.by_ids(tx, [edge.source, edge.target])
    for end in (edge.source, edge.target):
        if end not in ends:
            deletion = trash.deletion(tx, end)
            raise _deleted(deletion.key if deletion else f"an end of the relation from {source.key}")
    current = edges.find(tx, edge.source, edge.target, edge.relation)
    if current is None:
        edges.reinsert(tx, edge)
        return True
    before = lifetimes.times_in(edge.metadata)
    has_other_times = before != lifetimes.times_in(current.metadata)
    if current.weight == edge.weight and not has_other_times:
        return False
    keep_edge(ctx, tx, current, source)
    edges.put(tx, edge)
    if has_other_times:
        others = {name: value for name, value in current.metadata.items() if name not in lifetimes.TIMES}
        edges.set_metadata(tx, current.id, {**others, **before})
    return False


def _bring_back_deleted(ctx: Context, tx: Transaction, thing: Discarded, changed: _Documents | None) -> None:
    old = taken.fitting(thing.state)
    relations = thing.edges
    edges.mark_replaced(tx, relations)  # the record it replaced may have been restored meanwhile
    found = _found_again(ctx, tx, old)
    if found is None:
        old = _nameable(tx, taken.named_anew(tx, old), changed)
        if records.insert(tx, old) is None:
            raise taken.error(old)
        index_words(ctx, tx, old)
    used = trash.access_of(thing.body)
    if used is not None:
        access.add(tx, {found or old.id: used})
    _bring_back_relations(ctx, tx, relations)
    if old.replaced:  # by a record that may be deleted itself
        records.set_replaced(tx, old.id, False)


def _found_again(ctx: Context, tx: Transaction, old: Record) -> int | None:
    """Return the row id of a deleted symbol or file that the index has found in the source again since then."""
    if old.kind not in CODE_KINDS:
        return None
    found = records.by_keys(tx, old.namespace, old.kind, [old.key]).get(old.key)
    return found if found and symbols.is_indexed(tx, found) else None


def _bring_back_relations(ctx: Context, tx: Transaction, relations: Sequence[Edge]) -> None:
    """Restore relations whose ends exist; others are restored with the end that is still in the trash."""
    there = records.by_ids(tx, [end for edge in relations for end in (edge.source, edge.target)])
    for edge in relations:
        missing = [end for end in (edge.source, edge.target) if end not in there]
        deletions = [trash.deletion(tx, end) for end in missing]
        again = {m: _found_again(ctx, tx, g.state) for m, g in zip(missing, deletions, strict=True) if g}
        if not missing:
            edges.reinsert(tx, edge)
        elif all(again.get(end) for end in missing):
            source, target = (again.get(end) or end for end in (edge.source, edge.target))
            edges.put(tx, replace(edge, source=source, target=target))
        else:
            for thing in [g for m, g in zip(missing, deletions, strict=True) if g and not again[m]][:1]:
                trash.set_edges(tx, thing, [*thing.edges, edge])


def _nameable(tx: Transaction, old: Record, changed: _Documents | None) -> Record:
    """Return the document without its name, to get it in the end, where another has it now. Raises Conflict."""
    if not taken.is_stored_anew(tx, old):
        return old
    if changed is None:
        raise taken.error(old)
    changed.unnamed.append(old)
    return replace(old, label="")


def _deleted(what: str) -> Conflict:
    return Conflict(f"{what} is deleted now; undo the deletion first (`indelible history` lists it)")


LONG = 500  # things from which an operation is undone in several transactions
TOGETHER = 2  # rows of the trash, each of which may hold hundreds of things, between two looks at the clock
BUSY = 0.03  # seconds of work in one transaction


def is_long(ctx: Context, tx: Transaction, operation: str | None) -> bool:
    """Whether the operation, by default the last one, is a bulk operation that did much, or the undo of one."""
    wanted = operation or trash.last_operation(tx)
    last = trash.of_operation_last(tx, wanted) if wanted else None
    if wanted is None or last is None or not last.bulk:
        return False
    return sum(trash.actions(tx, wanted).values()) > LONG


def undo_in_parts(ctx: Context, operation: str) -> Undone:
    """Restore everything of an operation, the last first; it must be one that can be undone.

    Restored things are marked: after a crash the next undo of the operation goes on from there. Raises Conflict as
    `undo` does, before anything is restored; where something is taken meanwhile, when what came before is.
    """
    taken.refuse(ctx, operation)
    with ctx.store.read() as tx:
        newest = trash.of_operation_last(tx, operation)
    if newest is not None:
        ctx = _undoing(ctx, newest, bulk=True)
    restored: set[str] = set()
    relations: Relations = {}
    last: Discarded | None = None
    while True:
        done, named, related = ctx.write(partial(_some, ctx, operation, last))
        if done is None:
            return _undone(operation, "" if last is None else last.tool, restored, relations)
        restored.update(named)
        relations.update(related)
        last = done
        batching.breathe()


def _some(
    ctx: Context, operation: str, last: Discarded | None, tx: Transaction
) -> tuple[Discarded | None, list[str], Relations]:
    """Restore what came before the last thing, until the transaction has been busy for long enough.

    Returns the thing reached, None where none was left, the ids of what came back, and relations.
    """
    began = time.perf_counter()
    reached: Discarded | None = None
    named: list[str] = []
    relations: Relations = {}
    while reached is None or time.perf_counter() - began < BUSY:
        things = trash.last_of_operation(tx, operation, TOGETHER, reached or last)
        if not things:
            break
        for thing in things:
            named += _bring_back(ctx, tx, thing, relations)
        reached = things[-1]
        trash.mark_part_undone(tx, things, ctx.now())
    return reached, named, relations
