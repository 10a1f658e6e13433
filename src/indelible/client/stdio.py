"""The transport to a server process over standard input and output, started with the first call and when it died."""

import json
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from indelible import tracing
from indelible.client.failures import CLOSED, OUTDATED, Failure, answered, code_of
from indelible.client.transport import ERROR, KEY
from indelible.errors import InvalidInput
from indelible.version import __version__

PROTOCOL = "2025-06-18"
LARGEST = 64 << 20  # bytes of one answer
STARTING = 30.0  # seconds that a server has to start
LEAVING = 10.0  # seconds that it has to leave
WORDS = 20  # lines of its standard error that are remembered


class Stdio:
    """Speaks MCP with a process that `command` starts; `env` is its whole environment, ours by default.

    It has `starting` seconds until it answers for the first time.
    """

    largest: int | None = None

    def __init__(
        self,
        command: Sequence[str],
        target: str,
        home: Path,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        starting: float = STARTING,
    ):
        self._command = list(command)
        self._env = None if env is None else dict(env)
        self._cwd = cwd
        self._starting = starting
        self.target = target
        self.home = home
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._closed = False

    def call(self, tool: str, arguments: Mapping[str, Any], key: str | None, timeout: float) -> Any:
        """See Transport."""
        meta = {**tracing.outgoing(), **({} if key is None else {KEY: key})}
        params = {"name": tool, "arguments": dict(arguments), **({"_meta": meta} if meta else {})}
        server = self._started()
        result = server.request("tools/call", params, timeout)
        return self._value(result, server)

    def probe(self, timeout: float) -> None:
        """See Transport. A server that does not answer in time is ended: the next call starts another."""
        server = self._started()
        try:
            server.request("ping", {}, timeout)
        except Failure:
            server.end()
            raise

    def _value(self, result: Any, server: "_Server") -> Any:
        if not isinstance(result, dict) or not isinstance(result.get("content"), list):
            raise Failure("the server's answer is not the result of a tool", sent=True)
        if result.get("isError"):
            text = "\n".join(str(part.get("text", "")) for part in result["content"] if isinstance(part, dict))
            meta = result.get("_meta")
            error = answered(str(meta.get(ERROR, "")) if isinstance(meta, dict) else "", _words(text))
            if text.startswith(OUTDATED):
                server.end()  # the next attempt starts one that is as new as the store
            raise error
        value = result.get("structuredContent")
        return value["result"] if isinstance(value, dict) and set(value) == {"result"} else value

    def _started(self) -> "_Server":
        with self._lock:
            if self._closed:
                raise Failure(CLOSED, sent=False, retry=False)
            if self._server is None or self._server.is_gone:
                if self._server is not None:
                    self._server.end()
                self._server = None
                self._server = _Server(self._command, self._env, self._cwd, self._starting)
            return self._server

    @property
    def pid(self) -> int | None:
        """The process of the server, None while there is none."""
        return None if self._server is None or self._server.is_gone else self._server.pid

    def close(self) -> None:
        """See Transport."""
        with self._lock:
            self._closed = True
            server, self._server = self._server, None
        if server is not None:
            server.leave()


class _Server:
    """One server process, and the waiting requests by id."""

    def __init__(self, command: list[str], env: dict[str, str] | None, cwd: Path | None, starting: float):
        self._process = _start(command, env, cwd)
        self.pid = self._process.pid
        self._lock = threading.Lock()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting: dict[int, Future[Any]] = {}
        self._next = 0
        self._ended = threading.Event()
        self._errors: deque[str] = deque(maxlen=WORDS)
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._listen, self._read, self._write)]
        for thread in self._threads:
            thread.start()
        try:
            hello = {"name": "indelible-client", "version": __version__}
            asked = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": hello}
            self.request("initialize", asked, starting)
            self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except Failure as failure:
            self.end()
            failure.sent = False  # of the call for which it was started
            raise
        except BaseException:
            self.end()
            raise

    @property
    def is_gone(self) -> bool:
        """Whether it closed its output or was ended."""
        return self._ended.is_set()

    def request(self, method: str, params: dict[str, Any], timeout: float) -> Any:
        """The result of a request. Raises Failure, and the errors of what the protocol refuses."""
        answer: Future[Any] = Future()
        with self._lock:
            if self.is_gone:
                raise Failure(self._why(), sent=False)
            self._next += 1
            number = self._next
            self._waiting[number] = answer
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            message = answer.result(timeout)
        except TimeoutError:
            raise Failure(f"the server did not answer within {timeout:g} s", sent=True) from None
        finally:
            self._waiting.pop(number, None)
        if message is None:
            raise Failure(self._why(), sent=True)
        if "error" in message:
            error = message["error"] if isinstance(message["error"], dict) else {}
            raise answered(code_of(error), str(error.get("message", "the server refused the request")))
        return message.get("result")

    def _send(self, message: dict[str, Any]) -> None:
        self._outgoing.put(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def _write(self) -> None:
        """Write requests in a thread of its own, so that a server that does not read blocks no caller for ever."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            while (line := self._outgoing.get()) is not None:
                stdin.write(line)
                stdin.flush()
            stdin.close()
        except (OSError, ValueError):  # it has ended, which closes its output too
            return

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        with suppress(OSError, ValueError):  # it was ended
            while (line := stdout.readline(LARGEST)).endswith(b"\n"):
                self._take(line)
        with self._lock:
            self._ended.set()
            left, self._waiting = list(self._waiting.values()), {}
        for answer in left:
            _give(answer, None)

    def _take(self, line: bytes) -> None:
        """Hand an answer to its waiting request; other lines are ignored."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(message, dict) and "method" not in message and isinstance(message.get("id"), int):
            answer = self._waiting.get(message["id"])
            if answer is not None:
                _give(answer, message)

    def _listen(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with suppress(OSError, ValueError):  # it was ended
            for line in stderr:
                self._errors.append(line.decode(errors="replace").rstrip())

    def _why(self) -> str:
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "the server closed its output"
        self._threads[0].join(1.0)
        last_line = f": {self._errors[-1]}" if self._errors else ""
        return f"the server left (exit code {code}){last_line}"

    def leave(self) -> None:
        """End its input and wait until it has left."""
        self._outgoing.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING)
        self.end()

    def end(self) -> None:
        """End it at once."""
        self._ended.set()
        self._process.kill()
        self._process.wait()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join(LEAVING)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            with suppress(OSError):  # what was not sent
                pipe.close()


def _start(command: list[str], env: dict[str, str] | None, cwd: Path | None) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            command, env=env, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=sys.platform != "win32"
        )
    except OSError as error:
        raise InvalidInput(f"the server cannot be started: {command[0]}: {error.strerror}") from error


def _words(text: str) -> str:
    """Return the message of a failure; some toolsets answer `{"success": false, "error": message}`."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return str(value["error"]) if isinstance(value, dict) and "error" in value else text


def _give(answer: "Future[Any]", message: Any) -> None:
    if not answer.done():
        answer.set_result(message)
