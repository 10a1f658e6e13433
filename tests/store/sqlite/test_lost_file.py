"""A store file without content is a lost store where backups or its log say so, and else one that is being made."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from indelible.errors import StoreError
from indelible.filesystem import FileLock
from indelible.store.sqlite.connection import FILE, read_once
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.sqlite.read_only_file import open_read_only

pytestmark = pytest.mark.sqlite("an empty file")


def read_by_a_hook(data: Path) -> None:
    with read_once(data / FILE, 1):
        pass


DOORS: list[Callable[[Path], object]] = [
    open_sqlite,
    lambda data: open_sqlite(data, make=False),
    open_read_only,
    read_by_a_hook,
]
each_door = pytest.mark.parametrize("door", DOORS, ids=["made", "existing", "read-only disk", "hook"])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with an empty store file."""
    directory = tmp_path / "data"
    directory.mkdir(mode=0o700)
    (directory / FILE).touch(mode=0o600)
    return directory


def back_up(data: Path, name: str) -> None:
    """Let there be a backup of that name."""
    (data / "backups").mkdir(mode=0o700, exist_ok=True)
    (data / "backups" / name).write_bytes(b"SQLite format 3\0")


def log(data: Path, frames: int) -> Path:
    """Let there be a write-ahead log with so many frames."""
    path = data / f"{FILE}-wal"
    path.write_bytes(b"\x37" * (32 + frames * (24 + 4096)))
    return path


@each_door
def test_an_empty_file_with_backups_is_refused_and_the_way_on_is_said(data: Path, door: Callable[[Path], object]):
    back_up(data, "daily-2026-01-02.db")
    with pytest.raises(StoreError) as refused:
        door(data)
    words = str(refused.value)
    assert f"{data / FILE} is empty, and there is a backup of it in {data / 'backups'}" in words
    assert f"run `indelible restore {data / 'backups' / 'daily-2026-01-02.db'}`" in words
    assert "to begin anew, move the empty file away" in words
    assert (data / FILE).read_bytes() == b""


@each_door
@pytest.mark.parametrize("names", [[], ["daily-2026-01-02.db"]], ids=["no backup", "a backup"])
def test_a_log_beside_an_empty_file_is_not_deleted(data: Path, door: Callable[[Path], object], names: list[str]):
    for name in names:
        back_up(data, name)
    kept = log(data, frames=2)
    before = kept.read_bytes()
    with pytest.raises(StoreError, match=r"opening it would delete that log.* move both away together"):
        door(data)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("left", [None, 0], ids=["no log", "a log without frames"])
def test_a_store_that_was_being_made_is_made(data: Path, left: int | None):
    if left is not None:
        log(data, left)
    (data / "backups").mkdir()
    (data / "backups" / "daily-2026-01-02.db").touch()  # has nothing to restore
    back_up(data, "restoring-0123.db")  # nor has what a killed restore left, of which there is the original
    with closing(open_sqlite(data)) as store:
        assert store.check() == []


def test_what_another_process_is_making_is_not_taken_for_lost(data: Path, monkeypatch: pytest.MonkeyPatch):
    back_up(data, "daily-2026-01-02.db")
    with closing(open_sqlite(data.parent / "other")):
        pass
    acquire = FileLock.acquire

    def wait_for_the_other(lock: FileLock) -> None:
        (data.parent / "other" / FILE).replace(data / FILE)
        acquire(lock)

    monkeypatch.setattr(FileLock, "acquire", wait_for_the_other)
    with closing(open_sqlite(data)) as store:
        assert store.check() == []
