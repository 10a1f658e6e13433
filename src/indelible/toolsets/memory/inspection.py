"""Records as a person inspects them: the newest memories of a project, and one record with all that belongs to it.

Nothing is counted as returned here: a person who looks through a store does not change what recall finds first.
"""

from collections.abc import Sequence
from typing import NamedTuple

from indelible.clock import sortable_text
from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.recall import browse
from indelible.core.records.past import replacing
from indelible.core.records.relations import label_of
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import lifetimes
from indelible.store.views import newest as newest_view

ALWAYS = newest_view.ALWAYS
WHOLE = 1 << 21  # characters: more than any text has


class Listed(NamedTuple):
    """A memory of a list, and the shortest id that names it."""

    record: Record
    short: str


class Relation(NamedTuple):
    """A relation of an inspected record: `outgoing` if it leads away from it; the other end by its id and its label."""

    relationship: str
    outgoing: bool
    weight: float
    id: str
    short: str
    label: str


class Inspected(NamedTuple):
    """A record, the shortest id that names it, its relations, oldest first, and the id of what replaces it."""

    record: Record
    short: str
    relations: list[Relation]
    replaced_by: str = ""


def newest(
    ctx: Context,
    limit: int,
    *,
    type_: str = "",
    every_project: bool = False,
    length: int = WHOLE,
    namespace: str | None = None,
    kinds: Sequence[str] = ("memory",),
    before: int = newest_view.ALWAYS,
) -> list[Listed]:
    """Return the newest current records of `kinds` in the caller's project, another one, or every project.

    Of one type if it is given, and made before a time; ties by key. Those that have expired are left out. Their texts
    are cut to `length` characters.
    """
    with ctx.store.read() as tx:
        namespaces = set(records.namespaces(tx)) if every_project else browse.stored_namespaces(ctx, tx, namespace)
        expired = lifetimes.expired(tx, sortable_text(ctx.now()))
        found = [
            record
            for kind in kinds
            for record in newest_view.newest(
                tx, namespaces, limit, length, type_=type_, kind=kind, before=before, without=expired
            )
        ]
        found.sort(key=lambda record: (-record.created, record.key))
        shorts = ids.shorts(tx, found[:limit])
        return [Listed(record, shorts[record.id]) for record in found[:limit]]


def by_day(
    ctx: Context,
    kinds: Sequence[str],
    since: int,
    *,
    type_: str = "",
    every_project: bool = False,
    namespace: str | None = None,
) -> tuple[dict[int, int], int]:
    """Return how many current records of `kinds` were made on each day since 1970, where there are any.

    Beside it since when all are counted: from `since` on, or later in a large store. The projects are as of `newest`.
    """
    with ctx.store.read() as tx:
        namespaces = set(records.namespaces(tx)) if every_project else browse.stored_namespaces(ctx, tx, namespace)
        return newest_view.by_day(tx, namespaces, kinds, since, type_=type_)


def project(ctx: Context) -> str:
    """Return the namespace of the caller's project, "" where it has none."""
    with ctx.store.read() as tx:
        return ctx.scope(tx).own


def inspect(ctx: Context, given: str) -> Inspected:
    """Return the record of an id, of any kind, a memory before others. Raises NotFound and Conflict."""
    with ctx.store.read() as tx:
        record = ids.find(ctx, tx, "ID", given)
        newer = replacing(ctx, tx, [record]).get(record.id, "")
        return Inspected(record, ids.short(tx, record), _relations(ctx, tx, record), newer)


def _relations(ctx: Context, tx: Transaction, record: Record) -> list[Relation]:
    """Return the relations of a record whose other end the caller may see."""
    found = edges.of_records(tx, [record.id])
    ends = {edge.target if edge.source == record.id else edge.source for edge in found}
    there = records.by_ids(tx, sorted(ends - visibility.hidden(ctx, tx, ends)))
    shorts = ids.shorts(tx, there.values())
    shown = []
    for edge in found:
        outgoing = edge.source == record.id
        end = there.get(edge.target if outgoing else edge.source)
        if end is not None:
            name = ids.name_of(end), shorts[end.id], label_of(end)
            shown.append(Relation(edge.relation, outgoing, edge.weight, *name))
    return shown
