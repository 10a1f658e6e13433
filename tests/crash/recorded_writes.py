"""A VFS that logs what SQLite does to the files of a directory: the writes and syncs that reach the disk, in order."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import apsw

_JOURNALS = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL
_serial = itertools.count(1)


@dataclass(frozen=True)
class Found:
    """A file that stood on the disk when it was first opened; durable from here on.

    Names are relative to the recorded directory, with slashes.
    """

    name: str
    inode: int
    data: bytes
    is_database: bool = False


@dataclass(frozen=True)
class Create:
    name: str
    inode: int
    is_database: bool = False


@dataclass(frozen=True)
class Delete:
    name: str


@dataclass(frozen=True)
class Write:
    inode: int
    offset: int
    data: bytes

    @property
    def end(self) -> int:
        return self.offset + len(self.data)


@dataclass(frozen=True)
class Truncate:
    """The file has `size` bytes from here on; zeros are added if it was shorter."""

    inode: int
    size: int


@dataclass(frozen=True)
class Sync:
    inode: int


@dataclass(frozen=True)
class SyncDirectory:
    directory: str


@dataclass(frozen=True)
class Mark:
    """The writes that these keys stand for were acknowledged."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Withdraw:
    """The keys are no longer promised: a write that removes them is about to begin."""

    keys: tuple[str, ...]


Change = Create | Delete | Write | Truncate
Entry = Found | Change | Sync | SyncDirectory | Mark | Withdraw


class Recorder:
    """The log of one recording; every method may be called from any thread."""

    def __init__(self, root: Path, name: str) -> None:
        self.name = name
        self.root = root.resolve()
        self.lock = threading.Lock()
        self._log: list[Entry] = []
        self._inodes: dict[str, int] = {}

    @property
    def log(self) -> tuple[Entry, ...]:
        """What has happened so far, in order."""
        with self.lock:
            return tuple(self._log)

    def mark(self, *keys: str) -> None:
        """Note that the writes of `keys` were acknowledged: call it after the commit returned."""
        with self.lock:
            self._log.append(Mark(keys))

    def withdraw(self, *keys: str) -> None:
        """End the promise of `keys`: call it before the write begins that updates or deletes them."""
        with self.lock:
            self._log.append(Withdraw(keys))

    def relative(self, path: str) -> str | None:
        """The name under which `path` is logged, None if it lies outside the recorded directory."""
        absolute = Path(path)
        return absolute.relative_to(self.root).as_posix() if absolute.is_relative_to(self.root) else None

    def add(self, *entries: Entry) -> None:
        """Append to the log; the caller holds the lock, so that the log has the order of the real files."""
        self._log.extend(entries)

    def before_open(self, name: str, is_database: bool) -> Found | Create | None:
        """The entry to log once the file is open, None if the log knows the file; the caller holds the lock.

        Called before the open because reading a file that SQLite has open would drop the locks of the process.
        """
        path = self.root / name
        if not path.exists():
            return Create(name, next(_serial), is_database)
        return None if name in self._inodes else Found(name, next(_serial), path.read_bytes(), is_database)

    def opened(self, name: str, entry: Found | Create | None) -> int:
        """Log the open of a file and return its inode number; the caller holds the lock."""
        if entry is not None:
            self._inodes[name] = entry.inode
            self._log.append(entry)
        return self._inodes[name]

    def deleted(self, name: str, sync_directory: bool) -> None:
        """Log a deletion; the caller holds the lock."""
        self._inodes.pop(name, None)
        self._log.append(Delete(name))
        if sync_directory:
            self._log.append(SyncDirectory(parent_of(name)))


class RecordingVFS(apsw.VFS):
    """The default VFS, logging what happens to databases, WALs and journals below the recorder's root."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder.name, "", maxpathname=0)
        self._recorder = recorder

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        recorded = flags[0] & (_JOURNALS | apsw.SQLITE_OPEN_MAIN_DB)
        relative = self._recorder.relative(path) if path is not None and recorded else None
        if relative is None:
            return apsw.VFSFile("", name, flags)
        return RecordingFile(self._recorder, relative, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        relative = self._recorder.relative(filename)
        with self._recorder.lock:
            super().xDelete(filename, syncdir)
            if relative is not None:
                self._recorder.deleted(relative, syncdir)


class RecordingFile(apsw.VFSFile):
    """An open file whose writes, truncations and syncs are logged after they were done to the real file."""

    def __init__(
        self, recorder: Recorder, relative: str, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        wanted = flags[0]
        # As unixOpen does: the first sync through this handle also syncs the directory.
        self._syncs_directory = bool(wanted & _JOURNALS and wanted & apsw.SQLITE_OPEN_CREATE)
        self._directory = parent_of(relative)
        self._recorder = recorder
        with recorder.lock:
            entry = recorder.before_open(relative, bool(wanted & apsw.SQLITE_OPEN_MAIN_DB))
            super().__init__("", name, flags)
            self._inode = recorder.opened(relative, entry)

    def xWrite(self, data: bytes, offset: int) -> None:
        with self._recorder.lock:
            super().xWrite(data, offset)
            self._recorder.add(Write(self._inode, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        with self._recorder.lock:
            super().xTruncate(newsize)
            self._recorder.add(Truncate(self._inode, newsize))

    def xSync(self, flags: int) -> None:
        # The real file is not synced: the images come from the log, and a sync of the real disk only costs time.
        with self._recorder.lock:
            self._recorder.add(Sync(self._inode))
            if self._syncs_directory:
                self._recorder.add(SyncDirectory(self._directory))
                self._syncs_directory = False


@contextmanager
def recording_vfs(root: Path) -> Iterator[Recorder]:
    """Register a VFS that logs what connections opened with `vfs=recorder.name` do to the files below `root`.

    Close the connections before the end of the block, or take `recorder.log` there: what they do is logged for as
    long as they are open.
    """
    recorder = Recorder(root, f"power-loss-{next(_serial)}")
    vfs = RecordingVFS(recorder)
    try:
        yield recorder
    finally:
        vfs.unregister()


def parent_of(name: str) -> str:
    return PurePosixPath(name).parent.as_posix()
