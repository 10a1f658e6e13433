"""Processes of `python -m indelible` for tests, as `subprocess` makes them: most are forked from fork_server.py.

A command costs 0.35 s of processor time and a server 1.1 s, most of it to start Python and to import; the tests start
many hundreds. So each pytest process has a fork server from its first use on, whose children have that behind them.

A child cannot show what a start itself does: modules are there that its command may have forgotten to import; children
share their hash seed and the memory of the imports, which is not taken down object by object at their end; bulk work
keeps its priority; `ps` shows the fork server's file; BLAS has one thread. So a real process is started where a test
asks for one (`python=REAL`, the fixture `real_processes`, the marker `full`), for all of them with
INDELIBLE_TESTS_REAL=1, where the environment differs from ours in what Python reads at its start only, and where there
is no fork server: it is of Linux (pidfd), so on macOS and Windows every process is real.
"""

from __future__ import annotations

import atexit
import functools
import itertools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any

import on_postgres

REAL = (sys.executable,)
# What Python and its libraries read when they start, not when they run.
_AT_START = ("PYTHON", "LC_", "LANG", "TZ", "LD_", "MALLOC_", "OPENBLAS_", "OMP_", "PYDANTIC_")
_SERVER = Path(__file__).with_name("fork_server.py")
_NUMBERS = itertools.count()
_LOCK = threading.Lock()  # held from a request to its answer


def start(
    arguments: Sequence[str], *, env: Mapping[str, str], cwd: Path, python: Sequence[str] | None = None, **options: Any
) -> Forked | subprocess.Popen[Any]:
    """`python -m indelible ARGUMENTS`; the options are those of Popen that `Forked` has."""
    if python is None and can_fork(env):
        return Forked(arguments, env, cwd, **options)
    return subprocess.Popen([*(python or REAL), "-m", "indelible", *arguments], env=env, cwd=cwd, **options)


def run(
    arguments: Sequence[str], *, input: bytes = b"", timeout: float = 50, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """The same until it has ended, with its output. Raises TimeoutExpired, and has killed it then."""
    ends = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
    process = start(arguments, **{**ends, **options})
    late = threading.Event()

    def give_up() -> None:
        late.set()
        process.kill()

    watch = threading.Timer(timeout, give_up)
    watch.start()
    said, errors = process.communicate(input or None)
    watch.cancel()
    if late.is_set():
        raise subprocess.TimeoutExpired(list(arguments), timeout, said, errors)
    return subprocess.CompletedProcess(list(arguments), process.wait(), said, errors)


def can_fork(env: Mapping[str, str]) -> bool:
    """Whether a process with this environment is a fork, where a test does not ask for a real one."""
    real = os.environ.get("INDELIBLE_TESTS_REAL", "") not in ("", "0")
    return sys.platform == "linux" and not real and at_start(env) == _OURS


def at_start(env: Mapping[str, str]) -> dict[str, str]:
    """Of an environment what a process reads at its start only."""
    return {name: value for name, value in env.items() if name.startswith(_AT_START) and value}


_OURS = at_start(os.environ)


class Forked:
    """A child of the fork server: what tests use of `subprocess.Popen`."""

    def __init__(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        cwd: str | Path,
        *,
        stdin: int | IO[Any] | None = None,
        stdout: int | IO[Any] | None = None,
        stderr: int | IO[Any] | None = None,
        text: bool = False,
        start_new_session: bool = False,
        umask: int | None = None,
        script: str | None = None,
        begun: Mapping[str, str] | None = None,
    ):
        """`umask` is ours without one; with the path of a `script` it is the program that installers put there.

        `begun` is what its fork server read at its start (`at_start` of an environment), else what we did.
        """
        program = {
            "arguments": list(arguments),
            "env": dict(env),
            "cwd": str(cwd),
            "session": start_new_session,  # at a terminal with it as its own, so that keys are signals
            "umask": _umask() if umask is None else umask,
            "script": script,
        }
        self.returncode: int | None = None
        self._begun = tuple(sorted((_OURS if begun is None else begun).items()))
        with ExitStack() as theirs:  # closed here once they are open there
            ends = [_end(number, asked, text, theirs) for number, asked in enumerate((stdin, stdout, stderr))]
            self.pid: int = _ask(self._begun, program, [fd for fd, _ in ends])
        self.stdin, self.stdout, self.stderr = (ours for _, ours in ends)
        self._end = os.pidfd_open(self.pid)  # the pid stays its own until we have it reaped
        self._reaping = threading.Lock()

    def fileno(self) -> int:
        """A descriptor that can be read from as soon as the process has ended; open until somebody waited for it."""
        return self._end

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, less than 0 for a signal. Raises TimeoutExpired."""
        if self.returncode is None:
            end = select.poll()
            end.register(self._end, select.POLLIN)
            if not end.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            with self._reaping:
                if self.returncode is None:
                    self.returncode = _ask(self._begun, {"ended": self.pid}, [])
                    os.close(self._end)
        return self.returncode

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def communicate(self, input: Any = None) -> tuple[Any, Any]:
        """Send all input, read all output, wait for the end."""
        with ThreadPoolExecutor(2) as readers:
            read = [readers.submit(pipe.read) if pipe else None for pipe in (self.stdout, self.stderr)]
            if self.stdin:
                with suppress(BrokenPipeError), self.stdin:
                    if input:
                        self.stdin.write(input)
            said = [each.result() if each else None for each in read]
        for pipe in (self.stdout, self.stderr):
            if pipe:
                pipe.close()
        self.wait()
        return said[0], said[1]

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # another thread saw its end meanwhile
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _end(number: int, asked: int | IO[Any] | None, text: bool, theirs: ExitStack) -> tuple[int, IO[Any] | None]:
    """The child's end of a standard stream, and ours where it is a pipe."""
    if asked is None:
        return number, None
    if asked == subprocess.DEVNULL:
        asked = os.open(os.devnull, os.O_RDWR)
        theirs.callback(os.close, asked)
    if asked != subprocess.PIPE:
        return asked if isinstance(asked, int) else asked.fileno(), None
    reading, writing = os.pipe()
    its, ours = (reading, writing) if number == 0 else (writing, reading)
    theirs.callback(os.close, its)
    kind = "w" if number == 0 else "r"
    return its, open(ours, kind, encoding="utf-8") if text else open(ours, kind + "b")


def _umask() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("Umask:")[2].split()[0], 8)


def _ask(begun: tuple[tuple[str, str], ...], request: Mapping[str, Any], fds: Sequence[int]) -> int:
    """A fork server's answer: the pid of a new process, or the exit code of one that has ended."""
    with _LOCK:
        server, answers = _server(begun)
        number = next(_NUMBERS)
        line = json.dumps({**request, "number": number}).encode() + b"\n"
        server.sendall(line[socket.send_fds(server, [line], fds) :])
        for answer in answers:
            answered, value = map(int, answer.split())
            if answered == number:  # else of a request whose test was interrupted
                return value
    raise AssertionError("the fork server has left; its words are on stderr")


@functools.cache
def _server(begun: tuple[tuple[str, str], ...]) -> tuple[socket.socket, IO[str]]:
    """The socket by which this process speaks with a fork server, which leaves when we are gone, and its answers.

    There is one for each environment at the start.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, str(_SERVER), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**dict(begun), **on_postgres.inherited()},
            start_new_session=True,  # an interrupt at the terminal is for us
        )
    answers = ours.makefile("r", encoding="ascii")

    def leave() -> None:
        ours.shutdown(socket.SHUT_RDWR)  # children may hold copies
        process.wait()
        answers.close()
        ours.close()

    atexit.register(leave)
    return ours, answers
