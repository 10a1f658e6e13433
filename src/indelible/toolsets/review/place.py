"""The place of a change: the work tree of the caller's project on this machine, and the code index of it."""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from indelible.core.context import codebases
from indelible.core.context.context import Context
from indelible.project import locate
from indelible.source.history.diff import Diff, FileDiff
from indelible.source.history.git import Git, GitFailed
from indelible.source.indexing import hash_of
from indelible.store.database import Transaction
from indelible.store.tables import source_files
from indelible.store.tables.repositories import Repository
from indelible.toolsets.review import code
from indelible.toolsets.review.code import Around

MOST_BYTES = 4 << 20  # of a file that is compared with the index


class Place(NamedTuple):
    """A work tree of git by its top directory."""

    git: Git
    top: Path


def found(ctx: Context, start: Path) -> tuple[Place | None, str]:
    """Return the work tree of the caller's project; None, and why, where there is none or it may not be read.

    Of the project's work trees that around `start`, if that is in the project, else the main one.
    """
    location = ctx.session.location
    if not ctx.settings.own_machine or not ctx.session.is_local:
        return None, "the files of this call are not on the server's machine"
    if location is None or not location.here or not os.path.isabs(location.path):
        return None, "no project directory is known"
    if ctx.session.grant.limited:
        with ctx.store.read() as tx:
            if not ctx.scope(tx).within(location.path):
                return None, "the project is outside of this token's namespaces"
    same = locate(None, {}, start, ctx.settings.home) if start.is_absolute() else None
    directory = start if same is not None and same.path == location.path else Path(location.path)
    try:
        top = Git(directory).top()
    except GitFailed as error:
        return None, str(error)
    return Place(Git(top), top), ""


def around(
    ctx: Context, tx: Transaction, diff: Diff, place: Place | None, lacks: list[str], *, with_uses: bool = True
) -> Around:
    """Return the index around a diff, of all codebases of the project together, paths as in the diff.

    What it lacks is added to `lacks`. Without uses only what is changed is looked up.
    """
    scope = ctx.scope(tx)
    known = codebases.of_project(ctx, tx, scope.own) if scope.own else []
    every = Around([], {}, [], {})
    for repository in known:
        prefix = f"{repository.folder}/" if repository.folder else ""
        own = _inside(diff, prefix)
        if own.files:
            is_old = partial(_is_old, tx, repository, place)
            part = code.around(tx, repository.id, own, is_old, with_uses=with_uses)
            every.changed.extend(part.changed)
            every.files.update({prefix + path: record for path, record in part.files.items()})
            every.uses.extend(use._replace(path=prefix + use.path) for use in part.uses)
            every.after.update(part.after)
    if not known:
        lacks.append("the code index: this project is not indexed; `indelible index`, or index_codebase, does it")
    elif diff.files and not every.files:
        lacks.append("the code index: it has none of these files")
    return every


def _inside(diff: Diff, prefix: str) -> Diff:
    """Return the files of a diff in a folder, by their paths in it."""
    if not prefix:
        return diff
    return Diff(
        tuple(
            replace(each, path=each.path.removeprefix(prefix), old_path=each.old_path.removeprefix(prefix))
            for each in diff.files
            if each.path.startswith(prefix) or each.old_path.startswith(prefix)
        ),
        diff.cut,
    )


def _is_old(tx: Transaction, repository: Repository, place: Place | None, file: FileDiff) -> bool:
    """Whether the index has a file as it was before the change: its bytes are not those of the work tree."""
    stored = source_files.by_path(tx, repository.id, file.path)
    if stored is None:
        return True
    if place is None:
        return file.status != "A"
    try:
        with (place.top / repository.folder / file.path).open("rb") as opened:
            body = opened.read(MOST_BYTES)
    except OSError:
        return True
    return hash_of(body) != stored.hash
