"""`indelible` alone: how it is set up here, whether it records, what it keeps."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from unittest import mock

import pytest

import forked
from indelible.capture import spool
from indelible.cli.commands import upkeep
from mcp_client import environment
from told import whole_session
from user_machine import Machine

NO_STORE = pytest.mark.sqlite("a store that is not there yet, as a named database is")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with Claude Code, in a project."""
    made = Machine(tmp_path)
    for place in (made.home / ".claude", made.bin, made.work / ".git"):
        place.mkdir(parents=True)
    (made.work / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return made


def lines(machine: Machine) -> list[str]:
    with (
        mock.patch.dict(os.environ, environment(machine.environ(INDELIBLE_DATA=str(machine.data))), clear=True),
        contextlib.chdir(machine.work),
    ):
        return upkeep.status_lines()


@NO_STORE
def test_nothing_is_said_where_nothing_is_set_up(machine):
    assert lines(machine) == []
    assert not machine.data.exists()


@NO_STORE
def test_what_is_set_up_recorded_and_kept_is_said(machine):
    machine.done("setup", "claude-code", "--hooks")
    here = machine.work
    assert lines(machine) == [
        "set up for Claude Code (with hooks)",
        f"hooks record in {here}: `indelible pause` stops it",
        "nothing is stored yet",
    ]
    for event in whole_session(here).events:
        spool.put(str(machine.data), event)
    machine.done("drain")
    assert lines(machine)[2:] == [
        "4 memories, 4 of which wait for `indelible review`",
        "the next session here is told 1 rule: `indelible brief`",
    ]
    machine.done("pause", "--all")
    assert lines(machine)[1] == f"hooks record nothing in {here}: `indelible pause --status` says why"


def test_a_store_without_hooks_records_nothing(machine):
    machine.done("remember", "the koala sleeps")
    assert lines(machine) == [
        "set up for no agent: `indelible setup`",
        "no hooks, so nothing is recorded: `indelible setup` offers them",
        "1 memory",
        "the next session here is told 1 insight: `indelible brief`",
    ]


@pytest.mark.sqlite("a damaged file")
def test_a_store_that_cannot_be_read_is_said_to_be_so(machine):
    machine.data.mkdir()
    (machine.data / "indelible.db").write_bytes(b"no database" * 1000)
    assert lines(machine)[0] == "set up for no agent: `indelible setup`"
    assert "indelible.db" in lines(machine)[2]


@pytest.mark.process
def test_it_stands_above_the_help_and_the_exit_code_stays(machine):
    machine.done("remember", "the koala sleeps")
    env = environment(machine.environ(INDELIBLE_DATA=str(machine.data)))
    ran = forked.run([], env=env, cwd=machine.work, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    said, _, help_ = ran.stderr.partition("\n\n")
    assert said.splitlines() == lines(machine)
    assert help_.startswith("usage: indelible")
    assert "begin with" not in help_
