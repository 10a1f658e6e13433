"""Reading and replacing a configuration file: atomic, mode and links kept, with a backup beside it."""

import difflib
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput
from indelible.filesystem import sync_directory

MARK = "\N{BYTE ORDER MARK}"
LARGEST = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read: the path as named, the file that it leads to, its bytes (None: no file) and its status."""

    path: Path
    target: Path
    content: bytes | None
    status: os.stat_result | None

    @property
    def text(self) -> str:
        """The text without a byte order mark, "" for no file. Raises InvalidInput where it is not UTF-8."""
        try:
            return (self.content or b"").decode("utf-8").removeprefix(MARK)
        except UnicodeDecodeError as error:
            line = (self.content or b"").count(b"\n", 0, error.start) + 1
            raise InvalidInput(
                f"{self.path}, line {line}: not UTF-8; save it as UTF-8 and try again (nothing was written)"
            ) from error

    def encoded(self, text: str) -> bytes:
        """Another text for this file, with the byte order mark if it had one."""
        marked = self.content is not None and self.content.startswith(MARK.encode())
        return ((MARK if marked else "") + text).encode()


def digest(content: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def read(path: Path) -> Snapshot:
    """Read a file that may be a link or not there. InvalidInput for anything but a file that can be read."""
    target = Path(os.path.realpath(path))
    try:
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InvalidInput(f"{path} is not a regular file; nothing was written")
        if status.st_size > LARGEST:
            raise InvalidInput(f"{path} is larger than {LARGEST // 2**20} MiB; nothing was written")
        return Snapshot(path, target, target.read_bytes(), status)
    except FileNotFoundError:
        return Snapshot(path, target, None, None)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}; nothing was written") from error


def replace(seen: Snapshot, content: bytes, mode: int = 0o666) -> None:
    """Put other bytes in the place of what was read; a new file gets a mode, less what the process masks.

    Raises Conflict if it changed since, InvalidInput if it cannot be.
    """
    with _refusing(seen.path, "written"):
        _replace(seen, content, mode)


def _replace(seen: Snapshot, content: bytes, mode: int) -> None:
    temporary = seen.target.with_name(f".{seen.target.name}.{secrets.token_hex(6)}.tmp")
    try:
        _create(temporary, content, seen.status, mode)
        _refuse_changed(seen)
        os.replace(temporary, seen.target)
    finally:
        temporary.unlink(missing_ok=True)
    sync_directory(seen.target.parent)


def remove(seen: Snapshot, made: tuple[Path, ...]) -> None:
    """Remove a file that we made, and of the directories that we made for it (outermost first) those that are empty."""
    with _refusing(seen.path, "removed"):
        _refuse_changed(seen)
        seen.target.unlink()
    for directory in reversed(made):
        try:
            directory.rmdir()
        except OSError:  # something else is in it by now
            return


def make_parents(path: Path) -> tuple[Path, ...]:
    """Make the directories that a file needs; those that were made, outermost first."""
    target = Path(os.path.realpath(path))
    missing = [directory for directory in target.parents if not directory.exists()]
    with _refusing(path, "written"):
        target.parent.mkdir(parents=True, exist_ok=True)
    return tuple(reversed(missing))


def back_up(seen: Snapshot, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Path | None:
    """Keep what was read in a file of its own beside it, as private as it was; None where there was no file."""
    if seen.content is None:
        return None
    stamp = f"{now():%Y%m%dT%H%M%SZ}"
    with _refusing(seen.path, "backed up"):
        for number in range(1, 1000):
            again = f"-{number}" if number > 1 else ""
            backup = seen.path.with_name(f"{seen.path.name}.indelible-{stamp}{again}.bak")
            with suppress(FileExistsError):
                _create(backup, seen.content, seen.status)
                sync_directory(backup.parent)
                return backup
    raise InvalidInput(f"{seen.path}: there are a thousand backups of this second; nothing was written")


def _create(path: Path, content: bytes, like: os.stat_result | None, mode: int = 0o666) -> None:
    """A new file, on the disk, with the mode and owner of another; nobody else can read it before it has them."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    opened = os.open(path, flags, mode if like is None else 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(content)
        file.flush()
        if sys.platform != "win32" and like is not None:
            if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
                with suppress(PermissionError):  # only root may give a file away
                    os.fchown(opened, like.st_uid, like.st_gid)
            os.fchmod(opened, stat.S_IMODE(like.st_mode))
        os.fsync(opened)


def _refuse_changed(seen: Snapshot) -> None:
    if read(seen.path).content != seen.content:
        raise Conflict(f"{seen.path} was changed by another program meanwhile; close that and try again")


@contextmanager
def _refusing(path: Path, done: str) -> Iterator[None]:
    """Turn what the system refuses into InvalidInput that names the file."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"{path} cannot be {done}: {error.strerror}") from error


def unified(path: Path, before: bytes | None, after: bytes | None) -> str:
    """The difference of two contents, None for no file; "" where they are equal."""
    old, new = (str(path) if content is not None else "/dev/null" for content in (before, after))
    shown: list[str] = []
    for line in difflib.unified_diff(_lines(before), _lines(after), old, new):
        shown.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(shown)


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode(errors="replace").splitlines(keepends=True)
