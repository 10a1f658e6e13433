import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from indelible.errors import InvalidInput, StoreError
from indelible.filesystem import FileLock, create_private, data_directory, prepare
from indelible.store import location
from indelible.store.location import refuse_unsafe

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and owners are POSIX")
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads a Linux mount table")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def run(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


# --- The data directory ---


def test_the_data_directory_is_the_one_given_as_an_absolute_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert data_directory("data") == tmp_path / "data"
    assert data_directory(str(tmp_path)) == tmp_path
    assert data_directory("~/memory") == Path.home() / "memory"


def test_the_data_directory_is_the_platforms_own_where_none_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_directory(None).name == "indelible"
    if sys.platform == "linux":
        assert data_directory(None) == tmp_path / "indelible"


@pytest.mark.parametrize("given", ["", "  ", "a\0b", "~no-such-user-here/data"])
def test_a_data_directory_that_can_be_no_path_is_refused(given):
    with pytest.raises(InvalidInput, match="--data"):
        data_directory(given)


@posix
def test_a_new_directory_is_private_and_its_parents_are_not(tmp_path):
    before = os.umask(0o022)
    try:
        prepare(tmp_path / "share" / "indelible")
    finally:
        os.umask(before)
    assert mode(tmp_path / "share" / "indelible") == 0o700
    assert mode(tmp_path / "share") == 0o755


@posix
@pytest.mark.parametrize("entries", [[], ["indelible.db", "backups"]])
def test_a_directory_of_ours_that_is_open_to_others_is_closed(tmp_path, entries):
    for name in entries:
        (tmp_path / name).touch()
    tmp_path.chmod(0o755)
    prepare(tmp_path)
    assert mode(tmp_path) == 0o700


@posix
def test_an_open_directory_with_other_files_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "index.html").touch()
    tmp_path.chmod(0o755)
    with pytest.raises(StoreError, match=r"mode 0755.*--data"):
        prepare(tmp_path)
    assert mode(tmp_path) == 0o755


@posix
def test_a_sticky_directory_such_as_tmp_is_refused(tmp_path):
    tmp_path.chmod(0o1777)
    with pytest.raises(StoreError, match="open to other users"):
        prepare(tmp_path)


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path):
    (tmp_path / "data").touch()
    with pytest.raises(StoreError, match="not a directory"):
        prepare(tmp_path / "data")
    with pytest.raises(StoreError, match="--data"):
        prepare(tmp_path / "data" / "below")


@posix
def test_a_link_that_leads_nowhere_is_refused(tmp_path):
    (tmp_path / "data").symlink_to(tmp_path / "gone")
    with pytest.raises(StoreError, match="cannot hold data"):
        prepare(tmp_path / "data")


@posix
def test_a_directory_of_another_user_is_refused(tmp_path):
    directory = Path("/usr")
    if os.geteuid() == 0:
        directory = tmp_path / "theirs"
        directory.mkdir()
        os.chown(directory, 65534, 65534)
    with pytest.raises(StoreError, match="belongs to user"):
        prepare(directory)


@posix
def test_a_directory_that_cannot_be_written_to_is_refused():
    directory, me = Path(tempfile.mkdtemp()), os.geteuid()
    try:
        directory.chmod(0o500)
        if me == 0:  # root may write anywhere
            os.chown(directory, 65534, -1)
            os.seteuid(65534)
        with pytest.raises(StoreError, match="cannot be written"):
            prepare(directory)
    finally:
        os.seteuid(me)
        directory.rmdir()


# --- Unsafe places ---


def mount_table(path: Path, *mounts: tuple[str, str, str]) -> Path:
    """Write a mountinfo of (mount point, type, source) below a local root."""
    lines = ["27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw"]
    for number, (point, kind, source) in enumerate(mounts, 28):
        escaped = point.replace("\\", "\\134").replace(" ", "\\040")
        lines.append(f"{number} 27 0:{number} / {escaped} rw,nosuid shared:{number} master:1 - {kind} {source} rw")
    path.write_text("\n".join(lines) + "\n")
    return path


@linux
@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("nfs", "nas:/export"),
        ("nfs4", "nas:/export"),
        ("cifs", "//nas/share"),
        ("smb3", "//nas/share"),
        ("afs", "AFS"),
        ("ceph", "mon:6789:/"),
        ("lustre", "mgs@tcp:/scratch"),
        ("fuse.glusterfs", "nas:/volume"),
        ("fuse.sshfs", "ann@host:/home/ann"),
        ("fuse.rclone", "drive:"),
        ("fuse.s3fs", "bucket"),
        ("fuse", "https://cloud.example/dav"),
        ("fuse", "ann@host:/srv"),
        ("9p", "C:\\134"),
        ("drvfs", "C:"),
    ],
)
def test_a_network_file_system_is_refused_with_the_reason_and_the_remedy(tmp_path, kind, source):
    table = mount_table(tmp_path / "mountinfo", (os.path.realpath(tmp_path), kind, source))
    with pytest.raises(StoreError) as refusal:
        refuse_unsafe(tmp_path / "not" / "there" / "yet", mountinfo=table)
    for part in (str(tmp_path / "not" / "there" / "yet"), kind, "write-ahead log", "--data", "INDELIBLE_DATA"):
        assert part in str(refusal.value)


@linux
@pytest.mark.parametrize(
    ("kind", "source"),
    [("ext4", "/dev/sda1"), ("tmpfs", "tmpfs"), ("overlay", "overlay"), ("fuse.gocryptfs", "/home/ann/.cipher")],
)
def test_a_local_file_system_is_accepted(tmp_path, kind, source):
    refuse_unsafe(tmp_path, mountinfo=mount_table(tmp_path / "mountinfo", (os.path.realpath(tmp_path), kind, source)))


@linux
def test_the_innermost_mount_decides(tmp_path):
    real = os.path.realpath(tmp_path)
    table = mount_table(tmp_path / "mountinfo", (f"{real}/disk", "ext4", "/dev/sdb"), (real, "nfs4", "nas:/export"))
    refuse_unsafe(tmp_path / "disk" / "data", mountinfo=table)
    with pytest.raises(StoreError, match="nfs4"):
        refuse_unsafe(tmp_path / "diskette", mountinfo=table)


@linux
def test_a_later_mount_on_the_same_point_hides_the_earlier(tmp_path):
    real = os.path.realpath(tmp_path)
    table = mount_table(tmp_path / "mountinfo", (real, "autofs", "systemd-1"), (real, "nfs4", "nas:/export"))
    with pytest.raises(StoreError, match="nfs4"):
        refuse_unsafe(tmp_path, mountinfo=table)


@linux
@pytest.mark.parametrize("name", ["my share", "back\\slash", "größe"])
def test_a_mount_point_with_escaped_characters_is_recognised(tmp_path, name):
    (tmp_path / name).mkdir()
    table = mount_table(tmp_path / "mountinfo", (os.path.realpath(tmp_path / name), "nfs4", "nas:/export"))
    with pytest.raises(StoreError, match="nfs4"):
        refuse_unsafe(tmp_path / name / "data", mountinfo=table)


@linux
def test_a_link_that_leads_onto_a_network_file_system_is_refused(tmp_path):
    (tmp_path / "nas").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nas")
    table = mount_table(tmp_path / "mountinfo", (os.path.realpath(tmp_path / "nas"), "nfs4", "nas:/export"))
    with pytest.raises(StoreError, match=r"that is .*nas"):
        refuse_unsafe(tmp_path / "link" / "data", mountinfo=table)


@linux
def test_what_cannot_be_told_is_refused(tmp_path):
    with pytest.raises(StoreError, match="cannot be determined whether"):
        refuse_unsafe(tmp_path, mountinfo=tmp_path / "missing")
    (tmp_path / "empty").touch()
    with pytest.raises(StoreError, match="does not list"):
        refuse_unsafe(tmp_path, mountinfo=tmp_path / "empty")


@posix
@pytest.mark.parametrize(
    "folder",
    [
        "Dropbox",
        "Dropbox (Acme)",
        "OneDrive",
        "OneDrive - Acme Ltd",
        "Google Drive",
        "GoogleDrive-ann@example.org",
        "Library/CloudStorage/Box-Box",
        "Library/Mobile Documents/com~apple~CloudDocs",
        "iCloudDrive",
        "Nextcloud",
        "Nextcloud2",
        "pCloud Drive",
        "pCloudDrive",
        "SynologyDrive",
        "Users/ann/Sync",
        "home/ann/MEGA",
    ],
)
def test_a_synchronised_folder_is_refused(tmp_path, folder):
    with pytest.raises(StoreError, match=r"synchronised folder.*--data"):
        refuse_unsafe(tmp_path / folder / "indelible", mountinfo=mount_table(tmp_path / "mountinfo"))


@posix
@pytest.mark.parametrize("folder", ["dropbox-sdk", "src/Sync", "Dropboxes", "my OneDrive", "sync", "home/Box"])
def test_a_folder_that_is_only_named_alike_is_accepted(tmp_path, folder):
    refuse_unsafe(tmp_path / folder, mountinfo=mount_table(tmp_path / "mountinfo"))


@posix
@pytest.mark.parametrize("marker", [".stfolder", ".dropbox.cache", ".sync/ID"])
def test_a_folder_that_a_synchronising_client_has_marked_is_refused(tmp_path, marker):
    (tmp_path / marker).mkdir(parents=True)
    with pytest.raises(StoreError, match=marker):
        refuse_unsafe(tmp_path / "notes" / "data", mountinfo=mount_table(tmp_path / "mountinfo"))


def test_the_mount_table_of_macos_is_understood():
    table = (
        "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)\n"
        "//ann@nas._smb._tcp.local/my%20share on /Volumes/my share (1) (smbfs, nodev, nosuid, mounted by ann)\n"
        "ann@host:/srv on /Volumes/srv (macfuse, nodev, nosuid, synchronous, mounted by ann)\n"
    )
    mounts = list(location._bsd_mounts(table))
    assert location._trouble_on(location._mount_of("/Users/ann/data", iter(mounts))) is None
    assert "smbfs" in str(location._trouble_on(location._mount_of("/Volumes/my share (1)/data", iter(mounts))))
    assert "macfuse" in str(location._trouble_on(location._mount_of("/Volumes/srv", iter(mounts))))


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("C:\\Users\\ann\\data", False),
        ("\\\\?\\C:\\Users\\ann\\data", False),
        ("Z:\\data", True),
        ("\\\\nas\\share\\data", True),
        ("\\\\?\\UNC\\nas\\share\\data", True),
        ("\\\\wsl.localhost\\Debian\\home", True),
    ],
)
def test_network_drives_and_shares_of_windows_are_recognised(path, refused):
    assert bool(location._trouble_on_windows(path, lambda root: 4 if root == "Z:\\" else 3)) is refused


# --- Files ---


@posix
def test_a_created_file_is_private_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        create_private(tmp_path / "indelible.db")
    finally:
        os.umask(before)
    assert mode(tmp_path / "indelible.db") == 0o600


@posix
def test_an_existing_file_is_closed_to_others_and_keeps_its_content(tmp_path):
    path = tmp_path / "indelible.db"
    path.write_bytes(b"kept")
    path.chmod(0o644)
    create_private(path)
    assert (mode(path), path.read_bytes()) == (0o600, b"kept")


@posix
def test_a_link_or_a_directory_is_no_store_file(tmp_path):
    (tmp_path / "target").touch()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "folder").mkdir()
    for name in ("link", "folder"):
        with pytest.raises(StoreError, match="not a regular file"):
            create_private(tmp_path / name)


def test_a_file_in_a_missing_directory_is_an_error_with_the_remedy(tmp_path):
    with pytest.raises(StoreError, match="--data"):
        create_private(tmp_path / "missing" / "indelible.db")


@pytest.mark.process
@posix
def test_creating_a_file_that_exists_keeps_the_locks_that_this_process_holds_on_it(tmp_path):
    import fcntl

    path = tmp_path / "indelible.db"
    create_private(path)
    probe = (
        "import fcntl, sys\ntry: fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except OSError: print('locked')\nelse: print('free')"
    )
    with path.open("r+b") as opened:
        fcntl.lockf(opened, fcntl.LOCK_EX)
        create_private(path)
        assert run(probe, path).communicate()[0] == "locked\n"
    assert run(probe, path).communicate()[0] == "free\n"


HOLD = (
    "import sys; from pathlib import Path; from indelible.filesystem import FileLock\n"
    "lock = FileLock(Path(sys.argv[1])); lock.acquire(); print('held', flush=True); sys.stdin.readline()\n"
)


def test_a_lock_is_held_by_one_at_a_time(tmp_path):
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.try_acquire()
    assert not second.try_acquire()
    first.release()
    assert second.try_acquire()
    first.release()  # without effect: it is not the holder any more
    assert not first.try_acquire()


@pytest.mark.process
def test_a_lock_that_another_process_holds_is_not_free_until_it_lets_go(tmp_path):
    with run(HOLD, tmp_path / "lock") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert not FileLock(tmp_path / "lock").try_acquire()
        holder.communicate("\n")
    assert FileLock(tmp_path / "lock").try_acquire()


@pytest.mark.process
def test_a_killed_process_leaves_no_lock_behind(tmp_path):
    with run(HOLD, tmp_path / "lock") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.kill()
        with FileLock(tmp_path / "lock"):
            pass


@pytest.mark.process
def test_the_processes_that_wait_for_a_lock_run_one_after_another(tmp_path):
    count = (
        "import sys; from pathlib import Path; from indelible.filesystem import FileLock\n"
        "counter = Path(sys.argv[2])\n"
        "for _ in range(100):\n"
        "    with FileLock(Path(sys.argv[1])): counter.write_text(str(int(counter.read_text()) + 1))\n"
    )
    (tmp_path / "counter").write_text("0")
    for process in [run(count, tmp_path / "lock", tmp_path / "counter") for _ in range(4)]:
        process.communicate()
        assert process.returncode == 0
    assert (tmp_path / "counter").read_text() == "400"


def test_an_instance_that_holds_its_lock_cannot_take_it_again(tmp_path):
    with FileLock(tmp_path / "lock") as lock, pytest.raises(RuntimeError, match="release it first"):
        lock.acquire()


def test_a_lock_in_a_missing_directory_is_an_error(tmp_path):
    with pytest.raises(StoreError, match="cannot be locked"):
        FileLock(tmp_path / "missing" / "lock").try_acquire()
