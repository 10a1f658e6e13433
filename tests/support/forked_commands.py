"""The program `indelible` for shells of tests: each of its processes is a fork (forked.py), no start of Python."""

from __future__ import annotations

import marshal
import os
import select
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import forked

_PROGRAM = Path(__file__).with_name("forked_indelible.py")
_REAL = Path(sys.executable).with_name("indelible")


@contextmanager
def installed(directory: Path, env: Mapping[str, str]) -> Iterator[None]:
    """Put the program `indelible` into a directory, for shells of this environment, as long as this lasts.

    It is the real one where forked.py starts real ones, and becomes it where its environment differs from `env` in
    what Python reads at its start.
    """
    program = directory / "indelible"
    if not forked.can_fork(os.environ):
        program.symlink_to(_REAL)
        yield
        return
    forked.run(["--version"], env=os.environ, cwd=directory)  # no shell waits until the fork server has begun
    with tempfile.TemporaryDirectory() as place:  # a test's own directory may have a path too long for a socket
        commands = _Commands(os.path.join(place, "forks"), forked.at_start(env))
        names = f"SOCKET, REAL = {commands.path!r}, {str(_REAL)!r}\n"
        program.write_text(f"#!{sys.executable} -IS\n{names}{_PROGRAM.read_text(encoding='utf-8')}", encoding="utf-8")
        program.chmod(0o755)
        try:
            yield
        finally:
            commands.close()


class _Commands:
    """Forks for each program that connects to a socket, in a thread of its own that lasts as long as the fork."""

    def __init__(self, path: str, at_start: Mapping[str, str]):
        self.path = path
        self._at_start = at_start
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(path)
        self._listening.listen()
        self._connections: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        """Fork no more, end what runs."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listening.close()
        for connection in self._connections:
            with suppress(OSError):  # closed, as its fork has ended
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:  # closed
                return
            self._connections.append(connection)
            self._threads.append(threading.Thread(target=self._serve, args=(connection,)))
            self._threads[-1].start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(ConnectionError):  # the program was killed
            process = self._fork(connection)
            if process is None:
                connection.sendall(b"0\n")
                return
            with suppress(ConnectionError):  # poll says so, too
                connection.sendall(f"{process.pid}\n".encode())
            either = select.poll()
            either.register(process, select.POLLIN)
            either.register(connection, select.POLLIN)
            if process.fileno() not in dict(either.poll()):  # the program is gone: it sends nothing more
                process.kill()
                with suppress(ProcessLookupError):  # it had not begun a session yet
                    os.killpg(process.pid, signal.SIGKILL)
            connection.sendall(f"{process.wait()}\n".encode())

    def _fork(self, connection: socket.socket) -> forked.Forked | None:
        """The fork that a program asks for; None where it should be a real one."""
        head, fds, _, _ = socket.recv_fds(connection, 4, 3)
        with ExitStack() as received, connection.makefile("rb") as reader:
            for fd in fds:
                received.callback(os.close, fd)
            length = int.from_bytes(head, "big")
            request = reader.read(length)
            if len(fds) != 3 or len(request) < length:
                raise ConnectionError
            arguments, env, directory, umask = marshal.loads(request)
            if forked.at_start(env) != self._at_start:
                return None
            stdin, stdout, stderr = fds
            return forked.Forked(
                arguments[1:],
                env,
                directory,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                umask=umask,
                script=arguments[0],
            )
