"""A file, directory or disk that cannot be written: a clear error, nothing written, and reading where it can be."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from command_line import BOUND_BY_MODES, assert_sound, contents, done, indelible, memory
from indelible.store.sqlite import FILE
from mcp_client import McpClient, ServerGoneError, ToolError

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's"),
    pytest.mark.sqlite("modes of the file"),
]


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """A store with one memory, writable again afterwards so that pytest can remove it."""
    data = tmp_path / "data"
    done("remember", "written before", data=data)
    yield data
    data.chmod(0o700)


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


def test_a_read_only_directory_is_refused_with_the_remedy(data: Path):
    data.chmod(0o500)
    for command in (["remember", "more"], ["recall", "before"], ["export"], ["doctor"]):
        ran = indelible(*command, data=data, python=BOUND_BY_MODES)
        assert ran.returncode == 1
        assert "cannot be written to; make it writable (chmod u+rwx)" in (ran.stderr + ran.stdout).decode()
    client = McpClient(data, python=BOUND_BY_MODES)
    with pytest.raises(ServerGoneError, match="make it writable"):
        client.initialize()
    assert client.close() == 1
    data.chmod(0o700)
    assert contents(data) == {"written before"}
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


def test_a_read_only_disk_is_refused_with_the_remedy(tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=6m,mode=0700", "tmpfs", str(disk)]
    mounted = subprocess.run(command, capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"a tmpfs cannot be mounted here, the modes of files are tested above: {mounted.stderr.decode()}")
    try:
        done("remember", "written before", data=disk / "data")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for command in (["remember", "more"], ["recall", "before"], ["export"]):
            assert "cannot be written to; make it writable" in refusal(*command, data=disk / "data")
        assert "cannot hold data: Read-only file system" in refusal("remember", "x", data=disk / "new")
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        assert contents(disk / "data") == {"written before"}
        assert_sound(disk / "data")
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
