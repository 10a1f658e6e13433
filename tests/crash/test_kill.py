"""kill -9 in the middle of a stream of writes: what was acknowledged is there, and the store is sound."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import encoders
import store_file
from command_line import assert_sound, done, export, memory, opened
from embedding_rows import (
    assert_each_once,
    embedded,
    health,
    keep_waiting,
    later,
    ready,
    rows,
    settled,
    times_embedded,
    until,
    waiting,
)
from encoders import SHARED
from indelible.admin import embedding_worker
from indelible.core.records import embedding_queue
from indelible.core.records.embedding_queue import LEASE
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import pending
from indelible.toolsets.memory import importing
from mcp_client import Call, McpClient, value_of

pytestmark = pytest.mark.process

ROUNDS = 2  # a test; each of them kills servers that work on what the earlier ones left
STORES, CHANGES = 60, 8  # requests that a server has before it when it is killed; updates, and as many deletions
EACH = 6  # calls of each tool of the other toolsets among them
DOCUMENT = [  # which messages are about, so that they are linked again once they are embedded
    {"id": "900001", "kind": "document", "content": "The queue waits.", "label": "a.md", "memory_type": "document"},
    {"id": "900002", "kind": "chunk", "content": "The queue waits.", "session": "document:900001", "position": 1},
]
OWNER_OF_THE_NEWEST = "SELECT owner FROM pending WHERE record = (SELECT max(id) FROM record)"
MORE_OFTEN_THAN_WRITTEN = """SELECT record FROM change GROUP BY record HAVING
count(CASE WHEN operation = 'embed' THEN 1 END) > count(CASE WHEN operation = 'put' THEN 1 END)"""
LIKED = "sol_00000001"  # the solution that every server rewards


def others(who: str) -> list[Call]:
    """Calls of the other toolsets, each of which makes a thing of its own, and rewards of one solution."""
    made = []
    for number in range(EACH):
        name = f"{who} number {number}"
        made += [
            Call("create_entities", {"entities": [{"name": name, "entityType": "t", "observations": ["seen"]}]}),
            Call("memorize", {"id": f"vector of {name}", "vector": {str(number): 0.5}, "text": f"text of {name}"}),
            Call("matrix_store", {"problem": f"problem of {name}", "solution": "solved", "scope": "global"}),
            Call("matrix_failure", _failure(f"{chr(97 + number) * 3} of {_letters(who)}")),
            Call("matrix_reward", {"solutionId": LIKED, "outcome": "success", "notes": name}),
            Call("log_chat", {"content": f"Does the queue wait, asks {name}?", "conversation_id": who}),
        ]
    return made


def _letters(who: str) -> str:
    """A name without digits, which tell no failures apart."""
    return "".join(chr(97 + int(digit)) if digit.isdigit() else digit for digit in who)


def _failure(message: str) -> dict[str, Any]:
    return {"errorType": "test", "errorMessage": message, "rootCause": "c", "fixApplied": f"fix of {message}"}


def made_by(call: Call, value: Any) -> tuple[str, str]:
    """The id and the content of what an answered call made or changed."""
    given = call.arguments
    if call.tool == "create_entities":
        return given["entities"][0]["name"], content_of(call)
    if call.tool == "memorize":
        return given["id"], content_of(call)
    return value["message_id" if call.tool == "log_chat" else "id"], content_of(call)


def content_of(call: Call) -> str:
    given = call.arguments
    if call.tool == "create_entities":
        return f"{given['entities'][0]['name']}\nseen"
    if call.tool == "matrix_store":
        return f"{given['problem']}\n\n{given['solution']}"
    if call.tool == "matrix_failure":
        return f"test: {given['errorMessage']}\nCause: c\nFix: {given['fixApplied']}"
    text: str = given["text"] if call.tool == "memorize" else given["content"]
    return text


class Stream:
    """The calls that one server gets at once, no two on one memory, and what came of them."""

    def __init__(self, client: McpClient, who: str, own: list[str]):
        self.client = client
        self.calls = [Call("store_memory", memory(number, who)) for number in range(STORES)]
        for at, key in enumerate(own[:CHANGES]):
            self.calls.insert(at * 7, Call("update_memory", {"id": key, "content": f"{who} changed {key}"}))
        for at, key in enumerate(own[CHANGES : 2 * CHANGES]):
            self.calls.insert(at * 7, Call("delete_memory", {"id": key}))
        for at, call in enumerate(others(who)):
            self.calls.insert(at * 3, call)
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


def crash(
    data: Path, seed: int, before: dict[str, str], env: Mapping[str, str]
) -> tuple[list[tuple[Call, Any]], list[Call]]:
    """One server writes, or two at once, and one or both are killed after some answers: (answered calls, all calls)."""
    rng = random.Random(seed)
    memories = sorted(key for key in before if key.count("-") == 4 and len(key) == 36)
    own = rng.sample(memories, min(len(memories), 4 * CHANGES))
    with ExitStack() as stack:
        clients = [McpClient(data, env=env) for _ in range(seed % 2 + 1)]  # they start side by side
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
    calls = [call for call in calls if call.tool != "matrix_reward"]
    answered = [(call, value) for call, value in answered if call.tool != "matrix_reward"]
    open_ends: dict[str, set[str | None]] = {}
    for call in calls:
        if call.tool in ("update_memory", "delete_memory"):
            open_ends[call.arguments["id"]] = {before[call.arguments["id"]], call.arguments.get("content")}
    for call, value in answered:
        if call.tool == "delete_memory":
            open_ends.pop(value["id"], None)
            del wanted[value["id"]]
        else:
            key, content = made_by(call, value)
            open_ends.pop(key, None)
            wanted[key] = content
    for key, allowed in open_ends.items():
        assert after.get(key) in allowed
        wanted.pop(key)
    assert {key: after.get(key) for key in wanted} == wanted
    offered = {content_of(call) for call in calls if call.tool not in ("update_memory", "delete_memory")}
    new = after.keys() - wanted.keys() - open_ends.keys()
    assert {after[key] for key in new if not key.startswith(("err#", "fix#"))} <= offered
    assert not {value["id"] for call, value in answered if call.tool == "delete_memory"} & after.keys()
    failures = sum(key.startswith("fail_") for key in after)
    for twin in ("err#", "fix#"):  # a failure and its entities are written at once
        assert sum(key.startswith(twin) for key in after) == failures


def rewards(calls: Iterable[Call]) -> set[str]:
    return {call.arguments["notes"] for call in calls if call.tool == "matrix_reward"}


def liked(data: Path) -> tuple[int, set[str]]:
    """How many successes the rewarded solution has, and their notes."""
    (solution,) = (record for record in map(json.loads, export(data).splitlines()) if record["id"] == LIKED)
    return solution["metadata"]["successes"], {note["notes"] for note in solution["metadata"].get("notes", [])}


def state(data: Path) -> dict[str, str]:
    return {record["id"]: record["content"] for record in map(json.loads, export(data).splitlines())}


def killed(data: Path, seeds: Iterable[int], env: Mapping[str, str]) -> None:
    """Servers write and are killed, again and again on what the earlier ones left; it is checked each time."""
    with opened(data) as ctx:
        solution = {"kind": "solution", "id": LIKED, "content": "problem\n\nsolution", "memory_type": "global"}
        items = [memory(number, "before") for number in range(50)]
        importing.import_items(ctx, [*items, {**solution, "metadata": {"successes": 0}}, *DOCUMENT])
    before, noted = state(data), set[str]()
    for seed in seeds:
        answered, calls = crash(data, seed, before, env)
        after = state(data)
        check(before, after, answered, calls)
        count, notes = liked(data)
        assert noted | rewards(call for call, _ in answered) <= notes <= noted | rewards(calls)
        assert count == len(notes)
        noted = notes
        assert_sound(data)  # so each text is embedded or waits for it
        assert unlinked(data) == []
        before = after


def unlinked(data: Path) -> list[int]:
    """Messages that are to be linked again and on no list."""
    with opened(data) as ctx, ctx.store.read() as tx:
        return pending.unlinked(tx)


@pytest.mark.parametrize(
    "start", [pytest.param(n, marks=[pytest.mark.full] * (n >= 20)) for n in range(0, 200, ROUNDS)]
)
@pytest.mark.sweep(3)
def test_what_was_acknowledged_survives_a_kill_in_mid_stream(tmp_path: Path, start: int):
    data = tmp_path / "data"
    killed(data, range(start, start + ROUNDS), {})
    assert "the store is sound" in done("doctor", data=data)


@pytest.fixture(scope="module")
def encoder() -> Iterator[None]:
    with encoders.running():
        yield


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize("start", [pytest.param(n, marks=[pytest.mark.full] * (n >= 4)) for n in range(0, 40, ROUNDS)])
@pytest.mark.sweep(1)
def test_what_was_being_embedded_at_a_kill_is_embedded_later_and_nothing_twice(tmp_path: Path, start: int):
    data = tmp_path / "data"
    killed(data, range(start, start + ROUNDS), SHARED)
    with ready(data, later(seconds=LEASE + 5)) as ctx:
        embedding_worker.renew(ctx, lambda *_: None)
    assert waiting(data) == 0
    assert_sound(data)
    # a text is embedded once: a record as often as it was written at most
    assert rows(data, MORE_OFTEN_THAN_WRITTEN) == []
    assert rows(data, "SELECT id FROM record WHERE kind = 'message' AND metadata LIKE '%by words%'") == []


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize("rounds", [10, pytest.param(200, marks=[pytest.mark.full, pytest.mark.timeout(3_600)])])
def test_a_server_killed_between_commit_and_embedding_loses_none_and_embeds_none_twice(tmp_path: Path, rounds: int):
    data, chance = tmp_path / "data", random.Random(rounds)
    stored, met = 0, set[bool]()
    for _ in range(rounds):
        with McpClient(data, env=SHARED) as client:
            until(lambda client=client: not health(client).startswith(("loading", "not")))
            for _ in range(chance.randrange(1, 12)):
                client.call("store_memory", {"content": f"Note {stored}: what is told to service {stored % 17}"})
                stored += 1
            for _ in range(chance.randrange(4)):  # the moments between commit, claim and embedding
                client.call("list_namespaces")
            client.kill9()
        assert waiting(data) + embedded(data) == stored
        assert set(times_embedded(data)) <= {1}
        met.update(bool(owner) for (owner,) in rows(data, OWNER_OF_THE_NEWEST))
    assert rounds < 200 or met == {False, True}  # a kill has found the newest text free, and claimed
    with ready(data, later(seconds=LEASE + 5)) as ctx:
        while embedding_queue.work_off(ctx):
            pass
    assert_each_once(data, stored)
    assert_sound(data)


# Each in two versions, the pairs about things as far apart as can be.
VERSIONS = [
    ("The gateway waits 30 seconds for an answer", "The gateway waits 90 seconds for an answer"),
    ("Invoices are printed on yellow paper", "Invoices are printed on white paper"),
    ("The greenhouse is heated to 18 degrees", "The greenhouse is heated to 21 degrees"),
    ("Password tokens expire after 2 hours", "Password tokens expire after 6 hours"),
    ("The choir sings every Monday", "The choir sings every Thursday"),
]
TO_COMPARE = "SELECT record FROM pending WHERE late = 3"
RELATED = """SELECT newer.text, older.text FROM edge
JOIN record AS newer ON newer.tenant = edge.tenant AND newer.id = source
JOIN record AS older ON older.tenant = edge.tenant AND older.id = target WHERE canonical = 'MAY_SUPERSEDE'"""
TIMES_RELATED = """SELECT count(*) FROM change WHERE operation = 'link'"""


@pytest.mark.usefixtures("encoder")
def test_what_was_embedded_and_not_compared_at_a_kill_is_compared_once(tmp_path: Path):
    for attempt in itertools.count():  # a server that compares faster than we look is killed too late: another store
        data = tmp_path / f"data{attempt}"
        with McpClient(data, env=SHARED) as client:
            settled(client)
            client.send_calls([Call("store_memory", {"content": text}) for pair in VERSIONS for text in pair])
            until(lambda data=data: rows(data, TO_COMPARE) or rows(data, RELATED))
            client.kill9()
        if rows(data, TO_COMPARE):
            break
    with ready(data, later(seconds=LEASE + 5)) as ctx:
        embedding_worker.renew(ctx, lambda *_: None)
    stored = {text for (text,) in rows(data, "SELECT text FROM record")}
    assert rows(data, TO_COMPARE) == []
    related = sorted(map(sorted, rows(data, RELATED)))  # the server stores what comes at once in any order
    assert related == sorted(sorted(pair) for pair in VERSIONS if stored.issuperset(pair))
    assert rows(data, TIMES_RELATED) == [(len(related),)]
    assert_sound(data)


@pytest.mark.usefixtures("encoder")
def test_a_server_compares_what_was_embedded_before_there_were_comparisons(tmp_path: Path):
    data = tmp_path / "data"
    with ready(data) as ctx:
        for old, new in VERSIONS:
            keep_waiting(ctx, old, new)
        while embedding_queue.work_off(ctx):
            pass
    with closing(store_file.opened(data / FILE, write=True)) as store:  # as the version before left it
        store.execute("DELETE FROM pending")
    with McpClient(data, env=SHARED) as client:
        settled(client)
        until(lambda: len(rows(data, RELATED)) == len(VERSIONS) and rows(data, TO_COMPARE) == [])
    assert sorted(rows(data, RELATED)) == sorted((new, old) for old, new in VERSIONS)
    with McpClient(data, env=SHARED) as client:  # the next has nothing to do
        settled(client)
        client.call("store_memory", {"content": "Bread is baked at night"})
        until(lambda: embedded(data) == 2 * len(VERSIONS) + 1 and rows(data, TO_COMPARE) == [])
    assert rows(data, TIMES_RELATED) == [(len(VERSIONS),)]
