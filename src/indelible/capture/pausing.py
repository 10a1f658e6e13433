"""Pauses of recording: projects in whose sessions hooks record nothing and tell nothing, in a file beside the spool.

A hook looks at each event whether the file is there, so a pause holds at once in sessions that run; only where it is
does a hook load this module. What cannot be read counts as a pause of everything: nothing is recorded that a user
paused.
"""

import json
import os
import time

from indelible import hook_settings

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Imported late (hooks): indelible.filesystem, pathlib, tempfile

FILE = hook_settings.PAUSES
EVERY = "*"  # in place of a project: all projects of the store


def paused(inbox: str) -> "dict[str, dict[str, Any]]":
    """Return the pauses by project, or EVERY: `since` in microseconds, and `left_out` where it is for good.

    Raises ValueError for a file that no pause wrote, OSError for one that cannot be read.
    """
    try:
        with open(os.path.join(inbox, FILE), encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    if not isinstance(found, dict) or not all(isinstance(each, dict) for each in found.values()):
        raise ValueError(f"{FILE} does not hold pauses")
    return found


def is_paused(pauses: "Mapping[str, Any]", project: str | None) -> bool:
    """Return whether the sessions of a project, None for those of no project, are paused."""
    return EVERY in pauses or (project is not None and project in pauses)


def pause(inbox: str, project: str, *, left_out: bool) -> None:
    """Pause a project, or EVERY; one that is paused keeps its time. Raises ValueError and OSError as `paused` does."""
    now = time.time_ns() // 1_000

    def change(pauses: "dict[str, dict[str, Any]]") -> None:
        since = pauses.get(project, {}).get("since", now)
        pauses[project] = {"since": since, **({"left_out": True} if left_out else {})}

    _change(inbox, change)


def resume(inbox: str, project: str) -> bool:
    """End the pause of a project, or with EVERY all pauses; return whether there was one.

    With EVERY a damaged file ends too. Raises ValueError and OSError as `paused` does.
    """
    had = False

    def change(pauses: "dict[str, dict[str, Any]]") -> None:
        nonlocal had
        had = bool(pauses) if project == EVERY else project in pauses
        if project == EVERY:
            pauses.clear()
        else:
            pauses.pop(project, None)

    _change(inbox, change, mends=project == EVERY)
    return had


def _change(inbox: str, change: "Any", *, mends: bool = False) -> None:
    """Change the file under a lock; it is replaced whole, so that a hook reads the old or the new one."""
    import tempfile
    from pathlib import Path

    from indelible.filesystem import FileLock

    os.makedirs(inbox, mode=0o700, exist_ok=True)
    path = os.path.join(inbox, FILE)
    with FileLock(Path(inbox) / f"{FILE}.lock"):
        try:
            pauses = paused(inbox)
        except ValueError:
            if not mends:
                raise
            pauses = {"damaged": {}}
        change(pauses)
        if not pauses:
            if os.path.lexists(path):
                os.unlink(path)
            return
        descriptor, fresh = tempfile.mkstemp(prefix=f".{FILE}.", dir=inbox)  # which only its owner can read
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(pauses, file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
