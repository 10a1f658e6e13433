"""A plain MCP client over stdio for measuring: one request at a time, timed to the moment its answer has arrived.

Standard library only, for Linux and macOS.
"""

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

PATIENCE = 120.0  # seconds for an answer
BIN = Path(sys.executable).parent  # not resolved: a virtual environment's python is a link out of it
INDELIBLE = BIN / "indelible"


class ServerError(RuntimeError):
    """The server answered with an error, went away, or did not answer in time."""


# The caller's own Indelible, and what would make every start compile every module again.
NOT_INHERITED = ("INDELIBLE_", "CLAUDE_PROJECT_DIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")


def environment() -> dict[str, str]:
    """The environment of what is measured: this interpreter's programs come first in PATH, and recall is by words.

    What measures meaning says so in the environment that it gives a server.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_INHERITED)}
    return {**kept, "INDELIBLE_ENCODER": "off", "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}


def memory_mb(pid: int) -> float:
    """Resident memory of a process, in MB of 1,000,000 bytes."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except FileNotFoundError:  # macOS
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True, text=True)
        return int(shown.stdout) * 1024 / 1e6
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def pss_mb(pid: int) -> float:
    """Memory of a process, in MB of 1,000,000 bytes; what several processes share counts in parts. Linux only."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


class Server:
    """A server process. `started` is when it was started, `seconds` how long the last request took."""

    def __init__(self, command: list[str], cwd: Path):
        self._log_path = cwd / "stderr.log"
        self._log = self._log_path.open("ab")
        self.started = time.perf_counter()
        self.seconds = 0.0
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=environment(), cwd=cwd
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._unread = b""
        self._last = 0

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def rss_mb(self) -> float:
        """Resident memory now."""
        return memory_mb(self._process.pid)

    def request(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """The result of a request; `seconds` is the time from writing it to having its answer's line."""
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params or {}}
        began = time.perf_counter()
        self._send(message)
        while True:
            line = self._line(method)
            arrived = time.perf_counter()
            answer = json.loads(line)
            if answer.get("id") == self._last and "method" not in answer:
                break
        self.seconds = arrived - began
        if "error" in answer:
            raise ServerError(f"{method}: {answer['error']}")
        return answer["result"]

    def initialize(self) -> None:
        """The handshake."""
        client = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tools(self) -> Any:
        """What `tools/list` answers."""
        return self.request("tools/list")

    def call(self, tool: str, **arguments: Any) -> Any:
        """A tool's structured result; where the tool says isError, ServerError."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise ServerError(f"{tool}: {result['content']}"[:500])
        return result["structuredContent"]

    def close(self) -> None:
        """Close its input and wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, message: dict[str, Any]) -> None:
        rest = json.dumps(message).encode() + b"\n"
        try:
            while rest:
                rest = rest[os.write(self._in, rest) :]
        except BrokenPipeError as error:
            raise ServerError(self._gone(str(message["method"]))) from error

    def _line(self, method: str) -> bytes:
        until = time.monotonic() + PATIENCE
        while b"\n" not in self._unread:
            if not select.select([self._out], [], [], max(0.0, until - time.monotonic()))[0]:
                raise ServerError(f"{method}: no answer in {PATIENCE:.0f} s")
            part = os.read(self._out, 1 << 20)
            if not part:
                raise ServerError(self._gone(method))
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _gone(self, method: str) -> str:
        tail = self._log_path.read_text(errors="replace")[-1000:]
        return f"{method}: the server is gone (exit {self._process.poll()}); its last words: {tail}"


def serve(data: Path, cwd: Path) -> Server:
    """Indelible over a data directory."""
    return Server([str(INDELIBLE), "serve", "--data", str(data)], cwd)
