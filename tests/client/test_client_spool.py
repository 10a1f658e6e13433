"""The client's spool itself: what has no room, what is open to others, what is left over."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from surroundings import Hours, Reach, client

from indelible.client.entries import Entry
from indelible.client.spool import OLD, Spool
from indelible.errors import InvalidInput, NotFound, StoreError, Unavailable

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and limits of POSIX")
ENTRY = Entry("store_memory", {"content": "Kläranlage 浄水場 🚰"}, "a-key", 5, 7)


@pytest.fixture
def spool(tmp_path: Path, hours: Hours) -> Spool:
    return Spool(tmp_path / "deep" / "spool", hours.now)


@contextmanager
def no_room(size: int = 0) -> Iterator[None]:
    """No file may grow beyond a size: what a full disk says of a write."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def files(spool: Spool) -> list[str]:
    return sorted(path.relative_to(spool.directory).parts[0] for path in spool.directory.rglob("*.json"))


def test_what_is_put_is_read_again_and_stands_behind_all_others(spool):
    ids = [spool.put(ENTRY).id for _ in range(20)]
    assert spool.waiting() == ids == sorted(ids)
    assert spool.count() == 20
    kept = spool.read(ids[0])
    assert (kept.tool, kept.arguments, kept.key, kept.time, kept.tried) == (
        *(ENTRY.tool, ENTRY.arguments, ENTRY.key),
        *(ENTRY.time, ENTRY.tried),
    )
    assert spool.remove(ids[0])
    assert not spool.remove(ids[0])
    with pytest.raises(NotFound):
        spool.read(ids[0])


def test_a_spool_that_is_not_there_is_empty(spool):
    assert spool.is_empty()
    assert (spool.count(), spool.waiting(), spool.refused(), spool.refusal("x")) == (0, [], [], None)
    assert not spool.directory.exists()


def test_what_a_replay_has_begun_comes_first_and_keeps_its_id(spool):
    ids = [spool.put(ENTRY).id for _ in range(4)]
    spool.begin(ids[:2])
    assert spool.waiting() == ids
    assert files(spool) == ["cur", "cur", "new", "new"]
    assert spool.has(ids[0])
    assert spool.read(ids[0]).tried == ENTRY.tried


@POSIX
def test_a_spool_is_for_its_owner_alone_whatever_the_umask(spool):
    before = os.umask(0)
    try:
        spool.put(ENTRY)
    finally:
        os.umask(before)
    for path in (spool.directory, *spool.directory.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path


@POSIX
def test_a_spool_that_others_can_read_is_refused(spool):
    spool.put(ENTRY)
    spool.directory.chmod(0o755)
    with pytest.raises(StoreError, match="open to other users"):
        Spool(spool.directory, Hours().now).put(ENTRY)


def test_a_spool_that_is_no_directory_is_said_and_nothing_else_breaks(tmp_path, hours):
    (tmp_path / "spool").write_text("a file")
    reach = Reach(tmp_path / "data")
    with client(reach, hours, spool=tmp_path / "spool") as asked:
        assert asked.store_memory(content="done").value["status"] == "stored"
        reach.away = "connection refused"
        with pytest.raises(Unavailable, match=r"nor kept for later: .*spool is not a directory"):
            asked.store_memory(content="not kept")


@pytest.mark.parametrize(("most_files", "most_bytes"), [(3, 1 << 20), (100, 650)])
def test_a_full_spool_takes_nothing_more_until_there_is_room(tmp_path, hours, most_files, most_bytes):
    reach = Reach(tmp_path / "data")
    with client(reach, hours, most_files=most_files, most_bytes=most_bytes) as asked:
        reach.away = "connection refused"
        for number in range(3):
            asked.store_memory(content=f"memory {number}" + "x" * 30)
        with pytest.raises(Unavailable, match=r"connection refused.*is full.*nothing of it was done"):
            asked.store_memory(content="one too many" + "x" * 30)
        assert asked.waiting == 3
        reach.away = ""
        hours.sleep(60)
        assert asked.flush() == 0
        reach.away = "connection refused"
        assert asked.store_memory(content="there is room again").deferred


def test_a_write_that_may_have_been_done_and_has_no_room_says_how_to_repeat_it(tmp_path, hours):
    reach = Reach(tmp_path / "data")
    with client(reach, hours, most_files=0) as asked:
        reach.deaf = 3
        with pytest.raises(Unavailable, match="perhaps it was done: repeat it with request_key='mine'"):
            asked.call("add_todo", title="once", request_key="mine")
        hours.sleep(60)
        asked.call("add_todo", title="once", request_key="mine")
        assert asked.list_todos().value["total_count"] == 1


@POSIX
def test_a_full_disk_leaves_nothing_half_written(spool):
    first = spool.put(ENTRY).id
    with no_room(), pytest.raises(StoreError, match="cannot be written: File too large"):
        spool.put(ENTRY)
    assert spool.waiting() == [first]
    assert files(spool) == ["new"]
    assert spool.put(ENTRY).id > first


@POSIX
def test_a_refused_write_is_moved_aside_on_a_full_disk_too(spool):
    id = spool.put(ENTRY).id
    with no_room():
        spool.refuse(id, NotFound("unknown"))
    assert spool.is_empty()
    (refused,) = spool.refused()
    assert (refused.id, refused.arguments, refused.code) == (id, ENTRY.arguments, "")


def test_a_refused_write_keeps_its_reason(spool):
    id = spool.put(ENTRY).id
    spool.begin([id])
    spool.refuse(id, InvalidInput("content must not be so"))
    assert files(spool) == ["refused"]
    (refused,) = spool.refused()
    assert (refused.code, refused.message) == ("invalid_input", "content must not be so")
    spool.refuse(id, InvalidInput("again"))  # of one that waits no more
    spool.forget(id)
    assert files(spool) == []


def test_what_was_left_unfinished_goes_after_a_day(spool, hours):
    spool.put(ENTRY)
    unfinished = spool.directory / "tmp" / f"{hours.now():020d}-1-aa.json"
    unfinished.write_bytes(b"{")
    spool.sweep()
    assert unfinished.exists()
    hours.sleep(OLD / 10**9 + 1)
    spool.sweep()
    assert files(spool) == ["new"]


def test_only_one_holds_the_lock_and_the_others_do_not_wait(spool):
    spool.put(ENTRY)
    one, other = spool.lock(), spool.lock()
    assert one.try_acquire()
    assert not other.try_acquire()
    one.release()
    assert other.try_acquire()
    other.release()
