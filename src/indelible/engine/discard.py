"""Nothing is lost to its user: what a call takes away goes to the trash first, in the call's own transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from indelible.engine import lookup, observations
from indelible.engine.context import Context
from indelible.errors import Conflict, NotFound
from indelible.model import CODE_KINDS, Edge, Record
from indelible.search import tokens
from indelible.store import access, documents, edges, records, symbols, terms, trash
from indelible.store.database import Transaction
from indelible.store.limited import whole
from indelible.store.trash import Action, Discarded

TOGETHER = 500  # records that are read, kept and deleted at a time
NAMED = 10  # ids that are named of an operation


class Undone(TypedDict):
    """What an undo brought back."""

    operation: str
    tool: str
    restored: list[str]


def words_of(record: Record, text_terms: dict[int, int] | None = None) -> dict[int, int]:
    """How often a record has each of the terms that it is found by: of its text, its tags, its name.

    The text of a document is found by its chunks. `text_terms` are the terms of the text where they are counted.
    """
    if record.kind == "document":
        text_terms = {}
    counts = dict(tokens.terms(record.text) if text_terms is None else text_terms)
    for term, count in tokens.terms(" ".join([record.label, *record.tags])).items():
        counts[term] = counts.get(term, 0) + count
    return counts


def index_words(ctx: Context, tx: Transaction, record: Record, text_terms: dict[int, int] | None = None) -> None:
    """Store what a record is found by; `text_terms` are counted before the transaction, which a long text asks for."""
    terms.put(tx, ctx.tenant, record.id, words_of(record, text_terms), terms.words_of(record.kind))


def keep(
    ctx: Context,
    tx: Transaction,
    record: Record,
    action: Action,
    *,
    additive: bool = False,
    revision: bool = False,
    added: Mapping[str, Any] | None = None,
) -> list[Edge]:
    """Put a record as it is now, with its relations and access data, into the trash; returns the relations.

    All of them, those to records that the caller must not see too: they go with the record, and come back with it.
    A document that is overwritten is kept before its chunks change: which it had, and where, is kept with it.
    `additive` and `revision` say how it is brought back and counted, see `Discarded`; `added` is what came with the
    change and goes with its undo, see `additions.written`.
    """
    relations = edges.of_records(whole(tx), ctx.tenant, [record.id]) if action == "delete" else []
    used = access.of_records(tx, ctx.tenant, [record.id]).get(record.id) if action == "delete" else None
    body = trash.body_of(record, relations, used)
    if action == "update" and record.kind == "document":
        body["layout"] = [[chunk, at] for chunk, at, _ in documents.layout(tx, ctx.tenant, record.key)]
    if added is not None:
        body["added"] = added
    trash.add(tx, ctx.tenant, discarded(ctx, action, record, body, additive=additive, revision=revision))
    return relations


def keep_edge(ctx: Context, tx: Transaction, edge: Edge, source: Record) -> None:
    """Put a relation as it is now into the trash."""
    trash.add(tx, ctx.tenant, discarded(ctx, "edge", source, trash.body_of(source, [edge], None)))


def discarded(
    ctx: Context,
    action: Action,
    record: Record,
    body: dict[str, Any],
    *,
    additive: bool = False,
    revision: bool = False,
) -> Discarded:
    """A row of the trash, written by the call of the context."""
    call = ctx.call
    return Discarded(
        call.operation,
        call.tool,
        action,
        record.id,
        record.key,
        body,
        ctx.now(),
        who=ctx.grant.who,
        bulk=call.bulk,
        additive=additive,
        revision=revision,
        reverses=call.reverses,
    )


def delete(ctx: Context, tx: Transaction, record: Record) -> None:
    """Take a record away, into the trash; what only it replaced is current again."""
    relations = keep(ctx, tx, record, "delete")
    records.delete(tx, ctx.tenant, record.id)
    edges.unmark_replaced(whole(tx), ctx.tenant, relations)


def delete_all(ctx: Context, tx: Transaction, ids: Sequence[int]) -> int:
    """Take many records away, as `delete` does; how many there were.

    They come back in the reverse order. To be brought back without a conflict, what is replaced must stand first.
    """
    freed: list[Edge] = []
    deleted = 0
    for at in range(0, len(ids), TOGETHER):
        some = ids[at : at + TOGETHER]
        freed += _keep_all(ctx, tx, some)
        deleted += records.delete_many(tx, ctx.tenant, some)
    gone = set(ids)
    replaced = [edge for edge in freed if (pair := edges.replaces(edge)) and pair[0] not in gone]
    edges.unmark_replaced(whole(tx), ctx.tenant, replaced)
    return deleted


def _keep_all(ctx: Context, tx: Transaction, ids: Sequence[int]) -> list[Edge]:
    """`keep` for records that are deleted together: a relation goes with that of its ends that comes back last."""
    known = records.by_ids(tx, ctx.tenant, ids)
    used = access.of_records(tx, ctx.tenant, ids)
    found = edges.of_records(whole(tx), ctx.tenant, ids)
    place = {record: at for at, record in enumerate(ids)}
    relations: dict[int, list[Edge]] = {}
    for edge in found:
        first = min(edge.source, edge.target, key=lambda end: place.get(end, len(ids)))
        relations.setdefault(first, []).append(edge)
    trash.add_many(
        tx,
        ctx.tenant,
        [
            discarded(ctx, "delete", known[id_], trash.body_of(known[id_], relations.get(id_, []), used.get(id_)))
            for id_ in ids
            if id_ in known
        ],
    )
    return found


def overwrite(
    ctx: Context,
    tx: Transaction,
    old: Record,
    new: Record,
    text_terms: dict[int, int] | None = None,
    *,
    additive: bool = False,
    revision: bool = False,
    added: Mapping[str, Any] | None = None,
) -> None:
    """Change a record, its old state into the trash; `text_terms` as for `index_words`, the others as for `keep`."""
    keep(ctx, tx, old, "update", additive=additive, revision=revision, added=added)
    records.update(tx, new)
    if (new.text, new.label, new.tags) != (old.text, old.label, old.tags):
        index_words(ctx, tx, new, text_terms)


def undo(ctx: Context, operation: str | None = None) -> Undone:
    """Bring back what the newest deleting or overwriting call (or the one named) took away.

    The state that this overwrites goes to the trash itself, so that an undo can be undone. Raises NotFound where
    there is nothing to undo, Conflict where a later call changed the same things.
    """
    from indelible.engine import long_undo  # which itself brings back

    with ctx.store.read() as tx:
        long = _to_undo(ctx, tx, operation) if long_undo.is_long(ctx, tx, operation) else None
    if long is not None:
        return long_undo.undo(ctx, long)

    def work(tx: Transaction) -> Undone:
        wanted = _to_undo(ctx, tx, operation)
        things = [thing for thing in trash.of_operation(tx, ctx.tenant, wanted) if not thing.undone]
        undoing = ctx.for_call(replace(ctx.call, bulk=all(thing.bulk for thing in things), reverses=True))
        restored: set[str] = set()
        for thing in sorted(things, key=lambda thing: "layout" not in thing.body):  # documents, then their chunks
            restored.update(bring_back(undoing, tx, thing))
        trash.mark_undone(tx, ctx.tenant, wanted, ctx.now())
        return {"operation": wanted, "tool": things[0].tool, "restored": sorted(restored)}

    return ctx.write(work)


def _to_undo(ctx: Context, tx: Transaction, operation: str | None) -> str:
    """The operation that is to be undone. Raises NotFound, and Conflict where it cannot be."""
    wanted = operation or trash.last_operation(tx, ctx.tenant)
    last = trash.of_operation_last(tx, ctx.tenant, wanted) if wanted else None
    if wanted is None or last is None:
        what = f"operation {operation!r} is unknown" if operation else "there is nothing to undo"
        raise NotFound(f"{what}; `indelible history` lists what can be undone for {ctx.settings.trash_days} days")
    if last.undone and not trash.last_of_operation(tx, ctx.tenant, wanted, 1):
        raise Conflict(f"operation {wanted} ({last.tool}) is undone already")
    later = trash.later(tx, ctx.tenant, wanted)
    if later:
        newer, tool = later[-1]
        raise Conflict(f"a later {tool} changed the same; undo that first: `indelible undo --operation {newer}`")
    return wanted


def bring_back(ctx: Context, tx: Transaction, thing: Discarded) -> list[str]:
    """Bring back one thing that an operation took away or overwrote, the last one first; the ids of what that was."""
    if thing.action == "delete":
        _bring_back_deleted(ctx, tx, thing)
        if thing.bulk:
            _note_return(ctx, tx, thing)
    elif thing.action == "update":
        _bring_back_state(ctx, tx, trash.record_of(thing.body), added_stays=thing.additive)
        _bring_back_layout(ctx, tx, thing)
    else:
        for edge in trash.edges_of(thing.body):
            _bring_back_weight(ctx, tx, trash.record_of(thing.body), edge)
    if "added" in thing.body:
        from indelible.engine import additions  # which itself discards

        return additions.take_back(ctx, tx, thing)
    return [thing.key]


def _note_return(ctx: Context, tx: Transaction, thing: Discarded) -> None:
    """Let an undo of this undo delete again what came back."""
    from indelible.engine import additions

    back = trash.record_of(thing.body)
    additions.note(ctx, tx, additions.Added(back.key, back.namespace, record=back.id, records=[back.id]))


def _bring_back_state(ctx: Context, tx: Transaction, old: Record, *, added_stays: bool) -> None:
    current = records.by_ids(tx, ctx.tenant, [old.id]).get(old.id)
    if current is None:
        raise _deleted(f"{old.kind} {old.key}")
    if added_stays:  # adding an observation puts nothing into the trash, so no conflict would say that it goes
        old = observations.joined(old, current)
    # Whether it is replaced is said by relations, which this undo leaves as they are.
    old = replace(old, replaced=current.replaced)
    if old.kind == "memory" and not old.replaced:
        twin = records.by_content(tx, ctx.tenant, old.namespace, old.content_hash)
        if twin is not None and twin.id != old.id:
            raise _taken(old)
    overwrite(ctx, tx, current, old)
    if old.namespace != current.namespace:
        records.move(tx, ctx.tenant, old.id, old.namespace)


def _bring_back_layout(ctx: Context, tx: Transaction, thing: Discarded) -> None:
    """Leave a document no chunks but those that it had, where it had them; those that are gone come back themselves."""
    wanted = dict(thing.body.get("layout", ()))
    if "layout" in thing.body:
        there = documents.layout(tx, ctx.tenant, thing.key)
        delete_all(ctx, tx, [chunk for chunk, _, _ in there if chunk not in wanted])
        documents.place(
            tx, ctx.tenant, [(chunk, wanted[chunk]) for chunk, at, _ in there if wanted.get(chunk, at) != at]
        )


def _bring_back_weight(ctx: Context, tx: Transaction, source: Record, edge: Edge) -> None:
    ends = records.by_ids(tx, ctx.tenant, [edge.source, edge.target])
    for end in (edge.source, edge.target):
        if end not in ends:
            gone = trash.deletion(tx, ctx.tenant, end)
            raise _deleted(gone.key if gone else f"an end of the relation from {source.key}")
    current = edges.find(tx, ctx.tenant, edge.source, edge.target, edge.relation)
    if current is None:
        edges.reinsert(tx, ctx.tenant, edge)
        return
    keep_edge(ctx, tx, current, source)
    edges.put(tx, ctx.tenant, edge)


def _bring_back_deleted(ctx: Context, tx: Transaction, thing: Discarded) -> None:
    old = trash.record_of(thing.body)
    relations = trash.edges_of(thing.body)
    edges.mark_replaced(tx, ctx.tenant, relations)  # what it replaced may have its content, and be current meanwhile
    found = _found_again(ctx, tx, old)
    if found is None:
        if _is_stored_anew(tx, ctx.tenant, old) or records.insert(tx, old) is None:
            raise _taken(old)
        index_words(ctx, tx, old)
    used = trash.access_of(thing.body)
    if used is not None:
        access.add(tx, ctx.tenant, {found or old.id: used})
    _bring_back_relations(ctx, tx, relations)
    if old.replaced:  # by what may be gone itself
        records.set_replaced(tx, ctx.tenant, old.id, False)


def _found_again(ctx: Context, tx: Transaction, old: Record) -> int | None:
    """The record of a symbol or file that was deleted, and that the index found in the source again since then."""
    if old.kind not in CODE_KINDS:
        return None
    found = records.by_keys(tx, ctx.tenant, old.namespace, old.kind, [old.key]).get(old.key)
    return found if found and symbols.is_indexed(tx, ctx.tenant, found) else None


def _bring_back_relations(ctx: Context, tx: Transaction, relations: Sequence[Edge]) -> None:
    """Bring relations back whose ends are there; another goes with the end that is still in the trash."""
    there = records.by_ids(tx, ctx.tenant, [end for edge in relations for end in (edge.source, edge.target)])
    for edge in relations:
        missing = [end for end in (edge.source, edge.target) if end not in there]
        gone = [trash.deletion(tx, ctx.tenant, end) for end in missing]
        again = {m: _found_again(ctx, tx, trash.record_of(g.body)) for m, g in zip(missing, gone, strict=True) if g}
        if not missing:
            edges.reinsert(tx, ctx.tenant, edge)
        elif all(again.get(end) for end in missing):
            source, target = (again.get(end) or end for end in (edge.source, edge.target))
            edges.put(tx, ctx.tenant, replace(edge, source=source, target=target))
        else:
            for thing in [g for m, g in zip(missing, gone, strict=True) if g and not again[m]][:1]:
                trash.hand_over(tx, ctx.tenant, edge, thing)


def _is_stored_anew(tx: Transaction, tenant: int, old: Record) -> bool:
    """Whether another document has the name of a deleted one; a namespace has one of a name."""
    named = documents.named(tx, tenant, old.label) if old.kind == "document" and old.label else []
    return any(document.namespace == old.namespace for document in named)


def _deleted(what: str) -> Conflict:
    return Conflict(f"{what} is deleted now; undo the deletion first (`indelible history` names it)")


def _taken(old: Record) -> Conflict:
    return Conflict(
        f"{old.kind} {old.key} cannot come back: its id, name or content is taken by a newer one in namespace "
        f"{old.namespace!r}; delete or change that one first"
    )


class Past(TypedDict):
    """One earlier state of a record; `who` made it one, "" without a token."""

    operation: str
    tool: str
    who: str
    action: str
    id: str
    time: int
    undone: bool
    content: str


def history(ctx: Context, key: str | None = None, limit: int = 20) -> list[Past]:
    """Earlier states of a record, or without an id the newest entries of the trash, newest first."""
    with ctx.store.read() as tx:
        if not key:
            found = trash.recent(tx, ctx.tenant, limit)
        else:
            found = trash.of_key(tx, ctx.tenant, key) or trash.of_key(tx, ctx.tenant, lookup.key_of(key))
        return [
            {
                "operation": thing.operation,
                "tool": thing.tool,
                "who": thing.who,
                "action": thing.action,
                "id": thing.key,
                "time": thing.time,
                "undone": thing.undone,
                "content": str(thing.body["record"]["text"]),
            }
            for thing in found
        ]


class Operation(TypedDict):
    """One call that deleted or overwrote something: `who` called ("" without a token), on how many things, the first.

    `ids` are those of the first, `content` is the text of the very first.
    """

    operation: str
    time: int
    tool: str
    who: str
    action: str
    undone: bool
    count: int
    ids: list[str]
    content: str


def operations(ctx: Context, limit: int) -> list[Operation]:
    """What can be undone, or was, newest first; where a call did several things, `action` names each."""
    with ctx.store.read() as tx:
        return [_operation(ctx, tx, named) for named in trash.operations(tx, ctx.tenant, limit)]


def _operation(ctx: Context, tx: Transaction, named: str) -> Operation:
    actions = trash.actions(tx, ctx.tenant, named)
    things = trash.first_of_operation(tx, ctx.tenant, named, NAMED)
    return {
        "operation": named,
        "time": things[0].time,
        "tool": things[0].tool,
        "who": things[0].who,
        "action": ", ".join(actions),
        "undone": things[0].undone,
        "count": sum(actions.values()),
        "ids": list(dict.fromkeys(thing.key for thing in things if thing.key)),
        "content": str(things[0].body["record"]["text"]),
    }


def past_of(ctx: Context, given: str) -> list[Past]:
    """Earlier states of a record, newest first. Raises NotFound where no record has that id, nor ever had."""
    past = history(ctx, given) if given else []
    if not past:
        with ctx.store.read() as tx:
            if not lookup.candidates(ctx, tx, given):
                raise NotFound(
                    f"id {given!r} is unknown: no memory or earlier state has it; "
                    "`indelible history` lists what was changed or deleted"
                )
    return past
