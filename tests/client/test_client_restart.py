"""A server that is killed in the middle of many writes and started again: all are there, in order, none twice."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from surroundings import Hours, Lines, contents

from encoders import suspend
from http_server import HttpServer
from indelible.client.client import Client
from indelible.client.failures import Failure
from indelible.client.retries import Policy
from indelible.client.stdio import Stdio
from indelible.errors import InvalidInput, Unavailable
from mcp_client import environment

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals"),
]

SERVE = [sys.executable, "-m", "indelible", "serve"]
QUIET = {"timing": Hours().timing, "log": lambda _: None}
WRITES = pytest.mark.parametrize("writes", [200, pytest.param(1_000, marks=[pytest.mark.full])])


class Killer:
    """Kills while the client goes on: some call is on its way then."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def kill(self, pid: int) -> None:
        thread = threading.Thread(target=os.killpg, args=(pid, signal.SIGKILL))
        thread.start()
        self._threads.append(thread)

    def wait(self) -> None:
        for thread in self._threads:
            thread.join()


def memories(writes: int) -> list[str]:
    return [f"memory {number:04}" for number in range(writes)]


@WRITES
def test_a_server_over_stdio_that_is_killed_in_the_middle_of_many_writes(writes, tmp_path):
    killer, hours = Killer(), Hours(step=0.01)
    transport = own_server([*SERVE, "--data", str(tmp_path / "data")], tmp_path)
    with Client(transport, timing=hours.timing, log=lambda _: None) as asked:
        for number, content in enumerate(memories(writes)):
            asked.store_memory(content=content)
            if number in (writes // 3, *([writes // 2] if writes > 500 else [])):
                killer.kill(transport.pid)
        killer.wait()
        assert asked.flush() == 0
        assert asked.refused() == []
        assert contents(asked) == memories(writes)


@WRITES
def test_a_server_over_http_that_is_killed_in_the_middle_of_many_writes(writes, tmp_path):
    killer, hours, lines = Killer(), Hours(step=0.01), Lines()
    data = tmp_path / "data"
    server = HttpServer(data).started()
    try:
        policy, own = Policy(longest_pause=1.0), tmp_path / "own"
        with Client.http(server.url, data=own, timing=hours.timing, policy=policy, log=lines) as asked:
            for number, content in enumerate(memories(writes)):
                if number == writes * 3 // 5:
                    killer.wait()
                    server.kill()
                    server = HttpServer(data, http=f"127.0.0.1:{server.port}").started()
                asked.store_memory(content=content)
                if number == writes * 2 // 5:
                    killer.kill(server.process.pid)
            assert asked.flush() == 0
            assert asked.refused() == []
            assert contents(asked) == memories(writes)
            assert len(lines.named("deferred")) >= writes // 5 - 2
    finally:
        server.kill()


# --- Servers over stdio that are none ---

MISBEHAVED = {
    "leaves at once": "import sys; print('no such directory', file=sys.stderr); sys.exit(3)",
    "says no JSON": "print('hello', flush=True)\nwhile input(): print('<html>', flush=True)",
    "says half a line": 'import sys; input(); sys.stdout.write(\'{"jsonrpc": "2.0", "id": 1, "res\'); sys.exit()',
    "answers others": 'input(); print(\'{"jsonrpc": "2.0", "id": 77, "result": {}}\', flush=True); input()',
}


def own_server(command: list[str], tmp_path: Path, starting: float = 30.0) -> Stdio:
    return Stdio(command, "a store", tmp_path / "data", environment(), tmp_path, starting)


@pytest.mark.parametrize("program", MISBEHAVED.values(), ids=MISBEHAVED)
def test_a_program_that_is_no_server_is_tried_three_times_and_the_write_kept(tmp_path, program):
    transport = own_server([sys.executable, "-c", program], tmp_path, starting=0.5)
    with Client(transport, timing=Hours().timing, log=lambda _: None) as asked:
        result = asked.store_memory(content="kept")
        assert (result.deferred, asked.waiting) == (True, 1)
        assert "left (exit code" in result.why or "did not answer within 0.5 s" in result.why


def test_why_a_server_left_is_said(tmp_path):
    (tmp_path / "data").write_text("no directory")
    with (
        Client(own_server([*SERVE, "--data", str(tmp_path / "data")], tmp_path), **QUIET) as asked,
        pytest.raises(Unavailable, match=r"the server left \(exit code 1\): indelible: .*is not a directory"),
    ):
        asked.recall_memory(query="q")


def test_a_program_that_is_not_there_is_refused(tmp_path):
    with (
        Client.stdio(tmp_path / "data", command=["/no/such/program"], log=lambda _: None) as asked,
        pytest.raises(InvalidInput, match="the server cannot be started: /no/such/program: No such file"),
    ):
        asked.store_memory(content="refused")
    assert not (tmp_path / "data").exists()


def test_a_server_that_stopped_is_replaced_and_holds_up_nobody_for_ever(tmp_path):
    transport = own_server([*SERVE, "--data", str(tmp_path / "data")], tmp_path)
    with Client(transport, **QUIET) as asked:
        asked.add_todo(title="before")
        stopped = transport.pid
        suspend(stopped)
        with pytest.raises(Failure, match=r"did not answer within 0.1 s"):
            transport.call("add_todo", {"title": "stopped"}, "a-key", 0.1)
        for _ in range(2):  # more than a pipe holds
            with pytest.raises(Failure, match=r"did not answer within 0.05 s"):
                transport.call("store_memory", {"content": "x" * 1_000_000}, None, 0.05)
        with pytest.raises(Failure, match=r"did not answer within 0.2 s"):
            transport.probe(0.2)
        asked.call("add_todo", title="stopped", request_key="a-key")
        assert transport.pid not in (None, stopped)
        assert sorted(todo["title"] for todo in asked.list_todos().value["todos"]) == ["before", "stopped"]


def test_threads_share_a_server_over_stdio_and_each_gets_its_own_answer(tmp_path):
    found = {}
    with Client(own_server([*SERVE, "--data", str(tmp_path / "data")], tmp_path), **QUIET) as asked:

        def store(number: int) -> None:
            found[asked.store_memory(content=f"memory {number}").value["id"]] = f"memory {number}"

        threads = [threading.Thread(target=store, args=(number,)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {memory["id"]: memory["content"] for memory in asked.export_memories().value} == found
