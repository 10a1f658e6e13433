"""Messages over two pipes, in this process: what the threads at their ends do with the loop between them."""

import json
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage

from indelible.server.mcp.standard_streams import MOST_AHEAD, PIECE, ROOM, Input, Output, Unanswered

PATIENCE = 30.0  # seconds


class Client:
    """The other ends of the pipes."""

    def __init__(self) -> None:
        self.server_in, self._to_server = os.pipe()
        self._from_server, self.server_out = os.pipe()
        self._lines = os.fdopen(self._from_server, "rb", closefd=False)

    def say(self, data: bytes) -> None:
        os.write(self._to_server, data)

    def leave(self) -> None:
        os.close(self._to_server)
        self._to_server = -1

    def stop_reading(self) -> None:
        os.close(self._from_server)
        self._from_server = -1

    def answers(self, count: int) -> list[Any]:
        return [json.loads(self._lines.readline()) for _ in range(count)]

    def close(self) -> None:
        for descriptor in (self._to_server, self._from_server, self.server_in, self.server_out):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.close()


@asynccontextmanager
async def streams(client: Client) -> AsyncIterator[tuple[Input, Output, Unanswered]]:
    requests = Unanswered()
    output = Output(client.server_out, requests)
    with anyio.fail_after(PATIENCE):
        yield Input(client.server_in, output, requests), output, requests
        await output.finish()


def request(number: int, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping", "params": params}).encode() + b"\n"


def answer(number: int, **result: Any) -> SessionMessage:
    return SessionMessage(types.JSONRPCResponse(jsonrpc="2.0", id=number, result=result))


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_messages_come_and_go_in_their_order_however_they_are_cut(client):
    numbers = range(3 * MOST_AHEAD)
    text = b"".join(request(number, text="日本" * number) for number in numbers)
    pieces = [text[at : at + 999] for at in range(0, len(text), 999)]
    feeding = threading.Thread(target=lambda: [client.say(piece) for piece in pieces])

    async def serve() -> list[int]:
        async with streams(client) as (incoming, output, _):
            asked = []
            for _ in numbers:
                message = (await incoming.receive()).message
                assert message.params == {"text": "日本" * message.id}
                asked.append(message.id)
                await output.send(answer(message.id))
            return asked

    feeding.start()
    assert anyio.run(serve) == list(numbers)
    feeding.join()
    assert [said["id"] for said in client.answers(len(numbers))] == list(numbers)


def test_pipes_at_which_nobody_waits_are_waited_for(client):
    """As where a wrapper of the server shares them with it and has them not blocking."""
    os.set_blocking(client.server_in, False)
    os.set_blocking(client.server_out, False)
    long = "x" * ROOM

    async def serve() -> None:
        async with streams(client) as (incoming, output, _):
            async for item in incoming:
                await output.send(answer(item.message.id, long=long))

    said: list[Any] = []

    def talk() -> None:
        for number in range(3):
            client.say(request(number))
            said.extend(client.answers(1))
        client.leave()

    talking = threading.Thread(target=talk)
    talking.start()
    anyio.run(serve)
    talking.join()
    assert [each["id"] for each in said] == [0, 1, 2]
    assert all(each["result"] == {"long": long} for each in said)


def test_a_line_that_is_no_message_is_answered_and_not_handed_on(client):
    client.say(b"rubbish\n\n" + request(1) + b'{"jsonrpc":"2.0","id":2,"method":"ping"}')  # the last without an end
    client.leave()

    async def serve() -> list[Any]:
        async with streams(client) as (incoming, output, _):
            asked = []
            async for item in incoming:
                asked.append(item.message.id)
                await output.send(answer(item.message.id))
            return asked

    assert anyio.run(serve) == [1, 2]
    assert [said["id"] for said in client.answers(4)] == [None, None, 1, 2]


def test_the_end_of_the_input_comes_when_all_is_answered(client):
    client.say(request(1) + request(2))
    client.leave()
    happened = []

    async def serve() -> None:
        async with streams(client) as (incoming, output, _), anyio.create_task_group() as group:
            await incoming.receive()
            await incoming.receive()

            async def end() -> None:
                with pytest.raises(anyio.EndOfStream):
                    await incoming.receive()
                happened.append("ended")

            group.start_soon(end)
            for number in (1, 2):
                await anyio.sleep(0)
                happened.append(number)
                await output.send(answer(number))

    anyio.run(serve)
    assert happened == [1, 2, "ended"]


def test_the_end_is_the_end_however_often_it_is_asked_for(client):
    """As the SDK does where nothing came before it: `indelible serve < /dev/null` never ended."""
    client.leave()

    async def serve() -> None:
        async with streams(client) as (incoming, _, _):
            for _ in range(2):
                with pytest.raises(anyio.EndOfStream):
                    await incoming.receive()

    anyio.run(serve)


def test_a_client_that_does_not_read_is_waited_for(client):
    size, count = 100_000, 3 * (ROOM + PIECE) // 100_000
    sent = []
    reader = []

    async def serve() -> None:
        async with streams(client) as (_, output, _), anyio.create_task_group() as group:

            async def send() -> None:
                for number in range(count):
                    await output.send(answer(number, text="x" * size))
                    sent.append(number)

            group.start_soon(send)
            group.start_soon(send)
            while output._progress is None:
                await anyio.sleep(0.001)
            assert len(sent) * size <= ROOM + 2 * PIECE
            reader.append(threading.Thread(target=lambda: reader.append(client.answers(2 * count))))
            reader[0].start()

    anyio.run(serve)
    reader[0].join()
    assert sorted(said["id"] for said in reader[1]) == sorted(2 * [*range(count)])
    assert len(sent) == 2 * count


class Interrupted(Output):
    """Its thread is interrupted where it has found for the first time that nobody waits, until somebody does."""

    _event: anyio.Event | None = None
    _looked = all_sent = False

    @property
    def _progress(self) -> anyio.Event | None:
        found = self._event
        if found is None and threading.current_thread().name == "stdout" and not self._looked:
            self._looked = True
            until(lambda: self._event is not None or self.all_sent)
        return found

    @_progress.setter
    def _progress(self, event: anyio.Event | None) -> None:
        self._event = event


def test_nobody_who_begins_to_wait_is_missed(client):
    async def serve() -> None:
        output = Interrupted(client.server_out, Unanswered())
        with anyio.fail_after(PATIENCE):
            for number in range(100):
                await output.send(answer(number, text="x" * 100_000))
            output.all_sent = True
            await output.finish()

    reader = threading.Thread(target=client.answers, args=(100,))
    reader.start()
    anyio.run(serve)
    reader.join()


def test_who_waits_for_a_client_that_leaves_goes_on(client):
    async def serve() -> None:
        async with streams(client) as (incoming, output, _), anyio.create_task_group() as group:

            async def send() -> None:
                for number in range(100):
                    await output.send(answer(number, text="x" * 100_000))

            group.start_soon(send)
            while output._progress is None:
                await anyio.sleep(0.001)
            client.stop_reading()
            await output.client_left.wait()
            incoming.end()
            with pytest.raises(anyio.EndOfStream):
                await incoming.receive()

    anyio.run(serve)


def test_the_reader_is_not_far_ahead_of_the_server(client):
    """Else a client that floods it would fill its memory."""
    feeding = threading.Thread(target=lambda: [client.say(request(n, text="x" * 1000)) for n in range(20 * MOST_AHEAD)])

    async def serve() -> int:
        async with streams(client) as (incoming, _, _):
            feeding.start()
            while incoming._ahead.acquire(blocking=False):  # until there is no room
                incoming._ahead.release()
                await anyio.sleep(0.001)
            await anyio.sleep(0)
            ahead = len(incoming._arrived)
            for _ in range(20 * MOST_AHEAD):
                await incoming.receive()
            return ahead

    assert anyio.run(serve) <= MOST_AHEAD
    feeding.join()
