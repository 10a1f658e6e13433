"""A wire between a client and a PostgreSQL server that can be cut at the worst moment."""

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Literal

from psycopg import conninfo

COMMIT = b"COMMIT\0"  # the end of the message that asks for it


class Wire:
    """Passes on what both ends say.

    `lose` cuts the connection once, at the next COMMIT: before the server hears it ("commit"), when it has done it and
    answers ("answer"), or before it hears it, which it does when `deliver` is called ("late"). `meanwhile` is called
    between the cut and what the client notices of it. With `for_good` no other connection is let in from then on.
    While `swallows` is set nothing arrives any more, on either side, and nobody is told.
    `trips` counts how often a client has said something and waited for what the server says to it.
    """

    def __init__(self, url: str):
        given = conninfo.conninfo_to_dict(url)
        self._server = (str(given["host"]), int(given.get("port") or 5432))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._ends: list[socket.socket] = []
        self._muted: socket.socket | None = None
        self._late: list[tuple[socket.socket, bytes]] = []
        self.lose: Literal["commit", "answer", "late"] | None = None
        self.for_good = False
        self.swallows = False
        self.meanwhile: Callable[[], object] = lambda: None
        self.trips = 0
        self.url = conninfo.make_conninfo(
            url, host="127.0.0.1", port=self._listener.getsockname()[1], sslmode="disable", gssencmode="disable"
        )
        self._start(self._accept)

    def _start(self, work, *arguments) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the listener was closed
            while True:
                client, _ = self._listener.accept()
                try:
                    server = self._connect()
                except OSError:  # the server is away
                    client.close()
                    continue
                self._start(self._carry, client, server)

    def _connect(self) -> socket.socket:
        host, port = self._server
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(f"{host}/.s.PGSQL.{port}")
        except OSError:
            server.close()
            raise
        return server

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        self._ends += (client, server)
        said = threading.Event()  # by the client, without an answer so far
        answers = threading.Thread(target=self._pass, args=(server, client, said.clear), daemon=True)
        answers.start()
        self._pass(client, server, lambda: self._count(said))
        answers.join()
        client.close()
        server.close()

    def _count(self, said: threading.Event) -> None:
        self.trips += not said.is_set()
        said.set()

    def _pass(self, source: socket.socket, target: socket.socket, heard: Callable[[], object]) -> None:
        with contextlib.suppress(OSError):  # the other direction was cut
            while (data := source.recv(65_536)) and not self._is_muted(source):
                if self.swallows:
                    continue
                heard()
                if data.endswith(COMMIT) and self._loses_now(target, data):
                    break
                target.sendall(data)
        waiting = [server for server, _ in self._late]
        for end in {source, target}.difference(waiting):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _is_muted(self, source: socket.socket) -> bool:
        if source is self._muted:
            self.meanwhile()
        return source is self._muted

    def deliver(self) -> None:
        """Let the server hear what came late."""
        server, data = self._late.pop()
        server.sendall(data)

    def _loses_now(self, server: socket.socket, data: bytes) -> bool:
        lost, self.lose = self.lose, None
        if lost and self.for_good:
            self._listen_no_more()
        if lost == "answer":
            self._muted = server
        if lost == "late":
            self._late.append((server, data))
        if lost == "commit":
            self.meanwhile()
        return lost in ("commit", "late")

    def _listen_no_more(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def close(self) -> None:
        """Let no more in; whoever is connected must have left."""
        self._listen_no_more()
        for end in self._ends:  # one that was given up while it connected is closed with its garbage
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
