"""Private files and directories, locks between processes, and directories synced to the disk."""

import os
import stat
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from indelible.errors import InvalidInput, StoreError

# Imported late (start, cli, hooks, memory): platformdirs
# Imported late (hooks): hashlib, tempfile
# Imported late (platform): fcntl, msvcrt, platform

FOLDER = "client"  # in a data directory; below it a spool for each target


def spool_of(home: Path, target: str) -> Path:
    """The spool for a target below a data directory: one for each store, project and caller."""
    import hashlib

    return home / FOLDER / hashlib.sha256(target.encode()).hexdigest()[:16]


def target_of(home: Path, project: str, place: str = "") -> str:
    """The store in a directory, as a server of this project sees it, by whatever way it is reached from here.

    `place` is a store in a database, '' for the file in the directory.
    """
    return f"{home}\n{project}" + (f"\n{place}" if place else "")


REMEDY = "give a directory on a local disk (--data DIR or INDELIBLE_DATA); a team shares through PostgreSQL"


def data_directory(given: str | None) -> Path:
    """Return the absolute data directory: the one given, with ~ expanded, or the platform's own for indelible.

    Symlinks stay. InvalidInput for a text that can be no path, and where a user has no directory of the platform's.
    """
    if given is None:
        import platformdirs

        try:
            own = platformdirs.user_data_path("indelible", appauthor=False)
        except RuntimeError:
            own = Path()  # older versions return one with `~` in it
        if not own.is_absolute():
            raise InvalidInput(
                "this user has no home directory for the data; say where it is with --data DIR, or set INDELIBLE_DATA "
                "or HOME"
            )
        return own
    if not given.strip() or "\0" in given:
        raise InvalidInput(
            f"--data or INDELIBLE_DATA is {given!r}, which names no directory; give a path or leave it out"
        )
    try:
        return Path(given).expanduser().absolute()
    except RuntimeError as error:
        raise InvalidInput(f"--data or INDELIBLE_DATA is {given!r}: {error}; give an absolute path") from error
    except OSError as error:  # a relative path has nothing to be relative to
        raise InvalidInput(
            f"--data or INDELIBLE_DATA is {given!r}, and the working directory no longer exists; give an absolute path"
        ) from error


def home_directory() -> Path:
    """Return the user's home directory, the root where there is none: systemd and containers make such users."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.path.abspath(os.sep))


def prepare(directory: Path) -> None:
    """Make the directory, durably, or check it: ours, writable, closed to others (0700).

    Call `refuse_unsafe` first. A directory of ours that is open to others is closed; one that holds other files is not
    touched but refused. StoreError with the remedy wherever data cannot live.
    """
    try:
        _make(directory)
        found = directory.stat()
        if not stat.S_ISDIR(found.st_mode):
            raise StoreError(f"{directory} is not a directory; {REMEDY}")
        if sys.platform != "win32":
            _own(directory, found)
    except OSError as error:
        raise StoreError(f"{directory} cannot hold data: {error.strerror}; {REMEDY}") from error
    if not os.access(directory, os.R_OK | os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise StoreError(f"{directory} cannot be written to; make it writable (chmod u+rwx) or {REMEDY}")


def _make(directory: Path) -> None:
    """Make what is missing of the path; each new name is on the disk before anything is stored below it."""
    missing = [path for path in (directory, *directory.parents) if not path.exists()]
    for path in reversed(missing):
        with suppress(FileExistsError):  # another process was faster, or it is a broken link, which stat() reports
            path.mkdir(0o700 if path == directory else 0o777)
        sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Bring the names in a directory to the disk: a new or renamed file is there after a power loss."""
    if sys.platform == "win32":
        return  # Windows opens no directories; NTFS journals their names
    with suppress(PermissionError):  # a directory that we may enter and write to, but not list, cannot be synced
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


if sys.platform != "win32":

    def refuse_strangers(directory: Path, found: os.stat_result) -> None:
        """Raise StoreError for a directory of another user."""
        if found.st_uid != os.geteuid():
            raise StoreError(
                f"{directory} belongs to user {found.st_uid}, and this process runs as user {os.geteuid()}; "
                "start it as the owner, or give a directory of your own with --data DIR or INDELIBLE_DATA"
            )

    def _own(directory: Path, found: os.stat_result) -> None:
        refuse_strangers(directory, found)
        if not found.st_mode & 0o077:
            return
        if found.st_mode & stat.S_ISVTX or not _is_made_for_us(directory):
            raise StoreError(
                f"{directory} is open to other users (mode {stat.S_IMODE(found.st_mode):04o}) and holds other files; "
                "close it yourself (chmod 700) or give a directory of its own with --data DIR or INDELIBLE_DATA"
            )
        directory.chmod(0o700)


def _is_made_for_us(directory: Path) -> bool:
    """Tell our directory from one that others rely on, such as /etc or a project: closing that would harm them."""
    names = os.listdir(directory)
    return not names or any(name.startswith("indelible") for name in names)


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in the place of another at once, on the disk: who reads it sees the one or the other. Raises OSError.

    It has the mode of the one before, and is private where there was none.
    """
    import tempfile

    opened, name = tempfile.mkstemp(prefix=".indelible-", dir=path.parent)
    new = Path(name)
    try:
        with open(opened, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


_CREATING = threading.Lock()


def create_private(path: Path) -> None:
    """Create an empty file that only we may read (0600), or close an existing one to others.

    Of several processes at once one creates it. An existing file is never opened: closing it would drop the locks that
    SQLite holds on it in this process. StoreError where it cannot be made or is not a regular file.
    """
    try:
        with _CREATING:
            _create(path)
        _close_to_others(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}; {REMEDY}") from error


def _create(path: Path) -> None:
    try:
        opened = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return
    os.close(opened)
    sync_directory(path.parent)


def _close_to_others(path: Path) -> None:
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} is not a regular file (a link could lead off the local disk); move it away")
    if stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(0o600)


class FileLock:
    """A lock between processes, and between threads, on a file that is made if missing and never removed.

    The file is the lock's own, never one of SQLite's. The operating system releases it when the process dies.
    An instance is held once at a time and is not reentrant.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock if it is free and say whether it was taken. StoreError where the file cannot be locked."""
        return self._acquire(wait=False)

    def acquire(self) -> None:
        """Wait for the lock and take it. StoreError where the file cannot be locked."""
        self._acquire(wait=True)

    def release(self) -> None:
        """Release the lock; without effect where it is not held."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            try:
                _unlock(opened)  # closing alone would leave it to a forked child that shares the file
            finally:
                os.close(opened)

    def identity(self) -> str:
        """Return an id of the held lock that no other lock has, on any machine."""
        import platform

        if self._opened is None:
            raise RuntimeError(f"the lock on {self._path} is not held by this instance; acquire it first")
        file = os.fstat(self._opened)
        return f"{platform.node()}:{file.st_dev}:{file.st_ino}"

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()

    def _acquire(self, wait: bool) -> bool:
        if self._opened is not None:
            raise RuntimeError(f"the lock on {self._path} is held by this instance already; release it first")
        opened = None
        try:
            opened = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
            if _lock(opened, wait):
                self._opened, opened = opened, None
        except OSError as error:
            raise StoreError(f"{self._path} cannot be locked: {error.strerror}; {REMEDY}") from error
        finally:
            if opened is not None:
                os.close(opened)
        return self._opened is not None


if sys.platform == "win32":

    def _lock(opened: int, wait: bool) -> bool:
        import msvcrt

        while True:
            try:
                msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
            except PermissionError:  # another holds it
                if not wait:
                    return False
                time.sleep(0.02)  # LK_LOCK would give up after ten seconds
            else:
                return True

    def _unlock(opened: int) -> None:
        import msvcrt

        msvcrt.locking(opened, msvcrt.LK_UNLCK, 1)

else:

    def _lock(opened: int, wait: bool) -> bool:
        import fcntl

        try:
            fcntl.flock(opened, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(opened: int) -> None:
        import fcntl

        fcntl.flock(opened, fcntl.LOCK_UN)


NOT_WRITABLE = (
    "cannot be written (read-only file or disk); make it writable, or copy the data directory to a disk that is and "
    "give that as --data DIR"
)


def is_read_only(directory: Path | str) -> bool:
    """Return whether a directory is there and can be read, and nothing can be made in it: by its mode or its disk."""

    def allows(what: int) -> bool:
        return os.access(directory, what, effective_ids=os.access in os.supports_effective_ids)

    return os.path.isdir(directory) and allows(os.R_OK | os.X_OK) and not allows(os.W_OK)
