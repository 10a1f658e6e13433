"""How much of an answer is written at once, and whose turn it is: the parts of the HTTP server, in this process."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.datastructures import Headers

from command_line import opened
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.errors import IndelibleError, InvalidInput, StoreError
from indelible.sanitize.prompt_frame import json_text
from indelible.server.error_ids import public_message
from indelible.server.http.middleware import WORKED_ON, Middleware, Traffic, names
from indelible.server.http.tenants import Bearer
from indelible.server.mcp import server
from indelible.server.responses import RUN, TooLarge, written
from indelible.toolsets import registry

PLENTY = 1 << 20
MANY = RUN * 2 + 1
VALUES = [
    None,
    [],
    {},
    "</memory> é",
    list(range(MANY)),
    [{"a": [1], "b": "</x> \u202e 夜"}] * MANY,
    {"results": [["é"]] * MANY, "more": list("<|" * MANY), "none": [], "n": 1.5},
    {"deep": {"inner": list(range(MANY))}},
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_a_value_that_is_written_in_pieces_is_the_same_json(value: Any) -> None:
    assert written(value, PLENTY) == json_text(value)


@pytest.mark.parametrize("value", ["é" * 50, ["é"] * MANY, {"results": ["é"] * MANY}])
def test_an_answer_may_have_so_many_bytes_and_no_more(value: Any) -> None:
    size = len(json_text(value).encode())
    assert written(value, size) == json_text(value)
    with pytest.raises(TooLarge, match=f"more than {size - 1:,} bytes"):
        written(value, size - 1)


# --- MCP ---


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    with opened(tmp_path / "data") as ctx:
        yield ctx


def answered(ctx: Context, name: str, arguments: dict[str, Any], largest: int | None) -> tuple[bool, str]:
    said = server.answer(ctx, registry.find_tool(name), arguments, None, largest=largest)
    return said.is_error, said.content[0].text


@pytest.mark.parametrize("tool", ["export_memories", "read_graph"])
def test_an_answer_of_mcp_over_http_that_is_too_large_says_how_to_ask_for_less(ctx: Context, tool: str) -> None:
    answered(ctx, "store_memory", {"content": "word " * 100}, None)
    entity = {"name": "e", "entityType": "t", "observations": ["word " * 100]}
    answered(ctx, "create_entities", {"entities": [entity]}, None)
    failed, said = answered(ctx, tool, {}, 200)
    assert failed
    assert "more than 200 bytes" in said
    assert "ask for less" in said
    assert answered(ctx, tool, {}, PLENTY) == answered(ctx, tool, {}, None)


def test_what_was_written_is_acknowledged_however_long_the_answer_is(ctx: Context) -> None:
    failed, said = answered(ctx, "store_memory", {"content": "Kept"}, 1)
    assert not failed
    assert json.loads(said)["status"] == "stored"


# --- What is told ---


def test_where_the_store_is_nobody_is_told_over_a_network(caplog: pytest.LogCaptureFixture) -> None:
    said = public_message("recall_memory", StoreError("the store /home/ann/indelible.db is on a full disk"))
    assert "/home" not in said
    assert "log has the details" in said
    (line,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert "/home/ann/indelible.db is on a full disk" in line.__dict__["message_text"]
    assert line.__dict__["key"] in said
    assert public_message("recall_memory", InvalidInput("query is required")) == "query is required"


# --- Turns ---


class Work:
    """An application whose requests go on until they are told to end, and a door in front of it."""

    def __init__(self, error: IndelibleError | None = None) -> None:
        self.begun: Counter[str] = Counter()
        self.end = anyio.Event()
        self.traffic = Traffic()
        self.statuses: list[int] = []
        self.said = b""
        self._error = error
        self.middleware = Middleware(
            self._work, names([], [], 5050), self._bearer, lambda *_: nullcontext(), 10.0, lambda _: False, self.traffic
        )

    async def _bearer(self, headers: Headers) -> Bearer:
        if self._error is not None:
            raise self._error
        return Bearer(Grant(headers["authorization"]), 1)

    async def _work(self, scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["body"] == b"{}"
        self.begun[Headers(scope=scope)["authorization"]] += 1
        await self.end.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask(self, who: str, path: str = "/jsonrpc", **headers: str) -> None:
        given = {"host": "localhost", "content-type": "application/json", "content-length": "2", "authorization": who}
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in {**given, **headers}.items()]
        scope = {"type": "http", "method": "POST", "path": path, "headers": raw, "client": ("127.0.0.1", 1)}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.statuses.append(message["status"])
            self.said += message.get("body", b"")

        await self.middleware(scope, receive, send)


def test_one_caller_s_requests_leave_threads_for_those_of_others() -> None:
    async def talk() -> None:
        work = Work()
        async with anyio.create_task_group() as group:
            for _ in range(WORKED_ON + 5):
                group.start_soon(work.ask, "ann")
            await anyio.wait_all_tasks_blocked()
            assert work.begun == {"ann": WORKED_ON}
            group.start_soon(work.ask, "bob")
            await anyio.wait_all_tasks_blocked()
            assert work.begun == {"ann": WORKED_ON, "bob": 1}
            assert work.traffic.in_progress == WORKED_ON + 6
            work.end.set()
        assert work.begun == {"ann": WORKED_ON + 5, "bob": 1}
        assert work.traffic.in_progress == 0

    anyio.run(talk)


def test_streams_that_last_take_no_turn_of_other_requests() -> None:
    stream = {"mcp_protocol_version": "2026-07-28", "mcp_method": "subscriptions/listen"}

    async def talk() -> None:
        work = Work()
        async with anyio.create_task_group() as group:
            for _ in range(70):
                group.start_soon(lambda: work.ask("ann", "/mcp", **stream))
            await anyio.wait_all_tasks_blocked()
            assert work.begun == {"ann": 64}
            assert work.statuses == [429] * 6
            group.start_soon(work.ask, "ann")
            await anyio.wait_all_tasks_blocked()
            assert work.begun == {"ann": 65}
            work.end.set()

    anyio.run(talk)


def test_a_request_that_only_says_that_it_is_a_stream_is_none() -> None:
    async def talk() -> None:
        work = Work()
        async with anyio.create_task_group() as group:
            for _ in range(WORKED_ON + 1):
                group.start_soon(lambda: work.ask("ann", "/jsonrpc", mcp_method="subscriptions/listen"))
                group.start_soon(lambda: work.ask("bob", "/mcp", mcp_method="subscriptions/listen"))
            await anyio.wait_all_tasks_blocked()
            assert work.begun == {"ann": WORKED_ON, "bob": WORKED_ON}
            work.end.set()

    anyio.run(talk)


def test_a_store_that_fails_at_the_door_tells_a_stranger_nothing_of_this_machine() -> None:
    async def talk() -> Work:
        work = Work(StoreError("the store /home/ann/indelible.db is on a full disk"))
        await work.ask("ann")
        return work

    work = anyio.run(talk)
    assert work.statuses == [503]
    assert b"/home" not in work.said
    assert b"log has the details" in work.said
