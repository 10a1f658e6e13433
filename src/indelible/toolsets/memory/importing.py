"""Import of exported records from JSON, with their relations."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import field, replace
from functools import partial
from itertools import islice
from typing import Any

from indelible.core.context import visibility
from indelible.core.context.answering import GiveWay
from indelible.core.context.context import Context
from indelible.core.context.ids import name_of
from indelible.core.context.write_scope import namespace_to_write, shared_namespace_to_write
from indelible.core.records import dependents, entities, insert, undo
from indelible.core.records.item_schema import PER_PROJECT, SHARED_KINDS, Item, parse
from indelible.core.records.renumbering import Renumbering
from indelible.dataclass import dataclass
from indelible.errors import IndelibleError, InvalidInput, NotFound
from indelible.model import CODE_KINDS, KINDS, NUMBERED_KINDS, Edge, Record
from indelible.sanitize.validate import admit
from indelible.store.database import Transaction, shared
from indelible.store.namespace_filter import outside
from indelible.store.tables import access, edges, records
from indelible.store.views import solutions
from indelible.store.views.chats import MESSAGE
from indelible.store.views.solutions import FAILURE
from indelible.toolsets.memory import following
from indelible.toolsets.memory.import_report import Imported
from indelible.toolsets.solutions import failure_imports
from indelible.toolsets.solutions.failure_imports import Merge, signature_of

BATCH = 32  # records a transaction, so that other processes are not kept waiting
# Seconds that a transaction gives way to calls: who writes what it has written waits for it.
LONGEST_WITHIN = 0.05
_Merges = dict[tuple[str, str], Merge]  # by namespace and signature


@dataclass(slots=True)
class _Known:
    """The records of this store that correspond to imported items.

    `names` maps imported ids to ids here; `own` maps the index of each item with relations to its imported id and its
    record here, because ids that are unique only in a namespace may occur several times in one import.

    `new` holds the records that this import added, in order. `sourced` items are entries of another tool's data; `away`
    are the indexes of those that were deleted here.
    """

    names: dict[str, str] = field(default_factory=dict)
    own: dict[int, tuple[str, int]] = field(default_factory=dict)
    new: dict[int, None] = field(default_factory=dict)
    sourced: bool = False
    away: set[int] = field(default_factory=set)

    def add(self, item: Item, record: Record) -> None:
        name = name_of(item.record)
        self.names[name] = name_of(record)
        if item.relations:
            self.own[item.index] = name, record.id

    def of(self, ctx: Context, tx: Transaction, index: int) -> Record | None:
        if index not in self.own:
            return None
        record = self.own[index][1]
        return records.by_ids(tx, [record]).get(record)


def import_memories(ctx: Context, things: Sequence[Any]) -> Any:
    """Import the items of a tool call; with a request key a retry gets the first answer."""
    earlier = ctx.earlier_answer()
    if earlier is not None:
        return earlier
    with ctx.answering.bulk() as give_way:
        done = import_items(ctx, things, give_way=give_way, gated=True)
    skipped = done.skipped + done.repeated + done.merged
    result = {"imported": len(done.ids), "skipped": skipped, "ids": done.ids, "errors": done.errors}
    return ctx.write(lambda _: result) if ctx.call.key else result


def import_items(
    ctx: Context,
    things: Iterable[Any],
    pause: Callable[[], None] | None = None,
    *,
    give_way: GiveWay | None = None,
    gated: bool = False,
    sourced: bool = False,
) -> Imported:
    """Import exported items, 32 a transaction; invalid items are reported and the others imported.

    Known content (or a known id) is skipped; a failure with the signature of a stored one is merged into it; a number
    that is in use here is replaced. Relations are stored after all records, so that either end may come later in the
    import, and so may the document of a chunk. With `gated`, relations that the knowledge graph's gates refuse are
    reported as invalid. `pause` is called between batches, and `give_way` before each item is read; in a shared
    database also before it is stored, LONGEST_WITHIN seconds of a transaction: other tenants write beside it. Raises
    Cancelled between batches; another import continues from there.

    With `sourced`, the items are entries of another tool's data and say in `imported_from` which: one that is another
    there than when it was taken changes its record, whose earlier state goes into the trash, and one that was deleted
    here stays so. What a `bulk` call adds is
    noted for its undo.
    """
    result = Imported()
    known = _Known(sourced=sourced)
    renumbering = Renumbering()
    chunks: list[Item] = []
    relations: list[tuple[int, dict[str, Any]]] = []
    within = give_way if shared(ctx.store) is not None else None
    total = len(things) if isinstance(things, Sized) else None
    source = enumerate(things)
    uids: dict[str, int] = {}
    while batch := list(islice(source, BATCH)):
        ctx.call.stop_if_cancelled()
        items = [_apart(item, uids) for item in _parsed(ctx, batch, result, give_way, sourced=sourced)]
        ctx.store.write(_batch(ctx, items, result, known, renumbering, chunks, within, f"items {batch[0][0]}"))
        here = [item for item in items if item.index not in known.away]
        relations += [(item.index, edge) for item in here for edge in item.relations]
        ctx.call.progress(batch[-1][0] + 1, total, "records imported, relations come last")
        if pause is not None:
            pause()
    for at in range(0, len(chunks), BATCH):
        ctx.call.stop_if_cancelled()
        some = chunks[at : at + BATCH]
        ctx.store.write(_batch(ctx, some, result, known, renumbering, None, within, f"chunks {at}"))
    result.of_records, result.deleted = len(result.errors), len(known.away)
    for at in range(0, len(relations), BATCH):
        ctx.call.stop_if_cancelled()
        bad, part = len(result.errors), relations[at : at + BATCH]
        ctx.store.write(partial(_store_relations, ctx, part, result, known, gated, bad))
    return result


def _parsed(
    ctx: Context, batch: list[tuple[int, Any]], result: Imported, give_way: GiveWay | None, *, sourced: bool
) -> list[Item]:
    items = []
    for index, thing in batch:
        if give_way is not None:
            give_way()
        try:
            clean, findings = admit(thing, "memories")
            ctx.call.redacted.extend(findings)
            item = parse(ctx, index, clean)
            items.append(following.digested(item) if sourced else item)
        except IndelibleError as error:
            result.errors.append({"index": index, "error": str(error)})
    return items


def _apart(item: Item, uids: dict[str, int]) -> Item:
    """Return an item without the uid that one of another time had before it; `uids` are those so far, with their times.

    An earlier version gave what was made of a memory the uid of that memory.
    """
    record = item.record
    if record.uid and uids.setdefault(record.uid, record.created) != record.created:
        return replace(item, record=replace(record, uid=""))
    return item


def _batch(
    ctx: Context,
    items: list[Item],
    result: Imported,
    known: _Known,
    renumbering: Renumbering,
    chunks: list[Item] | None,
    give_way: GiveWay | None,
    part: str,
) -> Callable[[Transaction], None]:
    """Return `_store_batch` as work for a transaction that can be retried: each run first resets earlier notes.

    What a call of this request key added in this part of it, and did not live to answer, counts as added now.
    """
    begun = False
    ids, bad, put_off, new = len(result.ids), len(result.errors), len(chunks or ()), len(known.new)
    counts = result.skipped, result.repeated, result.merged, result.changed
    so_far = renumbering.so_far()

    def work(tx: Transaction) -> None:
        nonlocal begun
        if begun:
            del result.ids[ids:], result.errors[bad:]
            result.skipped, result.repeated, result.merged, result.changed = counts
            while len(known.new) > new:
                known.new.popitem()
            if chunks is not None:
                del chunks[put_off:]
            renumbering.back_to(so_far)
        begun = True
        before = ctx.part_done(tx, part)
        _store_batch(ctx, items, result, known, renumbering, chunks, give_way, frozenset(before or ()), tx)
        if before is None:
            ctx.keep_part(tx, part, list(known.new)[new:])

    return work


def _store_batch(
    ctx: Context,
    items: list[Item],
    result: Imported,
    known: _Known,
    renumbering: Renumbering,
    chunks: list[Item] | None,
    give_way: GiveWay | None,
    before: frozenset[int],
    tx: Transaction,
) -> None:
    """Store the new items. A chunk without its document is put off into `chunks`, or reported if that is None.

    Records in `before` count as new too.
    """
    merges: _Merges = {}
    added: list[Record] = []
    for item in _by_and_by(items, give_way):
        try:
            record = _placed(ctx, tx, item)
        except IndelibleError as error:
            result.errors.append({"index": item.index, "error": str(error)})
            continue
        if renumbering.waits(record):
            if chunks is None:
                missing = f"chunk {record.key} belongs to {record.session}, which is not among what is imported"
                result.errors.append({"index": item.index, "error": missing})
            else:
                chunks.append(item)
            continue
        record, there = _settled(ctx, tx, record, renumbering, merges)
        if there is not None:
            _note_there(ctx, tx, item, record, there, result, known, merges, before)
            continue
        if known.sourced and following.is_deleted_here(tx, record):
            known.away.add(item.index)
            continue
        if record.kind == FAILURE:
            record = failure_imports.with_entities(ctx, tx, record)
        record = insert.add(ctx, tx, record, item.text_terms)
        known.add(item, record)
        result.rows.add(record.id)
        known.new[record.id] = None
        added.append(record)
        if item.used is not None:
            access.add(tx, {record.id: item.used})
        result.ids.append(record.key)
    for merge in merges.values():
        merge.write(ctx, tx)
    _note_added(ctx, tx, added)


def _by_and_by(items: Sequence[Item], give_way: GiveWay | None) -> Iterator[Item]:
    """Yield the items of a transaction, each after calls that are being answered, LONGEST_WITHIN seconds in all."""
    rest = LONGEST_WITHIN
    for item in items:
        if give_way is not None and rest > 0:
            rest -= give_way(rest)
        yield item


def _note_added(ctx: Context, tx: Transaction, added: Sequence[Record]) -> None:
    if not (ctx.call.bulk and added):
        return
    failures = [record.id for record in added if record.kind == FAILURE]
    beside = records.by_ids(tx, [each for failure in failures for each in dependents.of_failure(ctx, tx, failure)])
    unchanged = {each.id: each.updated for each in beside.values()}
    ids = [record.id for record in added]
    undo.note(ctx, tx, undo.Added(added[0].key, added[0].namespace, records=ids, unchanged=unchanged))


def _note_there(
    ctx: Context,
    tx: Transaction,
    item: Item,
    record: Record,
    there: Record,
    result: Imported,
    known: _Known,
    merges: _Merges,
    before: frozenset[int],
) -> None:
    """Note the record that stands for an item already, which is changed where it follows its entry."""
    known.add(item, there)
    result.rows.add(there.id)
    if there.id in before and there.id not in known.new:
        known.new[there.id] = None
        result.ids.append(there.key)
    elif there.id not in known.new and following.follow(ctx, tx, item, record, there):
        result.changed += 1
    else:
        _count_known(item, record, there, result, known, merges)


def _count_known(item: Item, record: Record, there: Record, result: Imported, known: _Known, merges: _Merges) -> None:
    """Count an item that is stored already (by this import or before); merge a failure into the stored one."""
    is_new, signature = there.id in known.new, signature_of(record)
    if signature is not None and signature == signature_of(there):
        merge = merges.setdefault(signature, Merge(there, is_new=is_new))
        if not merge.includes(record):
            try:
                merge.add(record)
            except InvalidInput as error:
                result.errors.append({"index": item.index, "error": str(error)})
            else:
                result.merged += 1
            return
    if is_new:
        result.repeated += 1
    else:
        result.skipped += 1


def _placed(ctx: Context, tx: Transaction, item: Item) -> Record:
    """Return an item's record in its namespace. Raises Forbidden and InvalidInput if the caller may not write there.

    A caller limited to namespaces brings no uid: it must neither learn nor take those of others.
    """
    record = replace(item.record, uid="") if ctx.session.grant.limited else item.record
    if not item.names_namespace:
        return replace(record, namespace=namespace_to_write(ctx, tx, None))
    if not ctx.session.grant.limited:
        return record
    if record.kind in SHARED_KINDS and not record.namespace:
        return replace(record, namespace=shared_namespace_to_write(ctx, tx))
    if not record.namespace:
        raise outside("", ctx.session.grant.namespaces or ())
    return replace(record, namespace=namespace_to_write(ctx, tx, record.namespace))


def _settled(
    ctx: Context, tx: Transaction, record: Record, renumbering: Renumbering, merges: _Merges
) -> tuple[Record, Record | None]:
    """Return the record as it is to be stored here, and the stored record that already represents it, if any."""
    signature = signature_of(record)
    if signature is not None and signature in merges:
        return record, merges[signature].there
    same = records.by_uid(tx, record.uid, record.kind, record.created) if record.uid else None
    if same is not None and record.kind not in ("document", "chunk"):
        return record, same
    if record.kind in (*NUMBERED_KINDS, MESSAGE):
        record, there = renumbering.settled(ctx, tx, record)
    else:
        there = _there_already(ctx, tx, record)
    return record if same is None else replace(record, uid=""), there


def _there_already(ctx: Context, tx: Transaction, record: Record) -> Record | None:
    same_id = [r for r in records.by_key(tx, record.key) if r.kind == record.kind]
    in_any = record.kind not in (*PER_PROJECT, *SHARED_KINDS)
    same_id = [
        other
        for other in same_id
        # an id that two have in two namespaces, which only an import can bring about, is that of both
        if other.namespace == record.namespace or (in_any and other.text == record.text)
    ]
    if same_id:
        return same_id[0]
    if record.kind == FAILURE and record.content_hash:
        same = solutions.by_signatures(tx, [record.content_hash])
        return next((failure for failure in same if failure.namespace == record.namespace), None)
    if record.kind != "memory" or record.replaced:
        return None
    return records.by_content(tx, record.namespace, record.content_hash)


def _store_relations(
    ctx: Context,
    part: list[tuple[int, dict[str, Any]]],
    result: Imported,
    known: _Known,
    gated: bool,
    bad: int,
    tx: Transaction,
) -> None:
    """Store relations between known records; `bad` is the number of earlier errors, to reset to if this is retried."""
    del result.errors[bad:]
    between_known: list[Edge] = []  # others are undone with the records of this import
    namespace = ""
    for index, edge in part:
        own = known.of(ctx, tx, index)
        try:
            source, target = (_end(ctx, tx, edge, side, known, index, own, gated) for side in ("source", "target"))
            if gated:
                entities.check_relation(ctx, source, edge["relationship"], target)
        except IndelibleError as error:
            problem = f"relation {edge['relationship']} left out: {error}"
            result.errors.append({"index": index, "error": problem})
            continue
        if source.id != target.id or source.kind == "entity":  # entities may be related to themselves
            relation = Edge(
                source=source.id,
                target=target.id,
                relation=edge["relationship"],
                canonical=edge["relationship"].upper(),
                weight=edge["weight"],
                created=edge["created"],
                metadata=edge["metadata"],
            )
            if edges.add(tx, relation) and known.new.keys().isdisjoint((source.id, target.id)):
                between_known.append(relation)
                namespace = source.namespace
    if ctx.call.bulk and between_known:
        undo.note(ctx, tx, undo.Added("", namespace, edges=between_known))


def _end(
    ctx: Context,
    tx: Transaction,
    edge: dict[str, Any],
    side: str,
    known: _Known,
    index: int,
    own: Record | None,
    gated: bool,
) -> Record:
    """Return the record that a relation's end names: the item's own, else one of its project. Raises NotFound."""
    name = edge[side]
    if own is not None and name == known.own[index][0] and edge["namespaces"][side] in (None, own.namespace):
        return own
    name = known.names.get(name, name)
    kind, colon, key = name.partition(":")
    if not (colon and kind in KINDS):
        kind, key = "memory", name
    found = [record for record in records.by_key(tx, key) if record.kind == kind]
    if not found:  # code as other tools name it, by the whole id: `sym:name`, `file:path`
        found = [record for record in records.by_key(tx, name) if record.kind in CODE_KINDS]
    if gated:
        found = [record for record in found if visibility.is_visible(ctx, tx, record)]
    if not found:
        raise NotFound(f"{edge[side]!r} is not in the store")
    wanted = edge["namespaces"][side]
    if wanted is None and len(found) > 1:
        wanted = own.namespace if own is not None else ctx.scope(tx).own
    in_one_space = kind in SHARED_KINDS
    return min(found, key=lambda r: (r.namespace != wanted, in_one_space and r.namespace != "", r.id))
