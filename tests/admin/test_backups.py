"""Backups hold all that was acknowledged before they began; a restore loses nothing, whoever writes meanwhile."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import pytest

from command_line import assert_sound, contents, done, export, memory, opened, refused, settings
from indelible.admin import backups
from indelible.core.context.context import Context, open_context
from indelible.core.indexes import partitions, sealing
from indelible.store.sqlite.connection import FILE
from indelible.toolsets.memory import memories
from mcp_client import McpClient

pytestmark = pytest.mark.sqlite("copies of the file")


class Load:
    """A server that stores one memory after the other, until told to stop."""

    def __init__(self, data: Path, who: str):
        self.acknowledged: list[str] = []
        self._client = McpClient(data)
        self._who = who
        self._stop = threading.Event()
        self._steps = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        with self._client as client:
            number = 0
            while not self._stop.is_set():
                number += 1
                assert client.call("store_memory", memory(number, self._who))["status"] == "stored"
                self.acknowledged.append(memory(number, self._who)["content"])
                self._steps.release()

    def wait_for(self, count: int) -> None:
        """Return when so many more memories were acknowledged."""
        for _ in range(count):
            assert self._steps.acquire(timeout=50), "the server stores no more"

    @contextmanager
    def running(self) -> Iterator[Load]:
        self._thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            self._thread.join()


def as_store(file: Path, directory: Path) -> Path:
    """A data directory with a copy of a backup as its store."""
    directory.mkdir(mode=0o700)
    shutil.copyfile(file, directory / FILE)
    return directory


def file_in(output: str) -> Path:
    """The path that a command's last word names."""
    return Path(output.strip().rsplit(": ", 1)[1])


@pytest.mark.process
def test_a_backup_under_load_holds_all_that_was_acknowledged_before_it_began(tmp_path: Path):
    data, restored = tmp_path / "data", tmp_path / "restored"
    copies = [tmp_path / f"copy{number}.db" for number in range(3)]
    before: list[set[str]] = []
    with Load(data, "load").running() as load:
        for copy in copies:
            load.wait_for(40)
            before.append(set(load.acknowledged))
            assert file_in(done("backup", copy, data=data)) == copy
    for copy, wanted in zip(copies, before, strict=True):
        assert "the store is sound" in done("doctor", data=as_store(copy, tmp_path / copy.stem))
        done("restore", copy, data=restored)
        assert wanted <= contents(restored) <= set(load.acknowledged)
        assert_sound(restored)
    assert contents(data) == set(load.acknowledged)


@pytest.mark.process
def test_running_servers_see_a_restored_store_with_their_next_call(tmp_path: Path):
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    with McpClient(data) as first, McpClient(data) as second:
        for number in range(20):
            first.call("store_memory", memory(number))
        done("backup", copy, data=data)
        gone = first.call("store_memory", memory(20))["id"]
        first.call("associate_memories", {"source_id": gone, "target_id": id_of(first, 3), "relationship": "EXPLAINS"})
        first.call("delete_memory", {"id": id_of(second, 7)})
        for client in (first, second):  # their caches are warm
            assert client.call("recall_memory", {"query": "queue7"}) == []
            assert client.call("recall_memory", {"query": "queue20"})[0]["id"] == gone
        state = records(data)
        kept = file_in(done("restore", copy, data=data))
        for client in (second, first):
            assert client.call("recall_memory", {"query": "queue20"}) == []
            assert client.call("recall_memory", {"query": "queue7"})[0]["content"] == memory(7)["content"]
            assert client.call("codemem_stats")["storage"] == {
                "memories": 20,
                "embeddings": 0,
                "graph_nodes": 20,
                "graph_edges": 0,
            }
        assert second.call("store_memory", memory(21))["status"] == "stored"
        assert first.call("recall_memory", {"query": "queue21"})[0]["content"] == memory(21)["content"]
        assert_sound(data)
        assert kept.parent == data / "backups"
        assert records(as_store(kept, tmp_path / "kept")) == state
        done("restore", kept, data=data)
        assert first.call("recall_memory", {"query": "queue20"})[0]["id"] == gone
        assert records(data) == state
    assert_sound(data)


def records(data: Path) -> list[dict[str, Any]]:
    """What `indelible export` writes, without access counts: running servers write those behind, whenever they like."""
    behind = ("access_count", "last_accessed_at")
    return [
        {name: value for name, value in json.loads(line).items() if name not in behind}
        for line in export(data).splitlines()
    ]


def id_of(client: McpClient, number: int) -> str:
    hit = client.call("recall_memory", {"query": f"queue{number}", "k": 1})[0]
    assert hit["content"] == memory(number)["content"]
    return str(hit["id"])


@pytest.mark.process
def test_a_restore_keeps_what_others_store_meanwhile(tmp_path: Path):
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    done("remember", "in the backup", data=data)
    done("backup", copy, data=data)
    kept = []
    with Load(data, "one").running() as one, Load(data, "two").running() as two:
        for _ in range(4):
            one.wait_for(10)
            two.wait_for(10)
            kept.append(file_in(done("restore", copy, data=data)))
    there = contents(data)
    for number, file in enumerate(kept):
        there |= contents(as_store(file, tmp_path / f"kept{number}"))
    assert set(one.acknowledged) | set(two.acknowledged) <= there
    assert_sound(data)


@pytest.mark.process
def test_a_restored_store_has_nothing_of_the_one_before_in_its_caches(tmp_path: Path):
    # Row ids and log positions repeat after a restore: a cache that compares only them would show the wrong record.
    data, other, copy = tmp_path / "data", tmp_path / "other", tmp_path / "copy.db"
    with opened(other) as ctx:
        for number in range(5):
            memories.store(ctx, memories.NewMemory(f"Other {number} about lemons"))
        sealing.seal(ctx.store, partitions.words(), 0)
    done("backup", copy, data=other)
    with McpClient(data) as client:
        for number in range(5):
            client.call("store_memory", {"content": f"Own {number} about oranges"})
        assert len(client.call("recall_memory", {"query": "oranges"})) == 5
        done("restore", copy, data=data)
        assert client.call("recall_memory", {"query": "oranges"}) == []
        assert len(client.call("recall_memory", {"query": "lemons"})) == 5


# --- Every day ---


def test_a_backup_is_made_once_a_day_and_seven_are_kept(tmp_path: Path):
    data = tmp_path / "data"
    now = [datetime(2026, 1, 1, 8, tzinfo=UTC)]
    with opened(data, clock=lambda: now[0]) as ctx:
        for day in range(10):
            memories.store(ctx, memories.NewMemory(f"Of day {day}"))
            made = backups.daily(ctx)
            assert made is not None
            assert made.name == f"daily-2026-01-{day + 1:02}.db"
            for hours in (1, 15.9):
                now[0] = datetime(2026, 1, 1 + day, 8, tzinfo=UTC) + timedelta(hours=hours)
                assert backups.daily(ctx) is None
            now[0] = datetime(2026, 1, 2 + day, 8, tzinfo=UTC)
    kept = sorted(path.name for path in (data / "backups").iterdir())
    assert kept == [f"daily-2026-01-{day:02}.db" for day in range(4, 11)]
    for number, name in enumerate(kept):
        copy = as_store(data / "backups" / name, tmp_path / f"day{number}")
        assert contents(copy) == {f"Of day {day}" for day in range(4 + number)}
        assert (data / "backups" / name).stat().st_mode & 0o777 == 0o600
    assert (data / "backups").stat().st_mode & 0o777 == 0o700


def test_the_days_of_a_new_store_replace_no_backup_of_an_earlier_one_whose_file_is_gone(tmp_path: Path):
    data = tmp_path / "data"
    for day in range(1, 12):
        with opened(data, clock=lambda day=day: datetime(2026, 1, day, tzinfo=UTC)) as ctx:
            if day == 8:
                memories.store(ctx, memories.NewMemory("anew"))
            assert backups.daily(ctx) is not None
        if day in (7, 8):
            (data / FILE).unlink()
    earlier = [f"earlier-store-2026-01-{day:02}.db" for day in range(1, 9)]
    assert sorted(path.name for path in (data / "backups").iterdir()) == [
        *(f"daily-2026-01-{day:02}.db" for day in (9, 10, 11)),
        *earlier,
    ]
    assert contents(as_store(data / "backups" / earlier[-1], tmp_path / "copy")) == {"anew"}
    shutil.copyfile(data / "backups" / "daily-2026-01-09.db", data / "backups" / "daily-2026-01-08.db")
    (data / FILE).unlink()
    with opened(data):
        pass
    assert (data / "backups" / "earlier-store-2026-01-08-2.db").is_file()
    assert contents(as_store(data / "backups" / earlier[-1], tmp_path / "copy again")) == {"anew"}


@pytest.mark.process
@pytest.mark.parametrize("left", [b"", b"no database " * 400, None], ids=["empty", "garbage", "half a copy"])
def test_what_a_crashed_backup_left_does_not_hinder_the_next_one(tmp_path: Path, left: bytes | None):
    data = tmp_path / "data"
    done("remember", "kept", data=data)
    with opened(data, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as ctx:
        unfinished = backups.backups_folder(ctx) / "daily-2026-01-01.db.unfinished"
        unfinished.write_bytes((data / FILE).read_bytes()[: 4096 * 5] if left is None else left)
        made = backups.daily(ctx)
    assert made is not None
    assert contents(as_store(made, tmp_path / "copy")) == {"kept"}
    assert list((data / "backups").iterdir()) == [made]


@pytest.mark.process
@pytest.mark.parametrize("by", ["a restore", "a daily backup"])
def test_what_a_killed_restore_made_ready_is_no_backup_and_goes_with_the_next_copy(tmp_path: Path, by: str):
    data = tmp_path / "data"
    done("remember", "kept", data=data)
    with opened(data, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as ctx:
        made = backups.daily(ctx)
        assert made is not None
        for name in ("restoring-0a1b2c3d.db", "restoring-0a1b2c3d.db-wal"):
            shutil.copyfile(made, made.with_name(name))
        assert backups.automatic(ctx) == [made]
        if by == "a restore":
            backups.restore(ctx, made)
    if by == "a daily backup":
        with opened(data, clock=lambda: datetime(2026, 1, 2, tzinfo=UTC)) as ctx:
            backups.daily(ctx)
    assert not list((data / "backups").glob("restoring-*"))
    assert made.is_file()


# --- What is refused changes nothing ---


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Context]:
    ctx = open_context(settings(tmp_path / "data"))
    memories.store(ctx, memories.NewMemory("here"))
    yield ctx
    ctx.close()


def spoilt(source: Path, target: Path) -> Path:
    """A copy of a store with the first page of its records overwritten."""
    connection = apsw.Connection(str(source))
    ((page,),) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'record'").fetchall()
    connection.close()
    content = bytearray(source.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    target.write_bytes(content)
    return target


def cut(source: Path, target: Path) -> Path:
    """As a copy that was not finished."""
    target.write_bytes(source.read_bytes()[:100_000])
    return target


def newer(source: Path, target: Path) -> Path:
    shutil.copyfile(source, target)
    connection = apsw.Connection(str(target))
    connection.pragma("user_version", 99)
    connection.close()
    return target


def foreign(target: Path) -> Path:
    connection = apsw.Connection(str(target))
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    return target


@pytest.mark.process
def test_what_is_no_sound_backup_is_refused_and_the_store_is_as_it_was(tmp_path: Path, store: Context):
    data = tmp_path / "data"
    good = backups.backup(store, tmp_path / "good.db")
    (tmp_path / "text.db").write_text("no database, but long enough to be taken for one " * 100)
    files = {
        tmp_path / "missing.db": "is not a file; give one that `indelible backup` wrote",
        tmp_path / "text.db": "is not a backup of an Indelible store; nothing was changed",
        foreign(tmp_path / "foreign.db"): "is not a backup of an Indelible store; nothing was changed",
        spoilt(good, tmp_path / "spoilt.db"): "is not a sound store",
        cut(good, tmp_path / "cut.db"): "cut.db is damaged, and nothing was changed; give another backup",
        newer(good, tmp_path / "newer.db"): "was written by a newer version of Indelible; update this one first",
    }
    before = export(data)
    for file, words in files.items():
        digest = sha256(file.read_bytes()).hexdigest() if file.exists() else ""
        assert words in refused("restore", file, data=data)
        assert export(data) == before
        assert not list((data / "backups").glob("restoring*"))
        assert (sha256(file.read_bytes()).hexdigest() if file.exists() else "") == digest
    assert_sound(data)


@pytest.mark.process
def test_a_backup_overwrites_nothing(tmp_path: Path, store: Context):
    there = tmp_path / "there.db"
    there.write_text("mine")
    assert "exists, and a backup overwrites nothing" in refused("backup", there, data=tmp_path / "data")
    assert there.read_text() == "mine"
    assert "is not a directory; create it first" in refused("backup", tmp_path / "no" / "x.db", data=tmp_path / "data")
