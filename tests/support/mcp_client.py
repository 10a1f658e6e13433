"""An MCP client over stdio for tests: newline-delimited JSON-RPC to a server in a process group of its own.

    with McpClient(data) as client:
        stored = client.call("store_memory", {"content": "..."})
        hits = client.call("recall_memory", {"query": "..."})

`call` gives the documented value and raises ToolError where the tool says `isError`; `result` gives the raw result;
`request` speaks any method; `pipeline` sends many calls before it reads an answer; `kill9` is a crash.
Every line on the server's stdout must be JSON-RPC: anything else fails the test that reads it.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import forked

PATIENCE = 200.0  # seconds without a line before a test that waits for one fails: below pytest's own limit
PROTOCOL = "2025-06-18"
KEY = "indelible/key"


class ProtocolError(AssertionError):
    """A JSON-RPC error; `code` as the server gave it."""

    def __init__(self, method: str, error: Mapping[str, Any]):
        super().__init__(f"{method}: {error}")
        self.code = error.get("code")
        self.message = str(error.get("message", ""))


class ToolError(Exception):
    """A tool's own refusal, in its words."""


class ServerGoneError(Exception):
    """The server closed its output before it answered."""


class Call(NamedTuple):
    """A call of a tool; with a `key` a retry of it is answered, not repeated."""

    tool: str
    arguments: Mapping[str, Any] = {}
    key: str | None = None

    @property
    def params(self) -> dict[str, Any]:
        meta = {"_meta": {KEY: self.key}} if self.key is not None else {}
        return {"name": self.tool, "arguments": dict(self.arguments), **meta}


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our environment without what would lead an Indelible process elsewhere."""
    leading = ("INDELIBLE_", "CLAUDE_", "OTEL_", "MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(leading)}
    kept["INDELIBLE_ENCODER"] = "off"  # a test about meaning says `shared`, and has an encoder of its own
    return {**kept, **(extra or {})}


class McpClient:
    """A server on a data directory, started at once; the handshake is done by `with` or `initialize`.

    `options` follow `serve --data DIR`; `python` is the command that runs Python, with a prefix where one is needed
    (`("setpriv", ..., sys.executable)`); without it the process is a fork (forked.py). Started in `cwd`, else beside
    the data, so that no repository is its project.
    """

    def __init__(
        self,
        data: Path,
        *options: str,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        python: Sequence[str] | None = None,
    ):
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the client
        self.process = forked.start(
            ("serve", "--data", str(data), *options),
            python=python,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment(env),
            cwd=cwd or data.parent,
            start_new_session=True,
        )
        self._next = 0
        self._early: dict[Any, dict[str, Any]] = {}
        self.notifications: list[dict[str, Any]] = []
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # --- Tools ---

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, *, key: str | None = None) -> Any:
        """The tool's documented value. Raises ToolError where it refused."""
        return value_of(self.result(tool, arguments, key=key))

    def result(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, key: str | None = None
    ) -> dict[str, Any]:
        """The raw result of `tools/call`."""
        return self.request("tools/call", Call(tool, arguments or {}, key).params)

    def tools(self) -> list[dict[str, Any]]:
        """What `tools/list` lists."""
        listed: list[dict[str, Any]] = self.request("tools/list")["tools"]
        return listed

    def pipeline(self, calls: Iterable[Call | tuple[Any, ...]]) -> list[dict[str, Any]]:
        """Send all calls, then read all answers: the raw results, in the order of the calls."""
        return [self.answer(number) for number in self.send_calls(calls)]

    def send_calls(self, calls: Iterable[Call | tuple[Any, ...]]) -> list[int]:
        """Send calls in one piece and wait for nothing; their request ids."""
        messages = []
        for call in calls:
            self._next += 1
            messages.append(_request(self._next, "tools/call", Call(*call).params))
        self.send_raw(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
        return [message["id"] for message in messages]

    def answer(self, number: int) -> dict[str, Any]:
        """The result of an earlier request. Raises ProtocolError for a JSON-RPC error, ServerGoneError without one."""
        while number not in self._early:
            message = self.receive()
            if message is None:
                raise ServerGoneError(f"request {number} was not answered (exit {self.process.poll()}): {self.stderr}")
            self._early[message.get("id")] = message
        return _result(f"request {number}", self._early.pop(number))

    # --- Protocol ---

    def initialize(self) -> dict[str, Any]:
        """The handshake of the 2025 era; what the server says of itself."""
        params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}
        said = self.request("initialize", params)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return said

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The result of any method. Raises ProtocolError, ServerGoneError."""
        self._next += 1
        number = self._next
        self.send(_request(number, method, dict(params or {})))
        return self.answer(number)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send any message as one line."""
        self.send_raw(json.dumps(message).encode() + b"\n")

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are. Raises ServerGoneError."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise ServerGoneError(f"the server reads no more (exit {self.process.poll()}): {self.stderr}") from error

    def receive(self) -> dict[str, Any] | None:
        """The next response, None at the end of the output; notifications are kept in `notifications`."""
        while (line := self._next_line()) is not None:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0", line
            if self.takes(message):
                continue
            if "method" not in message:
                answered: dict[str, Any] = message
                return answered
            assert "id" not in message, f"the server asked for something: {message}"
            self.notifications.append(message)
        return None

    def takes(self, message: dict[str, Any]) -> bool:
        """Whether a message of the server was dealt with; for clients that let it ask for something."""
        return False

    def remaining(self) -> dict[Any, dict[str, Any]]:
        """Every response until the end of the output, by request id, as messages."""
        while (message := self.receive()) is not None:
            self._early[message.get("id")] = message
        return self._early

    def _next_line(self) -> bytes | None:
        try:
            return self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"no line from the server for {PATIENCE:.0f} s; its stderr: {self.stderr}") from None

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith(b"\n"):  # a line that a crash cut answers nothing
                self._lines.put(line)
        self._lines.put(None)

    # --- Process ---

    @property
    def stderr(self) -> str:
        """What the server wrote to stderr so far."""
        return os.pread(self._errors.fileno(), 1 << 22, 0).decode(errors="replace")

    def close_input(self) -> None:
        """End the server's input; it answers what it has, then leaves."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def kill9(self) -> None:
        """Kill the server and its children at once; what it had written to its output can still be read."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> int:
        """End the input and wait for the server to leave; its exit code."""
        try:
            if self.process.poll() is None:
                self.close_input()
                self.process.wait(PATIENCE)
        finally:
            self.kill9()
            self._reader.join()
            for pipe in (self.process.stdin, self.process.stdout):
                assert pipe is not None
                _close(pipe)
            self._errors.close()
        return self.process.returncode

    def __enter__(self) -> Self:
        try:
            self.initialize()
        except BaseException:
            self.kill9()
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _close(pipe: Any) -> None:
    with suppress(BrokenPipeError):  # what was not sent to a killed server
        pipe.close()


def _request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _result(method: str, message: Mapping[str, Any]) -> dict[str, Any]:
    if "error" in message:
        raise ProtocolError(method, message["error"])
    result: dict[str, Any] = message["result"]
    return result


def text_of(result: Mapping[str, Any]) -> str:
    """The text of a tool's result."""
    return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")


def value_of(result: Mapping[str, Any]) -> Any:
    """The documented value of a tool's result. Raises ToolError where it is an error."""
    if result.get("isError"):
        raise ToolError(text_of(result))
    value = result["structuredContent"]
    return value["result"] if set(value) == {"result"} else value
