"""A real HTTP server for tests, in a process of its own, and plain requests to it.

    with HttpServer(data) as server:
        assert server.call("recall_memory", {"query": "..."}) == []
        answer = server.post("/jsonrpc", {"jsonrpc": "2.0", "id": 1, "method": "ping"})

`call` gives the documented value and raises RpcError for a JSON-RPC error; `post` and `request` give what came.
"""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import forked
from mcp_client import environment

PATIENCE = 200.0  # seconds
JSON = {"Content-Type": "application/json"}
MCP = {**JSON, "Accept": "application/json, text/event-stream"}


class RpcError(Exception):
    """A JSON-RPC error."""

    def __init__(self, error: Mapping[str, Any]):
        super().__init__(str(error))
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data = error.get("data")


@dataclass(frozen=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: Mapping[str, str]  # by lower-case name
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> str:
        """The words of a refusal."""
        return str(self.json["error"]["message"])


class HttpServer:
    """`indelible serve --http` on a data directory and a port, any free one by default."""

    def __init__(
        self,
        data: Path,
        *options: str,
        http: str = "127.0.0.1:0",
        env: Mapping[str, str] | None = None,
        python: Sequence[str] | None = None,
    ):
        self.process = forked.start(
            ("serve", "--data", str(data), "--http", http, *options),
            python=python,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(env),
            cwd=data.parent,
            start_new_session=True,
        )
        self.data = data
        self._said: list[str] = []
        self._listening = threading.Event()
        self.host, self.port = "", 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()  # which sets the place

    def started(self) -> Self:
        """Wait until it says that it listens."""
        assert self._listening.wait(PATIENCE), self.stderr
        if not self.port:
            self._reader.join(PATIENCE)
            raise AssertionError(f"the server left (exit {self.process.wait()}): {self.stderr}")
        return self

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._said.append(line)
            if line.startswith("indelible: serving "):
                place = urlsplit(line.split()[2])
                self.host, self.port = str(place.hostname), int(place.port or 0)
                self._listening.set()
        self._listening.set()

    @property
    def stderr(self) -> str:
        """What it said so far."""
        return "".join(self._said)

    def says(self, words: str) -> bool:
        """Whether it has said this, waiting for it: a thread reads what a server writes, after its answer or before."""
        until = time.monotonic() + PATIENCE
        while words not in self.stderr and time.monotonic() < until:
            self._reader.join(0.01)
        return words in self.stderr

    @property
    def url(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    # --- Requests ---

    def connect(self, timeout: float = PATIENCE) -> http.client.HTTPConnection:
        """A connection for several requests."""
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request on a connection of its own."""
        connection = self.connect()
        try:
            return ask(connection, method, path, body, headers)
        finally:
            connection.close()

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.request("GET", path, None, headers)

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """A JSON body; bytes are sent as they are."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.request("POST", path, sent, {**JSON, **(headers or {})})

    def rpc(self, method: str, params: Any = None, *, path: str = "/jsonrpc", **headers: str) -> Any:
        """The result of a JSON-RPC request. Raises RpcError. (`X_Name="value"` is a header.)"""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, **({} if params is None else {"params": params})}
        answer = self.post(path, request, {name.replace("_", "-"): value for name, value in headers.items()}).json
        if "error" in answer:
            raise RpcError(answer["error"])
        return answer["result"]

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None, **more: str) -> Any:
        """What a tool answers over /jsonrpc."""
        return self.rpc("tools/call", {"name": tool, "arguments": dict(arguments or {})}, **more)

    # --- Process ---

    def end(self, number: int = signal.SIGTERM) -> int:
        """Tell it to leave and wait for that; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        try:
            return self.started()
        except BaseException:
            self.kill()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            code = self.end()
            assert kind is not None or code == 0, f"exit {code}: {self.stderr}"
        finally:
            self.kill()

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stderr is not None
        self.process.stderr.close()


def ask(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """One request on a connection that is open."""
    connection.request(method, path, body, dict(headers or {}))
    with connection.getresponse() as answer:
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
