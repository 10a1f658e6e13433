"""The spool: one file for each captured event, between the hooks that write them and the process that drains them.

    <data>/spool/tmp/    what is being written
                 new/    whole events, `<nanoseconds>-<process>-<random>.json`, so that names sort by time
                 bad/    files that could not be read or taken in, kept for a look
                 full    says that there is no room: hooks drop their events until there is some
                 lock    held by the process that drains

As a maildir (D. J. Bernstein, 1995): a file is written and synced in `tmp/` and then renamed, so that no reader sees a
part of one, and no writer waits for another. Directories are 0700, files 0600. A hook loads this module for each call
of an agent: it imports nothing that is not loaded anyway.
"""

import json
import os
import stat
import sys
import time

from indelible.errors import InvalidInput, StoreError

# Imported late (start, cli): indelible.extraction.events

MOST_FILES = 100_000
MOST_BYTES = 256 << 20
LARGEST = 256 << 10  # bytes of one event; a hook writes a tenth of it at most
_OLD = 86_400  # seconds after which an unfinished file has no writer any more
_CHECKED = 32  # one in so many hooks counts the files
_FOLDERS = ("tmp", "new", "bad")


def directory(data: str) -> str:
    """The spool of a data directory."""
    return os.path.join(data, "spool")


def lock_path(data: str) -> str:
    """Return the file that is locked by the process that drains."""
    return os.path.join(data, "spool", "lock")


# --- Writing ---


def put(data: str, event: dict[str, object]) -> str:
    """Write an event as a file, durably; its name. On failure nothing of it is left.

    Raises StoreError where the data directory is missing, the spool is full or open to others; OSError where it cannot
    be written.
    """
    spool = directory(data)
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) > LARGEST:
        raise StoreError(f"the event has {len(text):,} bytes, and {LARGEST:,} are allowed")
    chance = os.urandom(5)
    name = f"{time.time_ns():020d}-{os.getpid()}-{chance[1:].hex()}.json"
    _check_private(data, spool)
    full = os.path.join(spool, "full")
    if os.path.exists(full) or chance[0] < 256 // _CHECKED:
        note_size(data)
    if os.path.exists(full):
        raise StoreError(f"{spool} is full; start a server, or run `indelible drain`")
    unfinished = os.path.join(spool, "tmp", name)
    try:
        _write(unfinished, text)
        os.rename(unfinished, os.path.join(spool, "new", name))
    except OSError:
        _forget(unfinished)
        raise
    _sync(os.path.join(spool, "new"))
    return name


def _check_private(data: str, spool: str) -> None:
    """Make the folders where they are missing. Raises StoreError where others could read or change what is in them."""
    try:
        found = os.lstat(spool)
    except FileNotFoundError:
        if not os.path.isdir(data):
            raise StoreError(f"there is no store in {data}; `indelible serve` makes one") from None
        _refuse_open(data, os.stat(data))  # a server would not take it with a spool in it: it could be anybody's
        _make(spool)
        found = os.lstat(spool)
    if not stat.S_ISDIR(found.st_mode):
        raise StoreError(f"{spool} is not a directory; move it away")
    _refuse_open(spool, found)


def _refuse_open(directory: str, found: os.stat_result) -> None:
    if sys.platform != "win32" and (found.st_uid != os.geteuid() or found.st_mode & 0o077):
        raise StoreError(f"{directory} is open to other users; give it to yourself alone (chmod 700)")


def _make(spool: str) -> None:
    for folder in (spool, *(os.path.join(spool, name) for name in _FOLDERS)):
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:  # another hook was faster
            continue
    _sync(os.path.dirname(spool))


def _write(path: str, text: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        opened = os.open(path, flags, 0o600)
    except FileNotFoundError:  # a folder was taken away, or another hook is about to make it
        _make(os.path.dirname(os.path.dirname(path)))
        opened = os.open(path, flags, 0o600)
    try:
        rest = memoryview(text)
        while rest:
            rest = rest[os.write(opened, rest) :]
        os.fsync(opened)
    finally:
        os.close(opened)


def _forget(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _sync(folder: str) -> None:
    """Bring the names in a directory to the disk."""
    if sys.platform == "win32":
        return  # Windows opens no directories; NTFS journals their names
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def note_size(data: str) -> None:
    """Count the waiting events, and set or remove the mark that the spool is full."""
    spool = directory(data)
    full = os.path.join(spool, "full")
    count = size = 0
    try:
        with os.scandir(os.path.join(spool, "new")) as entries:
            for entry in entries:
                count += 1
                size += _size(entry)
    except FileNotFoundError:  # nothing waits where there is no folder
        count = size = 0
    if count >= MOST_FILES or size >= MOST_BYTES:
        os.close(os.open(full, os.O_WRONLY | os.O_CREAT, 0o600))
    else:
        _forget(full)


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:  # drained meanwhile
        return 0


# --- Draining: for the holder of the lock ---


def waiting(data: str, most: int | None = None) -> list[str]:
    """The names of the events that wait, the oldest first; at most `most`. Empty where there is no spool."""
    names = sorted(name for name in _names(data, "new") if name.endswith(".json"))
    return names if most is None else names[:most]


def is_empty(data: str) -> bool:
    """Return whether no event waits. An unreadable spool is not empty: the drain reports what is wrong."""
    try:
        with os.scandir(os.path.join(directory(data), "new")) as entries:
            return next(entries, None) is None
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def read(data: str, name: str, folder: str = "new") -> dict[str, object]:
    """The event in a file of `new/`, or of `bad/`, checked.

    Raises InvalidInput for an invalid event, FileNotFoundError for a removed file, OSError if it cannot be read.
    """
    from indelible.extraction.events import check

    path = os.path.join(directory(data), folder, name)
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise InvalidInput(f"{name} is not a regular file")
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise InvalidInput(f"{name} has more than {LARGEST:,} bytes, which no event has")
    try:
        event = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name} is not JSON: {type(error).__name__}") from error
    return check(event)


def remove(data: str, names: list[str]) -> None:
    """Remove drained events and the mark that the spool is full. A missing file is no error."""
    for name in names:
        _forget(os.path.join(directory(data), "new", name))
    _forget(os.path.join(directory(data), "full"))


def set_aside(data: str, name: str) -> None:
    """Move an event that cannot be taken in to `bad/`, where it is kept and reported."""
    spool = directory(data)
    bad = os.path.join(spool, "bad")
    os.makedirs(bad, 0o700, exist_ok=True)
    os.rename(os.path.join(spool, "new", name), os.path.join(bad, name))


def put_back(data: str, name: str) -> None:
    """Move an event from `bad/` back to those that wait."""
    spool = directory(data)
    os.rename(os.path.join(spool, "bad", name), os.path.join(spool, "new", name))


def set_aside_names(data: str) -> list[str]:
    """The names of the files in `bad/`, the oldest first."""
    return sorted(_names(data, "bad"))


def sweep(data: str, now: float | None = None) -> int:
    """Remove files of `tmp/` whose writer died a day ago or longer; how many these were. `now`: seconds since 1970."""
    now = time.time() if now is None else now
    folder = os.path.join(directory(data), "tmp")
    swept = 0
    for name in _names(data, "tmp"):
        path = os.path.join(folder, name)
        try:
            if os.lstat(path).st_mtime < now - _OLD:
                os.unlink(path)
                swept += 1
        except FileNotFoundError:  # its writer lives, and has just renamed it
            continue
    return swept


def _names(data: str, folder: str) -> list[str]:
    try:
        return os.listdir(os.path.join(directory(data), folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
