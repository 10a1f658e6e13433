"""A wire between a client and a PostgreSQL server that can be cut at the worst moment."""

import contextlib
import socket
import threading
from typing import Literal

import psycopg

COMMIT = b"COMMIT\0"  # the end of the message that asks for it


class Wire:
    """Listens on a port of its own and passes on what both say, until it is cut."""

    def __init__(self, url: str):
        given = psycopg.conninfo.conninfo_to_dict(url)
        self._target = (str(given["host"]), str(given.get("port", "5432")))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = []
        self.lose: Literal["commit", "answer"] | None = None
        self.url = psycopg.conninfo.make_conninfo(
            url, host="127.0.0.1", port=self._listener.getsockname()[1], sslmode="disable", gssencmode="disable"
        )
        self._run(self._accept)

    def _run(self, work, *arguments) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = self._connect()
            self._open += [client, server]
            self._run(self._pump, client, server, True)
            self._run(self._pump, server, client, False)

    def _connect(self) -> socket.socket:
        host, port = self._target
        if not host.startswith("/"):
            return socket.create_connection((host, int(port)))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _pump(self, source: socket.socket, target: socket.socket, asks: bool) -> None:
        answer_lost = False
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if asks and data.endswith(COMMIT) and self.lose is not None:
                    if self.lose == "answer":
                        self._answer_lost = target
                        target.sendall(data)
                        continue
                    break
                if not asks and getattr(self, "_answer_lost", None) is source:
                    answer_lost = True
                    break
                target.sendall(data)
        if answer_lost or (asks and self.lose == "commit"):
            self.lose = None
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """End every connection, and let none in."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for end in self._open:
            end.close()
