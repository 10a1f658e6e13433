"""Pauses of recording: projects in whose sessions hooks record nothing and tell nothing, in a file beside the spool.

A hook looks at each event whether the file is there, so a pause holds at once in sessions that run; only where it is
does a hook load this module, and only in a worktree or a clone what finds projects. What cannot be read counts as a
pause of everything: nothing is recorded that a user paused. See docs/design/capture.md.
"""

import json
import os
import time

from indelible import hook_settings
from indelible.errors import StoreError

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from indelible.project import Location

    Pauses = dict[str, dict[str, Any]]

# Imported late (hooks): indelible.filesystem, indelible.project, pathlib

FILE = hook_settings.PAUSES
EVERY = "*"  # in place of a project: all projects of the store
_LATEST = 253_402_300_799_000_000  # the last microsecond that a date can have
_LARGEST = 1 << 20  # bytes of a repository's configuration


# --- Reading ---


def paused(inbox: str) -> "Pauses":
    """Return the pauses by project, or EVERY: `since` in microseconds, `left_out` where it is for good, `origin`.

    Raises ValueError for a file that no pause wrote, OSError for one that cannot be read.
    """
    path = os.path.join(inbox, FILE)
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        if os.path.lexists(path):  # a link to what is not there
            raise
        return {}
    except RecursionError:
        raise ValueError(f"{FILE} does not hold pauses") from None
    if not isinstance(found, dict) or not all(map(_is_pause, found.values())):
        raise ValueError(f"{FILE} does not hold pauses")
    return found


def _is_pause(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    since, origin = value.get("since", 0), value.get("origin", "")
    return type(since) is int and 0 <= since <= _LATEST and isinstance(origin, str)


def is_paused(inbox: str, directory: str, given: "tuple[str | None, str | None]" = (None, None)) -> bool:
    """Return whether the project of an agent that works in a directory is paused.

    `given`: the project that its environment names, and the directory that its client does. Raises StoreError where the
    pauses cannot be read.
    """
    try:
        pauses = paused(inbox)
    except (OSError, ValueError):
        raise StoreError(
            f"{FILE} in the data directory cannot be read, so nothing is recorded; `indelible resume --all` mends it, "
            "or says why not"
        ) from None
    if not pauses or EVERY in pauses:
        return bool(pauses)
    named, hint = (each if each and "${" not in each else None for each in given)
    start = os.path.join(directory, os.path.expanduser((named or hint or "").strip()))
    if named is None:
        above, marker = _around(pauses, start)
        if above or not marker or not _may_be_elsewhere(pauses, marker):
            return above is not None
    from pathlib import Path

    from indelible.project import locate

    location = locate(named, {"CLAUDE_PROJECT_DIR": hint} if hint else {}, Path(directory), Path.home())
    return holding(pauses, location, start) is not None


def holding(pauses: "Mapping[str, dict[str, Any]]", location: "Location | None", start: str) -> str | None:
    """Return which pause holds for a project that was found from the path `start`: a project or EVERY; None for none.

    That of EVERY, of the project, of a clone of it, or of a directory around `start` with no repository between.
    """
    if EVERY in pauses:
        return EVERY
    if location is None:
        return None
    if location.path in pauses:
        return location.path
    clone = next((name for name, pause in pauses.items() if location.origin and _is_of(pause, location.origin)), None)
    return clone or (_around(pauses, start)[0] if os.path.isabs(location.path) else None)


def _is_of(pause: "Mapping[str, Any]", origin: str) -> bool:
    return bool(pause.get("origin") == origin)


def _around(pauses: "Mapping[str, Any]", start: str) -> "tuple[str | None, str]":
    """Return the nearest paused directory around a path and "", or None and the `.git` before it, "" for neither."""
    at, below = os.path.realpath(start), ""
    while at != below:
        if at in pauses:
            return at, ""
        marker = os.path.join(at, ".git")
        if os.path.lexists(os.path.join(marker, "HEAD")) or (os.path.isfile(marker) and _is_pointer(marker)):
            return None, marker
        at, below = os.path.dirname(at), at  # the root is its own
    return None, ""


def _is_pointer(marker: str) -> bool:
    try:
        with open(marker, "rb") as file:
            return file.read(7) == b"gitdir:"
    except OSError:  # as `project.py` takes one that cannot be read
        return False


def _may_be_elsewhere(pauses: "Mapping[str, Any]", marker: str) -> bool:
    """Return whether the project of a `.git` may have a pause of another path: of its main worktree, or of a clone.

    The last part of an origin stands as it is in the configuration of each clone, but for its case.
    """
    if os.path.isfile(marker):
        return True
    ends = [pause["origin"].rpartition("/")[2].lower().encode() for pause in pauses.values() if pause.get("origin")]
    path = os.path.join(marker, "config")
    if not ends or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            configuration = file.read(_LARGEST).lower()
    except OSError:
        return False
    return any(end in configuration for end in ends)


# --- Changing ---


def pause(inbox: str, project: str, *, left_out: bool, origin: str | None = None) -> None:
    """Pause a project, or EVERY; one that is paused keeps its time, and one that is left out for good stays so.

    Raises ValueError and OSError as `paused` does.
    """
    now = time.time_ns() // 1_000

    def change(pauses: "Pauses") -> None:
        known = pauses.get(project, {})
        out = {"left_out": True} if left_out or known.get("left_out") else {}
        pauses[project] = {"since": known.get("since", now), **out, **({"origin": origin} if origin else {})}

    os.makedirs(inbox, mode=0o700, exist_ok=True)
    _change(inbox, change)


def resume(inbox: str, project: str, origin: str | None = None) -> bool:
    """End the pauses of a project and its clones, or with EVERY all but those for good; return whether any was ended.

    With EVERY a damaged file ends too. Raises ValueError and OSError as `paused` does.
    """
    ended: list[str] = []

    def change(pauses: "Pauses") -> None:
        for name, each in list(pauses.items()):
            ends = not each.get("left_out") if project == EVERY else (origin is not None and _is_of(each, origin))
            if name == project or ends:
                ended.append(name)
                del pauses[name]

    if os.path.isdir(inbox):
        _change(inbox, change, mends=project == EVERY)
    return bool(ended)


def take_over(inbox: str, others: "Pauses") -> None:
    """Add the pauses of another store, which moves to this one. Raises ValueError and OSError as `paused` does."""

    def change(pauses: "Pauses") -> None:
        for project, pause in others.items():
            pauses[project] = {**pause, **pauses.get(project, {})}

    os.makedirs(inbox, mode=0o700, exist_ok=True)
    _change(inbox, change)


def _change(inbox: str, change: "Callable[[Pauses], None]", *, mends: bool = False) -> None:
    """Change the file under a lock; it is replaced whole, so that a hook reads the old or the new one."""
    from pathlib import Path

    from indelible.filesystem import FileLock, sync_directory

    path = os.path.join(inbox, FILE)
    with FileLock(Path(inbox) / f"{FILE}.lock"):
        try:
            pauses = paused(inbox)
        except ValueError:
            if not mends:
                raise
            pauses = {}
        change(pauses)
        if pauses:
            _replace(path, json.dumps(pauses).encode())
        else:
            _remove(path)
        sync_directory(Path(inbox))


def _replace(path: str, content: bytes) -> None:
    fresh = f"{path}.new"  # of the holder of the lock: what is there is of a process that was killed
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    _remove(fresh)
    try:
        with open(os.open(fresh, flags, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError:
        _remove(fresh)
        raise


def _remove(path: str) -> None:
    if os.path.lexists(path):
        os.unlink(path)
