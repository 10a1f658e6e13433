"""The client's spool: writes that no server has taken yet, one file each, in order.

    <spool>/tmp/      what is being written
            new/      what waits and was not replayed yet: `<nanoseconds>-<process>-<random>.json`
            cur/      what a replay has begun: `<the same>,<nanoseconds of its first replay>.json`
            refused/  what a server refused for good, with its reason; kept for a look
            lock      held by the process that replays

As a maildir (D. J. Bernstein, 1995): a file is written and synced in `tmp/`, then renamed, so that nobody sees a part
of one, and a process that dies between any two steps leaves all of a write or nothing. A replayed file is removed after
its answer: who dies in between leaves it to be sent again, with its request key, by which the server knows it.
Directories are 0700, files 0600, texts redacted before they come here.
"""

import errno
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from indelible.client.entries import (
    Entry,
    Refused,
    as_refused,
    content_of,
    entry_of,
    parts,
    size_on_disk,
    text_of,
    time_of,
    write_new,
)
from indelible.errors import IndelibleError, InvalidInput, NotFound, StoreError
from indelible.filesystem import FileLock, prepare, sync_directory

T = TypeVar("T")

MOST_FILES = 10_000
MOST_BYTES = 64 << 20
COUNTED = 64  # after so many writes of its own a client counts again what others wrote
OLD = 86_400 * 10**9  # nanoseconds after which an unfinished file has no writer any more
NEW, CUR, TMP, REFUSED = "new", "cur", "tmp", "refused"


def _reporting_disk_errors(method: Callable[..., T]) -> Callable[..., T]:
    """Return the method wrapped so that errors of the disk are raised as StoreError."""

    @wraps(method)
    def call(self: "Spool", *given: Any) -> T:
        try:
            return method(self, *given)
        except OSError as error:
            raise StoreError(f"the spool {self.directory} cannot be used: {error.strerror}") from error

    return call


class Spool:
    """The spool in a directory, which is made with the first write, and closed to others as those `around` it are.

    Safe to share between threads and processes.
    """

    def __init__(
        self,
        directory: Path,
        now: Callable[[], int],
        most_files: int = MOST_FILES,
        most_bytes: int = MOST_BYTES,
        around: Sequence[Path] = (),
    ):
        self.directory = directory
        self._around = around
        self._now = now
        self._most_files = most_files
        self._most_bytes = most_bytes
        self._adding = threading.Lock()
        self._last = 0  # nanoseconds in the newest name: a clock that is set back changes no order
        self._prepared = False
        self._files = self._bytes = 0
        self._added = 0

    # --- Writing ---

    def put(self, entry: Entry) -> Entry:
        """Keep a write, durably, behind all others; with its id. On failure nothing of it is left.

        Raises StoreError where the spool is full, on a full disk, or open to others.
        """
        text = text_of(entry)
        with self._adding:
            try:
                self._prepare()
                self._check_room(len(text))
                name = self._next_name()
                self._keep(NEW, name, text)
            except OSError as error:
                raise StoreError(f"the spool {self.directory} cannot be written: {error.strerror}") from error
            self._files, self._bytes = self._files + 1, self._bytes + len(text)
        return replace(entry, id=name.removesuffix(".json"))

    def _prepare(self) -> None:
        if self._prepared and (self.directory / NEW).is_dir():
            return
        for directory in (*self._around, self.directory, *(self.directory / each for each in _FOLDERS)):
            prepare(directory)
        self._last = max([self._last, *(time_of(id) for id, _ in self._waiting())])
        self._prepared = True

    def _check_room(self, size: int) -> None:
        if self._added % COUNTED == 0 or self._is_full(size):
            sizes = [size_on_disk(path) for _, path in self._waiting()]
            self._files, self._bytes = len(sizes), sum(sizes)
        self._added += 1
        if self._is_full(size):
            raise StoreError(
                f"the spool {self.directory} is full ({self._files:,} writes, {self._bytes:,} bytes; at most "
                f"{self._most_files:,} and {self._most_bytes:,}); see that the server is back"
            )

    def _is_full(self, size: int) -> bool:
        return self._files >= self._most_files or self._bytes + size > self._most_bytes

    def _next_name(self) -> str:
        self._last = max(self._last + 1, self._now())
        return f"{self._last:020d}-{os.getpid()}-{os.urandom(4).hex()}.json"

    def _keep(self, folder: str, name: str, text: bytes) -> None:
        unfinished = self.directory / TMP / name
        try:
            write_new(unfinished, text)
            os.replace(unfinished, self.directory / folder / name)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
        sync_directory(self.directory / folder)

    # --- What waits ---

    @_reporting_disk_errors
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        # In this order: what another process moves from the one to the other meanwhile is not missed.
        return next(self._listed(NEW), None) is None and next(self._listed(CUR), None) is None

    @_reporting_disk_errors
    def count(self) -> int:
        """How many writes wait."""
        return sum(name.endswith(".json") for folder in (NEW, CUR) for name in self._names(folder))

    @_reporting_disk_errors
    def has(self, id: str) -> bool:
        """Whether a write waits still."""
        return self._path(id) is not None

    @_reporting_disk_errors
    def waiting(self) -> list[str]:
        """The ids of the writes that wait, in their order: what a replay has begun first."""
        new = sorted(id for id, _ in self._listed(NEW))
        begun = dict.fromkeys(sorted(id for id, _ in self._listed(CUR)))
        return [*begun, *(id for id in new if id not in begun)]

    def read(self, id: str) -> Entry:
        """A write that waits; `tried` says when it may have been done first, replays included.

        Raises NotFound where it waits no more, InvalidInput where this file is none or cannot be read, StoreError where
        no file can.
        """
        path = self._path(id)
        try:
            if path is None:
                raise FileNotFoundError
            entry = entry_of(content_of(path), id)
        except FileNotFoundError:
            raise NotFound(f"no write {id} waits in {self.directory}") from None
        except OSError as error:
            if error.errno in _OF_ONE_FILE:
                raise InvalidInput(f"the file of the write {id} cannot be read: {error.strerror}") from error
            raise StoreError(f"the spool {self.directory} cannot be read: {error.strerror}") from error
        replayed = parts(path.name)[1] if path.parent.name == CUR else ""
        begun = [time for time in (entry.tried, time_of(replayed)) if time]
        return replace(entry, tried=min(begun, default=0))

    # --- Replaying: for the holder of the lock ---

    def lock(self) -> FileLock:
        """Return the lock for replaying; the directory must exist."""
        return FileLock(self.directory / "lock")

    @_reporting_disk_errors
    def begin(self, ids: Iterable[str]) -> None:
        """Note, durably, that these are about to be sent: from now on a server may have done them."""
        time, begun = self._now(), False
        for id in ids:
            path = self.directory / NEW / f"{id}.json"
            try:
                os.rename(path, self.directory / CUR / f"{id},{time}.json")
            except FileNotFoundError:  # it was begun before, or taken back
                continue
            begun = True
        if begun:
            sync_directory(self.directory / CUR)
            sync_directory(self.directory / NEW)

    @_reporting_disk_errors
    def remove(self, id: str) -> bool:
        """Forget a write; whether it still waited. A removal that a power loss undoes is replayed, and answered."""
        path = self._path(id)
        if path is None:
            return False
        path.unlink(missing_ok=True)
        return True

    @_reporting_disk_errors
    def sweep(self) -> None:
        """Remove what was left unfinished a day ago or longer."""
        for _, path in self._listed(TMP):
            if time_of(path.name) < self._now() - OLD:
                path.unlink(missing_ok=True)

    # --- What was refused ---

    @_reporting_disk_errors
    def refuse(self, id: str, error: IndelibleError) -> None:
        """Move a write aside, with the reason, so that it does not block others."""
        path = self._path(id)
        if path is None:
            return
        fields, is_whole = as_refused(path, id)
        try:
            fields |= {"code": error.code, "message": str(error)}
            self._keep(REFUSED, f"{id}.json", json.dumps(fields, ensure_ascii=False).encode())
        except OSError:  # no room for the reason: the write itself is kept
            os.replace(path, self.directory / REFUSED / f"{id}.json")
        if is_whole:
            self.remove(id)
        else:  # whatever it is, it is not ours to lose
            os.replace(path, self._aside(id))

    @_reporting_disk_errors
    def refused(self) -> list[Refused]:
        """Return the writes that were moved aside, the oldest first."""
        found = (self.refusal(id) for id, _ in sorted(self._listed(REFUSED)))
        return [each for each in found if each is not None]

    def refusal(self, id: str) -> Refused | None:
        """Why a write was moved aside; None where it was not."""
        try:
            fields = json.loads(content_of(self.directory / REFUSED / f"{id}.json"))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, RecursionError, InvalidInput, OSError):  # damaged, and moved here without a reason
            fields = {}
        named = fields if isinstance(fields, dict) and isinstance(fields.get("arguments"), dict) else {}
        tool, key, code, message = (str(named.get(name, "")) for name in ("tool", "key", "code", "message"))
        return Refused(id, tool, named.get("arguments", {}), key, code, message)

    @_reporting_disk_errors
    def forget(self, id: str) -> None:
        """Remove a write that was moved aside. Raises NotFound."""
        try:
            (self.directory / REFUSED / f"{id}.json").unlink()
        except FileNotFoundError:
            raise NotFound(f"no refused write {id!r:.80} is kept in {self.directory}") from None
        aside = self._aside(id)
        if aside.is_dir() and not aside.is_symlink():
            shutil.rmtree(aside)
        else:
            aside.unlink(missing_ok=True)

    def _aside(self, id: str) -> Path:
        """Where something goes that stood in the place of a write and cannot be read."""
        return self.directory / REFUSED / f"{id}.unreadable"

    # --- Files ---

    def _waiting(self) -> Iterator[tuple[str, Path]]:
        yield from self._listed(NEW)
        yield from self._listed(CUR)

    def _names(self, folder: str) -> list[str]:
        try:
            return os.listdir(self.directory / folder)
        except (FileNotFoundError, NotADirectoryError):
            return []

    def _listed(self, folder: str) -> Iterator[tuple[str, Path]]:
        """(id, path) of the files of a folder, in no order."""
        try:
            with os.scandir(self.directory / folder) as entries:
                for entry in entries:
                    if entry.name.endswith(".json"):
                        yield parts(entry.name)[0] if folder == CUR else entry.name[:-5], Path(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            return

    def _path(self, id: str) -> Path | None:
        path = self.directory / NEW / f"{id}.json"
        if os.path.lexists(path):
            return path
        return next((path for name, path in self._listed(CUR) if name == id), None)


_FOLDERS = (TMP, NEW, CUR, REFUSED)
# What lies with one file, and not with the disk or this process, which may have too many files open.
_OF_ONE_FILE = (errno.EACCES, errno.EPERM, errno.EIO, errno.ELOOP, errno.EISDIR, errno.ENXIO)
