"""Where data may live: a private directory on a local disk that nothing else synchronises.

SQLite's locks and write-ahead log need one kernel that sees every process. On a network file system, or where a client
copies files behind our back, an acknowledged write could be lost: such places are refused.
"""

import ntpath
import os
import re
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from indelible.errors import InvalidInput, StoreError

_REMEDY = "give a directory on a local disk (--data DIR or INDELIBLE_DATA); a team shares through PostgreSQL"

_NETWORK = frozenset(
    {
        *("nfs", "nfs3", "nfs4", "cifs", "smb2", "smb3", "smbfs", "afs", "auristorfs", "afpfs", "ncpfs", "coda"),
        *("ceph", "glusterfs", "lustre", "beegfs", "gpfs", "gfs", "gfs2", "ocfs2", "orangefs", "pvfs2", "panfs"),
        *("davfs", "davfs2", "webdav", "ftp", "sshfs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.goofys"),
        *("fuse.gcsfuse", "fuse.blobfuse", "fuse.blobfuse2", "fuse.mount-s3", "fuse.mountpoint-s3", "fuse.curlftpfs"),
        *("fuse.davfs", "fuse.davfs2", "fuse.ceph", "fuse.ceph-fuse", "fuse.glusterfs", "fuse.juicefs", "fuse.mfs"),
        *("fuse.moosefs", "fuse.lizardfs", "fuse.seaweedfs", "fuse.xtreemfs", "fuse.gvfsd-fuse", "fuse.kio-fuse"),
        *("fuse.smbnetfs", "fuse.google-drive-ocamlfuse", "fuse.onedriver", "fuse.pcloud"),
    }
)
_SHARED_WITH_A_HOST = frozenset(
    {"9p", "drvfs", "vboxsf", "vmhgfs", "fuse.vmhgfs-fuse", "prl_fs", "fuse.prl_fsd", "fuse.osxfs", "fuse.grpcfuse"}
)
# davfs2 and some bucket drivers call themselves plain "fuse" and are known by their source.
_REMOTE_SOURCE = r"https?://|//|[\w.-]+@[\w.-]+:|mountpoint-s3|s3fs"
_SYNCED = (
    r"Dropbox(?: \(.+\))?|OneDrive(?: - .+|Commercial)?|Google ?Drive(?:[ -].+)?|CloudStorage|Mobile Documents"
    r"|iCloud ?Drive|Nextcloud\d*|ownCloud\d*|p[Cc]loud ?Drive|Synology ?Drive|Proton ?Drive|MEGAsync|Box Sync"
    r"|Yandex\.Disk|Resilio Sync|My Drive|kDrive"
)
_SYNCED_IN_A_HOME = frozenset({"Sync", "Box", "MEGA", "Seafile", "Insync"})
_SYNC_MARKERS = (".stfolder", ".dropbox.cache", ".nextcloudsync.log", ".owncloudsync.log", ".sync/ID")
_DRIVE_REMOTE = 4  # GetDriveTypeW


def data_directory(given: str | None) -> Path:
    """Return the absolute data directory: the one given, with ~ expanded, or the platform's own for indelible.

    Symlinks stay. InvalidInput for a text that can be no path.
    """
    if given is None:
        import platformdirs

        return platformdirs.user_data_path("indelible", appauthor=False)
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
            f"--data or INDELIBLE_DATA is {given!r}, and the working directory does not exist any more; "
            "give an absolute path"
        ) from error


def prepare(directory: Path) -> None:
    """Make the directory, durably, or check it: ours, writable, closed to others (0700).

    Call `refuse_unsafe` first. A directory of ours that is open to others is closed; one that holds other files is not
    touched but refused. StoreError with the remedy wherever data cannot live.
    """
    try:
        _make(directory)
        found = directory.stat()
        if not stat.S_ISDIR(found.st_mode):
            raise StoreError(f"{directory} is not a directory; {_REMEDY}")
        if sys.platform != "win32":
            _own(directory, found)
    except OSError as error:
        raise StoreError(f"{directory} cannot hold data: {error.strerror}; {_REMEDY}") from error
    if not os.access(directory, os.R_OK | os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise StoreError(f"{directory} cannot be written to; make it writable (chmod u+rwx) or {_REMEDY}")


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
                f"{directory} belongs to user {found.st_uid}, this process to user {os.geteuid()}; "
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


# --- Places that lose writes ---


class Mount(NamedTuple):
    """A line of the mount table."""

    point: str
    kind: str
    source: str


def refuse_unsafe(directory: Path, *, mountinfo: Path = Path("/proc/self/mountinfo")) -> None:
    """Raise StoreError where SQLite would lose writes: network file systems, shared and synchronised folders.

    The directory need not exist yet; symlinks are followed. What cannot be told is refused as well.
    """
    real = os.path.realpath(directory)
    trouble = _synced_by(real)
    if trouble is None and sys.platform == "win32":
        trouble = _trouble_on_windows(real, _drive_type)
    elif trouble is None:
        mounts = _linux_mounts(mountinfo) if sys.platform == "linux" else _bsd_mounts(_run_mount())
        trouble = _trouble_on(_mount_of(real, mounts))
    if trouble:
        where = str(directory) if real == str(directory) else f"{directory} (that is {real})"
        raise StoreError(
            f"{where} lies in {trouble}. SQLite's locks and write-ahead log do not hold there: "
            f"acknowledged writes could be lost. To mend it, {_REMEDY}."
        )


def _synced_by(real: str) -> str | None:
    parts = Path(real).parts
    synced = _compiled(_SYNCED)
    for place, name in enumerate(parts):
        home = parts[:place] == ("/", "root") or (place >= 2 and parts[place - 2] in ("home", "Users"))
        if synced.fullmatch(name) or (home and name in _SYNCED_IN_A_HOME):
            return f"the synchronised folder {Path(*parts[: place + 1])}"
    for path in (Path(real), *Path(real).parents):
        for marker in _SYNC_MARKERS:
            if os.path.lexists(path / marker):
                return f"the synchronised folder {path} (it has {marker})"
    return None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _trouble_on(mount: Mount | None) -> str | None:
    if mount is None:
        return "a file system that the mount table does not list"
    if mount.kind in _SHARED_WITH_A_HOST:
        return f"{mount.point}, which is shared with the host of this machine ({mount.kind}; under WSL a Windows drive)"
    behind_fuse = "fuse" in mount.kind and _compiled(_REMOTE_SOURCE).match(mount.source)
    if mount.kind in _NETWORK or behind_fuse:
        return f"{mount.point}, a network file system ({mount.kind})"
    return None


def _mount_of(real: str, mounts: Iterator[Mount]) -> Mount | None:
    """Return the innermost mount that holds the path; of two on one point the later hides the earlier."""
    best: Mount | None = None
    for mount in mounts:
        within = real == mount.point or real.startswith(mount.point.rstrip("/") + "/")
        if within and (best is None or len(mount.point) >= len(best.point)):
            best = mount
    return best


def _linux_mounts(mountinfo: Path) -> Iterator[Mount]:
    """Read mountinfo (proc(5)): "36 35 98:0 /root /point options [more...] - type source options", octal escapes."""
    try:
        lines = mountinfo.read_bytes().splitlines()
    except OSError as error:
        raise StoreError(
            f"whether the disk is local cannot be told: {mountinfo}: {error.strerror}; mount /proc"
        ) from error
    for line in lines:
        before, _, after = line.partition(b" - ")
        left, right = before.split(b" "), after.split(b" ")
        if len(left) > 4 and len(right) > 1:
            yield Mount(_unescaped(left[4]), _unescaped(right[0]), _unescaped(right[1]))


def _unescaped(field: bytes) -> str:
    return os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda octal: bytes([int(octal[1], 8) & 255]), field))


def _bsd_mounts(table: str) -> Iterator[Mount]:
    """Read what `mount` prints on macOS and the BSDs: "//ann@nas/share on /Volumes/share (smbfs, nodev)"."""
    for line in table.splitlines():
        found = re.fullmatch(r"(?P<source>.*?) on (?P<point>/.*) \((?P<kind>[^(),]+)[^()]*\)", line)
        if found:
            yield Mount(found["point"], found["kind"], found["source"])


def _run_mount() -> str:
    import subprocess

    try:
        done = subprocess.run(["/sbin/mount"], capture_output=True, timeout=10, check=True, text=True, errors="replace")
    except (OSError, subprocess.SubprocessError) as error:
        raise StoreError(f"whether the disk is local cannot be told: {error}; see that /sbin/mount works") from error
    return done.stdout


def _trouble_on_windows(real: str, drive_type: Callable[[str], int]) -> str | None:
    plain = real.removeprefix("\\\\?\\")
    if plain.upper().startswith("UNC\\") or plain.startswith("\\\\"):
        return "a network share"
    drive = ntpath.splitdrive(plain)[0]
    return f"the network drive {drive}" if drive_type(drive + "\\") == _DRIVE_REMOTE else None


def _drive_type(root: str) -> int:
    if sys.platform == "win32":
        import ctypes

        return int(ctypes.windll.kernel32.GetDriveTypeW(root))
    raise NotImplementedError("drives have types on Windows only")


# --- Files ---

_CREATING = threading.Lock()


def create_private(path: Path) -> None:
    """Create an empty file that only we may read (0600), or close an existing one to others.

    Of several processes at once one creates it. An existing file is never opened: closing it would drop the locks that
    SQLite holds on it in this process. StoreError where it cannot be made or is no regular file.
    """
    try:
        with _CREATING:
            _create(path)
        _close_to_others(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}; {_REMEDY}") from error


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
        """What tells the lock that is held from every other one, also on other machines, whoever holds it."""
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
            raise StoreError(f"{self._path} cannot be locked: {error.strerror}; {_REMEDY}") from error
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
