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
LARGEST = 1 << 20  # bytes of a frame


def ask(inbox: str, request: "dict[str, Any]", patience: float) -> "dict[str, Any] | None":
    """Return the answer of the process that serves the store of an inbox; None where none comes within `patience`.

    `patience` is in seconds. Whatever is wrong with that process, nothing is raised: it costs the answer only.
    """
    try:
        with open(os.path.join(inbox, ADDRESS), encoding="utf-8") as file:
            address = file.read(LARGEST).strip()
        asked = _through_pipe if sys.platform == "win32" else _through_socket
        answer = json.loads(asked(address, json.dumps(request).encode(), patience))
    except (OSError, ValueError, EOFError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _through_socket(address: str, frame: bytes, patience: float) -> bytes:
    import socket

    until = time.monotonic() + patience
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
        connected.settimeout(patience)
        connected.connect(address)
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


def _through_pipe(address: str, frame: bytes, patience: float) -> bytes:
    from multiprocessing.connection import Client

    with Client(address, "AF_PIPE") as pipe:
        pipe.send_bytes(frame)
        if not pipe.poll(patience):
            raise TimeoutError("no time is left")
        return pipe.recv_bytes(LARGEST)
