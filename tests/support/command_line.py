"""The command line for tests: `indelible ...` as a process of its own, and the store as one process of ours sees it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import forked
from empty_store import begin
from indelible.admin import doctor
from indelible.clock import utc_now
from indelible.core.context.call import Call
from indelible.core.context.context import Context, open_context
from indelible.core.records import undo as records_undo
from indelible.settings import Settings
from mcp_client import environment

# Root may write whatever the mode says, by two capabilities: a process without them is bound as its owner is.
_BOUND = """
import ctypes, os, sys
if os.geteuid() == 0:
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        if ctypes.CDLL(None, use_errno=True).prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
            raise OSError(ctypes.get_errno(), "prctl")
os.execv(sys.argv[1], sys.argv[1:])
"""
BOUND_BY_MODES = (sys.executable, "-c", _BOUND, sys.executable)


def indelible(
    *arguments: str | Path,
    data: Path,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    python: Sequence[str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command on a data directory, started beside it."""
    command = [*map(str, arguments), "--data", str(data)]
    return forked.run(command, python=python, input=stdin, cwd=data.parent, env=environment(env))


def done(*arguments: str | Path, data: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
    """The output of a command that must succeed."""
    ran = indelible(*arguments, data=data, stdin=stdin, env=env)
    assert ran.returncode == 0, (arguments, ran.stderr.decode())
    return ran.stdout.decode()


def result(
    *arguments: str | Path, data: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The result of a command that must succeed, as it answers with --json."""
    answer = json.loads(done(*arguments, "--json", data=data, stdin=stdin, env=env))
    assert answer["ok"] is True
    found: dict[str, Any] = answer["result"]
    return found


def refused(*arguments: str | Path, data: Path, env: Mapping[str, str] | None = None) -> str:
    """The words of a command that must be refused: one sentence on stderr, exit code 1, no output."""
    ran = indelible(*arguments, data=data, env=env)
    words = ran.stderr.decode()
    assert ran.returncode == 1, (arguments, ran.stdout.decode(), words)
    assert words.startswith("indelible: "), words
    assert ran.stdout == b""
    return words


_KILLED = """
import importlib, os, signal, sys
step, *arguments = sys.argv[1:]
module, _, name = step.rpartition(".")
module = importlib.import_module(f"indelible.{module}")
setattr(module, name, lambda *given, **named: os.kill(os.getpid(), signal.SIGKILL))
from indelible.cli.main import main
sys.exit(main(arguments))
"""


def killed_at(step: str, *arguments: str, data: Path) -> None:
    """Run a command that is killed where it would call a function: `step` is its name from the package on."""
    command = [sys.executable, "-c", _KILLED, step, *arguments, "--data", str(data)]
    killed = subprocess.run(command, check=False, env=environment(), capture_output=True, cwd=data.parent)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()


def call(tool: str, *arguments: str, data: Path, env: Mapping[str, str] | None = None) -> Any:
    """What a tool answers to `indelible call`."""
    return json.loads(done("call", tool, *arguments, data=data, env=env))


def settings(data: Path) -> Settings:
    """Settings of a process that belongs to no project."""
    return Settings(data=data, start=data.parent, home=data.parent)


@contextmanager
def opened(data: Path, clock: Callable[[], datetime] = utc_now, **given: Any) -> Iterator[Context]:
    """A context on the store with settings of its own, closed afterwards."""
    begin(data)
    ctx = open_context(replace(settings(data), **given), clock)
    try:
        yield ctx
    finally:
        ctx.close()


def undo(ctx: Context, operation: str | None = None) -> records_undo.Undone:
    """What `indelible undo` does, in this process."""
    return records_undo.undo(ctx.for_call(Call(tool="undo")), operation)


def contents(data: Path) -> set[str]:
    """The text of every record in the store."""
    return {json.loads(line)["content"] for line in export(data).splitlines()}


def export(data: Path) -> str:
    """What `indelible export` writes, without starting a process for it."""
    from indelible.core.records import exporting

    with opened(data) as ctx:
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in exporting.export_all(ctx))


def assert_sound(data: Path) -> None:
    """Fail unless `doctor` finds nothing wrong."""
    report = doctor.examine(settings(data))
    assert report.sound, report.lines


def memory(number: int, who: str = "one") -> dict[str, Any]:
    """Arguments of store_memory that no other number or writer has."""
    return {
        "content": f"Memory {number} of writer {who}: the queue{number} of module{number % 17} is drained by {who}",
        "tags": [f"writer:{who}", f"number:{number}"],
    }
