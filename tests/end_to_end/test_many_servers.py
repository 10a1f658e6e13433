"""Several servers on one store, many requests at once: every acknowledged memory is there, and no call fails."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

import encoders
import store_file
from command_line import assert_sound, contents, memory
from embedding_rows import assert_each_once, settled, until, waiting
from encoders import SHARED
from indelible.store.sqlite.connection import FILE
from mcp_client import Call, McpClient, environment, value_of

pytestmark = pytest.mark.process


def store_all(client: McpClient, who: str, count: int) -> set[str]:
    """Send stores in one go; the contents that were acknowledged as stored."""
    calls = [Call("store_memory", memory(number, who)) for number in range(count)]
    answers = [value_of(result) for result in client.pipeline(calls)]
    assert {answer["status"] for answer in answers} == {"stored"}
    return {call.arguments["content"] for call in calls}


def sees_all(client: McpClient, writers: list[str], count: int) -> None:
    """This server counts every memory and finds samples of every writer by their words."""
    assert client.call("codemem_stats")["storage"]["memories"] == count * len(writers)
    assert client.call("codemem_health")["vector"].startswith(f"ok: {count * len(writers)} records")
    for who in writers:
        for number in (0, count // 2, count - 1):
            wanted = memory(number, who)["content"]
            hits = client.call("recall_memory", {"query": f"queue{number} {who}", "k": 5})
            assert wanted in {hit["content"] for hit in hits}


def storm(data: Path, count: int) -> None:
    """Four servers store `count` memories each at once."""
    writers = ["north", "east", "south", "west"]
    with ExitStack() as stack:
        clients = [stack.enter_context(McpClient(data)) for _ in writers]
        with ThreadPoolExecutor(len(writers)) as pool:
            acknowledged = set().union(*pool.map(store_all, clients, writers, [count] * len(writers)))
        assert len(acknowledged) == count * len(writers)
        for client in clients:
            sees_all(client, writers, count)
    assert contents(data) == acknowledged
    assert_sound(data)


def test_four_servers_store_at_once_and_each_sees_all_that_was_acknowledged(tmp_path: Path):
    storm(tmp_path / "data", 500)


def test_four_servers_that_embed_meanwhile_store_all_and_embed_each_once(tmp_path: Path):
    data, writers, count = tmp_path / "data", ["north", "east", "south", "west"], 40
    with encoders.running(), ExitStack() as stack:
        clients = [stack.enter_context(McpClient(data, env=SHARED)) for _ in writers]
        settled(*clients)
        with ThreadPoolExecutor(len(writers)) as pool:
            acknowledged = set().union(*pool.map(store_all, clients, writers, [count] * len(writers)))
        assert contents(data) == acknowledged
        until(lambda: waiting(data) == 0)
        for client in clients:
            sees_all(client, writers, count)
    assert_each_once(data, count * len(writers))
    assert_sound(data)


def test_every_request_that_came_in_is_answered_when_the_client_closes_at_once(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        calls = [Call("store_memory", memory(number)) for number in range(200)]
        numbers = client.send_calls(calls)
        client.close_input()
        answers = client.remaining()
        assert client.process.wait(50) == 0
    assert [value_of(answers[number]["result"])["status"] for number in numbers] == ["stored"] * 200
    assert contents(data) == {call.arguments["content"] for call in calls}
    assert_sound(data)


OPEN = """
import sys
from indelible.api import open_memory
print("ready", flush=True)
sys.stdin.readline()
with open_memory(sys.argv[1]) as memory:
    print(memory.store_memory(content="Opened by " + sys.argv[2])["status"])
"""


@pytest.mark.parametrize("attempt", [0, *(pytest.param(more, marks=pytest.mark.full) for more in (1, 2))])
def test_eight_processes_open_a_new_store_at_once(tmp_path: Path, attempt: int):
    data = tmp_path / "data"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, str(data), f"process {number}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            cwd=tmp_path,
            text=True,
        )
        for number in range(8)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:  # all have imported what they need: from here on they race
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=50) for process in processes]
    assert said == [("stored\n", "")] * 8
    assert contents(data) == {f"Opened by process {number}" for number in range(8)}
    with closing(store_file.opened(data / FILE)) as connection:
        assert connection.execute("SELECT count(*) FROM setting WHERE name = 'epoch'").fetchall() == [(1,)]
    assert_sound(data)


def test_eight_servers_start_on_a_new_store_at_once(tmp_path: Path):
    data = tmp_path / "data"
    clients = [McpClient(data) for _ in range(8)]
    try:
        for client in clients:
            client.initialize()
        for number, client in enumerate(clients):
            assert client.call("store_memory", memory(number))["status"] == "stored"
        assert {client.call("codemem_stats")["storage"]["memories"] for client in clients} == {8}
    finally:
        assert [client.close() for client in clients] == [0] * 8
    assert_sound(data)
