"""The packages of a source tree and which of them need which, as its manifests declare them."""

import logging
import os
import posixpath
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import Forbidden, NotFound
from indelible.sanitize.secret_spans import redact_text
from indelible.source.manifests.workspaces import Workspaces, workspaces
from indelible.store.tables import repositories
from indelible.toolsets.code.roots import anothers, checked, refuse_guests

MOST = 500  # requirements, and edges between packages, that an answer lists

log = logging.getLogger("indelible")


@dataclass(frozen=True, slots=True)
class CrossRepo:
    """The packages declared by the manifests below `root`, an absolute directory."""

    root: str
    found: Workspaces


def cross_repo(ctx: Context, path: str | None) -> CrossRepo:
    """Read the manifests of the tree at `path`, an absolute directory; None means the codebase indexed last.

    Unreadable parts of manifests are logged, and the rest is returned without secrets (such as a password in the URL of
    a requirement). Nothing is stored. Raises InvalidInput for a path that is not a directory, NotFound if none is given
    and nothing was indexed, and Forbidden for callers limited to namespaces if the path is outside of all codebases
    that they see, and for tenants other than the server's own.
    """
    refuse_guests(ctx)
    root = _last_indexed(ctx) if path is None else _directory(ctx, path)
    found = workspaces(root)
    for note in found.notes:
        log.warning("manifests of a tree", extra={"key": str(root), "message_text": note})
    return CrossRepo(str(root), _without_secrets(_seen(found, root, anothers(ctx, root)), {}))


def _seen(found: Workspaces, root: Path, is_anothers: Callable[[str], bool]) -> Workspaces:
    """Return the packages of a tree without those in repositories of other projects."""
    known = {"": True, ".": True}

    def is_seen(folder: str) -> bool:
        if folder not in known:
            at = root / folder
            theirs = os.path.lexists(at / ".git") and is_anothers(str(at))
            known[folder] = not theirs and is_seen(posixpath.dirname(folder))
        return known[folder]

    return replace(
        found,
        workspaces=tuple(
            replace(each, members=tuple(member for member in each.members if is_seen(member)))
            for each in found.workspaces
            if is_seen(posixpath.dirname(each.manifest))
        ),
        packages=tuple(each for each in found.packages if is_seen(each.path)),
        edges=tuple(each for each in found.edges if is_seen(each.source.path) and is_seen(each.target.path)),
    )


def _last_indexed(ctx: Context) -> Path:
    with ctx.store.read() as tx:
        last = repositories.last_indexed(tx)
    if last is None:
        raise NotFound("no codebase is indexed yet; give path, or run index_codebase first")
    root = Path(last.root)
    if not root.is_dir():
        raise NotFound(f"the codebase indexed last, {last.root!r:.300}, is no longer there; give path")
    return root


def _directory(ctx: Context, path: str) -> Path:
    """Return the real path of a directory given by a caller."""
    given = Path(path)
    if ctx.session.grant.limited and given.is_absolute() and not _is_indexed(ctx, Path(os.path.realpath(given))):
        raise Forbidden(f"path {path!r:.200} is in no codebase that this token reaches; nothing was read")
    return checked(given)


def _is_indexed(ctx: Context, directory: Path) -> bool:
    """Return whether a directory is in a codebase that the caller sees, who must learn nothing about others."""
    with ctx.store.read() as tx:
        return any(directory.is_relative_to(each.root) for each in repositories.everything(tx) if each.indexed)


def _without_secrets(value: Any, known: dict[int, Any]) -> Any:
    """Return a value with redacted texts; `known` caches objects by identity, since packages occur in many edges."""
    if id(value) in known:
        return known[id(value)]
    clean = value
    if isinstance(value, str):
        clean = redact_text(value)[0]
    elif isinstance(value, tuple):
        clean = tuple([_without_secrets(each, known) for each in value])
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {each.name: _without_secrets(getattr(value, each.name), known) for each in fields(value)}
        clean = replace(value, **parts)
    known[id(value)] = clean
    return clean
