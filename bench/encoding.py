"""Servers that share an encoder of their own: its socket's place, its processes, when it has embedded everything."""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from asking import processes_with, unsettled
from client import INDELIBLE, Server

READY = 120.0  # seconds for the models, and for all texts to be embedded
ENDING = 10.0  # seconds for an encoder to leave


@contextmanager
def encoder_place() -> Iterator[Path]:
    """A folder for the socket of an encoder of its own, which is ended with it. Short, as sockets' names must be."""
    folder = Path(tempfile.mkdtemp(prefix="ib-"))
    try:
        yield folder
    finally:
        ending = encoders(folder)
        for pid in ending:
            os.kill(pid, signal.SIGKILL)  # one that embeds 1 MiB takes its time otherwise
        until = time.monotonic() + ENDING
        while encoders(folder) and time.monotonic() < until:
            time.sleep(0.01)
        shutil.rmtree(folder)


def encoders(place: Path) -> list[int]:
    """The processes of encoders that have their socket there; servers are not among them."""
    found = []
    for pid in processes_with(f"XDG_RUNTIME_DIR={place}"):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:  # gone
            continue
        if b"encoder" in words:
            found.append(pid)
    return found


def serve_with(data: Path, place: Path, encoder: str = "shared", cwd: Path | None = None) -> Server:
    """Indelible over a data directory, with the encoder of that place or none."""
    data.parent.mkdir(exist_ok=True)
    variables = [f"XDG_RUNTIME_DIR={place}", f"INDELIBLE_ENCODER={encoder}"]
    return Server(["env", *variables, str(INDELIBLE), "serve", "--data", str(data)], cwd or data.parent)


def wait_for_embeddings(server: Server) -> None:
    """Wait until the models are there and every text is embedded."""
    until = time.monotonic() + READY
    while unsettled(said := str(server.call("codemem_health")["embeddings"])):
        if time.monotonic() > until:
            raise SystemExit(f"after {READY:.0f} s codemem_health still says of the embeddings: {said}")
        time.sleep(0.1)
