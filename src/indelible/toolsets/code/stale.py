"""Records to look at: those that name code which has changed, moved or gone since they were written."""

import os
from pathlib import Path
from typing import Any, NamedTuple

from indelible.code_states import CHANGED, FRESH, CodeState, share_gone
from indelible.core.context import codebases, ids
from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.sanitize.prompt_frame import visible
from indelible.source.tree import files
from indelible.store.tables import records
from indelible.store.views import code_links, freshness
from indelible.toolsets import shapes

MOST = 10_000  # records of one list


class Stale(NamedTuple):
    """A record, and the code that it names."""

    record: Record
    code: tuple[CodeState, ...]


def stale(ctx: Context, limit: int) -> tuple[list[Stale], int]:
    """Return the first `limit` records of the project to look at, and how many there are; without one, of all projects.

    What names most that is gone comes first, then what has changed most, then the newest. Replaced records are left
    out: what replaces them holds. Raises InvalidInput for a limit that is not from 1 to MOST.
    """
    if not 1 <= limit <= MOST:
        raise InvalidInput(f"the limit must be from 1 to {MOST:,}, got {limit}")
    with ctx.store.read() as tx:
        if not code_links.any_repository(tx):
            return [], 0
        scope, stored = ctx.scope(tx), set(records.namespaces(tx))
        found = freshness.stale(tx, scope.of_project(scope.own, stored) if scope.own else stored)
        there = records.by_ids(tx, list(found))
    every = [Stale(record, found[record.id]) for record in there.values() if not record.replaced]
    every.sort(key=lambda each: (-share_gone(each.code), -_share_changed(each.code), -each.record.created))
    return every[:limit], len(every)


def is_indexed(ctx: Context) -> bool:
    """Return whether code is indexed of the caller's project, or any where there is none."""
    with ctx.store.read() as tx:
        own = ctx.scope(tx).own
        return bool(codebases.of_project(ctx, tx, own)) if own else code_links.any_repository(tx)


def read_elsewhere(ctx: Context) -> str:
    """Return where the code of the caller's project was read last, if that is another worktree or clone; else "".

    They share one index: it says of all of them what it found in the one that was indexed last.
    """
    top = files.repository_top(Path(ctx.session.directory)) if ctx.session.directory else None
    if top is None:
        return ""
    with ctx.store.read() as tx:
        own = ctx.scope(tx).own
        read = codebases.of_project(ctx, tx, own) if own else []
    last = max(read, key=lambda each: each.indexed, default=None)
    is_elsewhere = last is not None and os.path.realpath(last.root) != os.path.realpath(top / last.folder)
    return last.root if last is not None and is_elsewhere else ""


def _share_changed(code: tuple[CodeState, ...]) -> float:
    """Return how much has changed of what a text names: the mean of the parts, 1 where a part is not known."""
    return sum((each.part or 1.0) for each in code if each.state == CHANGED or each.changed) / len(code)


def fields(each: Stale) -> dict[str, Any]:
    """Return one as a tool would show it, with only what is no longer as its text says."""
    record = each.record
    return {
        "id": ids.shown(record),
        "kind": record.kind,
        "content": visible(record.text),
        **({"namespace": visible(record.namespace)} if record.namespace else {}),
        **shapes.freshness(tuple(code for code in each.code if code.state != FRESH)),
    }
