"""A client that is closed in the middle of a call: what it was about to write is done, or kept for the next one."""

from __future__ import annotations

import sys
import threading

import pytest
from surroundings import Hours, Reach, client, contents

from indelible.client.client import Client
from indelible.client.failures import Failure
from indelible.client.stdio import Stdio
from indelible.errors import InvalidInput
from mcp_client import environment


def test_a_write_that_a_close_interrupts_is_kept_and_done_by_the_next_client(reach, hours):
    held, go = threading.Event(), threading.Event()
    results = []

    def between() -> None:
        held.set()
        assert go.wait(20)
        raise Failure("the answer broke off", sent=True)

    asked = client(reach, hours)
    asked.call("store_memory", content="before")
    reach.between = between
    thread = threading.Thread(target=lambda: results.append(asked.call("store_memory", content="in the middle")))
    thread.start()
    assert held.wait(20)
    closing = threading.Thread(target=asked.close)
    closing.start()
    closing.join(20)
    go.set()
    thread.join(20)
    assert results[0].deferred
    with client(Reach(reach.home), hours) as other:
        assert other.flush() == 0
        assert contents(other) == ["before", "in the middle"]


def test_a_store_in_this_process_is_closed_after_the_calls_that_use_it(reach):
    asked = client(reach)
    stored: list[str] = []

    def write() -> None:
        for number in range(1_000):
            try:
                result = asked.call("store_memory", content=f"memory {number}")
            except InvalidInput:  # closed
                return
            stored.extend([] if result.deferred else [f"memory {number}"])

    thread = threading.Thread(target=write)
    thread.start()
    while len(stored) < 3:
        pass
    asked.close()
    thread.join(20)
    assert not thread.is_alive()
    with client(Reach(reach.home)) as other:
        other.flush()
        assert contents(other)[: len(stored)] == stored


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals")
def test_a_server_over_stdio_that_is_closed_in_the_middle_loses_nothing(tmp_path):
    command = [sys.executable, "-m", "indelible", "serve", "--data", str(tmp_path / "data")]

    def made() -> Client:
        transport = Stdio(command, "a store", tmp_path / "data", environment(), tmp_path)
        return Client(transport, timing=Hours().timing, log=lambda _: None)

    asked, done = made(), []
    asked.store_memory(content="memory 0")

    def write() -> None:
        for number in range(1, 400):
            try:
                asked.store_memory(content=f"memory {number}")
            except InvalidInput:  # closed
                return
            done.append(number)

    thread = threading.Thread(target=write)
    thread.start()
    while len(done) < 5:
        pass
    asked.close()
    thread.join(30)
    with made() as other:
        assert other.flush() == 0
        assert contents(other) == [f"memory {number}" for number in range(len(done) + 1)]
