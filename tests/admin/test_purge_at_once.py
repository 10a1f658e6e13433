"""A purge beside others that copy, seal and capture at the same moment, and what is left where it was interrupted."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections import namedtuple
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import assert_sound, contents, done, export, indelible, opened, result
from indelible.admin import backups, purge, purge_journal
from indelible.admin.maintenance import Housekeeper
from indelible.api import open_memory
from indelible.capture import captured_memories, spool
from indelible.capture import ingest as capturing
from indelible.client.entries import Entry
from indelible.client.places import target_of
from indelible.client.spool import Spool
from indelible.core.context.context import Context
from indelible.core.indexes import partitions, sealing
from indelible.errors import StoreError
from indelible.filesystem import spool_of
from indelible.store.postgres import maintenance
from indelible.store.sqlite import pages
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import purge as rows
from store_file import holding
from store_file import opened as past_our_code

WORD = "quokkafinch"  # what is purged
SHOP = "/shop"


def told(data: Path) -> list[str]:
    return holding(data, WORD)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    things = [{"id": "m1", "content": f"The {WORD} digs", "namespace": SHOP}, {"id": "m2", "content": "A wombat"}]
    done("import", "-", data=data, stdin="\n".join(map(json.dumps, things)).encode())
    return data


def purged(ctx: Context) -> purge.Done:
    return purge.run(ctx, purge.plan(ctx, purge.of_namespace(ctx, SHOP)).selection, lambda _: None)


def interrupt(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Purge, and be interrupted when the rows are gone."""

    def fails(place: Path | str) -> None:
        raise StoreError(f"the store {place} is on a full disk; nothing of this call was written")

    with monkeypatch.context() as patched:
        patched.setattr(pages, "vacuum", fails)
        patched.setattr(maintenance, "vacuum", fails)
        with pytest.raises(StoreError, match=r"full disk.*`indelible purge` does the rest"):
            purged(ctx)


# --- Copies ---


@pytest.mark.process
@pytest.mark.sqlite("copies of the file")
def test_a_copy_that_was_begun_before_a_purge_and_written_after_it_is_purged_too(data: Path):
    with opened(data) as ctx:
        late = backups.backups_folder(ctx) / "before-restore-late.db"
        backups.backup(ctx, late)
        soon = time.time() + 3_600
        os.utime(late, (soon, soon))
        purged(ctx)
    assert told(data) == []
    assert late.exists()


@pytest.mark.process
@pytest.mark.sqlite("copies of the file")
def test_what_is_stored_after_the_rows_went_is_not_meant_in_the_store_and_in_its_copies(data: Path, monkeypatch):
    with opened(data) as ctx:
        interrupt(ctx, monkeypatch)
        done("remember", "The shop has a new owner", "--namespace", SHOP, data=data)
        copy = backups.backup(ctx, backups.backups_folder(ctx) / "before-restore-1.db")
        os.utime(copy, (1, 1))  # as some tool sets it that copies files
        finished = purge.go_on(ctx)
    assert finished == purge.Done([], False, [])
    assert told(data) == []
    assert contents(data) == {"A wombat", "The shop has a new owner"}
    shutil.copy(copy, data.parent / "copy.db")
    done("restore", str(data.parent / "copy.db"), data=data)
    assert contents(data) == {"A wombat", "The shop has a new owner"}


@pytest.mark.process
def test_a_mark_is_later_than_all_before_it_when_a_clock_is_set_back(data: Path):
    with opened(data) as ctx:
        marks = [ctx.store.write(lambda tx, time=time: rows.mark(tx, time)) for time in (500, 500, 3, 600)]
    assert marks == [500, 501, 502, 600]


# --- Others at the same moment ---


@pytest.mark.process
def test_a_block_that_was_read_before_a_purge_is_not_written_after_it(data: Path):
    with opened(data) as ctx:

        def between(entries: Any) -> bytes:
            purged(ctx)
            return words.pack(entries)

        words = partitions.words()
        sealing.seal(ctx.store, replace(words, pack=between), 0)
        with closing(past_our_code(data / FILE)) as file:
            assert file.execute("SELECT count(*) FROM posting_block").fetchall() == [(0,)]
        sealing.seal(ctx.store, words, 0)
        with closing(past_our_code(data / FILE)) as file:
            assert file.execute("SELECT count(*) FROM posting_block").fetchall() == [(1,)]
    assert told(data) == []


@pytest.mark.process
def test_what_was_captured_before_a_purge_is_not_stored_after_it(data: Path, monkeypatch):
    event = {"v": 1, "id": "prompt:1", "client": "claude-code", "session": "s1", "time": 1_900_000_000_000_000}
    event |= {"cwd": str(data.parent), "what": "prompt", "project": SHOP}
    real = captured_memories._captures

    with opened(data) as ctx:

        def between(*given: Any) -> Any:
            found = real(*given)
            assert found
            purged(ctx)
            return found

        monkeypatch.setattr(captured_memories, "_captures", between)
        spool.put(str(data), {**event, "text": f"Let's use {WORD} instead of Redis for the cart cache."})
        capturing.drain(ctx)
    assert told(data) == []


# --- Interrupted ---


@pytest.mark.process
@pytest.mark.sqlite("the file is written anew after a purge")
def test_a_server_finishes_what_a_purge_left_that_was_killed(data: Path, monkeypatch):
    with opened(data) as ctx:
        backups.daily(ctx)
        interrupt(ctx, monkeypatch)
        journal = purge_journal.path_of(ctx.settings)
    assert journal.exists()
    with opened(data) as ctx:
        keeper = Housekeeper(ctx)
        for _ in range(2):
            keeper._round()
    assert told(data) == []
    assert not journal.exists()
    assert_sound(data)
    assert "A wombat" in export(data)


@pytest.mark.process
@pytest.mark.sqlite("the file is written anew after a purge")
def test_a_purge_that_somebody_is_at_is_left_to_it(data: Path, monkeypatch):
    with opened(data) as ctx:
        interrupt(ctx, monkeypatch)
        with purge._lock(data):
            assert purge.go_on(ctx) is None
        assert purge.go_on(ctx) is not None
        assert purge.go_on(ctx) is None


@pytest.mark.process
@pytest.mark.sqlite("readers of the file")
def test_the_store_is_written_anew_once_however_often_a_reader_blocks_the_end(data: Path, monkeypatch):
    written = []
    real = pages.vacuum
    monkeypatch.setattr(pages, "vacuum", lambda path: (written.append(path.name), real(path)))
    monkeypatch.setattr(pages, "WAIT", 0.05)
    with opened(data) as ctx, closing(past_our_code(data / FILE)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM record").fetchall()
        assert purged(ctx).is_blocked
        for _ in range(3):
            again = purge.go_on(ctx)
            assert again is not None
            assert again.is_blocked
        assert written == [FILE]
        reader.execute("COMMIT")
        again = purge.go_on(ctx)
        assert again is not None
        assert not again.is_blocked
    assert told(data) == []


# --- Room ---

Usage = namedtuple("Usage", "total used free")


@pytest.mark.process
@pytest.mark.sqlite("the disk of the file")
def test_a_disk_that_is_too_small_is_said_before_anything_is_deleted(data: Path, monkeypatch):
    before = export(data)
    with opened(data) as ctx:
        backups.daily(ctx)
        size = max(path.stat().st_size for path in (data / "backups").iterdir())
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1 << 40, 1 << 40, purge.SPARE + 3 * size - 1))
        with pytest.raises(StoreError, match=r"needs 1[67] MiB of space and has 1[567] MiB. Nothing was deleted"):
            purged(ctx)
        assert export(data) == before
        assert not (data / purge_journal.NAME).exists()
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1 << 40, 1 << 40, purge.SPARE + 3 * size))
        purged(ctx)
    assert told(data) == []


# --- What stays ---


@pytest.mark.process
def test_tokens_that_name_a_project_and_files_of_other_programs_stay_and_are_said(data: Path, tmp_path: Path):
    done("token", "create", "ci", "--scope", "read", "--namespace", SHOP, data=data)
    done("token", "create", "all", "--scope", "read", data=data)
    mine = tmp_path / "memory.jsonl"
    mine.write_text("")
    ran = indelible("purge", "--namespace", SHOP, "--yes", data=data, env={"MEMORY_FILE_PATH": str(mine)})
    assert ran.returncode == 0
    said = ran.stderr.decode()
    assert "tokens that are limited to what was purged still name it: tok_" in said
    assert f"MEMORY_FILE_PATH names {mine}: that file belongs to another program" in said
    listed = result("token", "list", data=data)["tokens"]
    assert SHOP in json.dumps(listed)
    assert told(data) == []


@pytest.mark.process
def test_sealed_blocks_go_with_the_names_of_namespaces_in_them(tmp_path: Path):
    data = tmp_path / "data"
    things = [{"id": "m1", "content": "It digs", "namespace": f"/{WORD}"}, {"id": "m2", "content": "A wombat"}]
    done("import", "-", data=data, stdin="\n".join(map(json.dumps, things)).encode())
    with opened(data) as ctx:
        sealing.seal(ctx.store, partitions.words(), 0)
        backups.daily(ctx)
        purge.run(ctx, purge.plan(ctx, purge.of_namespace(ctx, f"/{WORD}")).selection, lambda _: None)
    assert told(data) == []


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_what_stands_in_the_place_of_a_write_that_waits_holds_up_no_purge(data: Path):
    waiting = Spool(spool_of(data, target_of(data, "")), time.time_ns)
    for number in range(4):
        waiting.put(Entry("store_memory", {"content": f"{WORD} {number}", "namespace": SHOP}, f"k{number}", 1))
    link, pipe, directory, _ = sorted((waiting.directory / "new").iterdir())
    for path in (link, pipe, directory):
        path.unlink()
    link.symlink_to("/nowhere/at/all")
    os.mkfifo(pipe)
    directory.mkdir()
    (waiting.directory / "refused" / "1.unreadable").write_text(f"half of {WORD} in {SHOP}")
    with opened(data) as ctx:
        purged(ctx)
    assert waiting.count() == 3
    pipe.unlink()  # who looks for the word would wait for it
    assert told(data) == []


# --- By id, of every kind ---

EVERY_KIND: list[tuple[str, dict[str, Any]]] = [
    ("store_memory", {"content": WORD, "tags": [f"team:{WORD}"]}),
    ("store_memory", {"content": f"# {WORD}\n\n" + f"The {WORD} digs. " * 90, "file_name": f"{WORD}.md"}),
    ("matrix_store", {"problem": f"{WORD} hangs", "solution": f"restart {WORD}", "scope": "global", "tags": [WORD]}),
    (
        "matrix_failure",
        {
            **{"errorType": "runtime", "errorMessage": f"{WORD} broke", "rootCause": f"{WORD} is old"},
            **{"fixApplied": f"new {WORD}", "stackTrace": f"at {WORD}", "filesInvolved": [f"{WORD}.py"]},
        },
    ),
    ("log_chat", {"conversation_id": f"talk {WORD}", "role": "user", "content": f"What is {WORD}?"}),
    ("add_todo", {"title": f"Feed {WORD}", "description": WORD}),
    ("log_code_attempt", {"input_prompt": WORD, "generated_code": f"{WORD}()", "result": "fail"}),
    ("memorize", {"id": f"note {WORD}", "vector": {"3": 1.0}, "text": WORD, "metadata": {WORD: WORD}}),
    ("create_entities", {"entities": [{"name": f"{WORD} Works", "entityType": WORD, "observations": [WORD]}]}),
]
HANG_ON = ("chunk", "err#", "fix#")  # what goes with another: kinds, and beginnings of keys


def test_things_of_every_kind_that_are_purged_by_their_ids_are_in_no_byte(tmp_path: Path):
    data = tmp_path / "data"
    with open_memory(data, project="shop") as memory:
        memory.call("store_memory", content="A wombat")
        before = export(data)
        for number, (tool, arguments) in enumerate(EVERY_KIND):
            memory.call(tool, request_key=f"{number}", **arguments)
        memory.call("recall_memory", query=WORD)
        memory.call("retrieve_memory", query=WORD, conversation_id=f"talk {WORD}")
        ctx = memory.context
        with ctx.store.read() as tx:
            stored = tx.connection.execute("SELECT kind, key, text FROM record").fetchall()
        ids = [f"{kind}:{key}" for kind, key, text in stored if text != "A wombat" and not key.startswith(HANG_ON)]
        backups.daily(ctx)
        wanted = [each for each in ids if not each.startswith(HANG_ON)]
        purge.run(ctx, purge.plan(ctx, purge.of_records(ctx, wanted)).selection, lambda _: None)
    assert told(data) == []
    assert export(data) == before
