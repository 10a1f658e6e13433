"""Export of records as JSON: of memories, and of the whole store."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from indelible.core.context import visibility
from indelible.core.context.context import Context
from indelible.core.records import past
from indelible.core.records.item_schema import SHARED_KINDS, as_json
from indelible.model import INDEXED_KINDS, Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, symbols

Holds = Callable[[Record], bool]


def export_memories(ctx: Context, namespace: str | None, type_: str | None, limit: int) -> list[dict[str, Any]]:
    """Return memories, newest first, with all relations that they are an end of whose other end is visible."""
    with ctx.store.read() as tx:
        names = set(records.namespaces(tx))
        wanted = ctx.scope(tx).to_read(namespace, names)
        found = (r for r in records.newest(tx, "memory", type_) if wanted is None or r.namespace in wanted)
        chosen = list(islice(found, limit))
        return list(_with_relations(ctx, tx, chosen, both_ends=True, is_shared_apart=_is_shared_apart(tx)))


def export_all(ctx: Context, as_of: int | None = None, *, of_project: bool = False) -> Iterator[dict[str, Any]]:
    """Yield every record of every kind in the order of storing, each relation at its source, as of one moment.

    Records that the index derives from source code are left out, unless a caller related a symbol or file to something.
    Each has its `uid`, which an import keeps: two exports with that record are about the same one.

    `as_of` is a moment that has passed, in microseconds since 1970, instead of now; then nothing of code is in it, and
    it tells of no access: neither is kept as it was. Raises InvalidInput for one before the history begins.

    With `of_project` it is those of the project that the caller works in, and the relations between them.
    """
    with ctx.store.read() as tx:
        holds = _of_project(ctx, tx) if of_project else None
        if as_of is not None:
            yield from _as_of(replace(past.at(ctx, tx, as_of), everything=True), holds)
            return
        last, apart = 0, _is_shared_apart(tx)
        while page := records.after(tx, last, 500):
            code = symbols.derived(tx, [each.id for each in page if each.kind in INDEXED_KINDS])
            stated = [each for each in page if each.id not in code and (holds is None or holds(each))]
            yield from _with_relations(ctx, tx, stated, both_ends=False, is_shared_apart=apart, holds=holds)
            last = page[-1].id


def _of_project(ctx: Context, tx: Transaction) -> Holds:
    """Return whether a record is of the project that the caller works in."""
    scope = ctx.scope(tx)
    known: dict[str, bool] = {}

    def holds(record: Record) -> bool:
        name = record.namespace
        if name not in known:
            known[name] = bool(scope.own_among({name}))
        return known[name]

    return holds


def _between(found: Sequence[Edge], keys: Mapping[int, Record], holds: Holds | None) -> list[Edge]:
    """Return the relations whose ends are both held."""
    return [edge for edge in found if holds is None or (holds(keys[edge.source]) and holds(keys[edge.target]))]


def _as_of(then: past.Past, holds: Holds | None) -> Iterator[dict[str, Any]]:
    apart = _is_shared_apart(then.tx)
    for every in then.every():
        page = [record for record in every if holds is None or holds(record)]
        found = then.relations_of(record.id for record in page)
        keys = then.by_ids({end for edge in found for end in (edge.source, edge.target)})
        found = _between(found, keys, holds)
        relations, newer = _by_source(found, keys), past.replaced_by(found, keys)
        for record in page:
            own, by = relations.get(record.id, []), newer.get(record.id, "")
            item = as_json(record, None, own, keys, by, is_shared_apart=apart)
            yield {**item, "uid": record.uid}


def _is_shared_apart(tx: Transaction) -> bool:
    """Return whether a namespace has entities or vectors of its own, as after a move of those without one."""
    return any(name for kind in SHARED_KINDS for name in records.count_by_namespace(tx, kind))


def _by_source(found: Sequence[Edge], keys: Mapping[int, Record]) -> dict[int, list[Edge]]:
    relations: dict[int, list[Edge]] = {}
    for edge in sorted(found, key=lambda edge: _place(edge, keys)):
        relations.setdefault(edge.source, []).append(edge)
    return relations


def _place(edge: Edge, keys: Mapping[int, Record]) -> tuple[int, str, str, str]:
    """Return a relation's place by the fields that an import keeps, so that the export of one is the same again."""
    return edge.created, edge.relation, keys[edge.source].key, keys[edge.target].key


def _with_relations(
    ctx: Context,
    tx: Transaction,
    page: Sequence[Record],
    *,
    both_ends: bool,
    is_shared_apart: bool,
    holds: Holds | None = None,
) -> Iterator[dict[str, Any]]:
    ids = [record.id for record in page]
    relations: dict[int, list[Edge]] = {}
    ends: set[int] = set()
    found = [edge for edge in edges.of_records(tx, ids) if not edges.is_of_code(edge)]
    for edge in found:
        ends |= {edge.source, edge.target}
    if both_ends:
        hidden = visibility.hidden(ctx, tx, ends)
        found = [edge for edge in found if not hidden & {edge.source, edge.target}]
    keys = records.by_ids(tx, sorted(ends))
    found = _between(found, keys, holds)
    found.sort(key=lambda edge: _place(edge, keys))
    for edge in found:
        relations.setdefault(edge.source, []).append(edge)
        if both_ends:
            relations.setdefault(edge.target, []).append(edge)
    used, newer = ctx.write_behind.access_of(tx, ids), past.replaced_by(found, keys)
    for record in page:
        own, by = relations.get(record.id, []), newer.get(record.id, "")
        item = as_json(record, used.get(record.id), own, keys, by, is_shared_apart=is_shared_apart)
        yield item if both_ends else {**item, "uid": record.uid}  # agents have no use for it
