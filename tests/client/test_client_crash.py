"""A client that is killed, at any moment: what it said is kept is done once, and in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import opened
from indelible.client.client import Client
from mcp_client import environment

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals"),
]

AWAY = "http://127.0.0.1:1"  # where nobody listens
DEFER = """
import itertools, sys
from indelible.client import Client, Policy
own = Client.http(sys.argv[1], spool=sys.argv[2], policy=Policy(attempts=1, pause=3600, longest_pause=3600))
for number in itertools.count():
    own.call("add_todo", title=f"todo {number:04}")
    print(number, flush=True)
"""
REPLAY = """
import sys
from indelible.client.client import Client
with Client.in_process(sys.argv[1], spool=sys.argv[2], log=print, log_share=1.1, project="p") as own:
    own.flush()
"""
BOTH = """
import sys
from indelible.client import Client, Policy
name = sys.argv[4]
away = Client.http(sys.argv[1], spool=sys.argv[3], policy=Policy(attempts=1, pause=3600, longest_pause=3600))
for number in range(40):
    away.call("add_todo", title=f"{name} {number:04}")
with Client.in_process(sys.argv[2], spool=sys.argv[3], project="p") as own:
    for number in range(40, 60):
        own.call("add_todo", title=f"{name} {number:04}")
    print(own.flush())
"""


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    )


def kill_after(process: subprocess.Popen[str], lines: int, saying: str = "") -> list[str]:
    """Kill a process when it has said so many lines; all that it said."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said += [line] if saying in line else []
        if len(said) == lines:
            break
    process.kill()
    said += [line for line in process.stdout if saying in line]
    process.wait()
    process.stdout.close()
    return said


def todos(data: Path) -> list[str]:
    """The titles of all todos, in the order in which they were stored."""
    with opened(data) as ctx, ctx.store.read() as tx:
        return [row[0] for row in tx.connection.execute("SELECT text FROM record WHERE kind = 'todo' ORDER BY id")]


def test_before_whatever_step_a_client_dies_nothing_that_it_acknowledged_is_lost_or_done_twice(tmp_path):
    ran = subprocess.run(
        [sys.executable, Path(__file__).with_name("crash_steps.py"), tmp_path],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    steps = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(steps) > 30, ran.stderr
    for step, acknowledged, done, left, refused in steps:
        expected = [f"write {number}" for number in range(3)]
        assert done == expected[: len(done)], step  # in order, none twice
        assert len(done) in (acknowledged, acknowledged + 1), step
        assert (left, refused) == (0, 0), step
    assert steps[-1][1] == 3


def test_what_a_killed_client_acknowledged_is_done_once_by_the_next_ones_that_are_killed_too(tmp_path):
    data, spool = tmp_path / "data", tmp_path / "spool"
    acknowledged = len(kill_after(start(DEFER, AWAY, spool), 60))
    for _ in range(3):
        assert kill_after(start(REPLAY, data, spool), 12, '"replayed"')
    with Client.in_process(data, spool=spool, project="p") as own:
        assert own.waiting > 0
        assert own.flush() == 0
        assert own.refused() == []
    stored = todos(data)
    assert stored == [f"todo {number:04}" for number in range(len(stored))]
    assert len(stored) in (acknowledged, acknowledged + 1)


def test_two_processes_share_a_spool_and_each_write_is_done_once_in_the_order_of_its_process(tmp_path):
    data, spool = tmp_path / "data", tmp_path / "spool"
    both = [start(BOTH, AWAY, data, spool, name) for name in ("ann", "bob")]
    assert [process.communicate()[0] for process in both] == ["0\n", "0\n"]
    stored = todos(data)
    for name in ("ann", "bob"):
        own = [title for title in stored if title.startswith(name)]
        assert own == [f"{name} {number:04}" for number in range(60)]
    assert len(stored) == 120
