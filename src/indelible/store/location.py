"""Checks of where data may live: a private directory on a local disk that no other program synchronises.

SQLite's locks and write-ahead log need one kernel that sees every process. On a network file system, or where a client
copies files in the background, an acknowledged write could be lost: such places are refused.
"""

import ntpath
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from indelible.errors import StoreError
from indelible.filesystem import REMEDY

# Imported late (platform): ctypes, subprocess

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


# --- Places that lose writes ---


class Mount(NamedTuple):
    """A line of the mount table."""

    point: str
    kind: str
    source: str


def refuse_unsafe(directory: Path, *, mountinfo: Path = Path("/proc/self/mountinfo")) -> None:
    """Raise StoreError where SQLite would lose writes: network file systems, shared and synchronised folders.

    The directory need not exist yet; symlinks are followed. A place that cannot be examined is refused as well.
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
            f"acknowledged writes could be lost. To mend it, {REMEDY}."
        )


def _synced_by(real: str) -> str | None:
    parts = Path(real).parts
    synced = _compiled(_SYNCED)
    for place, name in enumerate(parts):
        home = parts[:place] == ("/", "root") or (place >= 2 and parts[place - 2] in ("home", "Users"))
        if synced.fullmatch(name) or (home and name in _SYNCED_IN_A_HOME):
            return f"the synchronised folder {Path(*parts[: place + 1])}"
    path, below = real, ""
    while path != below:
        for marker in _SYNC_MARKERS:
            if os.path.lexists(os.path.join(path, marker)):
                return f"the synchronised folder {path} (it has {marker})"
        path, below = os.path.dirname(path), path
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
            f"it cannot be determined whether the disk is local: {mountinfo}: {error.strerror}; mount /proc"
        ) from error
    for line in lines:
        before, _, after = line.partition(b" - ")
        left, right = before.split(b" "), after.split(b" ")
        if len(left) > 4 and len(right) > 1:
            yield Mount(_unescaped(left[4]), _unescaped(right[0]), _unescaped(right[1]))


def _unescaped(field: bytes) -> str:
    if b"\\" not in field:
        return os.fsdecode(field)
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
        raise StoreError(
            f"it cannot be determined whether the disk is local: {error}; check that /sbin/mount works"
        ) from error
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
