"""Namespaces as wholes: listing, figures, deletion and purge.

The namespaces of one project (its path, paths inside it, its worktrees and clones) are one here, as in every filter.
"""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple, TypedDict

from indelible.batching import breathe
from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.context.dispatch import MOST_NAMED
from indelible.core.records import dependents, trash
from indelible.errors import Conflict, InvalidInput
from indelible.model import INDEXED_KINDS, KINDS
from indelible.project import is_path
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import activity, records, repositories, symbols, terms
from indelible.store.tables.records import Counted
from indelible.toolsets.code import roots
from indelible.toolsets.memory import merged_projects

DIGITS = 6  # of means: the databases do not add up alike to the last bit


class Namespace(TypedDict):
    """A project and how many memories it has; the name '' stands for those without a namespace."""

    name: str
    memory_count: int


class NamespaceStats(TypedDict):
    """Figures of the memories of a namespace: counts with the most frequent first, times in UTC."""

    namespace: str
    count: int
    avg_importance: float | None
    avg_confidence: float | None
    type_distribution: dict[str, int]
    tag_frequency: dict[str, int]
    oldest: str | None
    newest: str | None


def listed(ctx: Context) -> list[Namespace]:
    """Every namespace that has memories, by name; the counts add up to all memories there are."""
    return [{"name": name, "memory_count": each.number} for name, each in counted(ctx).items()]


def counted(ctx: Context) -> dict[str, Counted]:
    """How many memories each namespace has that has any, and when the newest was made, by name."""
    with ctx.store.read() as tx:
        found = records.count_by_namespace(tx, "memory")
        known = ctx.scope(tx).aliases
    counts: dict[str, Counted] = {}
    for stored, each in found.items():
        name = known.canonical(stored)
        before = counts.get(name, Counted(0, 0))
        counts[name] = Counted(before.number + each.number, max(before.newest, each.newest))
    return dict(sorted(counts.items()))


def gone(ctx: Context) -> list[str]:
    """Return the namespaces with memories that are paths where nothing is any more, those with the newest first."""
    if not ctx.settings.own_machine:
        return []
    found = {name: each.newest for name, each in counted(ctx).items() if is_path(name) and not os.path.lexists(name)}
    return sorted(found, key=lambda name: -found[name])


class Stored(NamedTuple):
    """A namespace as records have it, the project that it belongs to, and its records by kind, the most first."""

    name: str
    project: str
    kinds: dict[str, int]


def stored(ctx: Context) -> list[Stored]:
    """Every namespace that has records, as it is stored, by name."""
    with ctx.store.read() as tx:
        found = {kind: records.count_by_namespace(tx, kind) for kind in KINDS}
        known = ctx.scope(tx).aliases
    names = sorted({name for each in found.values() for name in each})
    counts = {
        name: Counter({kind: each[name].number for kind, each in found.items() if name in each}) for name in names
    }
    return [Stored(name, known.canonical(name), dict(counts[name].most_common())) for name in names]


def stats(ctx: Context, namespace: str) -> NamespaceStats:
    """Figures of the memories of a namespace, '' for those without; of an unknown one count 0 and None."""
    with ctx.store.read() as tx:
        found = records.summary(tx, _names(ctx, tx, namespace), "memory")
    return {
        "namespace": namespace,
        "count": found.count,
        "avg_importance": None if found.importance is None else round(found.importance, DIGITS),
        "avg_confidence": None if found.confidence is None else round(found.confidence, DIGITS),
        "type_distribution": found.types,
        "tag_frequency": found.tags,
        "oldest": None if found.oldest is None else time_text(found.oldest),
        "newest": None if found.newest is None else time_text(found.newest),
    }


def delete(ctx: Context, namespace: str, confirm: bool) -> dict[str, int]:
    """Move all memories of a namespace and their relations to the trash, as one operation.

    Returns the number of memories by deleted namespace: any name of a project means all of it. Records of other kinds
    stay. Raises Conflict for a project into which an earlier version merged others, and InvalidInput without `confirm`
    or for '': memories without a namespace are not a finished project, and '' may be a forgotten value.
    """
    _refuse_empty(namespace)
    if not confirm:
        with ctx.store.read() as tx:
            counts = _memories_by_name(ctx, tx, namespace)
        taken = ", ".join(f"{count} of {name!r:.200}" for name, count in counts.items()) or "none"
        raise InvalidInput(
            f"confirm must be true to delete all memories of namespace {namespace!r}, got false; nothing was deleted. "
            f"It would delete {taken}"
        )
    deleted_keys: list[str] = []

    def work(tx: Transaction) -> dict[str, int]:
        counts = _memories_by_name(ctx, tx, namespace)
        names = set(counts)
        ids = records.ids_in(tx, names, "memory")
        deleted_keys[:] = [record.key for record in records.by_ids(tx, ids[:MOST_NAMED]).values()]
        trash.delete_all(ctx, tx, ids)
        return counts

    ctx.write_behind.before_deletion()
    deleted = ctx.write(work)
    ctx.call.touched.extend(deleted_keys)
    return deleted


def _memories_by_name(ctx: Context, tx: Transaction, namespace: str) -> dict[str, int]:
    """Return the namespaces that deleting a name would delete, each with its number of memories."""
    names = _names(ctx, tx, namespace)
    merged_projects.refuse(ctx, tx, names)
    counts = {name: len(records.ids_in(tx, {name}, "memory")) for name in sorted(names)}
    return {name: count for name, count in counts.items() if count}


def named(ctx: Context, tx: Transaction, namespace: str, elsewhere: Collection[str] = ()) -> set[str]:
    """Return the stored namespaces that deleting a name would delete, those stored `elsewhere` included.

    Raises InvalidInput for '' and for names that `namespaces_named` refuses, and Conflict for a project into which an
    earlier version merged others, until the user decided which records belong where.
    """
    _refuse_empty(namespace)
    stored = {*records.namespaces(tx), *activity.namespaces(tx), *elsewhere}
    stored.update(each.namespace for each in repositories.everything(tx))
    found = ctx.scope(tx).named(namespace, stored)
    merged_projects.refuse(ctx, tx, found)
    return found


def purge_all(ctx: Context, names: Collection[str]) -> dict[str, int]:
    """Move all records of namespaces to the trash as one operation; return the number deleted of each kind.

    Runs in short transactions, so that other writers get their turn; after a crash it can be called again. The entities
    that failures wrote are deleted with them unless something else uses them. Captured activity and indexed source code
    are deleted for good (another run of the index finds the code again), but files and symbols that were related to
    other records go to the trash with these relations. Other namespaces are not touched. Raises Conflict while the
    source code of one of the namespaces is being indexed.
    """

    def last(tx: Transaction) -> None:
        trash.delete_all(ctx, tx, _contents(ctx, tx, names)[0])  # what came meanwhile
        activity.remove_in(tx, set(names))

    ctx.write_behind.before_deletion()
    with _unindexed(ctx, names):
        _forget_code(ctx, names)  # before the files that others relate to: with those the rows of symbols would go
        with ctx.store.read() as tx:
            ids, counts, _ = _contents(ctx, tx, names)
        for at in range(0, len(ids), trash.TOGETHER):
            ctx.write(partial(_discard, ctx, ids[at : at + trash.TOGETHER]))
            breathe()
        ctx.write(last)
        _forget_code(ctx, names)
        ctx.store.write(partial(_forget_codebases, ctx, names))
    return counts


def _forget_codebases(ctx: Context, names: Collection[str], tx: Transaction) -> None:
    """Delete the codebases of namespaces; with the last one of the store, also the sealed index of code and commits."""
    repositories.delete_in(tx, set(names))
    everyone = whole(tx)
    if not repositories.everything(everyone):  # nobody follows what is sealed of code from here on
        for space in (terms.CODE_WORDS, terms.CODE_SPARSE, terms.CODE_DENSE, terms.COMMIT_WORDS):
            terms.drop_partition(everyone, space)


@contextmanager
def _unindexed(ctx: Context, names: Collection[str]) -> Iterator[None]:
    """Block runs of the index on the codebases of namespaces. Raises Conflict if one is under way."""
    with ctx.store.read() as tx:
        known = [each for each in repositories.everything(tx) if each.namespace in names]
    with ExitStack() as held:
        for each in known:
            lock = roots.lock_of(ctx, each.id)
            if not lock.try_acquire():
                raise Conflict(
                    f"the source code in {each.root} is being indexed; repeat the purge when that run has ended, or "
                    "end it first. Nothing was deleted"
                )
            held.callback(lock.release)
        yield


def _discard(ctx: Context, ids: Sequence[int], tx: Transaction) -> None:
    trash.delete_all(ctx, tx, ids)


def _forget_code(ctx: Context, names: Collection[str]) -> None:
    """Delete indexed code, which another run of the index finds again, in several transactions."""
    with ctx.store.read() as tx:
        code = list(code_of(ctx, tx, names))
    for at in range(0, len(code), trash.TOGETHER):
        ctx.store.write(partial(_forget, ids=code[at : at + trash.TOGETHER]))
        breathe()


def _forget(tx: Transaction, ids: Sequence[int]) -> None:
    """Delete indexed code, except what was related to another record meanwhile."""
    symbols.delete_code(tx, list(symbols.derived(tx, ids)))


def everything_in(ctx: Context, tx: Transaction, names: Collection[str]) -> tuple[list[int], dict[str, int]]:
    """Return the row ids of all records of namespaces except indexed code, and their number by kind."""
    ids, counts, _ = _contents(ctx, tx, names)
    return ids, counts


def _contents(ctx: Context, tx: Transaction, names: Collection[str]) -> tuple[list[int], dict[str, int], list[int]]:
    """Return the row ids of the records of namespaces, their number by kind, and the row ids of indexed code."""
    names = set(names)
    ids, counts = records.ids_in(tx, names, None), records.count_kinds_in(tx, names)
    code = code_of(ctx, tx, names)
    ids = [each for each in ids if each not in code]
    counts = dict(Counter(counts) - Counter(code.values()))
    if "failure" in counts:
        everything = set(ids)
        written = [entity for entity in dependents.unused_entities(ctx, tx, everything) if entity not in everything]
        if written:
            counts["entity"] = counts.get("entity", 0) + len(written)
        ids = ids + written
    return ids, dict(sorted(counts.items())), list(code)


def _names(ctx: Context, tx: Transaction, namespace: str) -> set[str]:
    """The stored namespaces that a name stands for."""
    return ctx.scope(tx).of_project(namespace, set(records.namespaces(tx)))


def code_of(ctx: Context, tx: Transaction, names: Collection[str]) -> dict[int, str]:
    """Return the kinds, by row id, of the files and symbols of source code that a purge of namespaces would delete."""
    ids = [record for kind in INDEXED_KINDS for record in records.ids_in(tx, set(names), kind)]
    return symbols.derived(tx, ids)


def _refuse_empty(namespace: str) -> None:
    if not namespace:
        raise InvalidInput("namespace must not be empty; `indelible call list_namespaces` shows which there are")
