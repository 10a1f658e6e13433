"""The command line that a client starts Indelible by: absolute, since the desktop has no PATH of a shell."""

import os
import shutil
import stat
import sys
import sysconfig
from pathlib import Path

from indelible import __version__
from indelible.errors import InvalidInput

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
