"""Where a command of `indelible` may run: terminals of some width, with and without colours, pipes, the C locale.

    recorded = run(("list",), TERMINAL, data=data)
    recorded.code, recorded.output, recorded.errors

At a terminal standard input and output are one pseudo-terminal and standard error is a second one of the same width, so
that what goes where stays known; the process is the leader of a session there, so that Ctrl-C is typed (`Typing`).
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import forked
from mcp_client import PATIENCE, environment

INTERRUPT = b"\x03"  # Ctrl-C
TRIES = 6  # to type again within PATIENCE
END = b"\x04"  # Ctrl-D
_STATES = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "TERM")


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Where a command runs: at a terminal of so many columns, or with pipes (0 columns)."""

    name: str
    columns: int = 0
    env: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


PIPE = Surroundings("pipe")
TERMINAL = Surroundings("terminal", 80, {"TERM": "xterm-256color"})
NARROW = Surroundings("narrow", 40, {"TERM": "xterm-256color"})
NO_COLOR = Surroundings("NO_COLOR", 80, {"TERM": "xterm-256color", "NO_COLOR": "1"})
DUMB = Surroundings("dumb", 80, {"TERM": "dumb"})
C_PIPE = Surroundings("C-pipe", env={"LC_ALL": "C"})
C_TERMINAL = Surroundings("C-terminal", 80, {"LC_ALL": "C", "TERM": "xterm-256color"})
EVERY = (PIPE, TERMINAL, NARROW, NO_COLOR, DUMB, C_PIPE, C_TERMINAL)


@dataclass(frozen=True)
class Recorded:
    """What a command printed where, its exit code, and whether it left the terminal's modes as they were."""

    code: int
    output: bytes
    errors: bytes
    modes_kept: bool = True


class Typing:
    """A command at a terminal that somebody types at."""

    def __init__(
        self, arguments: Sequence[str], around: Surroundings, *, env: Mapping[str, str], cwd: Path, one: bool = False
    ):
        """With `one` standard error is at the same terminal, as for a user."""
        self._ours, theirs = _terminal(around.columns)
        self._ours_errors, theirs_errors = (-1, theirs) if one else _terminal(around.columns)
        modes = termios.tcgetattr(theirs)
        modes[3] = modes[3] & ~termios.ECHO | termios.ECHONL  # what is typed is not output, but for the end of a line
        termios.tcsetattr(theirs, termios.TCSANOW, modes)
        self._before = termios.tcgetattr(theirs)
        self.output, self.errors = b"", b""
        self._seen = (0, 0)
        ends = {"stdin": theirs, "stdout": theirs, "stderr": theirs_errors}
        try:
            self.process = _start(arguments, around, env=env, cwd=cwd, start_new_session=True, **ends)
        finally:
            os.close(theirs)
            if not one:
                os.close(theirs_errors)
        self._open = [end for end in (self._ours, self._ours_errors) if end >= 0]

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._ours, keys)

    def until(self, words: bytes) -> None:
        """Read until these words were printed, behind what was waited for before.

        Raises AssertionError where the command ends first.
        """
        while words not in self.output[self._seen[0] :] and words not in self.errors[self._seen[1] :]:
            assert self._read(), (words, self.output, self.errors)
        self._seen = len(self.output), len(self.errors)

    def recorded(self, again: bytes = b"") -> Recorded:
        """Read all that is left, until the command has ended; where nothing comes for a while, type `again`."""
        while self._read(again):
            pass
        kept = termios.tcgetattr(self._ours) == self._before
        code = self.process.wait(PATIENCE)
        for end in (self._ours, self._ours_errors):
            if end >= 0:
                os.close(end)
        return Recorded(code, self.output, self.errors, kept)

    def _read(self, again: bytes = b"") -> bool:
        """Read what comes next; False where no process has the terminal any more."""
        while self._open:
            ready, _, _ = select.select(self._open, [], [], PATIENCE / TRIES if again else PATIENCE)
            for _ in range(TRIES if again and not ready else 0):
                self.type(again)
                ready, _, _ = select.select(self._open, [], [], PATIENCE / TRIES)
                if ready:
                    break
            assert ready, ("nothing came", self.output, self.errors)
            for end in ready:
                part = _part(end)
                if not part:
                    self._open.remove(end)
                elif end == self._ours:
                    self.output += part
                else:
                    self.errors += part
                if part:
                    return True
        return False


def run(
    arguments: Sequence[str],
    around: Surroundings,
    *,
    env: Mapping[str, str],
    cwd: Path,
    typed: bytes = b"",
    one: bool = False,
) -> Recorded:
    """Run a command to its end; `typed` is its standard input, or is typed before it asks."""
    if around.columns:
        typing = Typing(arguments, around, env=env, cwd=cwd, one=one)
        if typed:
            typing.type(typed)
        return typing.recorded()
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = _start(arguments, around, env=env, cwd=cwd, **pipes)
    output, errors = process.communicate(typed)
    return Recorded(process.returncode, output, errors)


def _start(arguments: Sequence[str], around: Surroundings, *, env: Mapping[str, str], cwd: Path, **options: Any) -> Any:
    ours = {name: value for name, value in environment(env).items() if name not in _STATES}
    whole = {**ours, **around.env}
    real = os.environ.get("INDELIBLE_TESTS_REAL", "") not in ("", "0")
    if real or not forked.can_fork(os.environ):
        if options.get("start_new_session"):
            options["preexec_fn"] = _as_own  # a forked one does so by itself
        return forked.start(arguments, env=whole, cwd=cwd, python=forked.REAL, **options)
    return forked.Forked(arguments, whole, cwd, begun=forked.at_start(whole), **options)


def _as_own() -> None:
    """Make the terminal at standard input that of this session, so that a key such as Ctrl-C is a signal for it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where we run in the background, it is ignored
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _terminal(columns: int) -> tuple[int, int]:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    return ours, theirs


def _part(end: int) -> bytes:
    try:
        return os.read(end, 1 << 16)
    except OSError:  # what Linux says at the end
        return b""
