"""Notes that hooks keep of a session in small files of the inbox: how much was edited, and when the agent was asked.

One file a session and purpose, `sessions/<digest>.<what>`, to which a hook appends: hooks at the same time lose
nothing. A hook loads this module at each edit: it imports nothing that is not loaded anyway.
"""

import os
import time

from indelible.extraction.events import digest

KEPT = 7 * 86_400  # seconds that the notes of a session are kept
LARGEST = 64 << 10  # bytes of a file that are read


def add(inbox: str, session: str, what: str, line: str) -> None:
    """Append a line to the notes of a session. Raises OSError where they cannot be written."""
    folder = os.path.join(inbox, "sessions")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    opened = os.open(_path(inbox, session, what), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(opened, f"{line}\n".encode())
    finally:
        os.close(opened)


def lines(inbox: str, session: str, what: str) -> list[str]:
    """Return the lines of such notes, in the order of writing; none where there are no notes."""
    try:
        with open(_path(inbox, session, what), encoding="utf-8", errors="replace") as file:
            return file.read(LARGEST).splitlines()
    except FileNotFoundError:
        return []


def forget(inbox: str, session: str, what: str) -> None:
    """Remove such notes of a session. Raises OSError where they cannot be removed."""
    try:
        os.unlink(_path(inbox, session, what))
    except FileNotFoundError:
        return


def sweep(inbox: str) -> None:
    """Remove the notes of sessions that ended long ago."""
    folder = os.path.join(inbox, "sessions")
    if not os.path.isdir(folder):
        return
    before = time.time() - KEPT
    for entry in list(os.scandir(folder)):
        if entry.stat().st_mtime < before:
            os.unlink(entry.path)


def _path(inbox: str, session: str, what: str) -> str:
    return os.path.join(inbox, "sessions", f"{digest(session)}.{what}")
