"""The spool keeps whole events in order, bounded, and loses none to a crash."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from indelible.capture import clients, spool
from indelible.errors import InvalidInput, StoreError
from indelible.extraction import events


@pytest.fixture
def data(tmp_path: Path) -> str:
    directory = tmp_path / "data"
    directory.mkdir(0o700)
    return str(directory)


def event(number: int = 0) -> dict[str, object]:
    return events.build("codex", "s", "prompt", {"text": f"prompt {number}"}, time=number)


def test_events_come_back_whole_and_in_the_order_in_which_they_were_written(data):
    written = [event(number) for number in range(20)]
    names = [spool.put(data, one) for one in written]
    assert spool.waiting(data) == names
    assert spool.waiting(data, 3) == names[:3]
    assert [spool.read(data, name) for name in names] == written
    spool.remove(data, names[:5])
    assert spool.waiting(data) == names[5:]
    spool.remove(data, names)
    assert spool.is_empty(data)


def test_a_data_directory_without_a_spool_is_an_empty_one(data):
    assert spool.is_empty(data)
    assert spool.waiting(data) == spool.set_aside_names(data) == []
    assert spool.sweep(data) == 0


BROKEN = {
    "part": lambda text: text[:-5],
    "empty": lambda text: b"",
    "bytes": lambda text: b"\xff\xfe\x00",
    "deep": lambda text: b"[" * 200_000,
    "list": lambda text: b"[]",
    "version": lambda text: text.replace(b'"v":1', b'"v":2'),
    "large": lambda text: text + b" " * spool.LARGEST,
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_file_that_is_no_event_is_refused_and_can_be_set_aside_without_its_neighbours(data, how):
    first, second = spool.put(data, event(1)), spool.put(data, event(2))
    path = Path(data, "spool", "new", first)
    path.write_bytes(BROKEN[how](path.read_bytes()))
    with pytest.raises(InvalidInput):
        spool.read(data, first)
    spool.set_aside(data, first)
    assert spool.waiting(data) == [second]
    assert spool.set_aside_names(data) == [first]


@pytest.mark.parametrize("kind", ["link", "directory", "fifo"])
def test_what_is_no_file_is_not_read(data, kind, tmp_path):
    spool.put(data, event())
    path = Path(data, "spool", "new", "1-1-1.json")
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(event()))
    {"link": lambda: path.symlink_to(outside), "directory": path.mkdir, "fifo": lambda: os.mkfifo(path)}[kind]()
    with pytest.raises(InvalidInput, match="not a regular file"):
        spool.read(data, path.name)


@pytest.mark.process
def test_a_writer_that_is_killed_before_the_rename_leaves_nothing_to_drain_and_is_swept_after_a_day(data):
    spool.put(data, event(1))
    program = (
        "import os, signal, sys; from indelible.capture import spool; from indelible.extraction import events\n"
        "spool.os.rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "spool.put(sys.argv[1], events.build('codex', 's', 'prompt', {'text': 'lost'}, time=1))"
    )
    ran = subprocess.run([sys.executable, "-c", program, data], check=False)
    assert ran.returncode == -signal.SIGKILL
    assert len(list(Path(data, "spool", "tmp").iterdir())) == 1
    assert len(spool.waiting(data)) == 1
    assert spool.sweep(data) == 0
    assert spool.sweep(data, time.time() + 90_000) == 1
    assert list(Path(data, "spool", "tmp").iterdir()) == []


@pytest.mark.parametrize(("name", "most"), [("MOST_FILES", 3), ("MOST_BYTES", 100)])
def test_a_spool_that_is_full_takes_no_more_until_it_is_drained(data, monkeypatch, name, most):
    for number in range(3):
        spool.put(data, event(number))
    spool.note_size(data)
    spool.put(data, event(3))
    monkeypatch.setattr(spool, name, most)
    spool.note_size(data)
    with pytest.raises(StoreError, match="is full; start a server, or run `indelible drain`"):
        spool.put(data, event(4))
    spool.remove(data, spool.waiting(data)[:4])
    spool.put(data, event(5))
    assert len(spool.waiting(data)) == 1


def test_a_spool_that_was_full_takes_events_again_as_soon_as_there_is_room(data, monkeypatch):
    names = [spool.put(data, event(number)) for number in range(3)]
    monkeypatch.setattr(spool, "MOST_FILES", 3)
    spool.note_size(data)
    for name in names:
        Path(data, "spool", "new", name).unlink()  # by hand, or by a drain that died before it took the mark away
    spool.put(data, event(4))
    assert not Path(data, "spool", "full").exists()
    assert len(spool.waiting(data)) == 1


def test_the_size_of_the_spool_is_counted_now_and_then(data, monkeypatch):
    counted = []
    monkeypatch.setattr(spool, "note_size", counted.append)
    for number in range(0, 256, 4):
        monkeypatch.setattr(
            spool.os, "urandom", lambda size, number=number: bytes([number % 256]) + os.getpid().to_bytes(4)
        )
        spool.put(data, event(number))
    assert len(counted) == 2


def test_an_event_that_is_too_large_is_refused(data):
    with pytest.raises(StoreError, match="are allowed"):
        spool.put(data, {**event(), "text": "x" * spool.LARGEST})
    assert spool.is_empty(data)


def test_no_event_of_a_hook_is_as_large_as_the_largest_that_is_read(data):
    long = "\U0001f600" * 100_000
    edits = [{"old_string": long, "new_string": long}] * 20
    payload = {"session_id": "s", "cwd": long, "tool_name": "MultiEdit", "tool_use_id": long}
    payload["tool_input"] = {"file_path": long, "edits": edits}
    made = clients.event_of({**payload, "error": long}, "claude-code", "tool", 1)
    assert made is not None
    name = spool.put(data, made)
    assert Path(data, "spool", "new", name).stat().st_size < spool.LARGEST


def test_a_spool_whose_folders_were_taken_away_is_made_again(data):
    spool.put(data, event(1))
    for folder in ("tmp", "new"):
        for path in Path(data, "spool", folder).iterdir():
            path.unlink()
        Path(data, "spool", folder).rmdir()
    spool.put(data, event(2))
    assert len(spool.waiting(data)) == 1


def test_a_spool_that_is_a_link_or_a_file_is_not_written_to(data, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)
    Path(data, "spool").symlink_to(elsewhere)
    with pytest.raises(StoreError, match="is not a directory"):
        spool.put(data, event())
    assert list(elsewhere.iterdir()) == []
