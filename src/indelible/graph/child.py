"""A child process for work that would block the interpreter of this one: arrays in, arrays out, lower priority."""

import io
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger("indelible")

NICENESS = 10

Arrays = list[NDArray[Any]]


def run(module: str, given: Sequence[NDArray[Any]], found: int) -> Arrays | None:
    """Return the result of a module of this package on arrays, in a process of its own; None where none can start.

    `found` is the number of arrays that it returns. The module calls `serve`.
    """
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS
    try:
        ran = subprocess.run(
            # -P: a module in the working directory must not hide one of ours
            [sys.executable, "-P", "-m", f"indelible.graph.{module}"],
            input=_packed(given),
            capture_output=True,
            check=True,
            cwd=os.path.abspath(os.sep),
            creationflags=flags,
        )
        return _unpacked(ran.stdout, found)
    except (OSError, EOFError, subprocess.SubprocessError, ValueError) as error:
        said = (getattr(error, "stderr", None) or b"").decode(errors="replace")
        log.warning("graph without a child", extra={"key": str(error), "message_text": said[-500:]})
        return None


def serve(work: Callable[[Arrays], Sequence[NDArray[Any]]], given: int) -> None:
    """Read so many arrays from the standard input, write the result of `work` on them to the standard output."""
    if hasattr(os, "nice"):
        with suppress(PermissionError):  # of a sandbox
            os.nice(NICENESS)
    sys.stdout.buffer.write(_packed(work(_unpacked(sys.stdin.buffer.read(), given))))


def _packed(arrays: Sequence[NDArray[Any]]) -> bytes:
    body = io.BytesIO()
    for array in arrays:
        np.save(body, array, allow_pickle=False)
    return body.getvalue()


def _unpacked(body: bytes, count: int) -> Arrays:
    given = io.BytesIO(body)
    return [np.load(given, allow_pickle=False) for _ in range(count)]
