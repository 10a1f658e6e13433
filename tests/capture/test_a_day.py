"""A day of agent work through the hooks: what was decided and mended is known the next morning, and stored once.

Three conversations about one project, two of Claude Code (one of them in German) and one of Codex; see `day/`.
"""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from indelible.api import Memory
from indelible.cli import hook, main
from indelible.core.context.context import Context, open_context
from indelible.search.model_tokens import o200k
from indelible.settings import Settings
from indelible.store.tables import activity

DAY = Path(__file__).parent / "day"
HOOKS = ("morning.hooks.jsonl", "midday.hooks.jsonl", "afternoon.codex.jsonl")
OF_SESSIONS = 6  # of the events of these hooks are starts, compactions and ends of sessions
TRANSCRIPTS = ("morning.transcript.jsonl", "midday.transcript.jsonl")


@contextmanager
def standard_input(text: str, file: Path) -> Iterator[None]:
    """Let the file descriptor 0, which a hook reads, be a file with a text."""
    file.write_text(text, encoding="utf-8")
    before = os.dup(0)
    with file.open("rb") as opened:
        os.dup2(opened.fileno(), 0)
    try:
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)


class Machine:
    """A user's machine in this process: the project's directory, the store, and the commands."""

    def __init__(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.project = place / "ledger"
        self.project.mkdir()
        self.data = place / "data"
        self._capsys = capsys
        self.open().close()  # hooks make no store

    def payloads(self, name: str) -> Iterator[str]:
        """The payloads of a fixture, as if the project stood here."""
        for line in (DAY / name).read_text(encoding="utf-8").splitlines():
            yield line.replace("/home/dev/ledger", self.project.as_posix())

    def replay(self) -> None:
        """Call a hook for each event of the day, then take in what they left."""
        for name in HOOKS:
            for payload in self.payloads(name):
                with standard_input(payload, self.data.parent / "payload"):
                    assert hook.main(["--data", str(self.data)]) == 0
                assert self._capsys.readouterr().err == ""
        self.run("drain")

    def run(self, *arguments: str) -> str:
        """What a command writes; it must succeed."""
        code = main.main([*arguments, "--data", str(self.data), "--project", str(self.project)])
        told = self._capsys.readouterr()
        assert code == 0, told.err
        return told.out + told.err

    def captured(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.run("captured", "--json", "--limit", "100"))["result"]["memories"]
        return found

    def open(self) -> Context:
        return open_context(Settings(data=self.data, start=self.project, home=self.project.parent))

    def rows(self) -> int:
        with closing(self.open()) as ctx, ctx.store.read() as tx:
            return activity.count(tx)

    def recall(self, query: str) -> list[dict[str, Any]]:
        with closing(Memory(self.open())) as memory:
            found: list[dict[str, Any]] = memory.recall_memory(query=query)
        return found


@pytest.fixture
def machine(tmp_path, capsys, monkeypatch) -> Machine:
    # the end of a session starts no drain of its own
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: SimpleNamespace())
    return Machine(tmp_path, capsys)


def test_the_next_morning_knows_what_was_decided_and_what_mended_the_failures(machine):
    machine.replay()
    error = "sqlite3.OperationalError: no such column: invoice.net_cents"
    assert "alembic.command.upgrade" in machine.recall(error)[0]["content"]  # nobody needs to promote it first

    waiting = machine.captured()
    wanted = [
        each["id"] for each in waiting if each["kind"] in ("decision", "failure") and each["metadata"].get("fix") != ""
    ]
    before = machine.run("brief")
    assert "integer cents" in before  # which the user typed
    assert "net_cents" not in before  # nobody has confirmed what a command printed
    machine.run("promote", *wanted)

    brief = machine.run("brief")
    for words in (
        "integer cents",
        "Alembic",
        "Redis statt in Postgres",
        "Zeitstempel",
        "outbox pattern",
        "account numbers",
    ):
        assert words in brief, words
    assert "no such column: invoice.net_cents" in brief
    assert "alembic.command.upgrade" in brief
    assert o200k.count(brief) <= 1_200
    assert "alembic.command.upgrade" in machine.recall(error)[0]["content"]


@pytest.mark.slow
def test_a_second_replay_and_an_import_of_the_transcripts_store_nothing_twice(machine, tmp_path, monkeypatch):
    machine.replay()
    captured, rows = machine.captured(), machine.rows()
    assert sorted(each["kind"] for each in captured) == sorted([*["decision"] * 6, *["failure"] * 6, *["session"] * 3])
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 3600 * 10**9)
    machine.replay()
    again = machine.captured()  # sessions end an hour later now, all else is as it was
    assert [(each["id"], each["kind"]) for each in again] == [(each["id"], each["kind"]) for each in captured]
    assert [each for each in again if each["kind"] != "session"] == [
        each for each in captured if each["kind"] != "session"
    ]
    assert machine.rows() == rows + OF_SESSIONS
    captured, rows = again, machine.rows()

    told = machine.run("import", "--from", "claude-code", str(projects(machine, tmp_path)))
    assert "read 2 transcripts: 0 new events, 0 memories captured" in told
    assert (machine.captured(), machine.rows()) == (captured, rows)


def test_transcripts_alone_are_taken_in_once_and_bad_lines_are_said(machine, tmp_path, capsys):
    folder = projects(machine, tmp_path)
    told = machine.run("import", "--from", "claude-code", str(folder))
    assert re.search(r"read 2 transcripts: 33 new events, \d+ memories captured", told)
    kinds = [each["kind"] for each in machine.captured()]
    assert kinds.count("decision") == 4
    assert kinds.count("failure") == 4
    with (folder / "broken.jsonl").open("wb") as file:
        file.write(b'{"type": "user", "mess\n')
    code = main.main(["import", "--from", "claude-code", str(folder), "--data", str(machine.data)])
    said = capsys.readouterr().err
    assert code == 3
    assert "read 3 transcripts: 0 new events" in said
    assert "1 line could not be read" in said
    assert [each["kind"] for each in machine.captured()] == kinds


def projects(machine: Machine, place: Path) -> Path:
    """A folder of transcripts, as Claude Code keeps them."""
    folder = place / "projects" / "-home-dev-ledger"
    folder.mkdir(parents=True)
    for name in TRANSCRIPTS:
        text = "\n".join(machine.payloads(name)) + "\n"
        (folder / name).write_text(text, encoding="utf-8")
    return folder.parent


def test_standard_input_is_no_transcript(machine, capsys):
    code = main.main(["import", "--from", "claude-code", "-", "--data", str(machine.data)])
    assert code == 1
    assert "give a file or a folder" in capsys.readouterr().err
