"""A store file that lost its content: it is empty, and backups of it or its write-ahead log show that it was not.

A store that is being made is empty for a moment too, and has neither. Where the file is gone, and no log is left, a new
store begins, and the backups of the earlier one stay.
"""

import os
from pathlib import Path

from indelible.errors import StoreError
from indelible.store.sqlite.read_only import is_empty

STAGED = "restoring-"  # how the copy that a restore makes ready begins, which a killed one leaves among the backups
DAILY = "daily-"  # how the backups begin of which only the newest are kept
EARLIER = "earlier-store-"  # what stands in its place once they are of a store that is not there any more
_LOG_HEADER = 32  # bytes of a write-ahead log before its first frame


def backups_of(directory: Path) -> list[Path]:
    """Return the backups in a data directory that hold anything, the newest first."""
    found = ((file.stat(), file) for file in (directory / "backups").glob("*.db") if not file.name.startswith(STAGED))
    return [file for stat, file in sorted(found, key=lambda each: each[0].st_mtime, reverse=True) if stat.st_size]


def is_lost(path: Path) -> bool:
    """Whether a store file is empty or gone, its log too, and there are backups of it."""
    return (is_empty(path) or _is_gone(path)) and not _has_frames(_log_of(path)) and bool(backups_of(path.parent))


def refuse_lost(path: Path) -> None:
    """Raise StoreError for a store file that lost its content; call it before SQLite opens the file.

    SQLite takes an empty file for a new database, and deletes the log beside it, whatever that holds. A file that is
    gone is refused where its log is left.
    """
    gone = _is_gone(path)
    if not gone and not is_empty(path):
        return
    log, backups = _log_of(path), backups_of(path.parent)
    restore = f"run `indelible restore {backups[0]}` (the newest backup)" if backups else "restore a backup of yours"
    if _has_frames(log):
        state, move = ("gone", "move that log away") if gone else ("empty", "move both away together")
        raise StoreError(
            f"{path} is {state}, and {log.name} beside it is not: the store lost its content, and opening it would "
            f"delete that log. Nothing was changed. Stop its servers, {move}, then {restore}, or begin anew"
        )
    if backups and not gone:
        count = "a backup" if len(backups) == 1 else f"{len(backups)} backups"
        raise StoreError(
            f"{path} is empty, and there {'is' if len(backups) == 1 else 'are'} {count} of it in "
            f"{backups[0].parent}: the store lost its content. Nothing was changed. To go on, {restore}; to begin "
            "anew, move the empty file away"
        )


def keep_earlier(path: Path) -> list[Path]:
    """Rename the daily backups beside a store file that is about to be made: none of the new store replaces them.

    Return all backups that hold anything, the newest first. Call it with the lock of who makes the file.
    """
    for file in sorted((path.parent / "backups").glob(f"{DAILY}*.db")):
        kept, number = file.with_name(EARLIER + file.name.removeprefix(DAILY)), 1
        while kept.exists():
            number += 1
            kept = file.with_name(f"{EARLIER}{file.stem.removeprefix(DAILY)}-{number}.db")
        file.rename(kept)
    return backups_of(path.parent)


def _is_gone(path: Path) -> bool:
    return not os.path.lexists(path)


def _has_frames(log: Path) -> bool:
    return log.is_file() and log.stat().st_size > _LOG_HEADER


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")
