"""A real socket that answers HTTP requests with given bytes, in order, and counts them: what no good server would say.

with Scripted(reply(503), reply(200, result)) as server: ...     the last answer is given for ever
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
from types import TracebackType
from typing import Any, Self

CLOSE = b""  # an answer: nothing, and the connection is closed
RESULT = {"jsonrpc": "2.0", "id": 1, "result": {"done": True}}


def reply(status: int = 200, body: Any = RESULT, **headers: str) -> bytes:
    """An answer; bytes are sent as they are, everything else as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {"Content-Type": "application/json", "Content-Length": str(len(content))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status} Said\r\n{head}\r\n".encode() + content


class Scripted:
    """Listens on a port of this machine until it is left."""

    def __init__(self, *answers: bytes, tls: ssl.SSLContext | None = None, closes: bool = False, blunt: bool = False):
        self._answers = list(answers)
        self._tls = tls
        self._closes = closes
        self._blunt = blunt  # whatever comes is answered
        self.requests: list[tuple[dict[str, str], Any]] = []
        self.connections = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._listening.getsockname()[1]}"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        try:
            with self._tls.wrap_socket(connection, server_side=True) if self._tls else connection as talking:
                while self._answer(talking):
                    pass
        except OSError:
            return

    def _answer(self, talking: socket.socket) -> bool:
        said = b""
        while b"\r\n\r\n" not in said:
            more = talking.recv(1 << 16)
            if not more:
                return False
            said += more
            if self._blunt:
                talking.sendall(self._answers[0])
                return False
        head, _, body = said.partition(b"\r\n\r\n")
        lines = [line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:]]
        headers = {name.lower(): value for name, value in lines}
        while len(body) < int(headers.get("content-length", 0)):
            body += talking.recv(1 << 16)
        self.requests.append((headers, json.loads(body)))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        talking.sendall(answer)
        return bool(answer) and not self._closes

    def stop_listening(self) -> None:
        """Refuse further connections; those that are open go on."""
        if self._thread.is_alive():
            self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop_listening()
        for connection in self._open:
            connection.close()
