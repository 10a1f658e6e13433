"""Namespaces as wholes: what there is in each, and taking one away.

The namespaces of one project (its path, paths inside it, its worktrees and clones) are one here, as in every filter.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TypedDict

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.context.dispatch import MOST_NAMED
from indelible.core.context.scoping import aliases, namespaces_named, namespaces_to_read
from indelible.core.records import dependents, trash
from indelible.core.records.batching import breathe
from indelible.errors import Conflict, InvalidInput
from indelible.model import CODE_KINDS
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import activity, records, repositories, symbols, terms
from indelible.toolsets.memory import merged_projects

DIGITS = 6  # of means: the databases do not add up alike to the last bit


class Namespace(TypedDict):
    """A project and how many memories it has; the name '' stands for those without a namespace."""

    name: str
    memory_count: int


class NamespaceStats(TypedDict):
    """What the memories of a namespace are: counts with the most frequent first, times in UTC."""

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
    with ctx.store.read() as tx:
        found = records.count_by_namespace(tx, ctx.tenant, "memory")
        known = aliases(ctx, tx)
    counts: dict[str, int] = {}
    for stored, count in found.items():
        name = known.canonical(stored)
        counts[name] = counts.get(name, 0) + count
    return [{"name": name, "memory_count": counts[name]} for name in sorted(counts)]


def stats(ctx: Context, namespace: str) -> NamespaceStats:
    """Figures of the memories of a namespace, '' for those without; of an unknown one count 0 and None."""
    with ctx.store.read() as tx:
        found = records.summary(tx, ctx.tenant, _names(ctx, tx, namespace), "memory")
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
    """Take all memories of a namespace away (into the trash, as one operation) with their relations.

    Returns how many by each namespace that was taken: all of a project by any of its names. Other kinds of records
    stay. Raises Conflict for a project of which an earlier version took others for a part (`merged`), InvalidInput
    without `confirm`, and for '': those without a namespace are no project that somebody finished with, and '' is what
    a forgotten value looks like.
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
    gone: list[str] = []

    def work(tx: Transaction) -> dict[str, int]:
        counts = _memories_by_name(ctx, tx, namespace)
        names = set(counts)
        ids = records.ids_in(tx, ctx.tenant, names, "memory")
        gone[:] = [record.key for record in records.by_ids(tx, ctx.tenant, ids[:MOST_NAMED]).values()]
        trash.delete_all(ctx, tx, ids)
        return counts

    ctx.write_behind.before_deletion()
    deleted = ctx.write(work)
    ctx.call.touched.extend(gone)
    return deleted


def _memories_by_name(ctx: Context, tx: Transaction, namespace: str) -> dict[str, int]:
    """The namespaces that a delete takes by a name, each with how many memories."""
    names = _names(ctx, tx, namespace)
    merged_projects.refuse(ctx, tx, names)
    counts = {name: len(records.ids_in(tx, ctx.tenant, {name}, "memory")) for name in sorted(names)}
    return {name: count for name, count in counts.items() if count}


def named(ctx: Context, tx: Transaction, namespace: str, elsewhere: Collection[str] = ()) -> set[str]:
    """The stored namespaces that are deleted by a name, those that are stored `elsewhere` among them.

    Raises InvalidInput for '' and what `namespaces_named` refuses, and Conflict for a project of which an earlier
    version took others for a part, as long as nobody said what belongs where.
    """
    _refuse_empty(namespace)
    stored = {*records.namespaces(tx, ctx.tenant), *activity.namespaces(tx, ctx.tenant), *elsewhere}
    stored.update(each.namespace for each in repositories.everything(tx, ctx.tenant))
    found = namespaces_named(ctx, tx, namespace, stored)
    merged_projects.refuse(ctx, tx, found)
    return found


def purge_all(ctx: Context, names: Collection[str]) -> dict[str, int]:
    """Take everything of namespaces away, of all kinds, into the trash as one operation; how many of each kind.

    It is done in short transactions, so that others get their turn: who is killed in the middle calls it again.
    The entities that its failures wrote go with them, unless they are of use to others. What agents did there is
    forgotten for good, and so is what was indexed of its source code, which another run finds again; files and symbols
    that somebody related to something are kept in the trash with that. Other namespaces stay, whatever comes to be
    known of them meanwhile. Raises Conflict while their source code is being indexed.
    """

    def last(tx: Transaction) -> None:
        trash.delete_all(ctx, tx, _contents(ctx, tx, names)[0])  # what came meanwhile
        activity.remove_in(tx, ctx.tenant, set(names))

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
    """Forget which codebases namespaces have; with the last of the store, what is sealed of code."""
    repositories.delete_in(tx, ctx.tenant, set(names))
    everyone = whole(tx)
    if not repositories.everything(everyone, ctx.tenant):  # nobody follows what is sealed of code from here on
        for space in (terms.CODE_WORDS, terms.CODE_SPARSE, terms.CODE_DENSE):
            terms.drop_space(everyone, ctx.tenant, space)


@contextmanager
def _unindexed(ctx: Context, names: Collection[str]) -> Iterator[None]:
    """Keep runs of the index away from the codebases of namespaces; one that is under way is a Conflict."""
    from indelible.toolsets.code import roots  # with what reads source trees, which most processes do without

    with ctx.store.read() as tx:
        known = [each for each in repositories.everything(tx, ctx.tenant) if each.namespace in names]
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
    """Delete what another run of the index finds again, a piece a transaction."""
    with ctx.store.read() as tx:
        code = list(code_of(ctx, tx, names))
    for at in range(0, len(code), trash.TOGETHER):
        ctx.store.write(partial(_forget, tenant=ctx.tenant, ids=code[at : at + trash.TOGETHER]))
        breathe()


def _forget(tx: Transaction, tenant: int, ids: Sequence[int]) -> None:
    """Delete code that says nothing of its own; somebody may have related something to it meanwhile."""
    symbols.delete_code(tx, tenant, list(symbols.derived(tx, tenant, ids)))


def everything_in(ctx: Context, tx: Transaction, names: Collection[str]) -> tuple[list[int], dict[str, int]]:
    """All that is stored in namespaces and is not found in their source code, and how much of each kind that is."""
    ids, counts, _ = _contents(ctx, tx, names)
    return ids, counts


def _contents(ctx: Context, tx: Transaction, names: Collection[str]) -> tuple[list[int], dict[str, int], list[int]]:
    """All that is stored in namespaces, and how much of each kind that is; last what another run finds again."""
    names = set(names)
    ids, counts = records.ids_in(tx, ctx.tenant, names, None), records.count_kinds_in(tx, ctx.tenant, names)
    code = code_of(ctx, tx, names)
    ids = [each for each in ids if each not in code]
    counts = dict(Counter(counts) - Counter(code.values()))
    if "failure" in counts:
        everything = set(ids)
        written = [twin for twin in dependents.said_by_no_other(ctx, tx, everything) if twin not in everything]
        if written:
            counts["entity"] = counts.get("entity", 0) + len(written)
        ids = ids + written
    return ids, dict(sorted(counts.items())), list(code)


def _names(ctx: Context, tx: Transaction, namespace: str) -> set[str]:
    """The stored namespaces that a name stands for."""
    return namespaces_to_read(ctx, tx, namespace, set(records.namespaces(tx, ctx.tenant))) or set()


def code_of(ctx: Context, tx: Transaction, names: Collection[str]) -> dict[int, str]:
    """The kinds of the files and symbols of source code in namespaces that a purge would forget, by row id."""
    ids = [record for kind in CODE_KINDS for record in records.ids_in(tx, ctx.tenant, set(names), kind)]
    return symbols.derived(tx, ctx.tenant, ids)


def _refuse_empty(namespace: str) -> None:
    if not namespace:
        raise InvalidInput("namespace must not be empty; `indelible call list_namespaces` shows which there are")
