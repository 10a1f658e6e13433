"""The trash: records that a call deletes or overwrites are stored in it first, in the call's own transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from indelible.core.context.context import Context
from indelible.core.context.quota import size_of
from indelible.core.records.insert import index_words
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import access, edges, records, trash
from indelible.store.tables.trash import Action, Discarded
from indelible.store.views import documents

TOGETHER = 500  # records that are read, kept and deleted at a time


def keep(
    ctx: Context,
    tx: Transaction,
    record: Record,
    action: Action,
    *,
    additive: bool = False,
    revision: bool = False,
    self_contained: bool = False,
    added: Mapping[str, Any] | None = None,
) -> list[Edge]:
    """Put a record as it is now, with its relations and access data, into the trash; returns the relations.

    The state itself is kept by the history when the record changes, so that must come afterwards. A `self_contained`
    row holds it instead: one that the store never had so, which no history keeps.

    All of them, including those to records that the caller must not see: they go and come back with the record. A
    document that is overwritten is kept before its chunks change: the positions of its chunks are kept with it.
    `additive` and `revision` say how it is brought back and counted, see `Discarded`; `added` is what came with the
    change and goes with its undo, see `undo.written`.
    """
    relations = edges.of_records(whole(tx), [record.id]) if action == "delete" else []
    used = access.of_records(tx, [record.id]).get(record.id) if action == "delete" else None
    body = trash.body_of(used)
    if action == "update" and record.kind == "document":
        body["layout"] = [[chunk, at] for chunk, at, _ in documents.layout(tx, record.key)]
    if added is not None:
        body["added"] = added
    trash.add(
        tx,
        discarded(
            ctx, action, record, relations, body, additive=additive, revision=revision, self_contained=self_contained
        ),
    )
    return relations


def relations_added(added: Iterable[Edge]) -> list[list[Any]]:
    """Return relations as a body has those that came with a change, see `undo.written`."""
    return [[edge.source, edge.target, edge.relation, edge.weight] for edge in added]


def keep_edge(ctx: Context, tx: Transaction, edge: Edge, source: Record) -> None:
    """Put a relation as it is now into the trash."""
    trash.add(tx, discarded(ctx, "edge", source, [edge], trash.body_of(None)))


def discarded(
    ctx: Context,
    action: Action,
    record: Record,
    relations: list[Edge],
    body: dict[str, Any],
    *,
    additive: bool = False,
    revision: bool = False,
    self_contained: bool = False,
) -> Discarded:
    """Return a row of the trash, written by the call of the context."""
    call = ctx.call
    return Discarded(
        call.operation,
        call.tool,
        action,
        record.id,
        record.key,
        record,
        relations,
        body,
        ctx.now(),
        who=ctx.session.grant.who,
        bulk=call.bulk,
        additive=additive,
        revision=revision,
        reverses=call.reverses,
        self_contained=self_contained,
    )


def delete(ctx: Context, tx: Transaction, record: Record) -> None:
    """Delete a record into the trash, as `delete_all` does."""
    delete_all(ctx, tx, [record.id])


def delete_all(ctx: Context, tx: Transaction, ids: Sequence[int]) -> int:
    """Delete records into the trash; returns how many there were.

    What they replaced is replaced by what had replaced them; where nothing had, it is current again. They come back in
    the reverse order. To be brought back without a conflict, replaced records must come first.
    """
    freed: list[Edge] = []
    deleted = 0
    for at in range(0, len(ids), TOGETHER):
        some = ids[at : at + TOGETHER]
        found = edges.of_records(whole(tx), some)
        _keep_all(ctx, tx, some, found, _succeeded(ctx, tx, some, found))
        freed += found
        deleted += records.delete_many(tx, some)
    going = set(ids)
    replaced = [edge for edge in freed if (pair := edges.replaces(edge)) and pair[0] not in going]
    edges.unmark_replaced(whole(tx), replaced)
    return deleted


def _succeeded(ctx: Context, tx: Transaction, ids: Sequence[int], found: Sequence[Edge]) -> dict[int, list[Edge]]:
    """Relate what records replaced to what replaced these, before they go; return the relations by such a record.

    Without them an old version would be current beside the newest one once a version between the two is deleted.
    """
    going = set(ids)
    replaced = [(*pair, edge) for edge in found if (pair := edges.replaces(edge))]
    after: dict[int, list[tuple[int, Edge]]] = {}
    for old, new, edge in replaced:
        if old in going:
            after.setdefault(old, []).append((new, edge))
    made: dict[int, list[Edge]] = {}
    for old, record, _ in replaced:
        if old in going or record not in after:
            continue
        waiting, seen = [record], {old, record}
        while waiting:
            between = waiting.pop()
            for new, edge in after.get(between, ()):
                if new in seen:
                    continue
                seen.add(new)
                if new in going:
                    waiting.append(new)
                elif edges.add(whole(tx), last := _from(old, between, edge, ctx.now())):
                    made.setdefault(record, []).append(last)
    return made


def _from(old: int, between: int, edge: Edge, now: int) -> Edge:
    """Return a relation by which a record is replaced as one by which `old` is."""
    source, target = (old if end == between else end for end in (edge.source, edge.target))
    return replace(edge, id=0, uid="", origin="", source=source, target=target, created=now, metadata={})


def _keep_all(
    ctx: Context, tx: Transaction, ids: Sequence[int], found: Sequence[Edge], made: Mapping[int, Sequence[Edge]]
) -> None:
    """Do `keep` for records deleted together: a relation goes with that of its ends that comes back last.

    `found` are all their relations, `made` those that go when a record comes back, by its row id.
    """
    known = records.by_ids(tx, ids)
    used = access.of_records(tx, ids)
    place = {record: at for at, record in enumerate(ids)}
    relations: dict[int, list[Edge]] = {}
    for edge in found:
        first = min(edge.source, edge.target, key=lambda end: place.get(end, len(ids)))
        relations.setdefault(first, []).append(edge)
    bodies = {id_: trash.body_of(used.get(id_)) for id_ in ids}
    for id_, some in made.items():
        bodies[id_]["added"] = {"records": [], "edges": relations_added(some), "accesses": []}
    trash.add_many(
        tx,
        [discarded(ctx, "delete", known[id_], relations.get(id_, []), bodies[id_]) for id_ in ids if id_ in known],
    )


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
    ctx.take_room(tx, 0, lambda: size_of([new]) - size_of([old]))
    keep(ctx, tx, old, "update", additive=additive, revision=revision, added=added)
    rewrite(ctx, tx, old, new, text_terms)


def rewrite(ctx: Context, tx: Transaction, old: Record, new: Record, text_terms: dict[int, int] | None = None) -> None:
    """Change a record whose old state is in the trash; `text_terms` as for `index_words`."""
    records.update(tx, new)
    if (new.text, new.label, new.tags) != (old.text, old.label, old.tags):
        index_words(ctx, tx, new, text_terms)
