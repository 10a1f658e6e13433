"""How a hook asks a process that serves its store: over a local socket, with an answer in time or none.

The serving process writes the address of its socket to a file of the inbox (`server/local`), so that a hook need not
find it: what that imports takes longer than the answer. A frame is 4 bytes of length, little-endian, and a JSON object;
one request and one answer a connection. On Windows it is a named pipe, and the pipe has the frames.
"""

import json
import os
import sys
import time

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

# Imported late (hooks): multiprocessing.connection, socket

ADDRESS = "serving-1"  # the file of the inbox with the address, and in it the version of these frames
PATIENCE = 0.07  # seconds for an answer: an agent waits
BEFORE_COMMIT = 0.9  # the same before a commit, which is seldom and is reviewed: less than a serving process has for it
LARGEST = 1 << 20  # bytes of an answer


def ask(inbox: str, request: "dict[str, Any]") -> "dict[str, Any] | None":
    """Return the answer of the process that serves the store of an inbox; None where no process does.

    Where none comes within PATIENCE, or one that cannot be read, it is empty: whatever is wrong with that process costs
    the answer only, and nothing is raised.
    """
    patience = BEFORE_COMMIT if _commits(request) else PATIENCE
    frame, until = json.dumps(request).encode(), time.monotonic() + patience
    try:
        with open(os.path.join(inbox, ADDRESS), encoding="utf-8") as file:
            address = file.read().strip()
        peer = _pipe(address) if sys.platform == "win32" else _socket(address)
    except (OSError, ValueError):
        return None
    with peer:
        try:
            asked = _through_pipe if sys.platform == "win32" else _through_socket
            answer = json.loads(asked(peer, frame, until))
        except (OSError, ValueError, EOFError, RecursionError):
            return {}
    return answer if isinstance(answer, dict) else {}


def _commits(request: "dict[str, Any]") -> bool:
    """Whether a request is about a command that may commit; the serving process looks more closely."""
    command = request.get("command") if isinstance(request, dict) else None
    return isinstance(command, str) and "git" in command and "commit" in command


def _socket(address: str) -> "Any":
    import socket

    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connected.settimeout(PATIENCE)
        connected.connect(address)
    except OSError:
        connected.close()
        raise
    return connected


def _through_socket(connected: "Any", frame: bytes, until: float) -> bytes:
    connected.sendall(len(frame).to_bytes(4, "little") + frame)
    size = int.from_bytes(_read(connected, 4, until), "little")
    if size > LARGEST:
        raise ValueError(f"an answer of {size} bytes")
    return _read(connected, size, until)


def _read(connected: "Any", size: int, until: float) -> bytes:
    parts = b""
    while len(parts) < size:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError("no time is left")
        connected.settimeout(left)
        part = connected.recv(size - len(parts))
        if not part:
            raise EOFError("the serving process has gone")
        parts += part
    return parts


def _pipe(address: str) -> "Any":
    from multiprocessing.connection import Client

    return Client(address, "AF_PIPE")


def _through_pipe(pipe: "Any", frame: bytes, until: float) -> bytes:
    pipe.send_bytes(frame)
    if not pipe.poll(max(0.0, until - time.monotonic())):
        raise TimeoutError("no time is left")
    content: bytes = pipe.recv_bytes(LARGEST)
    return content
