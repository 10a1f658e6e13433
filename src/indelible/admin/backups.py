"""Copies of the store: by hand, once a day, and back."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

from indelible.core.context.context import Context
from indelible.errors import Conflict, InvalidInput, StoreError
from indelible.filesystem import FileLock, create_private, prepare, sync_directory
from indelible.settings import Settings
from indelible.store.copy import tenant_file
from indelible.store.database import Transaction
from indelible.store.location import refuse_unsafe
from indelible.store.named_queries import newest_schema
from indelible.store.sqlite import lost_file
from indelible.store.sqlite.connection import FILE, is_damage
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.sqlite.integrity import check_file
from indelible.store.sqlite.migrate import migrate_sqlite
from indelible.store.sqlite.opening import LOCK, schema_of
from indelible.store.tables import settings as settings_table
from indelible.store.tables import tokens

_MAGIC = b"SQLite format 3\0"


def backup(ctx: Context, target: Path) -> Path:
    """Write a verified copy of one moment of the store, of a database that of one tenant, to a new file.

    Raises InvalidInput and StoreError.
    """
    refuse_taken(target)
    write_verified(target, partial(tenant_file.backup, ctx.store))
    return target


def refuse_taken(target: Path) -> None:
    """Raise InvalidInput for a file that is there, or has no directory."""
    if target.exists():
        raise InvalidInput(f"{target} exists, and a backup overwrites nothing; give another name, or remove it first")
    if not target.parent.is_dir():
        raise InvalidInput(f"{target.parent} is not a directory; create it first")


def write_verified(target: Path, write: Callable[[Path], None]) -> None:
    """Let a file be written under another name first, and verified, so that it is whole if it is there at all."""
    unfinished = target.with_name(target.name + ".unfinished")
    remove(unfinished)  # by a process that was killed
    try:
        write(unfinished)
        verify(unfinished)
        unfinished.rename(target)
        sync_directory(target.parent)
    finally:
        remove(unfinished)


def remove(path: Path) -> None:
    """Remove a store file, if it is there, and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def verify(path: Path) -> None:
    """Raise StoreError unless a file is a sound store."""
    faults = check_file(path)
    if faults:
        raise StoreError(f"{path} is not a sound store: {faults[0]}")


def restore(ctx: Context, source: Path) -> Path:
    """Put a backup in the place of the store's content; what was there is backed up first, and its file returned.

    Nothing that other servers store meanwhile is lost: it is in that file, or comes after the restored content, which
    they see with their next call. Where the store has tokens these stay as they are. In a database it is the content
    of one tenant, and the file is beside the backup: what is in the data directory is of the store there. Raises
    InvalidInput, StoreError, and Conflict for a backup of a newer version.
    """
    _refuse_unfit(source)
    folder = backups_folder(ctx) if is_file(ctx) else source.absolute().parent
    before = folder / f"before-restore-{_stamp(ctx.clock())}-{uuid4().hex[:4]}.db"
    with copying(ctx.settings.data), _staged(folder, source) as staged, closing(SqliteDatabase(staged)) as ready:
        if is_file(ctx):
            ready.write(lambda tx: _prepare(ctx, tx))
            store = SqliteDatabase(ctx.settings.data / FILE)
            store.replace_from(str(staged), lambda: backup(ctx, before))
            store.close()
        else:
            tenant_file.put_back(ctx.store, ready, lambda tx: write_verified(before, partial(tenant_file.write, tx)))
    return before


def is_lost(settings: Settings) -> bool:
    """Whether the store is a file that is empty or gone, and there are backups of it."""
    return not settings.database and lost_file.is_lost(settings.data / FILE)


def restore_lost(settings: Settings, source: Path) -> None:
    """Copy a backup into a store file that is empty or gone, in one transaction: no other process finds a new store.

    Raises as `restore`, and Conflict where the file has content meanwhile.
    """
    _refuse_unfit(source)
    data = settings.data
    refuse_unsafe(data)
    prepare(data)
    with copying(data), FileLock(data / LOCK), _staged(data / "backups", source) as staged:
        if not is_lost(settings):
            raise Conflict(f"another process put back {data / FILE} meanwhile; run `indelible restore` again")
        with closing(SqliteDatabase(staged)) as ready:
            ready.write(lambda tx: settings_table.put_epoch(tx, uuid4().hex))
        create_private(data / FILE)  # whoever made it may have left it open to others
        with closing(SqliteDatabase(data / FILE)) as store:
            store.replace_from(str(staged), lambda: None)


def _refuse_unfit(source: Path) -> None:
    """Raise InvalidInput, StoreError or Conflict for a file that is no sound backup, or of a newer version."""
    if not source.is_file():
        raise InvalidInput(f"{source} is not a file; give one that `indelible backup` wrote")
    try:
        found = schema_of(source) if _is_database(source) else 0
    except StoreError as error:  # whose advice is for the store in use
        if is_damage(error):
            raise StoreError(f"{source} is damaged, and nothing was changed; give another backup") from error
        raise
    if found == 0:
        raise InvalidInput(f"{source} is not a backup of an Indelible store; nothing was changed")
    if found > newest_schema("sqlite"):
        raise Conflict(f"{source} was written by a newer version of Indelible; update this one first (pip install -U)")
    verify(source)


@contextmanager
def _staged(folder: Path, source: Path) -> Iterator[Path]:
    """The file of a copy of a backup with the schema of this version, which is removed afterwards."""
    staged = folder / f"{lost_file.STAGED}{uuid4().hex[:8]}.db"
    copy = SqliteDatabase(source)
    try:
        copy.backup(str(staged))
        migrate_sqlite(staged)
        yield staged
    finally:
        copy.close()
        remove(staged)


def is_file(ctx: Context) -> bool:
    """Whether the store is a file, of which this process makes the backups."""
    return ctx.store.dialect == "sqlite"


def _prepare(ctx: Context, tx: Transaction) -> None:
    """Give what is restored a new epoch, and the tokens of now.

    An older state of these would let in again who was shut out since, or everybody where it had none.
    """
    settings_table.put_epoch(tx, uuid4().hex)
    with ctx.store.read() as now:
        known = tokens.everything(now)
    if known:
        tokens.replace_all(tx, known)


def _is_database(path: Path) -> bool:
    """Whether a file begins as every SQLite database does: what does not is no damaged backup but something else."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be read: {error.strerror}; give a file that `indelible backup` wrote"
        ) from error


def backups_folder(ctx: Context) -> Path:
    """Where automatic backups are kept, 0700."""
    folder = ctx.settings.data / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def automatic(ctx: Context) -> list[Path]:
    """The backups beside the store that were made by themselves, the newest first."""
    files = (ctx.settings.data / "backups").glob("*.db")
    found = (file for file in files if not file.name.startswith(lost_file.STAGED))
    return sorted(found, key=lambda file: file.stat().st_mtime, reverse=True)


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y%m%dT%H%M%S")


def _lock(data: Path) -> FileLock:
    return FileLock(data / "backup.lock")


@contextmanager
def copying(data: Path) -> Iterator[None]:
    """Be the only one who copies the store into its own directory, and wait to be: what a purge takes out of the copies
    must not come with one that was begun before.
    """
    with _lock(data):
        _remove_staged(data / "backups")
        yield


def _remove_staged(folder: Path) -> None:
    """Remove the copies that killed restores made ready: only who has the lock makes one. Raises StoreError."""
    try:
        for left in folder.glob(f"{lost_file.STAGED}*"):
            left.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be cleaned: {error}; make it writable") from error


def daily(ctx: Context) -> Path | None:
    """Make today's backup if there is none yet, and keep the newest seven; the new file, or None.

    Where others copy the store it is left to the next time, and a database to its administrator.
    """
    if not is_file(ctx):
        return None
    folder = backups_folder(ctx)
    target = folder / f"{lost_file.DAILY}{ctx.clock().strftime('%Y-%m-%d')}.db"
    lock = _lock(ctx.settings.data)
    if target.exists() or not lock.try_acquire():
        return None
    try:
        _remove_staged(folder)
        made = backup(ctx, target)
        for old in sorted(folder.glob(f"{lost_file.DAILY}*.db"))[: -ctx.settings.backups_kept]:
            old.unlink()
    finally:
        lock.release()
    return made
