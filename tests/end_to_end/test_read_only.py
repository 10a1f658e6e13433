"""A file, directory or disk that cannot be written: reading goes on with a note, and what writes is refused plainly."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import apsw
import pytest

import released
from command_line import BOUND_BY_MODES, assert_sound, contents, done, indelible, memory, opened
from indelible.capture import spool
from indelible.errors import StoreError
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.read_only_file import ReadOnlyFile
from indelible.store.tables import records
from mcp_client import McpClient, ToolError

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's"),
    pytest.mark.sqlite("modes of the file"),
]

NOTE = "cannot be written: the store is opened read-only"
REFUSED = "cannot be written (read-only file or disk); make it writable, or copy the data directory to a disk"


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A store with one memory, writable again afterwards so that pytest can remove it."""
    data = tmp_path / "data"
    done("remember", "written before", data=data)
    yield data
    data.chmod(0o700)


class Disk:
    """A disk of its own with a store on it, writable until it is mounted read-only."""

    def __init__(self, point: Path):
        self.point = point
        self.data = point / "data"

    def mount(self, *options: str) -> None:
        subprocess.run(["mount", *options, str(self.point)], check=True, capture_output=True)

    def close(self) -> None:
        self.mount("-o", "remount,ro")

    def open(self) -> None:
        self.mount("-o", "remount,rw")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Who may not mount one has the tests of modes in its place, which read by the same code."""
    point = tmp_path / "disk"
    point.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "tmpfs", str(point)]
    mounted = subprocess.run(command, capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"a tmpfs cannot be mounted here, the modes of files are tested above: {mounted.stderr.decode()}")
    yield Disk(point)
    subprocess.run(["umount", "--lazy", str(point)], check=True)


def keep(data: Path, target: Path, *suffixes: str) -> None:
    """A store of two memories, of which the second is in the log only, with these files of it at another place."""
    done("remember", "written before", data=data)
    with opened(data) as ctx:
        with ctx.store.read():  # keeps the log
            done("remember", "written last", data=data)
        target.mkdir(mode=0o700)
        for suffix in suffixes:
            shutil.copy(data / (FILE + suffix), target / (FILE + suffix))


def all_bytes(data: Path) -> dict[str, str]:
    """Every file below a directory, by its digest."""
    files = (path for path in data.rglob("*") if path.is_file())
    return {str(path.relative_to(data)): sha256(path.read_bytes()).hexdigest() for path in files}


def refusal(*arguments: str, data: Path) -> str:
    """The words of a command that is refused to a process bound by the modes of files."""
    ran = indelible(*arguments, data=data, python=BOUND_BY_MODES)
    words = ran.stderr.decode()
    assert (ran.returncode, ran.stdout) == (1, b""), (ran.stdout, words)
    assert "Traceback" not in words
    return words


def digest(data: Path) -> str:
    return sha256((data / FILE).read_bytes()).hexdigest()


def test_a_read_only_file_refuses_writes_in_clear_words_and_is_read(data: Path):
    (data / FILE).chmod(0o400)
    before = digest(data)
    with McpClient(data, python=BOUND_BY_MODES) as client:
        with pytest.raises(ToolError, match=r"cannot be written \(read-only file or disk\); make it writable"):
            client.call("store_memory", memory(1))
        assert client.call("recall_memory", {"query": "written before"})[0]["content"] == "written before"
    assert "cannot be written (read-only file or disk)" in refusal("remember", "more", data=data)
    read = indelible("export", data=data, python=BOUND_BY_MODES)
    assert (read.returncode, read.stdout.count(b"written before")) == (0, 1)
    assert digest(data) == before
    (data / FILE).chmod(0o600)
    done("remember", "written after", data=data)
    assert contents(data) == {"written before", "written after"}
    assert_sound(data)


def test_a_directory_that_may_not_be_written_is_read_with_a_note(data: Path):
    before = all_bytes(data)
    data.chmod(0o500)
    for command in (["recall", "before"], ["export"]):
        ran = indelible(*command, data=data, python=BOUND_BY_MODES)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.count(b"written before") == 1
        assert ran.stderr.decode().count(NOTE) == 1
    assert REFUSED in refusal("remember", "more", data=data)
    data.chmod(0o700)
    assert all_bytes(data) == before
    done("remember", "written after", data=data)
    assert contents(data) == {"written before", "written after"}
    assert_sound(data)


def test_a_file_that_may_not_be_read_is_refused_with_the_remedy(data: Path):
    (data / FILE).chmod(0)
    for command in (["remember", "more"], ["recall", "before"]):
        assert "cannot be opened; check that its directory exists and is yours" in refusal(*command, data=data)
    (data / FILE).chmod(0o600)
    assert contents(data) == {"written before"}


def test_a_place_where_no_directory_can_be_made_is_refused_with_the_remedy(tmp_path: Path):
    place = tmp_path / "shut"
    place.mkdir(mode=0o500)
    words = refusal("remember", "x", data=place / "data")
    assert "cannot hold data: Permission denied; give a directory on a local disk" in words
    place.chmod(0o700)


@pytest.mark.parametrize("suffixes", [("", "-wal", "-shm"), ("", "-wal")], ids=["log and index", "log alone"])
def test_what_is_only_in_the_log_is_read_from_a_read_only_disk(tmp_path: Path, disk: Disk, suffixes: tuple[str, ...]):
    keep(tmp_path / "origin", disk.data, *suffixes)
    disk.close()
    before = all_bytes(disk.point)
    flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY
    with closing(apsw.Connection(f"file:{disk.data / FILE}?immutable=1", flags=flags)) as plain:
        in_the_file = str(plain.execute("SELECT text FROM record").fetchall())
    assert "written last" not in in_the_file
    assert done("recall", "written", data=disk.data).count("  written ") == 2
    restored = tmp_path / "restored"
    restored.mkdir(mode=0o700)
    done("backup", restored / FILE, data=disk.data)
    assert contents(disk.data) == contents(restored) == {"written before", "written last"}
    assert_sound(disk.data)
    assert all_bytes(disk.point) == before


def test_every_command_that_reads_works_on_a_read_only_disk_and_says_so_once(tmp_path: Path, disk: Disk):
    done("remember", "written before", data=disk.data)
    spool.put(str(disk.data), {"v": 1})
    disk.close()
    before = all_bytes(disk.point)
    for command, said in (
        (["recall", "before"], "written before"),
        (["export"], "written before"),
        (["stats"], str(disk.data)),
        (["backup", str(tmp_path / "copy.db")], "verified backup"),
        (["doctor"], "the store is sound"),
        (["history"], ""),
        (["call", "recall_memory", "--query", "before"], "written before"),
        (["brief"], ""),
    ):
        ran = indelible(*command, data=disk.data)
        words = ran.stderr.decode()
        assert ran.returncode == 0, (command, words)
        assert said in ran.stdout.decode(), command
        if command != ["brief"]:  # what an agent begins with
            assert words.count(NOTE) == 1, (command, words)
            assert "1 event that hooks left in its spool cannot be processed" in words
    assert all_bytes(disk.point) == before
    disk.open()
    done("remember", "written after", data=disk.data)
    assert contents(disk.data) == {"written before", "written after"}


def test_every_command_that_writes_says_that_the_disk_is_read_only(tmp_path: Path, disk: Disk):
    done("remember", "written before", "--namespace", "a/project", data=disk.data)
    done("backup", tmp_path / "copy.db", data=disk.data)
    exported = tmp_path / "exported.jsonl"
    exported.write_text(done("export", data=disk.data))
    disk.close()
    before = all_bytes(disk.point)
    for command in (
        ["remember", "more"],
        ["undo"],
        ["drain"],
        ["reembed"],
        ["doctor", "--repair"],
        ["import", str(exported)],
        ["restore", str(tmp_path / "copy.db")],
        ["index", str(tmp_path)],
        ["add", str(tmp_path)],
        ["consolidate", "decay"],
        ["purge", "--namespace", "a/project", "--yes"],
        ["redact", "--stored"],
        ["token", "create", "one", "--scope", "read"],
        ["call", "store_memory", "--content", "more"],
    ):
        ran = indelible(*command, data=disk.data)
        words = ran.stderr.decode()
        assert ran.returncode == 1, (command, ran.stdout, words)
        assert REFUSED in words, (command, words)
        assert "Traceback" not in words
    new = indelible("remember", "x", data=disk.point / "new")
    assert "cannot hold data: Read-only file system" in new.stderr.decode()
    assert all_bytes(disk.point) == before


def test_a_server_on_a_read_only_disk_offers_what_reads_and_follows_who_writes_elsewhere(tmp_path: Path, disk: Disk):
    """A volume is mounted read-only in one place, while its owner goes on writing in another."""
    done("remember", "written before", data=disk.data)
    volume = tmp_path / "volume"
    volume.mkdir()
    subprocess.run(["mount", "--bind", str(disk.point), str(volume)], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(volume)], check=True)
        with McpClient(volume / "data") as client:
            offered = {tool["name"] for tool in client.request("tools/list", {})["tools"]}
            assert "recall_memory" in offered
            assert "store_memory" not in offered
            found = client.call("recall_memory", {"query": "written"})
            assert [each["content"] for each in found] == ["written before"]
            with opened(disk.data):
                done("remember", "written meanwhile", data=disk.data)
                found = client.call("recall_memory", {"query": "written"})
                assert {each["content"] for each in found} == {"written before", "written meanwhile"}
            done("remember", "written last", data=disk.data)
            assert len(client.call("recall_memory", {"query": "written"})) == 3
            with pytest.raises(ToolError, match=r"store_memory writes, and the store .* cannot be written"):
                client.call("store_memory", memory(1))
    finally:
        subprocess.run(["umount", "--lazy", str(volume)], check=True)
    assert_sound(disk.data)


def test_a_read_without_locks_fails_where_somebody_writes_meanwhile(data: Path):
    store = ReadOnlyFile(data / FILE)
    with pytest.raises(StoreError, match="another process wrote the store"), store.read():
        done("remember", "written meanwhile", data=data)
    with store.read() as tx:
        assert sum(records.count_by_kind(tx).values()) == 2


def test_a_store_of_an_older_schema_on_a_read_only_disk_is_refused_with_the_remedy(disk: Disk):
    released.ALL[0].make(disk.data)
    disk.close()
    for command in (["recall", "before"], ["export"]):
        ran = indelible(*command, data=disk.data)
        assert ran.returncode == 1
        assert "on a read-only disk it cannot be upgraded; copy the data directory" in ran.stderr.decode()


def test_a_foreign_trigger_is_refused_on_a_read_only_disk_too(disk: Disk):
    done("remember", "written before", data=disk.data)
    with closing(apsw.Connection(str(disk.data / FILE))) as connection:
        connection.execute("CREATE TRIGGER spy AFTER INSERT ON record BEGIN DELETE FROM trash; END").fetchall()
    disk.close()
    ran = indelible("recall", "before", data=disk.data)
    assert ran.returncode == 1
    assert "foreign trigger spy (of record), which no version of Indelible made" in ran.stderr.decode()


def test_repair_and_restore_write_nothing_where_nothing_may_be_written(tmp_path: Path, data: Path):
    done("backup", tmp_path / "copy.db", data=data)
    before = all_bytes(data)
    for command in (["doctor", "--repair"], ["restore", str(tmp_path / "copy.db")]):
        ran = indelible(*command, data=data, env={"INDELIBLE_READ_ONLY": "1"})
        assert (ran.returncode, ran.stdout) == (1, b"")
        assert b"INDELIBLE_READ_ONLY is set; unset it" in ran.stderr
        assert all_bytes(data) == before


def test_a_backup_on_a_read_only_disk_is_restored(tmp_path: Path, data: Path, disk: Disk):
    done("backup", disk.point / "copy.db", data=data)
    disk.close()
    new = tmp_path / "new"
    done("restore", disk.point / "copy.db", data=new)
    assert contents(new) == {"written before"}
    assert_sound(new)
