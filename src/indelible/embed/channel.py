"""Connections to a process of this user: a socket in a folder that only the user may enter, on Windows a named pipe.

A process that can connect may read nothing but can make the encoder work, and a client sends it texts. So both sides
check that the other is the same user: the folder is ours and 0700, the socket 0600, and where the system tells who is
at the other end (Linux), it is asked.
"""

import os
import stat
import struct
import sys
import time
import warnings
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from indelible.dataclass import dataclass
from indelible.embed.frames import LARGEST, PROTOCOL, Malformed
from indelible.errors import IndelibleError

if TYPE_CHECKING:
    import socket
    from multiprocessing.connection import Connection

    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection

# Imported late (start, cli, memory): platformdirs, secrets, tempfile
# Imported late (cli, memory): multiprocessing.connection, socket

_LONGEST_PATH = 107 if sys.platform == "linux" else 103  # bytes in sockaddr_un, without the final zero


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one encoder: `path` is its socket (on Windows a file with the name of its pipe)."""

    path: Path
    lock: Path


class Channel(Protocol):
    """One end of a connection; frames go through it whole. Used by one thread at a time."""

    def send(self, frame: bytes, until: float) -> None:
        """Send a frame before `time.monotonic()` is `until`. OSError (TimeoutError) where it cannot be sent."""
        ...

    def receive(self, until: float | None) -> bytearray:
        """Return the next frame; None waits for ever. OSError where none comes, Malformed where it is too large."""
        ...

    def ready(self, until: float) -> bool:
        """Whether `receive` has something to read, or the other side has closed; waits until then at most."""
        ...

    def closed(self) -> bool:
        """Whether the other side has closed; does not wait."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class Listener(Protocol):
    """The listening end of an encoder, which accepts clients."""

    def accept(self) -> Channel:
        """Wait for the next client, of the same user. OSError where no more can come."""
        ...

    def close(self) -> None:
        """Accept no more clients; the place is free for another encoder."""
        ...


def find_place(model: str) -> Place:
    """Return the place of the encoder of a model. Raises as `private_place`."""
    return private_place("encoder", f"{model}\n{PROTOCOL}")


def private_place(kind: str, of: str) -> Place:
    """Return the place of a process of some kind (a short word) that serves `of`: a model, or a store.

    It is in a private folder that is made if missing: the platform's directory for run-time files, else one under that
    for temporary files. IndelibleError where neither can be made private or has a name that is short enough for a
    socket.
    """
    name = f"{kind}-{sha256(of.encode()).hexdigest()[:12]}"
    problems = []
    for find in (_runtime_folder, _temporary_folder):
        try:
            folder = find()
            place = Place(folder / name, folder / f"{name}.lock")
            _check_length(place.path)
            _make_private(folder)
        except OSError as error:
            problems.append(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        else:
            return place
    raise IndelibleError(
        f"the {kind} process has no private place for its socket ({'; '.join(problems)}); "
        "set XDG_RUNTIME_DIR to a directory of your own (mode 0700) with a short name"
    )


def _runtime_folder() -> Path:
    import platformdirs

    # It warns where XDG_RUNTIME_DIR is not set, which is nothing to tell the user of an agent.
    warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
    return platformdirs.user_runtime_path("indelible", appauthor=False)


def _temporary_folder() -> Path:
    import tempfile

    folder = Path(tempfile.gettempdir())
    if sys.platform == "win32":  # each user has a folder for temporary files there
        return folder / "indelible-encoder"
    return folder / f"indelible-{os.geteuid()}"


def _check_length(path: Path) -> None:
    size = len(os.fsencode(path))
    if sys.platform != "win32" and size > _LONGEST_PATH:
        raise OSError(f"{path} has {size} bytes, a socket's name at most {_LONGEST_PATH}")


def _make_private(folder: Path) -> None:
    """Make the folder or check it: ours, closed to others, and not replaceable by another user."""
    for path in reversed([folder, *_missing(folder.parent)]):
        path.mkdir(0o700, exist_ok=True)
    if sys.platform != "win32":
        found, above = folder.lstat(), folder.parent.stat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise OSError(f"{folder} is not a directory of this user")
        if above.st_uid not in (0, os.geteuid()) or (above.st_mode & 0o022 and not above.st_mode & stat.S_ISVTX):
            raise OSError(f"{folder.parent} lets other users replace what is in it")
        if stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)


def _missing(folder: Path) -> Iterator[Path]:
    """Yield the folders to be made above, the innermost first."""
    for path in (folder, *folder.parents):
        if path.exists():
            return
        yield path


class _SocketChannel:
    """A stream socket; each frame has its length before it (4 bytes, little-endian)."""

    def __init__(self, connected: "socket.socket") -> None:
        self._socket = connected

    def send(self, frame: bytes, until: float) -> None:
        self._allow(until)  # for the whole frame: sendall counts its time together
        self._socket.sendall(len(frame).to_bytes(4, "little") + frame)

    def receive(self, until: float | None) -> bytearray:
        size = int.from_bytes(self._read(4, until), "little")
        if size > LARGEST:
            raise Malformed(f"a frame of {size} bytes; at most {LARGEST} are taken")
        return self._read(size, until)

    def ready(self, until: float) -> bool:
        import socket

        self._socket.settimeout(max(0.0, until - time.monotonic()))
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, TimeoutError):
            return False
        except OSError:
            return True
        return True

    def closed(self) -> bool:
        import socket

        self._socket.settimeout(0)
        try:
            return not self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def close(self) -> None:
        self._socket.close()

    def _read(self, size: int, until: float | None) -> bytearray:
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            self._allow(until)
            got = self._socket.recv_into(rest)
            if not got:
                raise ConnectionResetError("the other side has gone away")
            rest = rest[got:]
        return data

    def _allow(self, until: float | None) -> None:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError("no time is left")
        self._socket.settimeout(left)


if sys.platform != "win32":

    class _SocketListener:
        def __init__(self, path: Path) -> None:
            import socket

            path.unlink(missing_ok=True)  # left by a killed encoder: we hold the lock, so no living one's
            self._path = path
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.bind(str(path))
            path.chmod(0o600)
            self._made = path.stat()
            self._socket.listen(128)

        def accept(self) -> Channel:
            while True:
                try:
                    connected, _ = self._socket.accept()
                except ConnectionAbortedError:  # closed before it was accepted
                    continue
                if _is_of_this_user(connected):
                    return _SocketChannel(connected)
                connected.close()

        def close(self) -> None:
            try:
                if os.path.samestat(self._path.lstat(), self._made):  # else cleared away and made anew by another
                    self._path.unlink()
            except FileNotFoundError:
                pass  # the directory for temporary files is being cleared
            self._socket.close()

    def _is_of_this_user(connected: "socket.socket") -> bool:
        if sys.platform == "linux":
            import socket

            ucred = struct.Struct("3i")  # pid, uid, gid: unix(7)
            given = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, ucred.size)
            return bool(ucred.unpack(given)[1] == os.geteuid())
        return True  # the folder's mode keeps others out

    def open_listener(place: Place) -> Listener:
        """Open the place to clients; the caller holds its lock. OSError where it cannot be made."""
        return _SocketListener(place.path)

    def connect(place: Place) -> Channel:
        """A connection to the encoder at this place. OSError where none runs there."""
        import socket

        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connected.settimeout(1.0)  # at once, but for a process that is stopped and has a full queue
            connected.connect(str(place.path))
            if not _is_of_this_user(connected):
                raise PermissionError(f"{place.path} belongs to another user")
        except OSError:
            connected.close()
            raise
        return _SocketChannel(connected)

else:

    class _PipeChannel:
        """A named pipe in message mode. A frame is sent without a limit of time: the system buffers it."""

        def __init__(self, pipe: "Connection | PipeConnection") -> None:
            self._pipe = pipe

        def send(self, frame: bytes, until: float) -> None:
            self._pipe.send_bytes(frame)

        def receive(self, until: float | None) -> bytearray:
            left = None if until is None else max(0.0, until - time.monotonic())
            try:
                if not self._pipe.poll(left):
                    raise TimeoutError("no time is left")
                return bytearray(self._pipe.recv_bytes(LARGEST))
            except EOFError as error:
                raise ConnectionResetError("the other side has gone away") from error

        def ready(self, until: float) -> bool:
            try:
                return self._pipe.poll(max(0.0, until - time.monotonic()))
            except (EOFError, OSError):
                return True

        def closed(self) -> bool:
            try:
                self._pipe.poll(0)
            except (EOFError, OSError):
                return True
            return False

        def close(self) -> None:
            self._pipe.close()

    class _PipeListener:
        """A pipe with an unguessable name, stored in the private folder, so that no other process can take it first."""

        def __init__(self, path: Path) -> None:
            import secrets
            from multiprocessing.connection import Listener

            address = rf"\\.\pipe\indelible-{secrets.token_hex(16)}"
            self._path = path
            self._listener: Listener = Listener(address, "AF_PIPE")
            fresh = path.with_suffix(".new")
            fresh.write_text(address, encoding="ascii")
            fresh.replace(path)

        def accept(self) -> Channel:
            return _PipeChannel(self._listener.accept())

        def close(self) -> None:
            self._path.unlink(missing_ok=True)
            self._listener.close()

    def open_listener(place: Place) -> Listener:
        """Open the place to clients; the caller holds its lock. OSError where it cannot be made."""
        return _PipeListener(place.path)

    def connect(place: Place) -> Channel:
        """A connection to the encoder at this place. OSError where none runs there."""
        from multiprocessing.connection import Client

        return _PipeChannel(Client(place.path.read_text(encoding="ascii"), "AF_PIPE"))
