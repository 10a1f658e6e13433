"""An encoder of a test's own: in a run-time directory that nobody else knows, ended with all that the test started.

    with running() as encoder:  # loaded, for this process and every one that it starts
        ...

Starting one takes 0.6 s and 250 MB: tests that do not harm it share one a module.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from indelible.core.indexes.embedder import Embedder
from indelible.embed import channel, frames
from indelible.embed.base import MODEL
from indelible.embed.shared import SharedEncoder
from indelible.filesystem import FileLock

PATIENCE = 200.0  # seconds: below pytest's own limit
SHARED = {"INDELIBLE_ENCODER": "shared"}  # what a server or a command gets to use the encoder of the test


@contextmanager
def runtime() -> Iterator[Path]:
    """A run-time directory with a short name, for us and the processes we start; no encoder survives it."""
    with pytest.MonkeyPatch.context() as patch:
        directory = Path(tempfile.mkdtemp(prefix="ind-", dir="/tmp"))
        patch.setenv("XDG_RUNTIME_DIR", str(directory))
        lock = place().lock  # now: a test may open the directory to others, so that it is no place any more
        try:
            yield directory
        finally:
            end_encoders(directory)
            with FileLock(lock):
                shutil.rmtree(directory)


@contextmanager
def running() -> Iterator[SharedEncoder]:
    """A run-time directory with an encoder that is ready."""
    with runtime():
        encoder = woken()
        yield encoder
        encoder.close()


def woken() -> SharedEncoder:
    """A client whose encoder is ready."""
    encoder = SharedEncoder(idle=60)
    rewoken(encoder)
    return encoder


def kill() -> None:
    """Kill the encoder that runs, and wait until it has ended."""
    os.kill(status()["pid"], signal.SIGKILL)
    wait_for_end()


def wake(encoder: SharedEncoder | Embedder) -> None:
    """Wake it and wait until that has come to an end, good or bad."""
    encoder.wake()
    for thread in threading.enumerate():
        if thread.name == "encoder":
            thread.join(PATIENCE)


def rewoken(encoder: SharedEncoder | Embedder) -> None:
    """Wake an encoder that must get ready."""
    wake(encoder)
    assert encoder.state == "ready"


def place() -> channel.Place:
    """Where the encoder of this run-time directory is met."""
    return channel.find_place(MODEL)


def suspend(pid: int) -> None:
    """Stop a process, and return once none of its threads runs: one of them has to take the signal first."""
    os.kill(pid, signal.SIGSTOP)
    tasks = Path(f"/proc/{pid}/task")
    while tasks.exists() and not all(map(_is_stopped, tasks.iterdir())):
        os.sched_yield()


def _is_stopped(task: Path) -> bool:
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] == "T"
    except OSError:  # it has ended
        return True


def wait_for_end() -> None:
    """Return when no encoder is alive here: each holds the lock as long as it lives."""
    with FileLock(place().lock):
        pass


def end_encoders(directory: Path) -> None:
    """Kill every encoder of a run-time directory; on Linux one too that only starts, and lets nobody in yet."""
    for pid in _of_directory(directory) if sys.platform == "linux" else _answering():
        os.kill(pid, signal.SIGKILL)


def _of_directory(directory: Path) -> Iterator[int]:
    ours = f"XDG_RUNTIME_DIR={directory}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            named, surroundings = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
        except OSError:  # gone, or another user's
            continue
        if b"encoder" in named.split(b"\0") and ours in surroundings.split(b"\0"):
            yield int(folder.name)


def _answering() -> Iterator[int]:
    try:
        yield status()["pid"]
    except OSError:  # none is there
        return


# --- What it says itself ---


@contextmanager
def connected() -> Iterator[channel.Channel]:
    """A connection to it."""
    peer = channel.connect(place())
    try:
        yield peer
    finally:
        peer.close()


def tell(peer: channel.Channel, op: str, *texts: str, timeout: float = PATIENCE) -> None:
    """Send a request and wait for nothing."""
    peer.send(frames.pack_request(frames.Request(op, texts, timeout)), time.monotonic() + PATIENCE)


def ask(peer: channel.Channel, op: str, *texts: str) -> dict[str, Any]:
    """The header of its answer."""
    tell(peer, op, *texts)
    return frames.unpack(peer.receive(time.monotonic() + PATIENCE))[0]


def status() -> dict[str, Any]:
    """Its pid and state, once its models are loaded. OSError where none runs."""
    with connected() as peer:
        return ask(peer, "status")
