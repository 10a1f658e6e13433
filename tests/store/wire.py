"""A wire between a client and a PostgreSQL server that can be cut at the worst moment."""

import contextlib
import socket
import threading
from typing import Literal

from psycopg import conninfo

COMMIT = b"COMMIT\0"  # the end of the message that asks for it


class Wire:
    """Passes on what both ends say.

    `lose` cuts the connection once, at the next COMMIT: before the server hears it ("commit"), when it has done it and
    answers ("answer"), or before it hears it, which it does when `deliver` is called ("late"). With `for_good` no other
    connection is let in from then on.
    """

    def __init__(self, url: str):
        given = conninfo.conninfo_to_dict(url)
        self._server = (str(given["host"]), int(given.get("port") or 5432))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._muted: socket.socket | None = None
        self._late: list[tuple[socket.socket, bytes]] = []
        self.lose: Literal["commit", "answer", "late"] | None = None
        self.for_good = False
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
                self._start(self._carry, client, self._connect())

    def _connect(self) -> socket.socket:
        host, port = self._server
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        answers = threading.Thread(target=self._pass, args=(server, client), daemon=True)
        answers.start()
        self._pass(client, server)
        answers.join()
        client.close()
        server.close()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the other direction was cut
            while (data := source.recv(65_536)) and source is not self._muted:
                if data.endswith(COMMIT) and self._loses_now(target, data):
                    break
                target.sendall(data)
        waiting = [server for server, _ in self._late]
        for end in {source, target}.difference(waiting):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

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
        return lost in ("commit", "late")

    def _listen_no_more(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def close(self) -> None:
        """Let no more in; whoever is connected must have left."""
        self._listen_no_more()
        for thread in self._threads:
            thread.join()
