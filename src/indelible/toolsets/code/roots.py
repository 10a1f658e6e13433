"""Finding or adding the codebase of a directory: its project, and its place in the project."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.dataclass import dataclass
from indelible.errors import Conflict, Forbidden, InvalidInput
from indelible.filesystem import FileLock
from indelible.project import Location, locate
from indelible.sanitize.redact import redact
from indelible.source.tree import files
from indelible.store.database import Transaction
from indelible.store.namespace_filter import outside
from indelible.store.tables import repositories, source_files
from indelible.store.tables.repositories import Repository


@dataclass(frozen=True, slots=True)
class Codebase:
    """A codebase to index: its row, its directory, and the prefix of its paths within the project."""

    repository: Repository
    root: Path
    prefix: str


def checked(path: Path) -> Path:
    """Return the directory of a path, without symbolic links. Raises InvalidInput if it is not a directory."""
    if not path.is_absolute():
        raise InvalidInput(f"path must be absolute, got {str(path)!r:.200}; give the full path of a directory")
    if not os.path.isdir(path):
        found = "a file" if os.path.exists(path) else "nothing"
        raise InvalidInput(f"path must be an existing directory, and {found} is at {str(path)!r:.200}; give one")
    return Path(os.path.realpath(path))


def refuse_readers(ctx: Context) -> None:
    """Raise as `Context.write` does for a caller that may not write, before anything is read."""
    if ctx.settings.read_only:
        raise Conflict(f"{ctx.call.tool} writes, and {ctx.settings.why_read_only}")
    if not ctx.session.grant.allows("write"):
        raise Forbidden(f"{ctx.call.tool} writes, and this token may only read; it needs one of scope write")


def refuse_guests(ctx: Context) -> None:
    """Raise Forbidden for a tenant other than the server's own, which owns no files of this machine."""
    if not ctx.settings.own_machine:
        raise Forbidden(
            f"{ctx.call.tool} reads files of the server's machine, which are another tenant's; run it on the machine "
            "where the code is, with --database and --tenant. Nothing was read"
        )


def find_or_add(ctx: Context, path: Path, named: Location | None = None) -> Codebase:
    """Return the codebase that a directory is or is in; a new one absorbs the codebases inside the directory.

    Its project is that of the directory, as for a server started there, or the one that is `named`. Raises InvalidInput
    for a path that is not a directory (see `checked`), the home directory and the root. A caller limited to namespaces
    gets the same Forbidden for any path outside of their projects, and learns nothing of what is there.
    """
    refuse_readers(ctx)
    refuse_guests(ctx)
    if not ctx.session.grant.limited:
        return _find_or_add(ctx, checked(path), named)
    try:
        return _find_or_add(ctx, checked(path), named)
    except (InvalidInput, Forbidden) as error:
        if not path.is_absolute():
            raise
        raise _beyond(ctx, path) from error


def _beyond(ctx: Context, path: Path) -> Forbidden:
    """Return the error for a caller limited to namespaces: the same whether or not the path exists."""
    names = ", ".join(repr(name)[:200] for name in sorted(ctx.session.grant.namespaces or ())) or "none"
    return Forbidden(
        f"path {str(path)!r:.200} is not a directory of a project within this token's namespaces; it holds in {names}. "
        "Nothing was read"
    )


def _find_or_add(ctx: Context, directory: Path, named: Location | None) -> Codebase:
    location = named or locate(None, {}, directory, ctx.settings.home)
    if location is None:
        raise InvalidInput(
            f"path must be a project's directory, and {str(directory)!r:.200} is the home directory or the root; "
            "give one in it"
        )
    clean, secrets = redact(str(directory), "path")
    if secrets:
        raise InvalidInput(
            f"path holds what looks like a secret ({clean}), and places of code are stored as they are; rename that "
            "directory. Nothing was read"
        )
    top = _top(ctx, directory, location)
    folder = directory.relative_to(top).as_posix().removeprefix(".")

    def work(tx: Transaction) -> Repository:
        placed = ctx.at(location)
        namespace = _namespace(placed, tx, directory)
        known = repositories.in_namespace(tx, namespace)
        around = [each for each in known if is_inside(folder, each.folder) and _holds(placed, tx, top / each.folder)]
        own = max(around, key=lambda each: len(each.folder)).folder if around else folder
        found = repositories.find_or_add(tx, namespace, own, str(top / own))
        _absorb(ctx, tx, found, [each for each in known if each.folder != own and is_inside(each.folder, own)])
        return found

    repository = ctx.store.write(work)
    prefix = f"{repository.folder}/" if repository.folder else ""
    return Codebase(repository, top / repository.folder, prefix)


def lock_of(ctx: Context, repository: int) -> FileLock:
    """Return the lock that a run holds on a codebase; it is not seen by other machines."""
    tenant = "" if ctx.store.tenant == 1 else f"{ctx.store.tenant}-"
    return FileLock(ctx.settings.data / f"index-{tenant}{repository}.lock")


def is_inside(folder: str, outer: str) -> bool:
    """Return whether a folder of a project is another folder, or in it."""
    return not outer or folder == outer or folder.startswith(f"{outer}/")


def _top(ctx: Context, directory: Path, location: Location) -> Path:
    """Return the top directory of this worktree or clone, to which folders of the project are relative."""
    top = files.repository_top(directory)
    if top is not None and locate(None, {}, top, ctx.settings.home) is not None:
        return top
    return Path(location.path) if Path(location.path) in (directory, *directory.parents) else directory


def _namespace(ctx: Context, tx: Transaction, directory: Path) -> str:
    """Return the project that a directory is indexed for; for a limited caller one of its own namespaces."""
    granted = ctx.session.grant.namespaces
    if granted is None:
        return namespace_to_write(ctx, tx, None)
    scope = ctx.scope(tx)
    own = scope.project.namespace
    found = scope.within(own) or scope.within(str(directory))
    if not found:
        raise outside(own, granted)
    return found


def _holds(ctx: Context, tx: Transaction, root: Path) -> bool:
    """Return whether the caller may index all of a directory of the context's project."""
    scope = ctx.scope(tx)
    return not ctx.session.grant.limited or bool(scope.within(scope.project.namespace) or scope.within(str(root)))


def anothers(ctx: Context, top: Path) -> Callable[[str], bool]:
    """Return a predicate for repositories in a tree: whether one is of another project, which the caller must not see.

    It holds only for callers limited to namespaces: a user may index a directory of many repositories as one tree.
    """
    granted = ctx.session.grant.namespaces
    if granted is None:
        return lambda _: False

    def asked(directory: str) -> bool:
        if Path(directory) == top:
            return False
        location = locate(None, {}, Path(directory), ctx.settings.home)
        if location is None:
            return True
        placed = ctx.at(location)
        with ctx.store.read() as tx:
            scope = placed.scope(tx)
            return not scope.within(scope.project.namespace)

    return asked


def _absorb(ctx: Context, tx: Transaction, into: Repository, inner: Sequence[Repository]) -> None:
    """Move the files of inner codebases into the codebase of their outer directory; their records are kept."""
    for each in inner:
        start = each.folder[len(into.folder) :].lstrip("/")
        files = source_files.of_repository(tx, each.id)
        source_files.move(tx, into.id, {file.record: f"{start}/{file.path}" for file in files})
        source_files.mark_unresolved(tx, [file.record for file in files])
        repositories.delete(tx, each.id)
