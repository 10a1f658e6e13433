"""A disk without room: the error names it, nothing is half written, and writes work again when there is room."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from command_line import assert_sound, contents, done, indelible, memory, refused
from indelible.toolsets.memory import importing
from mcp_client import Call, McpClient, ToolError, text_of, value_of

pytestmark = [pytest.mark.process, pytest.mark.sqlite("the disk of the file")]

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="tmpfs and prlimit are Linux's")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 6 MiB; who may not mount one has test_a_file_size_limit_... in its place."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m,mode=0700", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"a tmpfs cannot be mounted here: {mounted.stderr.decode().strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(disk: Path, leave: int = 0) -> Path:
    """A file that takes all room of the disk, less some bytes."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            file.truncate(max(0, file.tell() - leave))
    return ballast


def long_memory(number: int) -> dict[str, Any]:
    return {"content": " ".join(f"long{number}word{n}" for n in range(600))}


def store_until_refused(client: McpClient) -> tuple[list[str], str]:
    """Store long memories until one is refused: (what was acknowledged, the words of the refusal)."""
    acknowledged = []
    for number in range(10_000):
        try:
            client.call("store_memory", long_memory(number))
        except ToolError as error:
            return acknowledged, str(error)
        acknowledged.append(long_memory(number)["content"])
    raise AssertionError("the disk never was full")


@LINUX
def test_a_full_disk_refuses_writes_in_clear_words_until_there_is_room_again(small_disk: Path):
    data = small_disk / "data"
    with McpClient(data) as client:
        ballast = fill(small_disk, leave=1_500_000)
        acknowledged, words = store_until_refused(client)
        assert "is on a full disk; nothing of this call was written" in words
        assert str(data) in words
        assert len(acknowledged) > 10
        # What a batch of one commit holds is there whole or not at all, and reading goes on.
        refusals = [text_of(r) for r in client.pipeline(Call("store_memory", long_memory(-n)) for n in range(1, 20))]
        assert all("full disk" in refusal for refusal in refusals)
        assert client.call("codemem_stats")["storage"]["memories"] == len(acknowledged)
        assert client.call("recall_memory", {"query": "long3word7 long3word9", "k": 1})[0]["content"] == acknowledged[3]
        assert contents(data) == set(acknowledged)
        assert done("recall", "long5word2", data=data).count("long5word2 ") == 1
        ballast.unlink()
        assert client.call("store_memory", memory(1))["status"] == "stored"
    assert contents(data) == {*acknowledged, memory(1)["content"]}
    assert_sound(data)


@LINUX
def test_every_command_on_a_disk_without_a_free_byte_names_the_full_disk(small_disk: Path):
    data = small_disk / "data"
    done("remember", "written while there was room", data=data)
    ballast = fill(small_disk)
    for command in (["remember", "more"], ["recall", "room"], ["export"], ["stats"], ["undo"]):
        assert "is on a full disk" in refused(*command, data=data)
    checked = indelible("doctor", data=data)
    assert checked.returncode == 1
    assert b"is on a full disk" in checked.stdout
    ballast.unlink()
    assert contents(data) == {"written while there was room"}
    assert_sound(data)


@LINUX
def test_doctor_names_the_full_disk_of_a_store_that_a_server_has_open(small_disk: Path):
    data = small_disk / "data"
    with McpClient(data) as client:
        client.call("store_memory", memory(0))
        ballast = fill(small_disk)
        checked = indelible("doctor", data=data)
        assert checked.returncode == 1
        assert f"fault: the disk of {data} is full" in checked.stdout.decode()
        ballast.unlink()
        assert b"is full" not in indelible("doctor", data=data).stdout


@LINUX
def test_a_store_that_could_not_be_made_on_a_full_disk_is_made_once_there_is_room(small_disk: Path):
    data = small_disk / "data"
    data.mkdir(mode=0o700)
    ballast = fill(small_disk)
    assert "is on a full disk" in refused("remember", "too early", data=data)
    ballast.unlink()
    done("remember", "in time", data=data)
    assert contents(data) == {"in time"}
    assert_sound(data)


@LINUX
def test_an_import_that_met_a_full_disk_is_completed_by_importing_again(small_disk: Path):
    data = small_disk / "data"
    items = [{**long_memory(number), "id": f"item{number}"} for number in range(300)]
    for first, second in pairwise(items):
        first["edges"] = [{"source": first["id"], "target": second["id"], "relationship": "LEADS_TO"}]
    with McpClient(data) as client:
        fill(small_disk, leave=1_500_000)
        with pytest.raises(ToolError, match="full disk"):
            client.call("import_memories", {"memories": items})
        there = client.call("codemem_stats")["storage"]["memories"]
        assert 0 <= there < 300
        assert there % importing.BATCH == 0  # whole transactions
        # Deleting the ballast may not be enough: words and vectors of what is there are still being written.
        subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
        again = client.call("import_memories", {"memories": items})
        assert (again["imported"], again["skipped"], again["errors"]) == (300 - there, there, [])
        assert client.call("codemem_stats")["storage"]["graph_edges"] == 299
    assert_sound(data)


@LINUX
def test_a_backup_that_finds_no_room_leaves_no_file(small_disk: Path):
    data = small_disk / "data"
    with McpClient(data) as client:
        for number in range(40):
            client.call("store_memory", long_memory(number))
        ballast = fill(small_disk, leave=60_000)
        assert "full disk" in refused("backup", small_disk / "copy.db", data=data)
        assert not list(small_disk.glob("copy.db*"))
        ballast.unlink()
        done("backup", small_disk / "copy.db", data=data)


@LINUX
def test_a_file_size_limit_refuses_writes_in_clear_words_until_it_is_lifted(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        first = value_of(client.result("store_memory", memory(0)))["id"]
        before = resource.prlimit(client.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(client.process.pid, resource.RLIMIT_FSIZE, (600_000, before[1]))
        acknowledged, words = store_until_refused(client)
        assert "nothing of this call was written. See that the disk has room" in words
        assert "file size limit" in words
        assert client.result("update_memory", {"id": first, "content": long_memory(-1)["content"]})["isError"]
        assert contents(data) == {memory(0)["content"], *acknowledged}
        resource.prlimit(client.process.pid, resource.RLIMIT_FSIZE, before)
        assert client.call("store_memory", memory(1))["status"] == "stored"
    assert contents(data) == {memory(0)["content"], memory(1)["content"], *acknowledged}
    assert_sound(data)
