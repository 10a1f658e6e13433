"""Forks for each request, after it has imported what all processes of Indelible import; forked.py speaks with it.

One thread; every module of Indelible is imported, nothing of it is run, nothing is opened. A child becomes what Python
is where `-m indelible` begins: descriptors, streams, environment, arguments, directory, umask and session as asked, and
no descriptor of anybody else. Then `__main__` runs, and the process ends as `_end` says. It is a process as any other:
`kill -9` ends the one that holds the store. The fork server leaves when its socket closes, so with its pytest.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import termios
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import on_postgres

# What libraries import when they first need it, in nearly every process.
LATER = """Stemmer anyio._backends._asyncio anyio._core._signals anyio.streams.tls encodings.utf_8_sig importlib.readers
numpy.ma uvicorn.lifespan.on uvicorn.loops.auto uvicorn.protocols.http.h11_impl""".split()


def _serve(server: socket.socket) -> bool:
    """Answer requests until there is nobody to make them: False. True in a child, which is to run the program."""
    codes: dict[int, int] = {}  # of children that have ended: it may be asked for again
    while True:
        said, fds, _, _ = socket.recv_fds(server, 1 << 16, 3)
        while not said.endswith(b"\n"):
            more = server.recv(1 << 20)
            if not more:
                return False
            said += more
        request = json.loads(said)
        if "ended" in request:
            pid = request["ended"]
            if pid not in codes:
                codes[pid] = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            answer = codes[pid]
        else:
            answer = os.fork()
            codes.pop(answer, None)
            if answer == 0:
                server.close()
                _become(request, fds)
                return True
        for fd in fds:
            os.close(fd)
        server.sendall(f"{request['number']} {answer}\n".encode())


def _become(program: Mapping[str, Any], fds: Sequence[int]) -> None:
    """Make of this process what `python -m indelible` is before it runs anything of Indelible."""
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
        os.close(fd)
    if program["session"]:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # where we run in the background, it is ignored
        with suppress(OSError):  # no terminal, or that of another session
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # a key such as Ctrl-C is for it
    os.umask(program["umask"])
    os.chdir(program["cwd"])
    os.environ.clear()
    os.environ.update(program["env"])
    os.nice = lambda by: 0  # what works in bulk would starve beside other tests, and be taken for one that hangs
    script = program["script"]
    sys.path[0] = os.path.dirname(script) if script else os.getcwd()
    sys.argv[:] = [script or "", *program["arguments"]]
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    for name, mode in ("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb"):
        was = getattr(sys, name)
        below = open(was.fileno(), mode, buffering=0 if unbuffered and mode == "wb" else -1, closefd=False)  # noqa: SIM115
        made = io.TextIOWrapper(below, was.encoding, was.errors, "\n", write_through=unbuffered)
        made.reconfigure(line_buffering=not unbuffered and (made.isatty() or name == "stderr"))
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)


def _import_all() -> None:
    indelible = importlib.import_module("indelible")
    for module in pkgutil.walk_packages(indelible.__path__, "indelible."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in LATER:
        importlib.import_module(name)
    on_postgres.install()
    if on_postgres.is_chosen():
        importlib.import_module("psycopg")
    gc.collect()
    gc.freeze()  # what all share is not looked through in each


def _run() -> None:
    if sys.argv[0]:  # as the script of an environment does
        sys.exit(importlib.import_module("indelible.cli.main").main())
    runpy.run_module("indelible", run_name="__main__", alter_sys=True)


def _end(code: int) -> None:
    """All that Python does at its end but to take down what it has imported.

    That writes to every page that a child shares with the fork server, 0.12 s of processor time for nothing.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    os._exit(code & 0xFF)


if __name__ == "__main__":
    _import_all()
    if _serve(socket.socket(fileno=int(sys.argv[1]))):
        try:
            _run()
        except SystemExit as asked:  # else Python says what it was, and ends as it does
            if asked.code is None or isinstance(asked.code, int):
                with suppress(OSError, ValueError):  # what cannot be written is for Python to say, too
                    _end(asked.code or 0)
            raise
