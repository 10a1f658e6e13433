"""Memories without a query: one by its id, the newest of a project, completions of namespaces, tags and ids."""

from collections import Counter
from collections.abc import Iterable

from indelible.clock import sortable_text
from indelible.core.context import ids as context_ids
from indelible.core.context.context import Context
from indelible.core.recall.returned import returned
from indelible.errors import NotFound
from indelible.model import RECALLED_KINDS, Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import lifetimes
from indelible.store.views import newest as newest_view

MOST_LISTED = 200  # newest memories of a project that are listed
MOST_COMPLETED = 2_000  # newest memories whose tags and ids are proposed
GLIMPSE = 200  # characters of a text that is only listed


def memory(ctx: Context, key: str) -> Record:
    """Return the record of an id, or `kind:id`, of the kinds that recall searches. Raises NotFound and Conflict."""
    with ctx.store.read() as tx:
        found = context_ids.find(ctx, tx, "id", key)
    if found.kind not in RECALLED_KINDS:
        raise NotFound(f"id {key!r} is a {found.kind}, which recall does not show; use the tools of its own kind")
    returned(ctx, [found])
    return found


def newest(ctx: Context, namespace: str | None, limit: int, length: int) -> list[Record]:
    """Return the newest current memories of a project, texts cut to `length`; None means the server's own project.

    None that has expired. '' stands for the memories of no project. Raises NotFound for a namespace that holds nothing,
    unless it is the own.
    """
    with ctx.store.read() as tx:
        expired = lifetimes.expired(tx, sortable_text(ctx.now()))
        found = newest_view.newest(tx, stored_namespaces(ctx, tx, namespace), limit, length, without=expired)
    returned(ctx, found)
    return found


def refuse_empty(ctx: Context, namespace: str) -> None:
    """Raise NotFound for a namespace that holds nothing, unless it is the own project."""
    with ctx.store.read() as tx:
        stored_namespaces(ctx, tx, namespace)


def listed(ctx: Context) -> tuple[str, list[Record]]:
    """Return the server's project and its newest confirmed memories by importance, then the newest, then id.

    Their texts are cut. Nothing is counted as accessed.
    """
    with ctx.store.read() as tx:
        own = ctx.scope(tx).own
        names, expired = stored_namespaces(ctx, tx, None), lifetimes.expired(tx, sortable_text(ctx.now()))
        found = newest_view.newest(tx, names, MOST_LISTED, GLIMPSE, untrusted=False, without=expired)
    return own, sorted(found, key=lambda record: (-record.importance, -record.created, record.key))


def stored_namespaces(ctx: Context, tx: Transaction, namespace: str | None) -> set[str]:
    """Return the stored namespaces of a project."""
    stored = set(records.namespaces(tx))
    scope = ctx.scope(tx)
    wanted = scope.own if namespace is None else namespace
    found = scope.of_project(wanted, stored)
    if not found and scope.aliases.canonical(wanted) != scope.own:
        raise NotFound(f"namespace {wanted!r} is empty; give one that has memories, such as a project's directory")
    return found


# --- Completions ---


def namespaces(ctx: Context) -> list[str]:
    """Return the namespaces in use, the server's own first."""
    with ctx.store.read() as tx:
        scope = ctx.scope(tx)
        names = {scope.aliases.canonical(name) for name in records.namespaces(tx) if name}
    return sorted(names, key=lambda name: (name != scope.own, name))


def tags(ctx: Context) -> list[str]:
    """Return the tags of the newest confirmed memories, the most frequent first, then by name."""
    with ctx.store.read() as tx:
        counts = Counter(_flat(newest_view.tags(tx, MOST_COMPLETED)))
    return sorted(counts, key=lambda tag: (-counts[tag], tag))


def ids(ctx: Context) -> list[str]:
    """Return the ids of the newest memories, the newest first."""
    with ctx.store.read() as tx:
        return newest_view.keys(tx, MOST_COMPLETED)


def _flat(rows: Iterable[tuple[str, ...]]) -> Iterable[str]:
    return (tag for row in rows for tag in row)
