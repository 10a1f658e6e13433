"""The power-loss harness on a bare SQLite database: it sees a loss where SQLite documents one, and only there."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from power_loss import SECTOR, CrashImage, Sweep, check, crash_images, sweep
from recorded_writes import (
    Create,
    Delete,
    Entry,
    Mark,
    Recorder,
    Sync,
    SyncDirectory,
    Truncate,
    Withdraw,
    Write,
    recording_vfs,
)

pytestmark = pytest.mark.sqlite("the file under a loss of power")

DATABASE = "notes.db"
NOTES = 40


def connect(recorder: Recorder, synchronous: str, journal_mode: str = "wal") -> apsw.Connection:
    connection = apsw.Connection(str(recorder.root / DATABASE), vfs=recorder.name)
    connection.set_busy_timeout(10_000)
    connection.execute(f"PRAGMA synchronous={synchronous}; PRAGMA cache_size=20")
    assert connection.pragma("journal_mode", journal_mode) == journal_mode
    connection.execute("PRAGMA wal_autocheckpoint=12").fetchall()
    connection.execute("CREATE TABLE IF NOT EXISTS note(id INTEGER PRIMARY KEY, version INTEGER, text TEXT)")
    connection.execute("CREATE INDEX IF NOT EXISTS note_text ON note(text)")
    return connection


def read_notes(directory: Path) -> set[str]:
    """`3=2` for note 3 in version 2, `3 gone` for a note that is not there."""
    connection = apsw.Connection(str(directory / DATABASE))
    try:
        connection.execute("PRAGMA synchronous=OFF")
        if not connection.table_exists("main", "note"):
            return set()
        found = dict(connection.execute("SELECT id, version FROM note"))
        return {f"{note}={found[note]}" if note in found else f"{note} gone" for note in range(NOTES)}
    finally:
        connection.close()


class Notebook:
    """Random inserts, updates and deletes in transactions of one to four notes, each promised once committed."""

    def __init__(self, recorder: Recorder, seed: int, notes: range = range(NOTES)) -> None:
        self.recorder = recorder
        self.rng = random.Random(seed)
        self.notes = notes
        self.versions = dict.fromkeys(notes, 0)
        self.promised: dict[int, str] = {}

    def transaction(self, connection: apsw.Connection) -> None:
        touched = self.rng.sample(self.notes, self.rng.randint(1, 4))
        self.recorder.withdraw(*(self.promised[note] for note in touched if note in self.promised))
        connection.execute("BEGIN IMMEDIATE")
        for note in touched:
            self.promised[note] = self.write(connection, note)
        connection.execute("COMMIT")
        self.recorder.mark(*(self.promised[note] for note in touched))

    def write(self, connection: apsw.Connection, note: int) -> str:
        if self.rng.random() < 0.25:
            connection.execute("DELETE FROM note WHERE id=?", (note,))
            return f"{note} gone"
        self.versions[note] += 1
        text = self.rng.randbytes(self.rng.randint(50, 2000)).hex()
        connection.execute("INSERT OR REPLACE INTO note VALUES(?, ?, ?)", (note, self.versions[note], text))
        return f"{note}={self.versions[note]}"


def mixed_workload(root: Path, synchronous: str, journal_mode: str = "wal") -> tuple[Entry, ...]:
    """Two connections in turn, with checkpoints, a rollback, a vacuum, a truncated WAL, and a close that deletes it."""
    with recording_vfs(root) as recorder:
        notebook = Notebook(recorder, seed=1)
        for _ in range(2):
            connections = [connect(recorder, synchronous, journal_mode) for _ in range(2)]
            for turn in range(14):
                notebook.transaction(connections[turn % 2])
            connections[0].execute("BEGIN IMMEDIATE; DELETE FROM note; ROLLBACK")
            connections[0].execute("VACUUM")
            connections[1].execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            for turn in range(4):
                notebook.transaction(connections[turn % 2])
            for connection in connections:
                connection.close()
        return recorder.log


def swept(tmp_path: Path, synchronous: str, journal_mode: str = "wal", limit: int | None = None) -> Sweep:
    root = tmp_path / "live"
    root.mkdir()
    log = mixed_workload(root, synchronous, journal_mode)
    return sweep(crash_images(log, limit=limit), tmp_path / "images", read_notes)


@pytest.mark.slow
def test_a_wal_database_with_full_sync_keeps_every_acknowledged_note_at_every_sync_point(tmp_path: Path) -> None:
    result = swept(tmp_path, "FULL")
    assert result.images > 200
    assert result.failures == []


@pytest.mark.slow
def test_the_same_workload_without_sync_loses_acknowledged_notes_and_damages_the_database(tmp_path: Path) -> None:
    result = swept(tmp_path, "OFF", limit=100)
    assert any(failure.missing for failure in result.failures)
    assert any(failure.reason.startswith(("damaged", "cannot be opened")) for failure in result.failures)


def test_a_wal_database_with_normal_sync_loses_notes_but_is_never_damaged(tmp_path: Path) -> None:
    result = swept(tmp_path, "NORMAL", limit=200)
    assert result.failures
    assert {failure.reason for failure in result.failures} == {"acknowledged keys are missing"}


@pytest.mark.slow
def test_a_rollback_journal_that_comes_back_undoes_a_commit_unless_its_deletion_was_synced(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "extra").mkdir()
    full = swept(tmp_path / "full", "FULL", "delete", limit=200)
    assert {failure.reason for failure in full.failures} == {"acknowledged keys are missing"}
    assert swept(tmp_path / "extra", "EXTRA", "delete", limit=200).failures == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [DATABASE, f"{DATABASE}-wal"])
def test_a_disk_that_ignores_the_syncs_of_one_file_is_found_out(tmp_path: Path, name: str) -> None:
    log = mixed_workload(tmp_path, "FULL")
    inodes = {entry.inode for entry in log if isinstance(entry, Create) and entry.name == name}
    ignoring = [entry for entry in log if not (isinstance(entry, Sync) and entry.inode in inodes)]
    assert len(ignoring) < len(log)
    assert sweep(crash_images(ignoring, limit=100), tmp_path / "images", read_notes).failures


def test_everything_the_log_holds_is_byte_for_byte_what_the_real_files_hold(tmp_path: Path) -> None:
    with recording_vfs(tmp_path) as recorder:
        connection = connect(recorder, "FULL")
        connection.execute("PRAGMA temp_store=FILE")
        notebook = Notebook(recorder, seed=2)
        for _ in range(12):
            notebook.transaction(connection)
        connection.execute("DELETE FROM note WHERE id > 5; VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        notebook.transaction(connection)
        connection.execute("CREATE TEMP TABLE scratch AS SELECT * FROM note")
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.close()
    (last,) = [
        image for image in crash_images(recorder.log, torn=0, reordered=0) if image.position == len(recorder.log)
    ]
    assert set(last.files) == {DATABASE, f"{DATABASE}-wal"}
    assert last.files == {name: (tmp_path / name).read_bytes() for name in last.files}


def test_a_database_that_existed_before_the_recording_is_durable_once_it_is_opened(tmp_path: Path) -> None:
    live = tmp_path / "live"
    live.mkdir()
    with recording_vfs(live) as recorder:
        notebook = Notebook(recorder, seed=3)
        connection = connect(recorder, "FULL")
        notebook.transaction(connection)
        connection.close()
    existing = set(notebook.promised.values())
    with recording_vfs(live) as recorder:
        notebook.recorder = recorder
        connection = connect(recorder, "FULL")
        recorder.mark(*existing)
        for _ in range(4):
            notebook.transaction(connection)
        connection.close()
    images = list(crash_images(recorder.log))
    assert images[0].acknowledged == existing
    assert sweep(images, tmp_path / "images", read_notes).failures == []


def test_writers_in_several_threads_are_recorded_in_one_order(tmp_path: Path) -> None:
    live = tmp_path / "live"
    live.mkdir()
    with recording_vfs(live) as recorder:
        connect(recorder, "FULL").close()
        books = [Notebook(recorder, seed, range(seed, NOTES, 3)) for seed in range(3)]

        def work(book: Notebook) -> None:
            connection = connect(recorder, "FULL")
            for _ in range(6):
                book.transaction(connection)
            connection.close()

        threads = [threading.Thread(target=work, args=(book,)) for book in books]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sum(isinstance(entry, Mark) for entry in recorder.log) == 18
    result = sweep(crash_images(recorder.log), tmp_path / "images", read_notes)
    assert result.images > 100
    assert result.failures == []


# One file: two sectors of "a" are durable, then two sectors of "b" are written over the second and beyond the end.
A, B = b"a" * SECTOR, b"b" * SECTOR
HALF_WRITTEN: list[Entry] = [
    Create("f", 1),
    SyncDirectory("."),
    Write(1, 0, A + A),
    Sync(1),
    Mark(("a",)),
    Write(1, SECTOR, B + B),
]


def last_images(log: list[Entry], **numbers: int) -> list[CrashImage]:
    return [image for image in crash_images(log, **numbers) if image.position == len(log)]


def test_dropped_kept_torn_and_reordered_disks_differ() -> None:
    by_variant: dict[str, set[bytes]] = {}
    for image in last_images(HALF_WRITTEN, torn=20, reordered=200):
        by_variant.setdefault(image.variant, set()).add(image.files["f"])
    assert by_variant == {
        "kept": {A + B + B},
        "torn": {A + B, A + B + bytes(SECTOR)},
        "reordered": {A + A + B, A + A + bytes(SECTOR)},
    }
    dropped = [image for image in crash_images(HALF_WRITTEN) if image.variant == "dropped"]
    assert dropped[-1].files == {"f": A + A}


def test_the_same_seed_gives_the_same_images_and_another_seed_others() -> None:
    log = [*HALF_WRITTEN, *(Write(1, SECTOR * step, bytes([step]) * 3 * SECTOR) for step in range(20)), Sync(1)]

    def digests(seed: int) -> list[bytes]:
        return [image.digest for image in crash_images(log, seed=seed, torn=3, reordered=3)]

    assert digests(1) == digests(1)
    assert set(digests(1)) != set(digests(2))


def test_an_unsynced_sector_holds_one_of_its_states_and_never_a_mixture() -> None:
    log = [*HALF_WRITTEN, Write(1, SECTOR + 100, b"c" * 10), Write(1, SECTOR + 200, b"d" * 10)]
    c = B[:100] + b"c" * 10 + B[110:]
    d = c[:200] + b"d" * 10 + c[210:]
    seen = {image.files["f"][SECTOR : 2 * SECTOR] for image in last_images(log, reordered=60)}
    assert seen == {A, B, c, d}


@pytest.mark.parametrize(
    ("unsynced", "sync", "possible", "certain"),
    [
        (Truncate(1, 0), Sync(1), {1024, 0}, {0}),
        (Write(1, 1024, B), Sync(1), {1024, 1536}, {1536}),
        (Delete("f"), SyncDirectory("."), {1024, None}, {None}),
        (Create("f", 2), SyncDirectory("."), {1024, 0}, {0}),
        (Delete("f"), SyncDirectory("elsewhere"), {1024, None}, {1024, None}),
        (Delete("f"), Sync(1), {1024, None}, {1024, None}),
        (Write(1, 1024, B), Sync(2), {1024, 1536}, {1024, 1536}),
    ],
)
def test_an_unsynced_change_of_size_or_name_may_or_may_not_happen_and_a_synced_one_did(
    unsynced: Entry, sync: Entry, possible: set[int | None], certain: set[int | None]
) -> None:
    def sizes(log: list[Entry]) -> set[int | None]:
        # A new promise before each step keeps the images at the end from repeating earlier ones.
        return {len(image.files["f"]) if "f" in image.files else None for image in last_images(log, reordered=20)}

    before = [*HALF_WRITTEN[:-1], Mark(("b",)), unsynced]
    assert sizes([*before, Mark(("c",))]) == possible
    assert sizes([*before, sync, Mark(("d",))]) == certain


def test_a_key_is_promised_from_its_mark_until_it_is_withdrawn() -> None:
    log: list[Entry] = [Sync(1), Mark(("a", "b")), Withdraw(("a",)), Sync(1), Mark(("c",))]
    assert [set(image.acknowledged) for image in crash_images(log)] == [set(), {"a", "b"}, {"b"}, {"b", "c"}]


def test_a_limit_takes_images_from_the_whole_log(tmp_path: Path) -> None:
    log = mixed_workload(tmp_path, "FULL")
    positions = [image.position for image in crash_images(log, limit=40)]
    assert 30 < len(positions) <= 40
    assert positions == sorted(positions)
    assert {position * 8 // (len(log) + 1) for position in positions} == set(range(8))
    assert len(list(crash_images(log, every=10))) < len(list(crash_images(log))) / 5


@pytest.mark.parametrize("numbers", [{"every": 0}, {"limit": 0}])
def test_a_sample_of_nothing_is_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="allowed is 1 or more"):
        next(crash_images(HALF_WRITTEN, **numbers))


def unreadable(directory: Path) -> set[str]:
    raise apsw.NotADBError(f"no database in {len(list(directory.iterdir()))} files")


@pytest.mark.parametrize(
    ("reader", "reason"), [(unreadable, "cannot be opened"), (lambda _: set(), "acknowledged keys are missing")]
)
def test_a_failure_names_the_image_the_reason_and_the_lost_keys(
    tmp_path: Path, reader: Callable[[Path], set[str]], reason: str
) -> None:
    image = last_images(HALF_WRITTEN)[0]
    failure = check(image, tmp_path, reader)
    assert failure is not None
    assert failure.image == image.description
    assert failure.reason.startswith(reason)
    assert failure.missing == {"a"}


def test_damage_is_reported_even_if_every_acknowledged_key_is_there(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE note(id, text); CREATE INDEX note_text ON note(text); INSERT INTO note VALUES(1, 2)"
    )
    connection.execute("PRAGMA writable_schema=ON")
    connection.execute("UPDATE sqlite_schema SET sql='CREATE INDEX note_text ON note(id)' WHERE name='note_text'")
    connection.close()
    files = {DATABASE: path.read_bytes()}
    image = CrashImage("an index of other values", "kept", 0, frozenset("a"), frozenset({DATABASE}), files)
    failure = check(image, tmp_path / "image", lambda _: {"a"})
    assert failure is not None
    assert failure.reason.startswith(f"damaged: {DATABASE}: row 1 missing from index")


def test_an_error_that_no_refusal_announces_is_raised(tmp_path: Path) -> None:
    with pytest.raises(apsw.NotADBError):
        check(last_images(HALF_WRITTEN)[0], tmp_path, unreadable, refusals=(OSError,))
