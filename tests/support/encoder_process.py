"""The encoder as a process: in the foreground with its log, and woken by a client of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
MANY = [f"The worker{number} drains its queue before the deploy of service {number % 7}" for number in range(6000)]
CLIENT = """
import sys, threading
from indelible.embed import channel, frames
from indelible.embed.shared import SharedEncoder
encoder = SharedEncoder(idle=60)
encoder.wake()
for thread in threading.enumerate():
    if thread.name == "encoder":
        thread.join(30)
found = encoder.query("which queue is drained?", 20)
print(encoder.state, found is not None and found.dense.shape[0], flush=True)
"""


@contextmanager
def in_foreground(*arguments: str, under: Sequence[str] = ()) -> Iterator[subprocess.Popen[str]]:
    command = [*under, sys.executable, "-m", "indelible", "encoder", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def events(process: subprocess.Popen[str], until: str) -> list[dict]:
    """The log of an encoder in the foreground up to an event."""
    assert process.stderr is not None
    found: list[dict] = []
    for line in process.stderr:
        found.append(json.loads(line))
        if found[-1]["event"] == until:
            break
    return found
