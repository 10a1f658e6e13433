"""Starting another program by its arguments, without a shell, and ending it with all that it started."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from indelible.errors import InvalidInput
from indelible.version import __version__

TAIL = 300  # characters of a program's output that are worth repeating


def start(
    argv: Sequence[str], environ: Mapping[str, str], cwd: Path, errors: IO[bytes], talk: bool = True
) -> subprocess.Popen[bytes]:
    """A program in a session of its own; with `talk` its input and output are pipes. Raises OSError."""
    return subprocess.Popen(
        list(argv),
        stdin=subprocess.PIPE if talk else subprocess.DEVNULL,
        stdout=subprocess.PIPE if talk else errors,
        stderr=errors,
        cwd=cwd,
        env=dict(environ),
        start_new_session=sys.platform != "win32",
    )


def end(process: subprocess.Popen[bytes], patience: float) -> None:
    """Close a program's input and give it some seconds to leave; then kill it."""
    if process.stdin is not None:
        with suppress(BrokenPipeError):  # it left before it read what was sent
            process.stdin.close()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run(argv: Sequence[str], environ: Mapping[str, str], cwd: Path, patience: float) -> str | None:
    """Run a program to its end; None if it succeeded, else what went wrong, with the end of its output."""
    with tempfile.TemporaryFile() as output:
        try:
            process = start(argv, environ, cwd, output, talk=False)
        except OSError as error:
            return f"cannot be started: {error.strerror}"
        try:
            code = process.wait(patience)
        except subprocess.TimeoutExpired:
            return f"did not end within {patience:g} s"
        finally:
            end(process, 0)
        output_end = tail(output)
    if code == 0:
        return None
    return f"failed with exit code {code}" + (f": {output_end}" if output_end else "")


def tail(output: IO[bytes]) -> str:
    """The last words of an output, on one line without control characters."""
    output.seek(0, os.SEEK_END)
    output.seek(max(0, output.tell() - 4 * TAIL))
    words = " ".join(output.read().decode(errors="replace").split())
    return "".join(c for c in words if c.isprintable())[-TAIL:]


_UV_CACHE = ("archive-v", "environments-v")  # directories of uv's cache, which `uv cache prune` empties


def launch_command() -> tuple[str, ...]:
    """The running program as an absolute command. InvalidInput where anybody could put another in its place.

    As it was started: the `indelible` of an environment, `python -P -m indelible`, or `uvx indelible` with this version
    (uvx's own copy does not last).
    """
    command = _running()
    refuse_world_writable(Path(command[0]))
    return command


def _running() -> tuple[str, ...]:
    started = Path(sys.argv[0])
    script = Path(sysconfig.get_path("scripts")) / ("indelible.exe" if os.name == "nt" else "indelible")
    if started.name == "__main__.py":
        return (os.path.abspath(sys.executable), "-P", "-m", "indelible")
    if any(part.startswith(_UV_CACHE) for part in started.parts):
        uvx = shutil.which("uvx")
        if uvx:
            return (os.path.abspath(uvx), f"indelible@{__version__}")
    named = [started, started.with_name(started.name + ".exe")] if started.stem == "indelible" else []
    for path in (*named, script):
        if path.is_file():
            return (os.path.abspath(path),)
    found = shutil.which("indelible")
    if found:
        return (os.path.abspath(found),)
    return (os.path.abspath(sys.executable), "-P", "-m", "indelible")


def refuse_world_writable(command: Path) -> None:
    """Raise InvalidInput if every user of the machine can replace a program, or what a link in its path leads to."""
    if os.name == "nt":
        return
    for path in dict.fromkeys((command, Path(os.path.realpath(command)))):
        for place in (path, *path.parents):
            mode = place.stat().st_mode
            sticky = stat.S_ISDIR(mode) and mode & stat.S_ISVTX
            if mode & stat.S_IWOTH and not sticky:
                raise InvalidInput(
                    f"{place} can be written to by every user of this machine, so clients must not start {command}; "
                    f"`chmod o-w {place}`, or install Indelible elsewhere"
                )
