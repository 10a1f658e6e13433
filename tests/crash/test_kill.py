"""kill -9 in the middle of a stream of writes: what was acknowledged is there, and the store is sound."""

from __future__ import annotations

import json
import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from command_line import assert_sound, done, export, memory, opened
from indelible.engine import transfer
from mcp_client import Call, McpClient, value_of

ROUNDS = 2  # a test; each of them kills servers that work on what the earlier ones left
STORES, CHANGES = 60, 8  # requests that a server has before it when it is killed; updates, and as many deletions


class Stream:
    """The calls that one server gets at once, no two on one memory, and what came of them."""

    def __init__(self, client: McpClient, who: str, own: list[str]):
        self.client = client
        self.calls = [Call("store_memory", memory(number, who)) for number in range(STORES)]
        for at, key in enumerate(own[:CHANGES]):
            self.calls.insert(at * 7, Call("update_memory", {"id": key, "content": f"{who} changed {key}"}))
        for at, key in enumerate(own[CHANGES : 2 * CHANGES]):
            self.calls.insert(at * 7, Call("delete_memory", {"id": key}))
        self._asked = dict(zip(client.send_calls(self.calls), self.calls, strict=True))
        self._answers: list[tuple[Call, Any]] = []

    def read(self, count: int) -> None:
        """Wait for some answers, whichever come first."""
        for _ in range(count):
            message = self.client.receive()
            assert message is not None
            self._note(message)

    def finish(self) -> list[tuple[Call, Any]]:
        """Every call that was answered, with its value: all of them, unless the server was killed."""
        if self.client.process.poll() is None:
            self.client.close_input()
        for message in self.client.remaining().values():
            self._note(message)
        return self._answers

    def _note(self, message: dict[str, Any]) -> None:
        self._answers.append((self._asked[message["id"]], value_of(message["result"])))


def crash(data: Path, seed: int, before: dict[str, str]) -> tuple[list[tuple[Call, Any]], list[Call]]:
    """One server writes, or two at once, and one or both are killed after some answers: (answered calls, all calls)."""
    rng = random.Random(seed)
    own = rng.sample(sorted(before), min(len(before), 4 * CHANGES))
    with ExitStack() as stack:
        clients = [McpClient(data) for _ in range(seed % 2 + 1)]  # they start side by side
        for client in clients:
            stack.enter_context(client)
        streams = [
            Stream(client, f"{seed}.{writer}", own[writer :: len(clients)]) for writer, client in enumerate(clients)
        ]
        for stream in rng.sample(streams, rng.randint(1, len(streams))):
            stream.read(rng.randrange(STORES))
            stream.client.kill9()
        answered = [pair for stream in streams for pair in stream.finish()]
    return answered, [call for stream in streams for call in stream.calls]


def check(before: dict[str, str], after: dict[str, str], answered: list[tuple[Call, Any]], calls: list[Call]) -> None:
    """What was acknowledged is so; what was not is done whole or not at all; what nobody touched is as it was."""
    wanted = dict(before)
    open_ends: dict[str, set[str | None]] = {}
    for call in calls:
        if call.tool != "store_memory":
            open_ends[call.arguments["id"]] = {before[call.arguments["id"]], call.arguments.get("content")}
    for call, value in answered:
        open_ends.pop(value["id"], None)
        if call.tool == "delete_memory":
            del wanted[value["id"]]
        else:
            wanted[value["id"]] = call.arguments["content"]
    for key, allowed in open_ends.items():
        assert after.get(key) in allowed
        wanted.pop(key)
    assert {key: after.get(key) for key in wanted} == wanted
    offered = {call.arguments["content"] for call in calls if call.tool == "store_memory"}
    assert {after[key] for key in after.keys() - wanted.keys() - open_ends.keys()} <= offered
    assert not {value["id"] for call, value in answered if call.tool == "delete_memory"} & after.keys()


def state(data: Path) -> dict[str, str]:
    return {record["id"]: record["content"] for record in map(json.loads, export(data).splitlines())}


@pytest.mark.parametrize(
    "start", [pytest.param(n, marks=[pytest.mark.full] * (n >= 20)) for n in range(0, 200, ROUNDS)]
)
def test_what_was_acknowledged_survives_a_kill_in_mid_stream(tmp_path: Path, start: int):
    data = tmp_path / "data"
    with opened(data) as ctx:
        transfer.import_items(ctx, [memory(number, "before") for number in range(50)])
    before = state(data)
    for seed in range(start, start + ROUNDS):
        answered, calls = crash(data, seed, before)
        after = state(data)
        check(before, after, answered, calls)
        assert_sound(data)
        before = after
    assert "the store is sound" in done("doctor", data=data)
