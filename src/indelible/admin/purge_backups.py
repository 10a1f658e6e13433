"""Purging automatic backups: each is rewritten without the data, and replaced atomically."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from indelible.admin import backups
from indelible.admin.erasure import Selection, erase
from indelible.core.context.context import Context, open_context
from indelible.errors import StoreError
from indelible.filesystem import sync_directory
from indelible.store.sqlite import pages
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.tables import purge

STAGED = "purging-"  # begins the folder in which a backup is written anew


def automatic(data: Path) -> list[Path]:
    """Return all automatic backups: daily ones, those before a restore or an upgrade, and salvaged ones."""
    return sorted((data / "backups").glob("*.db"))


def rewrite(
    ctx: Context, selections: Sequence[Selection], clean: Sequence[str], done: Callable[[str], None]
) -> list[str]:
    """Rewrite every backup that is not `clean` yet, and remove unfinished ones; return the names of removed backups.

    A damaged backup is removed, since its content cannot be determined. `done` is called with the name of each. No
    process makes a copy of the store meanwhile. Raises StoreError.
    """
    removed = []
    with backups.copying(ctx.settings.data):
        _sweep(ctx.settings.data / "backups")
        for path in automatic(ctx.settings.data):
            if path.name in clean:
                continue
            if _is_sound(path):
                _rewrite(ctx, selections, path)
            else:
                backups.remove(path)
                removed.append(path.name)
            done(path.name)
    return removed


def _is_sound(path: Path) -> bool:
    try:
        backups.verify(path)
    except StoreError:
        return False
    return True


def _sweep(folder: Path) -> None:
    """Remove the remains of killed processes: unfinished copies, and folders for rewriting."""
    try:
        for left in [*folder.glob("*.unfinished*"), *folder.glob("*-journal")]:
            left.unlink(missing_ok=True)
        for left in folder.glob(f"{STAGED}*"):
            shutil.rmtree(left)
    except OSError as error:
        raise StoreError(f"{folder} cannot be cleaned: {error}; make it writable") from error


def _rewrite(ctx: Context, selections: Sequence[Selection], path: Path) -> None:
    staged = path.parent / f"{STAGED}{uuid4().hex[:8]}"
    try:
        staged.mkdir(mode=0o700)
        source = SqliteDatabase(path)
        source.backup(str(staged / FILE))
        source.close()
        settings = replace(ctx.settings, data=staged, read_only=False, encoder="off")
        copy = open_context(settings, ctx.clock)  # of an older schema it becomes one of this
        try:
            for selection in _not_erased(copy, selections):
                erase(copy, selection)
        finally:
            copy.close()
        pages.vacuum(staged / FILE)
        backups.verify(staged / FILE)
        _replace(staged / FILE, path)
    except OSError as error:
        raise StoreError(f"the backup {path} cannot be rewritten: {error}; free some space, or remove it") from error
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _not_erased(copy: Context, selections: Sequence[Selection]) -> list[Selection]:
    """Return the selections that were not deleted yet when a copy of the store was made, by the copy's mark.

    Its time of writing is no proof: a copy that was begun before a purge may be written after it.
    """
    with copy.store.read() as tx:
        marked = purge.marked(tx)
    return [each for each in selections if not each.erased or marked < each.erased]


def _replace(new: Path, old: Path) -> None:
    modified = old.stat()
    os.utime(new, ns=(modified.st_atime_ns, modified.st_mtime_ns))
    with new.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(new, old)
    for suffix in ("-wal", "-shm"):
        old.with_name(old.name + suffix).unlink(missing_ok=True)
    sync_directory(old.parent)
